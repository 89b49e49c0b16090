/** @file guard.h
 * Guard against clients that are never called. When another client leaves while our jack_client_open runs, jackd2's libjack
 * keeps a dead entry for that client's slot; who gets the slot next is never woken by us: our own next client, or in
 * strict mode a user's. A dead entry shows as a mapped semaphore file that is gone or was made anew since. */
#ifndef JP_GUARD_H
#define JP_GUARD_H

#include <stdint.h>
#include <stdio.h>

/** Inode of a file now; 0 = not there. */
typedef uint64_t (*jp_guard_inode)(const char *path);

/** Count the dead entries in a table of mappings. Pure but for reading.
 * @param maps in the form of /proc/self/maps. @param inode_of asked for each semaphore file. */
int jp_guard_count(FILE *maps, jp_guard_inode inode_of);

/** Count the dead entries of this process; -1 = unknown (/proc not readable). Thread: any, not RT safe. */
int jp_guard_scan(void);

#endif
