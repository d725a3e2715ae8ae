/* How many neighbours the vertices have. */
#include "cli/degrees.h"

#include "cli/progress.h"

#include <string.h>

static size_t row_of(uint32_t degree)
{
    size_t row = 0;
    for (; degree; degree >>= 1)
        row++;
    return row;
}

void degree_row(size_t row, uint64_t *lo, uint64_t *hi)
{
    *lo = row ? (uint64_t)1 << (row - 1) : 0;
    *hi = row ? 2 * *lo - 1 : 0;
}

static uint32_t degree(const hy_view *V, const uint32_t *in, hy_vid u)
{
    return in ? in[u] : hy_view_degree(V, u);
}

/* Vertices that have each degree, up to the largest. */
static uint64_t *count_degrees(const hy_view *V, const uint32_t *in,
                               struct degrees *out)
{
    const hy_vid bound = hy_view_bound(V);
    out->least = UINT32_MAX;
    double sum = 0;
    for (hy_vid u = 0; u < bound; u++) {
        if (!hy_view_has_vertex(V, u))
            continue;
        const uint32_t d = degree(V, in, u);
        out->least = d < out->least ? d : out->least;
        out->most = d > out->most ? d : out->most;
        out->row[row_of(d)]++;
        sum += d;
    }
    out->mean = sum / (double)hy_view_vertices(V);
    uint64_t *const count = cli_alloc_zeroed((size_t)out->most + 1, 8);
    for (hy_vid u = 0; u < bound; u++)
        if (hy_view_has_vertex(V, u))
            count[degree(V, in, u)]++;
    return count;
}

/* The least degree that more than `rank` vertices do not exceed. */
static uint32_t ranked(const uint64_t *count, uint64_t rank)
{
    uint32_t d = 0;
    for (uint64_t seen = count[0]; seen <= rank; seen += count[d])
        d++;
    return d;
}

static void sum_up(const hy_view *V, const uint32_t *in, struct degrees *out)
{
    const uint64_t n = hy_view_vertices(V);
    memset(out, 0, sizeof *out);
    if (!n)
        return;
    uint64_t *const count = count_degrees(V, in, out);
    out->median =
        ((double)ranked(count, (n - 1) / 2) + (double)ranked(count, n / 2)) / 2;
    cli_free(count);
    out->first_row = row_of(out->least);
    out->n_rows = row_of(out->most) + 1;
}

static void walk(const hy_view *V, uint32_t *in, bool *linked, uint64_t *loops)
{
    hy_scan scan = hy_scan_out(V, 0, hy_view_bound(V));
    while (hy_scan_next(&scan)) {
        const hy_span s = scan.span;
        for (uint32_t i = 0; i < s.n; i++) {
            const hy_vid v = s.v[i * s.step];
            if (in)
                in[v]++;
            if (v == s.u)
                ++*loops;
            else
                linked[s.u] = linked[v] = true;
        }
        cli_stop_if_asked();
    }
}

static void look_at_ids(const hy_view *V, const bool *linked, struct shape *out)
{
    const hy_vid bound = hy_view_bound(V);
    out->least = UINT64_MAX;
    for (hy_vid u = 0; u < bound; u++) {
        if (!hy_view_has_vertex(V, u))
            continue;
        const uint64_t id = hy_view_external(V, u);
        out->least = id < out->least ? id : out->least;
        out->most = id > out->most ? id : out->most;
        out->isolated += !linked[u];
    }
    const uint64_t n = hy_view_vertices(V);
    out->least = n ? out->least : 0;
    out->dense = !n || (out->least == 0 && out->most == n - 1);
}

void shape_of(const hy_view *V, struct shape *out)
{
    memset(out, 0, sizeof *out);
    const size_t bound = hy_view_bound(V);
    const bool undirected = hy_view_is_undirected(V);
    uint32_t *const in = undirected ? NULL : cli_alloc_zeroed(bound, 4);
    bool *const linked = cli_alloc_zeroed(bound, sizeof *linked);
    walk(V, in, linked, &out->loops);
    sum_up(V, NULL, &out->out);
    if (in)
        sum_up(V, in, &out->in);
    look_at_ids(V, linked, out);
    cli_free(linked);
    cli_free(in);
}
