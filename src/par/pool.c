/* Threads that park between jobs and share a job's phases.
 *
 *   Run(phases)                        Worker
 *     1 open the first phase, wanting    1 park until a phase wants threads
 *       min(n, width) - 1 helpers        2 join it
 *     2 wake that many, and join
 *     3 park until the job is done,    Join
 *       or join a phase that wants       1 claim and run items until none left
 *       threads                          2 leave; the last one out runs `then`,
 *                                          opens the next phase and joins it
 *
 * Nobody waits for a thread that was woken but is not yet awake: it counts
 * from the moment it joins, and when it comes late it finds nothing wanted.
 * A short job therefore costs its caller no more than the calls to wake, and
 * between phases no one sleeps whose work is next: a wake-up takes 20 to 50
 * us, as long as sorting 5000 keys.
 *
 * While a caller keeps the pool hot, threads look out for news for about as
 * long as a wake-up takes before they park.  Who opens a phase wakes no more
 * than are missing then: all that look out will take the lock once more
 * before they park, and see what is wanted.
 */
#include "par/pool.h"

#include "par/sort_impl.h"

#include <signal.h>

enum {
    /* Looks for news before a thread parks: 20 to 50 us. */
    LOOKS = 1000,
};

/* ---- jobs -------------------------------------------------------------- */

static void work(struct par_pool *pool, const struct par_phase *phase,
                 void *arg)
{
    for (;;) {
        const size_t i =
            atomic_fetch_add_explicit(&pool->next, 1, memory_order_relaxed);
        if (i >= phase->n)
            return;
        phase->step(arg, i);
    }
}

/* Opens the current phase for the calling thread, which is inside from now
 * on, and for as many others as there are items.  Under the lock.  Returns
 * how many workers are to be woken. */
static uint32_t open_phase(struct par_pool *pool)
{
    const size_t n = pool->phase->n;
    pool->wanted = n < pool->width ? (uint32_t)n - 1 : pool->width - 1;
    pool->inside = 1;
    atomic_store_explicit(&pool->next, 0, memory_order_relaxed);
    atomic_fetch_add_explicit(&pool->news, 1, memory_order_relaxed);
    if (pool->wanted <= pool->looking)
        return 0;
    const uint32_t missing = pool->wanted - pool->looking;
    if (!pool->is_caller_away)
        return missing;
    (void)pthread_cond_signal(&pool->back);
    return missing - 1;
}

/* Moves on to a phase that has items, or to none.  Under the lock. */
static void skip_empty(struct par_pool *pool)
{
    while (pool->phase != pool->end && pool->phase->n == 0)
        pool->phase++;
    if (pool->phase == pool->end)
        pool->phase = NULL;
}

/* Ends the current phase.  The last thread out does so; as nothing is wanted
 * then, nobody joins meanwhile.  Under the lock. */
static void end_phase(struct par_pool *pool)
{
    if (pool->phase->then) {
        (void)pthread_mutex_unlock(&pool->lock);
        pool->phase->then(pool->arg);
        (void)pthread_mutex_lock(&pool->lock);
    }
    pool->phase++;
    skip_empty(pool);
    if (pool->phase)
        return;
    atomic_fetch_add_explicit(&pool->news, 1, memory_order_relaxed);
    if (pool->is_caller_away)
        (void)pthread_cond_signal(&pool->back);
}

/* Looks out for news for a while, if the pool is hot; false if there were
 * none.  Under the lock, which is given up meanwhile: what was wanted before
 * may be something else afterwards. */
static bool look_out(struct par_pool *pool)
{
    if (!atomic_load_explicit(&pool->hot, memory_order_relaxed))
        return false;
    const uint32_t seen =
        atomic_load_explicit(&pool->news, memory_order_relaxed);
    uint32_t now = seen;
    pool->looking++;
    (void)pthread_mutex_unlock(&pool->lock);
    for (uint32_t i = 0; i < LOOKS && now == seen; i++) {
        HY_RELAX();
        now = atomic_load_explicit(&pool->news, memory_order_relaxed);
    }
    (void)pthread_mutex_lock(&pool->lock);
    pool->looking--;
    return now != seen;
}

/* Works on the current phase, inside of which the thread is counted already,
 * after waking workers.  Under the lock, which is given up meanwhile.
 * Returns whether this thread is the last one out. */
static bool work_inside(struct par_pool *pool, uint32_t wake)
{
    const struct par_phase *const phase = pool->phase;
    void *const arg = pool->arg;
    (void)pthread_mutex_unlock(&pool->lock);
    for (; wake; wake--)
        (void)pthread_cond_signal(&pool->work);
    work(pool, phase, arg);
    (void)pthread_mutex_lock(&pool->lock);
    pool->wanted = 0; /* every item is claimed */
    return --pool->inside == 0;
}

/* Works on phases, the current one first, for as long as this thread is the
 * last one out and there is another. */
static void work_on(struct par_pool *pool, uint32_t wake)
{
    while (work_inside(pool, wake)) {
        end_phase(pool);
        if (!pool->phase)
            return;
        wake = open_phase(pool);
    }
}

