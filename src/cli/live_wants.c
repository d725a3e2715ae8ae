/* What `--live KIND[:key=value,...]` asks for. */
#include "cli/live.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- keys ---------------------------------------------------------------- */

struct key {
    unsigned bit; /* of enum live_keys */
    const char *name, *value, *help;
};

static const struct key keys[] = {
    { LIVE_SOURCE, "source", "ID", "the vertex to start from" },
    { LIVE_WEIGHT, "weight", "COLUMN", "of edges; default weight, else 1" },
    { LIVE_DELTA, "delta", "X", "width of a bucket of distances" },
    { LIVE_TOLERANCE, "tolerance", "X", "as of hypha run; default 1e-4" },
    { LIVE_DAMPING, "damping", "X", "below 1; default 0.85" },
    { LIVE_ITERATIONS, "iterations", "N", "at most; default 100" },
    { LIVE_NAME, "name", "NAME", "in tables and of the file" },
    { LIVE_TOP, "top", "K", "as --top, of this answer alone" },
    { LIVE_CHANGES, "changes", "K", "as --changes, of this answer alone" },
};
enum { N_KEYS = sizeof keys / sizeof *keys };

/* "a, b, c" of the names of kinds, or of the keys that a kind takes. */
static const char *list_kinds(char *to, size_t room)
{
    size_t n = 0;
    for (size_t i = 0; i < live_kinds_n && n < room; i++)
        n += (size_t)snprintf(to + n, room - n, "%s%s", i ? ", " : "",
                              live_kinds[i].name);
    return to;
}

static const char *list_keys(unsigned which, char *to, size_t room)
{
    size_t n = 0;
    to[0] = '\0';
    for (size_t i = 0; i < N_KEYS && n < room; i++)
        if (keys[i].bit & which)
            n += (size_t)snprintf(to + n, room - n, "%s%s", n ? ", " : "",
                                  keys[i].name);
    return to;
}

static _Noreturn void die_of_value(const struct live_want *w,
                                   const struct key *key, const char *text,
                                   const char *wanted)
{
    cli_die(CLI_USAGE, "`--live`: `%s` of %s takes %s, not `%s`", key->name,
            w->kind->name, wanted, text);
}

static double read_real(const struct live_want *w, const struct key *key,
                        const char *text, double below)
{
    char *end = NULL;
    const double x = strtod(text, &end);
    if (end == text || *end || !(x > 0 && x < below))
        die_of_value(w, key, text,
                     isfinite(below) ? "a number between 0 and 1"
                                     : "a number above 0");
    return x;
}

static uint64_t read_count(const struct live_want *w, const struct key *key,
                           const char *text)
{
    uint64_t x = 0;
    for (const char *c = text; *c && x <= UINT32_MAX; c++) {
        if (*c < '0' || *c > '9')
            x = UINT64_MAX >> 1;
        else
            x = x * 10 + (uint64_t)(*c - '0');
    }
    if (!x || x > UINT32_MAX)
        die_of_value(w, key, text, "a number from 1 to 4294967295");
    return x;
}

static void set_name(struct live_want *w, const struct key *key,
                     const char *text)
{
    bool good = *text && *text != '.' && strlen(text) < LIVE_TEXT - 8;
    for (const char *c = text; *c; c++)
        good &= isalnum((unsigned char)*c) || strchr("._-", *c);
    if (!good)
        die_of_value(w, key, text, "letters, digits and `._-`");
    snprintf(w->name, sizeof w->name, "%s", text);
}

/* long: a switch of one-line cases */
static void set(struct live_want *w, const struct key *key, const char *text)
{
    struct live_terms *const t = &w->terms;
    switch (key->bit) {
    case LIVE_SOURCE:
        w->source = text;
        break;
    case LIVE_WEIGHT:
        t->weight = text;
        break;
    case LIVE_DELTA:
        t->delta = read_real(w, key, text, INFINITY);
        break;
    case LIVE_TOLERANCE:
        t->tolerance = read_real(w, key, text, INFINITY);
        break;
    case LIVE_DAMPING:
        t->damping = read_real(w, key, text, 1);
        break;
    case LIVE_ITERATIONS:
        t->iterations = (uint32_t)read_count(w, key, text);
        break;
    case LIVE_NAME:
        set_name(w, key, text);
        break;
    case LIVE_TOP:
        w->top = read_count(w, key, text);
        break;
    default:
        w->changes = read_count(w, key, text);
        break;
    }
}

/* ---- a text -------------------------------------------------------------- */

