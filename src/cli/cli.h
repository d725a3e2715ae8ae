/* What the commands share: dying with a message, memory, options. */
#ifndef CLI_CLI_H
#define CLI_CLI_H

#include <hypha/hypha.h>

#if defined(__GNUC__)
#define CLI_PRINTF(text, first) __attribute__((format(printf, text, first)))
#else
#define CLI_PRINTF(text, first)
#endif

enum { CLI_OK = 0, CLI_FAILED = 1, CLI_USAGE = 2 };

/* Says `hypha: ...` on standard error and exits with `code`. */
_Noreturn void cli_die(int code, const char *format, ...) CLI_PRINTF(2, 3);

/* Dies, naming what was tried, unless the status is HY_OK. */
void cli_must(hy_status status, const char *what);

/* n * size bytes, not zeroed; dies if there are none. */
void *cli_alloc(size_t n, size_t size);
void *cli_alloc_zeroed(size_t n, size_t size);
void cli_free(void *p);

/* A context of `threads` threads, 0: one per core. */
hy_ctx *cli_ctx(uint64_t threads);

/* ---- options ----------------------------------------------------------- */

/* Exactly one of flag, number, text is set: where the value goes. */
struct cli_option {
    const char *name;  /* with its dashes */
    const char *value; /* what the help calls the value; NULL for a flag */
    const char *help;
    bool *flag;
    uint64_t *number;
    uint64_t least, most; /* of the number */
    const char **text;
};

struct cli_option cli_flag(const char *name, bool *to, const char *help);
struct cli_option cli_text(const char *name, const char *value, const char **to,
                           const char *help);
struct cli_option cli_number(const char *name, uint64_t least, uint64_t most,
                             uint64_t *to, const char *help);

struct cli_syntax {
    const char *command; /* as typed, to be named in hints */
    const struct cli_option *options;
    size_t n_options;
    size_t most_words; /* of arguments that are no options */
};

/* Reads `--name value`, `--name=value` and words, in any order, and returns
 * the number of words.  Dies with a hint on anything else. */
size_t cli_parse(const struct cli_syntax *syntax, int argc, char **argv,
                 const char **words);

/* Prints one line for each option. */
void cli_print_options(const struct cli_syntax *syntax);

/* ---- commands ---------------------------------------------------------- */

/* argv[0] is the command's name; the result is an exit code. */
typedef int cli_command(int argc, char **argv);

cli_command cli_bench, cli_demo;

#endif
