#include "support/test.h"

#include <hypha/ops_sets.h>
#include <hypha/par.h>

static hy_sets *sets_new(unsigned ctx, uint32_t n)
{
    hy_sets *S;
    assert_int_equal(hy_sets_new(test_ctx(ctx), n, &S), HY_OK);
    return S;
}

static void sets_are_alone_at_first(void **state)
{
    (void)state;
    hy_sets *S = sets_new(0, 10);
    assert_int_equal(hy_sets_count(S), 10);
    for (uint32_t a = 0; a < 10; a++)
        assert_int_equal(hy_sets_find(S, a), a);
    assert_false(hy_sets_same(S, 3, 4));
    assert_true(hy_sets_same(S, 3, 3));
    hy_sets_free(S);
}

static void sets_of_nothing_are_none(void **state)
{
    (void)state;
    hy_sets *S = sets_new(1, 0);
    assert_int_equal(hy_sets_count(S), 0);
    (void)hy_sets_roots(S);
    assert_true(hy_sets_check(S, NULL));
    hy_sets_free(S);
    hy_sets_free(NULL);
}

static void unite_tells_if_there_were_two(void **state)
{
    (void)state;
    hy_sets *S = sets_new(0, 6);
    assert_true(hy_sets_unite(S, 5, 3));
    assert_true(hy_sets_unite(S, 3, 4));
    assert_false(hy_sets_unite(S, 4, 5));
    assert_false(hy_sets_unite(S, 2, 2));
    assert_int_equal(hy_sets_find(S, 5), 3);
    assert_true(hy_sets_same(S, 4, 5));
    assert_int_equal(hy_sets_count(S), 4);
    hy_sets_reset(S);
    assert_int_equal(hy_sets_count(S), 6);
    hy_sets_free(S);
}

static void roots_are_the_smallest(void **state)
{
    (void)state;
    hy_sets *S = sets_new(0, 9);
    for (uint32_t a = 8; a >= 3; a--)
        (void)hy_sets_unite(S, a, a - 3);
    const uint32_t *root = hy_sets_roots(S);
    for (uint32_t a = 0; a < 9; a++)
        assert_int_equal(root[a], a % 3);
    assert_true(hy_sets_check(S, NULL));
    hy_sets_free(S);
}

struct job {
    hy_sets *S;
    uint32_t classes;
    _Atomic uint64_t united;
};

/* Unites the elements of its range with those of the same remainder, which
 * other threads unite too; adds how often it was told true. */
static void unite_par(void *arg, size_t lo, size_t hi)
{
    struct job *job = arg;
    for (size_t i = lo; i < hi; i++) {
        const uint32_t a = (uint32_t)i;
        if (a >= job->classes)
            job->united += hy_sets_unite(job->S, a - job->classes, a);
        job->united += hy_sets_unite(job->S, a, a % job->classes);
    }
}

static void unions_of_many_threads_are_all_made(void **state)
{
    enum { N = 100000, CLASSES = 7 };
    (void)state;
    for (unsigned i = 0; i < TEST_CTXS; i++) {
        struct job job = { .S = sets_new(i, N), .classes = CLASSES };
        hy_par_for(test_ctx(i), N, 64, unite_par, &job);
        assert_int_equal(job.united, N - CLASSES);
        assert_int_equal(hy_sets_count(job.S), CLASSES);
        const uint32_t *root = hy_sets_roots(job.S);
        for (uint32_t a = 0; a < N; a++)
            assert_int_equal(root[a], a % CLASSES);
        assert_true(hy_sets_check(job.S, NULL));
        hy_sets_free(job.S);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sets_are_alone_at_first),
        cmocka_unit_test(sets_of_nothing_are_none),
        cmocka_unit_test(unite_tells_if_there_were_two),
        cmocka_unit_test(roots_are_the_smallest),
        cmocka_unit_test(unions_of_many_threads_are_all_made),
    };
    return cmocka_run_group_tests(tests, test_ctxs_new, test_ctxs_free);
}
