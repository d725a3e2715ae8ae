/* Contexts: the pool, and the rules of memory.
 *
 * A context's own memory obeys may_alloc but is not counted: it goes through
 * a context on the stack, so that a fresh one holds 0 bytes and one whose
 * graphs are freed does again.
 */
#include "par/pool.h"

#include <sched.h>
#include <unistd.h>

enum { THREADS_MAX = 1024 };

static uint32_t count_cores(void)
{
    cpu_set_t set;
    long n = 0;
    if (!sched_getaffinity(0, sizeof set, &set))
        n = CPU_COUNT(&set);
    else
        n = sysconf(_SC_NPROCESSORS_ONLN); /* more than cpu_set_t has bits */
    if (n < 1)
        return 1;
    return n < THREADS_MAX ? (uint32_t)n : THREADS_MAX;
}

hy_status hy_ctx_new(const hy_ctx_opts *opts, hy_ctx **out)
{
    static const hy_ctx_opts defaults = { 0 };
    opts = opts ? opts : &defaults;
    if (!out)
        return base_fail(HY_EINVAL, "hy_ctx_new: out is NULL");
    if (opts->threads > THREADS_MAX)
        return base_fail(HY_EINVAL, "%u threads are more than %d",
                         (unsigned)opts->threads, THREADS_MAX);
    hy_ctx own = { .may_alloc = opts->may_alloc, .user = opts->user };
    hy_ctx *ctx = base_alloc(&own, 1, sizeof *ctx);
    if (!ctx)
        return HY_ENOMEM;
    ctx->may_alloc = opts->may_alloc;
    ctx->user = opts->user;
    const uint32_t threads = opts->threads ? opts->threads : count_cores();
    const hy_status status = par_pool_new(&own, threads, &ctx->pool);
    if (status != HY_OK) {
        base_free(&own, ctx);
        base_trim(&own);
        return status;
    }
    *out = ctx;
    return HY_OK;
}

void hy_ctx_free(hy_ctx *ctx)
{
    if (!ctx)
        return;
    hy_ctx own = { 0 };
    par_pool_free(&own, ctx->pool);
    base_trim(ctx);
    base_free(&own, ctx);
    base_trim(&own);
}

uint32_t hy_ctx_threads(const hy_ctx *ctx)
{
    return ctx->pool->width;
}

uint64_t hy_ctx_bytes(const hy_ctx *ctx)
{
    return atomic_load_explicit(&ctx->bytes, memory_order_relaxed);
}
