/* LDBC Graphalytics: a graph in files of one NAME, side by side.
 *
 *   NAME.v            one vertex id a line; what follows it is not kept
 *   NAME.e            U V [W], divided by blanks or by |
 *   NAME.properties   graph.X.directed = true|false, among others
 *
 * Ids are any 64-bit integers.  NAME.v and NAME.properties may lack; with a
 * NAME.v, an edge of a vertex that is not in it is bad.  Each may be packed.
 *
 * Iosup et al., The LDBC Graphalytics Benchmark, 2020, section 2.2.
 */
#include "io/head.h"
#include "io/formats.h"
#include "io/path.h"

#include "base/bits.h"
#include "base/random.h"
#include "par/par.h"

#include <stdio.h>
#include <unistd.h>

/* ---- the files
 * ---------------------------------------------------------------- */

/* Bytes of the path without .v or .e and what it is packed with; *side is v, e
 * or, if it has neither, 0. */
static size_t name_length(const char *path, char *side)
{
    size_t n;
    (void)io_path_packing(path, &n);
    *side = io_path_ends(path, n, ".v")   ? 'v'
            : io_path_ends(path, n, ".e") ? 'e'
                                          : 0;
    return *side ? n - 2 : n;
}

/* The path of NAME with an ending, packed or not; false if there is none. */
static bool find_file(const char *path, size_t n, const char *ending,
                      char out[IO_PATH_ROOM])
{
    static const char *const packed[] = { "", ".gz", ".zst" };
    for (size_t i = 0; i < sizeof packed / sizeof *packed; i++) {
        const int length = snprintf(out, IO_PATH_ROOM, "%.*s%s%s", (int)n, path,
                                    ending, packed[i]);
        if (length > 0 && length < IO_PATH_ROOM && access(out, R_OK) == 0)
            return true;
    }
    return false;
}

const char *io_ldbc_path(const char *path, char out[IO_PATH_ROOM])
{
    const bool is_there = strcmp(path, "-") == 0 || access(path, F_OK) == 0;
    return !is_there && find_file(path, strlen(path), ".e", out) ? out : path;
}

/* ---- the properties
 * ------------------------------------------------------------ */

/* What the line says about directions, if it does. */
static hy_status read_property(const struct io_head *H, hy_sense *sense)
{
    const char *equals = memchr(H->at, '=', (size_t)(H->end - H->at));
    if (!equals || *H->at == '#')
        return HY_OK;
    const char *at = H->at;
    const char *stop = equals;
    while (stop > at && io_is_blank(stop[-1]))
        stop--;
    if (!io_path_ends(at, (size_t)(stop - at), ".directed"))
        return HY_OK;
    at = equals + 1;
    const struct io_word word = io_head_word(&at, H->end);
    if (!io_word_is(word, "true") && !io_word_is(word, "false"))
        return io_bad(H->R, H->line, "`%s`: true or false is due",
                      io_show(word.at, word.end).text);
    *sense = io_word_is(word, "true") ? HY_DIRECTED : HY_UNDIRECTED;
    return HY_OK;
}

static hy_status read_properties(const struct io_reading *R, const char *path,
                                 hy_sense *sense)
{
    struct io_reading of = *R;
    of.path = path;
    HY_TRY(io_source_open(R->ctx, path, R->opts->memory, &of.source));
    struct io_head H = { .R = &of };
    hy_status status;
    do {
        status = io_head_next(&H);
        if (status == HY_OK && H.at < H.end)
            status = read_property(&H, sense);
    } while (status == HY_OK && !H.is_over);
    io_source_close(of.source);
    return status;
}

/* ---- a set of ids
 * --------------------------------------------------------------- */

/* Bits, if ids are not much larger than their number; else a table. */
struct ids {
    uint64_t *bits; /* owned */
    uint64_t bound; /* of ids, if there are bits */
    uint64_t *slot; /* owned; HY_ANY: empty */
    size_t mask;
};

/* The slot of an id, or the empty one where it would be. */
static size_t ids_slot(const struct ids *I, uint64_t id)
{
    size_t i = (size_t)base_mix(id) & I->mask;
    while (I->slot[i] != id && I->slot[i] != HY_ANY)
        i = (i + 1) & I->mask;
    return i;
}

