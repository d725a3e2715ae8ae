/* Dying with a message, memory, contexts. */
#include "cli/cli.h"

#include "cli/progress.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void say(const char *format, va_list args)
{
    cli_progress_clear();
    fputs("hypha: ", stderr);
    vfprintf(stderr, format, args);
    fputc('\n', stderr);
}

_Noreturn void cli_die(int code, const char *format, ...)
{
    fflush(stdout);
    va_list args;
    va_start(args, format);
    say(format, args);
    va_end(args);
    exit(code);
}

void cli_note(const char *format, ...)
{
    va_list args;
    va_start(args, format);
    say(format, args);
    va_end(args);
}

void cli_must(hy_status status, const char *what)
{
    if (status == HY_OK)
        return;
    if (status == HY_ESTOPPED)
        cli_stop();
    const char *const details = hy_error_text();
    cli_die(CLI_FAILED, "%s: %s%s%s", what, hy_status_text(status),
            details[0] ? ": " : "", details);
}

void *cli_alloc(size_t n, size_t size)
{
    if (size && n > SIZE_MAX / size)
        cli_die(CLI_FAILED, "out of memory");
    void *const p = malloc(n && size ? n * size : 1);
    if (!p)
        cli_die(CLI_FAILED, "out of memory: %zu bytes", n * size);
    return p;
}

void *cli_alloc_zeroed(size_t n, size_t size)
{
    void *const p = calloc(n ? n : 1, size ? size : 1);
    if (!p)
        cli_die(CLI_FAILED, "out of memory");
    return p;
}

void cli_free(void *p)
{
    free(p);
}

hy_ctx *cli_ctx(uint64_t threads)
{
    const hy_ctx_opts opts = { .threads = (uint32_t)threads };
    hy_ctx *ctx = NULL;
    cli_must(hy_ctx_new(&opts, &ctx), "starting threads");
    return ctx;
}

void cli_flush(void)
{
    errno = 0;
    if (fflush(stdout) != 0 || ferror(stdout))
        cli_die(CLI_FAILED, "cannot write to standard output%s%s",
                errno ? ": " : "", errno ? strerror(errno) : "");
}
