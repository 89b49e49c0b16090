/** @file names.h
 * Stands in for the name service: the names below lead where a test wants, all others go to the real getaddrinfo. */
#ifndef JP_TEST_NAMES_H
#define JP_TEST_NAMES_H

/* both.test       an IPv6 address (127.0.0.3 in disguise) where nobody listens, then 127.0.0.1
 * nosuch.invalid  not known
 * late.test       not known the first time it is asked for, then 127.0.0.1
 * hang.test       no answer until names_release() */

/** Let the look-ups of hang.test go on: they fail. */
void names_release(void);
/** Wait until a look-up of hang.test is under way, or has ended. */
void names_wait_hanging(void);
void names_wait_released(void);

#endif
