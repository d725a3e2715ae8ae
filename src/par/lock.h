/* A lock with one condition, for rooms that may not use threads themselves.
 *
 * Waiting is for a predicate that the lock guards, in a loop:
 *
 *     par_lock_acquire(&x->lock);
 *     while (!x->is_ready)
 *         par_lock_wait(&x->lock);
 *     par_lock_release(&x->lock);
 */
#ifndef PAR_LOCK_H
#define PAR_LOCK_H

#include "base/status.h"

#include <pthread.h>

struct par_lock {
    pthread_mutex_t mutex;
    pthread_cond_t cond;
};

/* HY_ENOMEM: the system has no lock left; nothing is to be finished then. */
HY_CHECKED hy_status par_lock_init(struct par_lock *lock);

/* Nobody holds it or waits. */
void par_lock_fini(struct par_lock *lock);

/* Not recursive: who holds it must not acquire it again. */
static inline void par_lock_acquire(struct par_lock *lock)
{
    (void)pthread_mutex_lock(&lock->mutex);
}

static inline void par_lock_release(struct par_lock *lock)
{
    (void)pthread_mutex_unlock(&lock->mutex);
}

/* Releases, sleeps until woken (or for no reason), acquires again. */
static inline void par_lock_wait(struct par_lock *lock)
{
    (void)pthread_cond_wait(&lock->cond, &lock->mutex);
}

/* Wakes everyone who waits; with or without holding the lock. */
static inline void par_lock_wake_all(struct par_lock *lock)
{
    (void)pthread_cond_broadcast(&lock->cond);
}

#endif