static void join(struct par_pool *pool)
{
    pool->wanted--;
    pool->inside++;
    work_on(pool, 0);
}

static void *worker(void *arg)
{
    struct par_pool *pool = arg;
    (void)pthread_mutex_lock(&pool->lock);
    while (!pool->is_over) {
        if (pool->wanted)
            join(pool);
        else if (!look_out(pool) && !pool->wanted && !pool->is_over)
            (void)pthread_cond_wait(&pool->work, &pool->lock);
    }
    (void)pthread_mutex_unlock(&pool->lock);
    return NULL;
}

static void run_alone(size_t n, par_step *step, void *arg)
{
    for (size_t i = 0; i < n; i++)
        step(arg, i);
}

static void run_phases_alone(const struct par_phase *phases, size_t count,
                             void *arg)
{
    for (const struct par_phase *p = phases; p != phases + count; p++) {
        run_alone(p->n, p->step, arg);
        if (p->n && p->then)
            p->then(arg);
    }
}

void par_pool_run(struct par_pool *pool, struct par_phase *phases, size_t count,
                  void *arg)
{
    if (!pool || pool->width == 1) {
        run_phases_alone(phases, count, arg);
        return;
    }
    (void)pthread_mutex_lock(&pool->lock);
    pool->phase = phases;
    pool->end = phases + count;
    pool->arg = arg;
    skip_empty(pool);
    if (pool->phase)
        work_on(pool, open_phase(pool));
    while (pool->phase) {
        if (pool->wanted) {
            join(pool);
            continue;
        }
        if (look_out(pool) || pool->wanted || !pool->phase)
            continue;
        pool->is_caller_away = true;
        (void)pthread_cond_wait(&pool->back, &pool->lock);
        pool->is_caller_away = false;
    }
    (void)pthread_mutex_unlock(&pool->lock);
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

void par_hot_begin(hy_ctx *ctx)
{
    atomic_fetch_add_explicit(&ctx->pool->hot, 1, memory_order_relaxed);
}

void par_hot_end(hy_ctx *ctx)
{
    atomic_fetch_sub_explicit(&ctx->pool->hot, 1, memory_order_relaxed);
}

bool par_is_hot(const hy_ctx *ctx)
{
    return ctx->pool->width > 1 &&
           atomic_load_explicit(&ctx->pool->hot, memory_order_relaxed);
}

void par_run(hy_ctx *ctx, size_t n, par_step *step, void *arg)
{
    struct par_pool *pool = ctx->pool;
    if (n <= 1 || pool->width == 1 || !par_pool_acquire(pool)) {
        run_alone(n, step, arg);
        return;
    }
    struct par_phase phase = { .n = n, .step = step };
    par_pool_run(pool, &phase, 1, arg);
    par_pool_release(pool);
}

/* ---- life -------------------------------------------------------------- */

static hy_status init_locks(struct par_pool *pool)
{
    if (pthread_mutex_init(&pool->lock, NULL))
        goto no_lock;
    if (pthread_cond_init(&pool->work, NULL))
        goto no_work;
    if (pthread_cond_init(&pool->back, NULL))
        goto no_back;
    return HY_OK;
no_back:
    (void)pthread_cond_destroy(&pool->work);
no_work:
    (void)pthread_mutex_destroy(&pool->lock);
no_lock:
    return base_fail(HY_ENOMEM, "no lock for the threads");
}

static void fini_locks(struct par_pool *pool)
{
    (void)pthread_cond_destroy(&pool->back);
    (void)pthread_cond_destroy(&pool->work);
    (void)pthread_mutex_destroy(&pool->lock);
}

static hy_status start(struct par_pool *pool)
{
    /* Signals are the application's: workers take none. */
    sigset_t all, before;
    (void)sigfillset(&all);
    (void)pthread_sigmask(SIG_SETMASK, &all, &before);
    int error = 0;
    while (!error && pool->started + 1 < pool->width) {
        error =
            pthread_create(&pool->threads[pool->started], NULL, worker, pool);
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
    struct par_pool *pool =
        base_alloc(mem, 1, sizeof *pool + (width - 1) * sizeof *pool->threads);
    if (!pool)
        return HY_ENOMEM;
    pool->width = width;
    hy_status status = HY_ENOMEM;
    const size_t rows = sort_parts(width) + SORT_LEVELS;
    pool->sort_rows =
        base_alloc_raw(mem, rows << SORT_SPLIT_BITS, sizeof *pool->sort_rows);
    if (!pool->sort_rows)
        goto no_rows;
    status = init_locks(pool);
    if (status != HY_OK)
        goto no_locks;
    status = start(pool);
    if (status != HY_OK)
        goto no_threads;
    *out = pool;
    return HY_OK;

no_threads:
    stop(pool);
    fini_locks(pool);
no_locks:
    base_free(mem, pool->sort_rows);
no_rows:
    base_free(mem, pool);
    return status;
}

void par_pool_free(hy_ctx *mem, struct par_pool *pool)
{
    if (!pool)
        return;
    stop(pool);
    fini_locks(pool);
    base_free(mem, pool->sort_rows);
    base_free(mem, pool);
}
