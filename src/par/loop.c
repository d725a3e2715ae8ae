/* Loops over ranges, and what is computed by one or two of them. */
#include "par/par.h"

#include "base/bits.h"

enum {
    /* Ranges per thread: enough that a slow one is evened out, few enough
     * that dealing them out costs nothing. */
    RANGES = 32,
    /* Pieces of a scan; their sums are on the caller's stack. */
    PIECES_MAX = 64,
    /* Numbers below which waking a thread costs more than it saves. */
    SERIAL_MAX = 1 << 19,
};

/* ---- for -------------------------------------------------------------- */

struct range_loop {
    par_range_step *step;
    void *arg;
    size_t n, length;
};

/* Writes nothing; the step answers for its range. */
static void range_par(void *arg, size_t i)
{
    const struct range_loop *loop = arg;
    const size_t lo = i * loop->length;
    const size_t rest = loop->n - lo;
    loop->step(loop->arg, lo, lo + (rest < loop->length ? rest : loop->length));
}

void par_for(hy_ctx *ctx, size_t n, size_t grain, par_range_step *step,
             void *arg)
{
    const size_t width = par_width(ctx);
    grain = grain ? grain : 1;
    if (n <= grain || width == 1) {
        if (n)
            step(arg, 0, n);
        return;
    }
    const size_t grains = bits_div_up(n, grain);
    const size_t length = bits_div_up(grains, width * RANGES) * grain;
    struct range_loop loop = {
        .step = step, .arg = arg, .n = n, .length = length
    };
    par_run(ctx, bits_div_up(n, length), range_par, &loop);
}

/* ---- for, by place ------------------------------------------------------ */

struct share {
    _Atomic uint64_t left; /* first << 32 | end; relaxed: it deals out */
    char pad[56];          /* a line each */
};

struct share_loop {
    par_share_step *step;
    void *arg;
    size_t shares, grain;
    struct share share[PAR_SHARES];
};

/* Takes half of what is left of a share, and no less than a grain, from its
 * front or its back.  false: nothing is left. */
static bool take(const struct share_loop *loop, struct share *share,
                 bool at_front, size_t *lo, size_t *hi)
{
    uint64_t left = atomic_load_explicit(&share->left, memory_order_relaxed);
    uint64_t first, end, n, rest;
    do {
        first = left >> 32;
        end = left & UINT32_MAX;
        if (first == end)
            return false;
        n = (end - first) / 2;
        n = n > loop->grain ? n : loop->grain;
        n = n < end - first ? n : end - first;
        rest = at_front ? (first + n) << 32 | end : first << 32 | (end - n);
    } while (!atomic_compare_exchange_weak_explicit(
        &share->left, &left, rest, memory_order_relaxed, memory_order_relaxed));
    *lo = at_front ? first : end - n;
    *hi = *lo + n;
    return true;
}

/* Writes nothing; the step answers for its range. */
static void share_par(void *arg, size_t i)
{
    struct share_loop *loop = arg;
    size_t lo, hi;
    while (take(loop, &loop->share[i], true, &lo, &hi))
        loop->step(loop->arg, i, lo, hi);
    for (size_t k = i + 1; k < i + loop->shares; k++)
        while (take(loop, &loop->share[k % loop->shares], false, &lo, &hi))
            loop->step(loop->arg, i, lo, hi);
}

void par_for_shares(hy_ctx *ctx, size_t n, size_t shares, size_t grain,
                    par_share_step *step, void *arg)
{
    struct share_loop loop;
    loop.step = step;
    loop.arg = arg;
    loop.shares = shares;
    loop.grain = grain ? grain : 1;
    for (uint64_t i = 0; i < shares; i++)
        atomic_init(&loop.share[i].left,
                    n * i / shares << 32 | n * (i + 1) / shares);
    par_run(ctx, shares, share_par, &loop);
}

/* ---- scan and max ------------------------------------------------------ */

