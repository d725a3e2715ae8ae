/* The sort's inside: keys as one number, and blocks that fit a cache. */
#ifndef PAR_SORT_IMPL_H
#define PAR_SORT_IMPL_H

#include "par/par.h"

enum {
    SORT_SPLIT_BITS = 10,  /* of a split that the pool's threads share */
    SORT_LEVELS = 8,       /* splits within splits: 64 bits by 8 or more */
    SORT_PARTS_MAX = 64,   /* pieces of the input that are counted apart */
    SORT_PARTS = 4,        /* of them per thread */
    SORT_FEW = 24,            /* keys that are ranked by comparing pairs */
    SORT_BLOCK_MAX = 1 << 16, /* keys of a block */
};

/* Counters of splits, in rows of 1 << split_bits: one row for each part,
 * then one for each level.  The pool has such a space, since threads'
 * stacks should not be asked for it. */
struct sort_space {
    size_t *rows; /* owns none */
    size_t parts;
    unsigned split_bits;
};

/* Counters in a space, for a pool of so many threads. */
size_t sort_space_size(uint32_t width);

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

/* Is the key and the index of one of these n keys, of which `bits` bits are
 * not known to be equal, one number of 64 bits? */
bool sort_is_block(const struct par_keys *keys, unsigned bits);

/* Sorts a few keys into their scratch. */
void sort_few(const struct par_keys *keys);

/* Sorts a block on the calling thread; fast while keys and scratch fit its
 * cache.  The result is in key_tmp and tag_tmp if `into_tmp`, else in key
 * and tag; the other arrays are overwritten.  Stack: up to 48 KiB. */
void sort_block(const struct par_keys *keys, unsigned bits, bool into_tmp);

/* Copies keys and tags into their scratch. */
void sort_move(const struct par_keys *keys);

#endif
