/* The pool: every item once, phases in order, several callers. */
#include "support/test.h"

#include "par/pool.h"

#include <pthread.h>
#include <string.h>

enum { ITEMS = 1000, CALLERS = 4, ROUNDS = 500 };

struct tally {
    uint32_t at[ITEMS]; /* plain: an index belongs to one thread */
};

static void tally_par(void *arg, size_t i)
{
    struct tally *tally = arg;
    tally->at[i]++;
}

static bool is_tallied(const struct tally *tally, size_t n, uint32_t times)
{
    for (size_t i = 0; i < ITEMS; i++)
        if (tally->at[i] != (i < n ? times : 0))
            return false;
    return true;
}

static void run_takes_every_index_once(void **state)
{
    static const size_t sizes[] = { 0, 1, 2, 3, 5, ITEMS };
    (void)state;
    for (unsigned c = 0; c < TEST_CTXS; c++)
        for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++)
            for (int round = 0; round < 50; round++) {
                struct tally tally = { { 0 } };
                par_run(test_ctx(c), sizes[s], tally_par, &tally);
                assert_true(is_tallied(&tally, sizes[s], 1));
            }
}

/* With pauses in between, so that threads are met that look for work, that
 * have just gone to sleep, and that sleep. */
static void hot_pool_takes_every_index_once(void **state)
{
    (void)state;
    for (unsigned c = 0; c < TEST_CTXS; c++) {
        uint64_t rng = test_seed_at(c);
        par_hot_begin(test_ctx(c));
        assert_int_equal(par_is_hot(test_ctx(c)), c > 0);
        for (int round = 0; round < 2000; round++) {
            struct tally tally = { { 0 } };
            const size_t n = (size_t)rng_below(&rng, 9);
            for (volatile uint64_t k = rng_below(&rng, 30000); k;)
                k = k - 1;
            par_run(test_ctx(c), n, tally_par, &tally);
            assert_true(is_tallied(&tally, n, 1));
        }
        par_hot_end(test_ctx(c));
        assert_false(par_is_hot(test_ctx(c)));
    }
}

static void width_is_what_was_asked_for(void **state)
{
    (void)state;
    for (unsigned c = 0; c < TEST_CTXS; c++) {
        assert_int_equal(par_width(test_ctx(c)), 1u << c);
        assert_int_equal(hy_ctx_threads(test_ctx(c)), 1u << c);
    }
}

/* ---- several callers --------------------------------------------------- */

struct caller {
    hy_ctx *ctx;
    pthread_t thread;
    struct tally tally;
};

static void *call(void *arg)
{
    struct caller *caller = arg;
    for (uint32_t round = 0; round < ROUNDS; round++)
        par_run(caller->ctx, round % ITEMS, tally_par, &caller->tally);
    return NULL;
}

/* Index i was in every round of more than i items. */
static bool is_called(const struct tally *tally)
{
    for (uint32_t i = 0; i < ITEMS; i++) {
        const uint32_t times = i + 1 < ROUNDS ? ROUNDS - 1 - i : 0;
        if (tally->at[i] != times)
            return false;
    }
    return true;
}

static void callers_at_once_all_get_their_work_done(void **state)
{
    static struct caller callers[CALLERS];
    (void)state;
    for (unsigned c = 0; c < TEST_CTXS; c++) {
        memset(callers, 0, sizeof callers);
        for (int i = 0; i < CALLERS; i++) {
            callers[i].ctx = test_ctx(c);
            assert_int_equal(
                pthread_create(&callers[i].thread, NULL, call, &callers[i]), 0);
        }
        for (int i = 0; i < CALLERS; i++)
            (void)pthread_join(callers[i].thread, NULL);
        for (int i = 0; i < CALLERS; i++)
            assert_true(is_called(&callers[i].tally));
    }
}

static void pool_is_free_after_a_run(void **state)
{
    struct tally tally = { { 0 } };
    (void)state;
    for (unsigned c = 0; c < TEST_CTXS; c++) {
        struct par_pool *pool = test_ctx(c)->pool;
        par_run(test_ctx(c), ITEMS, tally_par, &tally);
        assert_true(par_pool_acquire(pool));
        assert_false(par_pool_acquire(pool));
        par_pool_release(pool);
    }
}

