/* Graphs written as images and opened again. */
#include "support/fault.h"
#include "support/scroll.h"
#include "support/seal.h"
#include "support/small.h"

#include "store/hub.h"
#include "store/image.h"

#include <stdlib.h>
#include <string.h>

static hy_status write_image(const hy_view *V, const char *names,
                             struct scroll *S)
{
    return image_write(V, names, names ? strlen(names) : 0, scroll_put, S);
}

static hy_status open_image(hy_ctx *ctx, const struct scroll *S, bool verify,
                            hy_graph **G)
{
    const struct image_opts opts = { .verify = verify };
    struct image_names names;
    return image_open(ctx, S->fd, S->n, &opts, G, &names);
}

static bool is_same(const struct scroll *S, const unsigned char *bytes)
{
    unsigned char *now = scroll_bytes(S);
    const bool is = memcmp(now, bytes, S->n) == 0;
    free(now);
    return is;
}

/* ---- histories ---------------------------------------------------------- */

/* The trial goes on with the graph of its image. */
static void reopen(struct trial *T, struct scroll *S, uint64_t seed)
{
    hy_graph *G = NULL;
    assert_int_equal(write_image(hy_graph_now(T->G), NULL, S), HY_OK);
    if (open_image(T->ctx, S, true, &G) != HY_OK)
        fail_msg("open: %s, seed %llu", hy_error_text(),
                 (unsigned long long)seed);
    hy_graph_free(T->G);
    T->G = G;
    must(T, trial_compare(T), seed);
}

struct pinned {
    const hy_view *V;
    struct model *M;
};

static void pin(struct trial *T, struct pinned *P)
{
    assert_int_equal(hy_view_acquire(T->G, &P->V), HY_OK);
    P->M = model_copy(T->M);
}

static void unpin(struct trial *T, struct pinned *P, uint64_t seed)
{
    must(T, model_compare(P->M, P->V, &T->why), seed);
    hy_view_release(P->V);
    model_free(P->M);
}

static void change(struct trial *T, uint64_t seed)
{
    for (uint64_t steps = rng_below(&T->rng, 6); steps; steps--) {
        const struct mix mix = mix_random(T->M, &T->rng);
        must(T, trial_step(T, &mix, rng_below(&T->rng, 150)), seed);
    }
}

static void run_history(uint64_t code, uint64_t seed)
{
    struct trial T;
    struct scroll S;
    struct pinned P;
    uint64_t rng = seed;
    const hy_graph_opts opts = shape_of(code);
    hy_ctx *ctx = test_ctx((unsigned)(code % TEST_CTXS));
    must(&T, trial_init(&T, ctx, &opts, rng_next(&rng)), seed);
    must(&T,
         trial_load(&T, (enum trial_start)rng_below(&rng, TRIAL_STARTS),
                    rng_below(&rng, 200), rng_below(&rng, 600)),
         seed);
    for (int round = 0; round < 3; round++) {
        scroll_init(&S);
        if (round || rng_chance(&rng, 70))
            change(&T, seed);
        reopen(&T, &S, seed);
        unsigned char *bytes = scroll_bytes(&S);
        pin(&T, &P);
        change(&T, seed);
        if (rng_chance(&rng, 30))
            must(&T, trial_rebalance(&T), seed);
        unpin(&T, &P, seed);
        change(&T, seed);
        assert_true(is_same(&S, bytes));
        free(bytes);
        scroll_fini(&S);
    }
    trial_fini(&T);
}

static void every_shape_comes_back_and_goes_on(void **state)
{
    enum { SHAPES = 3 * 2 * SHAPE_EDGE_KINDS * SHAPE_VERTEX_KINDS * 2 };
    (void)state;
    for (uint64_t i = 0, n = test_scaled(SHAPES); i < n; i++)
        run_history(i % SHAPES + SHAPES * (i * 7 % 72), test_seed_at(i));
}

static void hubs_come_back_and_go_on(void **state)
{
    (void)state;
    for (uint64_t i = 0, n = test_scaled(8); i < n; i++) {
        const uint64_t seed = test_seed_at(i);
        struct trial T;
        struct scroll S;
        const hy_graph_opts opts = shape_of(i * 7);
        must(&T, trial_init(&T, test_ctx((unsigned)i), &opts, seed), seed);
        must(&T, trial_load(&T, TRIAL_EDGES, 4000, 100), seed);
        for (int round = 0; round < 2; round++) {
            scroll_init(&S);
            const struct mix mix = {
                .ids = 4000,
                .hubs = 2,
                .at_hub = 90,
                .kinds = { [LINE_INSERT_EDGE] = 5, [LINE_DELETE_EDGE] = 1 }
            };
            must(&T, trial_step(&T, &mix, 6000), seed);
            reopen(&T, &S, seed);
            must(&T, trial_step(&T, &mix, 500), seed);
            scroll_fini(&S);
        }
        trial_fini(&T);
    }
}

