/* Positions: medians that are known, random graphs with the checker, and
 * bits that do not depend on threads. */
#include "algo/geolocate/sphere.h"

#include "support/small.h"
#include "support/some_graph.h"

#include <hypha/geolocate.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const hy_place unknown = { (double)NAN, (double)NAN };

static hy_place *places(hy_vid n)
{
    hy_place *p = calloc((size_t)n + 1, sizeof *p);
    assert_non_null(p);
    return p;
}

static double uniform(uint64_t *rng, double lo, double hi)
{
    return lo + (hi - lo) * (double)rng_below(rng, 1u << 30) / (1u << 30);
}

/* In a country of some hundred kilometres, sometimes all over the globe. */
static hy_place some_place(uint64_t *rng, bool far)
{
    return far ? (hy_place){ uniform(rng, -90, 90), uniform(rng, -180, 180) }
               : (hy_place){ uniform(rng, 45, 50), uniform(rng, 5, 10) };
}

static hy_place *some_places(const hy_view *V, uint64_t *rng)
{
    const unsigned percent = (unsigned)rng_below(rng, 101);
    const bool far = rng_chance(rng, 10);
    hy_place *known = places(hy_view_bound(V));
    for (hy_vid u = 0; u < hy_view_bound(V); u++)
        known[u] = rng_chance(rng, percent) ? some_place(rng, far) : unknown;
    return known;
}

/* ---- medians ------------------------------------------------------------- */

/* Walks downhill in ever smaller steps, from every point: slow and plain. */
static double least_sum(const struct pull *pull, size_t n)
{
    double best = INFINITY;
    for (size_t k = 0; k < n; k++) {
        hy_place at = sphere_place(pull[k].at);
        double sum = sphere_sum(&pull[k].at, pull, n);
        for (double step = 8; step > 1e-7;) {
            bool is_better = false;
            for (int d = 0; d < 4; d++) {
                const hy_place to = { at.lat + step * (d < 2 ? 2 * d - 1 : 0),
                                      at.lon + step * (d < 2 ? 0 : 2 * d - 5) };
                const struct point p = sphere_point(to);
                const double here = sphere_sum(&p, pull, n);
                if (here < sum) {
                    sum = here;
                    at = to;
                    is_better = true;
                }
            }
            if (!is_better)
                step /= 2;
        }
        best = fmin(best, sum);
    }
    return best;
}

static void median_has_the_least_sum(void **state)
{
    (void)state;
    for (uint64_t i = 0; i < test_scaled(400); i++) {
        uint64_t rng = test_seed_at(i);
        struct pull pull[12];
        const size_t n = rng_range(&rng, 1, 12);
        double weight = 0;
        for (size_t k = 0; k < n; k++) {
            pull[k].at = k && rng_chance(&rng, 20)
                             ? pull[k - 1].at
                             : sphere_point(some_place(&rng, false));
            pull[k].w = (double)rng_range(&rng, 1, 4);
            weight += pull[k].w;
        }
        const double fine = 1e-8;
        const struct point m = sphere_median(pull, n, fine);
        const double sum = sphere_sum(&m, pull, n);
        if (sum > least_sum(pull, n) + 1e-6 * weight)
            fail_msg("sum %.12f; HYPHA_TEST_SEED=0x%llx", sum,
                     (unsigned long long)test_seed_at(i));
    }
}

static void places_survive_the_sphere(void **state)
{
    (void)state;
    const hy_place at[] = { { 0, 0 },    { 48.5, 9.1 }, { -33.9, 151.2 },
                            { 90, 0 },   { -90, 0 },    { 0, 180 },
                            { 10, -170 } };
    for (size_t i = 0; i < sizeof at / sizeof *at; i++) {
        const hy_place back = sphere_place(sphere_point(at[i]));
        assert_true(fabs(back.lat - at[i].lat) < 1e-9);
        assert_true(fabs(at[i].lat) == 90 || fabs(back.lon - at[i].lon) < 1e-9);
    }
    /* A quarter of the equator. */
    const struct point a = sphere_point(at[0]);
    const struct point b = sphere_point((hy_place){ 0, 90 });
    assert_true(fabs(sphere_angle(&a, &b) * EARTH_KM - 10007.557) < 0.01);
}

/* ---- graphs -------------------------------------------------------------- */

static void settled_positions_pass_their_check(void **state)
{
    (void)state;
    uint64_t settled = 0, all = test_scaled(1200);
    for (uint64_t i = 0; i < all; i++) {
        uint64_t rng = test_seed_at(i);
        hy_graph *G =
            some_graph(test_ctx((unsigned)(i % TEST_CTXS)), NULL, rng);
        const hy_view *V = hy_graph_now(G);
        hy_place *known = some_places(V, &rng),
                 *place = places(hy_view_bound(V));
        const hy_geolocate_opts opts = { .spread =
                                             rng_chance(&rng, 30) ? 150 : 0,
                                         .iterations = 50 };
        hy_geolocate_info info;
        const char *why = "";
        assert_int_equal(hy_geolocate(V, &opts, known, place, &info), HY_OK);
        if (info.moved <= 1) {
            settled++;
            if (!hy_geolocate_check(V, &opts, known, place, &why))
                fail_msg("%s; HYPHA_TEST_SEED=0x%llx", why,
                         (unsigned long long)test_seed_at(i));
        }
        free(place);
        free(known);
        hy_graph_free(G);
    }
    assert_true(settled > all / 2);
}

