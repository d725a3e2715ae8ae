/* The pool's inside, for the files of this room only. */
#ifndef PAR_POOL_H
#define PAR_POOL_H

#include "par/par.h"

#include <pthread.h>

/* One part of a job: step(arg, i) for every i < n, in any order, then, if
 * not NULL, then(arg) once, when all of that is done and before the next
 * phase starts.  `then` may change the n of phases that follow; a phase with
 * n = 0 is skipped altogether. */
struct par_phase {
    size_t n;
    par_step *step;
    void (*then)(void *arg);
};

struct par_pool {
    uint32_t width;       /* threads of one job, the caller's included */
    _Atomic bool is_busy; /* held by the caller whose job it is */

    pthread_mutex_t lock;
    pthread_cond_t work; /* workers: a phase wants help, or all is over */
    pthread_cond_t back; /* the caller: a phase wants help, or job is done */

    /* The job.  Guarded by lock; constant while a thread is inside. */
    struct par_phase *phase; /* NULL: no job */
    struct par_phase *end;
    void *arg;

    /* The first index of the phase nobody has claimed.  Relaxed: it deals
     * out indices; the lock orders what steps write. */
    _Atomic size_t next;

    /* Callers that want threads to stay awake.  Relaxed: a hint. */
    _Atomic uint32_t hot;

    /* Counts phases that open and jobs that end, for those who look out
     * without the lock.  Relaxed: they take the lock before they act. */
    _Atomic uint32_t news;
    uint32_t looking; /* guarded by lock; threads that look out for news */

    uint32_t wanted;     /* guarded by lock; threads that may still join */
    uint32_t inside;     /* guarded by lock; threads working on the phase */
    bool is_caller_away; /* guarded by lock; waits on `back` */
    bool is_over;        /* guarded by lock; workers leave */
    size_t *sort_rows;   /* owned; used by the job's caller, see sort.c */
    uint32_t started;    /* workers; constant after par_pool_new */
    pthread_t threads[]; /* width - 1 */
};

/* Makes the pool of `ctx`, with memory that `mem` permits.  HY_ENOMEM: no
 * memory or no thread. */
HY_CHECKED hy_status par_pool_new(hy_ctx *mem, uint32_t width,
                                  struct par_pool **out);

/* Waits for the workers to leave and frees.  NULL is allowed. */
void par_pool_free(hy_ctx *mem, struct par_pool *pool);

/* Takes the pool for a job or several, without waiting: false while another
 * thread has it. */
bool par_pool_acquire(struct par_pool *pool);
void par_pool_release(struct par_pool *pool);

/* Runs a job: its phases one after the other, each on all threads.  The
 * caller holds the pool, or `pool` is NULL and it works alone. */
void par_pool_run(struct par_pool *pool, struct par_phase *phases, size_t count,
                  void *arg);

#endif