/* ---- versions ------------------------------------------------------------ */

static void an_old_view_is_written_as_it_was(void **state)
{
    const hy_graph_opts opts = { .ids = HY_IDS_MAPPED, .undirected = true };
    hy_graph *G = small_graph(&opts, 0), *back = NULL;
    const hy_view *V;
    struct scroll S;
    (void)state;
    scroll_init(&S);
    (void)small_insert(G, 1ull << 40, 7, NULL);
    (void)small_insert(G, 7, 8, NULL);
    assert_int_equal(hy_view_acquire(G, &V), HY_OK);
    (void)small_delete_vertex(G, 7);
    (void)small_insert(G, 9, 10, NULL);
    assert_int_equal(write_image(V, NULL, &S), HY_OK);
    hy_view_release(V);
    assert_int_equal(open_image(test_ctx(1), &S, true, &back), HY_OK);
    V = hy_graph_now(back);
    assert_int_equal(hy_view_vertices(V), 3);
    assert_int_equal(hy_view_edges(V), 2);
    assert_true(hy_view_has_edge(V, hy_view_find(V, 7), hy_view_find(V, 8)));
    assert_int_equal(hy_view_find(V, 9), HY_NONE);
    small_free(back);
    small_free(G);
    scroll_fini(&S);
}

static void the_same_graph_gives_the_same_bytes(void **state)
{
    const hy_edge edges[] = { { 0, 1 }, { 1, 2 }, { 2, 0 } };
    struct scroll A, B, C;
    hy_graph *G = small_graph(NULL, 0), *back = NULL;
    (void)state;
    scroll_init(&A);
    scroll_init(&B);
    scroll_init(&C);
    assert_int_equal(hy_graph_load_edges(G, 3, 3, edges, NULL), HY_OK);
    assert_int_equal(write_image(hy_graph_now(G), "x", &A), HY_OK);
    (void)small_insert(G, 0, 2, NULL);
    (void)small_delete(G, 0, 2);
    assert_int_equal(write_image(hy_graph_now(G), "x", &B), HY_OK);
    assert_int_equal(open_image(test_ctx(0), &A, false, &back), HY_OK);
    assert_int_equal(write_image(hy_graph_now(back), "x", &C), HY_OK);
    unsigned char *bytes = scroll_bytes(&A);
    assert_int_equal(A.n, B.n);
    assert_int_equal(A.n, C.n);
    assert_true(is_same(&B, bytes));
    assert_true(is_same(&C, bytes));
    free(bytes);
    small_free(back);
    small_free(G);
    scroll_fini(&A);
    scroll_fini(&B);
    scroll_fini(&C);
}

static void an_empty_graph_comes_back(void **state)
{
    struct scroll S;
    hy_graph *G = small_graph(NULL, 0), *back = NULL;
    (void)state;
    scroll_init(&S);
    assert_int_equal(write_image(hy_graph_now(G), NULL, &S), HY_OK);
    assert_int_equal(open_image(test_ctx(0), &S, true, &back), HY_OK);
    assert_int_equal(hy_view_bound(hy_graph_now(back)), 0);
    const hy_edge edge = { 1, 0 };
    assert_int_equal(hy_graph_load_edges(back, 2, 1, &edge, NULL), HY_OK);
    small_free(back);
    small_free(G);
    scroll_fini(&S);
}

static void names_come_back_as_they_were(void **state)
{
    const struct image_opts opts = { 0 };
    struct image_names names;
    struct scroll S;
    hy_graph *G = small_graph(NULL, 1), *back = NULL;
    (void)state;
    scroll_init(&S);
    assert_int_equal(write_image(hy_graph_now(G), "ada bob", &S), HY_OK);
    assert_int_equal(image_open(test_ctx(0), S.fd, S.n, &opts, &back, &names),
                     HY_OK);
    assert_int_equal(names.n, 7);
    assert_memory_equal(names.at, "ada bob", 7);
    small_free(back);
    small_free(G);
    scroll_fini(&S);
}

