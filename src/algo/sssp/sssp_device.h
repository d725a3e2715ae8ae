/* Shortest paths on a device: what its two files share. */
#ifndef ALGO_SSSP_DEVICE_H
#define ALGO_SSSP_DEVICE_H

#include "algo/sssp/sssp_impl.h"

#include "device/frontier.h"

enum { PATHS_CHUNK = 1024 }; /* vertices of an item */

/* The algorithm's own words among the counts: see kernels/sssp.cl. */
struct paths_own {
    uint32_t far[2];
    uint32_t odd, open;
    uint64_t nearest; /* narrow: the low word */
};

enum { SHAPE, DIST, MARKS, NEAR, NEXT, FAR, KEPT, PARENT, WAVE, BUFS };

struct paths {
    struct sssp *S;
    hy_device *D;
    struct mirror *M;
    struct frontier_work W;
    struct device_buf buf[BUFS];
    hy_vid n;
    uint32_t set, far_set, round;
    uint64_t low, limit; /* distances, as kernels compare them */
    uint32_t wider;      /* bits: of this bucket */
    uint64_t edges;      /* pushed in this bucket */
    struct frontier_size F;
    struct paths_own own;
};

_Static_assert(sizeof(struct paths_own) == 6 * sizeof(uint32_t),
               "as kernels have it");

/* The mirror as the view is, and buffers; frees those that are not kept. */
HY_CHECKED hy_status paths_reserve(struct paths *P, bool has_parents);
void paths_release(struct paths *P);

/* Distances from the first on: not reached. */
HY_CHECKED hy_status paths_fill(struct paths *P, hy_vid first);

/* No marks, no lists. */
HY_CHECKED hy_status paths_clear(struct paths *P);

/* Relaxes from the near list until both are empty, or something is odd. */
HY_CHECKED hy_status paths_walk(struct paths *P);

/* Reads the counts of lists and its own words; writes the latter. */
HY_CHECKED hy_status paths_read_state(struct paths *P);
HY_CHECKED hy_status paths_write_own(struct paths *P);

/* Reads distances, and how many there are; finds all parents anew. */
HY_CHECKED hy_status paths_read(struct paths *P, double *dist,
                                hy_sssp_info *info);
HY_CHECKED hy_status paths_hang(struct paths *P, hy_vid source, hy_vid *parent,
                                struct sssp_ranks *ranks);

#endif
