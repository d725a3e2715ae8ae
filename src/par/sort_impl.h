/* The sort's inside: keys as one number, and blocks that fit a cache. */
#ifndef PAR_SORT_IMPL_H
#define PAR_SORT_IMPL_H

#include "par/par.h"

enum {
    SORT_FEW = 24,            /* keys that are sorted by comparing all pairs */
    SORT_BLOCK_MAX = 1 << 16, /* keys of a block: with scratch, a cache full */
    SORT_SPLIT_BITS = 10,     /* of a split's digit, at most */
    SORT_LEVELS = 8,          /* splits within splits: 32 + 32 bits by 8 */
};

/* Parts of the input that are counted apart, with so many threads: two for
 * each, so that a slow one is helped.  The pool has a row of 1 <<
 * SORT_SPLIT_BITS counters for each part and each level, made with it, since
 * the sort cannot fail and a stack should not be asked for so much. */
static inline size_t sort_parts(uint32_t width)
{
    return width == 1 ? 1 : width < 32 ? (size_t)width * 2 : 64;
}

/* A key without the gap between its parts; keeps the order of keys. */
HY_INLINE uint64_t sort_pack(uint64_t key, unsigned low_bits)
{
    return (key >> 32) << low_bits | (uint32_t)key;
}

HY_INLINE uint64_t sort_unpack(uint64_t packed, unsigned low_bits)
{
    const uint64_t low = packed & (((uint64_t)1 << low_bits) - 1);
    return (packed >> low_bits) << 32 | low;
}

/* Sorts a few keys into their scratch. */
void sort_few(const struct par_keys *keys);

/* Are these few enough for a block, and is a key's `bits` low packed bits,
 * the others being known to be equal, one number with its index? */
bool sort_is_block(const struct par_keys *keys, unsigned bits);

/* Sorts a block on the calling thread.  The result is in key_tmp and tag_tmp
 * if `into_tmp`, else in key and tag; the other arrays are overwritten.
 * Stack: up to 32 KiB. */
void sort_block(const struct par_keys *keys, unsigned bits, bool into_tmp);

/* Copies keys and tags into their scratch. */
void sort_move(const struct par_keys *keys);

#endif
