/* Kinds and options: what can be made, and what is taken when not told. */
#include "gen/gen.h"

#include "base/bits.h"

#include <string.h>

enum { DEFAULT_SCALE = 16, MAX_SCALE = 32 };

static const struct {
    const char *name, *text;
} kinds[HY_GEN_KINDS] = {
#define KIND(code, name_, text_) [code] = { .name = name_, .text = text_ },
    HY_GEN_MAP(KIND)
#undef KIND
};

const char *hy_gen_name(hy_gen_kind kind)
{
    return (unsigned)kind < HY_GEN_KINDS ? kinds[kind].name : NULL;
}

const char *hy_gen_text(hy_gen_kind kind)
{
    return (unsigned)kind < HY_GEN_KINDS ? kinds[kind].text : NULL;
}

hy_gen_kind hy_gen_find(const char *name)
{
    unsigned kind = 0;
    while (kind < HY_GEN_KINDS && strcmp(kinds[kind].name, name) != 0)
        kind++;
    return (hy_gen_kind)kind;
}

static uint64_t default_degree(hy_gen_kind kind)
{
    switch (kind) {
    case HY_GEN_KRON:
    case HY_GEN_URAND:
    case HY_GEN_SMALLWORLD:
    case HY_GEN_REGULAR:
        return 16;
    case HY_GEN_PREFERENTIAL:
        return 8;
    default:
        return 0;
    }
}

/* ---- vertices ------------------------------------------------------------ */

static hy_status fail_full(uint64_t n)
{
    return base_fail(HY_EFULL, "a graph has at most %llu vertices, not %llu",
                     (unsigned long long)HY_NONE, (unsigned long long)n);
}

static hy_status count_vertices(const hy_gen_opts *o, uint64_t *n)
{
    const uint32_t scale = o->scale ? o->scale : DEFAULT_SCALE;
    if (!o->n && scale > MAX_SCALE)
        return base_fail(HY_EFULL, "a scale is at most %d, not %u", MAX_SCALE,
                         scale);
    *n = o->n ? o->n : (uint64_t)1 << scale;
    return *n > HY_NONE ? fail_full(*n) : HY_OK;
}

/* The largest r with r * r <= n. */
static uint64_t root(uint64_t n)
{
    uint64_t r = 0;
    for (uint64_t bit = (uint64_t)1 << 31; bit; bit >>= 1)
        if ((r | bit) * (r | bit) <= n)
            r |= bit;
    return r;
}

static hy_status plan_grid(struct gen_plan *P, const hy_gen_opts *o)
{
    P->rows = o->rows ? o->rows : o->columns;
    P->columns = o->columns ? o->columns : o->rows;
    if (!P->rows) {
        uint64_t n = 0;
        HY_TRY(count_vertices(o, &n));
        /* 2^scale always has two sides, even or nearly so. */
        P->rows = o->n ? root(n) : (uint64_t)1 << (bits_width(n) - 1) / 2;
        P->columns = o->n ? P->rows : n / P->rows;
        if (P->rows * P->columns != n)
            return base_fail(HY_EINVAL,
                             "a grid of %llu vertices is no square: "
                             "give its rows and columns",
                             (unsigned long long)n);
    }
    if (P->rows > HY_NONE || P->columns > HY_NONE ||
        P->rows * P->columns > HY_NONE)
        return base_fail(
            HY_EFULL, "a grid of %llu x %llu has more than %llu vertices",
            (unsigned long long)P->rows, (unsigned long long)P->columns,
            (unsigned long long)HY_NONE);
    if (o->n && o->n != P->rows * P->columns)
        return base_fail(HY_EINVAL,
                         "a grid of %llu x %llu has not %llu "
                         "vertices",
                         (unsigned long long)P->rows,
                         (unsigned long long)P->columns,
                         (unsigned long long)o->n);
    P->n = (hy_vid)(P->rows * P->columns);
    return HY_OK;
}

/* ---- degrees --------------------------------------------------------------
 */

