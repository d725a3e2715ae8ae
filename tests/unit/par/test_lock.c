/* Locks: one at a time, and waiting until told. */
#include "support/test.h"

#include "par/lock.h"

#include <pthread.h>

enum { THREADS = 4, ROUNDS = 5000 };

struct shared {
    struct par_lock lock;
    uint64_t count; /* guarded by lock */
    int turn;       /* guarded by lock */
};

struct player {
    struct shared *shared;
    int id;
    pthread_t thread;
};

static void play(struct shared *shared, void *(*body)(void *))
{
    struct player players[THREADS];
    for (int i = 0; i < THREADS; i++) {
        players[i] = (struct player){ .shared = shared, .id = i };
        assert_int_equal(
            pthread_create(&players[i].thread, NULL, body, &players[i]), 0);
    }
    for (int i = 0; i < THREADS; i++)
        (void)pthread_join(players[i].thread, NULL);
}

static void *count_up(void *arg)
{
    struct shared *shared = ((struct player *)arg)->shared;
    for (int i = 0; i < ROUNDS; i++) {
        par_lock_acquire(&shared->lock);
        shared->count++;
        par_lock_release(&shared->lock);
    }
    return NULL;
}

static void *take_turns(void *arg)
{
    const struct player *player = arg;
    struct shared *shared = player->shared;
    for (int i = 0; i < ROUNDS / 10; i++) {
        par_lock_acquire(&shared->lock);
        while (shared->turn != player->id)
            par_lock_wait(&shared->lock);
        shared->count++;
        shared->turn = (shared->turn + 1) % THREADS;
        par_lock_wake_all(&shared->lock);
        par_lock_release(&shared->lock);
    }
    return NULL;
}

static void lock_lets_one_in_at_a_time(void **state)
{
    struct shared shared = { .count = 0 };
    (void)state;
    assert_int_equal(par_lock_init(&shared.lock), HY_OK);
    play(&shared, count_up);
    assert_int_equal(shared.count, THREADS * ROUNDS);
    par_lock_fini(&shared.lock);
}

static void waiting_ends_when_woken(void **state)
{
    struct shared shared = { .count = 0 };
    (void)state;
    assert_int_equal(par_lock_init(&shared.lock), HY_OK);
    play(&shared, take_turns);
    assert_int_equal(shared.count, THREADS * (ROUNDS / 10));
    par_lock_fini(&shared.lock);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lock_lets_one_in_at_a_time),
        cmocka_unit_test(waiting_ends_when_woken),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
