/* Verifies strongly connected components by what makes them so.
 *
 *   1 a label is the smallest of the vertices that have it, itself one
 *   2 inside, the label reaches every one of them and is reached by it
 *   3 edges between different labels make no cycle: counting away labels
 *     that no edge enters leaves none
 */
#include "algo/scc/scc_impl.h"

struct check {
    const hy_view *V;
    struct algo_side in;
    const hy_vid *label;
    hy_vid *queue;
    uint8_t *seen;    /* a bit for each way */
    uint64_t *enters; /* edges from other labels */
    /* vertices of each label: a list through `next` */
    hy_vid *first, *next;
};

static hy_status check_labels(const struct check *C)
{
    for (hy_vid u = 0; u < C->V->bound; u++) {
        const hy_vid c = C->label[u];
        if (!view_has_vertex(C->V, u)) {
            if (c != HY_NONE)
                return base_fail(HY_EBUG, "%u is no vertex, its label is %u", u,
                                 c);
        } else if (c > u || C->label[c] != c) {
            return base_fail(HY_EBUG,
                             "%u has the label %u, which is not its "
                             "component's smallest",
                             u, c);
        }
    }
    return HY_OK;
}

/* Sees what is along the span and has the label of its vertex. */
static size_t see(struct check *C, const hy_span *s, uint8_t way, size_t n)
{
    for (uint32_t i = 0; i < s->n; i++) {
        const hy_vid v = s->v[i * s->step];
        if (C->label[v] != C->label[s->u] || C->seen[v] & way)
            continue;
        C->seen[v] |= way;
        C->queue[n++] = v;
    }
    return n;
}

/* Walks from all labels at once, inside their components. */
static void walk(struct check *C, uint8_t way)
{
    size_t n = 0;
    for (hy_vid u = 0; u < C->V->bound; u++)
        if (C->label[u] == u) {
            C->seen[u] |= way;
            C->queue[n++] = u;
        }
    for (size_t i = 0; i < n; i++) {
        if (way == 1)
            view_for_out (s, C->V, C->queue[i])
                n = see(C, &s, way, n);
        else
            algo_for_side (s, &C->in, C->queue[i])
                n = see(C, &s, way, n);
    }
}

static hy_status check_inside(struct check *C)
{
    walk(C, 1);
    walk(C, 2);
    for (hy_vid u = 0; u < C->V->bound; u++)
        if (C->label[u] != HY_NONE && C->seen[u] != 3)
            return base_fail(HY_EBUG, "%u has no path %s its label %u", u,
                             C->seen[u] & 1 ? "to" : "from", C->label[u]);
    return HY_OK;
}

/* Adds 1 to, or takes it from, the labels that edges of u enter; puts those
 * that nothing enters any more on the queue. */
static size_t cross(struct check *C, hy_vid u, bool is_away, size_t n)
{
    view_for_out (s, C->V, u)
        for (uint32_t i = 0; i < s.n; i++) {
            const hy_vid c = C->label[s.v[i * s.step]];
            if (c == C->label[u])
                continue;
            if (!is_away)
                C->enters[c]++;
            else if (--C->enters[c] == 0)
                C->queue[n++] = c;
        }
    return n;
}

static hy_status check_between(struct check *C)
{
    size_t n = 0, labels = 0;
    for (hy_vid u = 0; u < C->V->bound; u++)
        C->first[u] = HY_NONE;
    for (hy_vid u = 0; u < C->V->bound; u++) {
        const hy_vid c = C->label[u];
        if (c == HY_NONE)
            continue;
        C->next[u] = C->first[c];
        C->first[c] = u;
        (void)cross(C, u, false, 0);
    }
    for (hy_vid c = 0; c < C->V->bound; c++) {
        labels += C->label[c] == c;
        if (C->label[c] == c && C->enters[c] == 0)
            C->queue[n++] = c;
    }
    for (size_t i = 0; i < n; i++)
        for (hy_vid u = C->first[C->queue[i]]; u != HY_NONE; u = C->next[u])
            n = cross(C, u, true, n);
    return n == labels
               ? HY_OK
               : base_fail(HY_EBUG, "%zu components are on cycles", labels - n);
}

static hy_status check_reserve(struct check *C)
{
    hy_ctx *const ctx = view_ctx(C->V);
    const size_t n = C->V->bound;
    C->queue = base_alloc_raw(ctx, n, sizeof *C->queue);
    C->seen = base_alloc(ctx, n, sizeof *C->seen);
    C->enters = base_alloc(ctx, n, sizeof *C->enters);
    C->first = base_alloc_raw(ctx, n, sizeof *C->first);
    C->next = base_alloc_raw(ctx, n, sizeof *C->next);
    if (!C->queue || !C->seen || !C->enters || !C->first || !C->next)
        return HY_ENOMEM;
    return algo_side_in(&C->in, C->V);
}

static hy_status check_all(struct check *C)
{
    HY_TRY(check_labels(C));
    HY_TRY(check_inside(C));
    return check_between(C);
}

bool hy_scc_check(const hy_view *V, const hy_vid *label, const char **why)
{
    hy_ctx *const ctx = view_ctx(V);
    struct check C = { .V = V, .label = label };
    hy_status status = check_reserve(&C);
    if (status == HY_OK)
        status = check_all(&C);
    algo_side_fini(&C.in);
    base_free(ctx, C.next);
    base_free(ctx, C.first);
    base_free(ctx, C.enters);
    base_free(ctx, C.seen);
    base_free(ctx, C.queue);
    if (why)
        *why = hy_error_text();
    return status == HY_OK;
}
