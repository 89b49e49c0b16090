/** @file signals.h
 * Signals that must not reach a program with callbacks in a graph. */
#ifndef JP_SIGNALS_H
#define JP_SIGNALS_H

/** Ignore SIGTSTP, SIGTTIN and SIGTTOU: a stopped head stops the whole graph. Thread: main, before others start. */
void jp_signals_ignore_stops(void);

#endif
