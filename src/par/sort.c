/* Sorting keys of two parts, on all threads.
 *
 *   Sort(keys)
 *     1 Check    sorted already: done
 *     2 Split    by the top bits, in the order of the input: count digits in
 *                each part of the input, add up, scatter
 *     3 Blocks   a bucket that fits a cache is sorted there, by one thread
 *     4 Lumps    one that holds much of the input (a hub's) is split again,
 *                by all threads
 *
 * Keys cross memory twice, in split and blocks, whatever their length; least
 * significant digit first takes them across once per digit, and wakes the
 * threads as often.  Measured on two cores with 1 MiB of cache each, 20 + 20
 * bits, medians in ns per key on one thread and on two:
 *
 *     n = 10^6   split and blocks   9.2  7.5    digits of 10 bits  10.3  8.7
 *     n = 10^7                     10.2  5.2                       12.9  7.0
 *
 * A split has at most 2^10 buckets, 2^8 with tags: with 2^11 streams of
 * writes, scattering takes twice as long.  Gathering a bucket's writes in a
 * cache line of our own first was slower for any number of buckets.
 */
#include "par/pool.h"
#include "par/sort_impl.h"

#include "base/bits.h"

#include <assert.h>
#include <string.h>

enum {
    SERIAL_MAX = 1 << 15, /* keys that are not worth waking a thread */
    CHECK_FIRST = 1 << 10,
    GRAIN = 1 << 15, /* keys to check or to move in one go */
    LUMPS = 16,      /* a bucket of more than 1/16 of a thread's share is one */
    BUCKET_BITS = 9, /* a split aims at buckets of 2^9..2^10 keys, */
    SPLIT_BITS_MIN = 6,    /* with digits of this length */
    TAGGED_SPLIT_BITS = 8, /* to this with tags */
    SERIAL_SPLIT_BITS = 8, /* or this with counters on the stack */
};

/* Who sorts, and its counters: a row for each part, then one per level. */
struct sorter {
    struct par_pool *pool; /* NULL: the calling thread alone */
    size_t *rows;
    size_t parts;
    unsigned split_bits; /* a row has 1 << split_bits counters */
};

static size_t min_size(size_t a, size_t b)
{
    return a < b ? a : b;
}

static struct par_keys slice(const struct par_keys *keys, size_t lo, size_t hi)
{
    struct par_keys part = *keys;
    part.key += lo;
    part.key_tmp += lo;
    if (keys->tag) {
        part.tag += lo;
        part.tag_tmp += lo;
    }
    part.n = hi - lo;
    return part;
}

static struct par_keys swapped(const struct par_keys *keys)
{
    struct par_keys swap = *keys;
    swap.key = keys->key_tmp;
    swap.key_tmp = keys->key;
    swap.tag = keys->tag_tmp;
    swap.tag_tmp = keys->tag;
    return swap;
}

/* ---- check ------------------------------------------------------------- */

struct check {
    const uint64_t *key;
    size_t n;
    _Atomic bool is_unsorted; /* relaxed: only ever becomes true */
};

static bool is_sorted_range(const uint64_t *key, size_t n)
{
    for (size_t i = 1; i < n; i++)
        if (key[i - 1] > key[i])
            return false;
    return true;
}

/* All threads may set the flag. */
static void check_par(void *arg, size_t i)
{
    struct check *check = arg;
    if (atomic_load_explicit(&check->is_unsorted, memory_order_relaxed))
        return;
    const size_t lo = i * GRAIN;
    /* One key of the next range, so that no neighbours are missed. */
    const size_t n = min_size(check->n - lo, GRAIN + 1);
    if (!is_sorted_range(check->key + lo, n))
        atomic_store_explicit(&check->is_unsorted, true, memory_order_relaxed);
}

static bool is_sorted(struct par_pool *pool, const struct par_keys *keys)
{
    if (!is_sorted_range(keys->key, min_size(keys->n, CHECK_FIRST)))
        return false;
    struct check check = { .key = keys->key, .n = keys->n };
    struct par_phase phase = { .n = bits_div_up(keys->n, GRAIN),
                               .step = check_par };
    par_pool_run(pool, &phase, 1, &check);
    return !atomic_load_explicit(&check.is_unsorted, memory_order_relaxed);
}

/* ---- split ------------------------------------------------------------- */

enum { COUNT, SCATTER, BLOCKS, PHASES };

