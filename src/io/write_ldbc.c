/* LDBC Graphalytics: NAME.v, a vertex a line; NAME.e, an edge a line; and
 * NAME.properties, which says what they are.  They appear together. */
#include "io/write_lines.h"

#include "io/path.h"

#include <limits.h>
#include <stdio.h>

enum { VERTICES, EDGES, PROPERTIES, FILES };

struct files {
    char name[PATH_MAX]; /* without the extension */
    const char *packed;  /* the end of the path: ".gz", ".zst" or "" */
    hy_out *out[FILES];  /* owned until they are closed */
};

/* NAME, NAME.v, NAME.e and NAME.properties all stand for the graph. */
static hy_status name_of(const char *path, struct files *F)
{
    static const char *const ends[] = { ".v", ".e", ".properties" };
    size_t n;
    (void)io_path_packing(path, &n);
    F->packed = path + n;
    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++)
        if (io_path_ends(path, n, ends[i])) {
            n -= strlen(ends[i]);
            break;
        }
    if (n + 16 > sizeof F->name)
        return base_fail(HY_EIO, "%.64s...: path too long", path);
    memcpy(F->name, path, n);
    F->name[n] = 0;
    return HY_OK;
}

static hy_status open_all(struct io_writing *W, struct files *F)
{
    static const char *const ends[FILES] = { ".v", ".e", ".properties" };
    char path[PATH_MAX + 32];
    for (size_t i = 0; i < FILES; i++) {
        (void)snprintf(path, sizeof path, "%s%s%s", F->name, ends[i],
                       i == PROPERTIES ? "" : F->packed);
        HY_TRY(io_out_open(W->ctx, path, i == PROPERTIES ? 0 : W->opts->level,
                           &F->out[i]));
    }
    return HY_OK;
}

static hy_status say_properties(struct io_writing *W, const struct files *F)
{
    const char *slash = strrchr(F->name, '/');
    const char *name = slash ? slash + 1 : F->name;
    HY_TRY(io_write_head(W, "graph.%s.vertex-file = %s.v%s\n", name, name,
                         F->packed));
    HY_TRY(io_write_head(W, "graph.%s.edge-file = %s.e%s\n", name, name,
                         F->packed));
    HY_TRY(io_write_head(W, "graph.%s.meta.vertices = %llu\n", name,
                         (unsigned long long)hy_view_vertices(W->V)));
    HY_TRY(io_write_head(W, "graph.%s.meta.edges = %llu\n", name,
                         (unsigned long long)hy_view_edges(W->V)));
    if (W->n_columns) {
        const bool is_real = W->type[0] == HY_F32 || W->type[0] == HY_F64;
        HY_TRY(io_write_head(W, "graph.%s.edge-properties.names = weight\n",
                             name));
        HY_TRY(io_write_head(W, "graph.%s.edge-properties.types = %s\n", name,
                             is_real ? "real" : "integer"));
    }
    return io_write_head(W, "graph.%s.directed = %s\n", name,
                         hy_view_is_undirected(W->V) ? "false" : "true");
}

static hy_status write_all(struct io_writing *W, struct files *F)
{
    HY_TRY(open_all(W, F));
    W->out = F->out[VERTICES];
    HY_TRY(io_write_ids(W));
    W->out = F->out[EDGES];
    HY_TRY(io_write_edges(W));
    W->out = F->out[PROPERTIES];
    HY_TRY(say_properties(W, F));
    for (size_t i = 0; i < FILES; i++)
        HY_TRY(io_out_finish(F->out[i]));
    for (size_t i = 0; i < FILES; i++) {
        hy_out *out = F->out[i];
        F->out[i] = NULL;
        HY_TRY(hy_out_close(out));
    }
    return HY_OK;
}

hy_status io_write_ldbc(struct io_writing *W)
{
    static const struct io_style style = { .prefix = "", .separator = ' ' };
    struct files F = { .out = { NULL } };
    if (strcmp(W->path, "-") == 0)
        return base_fail(HY_ENOTSUP, "ldbc is three files, not one");
    if (W->names)
        return base_fail(HY_ENOTSUP, "ids of ldbc are integers, not texts");
    HY_TRY(name_of(W->path, &F));
    W->state = &style;
    W->half = hy_view_is_undirected(W->V) ? IO_UPPER : IO_ALL;
    const hy_status status = write_all(W, &F);
    for (size_t i = 0; i < FILES; i++)
        hy_out_drop(F.out[i]);
    return status;
}
