/** @file attributes.h
 * Marks on functions. */
#ifndef JACKPROBE_ATTRIBUTES_H
#define JACKPROBE_ATTRIBUTES_H

/** The function may run in a JACK process callback: it neither allocates, locks, blocks, faults nor enters the kernel.
 * Stands on the declaration and on the definition. Checked by `make check-rt`, which
 * holds the objects of probe/rt/ against a list of allowed symbols. clang >= 20 knows the mark, too (-Wfunction-effects). */
#if defined(__clang__) && __clang_major__ >= 20 && !defined(__cplusplus)
#define JP_RT __attribute__((nonblocking))
#else
#define JP_RT
#endif

/** printf-like: argument FMT is the format, its values start at argument FIRST. */
#define JP_PRINTF(FMT, FIRST) __attribute__((format(printf, FMT, FIRST)))

#ifdef __cplusplus
#define JP_BEGIN_DECLS extern "C" {
#define JP_END_DECLS }
#else
#define JP_BEGIN_DECLS
#define JP_END_DECLS
#endif

#endif
