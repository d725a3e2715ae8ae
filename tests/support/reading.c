#include "support/reading.h"

#include "io/formats.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct reading reading_of(hy_ctx *ctx, const char *path, const char *text,
                          size_t n, const hy_read_opts *opts, size_t window,
                          size_t chunk)
{
    static const hy_read_opts usual = { 0 };
    struct reading out = { 0 };
    struct io_reading R = { .ctx = ctx,
                            .path = path,
                            .opts = opts ? opts : &usual,
                            .diag = &out.diag,
                            .chunk = chunk,
                            .held = hy_ctx_bytes(ctx) };
    out.status = io_source_open_bytes(ctx, text, n, window, &R.source);
    if (out.status == HY_OK)
        out.status = io_read_source(&R, &out.G, &out.names, &out.info);
    io_complete_diag(&R, out.status);
    io_source_close(R.source);
    return out;
}

void reading_fini(struct reading *R)
{
    hy_graph_free(R->G);
    hy_names_free(R->names);
    *R = (struct reading){ 0 };
}

/* ---- as text ------------------------------------------------------------- */

struct text {
    char *at;
    size_t n, room;
};

static void put(struct text *T, const char *format, ...)
{
    char piece[256];
    va_list args;
    va_start(args, format);
    const int n = vsnprintf(piece, sizeof piece, format, args);
    va_end(args);
    if (T->n + (size_t)n + 1 > T->room) {
        T->room = 2 * T->room + 4096;
        T->at = realloc(T->at, T->room);
        if (!T->at)
            abort();
    }
    memcpy(T->at + T->n, piece, (size_t)n + 1);
    T->n += (size_t)n;
}

static void put_id(struct text *T, const hy_view *V, const hy_names *names,
                   hy_vid u)
{
    const uint64_t id = hy_view_external(V, u);
    if (names)
        put(T, "%.200s", hy_names_text(names, id, NULL));
    else
        put(T, "%llu", (unsigned long long)id);
}

static void put_value(struct text *T, hy_type type, const void *at)
{
    int32_t i32;
    int64_t i64;
    uint64_t u64;
    double f64;
    switch (type) {
    case HY_I32:
        memcpy(&i32, at, sizeof i32);
        put(T, " %d", i32);
        break;
    case HY_I64:
        memcpy(&i64, at, sizeof i64);
        put(T, " %lldL", (long long)i64);
        break;
    case HY_U64:
        memcpy(&u64, at, sizeof u64);
        put(T, " %lluU", (unsigned long long)u64);
        break;
    case HY_F64:
        memcpy(&f64, at, sizeof f64);
        put(T, " %.17gf", f64);
        break;
    default:
        put(T, " ?");
    }
}

static bool put_edges(struct text *T, const hy_view *V, const hy_names *names,
                      hy_vid u)
{
    bool any = false;
    hy_for_out_span (s, V, u)
        for (uint32_t i = 0; i < s.n; i++) {
            const hy_vid v = s.v[i * s.step];
            any = true;
            if (hy_view_is_undirected(V) && v < u)
                continue;
            put_id(T, V, names, u);
            put(T, " ");
            put_id(T, V, names, v);
            for (uint32_t c = 0; c < hy_view_edge_columns(V); c++) {
                size_t step;
                const char *const at = hy_span_column(V, &s, c, &step);
                put_value(T, hy_view_edge_column(V, c).type, at + i * step);
            }
            put(T, "\n");
        }
    return any;
}

/* Which vertices have an edge that comes to them; to be freed. */
static bool *find_targets(const hy_view *V)
{
    bool *const is_target = calloc((size_t)hy_view_bound(V) + 1, 1);
    if (!is_target)
        abort();
    hy_scan scan = hy_scan_out(V, 0, hy_view_bound(V));
    while (hy_scan_next(&scan)) {
        const hy_span s = scan.span;
        for (uint32_t i = 0; i < s.n; i++)
            is_target[s.v[(size_t)i * s.step]] = true;
    }
    return is_target;
}

char *reading_text(const hy_graph *G, const hy_names *names)
{
    struct text T = { 0 };
    const hy_view *const V = hy_graph_now(G);
    bool *const is_target = find_targets(V);
    put(&T, "%s", "");
    for (hy_vid u = 0; u < hy_view_bound(V); u++)
        if (hy_view_has_vertex(V, u) && !put_edges(&T, V, names, u) &&
            !is_target[u]) {
            put_id(&T, V, names, u);
            put(&T, "\n");
        }
    free(is_target);
    return T.at;
}