struct split {
    struct par_keys keys;    /* the input */
    struct par_keys buckets; /* the same arrays, swapped */
    unsigned bits;           /* low packed bits in which keys may differ */
    unsigned digit;          /* the top ones of them, by which we split */
    bool into_tmp;
    unsigned shift; /* of the digit in a key */
    size_t mask;    /* buckets - 1 */
    size_t parts;
    size_t *counts; /* a row of `stride` per part */
    size_t *end;    /* of each bucket */
    size_t stride;
    bool is_alone;
    size_t lump; /* if not alone: keys that are too many for one thread */
    struct par_phase phases[PHASES];
};

static struct par_keys part_of(const struct split *split, size_t i)
{
    const size_t n = split->keys.n;
    const size_t length = bits_div_up(n, split->parts);
    return slice(&split->keys, min_size(i * length, n),
                 min_size((i + 1) * length, n));
}

static struct par_keys bucket_of(const struct split *split, size_t d)
{
    return slice(&split->buckets, d ? split->end[d - 1] : 0, split->end[d]);
}

/* Writes the row of its part. */
static void count_par(void *arg, size_t i)
{
    const struct split *split = arg;
    const struct par_keys part = part_of(split, i);
    const unsigned shift = split->shift;
    const size_t mask = split->mask;
    size_t *const count = split->counts + i * split->stride;
    memset(count, 0, (mask + 1) * sizeof *count);
    for (size_t j = 0; j < part.n; j++)
        count[part.key[j] >> shift & mask]++;
}

/* Turns counts into where a part's keys of a digit go: those of earlier
 * parts come first, which keeps equal keys in order. */
static void start_buckets(void *arg)
{
    struct split *split = arg;
    const size_t n = split->keys.n;
    size_t sum = 0;
    for (size_t d = 0; d <= split->mask; d++) {
        const size_t before = sum;
        for (size_t i = 0; i < split->parts; i++) {
            size_t *const count = split->counts + i * split->stride + d;
            const size_t here = *count;
            *count = sum;
            sum += here;
        }
        split->end[d] = sum;
        if (sum - before == n) /* all in one bucket: there is no split */
            split->phases[SCATTER].n = split->phases[BLOCKS].n = 0;
    }
}

HY_INLINE void scatter_as(const struct split *split, size_t i, bool has_tag)
{
    const struct par_keys part = part_of(split, i);
    const unsigned shift = split->shift;
    const size_t mask = split->mask;
    uint64_t *const key = split->buckets.key;
    uint32_t *const tag = split->buckets.tag;
    size_t *const at = split->counts + i * split->stride;
    for (size_t j = 0; j < part.n; j++) {
        const uint64_t here = part.key[j];
        const size_t to = at[here >> shift & mask]++;
        key[to] = here;
        if (has_tag)
            tag[to] = part.tag[j];
    }
}

/* Writes where no other part does, and its row. */
static void scatter_par(void *arg, size_t i)
{
    const struct split *split = arg;
    if (split->keys.tag)
        scatter_as(split, i, true);
    else
        scatter_as(split, i, false);
}

/* ---- blocks ------------------------------------------------------------ */

static void sort_range(const struct sorter *S, const struct par_keys *keys,
                       unsigned bits, unsigned level, bool into_tmp);

/* Splits and sorts on this thread, with counters on its stack: a bucket that
 * is no block, or what a second caller brings while the pool is busy. */
static HY_NOINLINE void sort_alone(const struct par_keys *keys, unsigned bits,
                                   bool into_tmp)
{
    size_t rows[(1 + SORT_LEVELS) << SERIAL_SPLIT_BITS];
    const struct sorter S = { .rows = rows,
                              .parts = 1,
                              .split_bits = SERIAL_SPLIT_BITS };
    sort_range(&S, keys, bits, 0, into_tmp);
}

/* Is this bucket to be split in its turn by whoever split? */
static bool is_lump(const struct split *split, const struct par_keys *bucket)
{
    return split->is_alone ? !sort_is_block(bucket, split->bits - split->digit)
                           : bucket->n > split->lump;
}

/* Writes its bucket, in both arrays. */
static void block_par(void *arg, size_t d)
{
    const struct split *split = arg;
    const struct par_keys keys = bucket_of(split, d);
    const unsigned bits = split->bits - split->digit;
    if (keys.n == 0 || is_lump(split, &keys))
        return;
    if (sort_is_block(&keys, bits))
        sort_block(&keys, bits, !split->into_tmp);
    else
        sort_alone(&keys, bits, !split->into_tmp);
}

