/* Progress on a terminal, and being interrupted. */
#include "cli/progress.h"

#include "cli/cli.h"
#include "cli/report.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* The one signal that came, 0: none.  A handler can reach nothing else. */
static volatile sig_atomic_t signal_seen;

/* Whether a line of progress stands on the terminal.  There is one terminal,
 * and whoever dies must find it clean. */
static bool line_stands;

static void note_signal(int number)
{
    signal_seen = number;
}

void cli_catch_signals(void)
{
    struct sigaction action;
    memset(&action, 0, sizeof action);
    action.sa_handler = note_signal;
    /* SA_RESETHAND: the second one kills.  No SA_RESTART: a read from a pipe
     * that nobody fills ends too. */
    action.sa_flags = (int)SA_RESETHAND;
    sigemptyset(&action.sa_mask);
    struct sigaction before;
    /* What a shell started in the background ignores SIGINT, and so do we. */
    if (!sigaction(SIGINT, NULL, &before) && before.sa_handler != SIG_IGN)
        (void)sigaction(SIGINT, &action, NULL);
    (void)sigaction(SIGTERM, &action, NULL);
    /* `| head` ends us quietly, whatever our parent did to SIGPIPE. */
    (void)signal(SIGPIPE, SIG_DFL);
}

bool cli_stopped(void)
{
    return signal_seen != 0;
}

_Noreturn void cli_stop(void)
{
    fflush(stdout);
    cli_progress_clear();
    exit(128 + (signal_seen ? (int)signal_seen : SIGINT));
}

void cli_stop_if_asked(void)
{
    if (cli_stopped())
        cli_stop();
}

struct cli_progress cli_progress_of(const char *verb, const char *name,
                                    const char *unit, bool quiet)
{
    return (struct cli_progress){ .verb = verb,
                                  .name = name,
                                  .unit = unit,
                                  .on = !quiet && isatty(STDERR_FILENO),
                                  .start = hy_clock() };
}

void cli_progress_clear(void)
{
    if (line_stands)
        fputs("\r\033[K", stderr);
    line_stands = false;
}

static void show(const struct cli_progress *P, double now, uint64_t done,
                 uint64_t total)
{
    const double s = now - P->start;
    const double rate = (double)done / s;
    char text[REPORT_TEXT];
    cli_progress_clear();
    line_stands = true;
    fprintf(stderr, "%s %s: ", P->verb, P->name);
    if (total)
        fprintf(stderr, "%.0f %%  ",
                100.0 * (double)(done < total ? done : total) / (double)total);
    else
        fprintf(stderr, "%s%s  ", report_si((double)done, text), P->unit);
    fprintf(stderr, "%s%s/s", report_si(rate, text), P->unit);
    if (total && done)
        fprintf(stderr, "  %.0f s left",
                done < total ? (double)(total - done) / rate : 0.0);
    fflush(stderr);
}

bool cli_progress_tick(void *user, uint64_t done, uint64_t total)
{
    struct cli_progress *const P = user;
    const double now = hy_clock();
    if (P->on && now - P->start > 1 && now - P->last > 0.1) {
        P->last = now;
        show(P, now, done, total);
    }
    return !cli_stopped();
}
