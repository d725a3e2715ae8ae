/* `hypha bench device`: how long a process takes that asks a device one thing.
 *
 * The process is this program, `hypha run`, with a small graph as its input.
 * It is run with an empty folder as the cache of the driver, which has to
 * build the kernels then, and again with what is in that folder now. */
#include "cli/bench_device.h"

#include <fcntl.h>
#include <ftw.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

enum { N = 512, MOST_ARGS = 16, PATH = 4096 };

const char *const device_start_names[] = { "start", NULL };

struct start {
    const struct device_bed *B;
    FILE *graph;      /* a list of edges */
    char cache[PATH]; /* a folder */
};

/* ---- the folder ---------------------------------------------------------- */

static int remove_one(const char *path, const struct stat *what, int kind,
                      struct FTW *where)
{
    (void)what;
    (void)kind;
    (void)where;
    return remove(path);
}

static void folder_new(struct start *S)
{
    const char *const env = getenv("TMPDIR"), *const asked = S->B->b.opts->dir;
    const char *const dir = asked ? asked : env && *env ? env : "/tmp";
    const int n =
        snprintf(S->cache, sizeof S->cache, "%s/hypha-bench-XXXXXX", dir);
    if (n < 0 || (size_t)n >= sizeof S->cache || !mkdtemp(S->cache))
        cli_die(CLI_FAILED, "no folder can be made in %s", dir);
    /* where PoCL, and drivers that follow XDG, keep what they built */
    if (setenv("POCL_CACHE_DIR", S->cache, 1) ||
        setenv("XDG_CACHE_HOME", S->cache, 1))
        cli_die(CLI_FAILED, "out of memory");
}

static void folder_free(struct start *S)
{
    enum { FILES = 16 };
    (void)nftw(S->cache, remove_one, FILES, FTW_DEPTH | FTW_PHYS);
}

/* ---- the process --------------------------------------------------------- */

/* A ring with chords. */
static void write_graph(FILE *to)
{
    for (unsigned u = 0; u < N; u++)
        fprintf(to, "%u %u\n%u %u\n", u, (u + 1) % N, u, u * 7 % N);
    (void)fflush(to);
}

/* Seconds; negative if it did not succeed. */
static double run_once(const struct start *S, const char *algorithm)
{
    const char *const args[] = { "hypha",     "run", algorithm,  "-",
                                 "--from",    "el",  "--device", S->B->name,
                                 "--source",  "0",   "--quiet",  "-o",
                                 "/dev/null", NULL };
    const bool has_source =
        !strcmp(algorithm, "bfs") || !strcmp(algorithm, "sssp");
    char *argv[MOST_ARGS];
    size_t n = 0;
    for (size_t i = 0; args[i]; i++)
        if (has_source || (strcmp(args[i], "--source") && strcmp(args[i], "0")))
            argv[n++] = (char *)args[i]; /* which spawn does not write */
    argv[n] = NULL;
    posix_spawn_file_actions_t actions;
    pid_t child = 0;
    int state = 0;
    rewind(S->graph);
    if (posix_spawn_file_actions_init(&actions))
        return -1;
    const double start = hy_clock();
    bool went =
        !lseek(fileno(S->graph), 0, SEEK_SET) &&
        !posix_spawn_file_actions_adddup2(&actions, fileno(S->graph),
                                          STDIN_FILENO) &&
        !posix_spawn(&child, "/proc/self/exe", &actions, NULL, argv, environ);
    went = went && waitpid(child, &state, 0) == child && state == 0;
    const double s = hy_clock() - start;
    (void)posix_spawn_file_actions_destroy(&actions);
    return went ? s : -1;
}

static void measure(struct start *S, const char *algorithm)
{
    const struct bench *const b = &S->B->b;
    struct report_times warm = { .n = 0 };
    folder_new(S);
    const double cold = run_once(S, algorithm);
    for (uint64_t t = 0; t < b->opts->trials; t++)
        report_time(&warm, run_once(S, algorithm));
    folder_free(S);
    struct report_row row = report_row_of("ring512", "start");
    report_row_times(&row, &warm, NULL, 0);
    report_row_text(&row, "algorithm", algorithm);
    row.ratio = row.median_s / cold;
    report_row_number(&row, "cold_s", cold);
    row.verified = cold > 0;
    for (size_t i = 0; i < warm.n; i++)
        row.verified &= warm.s[i] > 0;
    report_print(b->report, &row);
}

void device_start_cases(const struct device_bed *B)
{
    if (!device_wants(B, "start"))
        return;
    struct start S = { .B = B, .graph = tmpfile() };
    if (!S.graph)
        cli_die(CLI_FAILED, "no file can be made");
    write_graph(S.graph);
    for (size_t i = 0; device_ask_names[i]; i++)
        measure(&S, device_ask_names[i]);
    (void)fclose(S.graph);
}
