/* `hypha run`: values of vertices that an algorithm starts from. */
#include "cli/run.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

struct values {
    const struct run *R;
    size_t width;
    double *to;
    uint64_t line;
};

static _Noreturn void die_line(const struct values *S, const char *what,
                               const char *text, size_t n)
{
    const char *const path = S->R->o->input;
    fflush(stdout);
    fprintf(stderr, "%s:%llu: %s", strcmp(path, "-") ? path : "standard input",
            (unsigned long long)S->line, what);
    if (text)
        fprintf(stderr, " `%.*s`", (int)(n < 64 ? n : 64), text);
    fputc('\n', stderr);
    exit(CLI_BAD_INPUT);
}

/* The next word of the line at *at; its length, 0 at the end. */
static size_t next_word(const char **at)
{
    *at += strspn(*at, " \t,\r\n");
    return strcspn(*at, " \t,\r\n");
}

static void read_line(const struct values *S, const char *at)
{
    size_t n = next_word(&at);
    if (!n || *at == '#' || *at == '%')
        return;
    const hy_vid u = run_find(S->R, at, n);
    if (u == HY_NONE)
        die_line(S, "the graph has no vertex", at, n);
    at += n;
    for (size_t i = 0; i < S->width; i++, at += n) {
        n = next_word(&at);
        if (!n)
            die_line(S, "a value is missing", NULL, 0);
        char *end = NULL;
        const double x = strtod(at, &end);
        if (end != at + n || !isfinite(x))
            die_line(S, "no number:", at, n);
        S->to[u * S->width + i] = x;
    }
    if (next_word(&at))
        die_line(S, "one value too many:", at, next_word(&at));
}

void run_read_values(const struct run *R, size_t width, double *to)
{
    struct values S = { .R = R, .width = width, .to = to };
    const char *const path = R->o->input;
    FILE *const from = strcmp(path, "-") ? fopen(path, "r") : stdin;
    if (!from)
        cli_die(CLI_FAILED, "cannot read %s: %s", path, strerror(errno));
    char *line = NULL;
    size_t room = 0;
    while (getline(&line, &room, from) >= 0) {
        S.line++;
        read_line(&S, line);
    }
    const bool whole = !ferror(from);
    free(line);
    if (from != stdin)
        (void)fclose(from);
    if (!whole)
        cli_die(CLI_FAILED, "cannot read %s", path);
}