static void run_on_a_busy_pool_is_done_alone(void **state)
{
    (void)state;
    for (unsigned c = 0; c < TEST_CTXS; c++) {
        struct tally tally = { { 0 } };
        assert_true(par_pool_acquire(test_ctx(c)->pool));
        par_run(test_ctx(c), ITEMS, tally_par, &tally);
        par_pool_release(test_ctx(c)->pool);
        assert_true(is_tallied(&tally, ITEMS, 1));
    }
}

/* ---- phases ------------------------------------------------------------ */

enum { PHASES = 4 };

/* Phase p adds one to at[i] after phase p - 1 has, for all i. */
struct relay {
    struct tally tally;
    struct par_phase phases[PHASES];
    unsigned thens;     /* `then` calls so far */
    bool is_disordered; /* set by `then`, which runs alone */
};

static void relay_then(void *arg)
{
    struct relay *relay = arg;
    const size_t n = relay->phases[0].n;
    relay->thens++;
    if (!is_tallied(&relay->tally, n, relay->thens))
        relay->is_disordered = true;
}

static void skip_then(void *arg)
{
    struct relay *relay = arg;
    relay_then(arg);
    relay->phases[2].n = 0;
}

static void phases_follow_each_other(void **state)
{
    static const size_t sizes[] = { 1, 2, 7, ITEMS };
    (void)state;
    for (unsigned c = 0; c < TEST_CTXS; c++)
        for (int round = 0; round < 400; round++) {
            const size_t n = sizes[round % 4];
            struct relay relay = { .thens = 0 };
            for (int p = 0; p < PHASES; p++)
                relay.phases[p] =
                    (struct par_phase){ n, tally_par, relay_then };
            par_pool_run(test_ctx(c)->pool, relay.phases, PHASES, &relay);
            assert_int_equal(relay.thens, PHASES);
            assert_false(relay.is_disordered);
        }
}

static void phase_made_empty_is_skipped(void **state)
{
    (void)state;
    for (unsigned c = 0; c < TEST_CTXS; c++)
        for (int round = 0; round < 100; round++) {
            struct relay relay = { .thens = 0 };
            for (int p = 0; p < PHASES; p++)
                relay.phases[p] =
                    (struct par_phase){ ITEMS, tally_par,
                                        p == 1 ? skip_then : relay_then };
            par_pool_run(test_ctx(c)->pool, relay.phases, PHASES, &relay);
            assert_int_equal(relay.thens, PHASES - 1);
            assert_false(relay.is_disordered);
        }
}

static void job_of_empty_phases_returns(void **state)
{
    struct relay relay = { .thens = 0 };
    (void)state;
    for (unsigned c = 0; c < TEST_CTXS; c++)
        par_pool_run(test_ctx(c)->pool, relay.phases, PHASES, &relay);
    assert_int_equal(relay.thens, 0);
}

static void phases_without_a_pool_are_run(void **state)
{
    struct relay relay = { .thens = 0 };
    (void)state;
    for (int p = 0; p < PHASES; p++)
        relay.phases[p] = (struct par_phase){ 9, tally_par, relay_then };
    par_pool_run(NULL, relay.phases, PHASES, &relay);
    assert_int_equal(relay.thens, PHASES);
    assert_false(relay.is_disordered);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(run_takes_every_index_once),
        cmocka_unit_test(hot_pool_takes_every_index_once),
        cmocka_unit_test(width_is_what_was_asked_for),
        cmocka_unit_test(callers_at_once_all_get_their_work_done),
        cmocka_unit_test(pool_is_free_after_a_run),
        cmocka_unit_test(run_on_a_busy_pool_is_done_alone),
        cmocka_unit_test(phases_follow_each_other),
        cmocka_unit_test(phase_made_empty_is_skipped),
        cmocka_unit_test(job_of_empty_phases_returns),
        cmocka_unit_test(phases_without_a_pool_are_run),
    };
    return cmocka_run_group_tests(tests, test_ctxs_new, test_ctxs_free);
}
