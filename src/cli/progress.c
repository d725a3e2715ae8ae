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
static volatile sig_atomic_t line_stands;

static volatile sig_atomic_t kills_at_once;

static const char clear_line[] = "\r\033[K";

static void note_signal(int number)
{
    signal_seen = number;
    if (!kills_at_once)
        return;
    if (line_stands && write(STDERR_FILENO, clear_line, sizeof clear_line - 1))
        line_stands = 0; /* whether it worked does not matter any more */
    _exit(128 + number);
}

void cli_signals_kill(bool at_once)
{
    kills_at_once = at_once;
    cli_stop_if_asked();
}

void cli_catch_signals(void)
{
    struct sigaction action;
    memset(&action, 0, sizeof action);
    action.sa_handler = note_signal;
    /* The second one kills. */
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
        fputs(clear_line, stderr);
    line_stands = 0;
}

static void show(const struct cli_progress *P, double now, uint64_t done,
                 uint64_t total)
{
    const double s = now - P->start;
    const double rate = (double)done / s;
    char text[REPORT_TEXT];
    cli_progress_clear();
    line_stands = 1;
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
