/* Contexts: how many threads, whose memory, and what happens without. */
#include "support/fault.h"
#include "support/test.h"

#include "par/par.h"

#include <sched.h>
#include <stdio.h>
#include <sys/resource.h>

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define IS_SANITIZED 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define IS_SANITIZED 1
#endif
#endif
#ifndef IS_SANITIZED
#define IS_SANITIZED 0
#endif

static void ctx_has_a_thread_per_core_by_default(void **state)
{
    hy_ctx *ctx = NULL;
    cpu_set_t set;
    (void)state;
    assert_int_equal(sched_getaffinity(0, sizeof set, &set), 0);
    assert_int_equal(hy_ctx_new(NULL, &ctx), HY_OK);
    assert_int_equal(hy_ctx_threads(ctx), CPU_COUNT(&set));
    hy_ctx_free(ctx);
}

static void ctx_takes_the_threads_asked_for(void **state)
{
    static const uint32_t threads[] = { 1, 2, 3, 17, 64 };
    (void)state;
    for (size_t i = 0; i < sizeof threads / sizeof *threads; i++) {
        hy_ctx *ctx = NULL;
        const hy_ctx_opts opts = { .threads = threads[i] };
        assert_int_equal(hy_ctx_new(&opts, &ctx), HY_OK);
        assert_int_equal(hy_ctx_threads(ctx), threads[i]);
        hy_ctx_free(ctx);
    }
}

static void ctx_of_too_many_threads_is_invalid(void **state)
{
    static const uint32_t threads[] = { 1025, UINT32_MAX };
    (void)state;
    for (size_t i = 0; i < sizeof threads / sizeof *threads; i++) {
        hy_ctx *ctx = NULL;
        const hy_ctx_opts opts = { .threads = threads[i] };
        assert_int_equal(hy_ctx_new(&opts, &ctx), HY_EINVAL);
        assert_null(ctx);
        assert_true(hy_error_text()[0] != '\0');
    }
}

static void ctx_without_out_is_invalid(void **state)
{
    (void)state;
    assert_int_equal(hy_ctx_new(NULL, NULL), HY_EINVAL);
}

static void ctx_starts_with_no_bytes(void **state)
{
    hy_ctx *ctx = NULL;
    (void)state;
    assert_int_equal(hy_ctx_new(NULL, &ctx), HY_OK);
    assert_int_equal(hy_ctx_bytes(ctx), 0);
    hy_ctx_free(ctx);
}

static void ctx_free_of_null_is_fine(void **state)
{
    (void)state;
    hy_ctx_free(NULL);
}

/* Leaks are the address sanitizer's to find. */
static void ctx_without_memory_is_not_made(void **state)
{
    struct fault fault = { .asked = 0 };
    const hy_ctx_opts opts = { .threads = 3,
                               .may_alloc = fault_may_alloc,
                               .user = &fault };
    uint64_t k = 1;
    (void)state;
    for (;; k++) {
        hy_ctx *ctx = NULL;
        fault_arm(&fault, k);
        const hy_status status = hy_ctx_new(&opts, &ctx);
        if (!fault_disarm(&fault)) {
            assert_int_equal(status, HY_OK);
            hy_ctx_free(ctx);
            break;
        }
        assert_int_equal(status, HY_ENOMEM);
        assert_null(ctx);
    }
    assert_true(k > 1);
}

/* Room for the stacks of a few threads, not of 64. */
static void ctx_without_threads_is_not_made(void **state)
{
    struct rlimit before;
    unsigned long pages = 0;
    hy_ctx *ctx = NULL;
    const hy_ctx_opts opts = { .threads = 64 };
    (void)state;
    if (IS_SANITIZED)
        skip(); /* shadow memory is far beyond any limit */
    FILE *file = fopen("/proc/self/statm", "r");
    if (!file)
        skip();
    assert_int_equal(fscanf(file, "%lu", &pages), 1);
    (void)fclose(file);
    assert_int_equal(getrlimit(RLIMIT_AS, &before), 0);
    const struct rlimit tight = { .rlim_cur = (pages << 12) + (64u << 20),
                                  .rlim_max = before.rlim_max };
    assert_int_equal(setrlimit(RLIMIT_AS, &tight), 0);
    const hy_status status = hy_ctx_new(&opts, &ctx);
    assert_int_equal(setrlimit(RLIMIT_AS, &before), 0);
    assert_int_equal(status, HY_ENOMEM);
    assert_null(ctx);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ctx_has_a_thread_per_core_by_default),
        cmocka_unit_test(ctx_takes_the_threads_asked_for),
        cmocka_unit_test(ctx_of_too_many_threads_is_invalid),
        cmocka_unit_test(ctx_without_out_is_invalid),
        cmocka_unit_test(ctx_starts_with_no_bytes),
        cmocka_unit_test(ctx_free_of_null_is_fine),
        cmocka_unit_test(ctx_without_memory_is_not_made),
        cmocka_unit_test(ctx_without_threads_is_not_made),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
