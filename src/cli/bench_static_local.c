/* Components of a directed graph next to Tarjan's search (SIAM J. Comput.
 * 1972); a cluster around a vertex, and positions from neighbours, which no
 * textbook has a loop for. */
#include "cli/bench_static.h"

#include "cli/random.h"

#include <math.h>
#include <string.h>

/* ---- scc ----------------------------------------------------------------- */

static void scc_ours(struct cell *C)
{
    hy_scc_info info;
    cli_must(hy_scc(C->V, NULL, C->a[0], &info), "scc");
    C->number_name = "components";
    C->number = (double)info.components;
}

/* Tarjan's search with a stack of its own: `path` is where it stands, `open`
 * are those without a component yet. */
struct tarjan {
    const struct gen_csr *csr;
    uint32_t *label, *seen, *low; /* seen: in which order, from 1; 0: not yet */
    hy_vid *path, *open;
    uint64_t *at; /* the edge to go along next */
    uint32_t n_path, n_open, count;
};

static void enter(struct tarjan *T, hy_vid u)
{
    T->seen[u] = T->low[u] = ++T->count;
    T->at[u] = T->csr->offsets[u];
    T->path[T->n_path++] = T->open[T->n_open++] = u;
}

/* Takes a component off the stack, and names it by its smallest vertex. */
static void close_component(struct tarjan *T, hy_vid root)
{
    uint32_t first = T->n_open;
    hy_vid least = root;
    do {
        first--;
        least = T->open[first] < least ? T->open[first] : least;
    } while (T->open[first] != root);
    for (uint32_t i = first; i < T->n_open; i++)
        T->label[T->open[i]] = least;
    T->n_open = first;
}

static void leave(struct tarjan *T, hy_vid u)
{
    T->n_path--;
    if (T->low[u] == T->seen[u])
        close_component(T, u);
    if (T->n_path) {
        const hy_vid p = T->path[T->n_path - 1];
        T->low[p] = T->low[u] < T->low[p] ? T->low[u] : T->low[p];
    }
}

static void step(struct tarjan *T)
{
    const hy_vid u = T->path[T->n_path - 1];
    if (T->at[u] == T->csr->offsets[u + 1]) {
        leave(T, u);
        return;
    }
    const hy_vid v = T->csr->targets[T->at[u]++];
    if (!T->seen[v])
        enter(T, v);
    else if (T->label[v] == HY_NONE && T->seen[v] < T->low[u])
        T->low[u] = T->seen[v];
}

static void scc_plain(struct cell *C)
{
    struct tarjan T = { .csr = C->csr,
                        .label = C->a[1],
                        .seen = C->a[2],
                        .low = C->a[3],
                        .path = C->a[4],
                        .open = (hy_vid *)C->keys[1],
                        .at = C->keys[0] };
    memset(T.label, 0xff, C->n * sizeof *T.label);
    memset(T.seen, 0, C->n * sizeof *T.seen);
    for (hy_vid u = 0; u < C->n; u++) {
        if (!T.seen[u])
            enter(&T, u);
        while (T.n_path)
            step(&T);
    }
}

static bool scc_is_right(struct cell *C)
{
    return !memcmp(C->a[0], C->a[1], C->n * sizeof *C->a[0]);
}

/* ---- localcluster -------------------------------------------------------- */

static void localcluster_ours(struct cell *C)
{
    const hy_localcluster_opts opts = { .seed = C->source };
    hy_localcluster_info info;
    cli_must(hy_localcluster(C->V, &opts, C->a[0], &info), "localcluster");
    C->number_name = "members";
    C->number = (double)info.members;
}

static bool localcluster_is_right(struct cell *C)
{
    const hy_localcluster_opts opts = { .seed = C->source };
    hy_localcluster_info info;
    const char *why = NULL;
    cli_must(hy_localcluster(C->V, &opts, C->a[0], &info), "localcluster");
    return static_verdict(
        "localcluster", hy_localcluster_check(C->V, C->a[0], &info, &why), why);
}

/* ---- geolocate ----------------------------------------------------------- */

/* One vertex in eight is known to be somewhere: by its id, so that those of a
 * grid's neighbours are near each other. */
static void know(const struct cell *C, hy_place *known)
{
    for (hy_vid u = 0; u < C->n; u++) {
        const double at = (double)u / (double)C->n;
        known[u] = (hy_place){ NAN, NAN };
        if (random_at(u, 0) % 8 == 0)
            known[u] =
                (hy_place){ .lat = 100 * at - 50,
                            .lon = (double)(random_at(u, 1) % 300) - 150 };
    }
}

static const hy_geolocate_opts geolocate_opts = { .iterations = 100 };

/* Whether the answer settled, and is wrong. */
static bool geolocate(struct cell *C, bool checks)
{
    hy_place *const known = cli_alloc(C->n, sizeof *known);
    hy_place *const place = cli_alloc(C->n, sizeof *place);
    hy_geolocate_info info;
    const char *why = NULL;
    know(C, known);
    cli_must(hy_geolocate(C->V, &geolocate_opts, known, place, &info),
             "geolocate");
    C->number_name = "found";
    C->number = (double)info.found;
    const bool wrong =
        checks && info.moved <= 1 &&
        !hy_geolocate_check(C->V, &geolocate_opts, known, place, &why);
    cli_free(place);
    cli_free(known);
    return !static_verdict("geolocate", !wrong, why);
}

static void geolocate_ours(struct cell *C)
{
    (void)geolocate(C, false);
}

static bool geolocate_is_right(struct cell *C)
{
    return !geolocate(C, true);
}

const struct static_case static_local_cases[] = {
    { "scc", "one direction of most edges; over: Tarjan, one thread",
      STATIC_DIRECTED, scc_ours, scc_plain, scc_is_right },
    { "localcluster", "around a vertex; over: nothing", 0, localcluster_ours,
      NULL, localcluster_is_right },
    { "geolocate", "small, one in eight is known; over: nothing", STATIC_SMALL,
      geolocate_ours, NULL, geolocate_is_right },
    { .name = NULL },
};
