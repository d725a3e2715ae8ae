/* Common neighbours of two vertices, by merging their sorted spans. */
#include "store/view.h"

#include <hypha/ops_intersect.h>

/* A place in an adjacency. */
struct cursor {
    const hy_view *V;
    hy_span s;
    uint32_t i;
};

static bool settle(struct cursor *c)
{
    if (c->i < c->s.n)
        return true;
    hy_span_next(c->V, &c->s);
    c->i = 0;
    return c->s.n != 0;
}

static hy_vid at(const struct cursor *c)
{
    return c->s.v[(size_t)c->i * c->s.step];
}

void hy_intersect(const hy_view *V, hy_vid u, hy_vid v, hy_common_step *step,
                  void *arg)
{
    struct cursor a = { V, hy_span_out(V, u), 0 };
    struct cursor b = { V, hy_span_out(V, v), 0 };
    while (settle(&a) && settle(&b)) {
        const hy_vid x = at(&a), y = at(&b);
        if (x == y)
            step(arg, x);
        a.i += x <= y;
        b.i += y <= x;
    }
}

static void count_one(void *arg, hy_vid v)
{
    (void)v;
    ++*(uint32_t *)arg;
}

uint32_t hy_intersect_count(const hy_view *V, hy_vid u, hy_vid v)
{
    uint32_t n = 0;
    hy_intersect(V, u, v, count_one, &n);
    return n;
}

size_t hy_intersect_sorted(const hy_vid *a, size_t na, const hy_vid *b,
                           size_t nb)
{
    size_t n = 0, i = 0, k = 0;
    while (i < na && k < nb) {
        const hy_vid x = a[i], y = b[k];
        n += x == y;
        i += x <= y;
        k += y <= x;
    }
    return n;
}