static bool ids_has(const struct ids *I, uint64_t id)
{
    if (I->bits)
        return id < I->bound && bits_has(I->bits, (size_t)id);
    return I->slot[ids_slot(I, id)] == id;
}

/* False: it was there. */
static bool ids_add(struct ids *I, uint64_t id)
{
    if (ids_has(I, id))
        return false;
    if (I->bits)
        bits_add(I->bits, (size_t)id);
    else
        I->slot[ids_slot(I, id)] = id;
    return true;
}

static hy_status ids_alloc(struct ids *I, const struct io_reading *R,
                           const struct io_table *T)
{
    enum { SPREAD = 64 }; /* bits an id is worth: half of what slots take */
    const uint64_t most = par_max(R->ctx, T->lone, (size_t)T->n_lone);
    if (most / SPREAD <= T->n_lone) {
        I->bound = most + 1;
        I->bits =
            base_alloc(R->ctx, bits_words((size_t)I->bound), sizeof *I->bits);
        return I->bits ? HY_OK : HY_ENOMEM;
    }
    size_t room = 16;
    while (room < 2 * T->n_lone)
        room *= 2;
    HY_TRY(io_check_memory(R, room * sizeof *I->slot));
    I->slot = base_alloc_raw(R->ctx, room, sizeof *I->slot);
    if (!I->slot)
        return HY_ENOMEM;
    memset(I->slot, 0xff, room * sizeof *I->slot);
    I->mask = room - 1;
    return HY_OK;
}

/* The ids of the table's vertices, each once. */
static hy_status ids_init(struct ids *I, const struct io_reading *R,
                          struct io_table *T)
{
    HY_TRY(ids_alloc(I, R, T));
    for (uint64_t i = 0; i < T->n_lone; i++)
        if (!ids_add(I, T->lone[i]))
            HY_TRY(io_bad_table(R, T, 0, "vertex %llu is there twice",
                                (unsigned long long)T->lone[i]));
    return HY_OK;
}

static void ids_fini(hy_ctx *ctx, struct ids *I)
{
    base_free(ctx, I->bits);
    base_free(ctx, I->slot);
}

/* ---- lines
 * ------------------------------------------------------------------------ */

struct ldbc {
    struct io_form form;
    bool keeps;       /* the weights */
    hy_sense sense;   /* as the properties say */
    uint32_t ignored; /* columns of vertices */
    bool has_ids;     /* there is a .v file */
    struct ids ids;   /* its */
};

static bool is_empty(const char *at, const char *end)
{
    return at == end || *at == '\n' || *at == '#';
}

static void parse_vertices(const void *state, struct io_chunk *C)
{
    const struct ldbc *P = state;
    uint64_t u = 0;
    for (const char *line = C->at; line < C->end;
         line = io_next_line(line, C->end)) {
        const char *at = io_skip_blanks(line, C->end);
        if (is_empty(at, C->end))
            continue;
        if (io_read_vertex(at, C->end, &P->form, &u))
            io_rows_lone(C->rows, u);
        else if (!io_bad_vertex(C, line, at, &P->form))
            return;
    }
}

static bool is_known(const struct ldbc *P, uint64_t u)
{
    return !P->has_ids || ids_has(&P->ids, u);
}

static bool bad_edge(const struct ldbc *P, struct io_chunk *C, const char *line,
                     const char *at)
{
    struct io_entry e;
    if (!io_read_entry(at, C->end, &P->form, &e))
        return io_bad_entry(C, line, at, &P->form);
    return io_chunk_bad(C, line, "vertex %llu is not in the .v file",
                        (unsigned long long)(is_known(P, e.u) ? e.v : e.u));
}

static void parse_edges(const void *state, struct io_chunk *C)
{
    const struct ldbc *P = state;
    struct io_entry e = { 0 };
    for (const char *line = C->at, *next; line < C->end; line = next) {
        const char *at = io_skip_blanks(line, C->end);
        if (is_empty(at, C->end)) {
            next = io_next_line(at, C->end);
            continue;
        }
        next = io_read_entry(at, C->end, &P->form, &e);
        if (HY_UNLIKELY(!next || !is_known(P, e.u) || !is_known(P, e.v))) {
            if (!bad_edge(P, C, line, at))
                return;
            next = io_next_line(at, C->end);
            continue;
        }
        io_rows_add(C->rows, e.u, e.v);
        if (P->keeps)
            io_rows_value(C->rows, 0, e.w);
    }
}