static void a_mapped_file_is_not_counted_as_memory(void **state)
{
    enum { N = 300000 };
    struct scroll S;
    hy_graph *G = small_graph(NULL, N), *back = NULL;
    (void)state;
    scroll_init(&S);
    assert_int_equal(write_image(hy_graph_now(G), NULL, &S), HY_OK);
    small_free(G);
    const uint64_t before = hy_ctx_bytes(test_ctx(0));
    assert_int_equal(open_image(test_ctx(0), &S, false, &back), HY_OK);
    assert_true(hy_ctx_bytes(test_ctx(0)) - before < S.n / 20);
    hy_graph_stats stats;
    hy_graph_stats_get(back, &stats);
    assert_true(stats.bytes > S.n * 9 / 10);
    small_free(back);
    scroll_fini(&S);
}

/* ---- what is wrong ------------------------------------------------------- */

enum { SAMPLE = 75 }; /* vertices */

static void sample(struct scroll *S)
{
    hy_graph_opts opts = { .ids = HY_IDS_MAPPED, .reverse = true };
    hy_graph_opts_model(&opts, HY_WEIGHTED);
    hy_graph *G = small_graph(&opts, 0);
    const float w = 2;
    scroll_init(S);
    for (uint64_t i = 0; i < 70; i++)
        (void)small_insert(G, i * i % 50, i % 3 ? i : i << 40, &w);
    (void)small_delete_vertex(G, 1);
    assert_int_equal(write_image(hy_graph_now(G), "names", S), HY_OK);
    small_free(G);
}

/* It does not open or, if what changed fills a gap, is as it was. */
static void expect_damage(const struct scroll *S, uint64_t at)
{
    hy_graph *G = NULL;
    const hy_status status = open_image(test_ctx(0), S, false, &G);
    if (status == HY_OK) {
        const char *why;
        if (!hy_graph_check(G, &why))
            fail_msg("byte %llu: %s", (unsigned long long)at, why);
        assert_int_equal(hy_view_vertices(hy_graph_now(G)), SAMPLE);
        hy_graph_free(G);
        return;
    }
    if (status != HY_EFORMAT && status != HY_ENOTSUP)
        fail_msg("byte %llu: %s", (unsigned long long)at, hy_error_text());
    assert_string_not_equal(hy_error_text(), "");
}

static void any_flipped_bit_is_found(void **state)
{
    struct scroll S;
    uint64_t rng = test_seed();
    (void)state;
    sample(&S);
    unsigned char *bytes = scroll_bytes(&S);
    for (uint64_t at = 0; at < S.n; at += 1 + at / 64 % 13) {
        const unsigned bit = 1u << rng_below(&rng, 8);
        scroll_poke(&S, at, (unsigned char)(bytes[at] ^ bit));
        expect_damage(&S, at);
        scroll_poke(&S, at, bytes[at]);
    }
    free(bytes);
    scroll_fini(&S);
}

static void any_shorter_file_is_refused(void **state)
{
    struct scroll S;
    (void)state;
    sample(&S);
    unsigned char *bytes = scroll_bytes(&S);
    const uint64_t n = S.n;
    for (uint64_t cut = 0; cut < n; cut += 97) {
        hy_graph *G = NULL;
        scroll_set(&S, bytes, cut);
        assert_int_equal(open_image(test_ctx(0), &S, false, &G), HY_EFORMAT);
    }
    for (uint64_t cut = 0; cut < n; cut += 4096) {
        hy_graph *G = NULL;
        scroll_set(&S, bytes, cut);
        assert_int_equal(open_image(test_ctx(0), &S, false, &G), HY_EFORMAT);
    }
    free(bytes);
    scroll_fini(&S);
}

static void a_later_version_is_told(void **state)
{
    struct scroll S;
    hy_graph *G = NULL;
    (void)state;
    sample(&S);
    scroll_poke(&S, 8, 2);
    assert_int_equal(open_image(test_ctx(0), &S, false, &G), HY_ENOTSUP);
    assert_non_null(strstr(hy_error_text(), "version 2"));
    scroll_poke(&S, 12, 1);
    assert_int_equal(open_image(test_ctx(0), &S, false, &G), HY_ENOTSUP);
    assert_non_null(strstr(hy_error_text(), "byte order"));
    scroll_fini(&S);
}

