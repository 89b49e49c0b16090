/** @file message.h
 * What libjack would print: kept instead, so that a server that comes and goes does not fill the terminal. */
#ifndef JP_MESSAGE_H
#define JP_MESSAGE_H

#include <stdbool.h>
#include <stddef.h>

/** Take libjack's messages over, for the rest of the process's life. Thread: any. */
void jp_messages_catch(void);

/** The first error message since the last call: what follows it is mostly its consequence. @return false when there was none. Thread: any. */
bool jp_messages_take(char *out, size_t size);

#endif
