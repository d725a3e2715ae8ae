/* The queue of live trees gives entries in order, whatever comes meanwhile. */
#include "support/test.h"

#include "algo/live/tree_queue.h"

#include <stdlib.h>

enum { MOST = 3000 };

/* Entries as they should come: sorted, the least last. */
struct oracle {
    struct tree_entry at[MOST];
    size_t n;
};

static void put(struct tree_queue *Q, struct oracle *O, struct tree_entry e)
{
    size_t i = O->n++;
    for (; i > 0 &&
           tree_is_less(O->at[i - 1].key, O->at[i - 1].rank, e.key, e.rank);
         i--)
        O->at[i] = O->at[i - 1];
    O->at[i] = e;
    tree_queue_put(Q, e);
}

static void pop(struct tree_queue *Q, struct oracle *O)
{
    assert_false(tree_queue_is_empty(Q));
    const struct tree_entry have = tree_queue_pop(Q), want = O->at[--O->n];
    assert_true(have.key == want.key && have.rank == want.rank);
}

/* Keys from few or many, ranks now and then; phases that grow and shrink. */
static void run(uint64_t seed)
{
    struct tree_queue *Q = calloc(1, sizeof *Q);
    struct oracle *O = calloc(1, sizeof *O);
    assert_true(Q && O);
    Q->room = MOST + 2 * TREE_RUN;
    Q->at = calloc(Q->room, sizeof *Q->at);
    assert_non_null(Q->at);
    uint64_t rng = seed;
    const uint64_t keys = rng_chance(&rng, 50) ? 5 : 100000;
    const uint64_t ranks = rng_chance(&rng, 30) ? 3 : 1;
    uint64_t last = 0;
    for (unsigned i = 0; i < 6000; i++) {
        const bool is_growing = i / 500 % 2 == 0;
        if (O->n < MOST && rng_chance(&rng, is_growing ? 80 : 30)) {
            /* Mostly not before what was taken, as in Dijkstra's order. */
            const uint64_t from = rng_chance(&rng, 90) ? last : 0;
            put(Q, O,
                (struct tree_entry){ .key = from + rng_below(&rng, keys),
                                     .rank =
                                         (uint32_t)rng_below(&rng, ranks) });
        } else if (O->n) {
            last = O->at[O->n - 1].key;
            pop(Q, O);
        }
    }
    while (O->n)
        pop(Q, O);
    assert_true(tree_queue_is_empty(Q));
    free(Q->at);
    free(Q);
    free(O);
}

static void tree_queue_keeps_order(void **state)
{
    (void)state;
    for (uint64_t i = 0; i < test_scaled(100); i++)
        run(test_seed_at(i));
}

/* Every new entry is the least: runs overflow, segments pile up. */
static void tree_queue_takes_falling_keys(void **state)
{
    (void)state;
    struct tree_queue *Q = calloc(1, sizeof *Q);
    assert_non_null(Q);
    const uint64_t n = 20000;
    Q->room = n + 2 * TREE_RUN;
    Q->at = calloc(Q->room, sizeof *Q->at);
    assert_non_null(Q->at);
    tree_queue_put(Q, (struct tree_entry){ .key = n });
    tree_queue_put(Q, (struct tree_entry){ .key = n + 1 });
    assert_int_equal(tree_queue_pop(Q).key, n);
    for (uint64_t key = n; key-- > 0;)
        tree_queue_put(Q, (struct tree_entry){ .key = key });
    for (uint64_t key = 0; key < n; key++)
        assert_int_equal(tree_queue_pop(Q).key, key);
    assert_int_equal(tree_queue_pop(Q).key, n + 1);
    assert_true(tree_queue_is_empty(Q));
    free(Q->at);
    free(Q);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tree_queue_keeps_order),
        cmocka_unit_test(tree_queue_takes_falling_keys),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
