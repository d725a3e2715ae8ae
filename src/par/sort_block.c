/* Sorting a block of keys within a cache, on one thread.
 *
 *   Block(keys)
 *     1 Few      put each key at its rank, by comparing all pairs: quadratic,
 *                but no branch depends on a key
 *     2 Pack     make a number of each key: the bits that may differ and, if
 *                there are tags, the key's index below them
 *     3 Sort     the numbers, see below; none if they are sorted
 *     4 Unpack   numbers to keys; fetch each tag by its index
 *
 * Numbers are all different, or equal and then the same: from here on no
 * order has to be kept and no tag carried.
 *
 *   Spread(x)    one pass by so many top bits that a bucket gets a number or
 *                two, then tidy neighbours
 *   Digits(x)    least significant digit first
 *
 * Spread touches a number twice whatever its length, and takes 5.5 ns for
 * each where digits of 40 bits take 7.5 to 9; but it needs even buckets that
 * fit the first cache.  So digits sort what is long or, when the counts show
 * it, skewed; what is skewed but too short for the digits' counters to pay
 * is spread again, bucket by bucket.
 */
#include "par/sort_impl.h"

#include "base/bits.h"

#include <assert.h>
#include <string.h>

enum {
    SPREAD_BITS_MIN = 6,
    SPREAD_BITS_MAX = 13,
    SPREAD_MAX = 2 << SPREAD_BITS_MAX, /* numbers; below 2^16 */
    SHORT_BITS_MAX = 9,
    SHORT_MAX = 2 << SHORT_BITS_MAX, /* numbers too few for digits */
    SKEW = 6,  /* mean size of a number's bucket from which it is too full */
    LUMP = 24, /* numbers in one bucket that are too many to insert */
    DIGIT_BITS = 10,
    DIGITS_MAX = 7, /* of 64 bits */
};

static_assert(SPREAD_MAX <= UINT16_MAX, "counters of buckets");
static_assert(DIGITS_MAX * DIGIT_BITS >= 64, "digits of a number");

/* ---- rank -------------------------------------------------------------- */

/* Rank among the others of key j: smaller ones, and equal ones before it. */
HY_INLINE size_t rank_one(const uint64_t *key, size_t n, size_t j)
{
    size_t rank = 0;
    for (size_t i = 0; i < j; i++)
        rank += key[i] <= key[j];
    for (size_t i = j + 1; i < n; i++)
        rank += key[i] < key[j];
    return rank;
}

/* Ranks of keys j..j+3: each key that is loaded is compared with four. */
HY_INLINE void rank_four(const uint64_t *key, size_t n, size_t j, size_t *rank)
{
    const uint64_t a = key[j], b = key[j + 1], c = key[j + 2], d = key[j + 3];
    size_t in_a = (size_t)(b < a) + (c < a) + (d < a);
    size_t in_b = (size_t)(a <= b) + (c < b) + (d < b);
    size_t in_c = (size_t)(a <= c) + (b <= c) + (d < c);
    size_t in_d = (size_t)(a <= d) + (b <= d) + (c <= d);
    for (size_t i = 0; i < j; i++) {
        in_a += key[i] <= a;
        in_b += key[i] <= b;
        in_c += key[i] <= c;
        in_d += key[i] <= d;
    }
    for (size_t i = j + 4; i < n; i++) {
        in_a += key[i] < a;
        in_b += key[i] < b;
        in_c += key[i] < c;
        in_d += key[i] < d;
    }
    rank[0] = in_a;
    rank[1] = in_b;
    rank[2] = in_c;
    rank[3] = in_d;
}

HY_INLINE void put(const struct par_keys *keys, size_t from, size_t to)
{
    keys->key_tmp[to] = keys->key[from];
    if (keys->tag)
        keys->tag_tmp[to] = keys->tag[from];
}

