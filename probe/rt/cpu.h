/** @file cpu.h
 * Which CPU a callback runs on. */
#ifndef JP_CPU_H
#define JP_CPU_H

#include <features.h>
#include <sched.h>
#include <stdint.h>
#ifdef __GLIBC_PREREQ
#if __GLIBC_PREREQ(2, 35)
#include <sys/rseq.h>
#endif
#endif

/** Number of the CPU; -1 = unknown. Straight from where the kernel leaves it for glibc >= 2.35, which saves a call into code
 * that has to come from memory after every wake-up. Thread: any. RT safe. */
static inline int16_t jp_cpu_now(void)
{
#ifdef RSEQ_SIG
	const char *area = (const char *)__builtin_thread_pointer() + __rseq_offset;
	int32_t cpu = (int32_t)__atomic_load_n(&((const struct rseq *)(const void *)area)->cpu_id, __ATOMIC_RELAXED);
	if (cpu >= 0) /* else there is no such area */
		return (int16_t)cpu;
#endif
	return (int16_t)sched_getcpu();
}

#endif
