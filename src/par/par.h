/* Work shared between threads: a pool that parks, loops, scans, sorts.
 *
 * Threads of the pool sleep between calls, and spin only where they are asked
 * to, for as long as a wake-up takes.  A call returns when all of its work is
 * done.  Calls do not nest: a step must not call the pool it runs on.  One
 * caller at a time uses a pool; a second one that arrives meanwhile does its
 * work alone, on its own thread.
 */
#ifndef PAR_PAR_H
#define PAR_PAR_H

#include "base/mem.h"

/* Threads of one call, the caller's included; at least 1. */
uint32_t par_width(const hy_ctx *ctx);

/* Runs step(arg, i) once for every i < n, in any order, on all threads.
 * What the steps wrote is seen by the caller afterwards. */
typedef void par_step(void *arg, size_t i);
void par_run(hy_ctx *ctx, size_t n, par_step *step, void *arg);

/* Runs step(arg, lo, hi) over disjoint ranges that cover 0..n-1, each a
 * multiple of `grain` long but the last.  Serial if n <= grain. */
typedef void par_range_step(void *arg, size_t lo, size_t hi);
void par_for(hy_ctx *ctx, size_t n, size_t grain, par_range_step *step,
             void *arg);

/* Runs step(arg, share, lo, hi) over disjoint ranges that cover 0..n-1, of
 * `grain` or more each but a last one.  They are dealt out by place: 0..n-1 is
 * cut into `shares`; a share is one thread's, and the others, when they have
 * done their own, take from its back.  `share` is that of the thread that
 * runs the step.  In loops one after the other over things in the same order,
 * a thread so finds in its cache what it left there.
 * 0 < shares <= PAR_SHARES, n < 2^32. */
enum { PAR_SHARES = 64 };
typedef void par_share_step(void *arg, size_t share, size_t lo, size_t hi);
void par_for_shares(hy_ctx *ctx, size_t n, size_t shares, size_t grain,
                    par_share_step *step, void *arg);

/* Between these two, threads without work look for some for 20 to 50 us
 * before they sleep: for many short loops in a row.  A loop of 5 us is worth
 * sharing then.  Calls may nest. */
void par_hot_begin(hy_ctx *ctx);
void par_hot_end(hy_ctx *ctx);
bool par_is_hot(const hy_ctx *ctx);

/* Exclusive prefix sums in place; returns the total. */
uint64_t par_scan(hy_ctx *ctx, uint64_t *x, size_t n);

/* The largest x[i], 0 if n = 0. */
uint64_t par_max(hy_ctx *ctx, const uint64_t *x, size_t n);

/* ---- sorting keys of two parts ----------------------------------------
 *
 * A key is (high << 32 | low).  Only the low `high_bits` of the high part and
 * the low `low_bits` of the low part may be set, so that digits are spent on
 * nothing else. */
struct par_keys {
    uint64_t *key;     /* n keys; sorted on return */
    uint32_t *tag;     /* NULL, or n tags that move with their keys */
    uint64_t *key_tmp; /* n, scratch */
    uint32_t *tag_tmp; /* n, scratch; NULL if tag is */
    size_t n;
    unsigned high_bits, low_bits; /* 0..32 */
};

/* Sorts ascending by key; keys that are equal keep their order.  Cannot
 * fail: its only memory is the scratch, and 48 KiB of stack.  The sorted arrays
 * are in `key` and `tag` on return: the function may swap these two pointers
 * with their scratch ones. */
void par_sort(hy_ctx *ctx, struct par_keys *keys);

#endif
