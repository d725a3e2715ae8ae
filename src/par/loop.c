/* Loops over ranges, and what is computed by one or two of them. */
#include "base/bits.h"
#include "par/par.h"

enum {
    /* Ranges per thread: enough that a slow one is evened out, few enough
     * that dealing them out costs nothing. */
    RANGES = 32,
    /* Pieces of a scan; their sums are on the caller's stack. */
    PIECES_MAX = 64,
    /* Numbers below which waking a thread costs more than it saves. */
    SCAN_SERIAL = 1 << 16,
};

/* ---- for -------------------------------------------------------------- */

struct range_loop {
    par_range_step *step;
    void *arg;
    size_t n, length;
};

static void range_par(void *arg, size_t i)
{
    const struct range_loop *loop = arg;
    const size_t lo = i * loop->length;
    const size_t rest = loop->n - lo;
    loop->step(loop->arg, lo,
               lo + (rest < loop->length ? rest : loop->length));
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

/* ---- scan and max ------------------------------------------------------ */

struct pieces {
    uint64_t *x;
    const uint64_t *x_read;
    size_t n, length;
    uint64_t value[PIECES_MAX]; /* a piece's sum, then its start; or its max */
};

static size_t piece_end(const struct pieces *pieces, size_t i)
{
    const size_t end = (i + 1) * pieces->length;
    return end < pieces->n ? end : pieces->n;
}

/* Returns the number of pieces. */
static size_t cut(hy_ctx *ctx, struct pieces *pieces)
{
    size_t count = (size_t)par_width(ctx) * 4;
    count = count < PIECES_MAX ? count : PIECES_MAX;
    pieces->length = bits_div_up(pieces->n, count);
    return bits_div_up(pieces->n, pieces->length);
}

static uint64_t scan_serial(uint64_t *x, size_t n, uint64_t sum)
{
    for (size_t i = 0; i < n; i++) {
        const uint64_t here = x[i];
        x[i] = sum;
        sum += here;
    }
    return sum;
}

static void sum_par(void *arg, size_t i)
{
    struct pieces *pieces = arg;
    uint64_t sum = 0;
    for (size_t j = i * pieces->length; j < piece_end(pieces, i); j++)
        sum += pieces->x[j];
    pieces->value[i] = sum;
}

static void scan_par(void *arg, size_t i)
{
    struct pieces *pieces = arg;
    const size_t lo = i * pieces->length;
    (void)scan_serial(pieces->x + lo, piece_end(pieces, i) - lo,
                      pieces->value[i]);
}

uint64_t par_scan(hy_ctx *ctx, uint64_t *x, size_t n)
{
    if (n < SCAN_SERIAL || par_width(ctx) == 1)
        return scan_serial(x, n, 0);
    struct pieces pieces = { .x = x, .n = n };
    const size_t count = cut(ctx, &pieces);
    par_run(ctx, count, sum_par, &pieces);
    const uint64_t total = scan_serial(pieces.value, count, 0);
    par_run(ctx, count, scan_par, &pieces);
    return total;
}

static uint64_t max_serial(const uint64_t *x, size_t n)
{
    uint64_t max = 0;
    for (size_t i = 0; i < n; i++)
        max = x[i] > max ? x[i] : max;
    return max;
}

static void max_par(void *arg, size_t i)
{
    struct pieces *pieces = arg;
    const size_t lo = i * pieces->length;
    pieces->value[i] =
        max_serial(pieces->x_read + lo, piece_end(pieces, i) - lo);
}

uint64_t par_max(hy_ctx *ctx, const uint64_t *x, size_t n)
{
    if (n < SCAN_SERIAL || par_width(ctx) == 1)
        return max_serial(x, n);
    struct pieces pieces = { .x_read = x, .n = n };
    const size_t count = cut(ctx, &pieces);
    par_run(ctx, count, max_par, &pieces);
    return max_serial(pieces.value, count);
}