void sort_few(const struct par_keys *keys)
{
    const size_t n = keys->n;
    size_t j = 0;
    for (; j + 4 <= n; j += 4) {
        size_t rank[4];
        rank_four(keys->key, n, j, rank);
        for (size_t i = 0; i < 4; i++)
            put(keys, j + i, rank[i]);
    }
    for (; j < n; j++)
        put(keys, j, rank_one(keys->key, n, j));
}

/* ---- numbers: digits --------------------------------------------------- */

HY_INLINE void count_digits(const uint64_t *x, size_t n, unsigned from,
                            unsigned bits, unsigned digits,
                            uint32_t (*at)[1 << DIGIT_BITS])
{
    const uint64_t mask = ((uint64_t)1 << bits) - 1;
    for (size_t i = 0; i < n; i++) {
        uint64_t rest = x[i] >> from;
        for (unsigned d = 0; d < digits; d++) {
            at[d][rest & mask]++;
            rest >>= bits;
        }
    }
}

static void scatter(const uint64_t *x, uint64_t *y, size_t n, unsigned shift,
                    uint64_t mask, uint32_t *at)
{
    uint32_t sum = 0;
    for (size_t d = 0; d <= mask; d++) {
        const uint32_t here = at[d];
        at[d] = sum;
        sum += here;
    }
    for (size_t i = 0; i < n; i++) {
        const uint64_t here = x[i];
        y[at[here >> shift & mask]++] = here;
    }
}

/* Sorts the numbers x, which vary in bits from..top-1, with y as scratch.
 * Returns where they are: x or y. */
static HY_NOINLINE uint64_t *sort_digits(uint64_t *x, uint64_t *y, size_t n,
                                         unsigned from, unsigned top)
{
    const unsigned digits = (top - from + DIGIT_BITS - 1) / DIGIT_BITS;
    const unsigned bits = (top - from + digits - 1) / digits;
    const uint64_t mask = ((uint64_t)1 << bits) - 1;
    uint32_t at[DIGITS_MAX][1 << DIGIT_BITS];
    memset(at, 0, digits * sizeof *at);
    if (digits == 3) /* the usual two have loops of their own, unrolled */
        count_digits(x, n, from, bits, 3, at);
    else if (digits == 4)
        count_digits(x, n, from, bits, 4, at);
    else
        count_digits(x, n, from, bits, digits, at);
    for (unsigned d = 0; d < digits; d++) {
        const unsigned shift = from + d * bits;
        if (at[d][x[0] >> shift & mask] == n)
            continue;
        scatter(x, y, n, shift, mask, at[d]);
        uint64_t *const swap = x;
        x = y;
        y = swap;
    }
    return x;
}

/* ---- numbers: spread --------------------------------------------------- */

struct spread {
    unsigned shift;
    uint64_t mask; /* buckets - 1 */
    bool is_skewed;
};

static unsigned clamp(unsigned x, unsigned least, unsigned most)
{
    return x < least ? least : x < most ? x : most;
}

/* Counts the numbers of each bucket; they vary in bits below `top`. */
HY_INLINE struct spread survey(const uint64_t *x, size_t n, unsigned top,
                               unsigned bits_most, uint16_t *count)
{
    unsigned bits = clamp(bits_width(n - 1) - 1, SPREAD_BITS_MIN, bits_most);
    bits = bits < top ? bits : top;
    const unsigned shift = top - bits;
    const uint64_t mask = ((uint64_t)1 << bits) - 1;
    memset(count, 0, sizeof *count << bits);
    for (size_t i = 0; i < n; i++)
        count[x[i] >> shift & mask]++;
    uint64_t squares = 0;
    for (size_t d = 0; d <= mask; d++)
        squares += (uint32_t)count[d] * count[d];
    return (struct spread){ .shift = shift,
                            .mask = mask,
                            .is_skewed = shift && squares > SKEW * n };
}

