/* Graphs read from texts that tests hold. */
#ifndef TESTS_READING_H
#define TESTS_READING_H

#include <hypha/io.h>

/* What a text was read as; to be freed by reading_fini. */
struct reading {
    hy_status status;
    hy_graph *G;
    hy_names *names;
    hy_read_info info;
    hy_diag diag;
};

/* Reads n bytes as if they were the file `path`, with windows and chunks of
 * these sizes; 0: as usual. */
struct reading reading_of(hy_ctx *ctx, const char *path, const char *text,
                          size_t n, const hy_read_opts *opts, size_t window,
                          size_t chunk);
void reading_fini(struct reading *R);

/* The graph as lines "u v [value ...]\n" of external ids, ascending by vertex
 * and neighbour, undirected edges once; vertices without edges as "u\n".
 * In memory that is to be freed. */
char *reading_text(const hy_graph *G, const hy_names *names);

#endif
