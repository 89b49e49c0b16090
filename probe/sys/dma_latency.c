/* /dev/cpu_dma_latency: reading it and holding a request. */
#include "sys/dma_latency.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define DEVICE "/dev/cpu_dma_latency"

struct jp_dma_latency {
	int fd;
};

/* Four bytes of text would be a limit of more than two minutes: no real one. */
static bool is_text(const char *bytes, size_t n)
{
	return n > 0 && strspn(bytes, "0123456789 \n") == n;
}

enum jp_status jp_dma_latency_parse(const char *bytes, size_t n, int32_t *us)
{
	char text[16] = "";
	uint64_t value;
	if (n >= sizeof text)
		return JP_BAD_DATA;
	memcpy(text, bytes, n);
	if (is_text(text, n)) {
		if (jp_parse_u64(text, &value) != JP_OK || value > INT32_MAX)
			return JP_BAD_DATA;
		*us = (int32_t)value;
		return JP_OK;
	}
	if (n != sizeof *us)
		return JP_BAD_DATA;
	memcpy(us, bytes, sizeof *us);
	return *us >= 0 ? JP_OK : JP_BAD_DATA;
}

static enum jp_status read_fd(int fd, int32_t *us)
{
	char bytes[16];
	ssize_t n = pread(fd, bytes, sizeof bytes, 0);
	if (n < 0)
		return jp_status_from_errno(errno);
	return jp_dma_latency_parse(bytes, (size_t)n, us);
}

enum jp_status jp_dma_latency_read(const struct jp_tree *tree, int32_t *us)
{
	int fd = jp_tree_fd(tree, DEVICE, O_RDONLY);
	if (fd < 0)
		return errno == EINVAL ? JP_BAD_DATA : jp_status_from_errno(errno);
	enum jp_status status = read_fd(fd, us);
	close(fd);
	return status;
}

enum jp_status jp_dma_latency_why(enum jp_status status, struct jp_why *why)
{
	if (status == JP_DENIED)
		return jp_why_set(why, status,
			DEVICE " is closed to this user: run as root, or give a group access (chgrp audio " DEVICE
			       " and chmod g+rw, as a udev rule to last)");
	if (status == JP_MISSING)
		return jp_why_set(why, status,
			DEVICE " is not there: a container hides it, or the kernel has no CPU idle management");
	return jp_why_set(why, status, DEVICE ": %s", jp_status_text(status));
}

static enum jp_status request(int fd, int32_t us)
{
	ssize_t n = pwrite(fd, &us, sizeof us, 0);
	if (n == (ssize_t)sizeof us)
		return JP_OK;
	return n < 0 ? jp_status_from_errno(errno) : JP_IO;
}

enum jp_status jp_dma_latency_hold(const char *sysroot, int32_t us, struct jp_dma_latency **out, struct jp_why *why)
{
	struct jp_tree *tree;
	if (us < 0 || us >= JP_DMA_LATENCY_NONE)
		return jp_why_set(why, JP_BAD_ARG, "a wake-up latency of %d us cannot be held: give 0 to %d us", us,
			JP_DMA_LATENCY_NONE - 1);
	enum jp_status status = jp_tree_open(sysroot, &tree, why);
	if (status != JP_OK)
		return status;
	int fd = jp_tree_fd(tree, DEVICE, O_RDWR);
	status = fd < 0 ? jp_status_from_errno(errno) : request(fd, us);
	jp_tree_close(tree);
	struct jp_dma_latency *held = status == JP_OK ? malloc(sizeof *held) : NULL;
	if (held) {
		held->fd = fd;
		*out = held;
		return JP_OK;
	}
	if (fd >= 0)
		close(fd);
	if (status == JP_OK)
		return jp_why_set(why, JP_NO_MEM, "out of memory while holding " DEVICE);
	return jp_dma_latency_why(status, why);
}

void jp_dma_latency_release(struct jp_dma_latency *held)
{
	if (!held)
		return;
	close(held->fd);
	free(held);
}
