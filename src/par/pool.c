/* Threads that park between calls and share one call's items.
 *
 *   Run(n, step)                       Worker
 *     1 post the job, wanting          1 park until a job wants a helper
 *       min(n, width) - 1 helpers      2 join it, under the lock
 *     2 wake that many                 3 claim and run items until none left
 *     3 claim and run items            4 leave; the last one tells the caller
 *     4 close the job
 *     5 wait for helpers inside
 *
 * A helper counts from the moment it joins, not from the moment it is woken:
 * one that wakes late finds the job closed and parks again, and the caller
 * has not waited for it.  A short call therefore costs its caller no more
 * than the wake-up calls to the system.
 */
#include "par/pool.h"

#include "par/sort_impl.h"

#include <signal.h>

static void work(struct par_job *job)
{
    for (;;) {
        const size_t i =
            atomic_fetch_add_explicit(&job->next, 1, memory_order_relaxed);
        if (i >= job->n)
            return;
        job->step(job->arg, i);
    }
}

/* Called with the lock held, and returns with it. */
static void help(struct par_pool *pool)
{
    struct par_job *job = pool->job;
    pool->wanted--;
    pool->helpers++;
    (void)pthread_mutex_unlock(&pool->lock);
    work(job);
    (void)pthread_mutex_lock(&pool->lock);
    pool->wanted = 0; /* every item is claimed: late ones need not join */
    if (--pool->helpers == 0)
        (void)pthread_cond_signal(&pool->done);
}

static void *worker(void *arg)
{
    struct par_pool *pool = arg;
    (void)pthread_mutex_lock(&pool->lock);
    while (!pool->is_over) {
        if (pool->wanted)
            help(pool);
        else
            (void)pthread_cond_wait(&pool->work, &pool->lock);
    }
    (void)pthread_mutex_unlock(&pool->lock);
    return NULL;
}

static void post(struct par_pool *pool, struct par_job *job, uint32_t wanted)
{
    (void)pthread_mutex_lock(&pool->lock);
    pool->job = job;
    pool->wanted = wanted;
    (void)pthread_mutex_unlock(&pool->lock);
    for (uint32_t i = 0; i < wanted; i++)
        (void)pthread_cond_signal(&pool->work);
}

static void close_job(struct par_pool *pool)
{
    (void)pthread_mutex_lock(&pool->lock);
    pool->wanted = 0;
    while (pool->helpers)
        (void)pthread_cond_wait(&pool->done, &pool->lock);
    pool->job = NULL;
    (void)pthread_mutex_unlock(&pool->lock);
}

static void run_alone(size_t n, par_step *step, void *arg)
{
    for (size_t i = 0; i < n; i++)
        step(arg, i);
}

void par_pool_run(struct par_pool *pool, size_t n, par_step *step, void *arg)
{
    if (n <= 1 || pool->width == 1) {
        run_alone(n, step, arg);
        return;
    }
    const size_t threads = n < pool->width ? n : pool->width;
    struct par_job job = { .step = step, .arg = arg, .n = n };
    post(pool, &job, (uint32_t)threads - 1);
    work(&job);
    close_job(pool);
}

bool par_pool_acquire(struct par_pool *pool)
{
    return !atomic_exchange(&pool->is_busy, true);
}

void par_pool_release(struct par_pool *pool)
{
    atomic_store(&pool->is_busy, false);
}

uint32_t par_width(const hy_ctx *ctx)
{
    return ctx->pool->width;
}

void par_run(hy_ctx *ctx, size_t n, par_step *step, void *arg)
{
    struct par_pool *pool = ctx->pool;
    if (n <= 1 || pool->width == 1 || !par_pool_acquire(pool)) {
        run_alone(n, step, arg);
        return;
    }
    par_pool_run(pool, n, step, arg);
    par_pool_release(pool);
}

/* ---- life ------------------------------------------------------------- */

static hy_status init_locks(struct par_pool *pool)
{
    if (pthread_mutex_init(&pool->lock, NULL))
        return base_fail(HY_ENOMEM, "no lock for the threads");
    if (pthread_cond_init(&pool->work, NULL))
        goto no_work;
    if (pthread_cond_init(&pool->done, NULL))
        goto no_done;
    return HY_OK;
no_done:
    (void)pthread_cond_destroy(&pool->work);
no_work:
    (void)pthread_mutex_destroy(&pool->lock);
    return base_fail(HY_ENOMEM, "no lock for the threads");
}

static hy_status start(struct par_pool *pool)
{
    /* Signals are the application's: workers take none. */
    sigset_t all, before;
    (void)sigfillset(&all);
    (void)pthread_sigmask(SIG_SETMASK, &all, &before);
    int error = 0;
    while (!error && pool->started + 1 < pool->width) {
        error = pthread_create(&pool->threads[pool->started], NULL, worker,
                               pool);
        pool->started += !error;
    }
    (void)pthread_sigmask(SIG_SETMASK, &before, NULL);
    if (error)
        return base_fail(HY_ENOMEM, "only %u of %u threads could start",
                         (unsigned)pool->started + 1, (unsigned)pool->width);
    return HY_OK;
}

static void stop(struct par_pool *pool)
{
    (void)pthread_mutex_lock(&pool->lock);
    pool->is_over = true;
    (void)pthread_mutex_unlock(&pool->lock);
    (void)pthread_cond_broadcast(&pool->work);
    for (uint32_t i = 0; i < pool->started; i++)
        (void)pthread_join(pool->threads[i], NULL);
}

hy_status par_pool_new(hy_ctx *mem, uint32_t width, struct par_pool **out)
{
    struct par_pool *pool = base_alloc(
        mem, 1, sizeof *pool + (width - 1) * sizeof pool->threads[0]);
    if (!pool)
        return HY_ENOMEM;
    pool->width = width;
    pool->sort_rows =
        base_alloc_raw(mem, sort_space_size(width), sizeof *pool->sort_rows);
    hy_status status = init_locks(pool);
    if (status != HY_OK) {
        base_free(mem, pool);
        return status;
    }
    status = start(pool);
    if (status != HY_OK) {
        par_pool_free(mem, pool);
        return status;
    }
    *out = pool;
    return HY_OK;
}

void par_pool_free(hy_ctx *mem, struct par_pool *pool)
{
    if (!pool)
        return;
    stop(pool);
    (void)pthread_cond_destroy(&pool->done);
    (void)pthread_cond_destroy(&pool->work);
    (void)pthread_mutex_destroy(&pool->lock);
    base_free(mem, pool->sort_rows);
    base_free(mem, pool);
}
