/* Options: what there are, how they are read, how the help shows them. */
#include "cli/cli.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

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

struct cli_option cli_texts(const char *name, const char *value,
                            struct cli_texts *to, const char *help)
{
    return (struct cli_option){
        .name = name, .value = value, .help = help, .texts = to
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

struct cli_option cli_size(const char *name, uint64_t *to, const char *help)
{
    return (struct cli_option){
        .name = name, .value = "SIZE", .help = help, .size = to
    };
}

struct cli_option cli_real(const char *name, double low, double high,
                           double *to, const char *help)
{
    return (struct cli_option){ .name = name,
                                .value = "X",
                                .help = help,
                                .real = to,
                                .low = low,
                                .high = high };
}

struct cli_option cli_short(char letter, struct cli_option o)
{
    o.letter = letter;
    return o;
}

/* ---- those of several commands ---------------------------------------- */

enum { MOST_OPTIONS = 64 };

struct list {
    struct cli_option at[MOST_OPTIONS];
    size_t n;
};

static void add(struct list *L, struct cli_option o)
{
    if (L->n < MOST_OPTIONS)
        L->at[L->n++] = o;
}

static void add_graph(struct list *L, struct cli_common *c)
{
    add(L, cli_text("--from", "FORMAT", &c->from,
                    "of the graph; default: by name, then by content"));
    add(L, cli_flag("--directed", &c->directed, "edges have a direction"));
    add(L, cli_flag("--undirected", &c->undirected,
                    "they have none; default: what the file says"));
    add(L,
        cli_flag("--weighted", &c->weighted, "every edge must have a weight"));
    add(L, cli_flag("--no-weights", &c->no_weights, "leave weights out"));
    add(L, cli_text("--ids", "KIND", &c->ids,
                    "integer or text; default: as the first line has them"));
    add(L, cli_flag("--skip-bad", &c->skip_bad,
                    "count bad lines and go on; default: end at the first"));
    add(L, cli_flag("--verify", &c->verify,
                    "check every byte of a large .hyg, not its frame alone"));
}

static void add_common(struct list *L, struct cli_common *c)
{
    if (c->has & CLI_HAS_GRAPH)
        add_graph(L, c);
    if (c->has & CLI_HAS_MEMORY)
        add(L, cli_size("--memory", &c->memory,
                        "take no more; 512M, 2G; default: what is free"));
    if (c->has & CLI_HAS_OUTPUT)
        add(L, cli_short('o', cli_text("--output", "FILE", &c->output,
                                       "write there; default: `-`, standard "
                                       "output")));
    if (c->has & CLI_HAS_JSON)
        add(L, cli_flag("--json", &c->json, "for programs; see docs/json.md"));
    if (c->has & CLI_HAS_DEVICE)
        add(L, cli_text("--device", "NAME", &c->device,
                        "compute there: host (default), auto, or one of "
                        "`hypha devices`"));
    if (c->has & CLI_HAS_WORK) {
        add(L, cli_number("--threads", 1, 1024, &c->threads,
                          "default: one per core"));
        add(L, cli_short('q', cli_flag("--quiet", &c->quiet,
                                       "no progress and no remarks")));
    }
}

static void check_common(const struct cli_syntax *syntax,
                         const struct cli_common *c)
{
    if (c->directed && c->undirected)
        cli_die(CLI_USAGE, "`--directed` and `--undirected` exclude each "
                           "other");
    if (c->weighted && c->no_weights)
        cli_die(CLI_USAGE, "`--weighted` and `--no-weights` exclude each "
                           "other");
    if (c->ids && strcmp(c->ids, "integer") != 0 && strcmp(c->ids, "text") != 0)
        cli_die(CLI_USAGE,
                "`--ids` takes integer or text, not `%s`; "
                "try `hypha %s --help`",
                c->ids, syntax->command);
}

/* ---- values ----------------------------------------------------------- */

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

/* Bytes of one unit: K and KiB are 1024, KB is 1000; 0: no such unit. */
static double unit_of(const char *text)
{
    static const char letters[] = "KMGTP";
    if (!*text || !strcasecmp(text, "B"))
        return 1;
    const char *const letter = strchr(letters, toupper((unsigned char)*text));
    if (!letter)
        return 0;
    const char *const rest = text + 1;
    const bool binary = !*rest || !strcasecmp(rest, "iB");
    if (!binary && strcasecmp(rest, "B") != 0)
        return 0;
    double unit = 1;
    for (const char *c = letters; c <= letter; c++)
        unit *= binary ? 1024 : 1000;
    return unit;
}

static void read_size(const struct cli_syntax *syntax,
                      const struct cli_option *o, const char *text)
{
    char *end = NULL;
    const bool digit = isdigit((unsigned char)*text) != 0;
    const double x = digit ? strtod(text, &end) : 0;
    const double bytes = digit ? x * unit_of(end) : 0;
    if (!(bytes >= 1 && bytes < 9e18))
        cli_die(CLI_USAGE,
                "`%s` takes a size as 512M or 2G, not `%s`; "
                "try `hypha %s --help`",
                o->name, text, syntax->command);
    *o->size = (uint64_t)bytes;
}

static void read_real(const struct cli_syntax *syntax,
                      const struct cli_option *o, const char *text)
{
    char *end = NULL;
    const double x = strtod(text, &end);
    char most[32] = "";
    if (isfinite(o->high))
        snprintf(most, sizeof most, " and up to %g", o->high);
    if (end == text || *end || !isfinite(x) || !(x > o->low && x <= o->high))
        cli_die(CLI_USAGE,
                "`%s` takes a number above %g%s, not `%s`; "
                "try `hypha %s --help`",
                o->name, o->low, most, text, syntax->command);
    *o->real = x;
}

/* ---- names ------------------------------------------------------------ */

/* Letters to insert, drop or change to make b of a (Levenshtein); words
 * longer than the row are as far as can be. */
static size_t distance(const char *a, const char *b)
{
    enum { ROW = 32 };
    size_t row[ROW];
    const size_t n = strlen(b);
    if (n >= ROW)
        return ROW;
    for (size_t j = 0; j <= n; j++)
        row[j] = j;
    for (size_t i = 1; a[i - 1]; i++) {
        size_t corner = row[0];
        row[0] = i;
        for (size_t j = 1; j <= n; j++) {
            const size_t change = corner + (a[i - 1] != b[j - 1]);
            const size_t other =
                1 + (row[j] < row[j - 1] ? row[j] : row[j - 1]);
            corner = row[j];
            row[j] = change < other ? change : other;
        }
    }
    return row[n];
}

static const char *nearest(const char *word, const char *const *names, size_t n)
{
    const char *near = NULL;
    size_t least = 3;
    for (size_t i = 0; i < n; i++) {
        const size_t d = distance(word, names[i]);
        if (d < least && d < strlen(names[i])) {
            near = names[i];
            least = d;
        }
    }
    return near;
}

_Noreturn void cli_die_unknown(const char *what, const char *word,
                               const char *const *names, size_t n,
                               const char *help)
{
    const char *const near = nearest(word, names, n);
    if (near)
        cli_die(CLI_USAGE, "%s `%s`; did you mean `%s`?", what, word, near);
    cli_die(CLI_USAGE, "%s `%s`; try `hypha %s`", what, word, help);
}

static _Noreturn void die_unknown(const struct cli_syntax *syntax,
                                  const char *arg, size_t length)
{
    const char *names[MOST_OPTIONS];
    char word[64], help[64];
    snprintf(word, sizeof word, "%.*s", (int)length, arg);
    snprintf(help, sizeof help, "%s --help", syntax->command);
    for (size_t i = 0; i < syntax->n_options; i++)
        names[i] = syntax->options[i].name;
    cli_die_unknown("unknown option", word, names, syntax->n_options, help);
}

/* The option that `arg` names; *value is what follows its `=` or its letter,
 * or NULL. */
static const struct cli_option *find_option(const struct cli_syntax *syntax,
                                            const char *arg, const char **value)
{
    const bool is_long = arg[1] == '-';
    const char *const equals = strchr(arg, '=');
    const size_t length = equals ? (size_t)(equals - arg) : strlen(arg);
    for (size_t i = 0; i < syntax->n_options; i++) {
        const struct cli_option *const o = &syntax->options[i];
        if (!is_long && o->letter == arg[1] && arg[1]) {
            *value = arg[2] ? arg + 2 : NULL;
            return o;
        }
        if (strlen(o->name) == length && !memcmp(o->name, arg, length)) {
            *value = equals ? equals + 1 : NULL;
            return o;
        }
    }
    die_unknown(syntax, arg, length);
}

/* ---- reading ---------------------------------------------------------- */

static void add_text(const struct cli_option *o, const char *text)
{
    if (o->texts->n == CLI_TEXTS)
        cli_die(CLI_USAGE, "`%s` comes more than %d times", o->name, CLI_TEXTS);
    o->texts->at[o->texts->n++] = text;
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
    else if (o->size)
        read_size(syntax, o, value);
    else if (o->real)
        read_real(syntax, o, value);
    else if (o->texts)
        add_text(o, value);
    else
        *o->text = value;
    return i;
}

static size_t read_all(const struct cli_syntax *syntax, int argc, char **argv,
                       const bool *ended, const char **words)
{
    size_t n = 0;
    bool options = true;
    for (int i = 1; i < argc && !*ended; i++) {
        if (options && !strcmp(argv[i], "--"))
            options = false;
        else if (options && argv[i][0] == '-' && argv[i][1] != '\0')
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

static void print_help(const struct cli_syntax *syntax)
{
    printf("usage: hypha %s%s%s [OPTION ...]\n\n%s\n\n", syntax->command,
           syntax->args ? " " : "", syntax->args ? syntax->args : "",
           syntax->about);
    cli_print_options(syntax);
    if (syntax->more)
        printf("\n%s\n", syntax->more);
    if (syntax->tail)
        syntax->tail();
}

static _Noreturn void end_with(const struct cli_syntax *syntax, bool version)
{
    if (version)
        printf("hypha %s\n", hy_version());
    else
        print_help(syntax);
    cli_flush();
    exit(CLI_OK);
}

/* All options of the command, in `all`. */
static struct cli_syntax whole_syntax(const struct cli_syntax *syntax,
                                      struct list *all, bool *help,
                                      bool *version)
{
    all->n = 0;
    for (size_t i = 0; i < syntax->n_options; i++)
        add(all, syntax->options[i]);
    if (syntax->common)
        add_common(all, syntax->common);
    add(all, cli_short('h', cli_flag("--help", help, "this")));
    add(all, cli_flag("--version", version, "of hypha"));
    struct cli_syntax whole = *syntax;
    whole.options = all->at;
    whole.n_options = all->n;
    return whole;
}

int cli_first_word(const struct cli_syntax *syntax, int argc, char **argv)
{
    bool help, version;
    struct list all;
    const struct cli_syntax whole = whole_syntax(syntax, &all, &help, &version);
    for (int i = 1; i < argc; i++) {
        if (!strcmp(argv[i], "--"))
            return i + 1;
        if (argv[i][0] != '-' || argv[i][1] == '\0')
            return i;
        const char *value;
        if (!find_option(&whole, argv[i], &value)->flag && !value)
            i++;
    }
    return argc;
}

size_t cli_parse(const struct cli_syntax *syntax, int argc, char **argv,
                 const char **words)
{
    bool help = false, version = false;
    struct list all;
    const struct cli_syntax whole = whole_syntax(syntax, &all, &help, &version);
    const size_t n = read_all(&whole, argc, argv, &help, words);
    if (help || version)
        end_with(&whole, version);
    if (n < syntax->least_words)
        cli_die(CLI_USAGE, "`%s` needs %s; try `hypha %s --help`",
                syntax->command, syntax->args, syntax->command);
    if (syntax->common)
        check_common(syntax, syntax->common);
    return n;
}

void cli_print_options(const struct cli_syntax *syntax)
{
    for (size_t i = 0; i < syntax->n_options; i++) {
        const struct cli_option *const o = &syntax->options[i];
        char left[40], letter[8] = "";
        if (o->letter)
            snprintf(letter, sizeof letter, "-%c, ", o->letter);
        snprintf(left, sizeof left, "%s%s%s%s", letter, o->name,
                 o->value ? " " : "", o->value ? o->value : "");
        printf("  %-20s  %s\n", left, o->help);
    }
}