/* ---- ranges ------------------------------------------------------------ */

/* Writes its range of the scratch. */
static void move_par(void *arg, size_t i)
{
    const struct par_keys *keys = arg;
    const size_t lo = i * GRAIN;
    const struct par_keys part = slice(keys, lo, min_size(lo + GRAIN, keys->n));
    sort_move(&part);
}

static void move_range(const struct sorter *S, const struct par_keys *keys)
{
    struct par_keys from = *keys;
    struct par_phase phase = { .n = bits_div_up(from.n, GRAIN),
                               .step = move_par };
    par_pool_run(S->pool, &phase, 1, &from);
}

/* The length of the next digit: what makes blocks of a good size, but of one
 * part of the key only, as that takes one shift to read. */
static unsigned digit_bits(const struct sorter *S, const struct par_keys *keys,
                           unsigned bits)
{
    const unsigned in_part =
        bits > keys->low_bits ? bits - keys->low_bits : bits;
    unsigned digit = bits_width(keys->n);
    digit = digit > BUCKET_BITS + SPLIT_BITS_MIN ? digit - BUCKET_BITS
                                                 : SPLIT_BITS_MIN;
    digit = digit < S->split_bits ? digit : S->split_bits;
    if (keys->tag && digit > TAGGED_SPLIT_BITS)
        digit = TAGGED_SPLIT_BITS;
    return digit < in_part ? digit : in_part;
}

static struct split plan(const struct sorter *S, const struct par_keys *keys,
                         unsigned bits, unsigned level)
{
    const unsigned digit = digit_bits(S, keys, bits);
    const unsigned from = bits - digit;
    const size_t buckets = (size_t)1 << digit;
    const size_t stride = (size_t)1 << S->split_bits;
    const size_t width = S->pool ? S->pool->width : 1;
    const size_t lump = keys->n / (width * LUMPS);
    return (struct split){
        .keys = *keys,
        .buckets = swapped(keys),
        .bits = bits,
        .digit = digit,
        .shift = from < keys->low_bits ? from : from - keys->low_bits + 32,
        .mask = buckets - 1,
        .parts = S->parts,
        .counts = S->rows,
        .end = S->rows + (S->parts + level) * stride,
        .stride = stride,
        .is_alone = !S->pool,
        .lump = lump > SORT_BLOCK_MAX ? lump : SORT_BLOCK_MAX,
        .phases = { [COUNT] = { S->parts, count_par, start_buckets },
                    [SCATTER] = { S->parts, scatter_par, NULL },
                    [BLOCKS] = { buckets, block_par, NULL } },
    };
}

/* Sorts keys that differ in their low `bits` packed bits only. */
static void sort_range(const struct sorter *S, const struct par_keys *keys,
                       unsigned bits, unsigned level, bool into_tmp)
{
    if (bits == 0) {
        if (into_tmp)
            move_range(S, keys);
        return;
    }
    assert(level < SORT_LEVELS);
    struct split split = plan(S, keys, bits, level);
    split.into_tmp = into_tmp;
    par_pool_run(S->pool, split.phases, PHASES, &split);
    const unsigned rest = bits - split.digit;
    if (split.phases[SCATTER].n == 0) {
        sort_range(S, keys, rest, level, into_tmp);
        return;
    }
    for (size_t d = 0; d <= split.mask; d++) {
        const struct par_keys lump = bucket_of(&split, d);
        if (is_lump(&split, &lump))
            sort_range(S, &lump, rest, level + 1, !into_tmp);
    }
}

void par_sort(hy_ctx *ctx, struct par_keys *keys)
{
    if (keys->n <= SORT_FEW) {
        sort_few(keys);
        *keys = swapped(keys);
        return;
    }
    const unsigned bits = keys->high_bits + keys->low_bits;
    if (keys->n <= SERIAL_MAX && sort_is_block(keys, bits)) {
        sort_block(keys, bits, false);
        return;
    }
    struct par_pool *pool = ctx->pool;
    if (keys->n <= SERIAL_MAX || !par_pool_acquire(pool)) {
        if (!is_sorted(NULL, keys))
            sort_alone(keys, bits, false);
        return;
    }
    const struct sorter S = { .pool = pool,
                              .rows = pool->sort_rows,
                              .parts = sort_parts(pool->width),
                              .split_bits = SORT_SPLIT_BITS };
    if (!is_sorted(pool, keys))
        sort_range(&S, keys, bits, 0, false);
    par_pool_release(pool);
}
