/* Triangles, coefficients, trusses, cliques and butterflies, and their
 * checkers, with every allocation failing in turn: HY_ENOMEM, the caller's
 * arrays as they were, nothing left behind. */
#include "support/fault.h"
#include "support/test.h"

#include <hypha/hypha.h>

#include <string.h>

enum { VERTICES = 60, EDGES = 400, UNTOUCHED = 0x5a };

struct bed {
    struct fault fault;
    hy_ctx *ctx;
    hy_graph *G;
    const hy_view *V;
    struct answers {
        uint64_t count[VERTICES];
        double lcc[VERTICES];
        hy_edge edges[EDGES];
        uint32_t truss[EDGES], vertex[VERTICES];
        uint64_t n_edges;
    } at;
};

typedef hy_status step(struct bed *b);

static hy_status call_triangles(struct bed *b)
{
    const hy_triangles_opts opts = { .method = HY_TRIANGLES_RANKED };
    return hy_triangles(b->V, &opts, b->at.count, NULL);
}

static hy_status call_lcc(struct bed *b)
{
    return hy_lcc(b->V, NULL, b->at.lcc, NULL);
}

static hy_status call_kclique(struct bed *b)
{
    return hy_kclique(b->V, NULL, b->at.count, NULL);
}

static hy_status call_butterfly(struct bed *b)
{
    return hy_butterfly(b->V, NULL, b->at.count, NULL);
}

static hy_status call_ktruss(struct bed *b)
{
    const hy_ktruss_out out = { b->at.edges, b->at.truss, NULL };
    hy_ktruss_info info = { 0 };
    const hy_status status = hy_ktruss(b->V, NULL, &out, &info);
    if (status == HY_OK)
        b->at.n_edges = info.edges;
    return status;
}

/* A checker that fails although the answer is right had no memory. */
static hy_status told(bool ok, const char *why)
{
    return ok ? HY_OK : strstr(why, "memory") ? HY_ENOMEM : HY_EBUG;
}

static hy_status check_triangles(struct bed *b)
{
    const char *why = "";
    const bool ok = hy_triangles_check(b->V, NULL, 0, &why);
    /* there are triangles: what is wrong is said when memory is there */
    return strstr(why, "memory") ? HY_ENOMEM : ok ? HY_EBUG : HY_OK;
}

static hy_status check_kclique(struct bed *b)
{
    const char *why = "";
    const hy_kclique_opts opts = { .k = 40 };
    const bool ok = hy_kclique_check(b->V, &opts, NULL, 0, &why);
    return told(ok, why);
}

static hy_status check_lcc(struct bed *b)
{
    const char *why = "";
    if (b->at.n_edges != 1) {
        const uint64_t armed = b->fault.at;
        b->fault.at = 0;
        assert_int_equal(hy_lcc(b->V, NULL, b->at.lcc, NULL), HY_OK);
        b->fault.at = armed;
        b->at.n_edges = 1;
    }
    const bool ok = hy_lcc_check(b->V, NULL, b->at.lcc, &why);
    return told(ok, why);
}

static hy_status check_butterfly(struct bed *b)
{
    const char *why = "";
    const bool ok = hy_butterfly_check(b->V, NULL, 0, &why);
    return strstr(why, "memory") ? HY_ENOMEM : ok ? HY_EBUG : HY_OK;
}

static hy_status check_ktruss(struct bed *b)
{
    const char *why = "";
    const bool ok = hy_ktruss_check(b->V, 0, NULL, NULL, &why);
    return strstr(why, "memory") ? HY_ENOMEM : ok ? HY_EBUG : HY_OK;
}

static void bed_init(struct bed *b, bool undirected, uint32_t threads)
{
    const hy_ctx_opts ctx_opts = { threads, fault_may_alloc, &b->fault };
    const hy_graph_opts opts = { .undirected = undirected,
                                 .reserve = (uint64_t)64 << 20 };
    hy_edge edges[EDGES];
    uint64_t rng = 7;
    memset(b, 0, sizeof *b);
    memset(&b->at, UNTOUCHED, sizeof b->at);
    for (size_t i = 0; i < EDGES; i++)
        edges[i] = (hy_edge){ (hy_vid)rng_below(&rng, VERTICES),
                              (hy_vid)rng_below(&rng, VERTICES) };
    assert_int_equal(hy_ctx_new(&ctx_opts, &b->ctx), HY_OK);
    assert_int_equal(hy_graph_new(b->ctx, &opts, &b->G), HY_OK);
    assert_int_equal(hy_graph_load_edges(b->G, VERTICES, EDGES, edges, NULL),
                     HY_OK);
    b->V = hy_graph_now(b->G);
}

static bool is_untouched(const struct bed *b)
{
    const unsigned char *at = (const unsigned char *)&b->at;
    for (size_t i = 0; i < sizeof b->at; i++)
        if (at[i] != UNTOUCHED)
            return false;
    return true;
}

static void run_one(step *call, bool undirected, uint32_t threads, bool checks)
{
    enum { ENDLESS = 1000 };
    static struct bed b;
    bed_init(&b, undirected, threads);
    const uint64_t before = hy_ctx_bytes(b.ctx);
    hy_status status = HY_ENOMEM;
    uint64_t k = 0;
    while (status != HY_OK && k < ENDLESS) {
        fault_arm(&b.fault, ++k);
        status = call(&b);
        const bool is_hit = fault_disarm(&b.fault);
        if (status != HY_OK && (status != HY_ENOMEM || !is_hit))
            fail_msg("allocation %llu: %s: %s", (unsigned long long)k,
                     hy_status_text(status), hy_error_text());
        assert_true(status == HY_OK || checks || is_untouched(&b));
        assert_int_equal(hy_ctx_bytes(b.ctx), before);
    }
    assert_true(k > 1 && k < ENDLESS);
    hy_graph_free(b.G);
    hy_ctx_free(b.ctx);
}

static void run(step *call, bool checks)
{
    for (uint32_t threads = 1; threads < 3; threads++) {
        run_one(call, true, threads, checks);
        run_one(call, false, threads, checks);
    }
}

static void answers_survive_want_of_memory(void **state)
{
    (void)state;
    run(call_triangles, false);
    run(call_lcc, false);
    run(call_kclique, false);
    run(call_butterfly, false);
    run(call_ktruss, false);
}

static void checkers_survive_want_of_memory(void **state)
{
    (void)state;
    run(check_triangles, true);
    run(check_lcc, true);
    run(check_kclique, true);
    run(check_butterfly, true);
    run(check_ktruss, true);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(answers_survive_want_of_memory),
        cmocka_unit_test(checkers_survive_want_of_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
