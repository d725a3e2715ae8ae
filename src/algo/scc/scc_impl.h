/* What the methods for strongly connected components share. */
#ifndef ALGO_SCC_IMPL_H
#define ALGO_SCC_IMPL_H

#include "algo/common/side.h"

#include <hypha/scc.h>

/* A vertex whose component is not known yet has the label HY_NONE, which on
 * entry all have; so does what is not alive, which has no edges. */

/* ---- Tarjan's search (scc_tarjan.c) -------------------------------------- */

struct scc_tarjan;

HY_CHECKED hy_status scc_tarjan_new(const hy_view *V, struct scc_tarjan **out);
void scc_tarjan_free(const hy_view *V, struct scc_tarjan *T);

/* Labels all components among the vertices without a label. */
void scc_tarjan_run(struct scc_tarjan *T, hy_vid *label);

/* ---- trimming and the reach of a pivot (scc_reach.c) --------------------- */

struct scc_reach;

HY_CHECKED hy_status scc_reach_new(const hy_view *V, struct scc_reach **out);
void scc_reach_free(const hy_view *V, struct scc_reach *R);

/* Labels vertices that are alone, and one component: most often the largest.
 * Returns how many were alone. */
uint64_t scc_reach_run(struct scc_reach *R, hy_vid *label);

#endif
