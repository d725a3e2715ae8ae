/* Lists of vertices on a device, and their edges numbered, so that a kernel
 * can take them in equal parts (struct cut of kernels/graph.cl).
 *
 * How long a list is stands in `count`, on the device: kernels append to it.
 * There are two sets of these words, in turn for the list that is made and
 * the one that it is made from.
 */
#ifndef DEVICE_FRONTIER_H
#define DEVICE_FRONTIER_H

#include "device/mirror.h"

enum {
    FRONTIER_WORDS = 4, /* n, edges in two words, nothing */
    FRONTIER_SETS = 2,
    FRONTIER_OWN = 8, /* words after the sets, for the algorithm */
};

struct frontier_work {
    hy_device *D;
    const struct mirror *M;
    const struct device_buf *shape;
    struct device_buf count, part, offset;
};

struct frontier_size {
    uint32_t n;
    uint64_t edges;
};

/* Room for the work with lists of up to n vertices; all counts are 0.  What
 * was allocated stays with W, also on failure. */
HY_CHECKED hy_status frontier_work_init(struct frontier_work *W, hy_device *D,
                                        const struct mirror *M,
                                        const struct device_buf *shape,
                                        size_t n);
void frontier_work_fini(struct frontier_work *W);

/* list <- n vertices, `from` the host or, without it, the first n; their
 * number is written to `set`. */
HY_CHECKED hy_status frontier_begin(struct frontier_work *W,
                                    const struct device_buf *list, uint32_t set,
                                    const hy_vid *from, uint32_t n);

/* Numbers the out-edges of a list of at most `most` vertices, whose length is
 * in `set`: W->offset.  Clears the other set. */
HY_CHECKED hy_status frontier_weigh(struct frontier_work *W,
                                    const struct device_buf *list, uint32_t set,
                                    uint64_t most);

/* Waits, and says what is in a set. */
HY_CHECKED hy_status frontier_size(struct frontier_work *W, uint32_t set,
                                   struct frontier_size *out);

/* A list as a set of bits, and back; the length of the new list is added to
 * `set`. */
HY_CHECKED hy_status frontier_to_bits(struct frontier_work *W,
                                      const struct device_buf *list, uint32_t n,
                                      const struct device_buf *bits,
                                      size_t words);
HY_CHECKED hy_status frontier_to_list(struct frontier_work *W,
                                      const struct device_buf *bits,
                                      size_t words,
                                      const struct device_buf *list,
                                      uint32_t set);

#endif
