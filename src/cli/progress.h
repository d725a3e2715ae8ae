/* Progress on a terminal, and being interrupted. */
#ifndef CLI_PROGRESS_H
#define CLI_PROGRESS_H

#include <stdbool.h>
#include <stdint.h>

/* From now on SIGINT and SIGTERM are noted once, to be looked at where work
 * can end cleanly; the second one kills. */
void cli_catch_signals(void);

/* While `true`, a signal ends the program at once: for work that waits for
 * others and has nothing to clean up. */
void cli_signals_kill(bool at_once);

/* Whether one came. */
bool cli_stopped(void);

/* Ends the program as a signal would have, with 128 + its number. */
_Noreturn void cli_stop(void);

/* Ends the program if a signal came. */
void cli_stop_if_asked(void);

/* One piece of long work; the `user` of cli_progress_tick. */
struct cli_progress {
    const char *verb, *name; /* "reading", "x.el" */
    const char *unit;        /* of what is counted: "B", "edges" */
    bool on;                 /* standard error is a terminal */
    double start, last;      /* by hy_clock; last: when it was shown */
};

struct cli_progress cli_progress_of(const char *verb, const char *name,
                                    const char *unit, bool quiet);

/* A hy_progress: shows a line after a second, ten times a second, and is
 * false once a signal came. */
bool cli_progress_tick(void *user, uint64_t done, uint64_t total);

/* Takes the line away, if there is one. */
void cli_progress_clear(void);

#endif
