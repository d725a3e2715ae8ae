#include "support/reads.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A line of reading_text as an edge; nothing for a lone vertex. */
static int write_edge(char *to, size_t room, const char *line, size_t n,
                      char arrow)
{
    char word[3][64] = { "", "", "" };
    char copy[200];
    assert_true(n < sizeof copy);
    memcpy(copy, line, n);
    copy[n] = '\0';
    if (sscanf(copy, "%63s %63s %63s", word[0], word[1], word[2]) < 2)
        return 0;
    return snprintf(to, room, " %s%c%s%s%s", word[0], arrow, word[1],
                    word[2][0] ? "=" : "", word[2]);
}

void reads_write(const struct reading *r, char *to, size_t room)
{
    const hy_view *V = hy_graph_now(r->G);
    const bool undirected = hy_view_is_undirected(V);
    char *text = reading_text(r->G, r->names);
    int n =
        snprintf(to, room, "%s %" PRIu64 ":",
                 undirected ? "undirected" : "directed", hy_view_vertices(V));
    for (const char *line = text; *line; line += strcspn(line, "\n") + 1) {
        n += write_edge(to + n, room - (size_t)n, line, strcspn(line, "\n"),
                        undirected ? '-' : '>');
        assert_true((size_t)n < room);
    }
    free(text);
}

/* ---- assertions ------------------------------------------------------------
 */

/* Windows and chunks: as usual, and as small as can be. */
static const size_t sizes[][2] = { { 0, 0 }, { 64, 1 }, { 0, 7 } };
enum { N_SIZES = sizeof sizes / sizeof *sizes };

void reads_as(const char *text, const hy_read_opts *opts, const char *graph)
{
    char found[4000];
    for (unsigned i = 0; i < N_SIZES; i++) {
        struct reading r = reading_of(test_ctx(i), "text", text, strlen(text),
                                      opts, sizes[i][0], sizes[i][1]);
        if (r.status != HY_OK)
            fail_msg("%s:%" PRIu64 ": %s", r.diag.file, r.diag.line,
                     hy_error_text());
        reads_write(&r, found, sizeof found);
        assert_string_equal(found, graph);
        reading_fini(&r);
    }
}

void reads_bad(const char *text, const hy_read_opts *opts, uint64_t line,
               const char *words)
{
    for (unsigned i = 0; i < N_SIZES; i++) {
        struct reading r = reading_of(test_ctx(i), "text", text, strlen(text),
                                      opts, sizes[i][0], sizes[i][1]);
        assert_int_equal(r.status, HY_EFORMAT);
        assert_null(r.G);
        if (!strstr(r.diag.text, words) || r.diag.line != line)
            fail_msg("%" PRIu64 ": %s; not %" PRIu64 ": %s", r.diag.line,
                     r.diag.text, line, words);
        reading_fini(&r);
    }
}

/* ---- mutations -------------------------------------------------------------
 */

static const char *const bits_of_text[] = { "\n",
                                            " ",
                                            "0",
                                            "-1",
                                            "1e400",
                                            "nan",
                                            "18446744073709551616",
                                            "%",
                                            "c",
                                            "4294967296",
                                            "\r\n",
                                            "|",
                                            ".",
                                            "a 1 2",
                                            "%%GraphBLAS type bool\n",
                                            "9" };

/* Changes a byte, cuts, or repeats or inserts something; the new length. */
static size_t mutate(char *at, size_t n, size_t room, uint64_t *rng)
{
    const size_t place = (size_t)rng_below(rng, n + 1);
    const char *bit = bits_of_text[rng_below(rng, sizeof bits_of_text /
                                                      sizeof *bits_of_text)];
    size_t length = strlen(bit);
    switch (rng_below(rng, 5)) {
    case 0:
        if (place < n)
            at[place] = (char)rng_next(rng);
        return n;
    case 1:
        return rng_chance(rng, 10) ? place : n;
    case 2:
        length = (size_t)rng_below(rng, n - place + 1);
        length = length > 8 ? 8 : length;
        memmove(at + place, at + place + length, n - place - length);
        return n - length;
    case 3:
        if (place < n)
            at[place] = (char)(at[place] ^ 1 << rng_below(rng, 8));
        return n;
    default:
        if (n + length > room)
            return n;
        memmove(at + place + length, at + place, n - place);
        memcpy(at + place, bit, length);
        return n + length;
    }
}

static void read_mutation(const char *at, size_t n, const hy_read_opts *opts,
                          uint64_t seed)
{
    const unsigned size = (unsigned)(seed % N_SIZES);
    const char *why = "";
    char *exact = malloc(n + !n); /* so that reading past it is seen */
    assert_non_null(exact);
    memcpy(exact, at, n);
    struct reading r = reading_of(test_ctx(0), "text", exact, n, opts,
                                  sizes[size][0], sizes[size][1]);
    free(exact);
    if (r.status == HY_OK && !hy_graph_check(r.G, &why))
        fail_msg("seed %" PRIu64 ": %s", seed, why);
    if (r.status == HY_EFORMAT && !*r.diag.text)
        fail_msg("seed %" PRIu64 ": no reason", seed);
    /* What does not fit the limit is no fault. */
    if (r.status != HY_OK && r.status != HY_EFORMAT && r.status != HY_EFULL)
        fail_msg("seed %" PRIu64 ": %s", seed, hy_error_text());
    reading_fini(&r);
}

void reads_mutations(const char *at, size_t n, const hy_read_opts *opts,
                     uint64_t rounds)
{
    const size_t room = n + 256;
    char *copy = malloc(room);
    hy_read_opts limited = *opts;
    limited.memory = (uint64_t)64 << 20;
    assert_non_null(copy);
    for (uint64_t i = 0; i < test_scaled(rounds); i++) {
        const uint64_t seed = test_seed_at(i);
        uint64_t rng = seed;
        size_t length = n;
        memcpy(copy, at, n);
        for (uint64_t k = rng_range(&rng, 1, 4); k; k--)
            length = mutate(copy, length, room, &rng);
        limited.skip_bad = rng_chance(&rng, 30);
        read_mutation(copy, length, &limited, seed);
    }
    free(copy);
}
