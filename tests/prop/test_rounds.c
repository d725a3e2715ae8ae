/* Random graphs, written and read back in every format that can say them:
 * the same vertices, edges and values, plain and packed. */
#include "support/folder.h"
#include "support/small.h"

#include "base/random.h"

#include <hypha/io.h>

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- a graph in words ------------------------------------------------------
 */

/* A line for each vertex and edge, sorted: two graphs are the same if their
 * lines are. */
struct words {
    char **line; /* owned */
    size_t n, room;
};

static void words_add(struct words *W, const char *line)
{
    if (W->n == W->room) {
        W->room = 2 * W->room + 64;
        W->line = realloc(W->line, W->room * sizeof *W->line);
        assert_non_null(W->line);
    }
    W->line[W->n] = strdup(line);
    assert_non_null(W->line[W->n++]);
}

static void words_fini(struct words *W)
{
    for (size_t i = 0; i < W->n; i++)
        free(W->line[i]);
    free(W->line);
    *W = (struct words){ 0 };
}

static int by_text(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

/* How ids are told: as they are, or by rank from 0 or 1. */
enum telling { AS_THEY_ARE, FROM_0, FROM_1 };

struct told {
    const hy_view *V;
    const hy_names *names;
    enum telling telling;
    uint32_t columns; /* how many of them are told */
};

static uint64_t rank_of(const hy_view *V, uint64_t id)
{
    uint64_t rank = 0;
    for (hy_vid u = 0; u < hy_view_bound(V); u++)
        rank += hy_view_has_vertex(V, u) && hy_view_external(V, u) < id;
    return rank;
}

static void tell_id(const struct told *T, hy_vid u, char *to, size_t room)
{
    const uint64_t id = hy_view_external(T->V, u);
    size_t n;
    if (T->telling != AS_THEY_ARE)
        (void)snprintf(to, room, "%" PRIu64,
                       rank_of(T->V, id) + (T->telling == FROM_1));
    else if (T->names)
        (void)snprintf(to, room, "%s", hy_names_text(T->names, id, &n));
    else
        (void)snprintf(to, room, "%" PRIu64, id);
}

/* Equal numbers look alike, whatever their types. */
static void tell_value(hy_type type, const char *at, char *to, size_t room)
{
    int32_t i32;
    int64_t i64 = 0;
    float f32;
    double f64 = 0;
    const bool is_real = type == HY_F32 || type == HY_F64;
    memcpy(&i32, at, 4);
    memcpy(&f32, at, 4);
    if (hy_type_width(type) == 8) {
        memcpy(&i64, at, 8);
        memcpy(&f64, at, 8);
    }
    if (type == HY_I32)
        i64 = i32;
    if (type == HY_F32)
        f64 = (double)f32;
    if (is_real &&
        (fabs(f64) > 1e15 || f64 != trunc(f64) || (f64 == 0 && signbit(f64))))
        (void)snprintf(to, room, "%.17g", f64);
    else if (is_real)
        (void)snprintf(to, room, "%.0f", f64);
    else
        (void)snprintf(to, room, "%" PRId64, i64);
}

static void tell_edge(const struct told *T, const hy_span *s, uint32_t i,
                      struct words *W)
{
    char u[256], v[256], value[64], line[1024];
    const hy_vid to = s->v[(size_t)i * s->step];
    tell_id(T, s->u, u, sizeof u);
    tell_id(T, to, v, sizeof v);
    if (hy_view_is_undirected(T->V) && strcmp(u, v) > 0)
        return;
    size_t n = (size_t)snprintf(line, sizeof line, "%s -> %s", u, v);
    for (uint32_t k = 0; k < T->columns; k++) {
        size_t step;
        const char *at = hy_span_column(T->V, s, k, &step);
        tell_value(hy_view_edge_column(T->V, k).type, at + i * step, value,
                   sizeof value);
        n += (size_t)snprintf(line + n, sizeof line - n, " %s", value);
    }
    words_add(W, line);
}

static struct words tell(const struct told *T)
{
    struct words W = { 0 };
    char id[256], line[300];
    words_add(&W, hy_view_is_undirected(T->V) ? "undirected" : "directed");
    for (hy_vid u = 0; u < hy_view_bound(T->V); u++) {
        if (!hy_view_has_vertex(T->V, u))
            continue;
        tell_id(T, u, id, sizeof id);
        (void)snprintf(line, sizeof line, "vertex %s", id);
        words_add(&W, line);
        hy_for_out_span (s, T->V, u)
            for (uint32_t i = 0; i < s.n; i++)
                tell_edge(T, &s, i, &W);
    }
    qsort(W.line, W.n, sizeof *W.line, by_text);
    return W;
}

/* ---- random graphs
 * ------------------------------------------------------------ */

enum ids { DENSE, MAPPED, TEXTS, ODD_TEXTS, ID_KINDS };
enum values { NONE, SMALL, WHOLE, REAL, NARROW, SEVERAL, VALUE_KINDS };

struct sample {
    enum ids ids;
    enum values values;
    bool undirected, has_loops;
    hy_graph *G;
    hy_names *names;
};

/* Some with commas, quotes and blanks in them, if they may be odd. */
static void add_names(hy_names *N, uint64_t n, bool odd, uint64_t *rng)
{
    static const char *const tails[] = {
        "", ",", "\"", " x", "\"\"", ";", "#"
    };
    for (uint64_t i = 0; i < n; i++) {
        char text[64];
        uint64_t id;
        const int length = snprintf(
            text, sizeof text, "v%" PRIu64 "%s", i,
            odd ? tails[rng_below(rng, sizeof tails / sizeof *tails)] : "");
        assert_int_equal(hy_names_add(N, text, (size_t)length, &id), HY_OK);
    }
}

struct values_of_edge {
    double real;
    int64_t whole;
    int32_t small;
};

static void random_record(enum values kind, uint64_t *rng,
                          struct values_of_edge *r)
{
    const uint64_t bits = rng_next(rng);
    const int64_t whole = (int64_t)rng_next(rng);
    const int32_t small = (int32_t)rng_range(rng, 1, 100);
    double real;
    float narrow;
    memcpy(&real, &bits, sizeof real);
    if (!isfinite(real) || rng_chance(rng, 50))
        real = (double)(int64_t)rng_below(rng, 1000) / 8 - 50;
    if (rng_chance(rng, 3))
        real = -0.0;
    memset(r, 0, sizeof *r);
    switch (kind) {
    case SMALL:
        memcpy(r, &small, sizeof small);
        break;
    case WHOLE:
        memcpy(r, &whole, sizeof whole);
        break;
    case REAL:
        memcpy(r, &real, sizeof real);
        break;
    case NARROW:
        narrow = (float)rng_below(rng, 1000) / 7;
        memcpy(r, &narrow, sizeof narrow);
        break;
    default:
        *r = (struct values_of_edge){ real, whole, small };
    }
}

static hy_graph_opts options(const struct sample *S)
{
    static const hy_column small = { "weight", HY_I32 };
    static const hy_column whole = { "weight", HY_I64 };
    static const hy_column real = { "weight", HY_F64 };
    static const hy_column narrow = { "weight", HY_F32 };
    static const hy_column several[] = { { "weight", HY_F64 },
                                         { "a b", HY_I64 },
                                         { "count", HY_I32 } };
    static const hy_column *const columns[VALUE_KINDS] = { NULL,    &small,
                                                           &whole,  &real,
                                                           &narrow, several };
    return (hy_graph_opts){
        .undirected = S->undirected,
        .ids = S->ids == DENSE ? HY_IDS_DENSE : HY_IDS_MAPPED,
        .edge_columns = columns[S->values],
        .n_edge_columns = S->values == NONE      ? 0
                          : S->values == SEVERAL ? 3
                                                 : 1,
    };
}

static uint64_t random_id(const struct sample *S, uint64_t salt, uint64_t i)
{
    if (S->ids != MAPPED)
        return i;
    const uint64_t id = base_random_at(salt, i) >> base_random_at(salt, i) % 60;
    return id == HY_ANY ? 0 : id;
}

static void sample_init(struct sample *S, uint64_t *rng)
{
    const uint64_t n = rng_range(rng, 1, 40), m = rng_below(rng, 100);
    const uint64_t salt = rng_next(rng);
    struct values_of_edge r;
    *S = (struct sample){ .ids = (enum ids)rng_below(rng, ID_KINDS),
                          .values = (enum values)rng_below(rng, VALUE_KINDS),
                          .undirected = rng_chance(rng, 50),
                          .has_loops = rng_chance(rng, 50) };
    const hy_graph_opts opts = options(S);
    assert_int_equal(hy_graph_new(test_ctx(1), &opts, &S->G), HY_OK);
    hy_batch *B = small_batch(S->G);
    for (uint64_t i = 0; i < n; i++)
        assert_int_equal(hy_batch_insert_vertex(B, random_id(S, salt, i), NULL),
                         HY_OK);
    for (uint64_t i = 0; i < m; i++) {
        const uint64_t u = random_id(S, salt, rng_below(rng, n));
        const uint64_t v = random_id(S, salt, rng_below(rng, n));
        random_record(S->values, rng, &r);
        if (u != v || S->has_loops)
            assert_int_equal(hy_batch_insert_edge(B, u, v, &r), HY_OK);
    }
    (void)small_commit(S->G, B);
    if (S->ids < TEXTS)
        return;
    assert_int_equal(hy_names_new(test_ctx(1), &S->names), HY_OK);
    add_names(S->names, n, S->ids == ODD_TEXTS, rng);
}

static void sample_fini(struct sample *S)
{
    hy_names_free(S->names);
    small_free(S->G);
}

/* ---- rounds
 * --------------------------------------------------------------------- */

struct kind {
    hy_format format;
    const char *end;
    enum telling telling;
};

static const struct kind kinds[] = {
    { HY_FORMAT_EL, ".el", AS_THEY_ARE },
    { HY_FORMAT_WEL, ".wel", AS_THEY_ARE },
    { HY_FORMAT_KONECT, ".konect", AS_THEY_ARE },
    { HY_FORMAT_CSV, ".csv", AS_THEY_ARE },
    { HY_FORMAT_TSV, ".tsv", AS_THEY_ARE },
    { HY_FORMAT_LDBC, ".e", AS_THEY_ARE },
    { HY_FORMAT_MTX, ".mtx", FROM_1 },
    { HY_FORMAT_GR, ".gr", FROM_1 },
    { HY_FORMAT_METIS, ".graph", FROM_1 },
    { HY_FORMAT_SG, ".sg", FROM_0 },
    { HY_FORMAT_WSG, ".wsg", FROM_0 },
    { HY_FORMAT_HYG, ".hyg", AS_THEY_ARE },
};

enum { KINDS = sizeof kinds / sizeof *kinds };

/* Says every column, and every name. */
static bool is_whole(hy_format format)
{
    return format == HY_FORMAT_CSV || format == HY_FORMAT_TSV ||
           format == HY_FORMAT_HYG;
}

/* Can the format say any graph of this kind? */
static bool can_say(const struct kind *k, const struct sample *S)
{
    if (k->telling == AS_THEY_ARE && S->ids == ODD_TEXTS)
        return is_whole(k->format);
    switch (k->format) {
    case HY_FORMAT_LDBC:
        return S->ids < TEXTS;
    case HY_FORMAT_WEL:
        return S->values != NONE;
    case HY_FORMAT_SG:
        return S->values == NONE;
    case HY_FORMAT_WSG:
        return S->values == SMALL;
    case HY_FORMAT_GR:
        return S->values <= WHOLE;
    case HY_FORMAT_METIS:
        return S->undirected && !S->has_loops && S->values <= SMALL;
    default:
        return true;
    }
}

static void assert_same(const struct words *a, const struct words *b,
                        const char *path, uint64_t seed)
{
    for (size_t i = 0; i < a->n || i < b->n; i++) {
        const char *x = i < a->n ? a->line[i] : "nothing";
        const char *y = i < b->n ? b->line[i] : "nothing";
        if (strcmp(x, y) != 0)
            fail_msg("%s, seed 0x%llx: `%s` was written, `%s` read", path,
                     (unsigned long long)seed, x, y);
    }
}

static void assert_round(const struct kind *k, const struct sample *S,
                         const char *path, uint64_t seed)
{
    const bool needs_word = k->format == HY_FORMAT_GR && S->undirected;
    const bool is_text = S->names && k->telling == AS_THEY_ARE;
    const hy_read_opts opts = { .sense =
                                    needs_word ? HY_UNDIRECTED : HY_AS_WRITTEN,
                                .id_kind = is_text ? HY_ID_TEXT : HY_ID_AUTO };
    hy_graph *G;
    hy_names *names = NULL;
    hy_diag diag = { 0 };
    const hy_status status =
        hy_graph_read(test_ctx(1), path, &opts, &G, &names, NULL, &diag);
    if (status != HY_OK)
        fail_msg("%s:%llu: %s (%s), seed 0x%llx", path,
                 (unsigned long long)diag.line, diag.text, hy_error_text(),
                 (unsigned long long)seed);
    const hy_view *V = hy_graph_now(S->G);
    const uint32_t all = hy_view_edge_columns(V);
    const bool has_rows = hy_view_edges(V) > 0; /* else there are no columns */
    struct told a = { V, S->names, k->telling, 0 };
    struct told b = { hy_graph_now(G), names, AS_THEY_ARE, 0 };
    if (has_rows)
        a.columns = b.columns = is_whole(k->format) || all < 1 ? all : 1;
    assert_true(hy_view_edge_columns(b.V) >= b.columns);
    struct words x = tell(&a), y = tell(&b);
    assert_same(&x, &y, path, seed);
    words_fini(&x);
    words_fini(&y);
    hy_names_free(names);
    small_free(G);
}

static void write_and_read(const struct kind *k, const struct sample *S,
                           const char *packed, uint64_t seed)
{
    struct folder F;
    char name[32];
    folder_init(&F);
    (void)snprintf(name, sizeof name, "x%s%s", k->end, packed);
    const char *path = folder_file(&F, name);
    const hy_status status =
        hy_graph_write(test_ctx(1), hy_graph_now(S->G), S->names, path, NULL);
    const bool is_packing_there =
        !packed[0] || !strstr(hy_error_text(), "this build");
    if (status == HY_OK)
        assert_round(k, S, path, seed);
    else if (status != HY_ENOTSUP || (can_say(k, S) && is_packing_there))
        fail_msg("%s: %s, seed 0x%llx", path, hy_error_text(),
                 (unsigned long long)seed);
    folder_fini(&F);
}

static void rounds(void **state)
{
    static const char *const packed[] = { "", ".gz", ".zst" };
    const uint64_t n = test_scaled(30);
    (void)state;
    for (uint64_t i = 0; i < n; i++) {
        const uint64_t seed = test_seed_at(i);
        uint64_t rng = seed;
        struct sample S;
        sample_init(&S, &rng);
        for (size_t k = 0; k < KINDS; k++)
            write_and_read(&kinds[k], &S, packed[(i + k) % 3], seed);
        sample_fini(&S);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(rounds) };
    return cmocka_run_group_tests(tests, test_ctxs_new, test_ctxs_free);
}