/* A graph with hubs, dead vertices and both kinds of external ids. */
static void sample_of_all(uint64_t code, struct scroll *S)
{
    struct trial T;
    const hy_graph_opts opts = shape_of(code);
    const uint64_t seed = test_seed();
    const struct mix mix = {
        .ids = 1500,
        .hubs = 1,
        .at_hub = 90,
        .kinds = { [LINE_INSERT_EDGE] = 50, [LINE_DELETE_VERTEX] = 1 }
    };
    must(&T, trial_init(&T, test_ctx(0), &opts, seed), seed);
    must(&T, trial_load(&T, TRIAL_EDGES, 1500, 200), seed);
    must(&T, trial_step(&T, &mix, 2500), seed);
    assert_int_equal(write_image(hy_graph_now(T.G), NULL, S), HY_OK);
    trial_fini(&T);
}

static void change_graph(hy_graph *G)
{
    const hy_view *V = hy_graph_now(G);
    hy_batch *B = small_batch(G);
    for (hy_vid u = 0; u < hy_view_bound(V); u += 5) {
        const uint64_t x = hy_view_external(V, u);
        assert_int_equal(hy_batch_insert_edge(B, x, x, NULL), HY_OK);
        assert_int_equal(hy_batch_delete_vertex(B, x + 1), HY_OK);
    }
    (void)small_commit(G, B);
}

/* Vertex 0 is a hub, vertex 1 is none. */
static hy_graph *small_hub(void)
{
    hy_graph *G = small_graph(NULL, 3000);
    hy_batch *B = small_batch(G);
    for (hy_vid v = 1; v < 3000; v++)
        assert_int_equal(hy_batch_insert_edge(B, 0, v, NULL), HY_OK);
    assert_int_equal(hy_batch_insert_edge(B, 1, 2, NULL), HY_OK);
    (void)small_commit(G, B);
    return G;
}

/* Births begin at 1: 0 is the pin of a commit that no view stands behind, and
 * what is born no later would be kept for a view. */
static void nothing_is_born_before_the_first_version(void **state)
{
    hy_graph *G = small_hub();
    (void)state;
    struct slot *hub = view_slot(hy_graph_now(G), OUT, 0);
    struct slot *small = view_slot(hy_graph_now(G), OUT, 1);
    assert_true(slot_is_hub(hub) && !slot_is_hub(small));
    struct branch *root = hub_branch(hy_graph_now(G)->blocks, slot_at(hub));
    const uint32_t birth = hub->epoch;
    assert_true(hy_graph_check(G, NULL));
    hub->epoch = 0;
    assert_false(hy_graph_check(G, NULL));
    hub->epoch = birth;
    small->epoch = 0;
    assert_false(hy_graph_check(G, NULL));
    small->epoch = birth;
    root->epoch[1] = 0;
    assert_false(hy_graph_check(G, NULL));
    root->epoch[1] = birth;
    assert_true(hy_graph_check(G, NULL));
    small_free(G);
}

/* The addresses of pages are asked for when they are known to be in the
 * arena, or the sanitizers have something to say. */
static void no_page_is_past_the_arena(void **state)
{
    hy_graph *G = small_hub();
    (void)state;
    struct slot *hub = view_slot(hy_graph_now(G), OUT, 0);
    struct branch *root = hub_branch(hy_graph_now(G)->blocks, slot_at(hub));
    const uint64_t at = root->at[1];
    root->at[1] = at | 9ull << 56;
    assert_false(hy_graph_check(G, NULL));
    root->at[1] = at;
    assert_true(hy_graph_check(G, NULL));
    small_free(G);
}

/* With sums set right only hy_graph_check is left to find it. */
static void a_forged_image_is_refused_or_behaves(void **state)
{
    uint64_t rng = test_seed(), opened = 0;
    (void)state;
    for (uint64_t i = 0, n = test_scaled(12); i < n; i++) {
        struct scroll S;
        scroll_init(&S);
        sample_of_all(i * 5, &S);
        unsigned char *whole = scroll_bytes(&S);
        unsigned char *bytes = malloc(S.n);
        assert_non_null(bytes);
        for (int k = 0; k < 60; k++) {
            uint8_t what[4];
            for (int j = 0; j < 4; j++)
                what[j] = (uint8_t)rng_below(&rng, j ? 256 : 10);
            memcpy(bytes, whole, S.n);
            image_change(bytes, S.n, what);
            image_seal_again(bytes, S.n);
            scroll_set(&S, bytes, S.n);
            hy_graph *G = NULL;
            if (open_image(test_ctx(1), &S, true, &G) != HY_OK)
                continue;
            opened++;
            change_graph(G);
            small_free(G);
        }
        free(whole);
        free(bytes);
        scroll_fini(&S);
    }
    assert_true(opened > 0);
}

