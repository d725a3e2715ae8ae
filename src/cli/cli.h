/* What the commands share: dying with a message, memory, options. */
#ifndef CLI_CLI_H
#define CLI_CLI_H

#include <hypha/hypha.h>

#if defined(__GNUC__)
#define CLI_PRINTF(text, first) __attribute__((format(printf, text, first)))
#else
#define CLI_PRINTF(text, first)
#endif

enum { CLI_OK = 0, CLI_FAILED = 1, CLI_USAGE = 2, CLI_BAD_INPUT = 3 };

/* Says `hypha: ...` on standard error and exits with `code`. */
_Noreturn void cli_die(int code, const char *format, ...) CLI_PRINTF(2, 3);

/* Says `hypha: ...` on standard error. */
void cli_note(const char *format, ...) CLI_PRINTF(1, 2);

/* Dies, naming what was tried, unless the status is HY_OK. */
void cli_must(hy_status status, const char *what);

/* n * size bytes, not zeroed; dies if there are none. */
void *cli_alloc(size_t n, size_t size);
void *cli_alloc_zeroed(size_t n, size_t size);
void cli_free(void *p);

/* A context of `threads` threads, 0: one per core. */
hy_ctx *cli_ctx(uint64_t threads);

/* Flushes standard output, and dies if it could not be written. */
void cli_flush(void);

/* ---- options ----------------------------------------------------------- */

/* Values of an option that may come more than once, in their order. */
enum { CLI_TEXTS = 32 };
struct cli_texts {
    const char *at[CLI_TEXTS];
    size_t n;
};

/* Exactly one of flag, number, size, real, text, texts is set: where the value
 * goes. */
struct cli_option {
    const char *name;  /* with its dashes */
    const char *value; /* what the help calls the value; NULL for a flag */
    const char *help;
    bool *flag;
    uint64_t *number;
    uint64_t least, most; /* of the number */
    uint64_t *size;       /* bytes: 512M, 2G, 1.5GiB */
    double *real;
    double low, high; /* it is above the one, and at most the other */
    const char **text;
    struct cli_texts *texts;
    char letter; /* `-o` is the same; 0: none */
};

struct cli_option cli_flag(const char *name, bool *to, const char *help);
struct cli_option cli_text(const char *name, const char *value, const char **to,
                           const char *help);
struct cli_option cli_texts(const char *name, const char *value,
                            struct cli_texts *to, const char *help);
struct cli_option cli_number(const char *name, uint64_t least, uint64_t most,
                             uint64_t *to, const char *help);
struct cli_option cli_size(const char *name, uint64_t *to, const char *help);
struct cli_option cli_real(const char *name, double low, double high,
                           double *to, const char *help);

/* The same option, which `-letter` stands for too. */
struct cli_option cli_short(char letter, struct cli_option o);

/* Options that mean the same in every command that has them. */
enum {
    CLI_HAS_GRAPH = 1,   /* --from --directed --undirected --weighted
                          * --no-weights --ids --skip-bad --verify */
    CLI_HAS_JSON = 2,    /* --json */
    CLI_HAS_WORK = 4,    /* --threads --quiet */
    CLI_HAS_MEMORY = 8,  /* --memory */
    CLI_HAS_OUTPUT = 16, /* -o */
    CLI_HAS_DEVICE = 32  /* --device */
};

struct cli_common {
    unsigned has; /* of the above, set by the command */
    const char *from, *ids, *device, *output;
    bool directed, undirected, weighted, no_weights, skip_bad, verify;
    bool json, quiet;
    uint64_t threads, memory;
};

/* The device that --device asks for; NULL for the host, which needs none.
 * Dies if there is none of that name. */
hy_device *cli_device(hy_ctx *ctx, const struct cli_common *common);

/* Opens the device of that name, or dies. */
hy_device *cli_device_open(hy_ctx *ctx, const char *name);

/* The folder where built kernels are kept; NULL: nowhere.  Where no home can
 * be written, it is one for temporary files, and PoCL is told to use it:
 * otherwise it would hide its device. */
const char *cli_cache(void);

struct cli_syntax {
    const char *command; /* as typed, to be named in hints */
    const char *args;    /* of the usage line: "IN OUT" */
    const char *about;   /* what it does, lines for the help */
    const char *more;    /* after the options: examples */
    void (*tail)(void);  /* prints what follows these; NULL: nothing */
    const struct cli_option *options;
    size_t n_options;
    struct cli_common *common;      /* NULL: none of these */
    size_t least_words, most_words; /* of arguments that are no options */
};

/* Reads `--name value`, `--name=value`, `-x value` and words, in any order,
 * up to `--`, after which all are words, and returns the number of words.
 * `--help` and `--version` are known everywhere and end the program.  Dies
 * with a hint on anything else. */
size_t cli_parse(const struct cli_syntax *syntax, int argc, char **argv,
                 const char **words);

/* Where the first word of argv is that is no option and no option's value;
 * argc if there is none. */
int cli_first_word(const struct cli_syntax *syntax, int argc, char **argv);

/* Prints one line for each option. */
void cli_print_options(const struct cli_syntax *syntax);

/* Dies of a word that is none of n names: "no format `mxt`; did you mean
 * `mtx`?", or, if no name is near, "...; try `hypha HELP`". */
_Noreturn void cli_die_unknown(const char *what, const char *word,
                               const char *const *names, size_t n,
                               const char *help);

/* ---- commands ---------------------------------------------------------- */

/* argv[0] is the command's name; the result is an exit code. */
typedef int cli_command(int argc, char **argv);

cli_command cli_bench, cli_convert, cli_demo, cli_devices, cli_gen, cli_info,
    cli_run, cli_stream;

/* Lists what can be read and written. */
int cli_help_formats(void);

#endif