static void positions_have_the_same_bits_for_all_threads(void **state)
{
    (void)state;
    const struct some_graph how = { .n = 3000, .m = 9000, .has_hub = true };
    hy_place *first = NULL;
    for (unsigned c = 0; c < TEST_CTXS; c++) {
        uint64_t rng = test_seed();
        hy_graph *G = some_graph(test_ctx(c), &how, test_seed());
        const hy_view *V = hy_graph_now(G);
        hy_place *known = some_places(V, &rng),
                 *place = places(hy_view_bound(V));
        assert_int_equal(hy_geolocate(V, NULL, known, place, NULL), HY_OK);
        first = first ? first : place;
        for (hy_vid u = 0; u < hy_view_bound(V); u++)
            assert_true(isnan(first[u].lat)
                            ? isnan(place[u].lat)
                            : !memcmp(&first[u], &place[u], sizeof *place));
        if (place != first)
            free(place);
        free(known);
        hy_graph_free(G);
    }
    free(first);
}

/* 0, 1, 2 are known; 3 is beside all of them; 4 beside 3; 5 is alone; 6 was
 * deleted. */
static hy_graph *little(void)
{
    hy_graph_opts opts = { .undirected = true };
    hy_graph_opts_model(&opts, HY_WEIGHTED);
    hy_graph *G = small_graph(&opts, 7);
    const float one = 1, ten = 10, none = -1;
    (void)small_insert(G, 3, 0, &one);
    (void)small_insert(G, 3, 1, &one);
    (void)small_insert(G, 3, 2, &ten);
    (void)small_insert(G, 3, 4, &one);
    (void)small_insert(G, 4, 0, &none);
    (void)small_insert(G, 5, 5, &one);
    (void)small_delete_vertex(G, 6);
    return G;
}

static void positions_follow_the_heavier_neighbour(void **state)
{
    (void)state;
    hy_graph *G = little();
    const hy_view *V = hy_graph_now(G);
    const hy_place known[7] = { { 48, 9 }, { 50, 9 }, { 49, 12 }, unknown,
                                unknown,   unknown,   { 1, 1 } };
    hy_place place[7];
    hy_geolocate_info info;
    assert_int_equal(hy_geolocate(V, NULL, known, place, &info), HY_OK);
    for (hy_vid u = 2; u <= 4; u++)
        assert_true(fabs(place[u].lat - 49) < 1e-9 &&
                    fabs(place[u].lon - 12) < 1e-9);
    assert_true(isnan(place[5].lat) && isnan(place[6].lon));
    assert_int_equal(info.known, 3);
    assert_int_equal(info.found, 2);
    assert_int_equal(info.iterations, 3);
    assert_true(info.moved < 1e-6);
    assert_true(hy_geolocate_check(V, NULL, known, place, NULL));
    /* Five neighbours of 3 within 100 km of the median: only two of four. */
    const hy_geolocate_opts near = { .spread = 100, .weight = "weight" };
    assert_int_equal(hy_geolocate(V, &near, known, place, &info), HY_OK);
    assert_true(isnan(place[3].lat) && isnan(place[4].lat));
    small_free(G);
}

static void check_rejects_what_is_wrong(void **state)
{
    (void)state;
    hy_graph *G = little();
    const hy_view *V = hy_graph_now(G);
    const hy_place known[7] = { { 48, 9 }, { 50, 9 }, { 49, 12 }, unknown,
                                unknown,   unknown,   unknown };
    static const struct {
        hy_vid u;
        hy_place at;
    } wrong[] = {
        { 0, { 48, 9.1 } },         { 3, { 49, 11.8 } },
        { 4, { 49.2, 12 } },        { 4, { (double)NAN, (double)NAN } },
        { 5, { 49, 12 } },          { 6, { 49, 12 } },
        { 3, { 49, (double)NAN } }, { 1, { (double)NAN, (double)NAN } },
    };
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        hy_place place[7];
        const char *why = "";
        assert_int_equal(hy_geolocate(V, NULL, known, place, NULL), HY_OK);
        place[wrong[i].u] = wrong[i].at;
        assert_false(hy_geolocate_check(V, NULL, known, place, &why));
        assert_true(strlen(why) > 0);
    }
    small_free(G);
}

static void bad_places_and_options_are_refused(void **state)
{
    (void)state;
    hy_graph *G = small_graph(NULL, 1);
    const hy_view *V = hy_graph_now(G);
    hy_place place[1] = { { 5, 5 } };
    const hy_place bad[] = { { 91, 0 }, { 0, -181 }, { 0, (double)NAN } };
    for (size_t i = 0; i < 3; i++)
        assert_int_equal(hy_geolocate(V, NULL, &bad[i], place, NULL),
                         HY_EINVAL);
    const hy_geolocate_opts wrong[] = { { .spread = -1 },
                                        { .tolerance = -1 },
                                        { .weight = "wait" } };
    for (size_t i = 0; i < 3; i++)
        assert_int_equal(hy_geolocate(V, &wrong[i], &unknown, place, NULL),
                         HY_EINVAL);
    assert_true(place[0].lat == 5);
    small_free(G);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(median_has_the_least_sum),
        cmocka_unit_test(places_survive_the_sphere),
        cmocka_unit_test(settled_positions_pass_their_check),
        cmocka_unit_test(positions_have_the_same_bits_for_all_threads),
        cmocka_unit_test(positions_follow_the_heavier_neighbour),
        cmocka_unit_test(check_rejects_what_is_wrong),
        cmocka_unit_test(bad_places_and_options_are_refused),
    };
    return cmocka_run_group_tests(tests, test_ctxs_new, test_ctxs_free);
}