struct pieces {
    const uint64_t *x; /* n of them, in `count` pieces of `length` */
    uint64_t *out;     /* of a scan: x itself */
    size_t n, length, count;
    uint64_t value[PIECES_MAX]; /* a piece's sum, then its start; or its max */
};

static struct pieces cut(hy_ctx *ctx, const uint64_t *x, size_t n)
{
    size_t count = (size_t)par_width(ctx) * 4;
    count = count < PIECES_MAX ? count : PIECES_MAX;
    const size_t length = bits_div_up(n, count);
    return (struct pieces){
        .x = x, .n = n, .length = length, .count = bits_div_up(n, length)
    };
}

static size_t piece_length(const struct pieces *pieces, size_t i)
{
    const size_t rest = pieces->n - i * pieces->length;
    return rest < pieces->length ? rest : pieces->length;
}

/* Four at once, so that a sum waits for the one four before it. */
static uint64_t scan_serial(uint64_t *x, size_t n, uint64_t sum)
{
    size_t i = 0;
    for (; i + 4 <= n; i += 4) {
        const uint64_t a = x[i], ab = a + x[i + 1];
        const uint64_t abc = ab + x[i + 2], abcd = abc + x[i + 3];
        x[i] = sum;
        x[i + 1] = sum + a;
        x[i + 2] = sum + ab;
        x[i + 3] = sum + abc;
        sum += abcd;
    }
    for (; i < n; i++) {
        const uint64_t here = x[i];
        x[i] = sum;
        sum += here;
    }
    return sum;
}

/* Writes the value of its piece. */
static void sum_par(void *arg, size_t i)
{
    struct pieces *pieces = arg;
    const uint64_t *const x = pieces->x + i * pieces->length;
    const size_t n = piece_length(pieces, i);
    uint64_t sum = 0;
    for (size_t j = 0; j < n; j++)
        sum += x[j];
    pieces->value[i] = sum;
}

/* Writes its piece. */
static void scan_par(void *arg, size_t i)
{
    struct pieces *pieces = arg;
    (void)scan_serial(pieces->out + i * pieces->length, piece_length(pieces, i),
                      pieces->value[i]);
}

uint64_t par_scan(hy_ctx *ctx, uint64_t *x, size_t n)
{
    /* Two passes by two threads are no faster than one by one: measured. */
    if (n < SERIAL_MAX || par_width(ctx) <= 2)
        return scan_serial(x, n, 0);
    struct pieces pieces = cut(ctx, x, n);
    pieces.out = x;
    par_run(ctx, pieces.count, sum_par, &pieces);
    const uint64_t total = scan_serial(pieces.value, pieces.count, 0);
    par_run(ctx, pieces.count, scan_par, &pieces);
    return total;
}

/* Four at once, as above. */
static uint64_t max_serial(const uint64_t *x, size_t n)
{
    uint64_t max[4] = { 0 };
    size_t i = 0;
    for (; i + 4 <= n; i += 4)
        for (size_t k = 0; k < 4; k++)
            max[k] = x[i + k] > max[k] ? x[i + k] : max[k];
    for (; i < n; i++)
        max[0] = x[i] > max[0] ? x[i] : max[0];
    for (size_t k = 1; k < 4; k++)
        max[0] = max[k] > max[0] ? max[k] : max[0];
    return max[0];
}

/* Writes the value of its piece. */
static void max_par(void *arg, size_t i)
{
    struct pieces *pieces = arg;
    pieces->value[i] =
        max_serial(pieces->x + i * pieces->length, piece_length(pieces, i));
}

uint64_t par_max(hy_ctx *ctx, const uint64_t *x, size_t n)
{
    if (n < SERIAL_MAX || par_width(ctx) == 1)
        return max_serial(x, n);
    struct pieces pieces = cut(ctx, x, n);
    par_run(ctx, pieces.count, max_par, &pieces);
    return max_serial(pieces.value, pieces.count);
}