/* Moves the numbers x to their buckets in y; a count becomes an end. */
HY_INLINE void spread(const uint64_t *x, uint64_t *y, size_t n,
                      struct spread how, uint16_t *at)
{
    uint32_t sum = 0;
    for (size_t d = 0; d <= how.mask; d++) {
        const uint32_t here = at[d];
        at[d] = (uint16_t)sum;
        sum += here;
    }
    for (size_t i = 0; i < n; i++) {
        const uint64_t here = x[i];
        y[at[here >> how.shift & how.mask]++] = here;
    }
}

/* Sorts what is almost sorted.  The two passes of exchanges have no branch
 * to mispredict and leave little to the insertions. */
static void tidy(uint64_t *x, size_t n)
{
    uint64_t max = x[0];
    for (size_t i = 1; i < n; i++) {
        const uint64_t here = x[i];
        x[i - 1] = here < max ? here : max;
        max = here < max ? max : here;
    }
    uint64_t min = max;
    for (size_t i = n - 1; i > 0; i--) {
        const uint64_t here = x[i - 1];
        x[i] = here < min ? min : here;
        min = here < min ? here : min;
    }
    x[0] = min;
    for (size_t i = 1; i < n; i++) {
        const uint64_t here = x[i];
        if (HY_LIKELY(x[i - 1] <= here))
            continue;
        size_t j = i;
        for (; j > 0 && x[j - 1] > here; j--)
            x[j] = x[j - 1];
        x[j] = here;
    }
}

static uint64_t find_varying(const uint64_t *x, size_t n)
{
    uint64_t varying = 0;
    for (size_t i = 1; i < n; i++)
        varying |= x[i] ^ x[0];
    return varying;
}

static void spread_short(uint64_t *x, uint64_t *y, size_t n, unsigned top);

/* Sorts the buckets of x that are lumps; bucket d ends at end[d]. */
static void spread_lumps(uint64_t *x, uint64_t *y, const uint16_t *end,
                         size_t buckets)
{
    size_t lo = 0;
    for (size_t d = 0; d < buckets; d++) {
        const size_t n = end[d] - lo;
        const uint64_t varying = n > LUMP ? find_varying(x + lo, n) : 0;
        if (varying) {
            spread_short(x + lo, y + lo, n, bits_width(varying));
            memcpy(x + lo, y + lo, n * sizeof *x);
        }
        lo = end[d];
    }
}

/* Sorts the numbers x, at most SHORT_MAX, into y; they vary in bits below
 * `top`.  Recursive: each frame of 1 KiB takes 6 or more bits off `top`. */
static void spread_short(uint64_t *x, uint64_t *y, size_t n, unsigned top)
{
    uint16_t at[1 << SHORT_BITS_MAX];
    const struct spread how = survey(x, n, top, SHORT_BITS_MAX, at);
    spread(x, y, n, how, at);
    if (how.is_skewed)
        spread_lumps(y, x, at, how.mask + 1);
    if (how.shift)
        tidy(y, n);
}

/* Sorts the numbers x, at most SPREAD_MAX, into y if they are not skewed. */
static HY_NOINLINE bool spread_long(const uint64_t *x, uint64_t *y, size_t n,
                                    unsigned top)
{
    uint16_t at[1 << SPREAD_BITS_MAX];
    const struct spread how = survey(x, n, top, SPREAD_BITS_MAX, at);
    if (how.is_skewed)
        return false;
    spread(x, y, n, how, at);
    if (how.shift)
        tidy(y, n);
    return true;
}

/* ---- keys and numbers -------------------------------------------------- */

/* A number is (key's bits below `bits`) << index_bits | index. */
struct form {
    unsigned low_bits;
    unsigned index_bits; /* 0 without tags */
    uint64_t below;      /* mask of packed bits that may differ */
    uint64_t same;       /* the other bits, which all keys have in common */
};

static struct form choose_form(const struct par_keys *keys, unsigned bits)
{
    const uint64_t below = bits < 64 ? ((uint64_t)1 << bits) - 1 : UINT64_MAX;
    return (struct form){
        .low_bits = keys->low_bits,
        .index_bits = keys->tag ? bits_width(keys->n - 1) : 0,
        .below = below,
        .same = sort_pack(keys->key[0], keys->low_bits) & ~below,
    };
}