/* "key=value", with a 0 behind each; the first is cut here. */
static void read_key(struct live_want *w, char *text)
{
    char *const equals = strchr(text, '=');
    if (equals)
        *equals = '\0';
    const struct key *key = keys;
    while (key < keys + N_KEYS &&
           (!(key->bit & w->kind->keys) || strcmp(key->name, text) != 0))
        key++;
    char list[128];
    if (key == keys + N_KEYS)
        cli_die(CLI_USAGE, "`--live`: %s has no key `%s`; there are %s",
                w->kind->name, text,
                list_keys(w->kind->keys, list, sizeof list));
    if (!equals || !equals[1])
        cli_die(CLI_USAGE, "`--live`: `%s` of %s needs a value: %s=%s",
                key->name, w->kind->name, key->name, key->value);
    set(w, key, equals + 1);
}

static void read_want(struct live_want *w, const char *text, const char *source)
{
    const size_t length = strcspn(text, ":");
    char list[128];
    *w = (struct live_want){ .kind = live_kind_find(text, length) };
    if (!w->kind)
        cli_die(CLI_USAGE, "`--live`: no answer `%.*s`; there are %s",
                (int)length, text, list_kinds(list, sizeof list));
    w->terms.source = HY_NONE;
    w->text = cli_alloc(strlen(text) + 1, 1);
    memcpy(w->text, text, strlen(text) + 1);
    char *at = w->text + length;
    for (bool more = *at == ':'; more;) {
        char *const part = at + 1;
        at = part + strcspn(part, ",");
        more = *at == ',';
        *at = '\0';
        read_key(w, part);
    }
    if (!(w->kind->keys & LIVE_SOURCE))
        return;
    w->source = w->source ? w->source : source;
    if (!w->source)
        cli_die(CLI_USAGE,
                "`--live %s` needs a vertex to start from: %s:source=ID or "
                "--source ID",
                w->kind->name, w->kind->name);
}

/* ---- names --------------------------------------------------------------- */

static size_t count_kind(const struct live_want *wants, size_t n,
                         const struct live_kind *kind)
{
    size_t found = 0;
    for (size_t i = 0; i < n; i++)
        found += wants[i].kind == kind;
    return found;
}

static bool is_taken(const struct live_want *wants, size_t n, size_t but,
                     const char *name)
{
    for (size_t i = 0; i < n; i++)
        if (i != but && !strcmp(wants[i].name, name))
            return true;
    return false;
}

/* The kind; KIND-SOURCE if there are several of the kind; with -2, -3, ...
 * behind if that is taken.  A source may hold what a file name cannot. */
static void name_want(struct live_want *wants, size_t n, size_t i)
{
    struct live_want *const w = &wants[i];
    char name[LIVE_TEXT];
    int length = snprintf(name, sizeof name, "%s", w->kind->name);
    if (w->source && count_kind(wants, n, w->kind) > 1)
        length =
            snprintf(name, sizeof name, "%s-%.40s", w->kind->name, w->source);
    for (char *c = name; *c; c++)
        if (!isalnum((unsigned char)*c) && !strchr("._-", *c))
            *c = '_';
    for (unsigned k = 2; is_taken(wants, n, i, name); k++)
        snprintf(name + length, sizeof name - (size_t)length, "-%u", k);
    memcpy(w->name, name, sizeof name);
}

void live_wants_of(const struct cli_texts *texts, const char *source,
                   struct live_want wants[CLI_TEXTS])
{
    const size_t n = texts->n;
    for (size_t i = 0; i < n; i++)
        read_want(&wants[i], texts->at[i], source);
    for (size_t i = 0; i < n; i++)
        if (wants[i].name[0] && is_taken(wants, n, i, wants[i].name))
            cli_die(CLI_USAGE, "`--live`: two answers have the name `%s`",
                    wants[i].name);
    for (size_t i = 0; i < n; i++)
        if (!wants[i].name[0])
            name_want(wants, n, i);
}

void live_wants_fini(struct live_want *wants, size_t n)
{
    for (size_t i = 0; i < n; i++)
        cli_free(wants[i].text);
}

/* ---- the help ------------------------------------------------------------ */

void live_print_kinds(void)
{
    char list[128];
    puts("\nanswers, `--live NAME[:key=value,...]`, as often as wanted:");
    for (size_t i = 0; i < live_kinds_n; i++) {
        const struct live_kind *const k = &live_kinds[i];
        const unsigned own = k->keys & (LIVE_NAME - 1);
        printf("  %-10s %s%s%s\n", k->name, k->help, own ? ": " : "",
               list_keys(own, list, sizeof list));
    }
    puts("keys:");
    for (size_t i = 0; i < N_KEYS; i++) {
        char left[32];
        snprintf(left, sizeof left, "%s=%s", keys[i].name, keys[i].value);
        printf("  %-16s %s\n", left, keys[i].help);
    }
}
