/* Graphs of one shape: grid, path, cycle, star, complete; and trees.
 *
 * All but the trees know the place of each edge in the list, and write it
 * there.  A random recursive tree joins each vertex to one of those before
 * it, all alike (Smythe, Mahmoud, 1995).
 */
#include "gen/gen.h"

struct shape {
    const struct gen_plan *P;
    hy_edge *edges;
};

/* Makes room for the edges and has `step` write those of each vertex. */
static hy_status write_edges(const struct gen_plan *P, par_range_step *step,
                             hy_gen_list *L)
{
    L->m = P->m;
    L->edges = base_alloc_raw(P->ctx, L->m, sizeof *L->edges);
    if (!L->edges)
        return HY_ENOMEM;
    struct shape S = { .P = P, .edges = L->edges };
    par_for(P->ctx, P->n, GEN_GRAIN, step, &S);
    return HY_OK;
}

/* ---- grid
 * --------------------------------------------------------------------- */

static void grid_par(void *arg, size_t lo, size_t hi)
{
    const struct shape *const S = arg;
    const uint64_t rows = S->P->rows, columns = S->P->columns;
    for (size_t i = lo; i < hi; i++) {
        const hy_vid u = (hy_vid)i;
        const uint64_t row = i / columns, column = i % columns;
        const bool down = row + 1 < rows;
        uint64_t to = row * (2 * columns - 1) + column * (down ? 2 : 1);
        if (column + 1 < columns)
            S->edges[to++] = (hy_edge){ u, u + 1 };
        if (down)
            S->edges[to] = (hy_edge){ u, u + (hy_vid)columns };
    }
}

hy_status gen_grid(const struct gen_plan *P, hy_gen_list *L)
{
    return write_edges(P, grid_par, L);
}

/* ---- path, cycle
 * ----------------------------------------------------------------
 */

static void path_par(void *arg, size_t lo, size_t hi)
{
    const struct shape *const S = arg;
    for (size_t u = lo; u < hi && u + 1 < S->P->n; u++)
        S->edges[u] = (hy_edge){ (hy_vid)u, (hy_vid)u + 1 };
}

hy_status gen_path(const struct gen_plan *P, hy_gen_list *L)
{
    return write_edges(P, path_par, L);
}

/* The edge that closes the cycle is 0's second, or the last vertex's own. */
static void cycle_par(void *arg, size_t lo, size_t hi)
{
    const struct shape *const S = arg;
    const hy_vid last = S->P->n - 1;
    const bool directed = S->P->directed;
    for (size_t i = lo; i < hi; i++) {
        const hy_vid u = (hy_vid)i;
        if (u < last)
            S->edges[directed || !u ? u : u + 1] = (hy_edge){ u, u + 1 };
        else if (directed)
            S->edges[u] = (hy_edge){ u, 0 };
        else
            S->edges[1] = (hy_edge){ 0, u };
    }
}

hy_status gen_cycle(const struct gen_plan *P, hy_gen_list *L)
{
    return write_edges(P, cycle_par, L);
}

/* ---- star, complete
 * ---------------------------------------------------------------
 */

static void star_par(void *arg, size_t lo, size_t hi)
{
    const struct shape *const S = arg;
    for (size_t u = lo ? lo : 1; u < hi; u++)
        S->edges[u - 1] = (hy_edge){ 0, (hy_vid)u };
}

hy_status gen_star(const struct gen_plan *P, hy_gen_list *L)
{
    return write_edges(P, star_par, L);
}

hy_status gen_complete(const struct gen_plan *P, hy_gen_list *L)
{
    return gen_complement(P, NULL, 0, L);
}

/* ---- tree
 * ------------------------------------------------------------------------ */

struct tree {
    uint64_t seed, degree;
    uint64_t *key;
};

/* Edge i joins vertex i + 1 to its parent. */
static void tree_par(void *arg, size_t lo, size_t hi)
{
    const struct tree *const T = arg;
    for (size_t i = lo; i < hi; i++) {
        const uint64_t parent =
            T->degree ? i / T->degree
                      : base_random_below(base_random_at(T->seed, i), i + 1);
        T->key[i] = gen_key((hy_vid)parent, (hy_vid)i + 1);
    }
}

hy_status gen_tree(const struct gen_plan *P, hy_gen_list *L)
{
    struct gen_keys K;
    HY_TRY(gen_keys_init(&K, P->ctx, P->m));
    struct tree T = { .seed = gen_seed(P, 1),
                      .degree = P->degree,
                      .key = K.key };
    par_for(P->ctx, K.n, GEN_GRAIN, tree_par, &T);
    return gen_keys_list(&K, L);
}