/* ---- the two files
 * ------------------------------------------------------------------ */

/* Reads the .v file, whose vertices stay in *T. */
static hy_status read_vertices(const struct io_reading *R, struct ldbc *P,
                               struct io_table *T)
{
    struct io_head H = { .R = R };
    HY_TRY(io_head_skip(&H, '#'));
    const size_t columns = io_count_columns(H.at, H.end, true);
    P->ignored = columns > 1 ? (uint32_t)(columns - 1) : 0;
    io_head_end_before(&H);
    const struct io_body body = { .parse = parse_vertices, .state = P };
    HY_TRY(io_lines_read(R, &body, T));
    return ids_init(&P->ids, R, T);
}

/* Reads the .e file.  The first line tells whether there are weights. */
static hy_status read_edges(const struct io_reading *R, struct ldbc *P,
                            struct io_table *T)
{
    struct io_head H = { .R = R };
    HY_TRY(io_head_skip(&H, '#'));
    if (io_count_columns(H.at, H.end, true) > 2)
        P->form.weight = IO_WEIGHT;
    else if (H.at < H.end && R->opts->weighting == HY_WEIGHTS_NEED)
        return io_bad(R, H.line, "the edges have no weights");
    P->keeps =
        P->form.weight != IO_NO_WEIGHT && R->opts->weighting != HY_WEIGHTS_DROP;
    io_head_end_before(&H);
    const struct io_body body = {
        .parse = parse_edges,
        .state = P,
        .n_values = P->keeps,
    };
    return io_lines_read(R, &body, T);
}

/* The vertices of *from join the edges of *to, and so do its bad lines. */
static void take_vertices(struct io_table *to, struct io_table *from)
{
    to->lone = from->lone;
    to->n_lone = from->n_lone;
    from->lone = NULL;
    if (from->n_bad)
        to->first_bad = from->first_bad;
    to->n_bad += from->n_bad;
}

static hy_status read_both(const struct io_reading *V,
                           const struct io_reading *E, struct ldbc *P,
                           hy_graph **graph, hy_read_info *info)
{
    struct io_table vertices = { .ctx = E->ctx }, T = { .ctx = E->ctx };
    hy_status status = HY_OK;
    P->has_ids = V->source != NULL;
    if (P->has_ids)
        status = read_vertices(V, P, &vertices);
    if (status == HY_OK)
        status = read_edges(E, P, &T);
    ids_fini(E->ctx, &P->ids);
    if (status == HY_OK) {
        take_vertices(&T, &vertices);
        struct io_shape shape = {
            .undirected =
                E->opts->sense == HY_UNDIRECTED ||
                (E->opts->sense == HY_AS_WRITTEN && P->sense == HY_UNDIRECTED),
            .n = HY_ANY,
            .n_columns = P->keeps,
            .column = { "weight" },
        };
        status = io_build(E, &T, &shape, graph, info);
        info->ignored = P->ignored;
    }
    io_table_fini(&T);
    io_table_fini(&vertices);
    return status;
}

hy_status io_read_ldbc(const struct io_reading *R, hy_graph **graph,
                       hy_names **names, hy_read_info *info)
{
    (void)names;
    char path[IO_PATH_ROOM], side;
    const size_t n = name_length(R->path, &side);
    struct ldbc P = { .form = { .last = HY_ANY - 1, .bars = true } };
    struct io_reading V = *R, E = *R;
    if (find_file(R->path, n, ".properties", path))
        HY_TRY(read_properties(R, path, &P.sense));
    const bool has_other =
        find_file(R->path, n, side == 'v' ? ".e" : ".v", path);
    struct io_reading *other = side == 'v' ? &E : &V;
    other->source = NULL;
    other->path = path;
    if (side == 'v' && !has_other)
        return base_fail(HY_EIO, "%s: there is no .e file beside it", R->path);
    if (has_other)
        HY_TRY(io_source_open(R->ctx, path, R->opts->memory, &other->source));
    const hy_status status = read_both(&V, &E, &P, graph, info);
    if (other->source && status == HY_OK) {
        info->bytes += io_source_bytes(other->source);
        info->text_bytes += io_source_unpacked(other->source);
    }
    io_source_close(other->source);
    return status;
}