/* ---- faults -------------------------------------------------------------- */

static hy_status refuse(void *arg, const void *bytes, size_t n)
{
    uint64_t *left = arg;
    (void)bytes;
    if (n > *left)
        return HY_EIO;
    *left -= n;
    return HY_OK;
}

static void a_put_that_fails_ends_writing(void **state)
{
    hy_graph *G = small_graph(NULL, 500);
    (void)state;
    (void)small_insert(G, 1, 2, NULL);
    for (uint64_t room = 0; room < 20000; room += 1024) {
        uint64_t left = room;
        assert_int_equal(image_write(hy_graph_now(G), NULL, 0, refuse, &left),
                         HY_EIO);
    }
    small_free(G);
}

struct bed {
    struct fault fault;
    hy_ctx *ctx;
    struct trial T;
};

static void bed_init(struct bed *b)
{
    const hy_ctx_opts ctx_opts = { .threads = 2,
                                   .may_alloc = fault_may_alloc,
                                   .user = &b->fault };
    const hy_graph_opts opts = { .ids = HY_IDS_MAPPED, .reverse = true };
    const uint64_t seed = test_seed();
    *b = (struct bed){ .ctx = NULL };
    assert_int_equal(hy_ctx_new(&ctx_opts, &b->ctx), HY_OK);
    must(&b->T, trial_init(&b->T, b->ctx, &opts, seed), seed);
    must(&b->T, trial_load(&b->T, TRIAL_PAIRS, 100, 300), seed);
    const struct mix mix = mix_random(b->T.M, &b->T.rng);
    must(&b->T, trial_step(&b->T, &mix, 100), seed);
}

/* Both with the k-th allocation failing, k = 1, 2, ... */
static void writing_and_opening_fail_cleanly(void **state)
{
    struct bed b;
    struct scroll S;
    bool is_hit = true;
    (void)state;
    bed_init(&b);
    for (uint64_t k = 1; is_hit; k++) {
        scroll_init(&S);
        fault_arm(&b.fault, k);
        const hy_status status = write_image(hy_graph_now(b.T.G), NULL, &S);
        is_hit = fault_disarm(&b.fault);
        assert_int_equal(status, is_hit ? HY_ENOMEM : HY_OK);
        if (is_hit)
            scroll_fini(&S);
    }
    const uint64_t before = hy_ctx_bytes(b.ctx);
    is_hit = true;
    for (uint64_t k = 1; is_hit; k++) {
        hy_graph *G = NULL;
        fault_arm(&b.fault, k);
        const hy_status status = open_image(b.ctx, &S, true, &G);
        is_hit = fault_disarm(&b.fault);
        assert_int_equal(status, is_hit ? HY_ENOMEM : HY_OK);
        hy_graph_free(G);
        assert_int_equal(hy_ctx_bytes(b.ctx), before);
    }
    scroll_fini(&S);
    trial_fini(&b.T);
    assert_int_equal(hy_ctx_bytes(b.ctx), 0);
    hy_ctx_free(b.ctx);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_shape_comes_back_and_goes_on),
        cmocka_unit_test(hubs_come_back_and_go_on),
        cmocka_unit_test(an_old_view_is_written_as_it_was),
        cmocka_unit_test(the_same_graph_gives_the_same_bytes),
        cmocka_unit_test(an_empty_graph_comes_back),
        cmocka_unit_test(names_come_back_as_they_were),
        cmocka_unit_test(a_mapped_file_is_not_counted_as_memory),
        cmocka_unit_test(any_flipped_bit_is_found),
        cmocka_unit_test(any_shorter_file_is_refused),
        cmocka_unit_test(a_later_version_is_told),
        cmocka_unit_test(nothing_is_born_before_the_first_version),
        cmocka_unit_test(no_page_is_past_the_arena),
        cmocka_unit_test(a_forged_image_is_refused_or_behaves),
        cmocka_unit_test(a_put_that_fails_ends_writing),
        cmocka_unit_test(writing_and_opening_fail_cleanly),
    };
    return cmocka_run_group_tests(tests, test_ctxs_new, test_ctxs_free);
}
