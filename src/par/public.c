/* The public door to loops and sorts. */
#include "par/par.h"

#include "base/bits.h"

#include <hypha/par.h>

#include <stdatomic.h>

enum { EDGE_GRAIN = 1 << 14 };

void hy_par_for(hy_ctx *ctx, size_t n, size_t grain,
                void (*step)(void *arg, size_t lo, size_t hi), void *arg)
{
    par_for(ctx, n, grain ? grain : 1, step, arg);
}

/* ---- sums ----------------------------------------------------------------
 */

/* Ranges of a sum, whatever the number of threads. */
enum { SUMS = 256 };

struct sums {
    uint64_t (*step)(void *arg, size_t lo, size_t hi);
    double (*step_f64)(void *arg, size_t lo, size_t hi);
    void *arg;
    size_t n, length;
    uint64_t sum[SUMS];
    double sum_f64[SUMS];
};

/* Writes the sum of its range. */
static void sums_par(void *arg, size_t i)
{
    struct sums *S = arg;
    const size_t lo = i * S->length;
    const size_t hi = S->n - lo < S->length ? S->n : lo + S->length;
    if (S->step)
        S->sum[i] = S->step(S->arg, lo, hi);
    else
        S->sum_f64[i] = S->step_f64(S->arg, lo, hi);
}

/* Runs the steps; returns how many ranges there are. */
static size_t run_sums(hy_ctx *ctx, struct sums *S)
{
    if (!S->n)
        return 0;
    S->length = bits_div_up(S->n, SUMS);
    const size_t count = bits_div_up(S->n, S->length);
    par_run(ctx, count, sums_par, S);
    return count;
}

uint64_t hy_par_sum(hy_ctx *ctx, size_t n,
                    uint64_t (*step)(void *arg, size_t lo, size_t hi),
                    void *arg)
{
    struct sums S = { .step = step, .arg = arg, .n = n };
    const size_t count = run_sums(ctx, &S);
    uint64_t sum = 0;
    for (size_t i = 0; i < count; i++)
        sum += S.sum[i];
    return sum;
}

double hy_par_sum_f64(hy_ctx *ctx, size_t n,
                      double (*step)(void *arg, size_t lo, size_t hi),
                      void *arg)
{
    struct sums S = { .step_f64 = step, .arg = arg, .n = n };
    const size_t count = run_sums(ctx, &S);
    double sum = 0;
    for (size_t i = 0; i < count; i++)
        sum += S.sum_f64[i];
    return sum;
}

uint64_t hy_par_scan(hy_ctx *ctx, uint64_t *x, size_t n)
{
    return par_scan(ctx, x, n);
}

/* ---- sorts ---------------------------------------------------------------
 */

uint64_t *hy_par_sort_keys(hy_ctx *ctx, uint64_t *keys, uint64_t *scratch,
                           uint64_t n, unsigned high_bits, unsigned low_bits)
{
    struct par_keys sort = {
        .key = keys,
        .key_tmp = scratch,
        .n = n,
        .high_bits = high_bits,
        .low_bits = low_bits,
    };
    par_sort(ctx, &sort);
    return sort.key;
}

struct edge_sort {
    hy_edge *edges;
    uint64_t *keys;
    hy_vid bound;
    _Atomic bool out_of_range; /* relaxed: read after the loop's end */
};

static void pack_par(void *arg, size_t lo, size_t hi)
{
    struct edge_sort *S = arg;
    bool fits = true;
    for (size_t i = lo; i < hi; i++) {
        const hy_edge e = S->edges[i];
        fits &= e.u < S->bound && e.v < S->bound;
        S->keys[i] = (uint64_t)e.u << 32 | e.v;
    }
    if (!fits)
        atomic_store_explicit(&S->out_of_range, true, memory_order_relaxed);
}

static void unpack_par(void *arg, size_t lo, size_t hi)
{
    struct edge_sort *S = arg;
    for (size_t i = lo; i < hi; i++)
        S->edges[i] =
            (hy_edge){ (hy_vid)(S->keys[i] >> 32), (hy_vid)S->keys[i] };
}

hy_status hy_par_sort_edges(hy_ctx *ctx, hy_edge *edges, uint64_t n,
                            hy_vid bound)
{
    if (!ctx || (n && !edges))
        return base_fail(HY_EINVAL, "no context or no edges");
    uint64_t *const keys = base_alloc_raw(ctx, n, 2 * sizeof *keys);
    if (!keys)
        return HY_ENOMEM;
    struct edge_sort S = { .edges = edges, .keys = keys, .bound = bound };
    par_for(ctx, n, EDGE_GRAIN, pack_par, &S);
    hy_status status = HY_OK;
    if (S.out_of_range) {
        status = base_fail(HY_ERANGE, "an edge has an id that is not below %u",
                           (unsigned)bound);
    } else {
        const unsigned bits = bound ? bits_width(bound - 1) : 0;
        S.keys = hy_par_sort_keys(ctx, keys, keys + n, n, bits, bits);
        par_for(ctx, n, EDGE_GRAIN, unpack_par, &S);
    }
    base_free(ctx, keys);
    return status;
}
