/* The short way for lines in graphs without columns: what its files share. */
#ifndef STORE_PLAIN_H
#define STORE_PLAIN_H

#include "store/ahead.h"
#include "store/quad.h"

/* Lines lo..hi-1, all of vertex u, all insertions or all deletions. */
void plain_run(struct lane *L, struct slot *s, hy_vid u, size_t lo, size_t hi);

/* Lines lo..hi-1 of the chunk at hand, vertex by vertex. */
void plain_lines(struct lane *L, size_t lo, size_t hi);

/* All of a chunk, if it has some lines for most vertices: false if not, and
 * nothing is done (dense.c). */
bool dense_chunk(struct lane *L, struct chunk *C);

#endif
