/** @file tree_private.h
 * What tree.c and tree_file.c share. */
#ifndef JP_TREE_PRIVATE_H
#define JP_TREE_PRIVATE_H

#include "sys/tree.h"

struct jp_tree {
	int root;           /**< descriptor of the root directory */
	bool machine;       /**< the root is / */
	unsigned keep_left; /**< how many more files may stay open */
};

/** errno of opening or reading as a status; a directory or pipe in a file's place is JP_BAD_DATA. */
enum jp_status jp_tree_status(int err);

/** Read a descriptor from its start until the end or until size - 1 bytes; NUL-terminated. */
enum jp_status jp_tree_pread(int fd, char *buf, size_t size, size_t *len);

#endif
