/* Common neighbours of two vertices.
 *
 *   Intersect(u, v)
 *     if one list is much longer: look for each of the shorter one in it
 *     else, over pairs of spans: merge what overlaps, then leave the span
 *     that ends first
 */
#include "ops/intersect.h"

#include "store/view.h"

/* From this ratio of lengths on, searching beats merging. */
enum { MUCH_LONGER = 32 };

/* ---- sorted arrays ----------------------------------------------------- */

/* The first i >= from with x[i] >= key: steps that double, then halve. */
static size_t gallop(const hy_vid *x, size_t from, size_t n, hy_vid key)
{
    size_t step = 1, lo = from, hi = from;
    while (hi < n && x[hi] < key) {
        lo = hi + 1;
        hi += step;
        step *= 2;
    }
    hi = hi < n ? hi : n;
    while (lo < hi) {
        const size_t mid = lo + (hi - lo) / 2;
        if (x[mid] < key)
            lo = mid + 1;
        else
            hi = mid;
    }
    return lo;
}

static size_t count_searching(const hy_vid *few, size_t n_few,
                              const hy_vid *many, size_t n_many)
{
    size_t n = 0;
    for (size_t i = 0, k = 0; i < n_few && k < n_many; i++) {
        k = gallop(many, k, n_many, few[i]);
        n += k < n_many && many[k] == few[i];
    }
    return n;
}

size_t ops_intersect_sorted(const struct ops_intersect *loops, const hy_vid *a,
                            size_t na, const hy_vid *b, size_t nb)
{
    if (na / MUCH_LONGER > nb)
        return count_searching(b, nb, a, na);
    if (nb / MUCH_LONGER > na)
        return count_searching(a, na, b, nb);
    return loops->merge(a, na, b, nb);
}

size_t hy_intersect_sorted(const hy_vid *a, size_t na, const hy_vid *b,
                           size_t nb)
{
    return ops_intersect_sorted(ops_intersect_best(), a, na, b, nb);
}

/* ---- adjacencies ------------------------------------------------------- */

/* What is done with common neighbours: `step` if there is one, else they are
 * counted. */
struct sink {
    hy_common_step *step;
    void *arg;
    uint32_t n;
};

static void emit(struct sink *out, hy_vid v)
{
    if (out->step)
        out->step(out->arg, v);
    out->n++;
}

static hy_vid span_at(const hy_span *s, uint32_t i)
{
    return s->v[(size_t)i * s->step];
}

/* The part of a span that is not done. */
static hy_span span_from(const hy_span *s, uint32_t i)
{
    hy_span rest = *s;
    rest.v += (size_t)i * s->step;
    rest.n -= i;
    return rest;
}

/* How many of the span are <= v. */
static uint32_t span_upto(const hy_span *s, hy_vid v)
{
    uint32_t lo = 0, hi = s->n;
    while (lo < hi) {
        const uint32_t mid = lo + (hi - lo) / 2;
        if (span_at(s, mid) <= v)
            lo = mid + 1;
        else
            hi = mid;
    }
    return lo;
}

static void merge_steps(struct sink *out, const hy_span *a, uint32_t na,
                        const hy_span *b, uint32_t nb)
{
    uint32_t i = 0, k = 0;
    while (i < na && k < nb) {
        const hy_vid x = span_at(a, i), y = span_at(b, k);
        if (x == y)
            emit(out, x);
        i += x <= y;
        k += y <= x;
    }
}

static void merge(const hy_view *V, hy_vid u, hy_vid v, struct sink *out)
{
    const struct ops_intersect *loops = ops_intersect_best();
    hy_span a = hy_span_out(V, u), b = hy_span_out(V, v);
    while (a.n && b.n) {
        const hy_vid last_a = span_at(&a, a.n - 1);
        const hy_vid last_b = span_at(&b, b.n - 1);
        const uint32_t na = last_a <= last_b ? a.n : span_upto(&a, last_b);
        const uint32_t nb = last_b <= last_a ? b.n : span_upto(&b, last_a);
        if (out->step || a.step != 1)
            merge_steps(out, &a, na, &b, nb);
        else
            out->n += (uint32_t)ops_intersect_sorted(loops, a.v, na, b.v, nb);
        a = span_from(&a, na);
        b = span_from(&b, nb);
        if (!a.n)
            hy_span_next(V, &a);
        if (!b.n)
            hy_span_next(V, &b);
    }
}

static void search(const hy_view *V, hy_vid few, hy_vid many, struct sink *out)
{
    hy_for_out_span (s, V, few)
        for (uint32_t i = 0; i < s.n; i++)
            if (hy_view_has_edge(V, many, span_at(&s, i)))
                emit(out, span_at(&s, i));
}

static void intersect(const hy_view *V, hy_vid u, hy_vid v, struct sink *out)
{
    const uint32_t nu = hy_view_degree(V, u), nv = hy_view_degree(V, v);
    if (nu / MUCH_LONGER > nv)
        search(V, v, u, out);
    else if (nv / MUCH_LONGER > nu)
        search(V, u, v, out);
    else
        merge(V, u, v, out);
}

void hy_intersect(const hy_view *V, hy_vid u, hy_vid v, hy_common_step *step,
                  void *arg)
{
    struct sink out = { step, arg, 0 };
    intersect(V, u, v, &out);
}

uint32_t hy_intersect_count(const hy_view *V, hy_vid u, hy_vid v)
{
    struct sink out = { NULL, NULL, 0 };
    intersect(V, u, v, &out);
    return out.n;
}
