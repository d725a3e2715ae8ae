/* Dying with a message, memory, options. */
#include "cli/cli.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

_Noreturn void cli_die(int code, const char *format, ...)
{
    fflush(stdout);
    fputs("hypha: ", stderr);
    va_list args;
    va_start(args, format);
    vfprintf(stderr, format, args);
    va_end(args);
    fputc('\n', stderr);
    exit(code);
}

void cli_must(hy_status status, const char *what)
{
    if (status == HY_OK)
        return;
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

/* ---- options ----------------------------------------------------------- */

struct cli_option cli_flag(const char *name, bool *to, const char *help)
{
    return (struct cli_option){ .name = name, .help = help, .flag = to };
}

struct cli_option cli_text(const char *name, const char *value, const char **to,
                           const char *help)
{
    return (struct cli_option){
        .name = name, .value = value, .help = help, .text = to
    };
}

struct cli_option cli_number(const char *name, uint64_t least, uint64_t most,
                             uint64_t *to, const char *help)
{
    return (struct cli_option){ .name = name,
                                .value = "N",
                                .help = help,
                                .number = to,
                                .least = least,
                                .most = most };
}

static void read_number(const struct cli_syntax *syntax,
                        const struct cli_option *o, const char *text)
{
    uint64_t x = 0;
    bool good = *text != '\0';
    for (const char *c = text; good && *c; c++) {
        const uint64_t digit = (uint64_t)(*c - '0');
        good = *c >= '0' && *c <= '9' && x <= (UINT64_MAX - digit) / 10;
        if (good)
            x = x * 10 + digit;
    }
    if (!good || x < o->least || x > o->most)
        cli_die(CLI_USAGE,
                "`%s` takes a number from %llu to %llu, not `%s`; "
                "try `hypha %s --help`",
                o->name, (unsigned long long)o->least,
                (unsigned long long)o->most, text, syntax->command);
    *o->number = x;
}

/* The option that `arg` names; *value is what follows its `=`, or NULL. */
static const struct cli_option *find_option(const struct cli_syntax *syntax,
                                            const char *arg, const char **value)
{
    const char *const equals = strchr(arg, '=');
    const size_t length = equals ? (size_t)(equals - arg) : strlen(arg);
    *value = equals ? equals + 1 : NULL;
    for (size_t i = 0; i < syntax->n_options; i++) {
        const struct cli_option *const o = &syntax->options[i];
        if (strlen(o->name) == length && !memcmp(o->name, arg, length))
            return o;
    }
    cli_die(CLI_USAGE, "unknown option `%s`; try `hypha %s --help`", arg,
            syntax->command);
}

/* Reads the option at argv[i]; returns where its last word is. */
static int read_option(const struct cli_syntax *syntax, int argc, char **argv,
                       int i)
{
    const char *value;
    const struct cli_option *const o = find_option(syntax, argv[i], &value);
    if (o->flag) {
        if (value)
            cli_die(CLI_USAGE, "`%s` takes no value; try `hypha %s --help`",
                    o->name, syntax->command);
        *o->flag = true;
        return i;
    }
    if (!value) {
        if (++i == argc)
            cli_die(CLI_USAGE, "`%s` needs a value; try `hypha %s --help`",
                    o->name, syntax->command);
        value = argv[i];
    }
    if (o->number)
        read_number(syntax, o, value);
    else
        *o->text = value;
    return i;
}

size_t cli_parse(const struct cli_syntax *syntax, int argc, char **argv,
                 const char **words)
{
    size_t n = 0;
    for (int i = 1; i < argc; i++) {
        if (argv[i][0] == '-' && argv[i][1] != '\0')
            i = read_option(syntax, argc, argv, i);
        else if (n < syntax->most_words)
            words[n++] = argv[i];
        else
            cli_die(CLI_USAGE,
                    "`%s` is one word too many; "
                    "try `hypha %s --help`",
                    argv[i], syntax->command);
    }
    return n;
}

void cli_print_options(const struct cli_syntax *syntax)
{
    for (size_t i = 0; i < syntax->n_options; i++) {
        const struct cli_option *const o = &syntax->options[i];
        char left[40];
        snprintf(left, sizeof left, "%s%s%s", o->name, o->value ? " " : "",
                 o->value ? o->value : "");
        printf("  %-20s  %s\n", left, o->help);
    }
}
