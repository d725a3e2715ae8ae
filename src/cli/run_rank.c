/* `hypha run`: ranks, a cluster around a vertex, positions. */
#include "cli/run.h"

#include <math.h>

/* What `--iterations` without `--tolerance` means: all of them. */
static double tolerance_of(const struct run *R)
{
    return R->o->iterations && R->o->tolerance <= 0 ? -1 : R->o->tolerance;
}

void run_pagerank(struct run *R)
{
    const hy_pagerank_opts opts = { .damping = R->o->damping,
                                    .tolerance = tolerance_of(R),
                                    .iterations = (uint32_t)R->o->iterations,
                                    .method = (hy_pagerank_method)run_method(R),
                                    .device = R->device };
    double *const rank = run_array(R, sizeof *rank);
    hy_pagerank_info info = { 0 };
    run_begin(R);
    run_end(R, hy_pagerank(R->V, &opts, rank, &info));
    run_column(R, "rank", RUN_F64, rank);
    run_count(R, "iterations", info.iterations);
    run_number(R, "l1", info.l1);
    run_number(R, "sum", info.sum);
    if (R->o->check) {
        const char *why = NULL;
        const bool right = hy_pagerank_check(R->V, &opts, rank, &why);
        run_checked(R, right, why);
    }
}

void run_hits(struct run *R)
{
    const hy_hits_opts opts = { .tolerance = tolerance_of(R),
                                .iterations = (uint32_t)R->o->iterations };
    double *const hub = run_array(R, sizeof *hub);
    double *const authority = run_array(R, sizeof *authority);
    hy_hits_info info = { 0 };
    run_begin(R);
    run_end(R, hy_hits(R->V, &opts, hub, authority, &info));
    run_column(R, "authority", RUN_F64, authority);
    run_column(R, "hub", RUN_F64, hub);
    run_count(R, "iterations", info.iterations);
    run_number(R, "change", info.change);
    if (R->o->check && opts.tolerance < 0) {
        cli_note("hits: a fixed number of iterations has no checker");
    } else if (R->o->check) {
        const char *why = NULL;
        const bool right = hy_hits_check(R->V, &opts, hub, authority, &why);
        run_checked(R, right, why);
    }
}

void run_katz(struct run *R)
{
    const hy_katz_opts opts = { .alpha = R->o->damping,
                                .tolerance = R->o->tolerance,
                                .iterations = (uint32_t)R->o->iterations };
    double *const katz = run_array(R, sizeof *katz);
    hy_katz_info info = { 0 };
    run_begin(R);
    run_end(R, hy_katz(R->V, &opts, katz, &info));
    run_column(R, "katz", RUN_F64, katz);
    run_count(R, "iterations", info.iterations);
    run_number(R, "alpha", info.alpha);
    run_number(R, "change", info.change);
    if (R->o->check) {
        const char *why = NULL;
        const bool right = hy_katz_check(R->V, &opts, katz, &info, &why);
        run_checked(R, right, why);
    }
}

void run_localcluster(struct run *R)
{
    const struct run_opts *const o = R->o;
    const hy_localcluster_opts opts = { .seed = R->source,
                                        .alpha =
                                            o->damping > 0 ? 1 - o->damping : 0,
                                        .epsilon = o->tolerance };
    hy_vid *const members = run_array_of(
        R, (size_t)hy_localcluster_room(R->V, &opts), sizeof *members);
    uint32_t *const inside = run_array(R, sizeof *inside);
    hy_localcluster_info info = { 0 };
    run_begin(R);
    run_end(R, hy_localcluster(R->V, &opts, members, &info));
    for (uint64_t i = 0; i < info.members; i++)
        inside[members[i]] = 1;
    run_column(R, "inside", RUN_U32, inside);
    run_count(R, "members", info.members);
    run_number(R, "conductance", info.conductance);
    run_count(R, "volume", info.volume);
    run_count(R, "cut", info.cut);
    run_count(R, "touched", info.touched);
    run_count(R, "pushes", info.pushes);
    if (R->o->check) {
        const char *why = NULL;
        const bool right = hy_localcluster_check(R->V, members, &info, &why);
        run_checked(R, right, why);
    }
}

static void show_places(struct run *R, const hy_place *place)
{
    double *const lat = run_array(R, sizeof *lat);
    double *const lon = run_array(R, sizeof *lon);
    for (hy_vid u = 0; u < hy_view_bound(R->V); u++) {
        lat[u] = place[u].lat;
        lon[u] = place[u].lon;
    }
    run_column(R, "lat", RUN_F64, lat);
    run_column(R, "lon", RUN_F64, lon);
}

void run_geolocate(struct run *R)
{
    const hy_geolocate_opts opts = { .weight = R->o->column,
                                     .spread = R->o->spread,
                                     .tolerance = R->o->tolerance,
                                     .iterations = (uint32_t)R->o->iterations };
    const double settled = R->o->tolerance > 0 ? R->o->tolerance : 1;
    double *const known =
        run_array_of(R, 2 * (size_t)hy_view_bound(R->V), sizeof *known);
    hy_place *const given = run_array(R, sizeof *given);
    hy_place *const place = run_array(R, sizeof *place);
    for (size_t i = 0; i < 2 * (size_t)hy_view_bound(R->V); i++)
        known[i] = NAN;
    run_read_values(R, 2, known);
    for (size_t u = 0; u < hy_view_bound(R->V); u++)
        given[u] = (hy_place){ known[2 * u], known[2 * u + 1] };
    hy_geolocate_info info = { 0 };
    run_begin(R);
    run_end(R, hy_geolocate(R->V, &opts, given, place, &info));
    show_places(R, place);
    run_count(R, "known", info.known);
    run_count(R, "found", info.found);
    run_count(R, "iterations", info.iterations);
    if (isfinite(info.moved))
        run_number(R, "moved_km", info.moved);
    if (R->o->check && !(info.moved <= settled)) {
        cli_note("geolocate: positions still move; more --iterations let "
                 "them be checked");
    } else if (R->o->check) {
        const char *why = NULL;
        const bool right = hy_geolocate_check(R->V, &opts, given, place, &why);
        run_checked(R, right, why);
    }
}
