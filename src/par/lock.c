/* Making and ending locks; their use is inline. */
#include "par/lock.h"

hy_status par_lock_init(struct par_lock *lock)
{
    if (pthread_mutex_init(&lock->mutex, NULL))
        return base_fail(HY_ENOMEM, "no lock");
    if (pthread_cond_init(&lock->cond, NULL)) {
        (void)pthread_mutex_destroy(&lock->mutex);
        return base_fail(HY_ENOMEM, "no lock");
    }
    return HY_OK;
}

void par_lock_fini(struct par_lock *lock)
{
    (void)pthread_cond_destroy(&lock->cond);
    (void)pthread_mutex_destroy(&lock->mutex);
}
