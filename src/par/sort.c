/* Sorting keys of two parts, on all threads.
 *
 *   Sort(keys)
 *     1 Check   sorted already: done
 *     2 Split   by the top bits, in the order of the input:
 *               count digits per part of the input, scan, scatter
 *     3 Blocks  each bucket that fits a cache is sorted by one thread
 *     4 Lumps   each that does not (a hub's) is split again by all
 */
#include "base/bits.h"
#include "par/pool.h"
#include "par/sort_impl.h"

#include <string.h>

enum {
    SERIAL_MAX = 1 << 14,  /* keys that are not worth waking a thread */
    SERIAL_SPLIT_BITS = 8,
    TAGGED_SPLIT_BITS = 8,
    CHECK_FIRST = 1 << 10,
    CHECK_GRAIN = 1 << 15,
    BLOCK_BITS = 9, /* a split aims at blocks of 512..1023 keys */
    MOVE_GRAIN = 1 << 15,
};

struct sorter {
    struct par_pool *pool; /* NULL: the calling thread only */
    struct sort_space space;
};

static void run(struct par_pool *pool, size_t n, par_step *step, void *arg)
{
    if (pool) {
        par_pool_run(pool, n, step, arg);
        return;
    }
    for (size_t i = 0; i < n; i++)
        step(arg, i);
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

static void swap_arrays(struct par_keys *keys)
{
    const struct par_keys was = *keys;
    keys->key = was.key_tmp;
    keys->tag = was.tag_tmp;
    keys->key_tmp = was.key;
    keys->tag_tmp = was.tag;
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

static void check_par(void *arg, size_t i)
{
    struct check *check = arg;
    if (atomic_load_explicit(&check->is_unsorted, memory_order_relaxed))
        return;
    const size_t lo = i * CHECK_GRAIN;
    const size_t rest = check->n - lo;
    /* One key of the next range, so that no neighbours are missed. */
    const size_t n = rest < CHECK_GRAIN + 1 ? rest : CHECK_GRAIN + 1;
    if (!is_sorted_range(check->key + lo, n))
        atomic_store_explicit(&check->is_unsorted, true, memory_order_relaxed);
}

static bool is_sorted(struct par_pool *pool, const struct par_keys *keys)
{
    if (!is_sorted_range(keys->key, CHECK_FIRST))
        return false;
    struct check check = { .key = keys->key, .n = keys->n };
    run(pool, bits_div_up(keys->n, CHECK_GRAIN), check_par, &check);
    return !check.is_unsorted;
}

/* ---- split ------------------------------------------------------------- */

struct split {
    struct par_keys keys;
    unsigned shift; /* of the digit */
    size_t mask;
    size_t parts, length; /* the input is cut in parts of this length */
    size_t *counts;       /* rows of `stride` */
    size_t stride;
};

static struct par_keys part_of(const struct split *split, size_t i)
{
    const size_t lo = i * split->length, n = split->keys.n;
    const size_t hi = lo + split->length;
    return slice(&split->keys, lo < n ? lo : n, hi < n ? hi : n);
}

static void count_par(void *arg, size_t i)
{
    const struct split *split = arg;
    const struct par_keys part = part_of(split, i);
    const size_t mask = split->mask;
    const unsigned shift = split->shift;
    size_t *const count = split->counts + i * split->stride;
    memset(count, 0, (mask + 1) * sizeof *count);
    for (size_t j = 0; j < part.n; j++)
        count[part.key[j] >> shift & mask]++;
}

HY_INLINE void scatter_as(const struct split *split, size_t i, bool has_tag)
{
    const struct par_keys part = part_of(split, i);
    const size_t mask = split->mask;
    const unsigned shift = split->shift;
    uint64_t *const key_out = split->keys.key_tmp;
    uint32_t *const tag_out = split->keys.tag_tmp;
    size_t *const at = split->counts + i * split->stride;
    for (size_t j = 0; j < part.n; j++) {
        const uint64_t key = part.key[j];
        const size_t to = at[key >> shift & mask]++;
        key_out[to] = key;
        if (has_tag)
            tag_out[to] = part.tag[j];
    }
}

static void scatter_par(void *arg, size_t i)
{
    const struct split *split = arg;
    if (split->keys.tag)
        scatter_as(split, i, true);
    else
        scatter_as(split, i, false);
}

/* Turns counts into where each part's keys of a digit go: earlier parts
 * first, which keeps equal keys in order.  Sets where each bucket ends;
 * returns the largest bucket. */
static size_t start_buckets(const struct split *split, size_t *end)
{
    size_t sum = 0, max = 0;
    for (size_t d = 0; d <= split->mask; d++) {
        const size_t before = sum;
        for (size_t i = 0; i < split->parts; i++) {
            size_t *const count = split->counts + i * split->stride + d;
            const size_t here = *count;
            *count = sum;
            sum += here;
        }
        end[d] = sum;
        max = sum - before > max ? sum - before : max;
    }
    return max;
}

/* ---- blocks ------------------------------------------------------------ */

static void sort_range(const struct sorter *S, const struct par_keys *keys,
                       unsigned bits, unsigned level, bool into_tmp);

/* Where a bucket is too wide to be a block though small: a second split on
 * this thread alone. */
static HY_NOINLINE void sort_serial(const struct par_keys *keys, unsigned bits,
                                    bool into_tmp)
{
    size_t rows[(1 + SORT_LEVELS) << SERIAL_SPLIT_BITS];
    const struct sorter S = { .space = { .rows = rows,
                                         .parts = 1,
                                         .split_bits = SERIAL_SPLIT_BITS } };
    sort_range(&S, keys, bits, 0, into_tmp);
}

struct blocks {
    struct par_keys keys;
    const size_t *end;
    unsigned bits; /* that may differ within a bucket */
    bool into_tmp;
};

static struct par_keys bucket_of(const struct blocks *blocks, size_t d)
{
    return slice(&blocks->keys, d ? blocks->end[d - 1] : 0, blocks->end[d]);
}

static void block_par(void *arg, size_t d)
{
    const struct blocks *blocks = arg;
    const struct par_keys keys = bucket_of(blocks, d);
    if (keys.n == 0 || keys.n > SORT_BLOCK_MAX)
        return;
    if (sort_is_block(&keys, blocks->bits))
        sort_block(&keys, blocks->bits, blocks->into_tmp);
    else
        sort_serial(&keys, blocks->bits, blocks->into_tmp);
}

/* ---- ranges ------------------------------------------------------------ */

static void move_par(void *arg, size_t i)
{
    const struct par_keys *keys = arg;
    const size_t lo = i * MOVE_GRAIN, rest = keys->n - lo;
    const struct par_keys part =
        slice(keys, lo, lo + (rest < MOVE_GRAIN ? rest : MOVE_GRAIN));
    sort_move(&part);
}

/* Bits of the next digit: what makes blocks of a good size, but from one part
 * of the key only, since those cost one shift to read. */
static unsigned digit_bits(const struct sorter *S, const struct par_keys *keys,
                           unsigned bits)
{
    const unsigned width = bits_width(keys->n);
    const unsigned most = keys->tag && S->space.split_bits > TAGGED_SPLIT_BITS
                              ? TAGGED_SPLIT_BITS
                              : S->space.split_bits;
    const unsigned in_part =
        bits > keys->low_bits ? bits - keys->low_bits : bits;
    unsigned digit = width > BLOCK_BITS + 6 ? width - BLOCK_BITS : 6;
    digit = digit < most ? digit : most;
    return digit < in_part ? digit : in_part;
}

/* Where bit `bit` of a packed key is in the key. */
static unsigned unpacked_bit(const struct par_keys *keys, unsigned bit)
{
    return bit < keys->low_bits ? bit : bit - keys->low_bits + 32;
}

static void sort_range(const struct sorter *S, const struct par_keys *keys,
                       unsigned bits, unsigned level, bool into_tmp)
{
    const unsigned digit = digit_bits(S, keys, bits);
    const size_t stride = (size_t)1 << S->space.split_bits;
    struct split split = { .keys = *keys,
                           .shift = unpacked_bit(keys, bits - digit),
                           .mask = ((size_t)1 << digit) - 1,
                           .parts = S->space.parts,
                           .length = bits_div_up(keys->n, S->space.parts),
                           .counts = S->space.rows,
                           .stride = stride };
    size_t *const end = S->space.rows + (S->space.parts + level) * stride;
    if (bits) {
        run(S->pool, split.parts, count_par, &split);
        if (start_buckets(&split, end) == keys->n) {
            sort_range(S, keys, bits - digit, level, into_tmp);
            return;
        }
        run(S->pool, split.parts, scatter_par, &split);
    } else {
        if (into_tmp)
            run(S->pool, bits_div_up(keys->n, MOVE_GRAIN), move_par, &split.keys);
        return;
    }
    struct blocks blocks = { .keys = *keys,
                             .end = end,
                             .bits = bits - digit,
                             .into_tmp = !into_tmp };
    swap_arrays(&blocks.keys);
    run(S->pool, split.mask + 1, block_par, &blocks);
    for (size_t d = 0; d <= split.mask; d++) {
        const struct par_keys lump = bucket_of(&blocks, d);
        if (lump.n > SORT_BLOCK_MAX)
            sort_range(S, &lump, blocks.bits, level + 1, !into_tmp);
    }
}

/* ------------------------------------------------------------------------ */

size_t sort_space_size(uint32_t width)
{
    size_t parts = (size_t)width * SORT_PARTS;
    parts = parts < SORT_PARTS_MAX ? parts : SORT_PARTS_MAX;
    return (parts + SORT_LEVELS) << SORT_SPLIT_BITS;
}

void par_sort(hy_ctx *ctx, struct par_keys *keys)
{
    if (keys->n <= SORT_FEW) {
        sort_few(keys);
        swap_arrays(keys);
        return;
    }
    const unsigned bits = keys->high_bits + keys->low_bits;
    if (keys->n <= SERIAL_MAX && sort_is_block(keys, bits)) {
        sort_block(keys, bits, false);
        return;
    }
    struct par_pool *pool = ctx->pool;
    if (keys->n <= SERIAL_MAX || !par_pool_acquire(pool)) {
        sort_serial(keys, bits, false);
        return;
    }
    if (!is_sorted(pool, keys)) {
        const struct sorter S = {
            .pool = pool,
            .space = { .rows = pool->sort_rows,
                       .parts = sort_space_size(pool->width) / (1 << SORT_SPLIT_BITS) - SORT_LEVELS,
                       .split_bits = SORT_SPLIT_BITS }
        };
        sort_range(&S, keys, bits, 0, false);
    }
    par_pool_release(pool);
}
