/* `hypha run`: components, communities, colours, cores. */
#include "cli/run.h"

void run_wcc(struct run *R)
{
    const hy_wcc_opts opts = { .method = (hy_wcc_method)run_method(R),
                               .device = R->device };
    hy_vid *const label = run_array(R, sizeof *label);
    hy_wcc_info info = { 0 };
    run_begin(R);
    run_end(R, hy_wcc(R->V, &opts, label, &info));
    run_count(R, "components", info.components);
    run_count(R, "largest", info.largest);
    if (R->o->check) {
        const char *why = NULL;
        const bool right = hy_wcc_check(R->V, label, &why);
        run_checked(R, right, why);
    }
    run_name_groups(R, label);
    run_column(R, "component", RUN_VERTEX, label);
}

void run_scc(struct run *R)
{
    const hy_scc_opts opts = { .method = (hy_scc_method)run_method(R) };
    hy_vid *const label = run_array(R, sizeof *label);
    hy_scc_info info = { 0 };
    run_begin(R);
    run_end(R, hy_scc(R->V, &opts, label, &info));
    run_count(R, "components", info.components);
    run_count(R, "largest", info.largest);
    if (R->o->check) {
        const char *why = NULL;
        const bool right = hy_scc_check(R->V, label, &why);
        run_checked(R, right, why);
    }
    run_name_groups(R, label);
    run_column(R, "component", RUN_VERTEX, label);
}

/* Labels start as places in the order of external ids: ties are broken as by
 * the ids themselves, and texts need no numbers. */
void run_cdlp(struct run *R)
{
    const size_t n = (size_t)hy_view_vertices(R->V);
    const hy_vid *const order = run_order(R);
    uint64_t *const start = run_array(R, sizeof *start);
    uint64_t *const label = run_array(R, sizeof *label);
    hy_vid *const name = run_array(R, sizeof *name);
    for (size_t i = 0; i < n; i++)
        start[order[i]] = i;
    const hy_cdlp_opts opts = { .iterations = (uint32_t)R->o->iterations,
                                .labels = start };
    hy_cdlp_info info = { 0 };
    run_begin(R);
    run_end(R, hy_cdlp(R->V, &opts, label, &info));
    for (size_t i = 0; i < n; i++)
        name[order[i]] = order[label[order[i]]];
    run_column(R, "community", RUN_VERTEX, name);
    run_count(R, "communities", info.communities);
    run_count(R, "largest", info.largest);
    run_count(R, "iterations", info.iterations);
    if (R->o->check) {
        const char *why = NULL;
        const bool right = hy_cdlp_check(R->V, &opts, label, &why);
        run_checked(R, right, why);
    }
}

void run_coloring(struct run *R)
{
    const hy_coloring_opts opts = { .seed = R->o->seed };
    uint32_t *const color = run_array(R, sizeof *color);
    hy_coloring_info info = { 0 };
    run_begin(R);
    run_end(R, hy_coloring(R->V, &opts, color, &info));
    run_column(R, "color", RUN_U32, color);
    run_count(R, "colors", info.colors);
    run_count(R, "rounds", info.rounds);
    if (R->o->check) {
        const char *why = NULL;
        const bool right = hy_coloring_check(R->V, color, &why);
        run_checked(R, right, why);
    }
}

void run_kcore(struct run *R)
{
    uint32_t *const core = run_array(R, sizeof *core);
    hy_kcore_info info = { 0 };
    run_begin(R);
    run_end(R, hy_kcore(R->V, NULL, core, &info));
    run_column(R, "core", RUN_U32, core);
    run_count(R, "max_core", info.max_core);
    run_count(R, "innermost", info.vertices);
    if (R->o->check) {
        const char *why = NULL;
        const bool right = hy_kcore_check(R->V, NULL, core, &why);
        run_checked(R, right, why);
    }
}
