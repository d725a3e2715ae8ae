/* The parts of an image: what writing and opening share.  Private to them. */
#ifndef STORE_IMAGE_IMPL_H
#define STORE_IMAGE_IMPL_H

#include "store/build.h"
#include "store/image.h"

enum {
    IMAGE_VERSION = 1,
    IMAGE_ORDER = 0x01020304,
    IMAGE_ALIGN = 4096,
    IMAGE_CHUNK = 1 << 20 /* bytes that are summed at a time */
};

enum image_flag {
    IMAGE_UNDIRECTED = 1,
    IMAGE_REVERSE = 2,
    IMAGE_INTERLEAVED = 4,
    IMAGE_MAPPED = 8,
    IMAGE_NO_LOOPS = 16,
    IMAGE_FLAGS = 31
};

/* In the order of the file. */
enum image_part {
    PART_DIR,
    PART_ALIVE,
    PART_QUEUED,
    PART_QUEUE,
    PART_DIRECT,
    PART_MAP,
    PART_NAMES,
    PART_TABLE,
    PART_ARENA,
    IMAGE_PARTS
};

struct image_place {
    uint64_t offset, bytes; /* without what fills the last 4096 */
};

struct image_column {
    char name[NAME_BYTES];
    uint32_t type, zero;
};

struct image_header {
    char magic[8];
    uint32_t version, order;
    uint64_t sum; /* of the header, with 0 in its place */
    uint64_t file_bytes;
    uint32_t flags, slack, slack_amount, n_edge_columns, n_vertex_columns;
    uint32_t page_bytes; /* of the table */
    uint64_t bound, vertices, edges, arcs;
    uint64_t epoch;
    uint64_t pages; /* of the table */
    uint64_t units; /* of the arena */
    uint64_t n_queued;
    uint64_t limit, direct_room, map_room, n_hashed; /* as struct ids has it */
    struct image_place part[IMAGE_PARTS];
    char zeros[88];
    struct ids_widths widths;
    struct image_column edge[MAX_COLUMNS], vertex[MAX_COLUMNS];
    char rest[112];
};

struct image_seal {
    char magic[8];
    uint64_t sum; /* of the seal, with 0 in its place */
    uint64_t part[IMAGE_PARTS];
    char rest[IMAGE_ALIGN - 16 - 8 * IMAGE_PARTS];
};

_Static_assert(sizeof(struct image_header) == IMAGE_ALIGN, "a page");
_Static_assert(sizeof(struct image_seal) == IMAGE_ALIGN, "a page");

extern const char image_magic[8], image_seal_magic[8];

/* Fills header->part and file_bytes from the counts; `names` bytes of io. */
void image_lay_out(struct image_header *H, uint64_t names);

static inline uint64_t image_padded(uint64_t bytes)
{
    return bits_div_up(bytes, IMAGE_ALIGN) * IMAGE_ALIGN;
}

/* ---- sums ----------------------------------------------------------------
 *
 * A chunk's sum is four lanes of 8-byte words, each step of which loses
 * nothing: a change of one word always shows.  A part's sum is that of its
 * chunks, in order. */

struct image_sum {
    uint64_t lane[4];
};

void image_sum_init(struct image_sum *S);

/* n is a multiple of 32. */
void image_sum_add(struct image_sum *S, const void *bytes, size_t n);
uint64_t image_sum_end(const struct image_sum *S);

/* Of one page, all of it. */
uint64_t image_sum_page(const void *page);

/* A part's sum so far and the sum of its next chunk. */
uint64_t image_sum_join(uint64_t part, uint64_t chunk);

#endif
