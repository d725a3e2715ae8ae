/* What texts are read as: short words for the tests of formats. */
#ifndef TESTS_READS_H
#define TESTS_READS_H

#include "support/reading.h"
#include "support/test.h"

/* A graph as "directed 3: 1>2=5 2>3" or "undirected 3: 1-2=0.5f": the number of
 * vertices, then edges as in reading_text, with their first column. */
void reads_write(const struct reading *r, char *to, size_t room);

/* Asserts that a text becomes this graph, whatever the windows and chunks; or
 * that it is bad in this line, and that the reason has these words. */
void reads_as(const char *text, const hy_read_opts *opts, const char *graph);
void reads_bad(const char *text, const hy_read_opts *opts, uint64_t line,
               const char *words);

/* Reads `rounds` (scaled by the effort) random mutations of a text: each gives
 * a sound graph, or an error with a reason. */
void reads_mutations(const char *at, size_t n, const hy_read_opts *opts,
                     uint64_t rounds);

#endif
