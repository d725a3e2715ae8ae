/* `hypha run`: triangles, trusses, cliques, butterflies. */
#include "cli/run.h"

void run_triangles(struct run *R)
{
    const hy_triangles_opts opts = { .method =
                                         (hy_triangles_method)run_method(R),
                                     .device = R->device };
    const bool each = R->o->output || R->o->top || R->o->check;
    uint64_t *const count = each ? run_array(R, sizeof *count) : NULL;
    hy_triangles_info info = { 0 };
    run_begin(R);
    run_end(R, hy_triangles(R->V, &opts, count, &info));
    run_column(R, "triangles", RUN_U64, count);
    run_count(R, "triangles", info.triangles);
    if (R->o->check) {
        const char *why = NULL;
        const bool right =
            hy_triangles_check(R->V, count, info.triangles, &why);
        run_checked(R, right, why);
    }
}

void run_lcc(struct run *R)
{
    double *const lcc = run_array(R, sizeof *lcc);
    hy_lcc_info info = { 0 };
    run_begin(R);
    run_end(R, hy_lcc(R->V, NULL, lcc, &info));
    run_column(R, "coefficient", RUN_F64, lcc);
    run_number(R, "average", info.average);
    if (R->o->check) {
        const char *why = NULL;
        const bool right = hy_lcc_check(R->V, NULL, lcc, &why);
        run_checked(R, right, why);
    }
}

/* The checker looks at all edges, whatever truss was asked for. */
static void check_ktruss(struct run *R)
{
    const size_t m = (size_t)hy_view_edges(R->V);
    hy_edge *const edges = run_array_of(R, m, sizeof *edges);
    uint32_t *const truss = run_array_of(R, m, sizeof *truss);
    const hy_ktruss_out out = { .edges = edges, .truss = truss };
    hy_ktruss_info info = { 0 };
    cli_must(hy_ktruss(R->V, NULL, &out, &info), "ktruss");
    const char *why = NULL;
    const bool right = hy_ktruss_check(R->V, info.edges, edges, truss, &why);
    run_checked(R, right, why);
}

void run_ktruss(struct run *R)
{
    const hy_ktruss_opts opts = { .k = (uint32_t)R->o->k };
    uint32_t *const vertex = run_array(R, sizeof *vertex);
    const hy_ktruss_out out = { .vertex = vertex };
    hy_ktruss_info info = { 0 };
    run_begin(R);
    run_end(R, hy_ktruss(R->V, &opts, &out, &info));
    run_column(R, "truss", RUN_U32, vertex);
    if (R->o->k)
        run_count(R, "k", R->o->k);
    run_count(R, "edges", info.edges);
    run_count(R, "vertices", info.vertices);
    run_count(R, "largest", info.largest);
    if (R->o->check)
        check_ktruss(R);
}

void run_kclique(struct run *R)
{
    const hy_kclique_opts opts = { .k = R->o->k ? (uint32_t)R->o->k : 4 };
    const bool each = R->o->output || R->o->top || R->o->check;
    uint64_t *const count = each ? run_array(R, sizeof *count) : NULL;
    hy_kclique_info info = { 0 };
    run_begin(R);
    run_end(R, hy_kclique(R->V, &opts, count, &info));
    run_column(R, "cliques", RUN_U64, count);
    run_count(R, "k", opts.k);
    run_count(R, "cliques", info.cliques);
    if (R->o->check) {
        const char *why = NULL;
        const bool right =
            hy_kclique_check(R->V, &opts, count, info.cliques, &why);
        run_checked(R, right, why);
    }
}

void run_butterfly(struct run *R)
{
    const bool each = R->o->output || R->o->top || R->o->check;
    uint64_t *const count = each ? run_array(R, sizeof *count) : NULL;
    hy_butterfly_info info = { 0 };
    run_begin(R);
    run_end(R, hy_butterfly(R->V, NULL, count, &info));
    run_column(R, "butterflies", RUN_U64, count);
    run_count(R, "butterflies", info.butterflies);
    if (R->o->check) {
        const char *why = NULL;
        const bool right =
            hy_butterfly_check(R->V, count, info.butterflies, &why);
        run_checked(R, right, why);
    }
}
