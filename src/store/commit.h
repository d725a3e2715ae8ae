/* A commit at work.  Private to store.
 *
 *   Commit(batch)
 *     1 Begin     free what views released; the pin                version.c
 *     2 Stage     lines -> operations on edges, events of vertices   stage.c
 *     3 Sort      operations by (vertex, neighbour), each side
 *     4 Plan      bound what each chunk may need; reserve it all      plan.c
 *       Foresee   so do those who watch                             watch.h
 *     --- nothing fails from here on ---
 *     5 Apply     operations to adjacencies, chunk by chunk          apply.c
 *     6 Settle    events to the table, drops to dead lists         settle.c
 *     7 End       the new version is there
 *       Follow    those who watch see what changed                  watch.h
 *
 * Until 5 only room was made and the ids were staged; stage_undo takes the
 * latter back.
 */
#ifndef STORE_COMMIT_H
#define STORE_COMMIT_H

#include "store/batch.h"

/* A change of a vertex, in the order of the lines. */
struct event {
    hy_vid u;
    uint32_t line;
    enum { VERTEX_CAME, VERTEX_CHANGED, VERTEX_WENT } what;
    uint32_t values; /* index in the batch, or NO_VALUES */
    uint64_t external;
    uint32_t previous; /* event of the same vertex, or NO_EVENT */
};

#define NO_EVENT UINT32_MAX

struct commit {
    hy_graph *G;
    const hy_batch *B;
    uint64_t pin;
    bool want_delta;
    hy_counts counts;
    /* operations: unsorted from stage, sorted afterwards */
    struct ops ops[2];
    uint32_t n_sides;
    uint64_t bound; /* of ids, after the commit */
    /* vertices, if the batch is about them */
    struct event *event;
    size_t n_events;
    bool is_staged;        /* the ids are as after the batch */
    struct ids_mark queue; /* of free ids, before the batch */
    size_t event_pages;    /* most table pages that events copy */
    int64_t vertices;      /* change of their number */
    /* plan */
    struct chunk *chunk;
    size_t n_chunks[2];
    size_t max_run, twig_room;
    size_t event_page_at, event_drop_at, n_pages;
    size_t n_event_drops, n_event_pages; /* used */
    struct dead *dead; /* room for what this commit drops under a view */
};

/* ---- stage.c ------------------------------------------------------------ */

/* Asks for the slots of the lines of a small batch, which plan would meet
 * cold: first of all, so that memory answers meanwhile. */
void stage_ask(const hy_graph *G, const hy_batch *B);

/* Turns the lines into operations (unsorted keys and tags in the workspace)
 * and events; the ids are as after the batch. */
HY_CHECKED hy_status stage_lines(struct commit *C);
void stage_undo(struct commit *C);

/* ---- settle.c ----------------------------------------------------------- */

/* Writes the events into the table. */
void stage_settle(struct commit *C);

/* The vertices that came and went, for the delta. */
void stage_tell(struct commit *C, hy_delta *delta);

/* ---- plan.c ------------------------------------------------------------- */

/* Cuts the operations into chunks and reserves what they may need. */
HY_CHECKED hy_status plan(struct commit *C);

#endif
