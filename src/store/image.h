/* A graph as a file that maps back: .hyg.  For io alone.
 *
 * The file is the memory of a graph that was just built: table, arena and
 * ids, as they lie, in parts that begin at multiples of 4096 bytes, so that
 * opening is mapping.  docs/format/hyg.md has the byte tables.
 *
 *   | head | directory | alive | queued | queue | direct | map | names |
 *   | table | arena | seal |
 *
 * The head says what and how much there is; where each part lies follows
 * from that.  The seal, written last, has a checksum of each part.
 */
#ifndef STORE_IMAGE_H
#define STORE_IMAGE_H

#include "base/status.h"

#include <hypha/graph.h>

/* Takes the next n bytes of the file. */
typedef hy_status image_put(void *arg, const void *bytes, size_t n);

/* Writes a version; `names` is io's own part, n bytes.  Readers and the
 * writer of the graph may go on meanwhile, if V is pinned.  Takes memory for
 * the ids and, unless nothing changed since the graph was built, for a copy
 * of the graph. */
HY_CHECKED hy_status image_write(const hy_view *V, const void *names, size_t n,
                                 image_put *put, void *arg);

struct image_opts {
    bool verify; /* all of it, and hy_graph_check */
};

/* What an opened image brings along; of the graph's memory. */
struct image_names {
    const char *at;
    size_t n;
};

/* Files up to this size are verified but for hy_graph_check in any case. */
enum { IMAGE_SMALL = 64 << 20 };

/* Makes a graph of an image that lies in an open file of `bytes` bytes.
 * Time and memory follow the number of vertices / 64.  The graph changes as
 * any other and never the file, which may be closed and unlinked, but must
 * not be written to while the graph lives.
 * HY_EFORMAT: no image, or damaged; HY_ENOTSUP: of a later version, or of a
 * machine of another byte order; HY_EIO, HY_ENOMEM, HY_EFULL. */
HY_CHECKED hy_status image_open(hy_ctx *ctx, int fd, uint64_t bytes,
                                const struct image_opts *opts, hy_graph **graph,
                                struct image_names *names);

/* Whether a file that begins with these bytes may be an image. */
bool image_is(const void *bytes, size_t n);

/* What the head of an image says, for estimates; HY_EFORMAT, HY_ENOTSUP. */
struct image_head {
    uint64_t file_bytes, edges;
};

enum { IMAGE_HEAD_BYTES = 4096 };

HY_CHECKED hy_status image_peek(const void *bytes, size_t n,
                                struct image_head *out);

#endif
