/** @file dma_latency.h
 * The limit on the CPUs' wake-up latency, /dev/cpu_dma_latency (pm_qos): how long a sleeping CPU may take to wake up. The
 * kernel keeps the least of all requests; a request lasts as long as the descriptor that wrote it is open.
 * Thread: any, one at a time. Not RT safe. */
#ifndef JP_DMA_LATENCY_H
#define JP_DMA_LATENCY_H

#include "sys/tree.h"

#include <jackprobe/status.h>
#include <stddef.h>
#include <stdint.h>

/** What the kernel says when nobody asks for a limit. */
enum { JP_DMA_LATENCY_NONE = 2000000000 };

/** Our own request. Opaque. */
struct jp_dma_latency;

/** Ask for a limit and hold it.
 * @param sysroot as of --sysroot: "" or NULL is the machine. @param us 0 is allowed (CPUs poll instead of sleeping).
 * Errors: JP_BAD_ARG (negative, or JP_DMA_LATENCY_NONE and above), JP_DENIED, JP_MISSING, JP_IO, JP_NO_MEM, with the remedy. The caller owns the result. */
enum jp_status jp_dma_latency_hold(const char *sysroot, int32_t us, struct jp_dma_latency **out, struct jp_why *why);
/** Let go. NULL is allowed. */
void jp_dma_latency_release(struct jp_dma_latency *held);

/** Read the limit in force, of all requests together, in us. @return JP_DENIED, JP_MISSING, JP_IO, JP_BAD_DATA. */
enum jp_status jp_dma_latency_read(const struct jp_tree *tree, int32_t *us);
/** What the device gave: four bytes of an int32, or (a copied tree) a decimal number as text. Pure. @return JP_BAD_DATA also when negative. */
enum jp_status jp_dma_latency_parse(const char *bytes, size_t n, int32_t *us);
/** The sentence for a failed read or hold. */
enum jp_status jp_dma_latency_why(enum jp_status status, struct jp_why *why);

#endif