struct packed {
    uint64_t varying; /* packed bits in which some keys differ */
    bool is_sorted;
};

/* Makes the numbers in key_tmp. */
HY_INLINE struct packed pack_as(const struct par_keys *keys, struct form form,
                                bool has_tag)
{
    const uint64_t *const key = keys->key;
    uint64_t *const x = keys->key_tmp;
    uint64_t varying = 0, inversions = 0;
    const uint64_t first = sort_pack(key[0], form.low_bits) & form.below;
    uint64_t last = first;
    for (size_t i = 0; i < keys->n; i++) {
        const uint64_t here = sort_pack(key[i], form.low_bits) & form.below;
        varying |= here ^ first;
        inversions += last > here;
        last = here;
        x[i] = has_tag ? here << form.index_bits | i : here;
    }
    return (struct packed){ .varying = varying, .is_sorted = inversions == 0 };
}

static struct packed pack(const struct par_keys *keys, struct form form)
{
    return keys->tag ? pack_as(keys, form, true) : pack_as(keys, form, false);
}

static void unpack(const struct par_keys *keys, struct form form,
                   const uint64_t *x, uint64_t *out)
{
    const size_t n = keys->n;
    if (!keys->tag) {
        for (size_t i = 0; i < n; i++)
            out[i] = sort_unpack(x[i] | form.same, form.low_bits);
        return;
    }
    const uint64_t mask = ((uint64_t)1 << form.index_bits) - 1;
    for (size_t i = 0; i < n; i++) {
        const uint64_t here = x[i];
        out[i] =
            sort_unpack(here >> form.index_bits | form.same, form.low_bits);
        keys->tag_tmp[i] = keys->tag[here & mask];
    }
}

/* Sorts the numbers in key_tmp; returns where they are: there or in key. */
static uint64_t *sort_numbers(const struct par_keys *keys, unsigned index_bits,
                              uint64_t varying)
{
    uint64_t *const x = keys->key_tmp, *const y = keys->key;
    const size_t n = keys->n;
    const unsigned top = index_bits + bits_width(varying);
    if (n <= SHORT_MAX) {
        spread_short(x, y, n, top);
        return y;
    }
    if (n <= SPREAD_MAX && spread_long(x, y, n, top))
        return y;
    const unsigned from = index_bits + (unsigned)__builtin_ctzll(varying);
    return sort_digits(x, y, n, from, top);
}

void sort_move(const struct par_keys *keys)
{
    memcpy(keys->key_tmp, keys->key, keys->n * sizeof *keys->key);
    if (keys->tag)
        memcpy(keys->tag_tmp, keys->tag, keys->n * sizeof *keys->tag);
}

static void move_back(const struct par_keys *keys)
{
    memcpy(keys->key, keys->key_tmp, keys->n * sizeof *keys->key);
    if (keys->tag)
        memcpy(keys->tag, keys->tag_tmp, keys->n * sizeof *keys->tag);
}

bool sort_is_block(const struct par_keys *keys, unsigned bits)
{
    return keys->n <= SORT_BLOCK_MAX &&
           (!keys->tag || bits + bits_width(keys->n) <= 64);
}

void sort_block(const struct par_keys *keys, unsigned bits, bool into_tmp)
{
    if (keys->n <= SORT_FEW) {
        sort_few(keys);
        if (!into_tmp)
            move_back(keys);
        return;
    }
    const struct form form = choose_form(keys, bits);
    const struct packed packed = pack(keys, form);
    if (packed.is_sorted) {
        if (into_tmp)
            sort_move(keys);
        return;
    }
    const uint64_t *const x =
        sort_numbers(keys, form.index_bits, packed.varying);
    unpack(keys, form, x, into_tmp ? keys->key_tmp : keys->key);
    if (keys->tag && !into_tmp)
        memcpy(keys->tag, keys->tag_tmp, keys->n * sizeof *keys->tag);
}
