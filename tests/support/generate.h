/* Random lines of batches. */
#ifndef TESTS_GENERATE_H
#define TESTS_GENERATE_H

#include "support/model.h"

/* How lines are drawn. */
struct mix {
    uint64_t ids;    /* ids that are named; with dense ids, those below */
    uint64_t hubs;   /* of these the first ones are hubs */
    unsigned at_hub; /* per cent of the edges that begin at a hub */
    unsigned repeat; /* per cent of lines about the last lines' edges */
    unsigned past;   /* per mille of ids that lie past `ids` */
    unsigned kinds[LINE_KINDS]; /* weights */
    unsigned any; /* per cent of vertex insertions that say HY_ANY */
};

/* A mix of all kinds of lines over few ids. */
struct mix mix_random(const struct model *M, uint64_t *rng);

/* Edges that all come, or all go: commits have a way of their own for them. */
void mix_one_kind(struct mix *mix, uint64_t *rng);

/* Adds n lines, and makes them tame. */
void generate(struct lines *D, const struct model *M, const struct mix *mix,
              size_t n, uint64_t *rng);

/* The k-th external id that tests use.  With dense ids it is k. */
uint64_t external_of(const struct model *M, uint64_t k);

/* If D has lines of HY_ANY: changes and drops lines until the ids these get
 * can be learned from the delta.  One such line stays, no other line inserts
 * vertices, vertices are deleted once if at all, and edges stay below the
 * bound. */
void lines_tame(struct lines *D, const struct model *M);

#endif
