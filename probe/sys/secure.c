/* Was pw-jack ignored? */
#include "secure.h"

#include <stdint.h>
#include <string.h>
#include <sys/auxv.h>

bool jp_secure_pw_jack(const char *variables, size_t size)
{
	static const char name[] = "LD_LIBRARY_PATH=";
	for (size_t at = 0; at < size; at += strnlen(variables + at, size - at) + 1) {
		const char *variable = variables + at;
		size_t length = strnlen(variable, size - at);
		if (length >= sizeof name - 1 && !memcmp(variable, name, sizeof name - 1))
			return memmem(variable, length, "/pipewire", strlen("/pipewire")) != NULL;
	}
	return false;
}

/* The linker has taken the variable out of environ, but its text still stands where the kernel put it: between the last word
 * of the command line and the name of the program's file. */
enum jp_status jp_secure_check(const char *last_word, const char *libjack, struct jp_why *why)
{
	const char *variables = last_word + strlen(last_word) + 1;
	uintptr_t end = getauxval(AT_EXECFN);
	if (!getauxval(AT_SECURE) || (libjack && strstr(libjack, "PipeWire")) || end <= (uintptr_t)variables ||
		!jp_secure_pw_jack(variables, end - (uintptr_t)variables))
		return JP_OK;
	return jp_why_set(why, JP_UNSUPPORTED,
		"pw-jack has no effect on a program that has file capabilities or set-ID bits; take them off this one "
		"(setcap -r) and set kernel.perf_event_paranoid to 0 for energy and frequency");
}