static hy_status check_degree(const struct gen_plan *P)
{
    const unsigned long long d = P->degree, n = P->n;
    if (P->degree > HY_NONE)
        return base_fail(HY_EINVAL, "a degree of %llu is too large", d);
    switch (P->kind) {
    case HY_GEN_SMALLWORLD:
        if (d % 2)
            return base_fail(HY_EINVAL,
                             "the degree is even, half to each side, "
                             "not %llu",
                             d);
        break;
    case HY_GEN_REGULAR:
        if (!P->directed && n % 2 && d % 2)
            return base_fail(HY_EINVAL,
                             "%llu vertices of degree %llu do not pair "
                             "up: one of both must be even",
                             n, d);
        break;
    case HY_GEN_PREFERENTIAL:
        break;
    case HY_GEN_CYCLE:
        return n < 3 ? base_fail(HY_EINVAL, "a cycle has 3 vertices or more")
                     : HY_OK;
    default:
        return HY_OK;
    }
    if (d >= n)
        return base_fail(
            HY_EINVAL, "a degree of %llu needs more than %llu vertices", d, n);
    return HY_OK;
}

/* ---- edges ------------------------------------------------------------ */

static uint64_t count_edges(const struct gen_plan *P)
{
    const uint64_t n = P->n, d = P->degree, r = P->rows, c = P->columns;
    const uint64_t sides = P->directed ? 1 : 2;
    switch (P->kind) {
    case HY_GEN_KRON:
    case HY_GEN_URAND:
        return n > 1 ? n * d : 0;
    case HY_GEN_GRID:
        return r * (c - 1) + c * (r - 1);
    case HY_GEN_CYCLE:
        return n;
    case HY_GEN_COMPLETE:
        return n * (n - 1) / sides;
    case HY_GEN_SMALLWORLD:
        return n * (d / 2);
    case HY_GEN_PREFERENTIAL:
        return d * (d + 1) / 2 + (n - d - 1) * d;
    case HY_GEN_REGULAR:
        return n * d / sides;
    default:
        return n - 1;
    }
}

static uint64_t times(uint64_t n, uint64_t size)
{
    return n > UINT64_MAX / 2 / size ? UINT64_MAX / 2 : n * size;
}

hy_status hy_gen_estimate_get(const hy_gen_opts *opts, hy_gen_estimate *out)
{
    struct gen_plan P;
    HY_TRY(gen_plan_init(&P, NULL, opts));
    const uint64_t arcs = P.directed ? 1 : 2, weight = P.weights ? 4 : 0;
    /* A key and its scratch, and tags; then the list while the store sorts
     * keys of arcs, with tags if they have weights, and copies them. */
    const uint64_t making = P.kind == HY_GEN_SMALLWORLD ? 24 : 16;
    const uint64_t list = 8 + weight;
    const uint64_t loading = 16 + 2 * weight + 4 + weight;
    *out = (hy_gen_estimate){
        .n = P.n,
        .m = P.m,
        .list_bytes = times(P.m, making + weight),
        .peak_bytes = times(P.m, list + arcs * loading) + times(P.n, 48),
    };
    return HY_OK;
}

hy_status gen_plan_init(struct gen_plan *P, hy_ctx *ctx,
                        const hy_gen_opts *opts)
{
    const hy_gen_opts o = *opts;
    if ((unsigned)o.kind >= HY_GEN_KINDS)
        return base_fail(HY_EINVAL, "%d is no kind of graph", (int)o.kind);
    if (o.weights > INT32_MAX)
        return base_fail(HY_EINVAL, "weights are at most %d", INT32_MAX);
    if (!(o.probability >= 0 && o.probability <= 1))
        return base_fail(HY_EINVAL, "a probability is from 0 to 1");
    *P = (struct gen_plan){
        .ctx = ctx,
        .kind = o.kind,
        .degree = o.degree ? o.degree : default_degree(o.kind),
        .seed = o.seed,
        .weights = o.weights,
        /* By a power of two: exact. */
        .chance = (uint64_t)(o.probability * 4294967296.0),
        .directed = o.directed,
    };
    if (o.kind == HY_GEN_GRID) {
        HY_TRY(plan_grid(P, &o));
    } else {
        uint64_t n = 0;
        HY_TRY(count_vertices(&o, &n));
        P->n = (hy_vid)n;
    }
    HY_TRY(check_degree(P));
    P->m = count_edges(P);
    return HY_OK;
}
