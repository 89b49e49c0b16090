/* Counts and fails allocations. */
#include "alloc.h"

#include <errno.h>
#include <stddef.h>

static _Thread_local uint64_t count;

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)

/* From the sanitizers' allocator_interface.h, which gcc does not install. */
int __sanitizer_install_malloc_and_free_hooks(
	void (*malloc_hook)(const volatile void *, size_t), void (*free_hook)(const volatile void *));

static void count_malloc(const volatile void *pointer, size_t size)
{
	(void)pointer;
	(void)size;
	count++;
}

static void ignore_free(const volatile void *pointer)
{
	(void)pointer;
}

uint64_t alloc_count(void)
{
	static bool installed;
	if (!installed)
		installed = __sanitizer_install_malloc_and_free_hooks(count_malloc, ignore_free) > 0;
	return count;
}

void alloc_fail(bool fail)
{
	(void)fail;
}

void alloc_fail_nth(uint64_t n)
{
	(void)n;
}

bool alloc_nth_failed(void)
{
	return false;
}

bool alloc_can_fail(void)
{
	return false;
}

#else

void *__libc_malloc(size_t size);
void *__libc_calloc(size_t n, size_t size);
void *__libc_realloc(void *pointer, size_t size);
void *malloc(size_t size);
void *calloc(size_t n, size_t size);
void *realloc(void *pointer, size_t size);

extern const char __executable_start[], etext[];

static _Thread_local bool all_fail, nth_failed;
static _Thread_local uint64_t until_failure;

static bool must_fail(const char *caller)
{
	bool own = caller >= __executable_start && caller < etext;
	count++;
	nth_failed |= own && until_failure == 1;
	bool fail = all_fail || (own && until_failure == 1);
	if (own && until_failure)
		until_failure--;
	if (fail)
		errno = ENOMEM;
	return fail;
}

void *malloc(size_t size)
{
	return must_fail(__builtin_return_address(0)) ? NULL : __libc_malloc(size);
}

void *calloc(size_t n, size_t size)
{
	return must_fail(__builtin_return_address(0)) ? NULL : __libc_calloc(n, size);
}

void *realloc(void *pointer, size_t size)
{
	return must_fail(__builtin_return_address(0)) ? NULL : __libc_realloc(pointer, size);
}

uint64_t alloc_count(void)
{
	return count;
}

void alloc_fail(bool fail)
{
	all_fail = fail;
}

void alloc_fail_nth(uint64_t n)
{
	until_failure = n;
	nth_failed = false;
}

bool alloc_nth_failed(void)
{
	return nth_failed;
}

bool alloc_can_fail(void)
{
	return true;
}

#endif
