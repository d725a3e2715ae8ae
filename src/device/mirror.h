/* A graph on a device: its table and blocks, byte for byte.
 *
 * A mirror watches commits.  They note the vertices they change, and pages of
 * hubs; nothing is sent.  The next question has what was noted collected into
 * one piece, uploaded, and put in its places by a kernel.
 *
 *   Sync(V)
 *     1 laid out anew, or never there:  upload the whole
 *     2 grow what became longer, on the device
 *     3 Collect   of each vertex noted its slots and its block, of each page
 *                 of a hub its granules: units of 16 bytes, and their places
 *     4 Scatter   upload units and places; a kernel copies each to its place
 *
 * Rule: a mirror knows the newest version only.
 */
#ifndef DEVICE_MIRROR_H
#define DEVICE_MIRROR_H

#include "device/device.h"

#include "store/view.h"
#include "store/watch.h"

enum { MIRROR_LOG = 1 << 14 };

struct mirror {
    struct watcher watcher; /* first */
    struct watch_marks marks;
    struct mirror *next; /* on the device */
    hy_device *D;
    hy_graph *G; /* NULL: gone */
    struct device_buf dir, pages, blocks;
    bool is_there;    /* and is of these: */
    uint64_t layout;  /* view_layout */
    uint64_t version; /* of the graph */
    size_t dir_count;
    uint32_t *dir_copy; /* as it is on the device */
    size_t dir_room;
    /* noted since */
    uint64_t *noted;   /* set of vertices */
    uint64_t *brief;   /* set of its words that are not 0 */
    size_t noted_room; /* vertices, a multiple of 64 * 64 */
    hy_vid *log;       /* to be noted, at most MIRROR_LOG */
    size_t n_log;
    size_t marks_room; /* granules */
    /* 4: units on their way */
    struct device_buf staged;
};

/* The mirror of V's graph on D, as V is.  HY_ENOTSUP: V is not the newest
 * version; HY_EFULL: it does not fit; HY_EDEVICE, HY_ENOMEM. */
HY_CHECKED hy_status mirror_sync(hy_device *D, const hy_view *V,
                                 struct mirror **out);

/* A small array that kernels call `shape`: how blocks of V are laid out, with
 * the weights of an edge column (HY_NONE: none).  The caller frees it. */
HY_CHECKED hy_status mirror_shape(hy_device *D, const hy_view *V,
                                  uint32_t column, struct device_buf *out);

/* At the end of a device. */
void mirror_free_all(hy_device *D);

/* The first four arguments of a kernel that reads a graph. */
#define MIRROR_ARGS(M, shape)                                                  \
    DEVICE_BUF(&(M)->dir), DEVICE_BUF(&(M)->pages), DEVICE_BUF(&(M)->blocks),  \
        DEVICE_BUF(shape)

#endif
