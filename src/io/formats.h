/* The formats, and how each is read. */
#ifndef IO_FORMATS_H
#define IO_FORMATS_H

#include "io/lines.h"

/* Reads all of R's source; R->opts->format says as what.  Fills what it knows
 * of *info; the caller has filled format, packed and bytes.  *names is left
 * alone unless ids are texts. */
typedef hy_status io_reader(const struct io_reading *R, hy_graph **graph,
                            hy_names **names, hy_read_info *info);

/* Fills edges, graph_bytes and peak_bytes from the head of the source, of
 * `n` bytes at `at`; the caller has filled the rest.  NULL: as edge lists. */
typedef hy_status io_estimator(const struct io_reading *R, const char *at,
                               size_t n, hy_estimate *out);

struct io_format {
    hy_format format;
    /* Does it begin so?  NULL: it cannot be told by content. */
    bool (*sniff)(const char *at, size_t n);
    io_reader *read; /* NULL: not in this build */
    io_estimator *estimate;
};

/* The row of a format. */
const struct io_format *io_format_at(hy_format format);

/* The format of a content; HY_FORMAT_EL if none knows it. */
hy_format io_format_sniff(const char *at, size_t n);

/* Makes *opts, the caller's room, R's options, with the format found by path
 * and content if they do not say it. */
HY_CHECKED hy_status io_settle_format(struct io_reading *R, hy_read_opts *opts);

/* Reads from R's source, in the format of R's options, which may be
 * HY_FORMAT_AUTO. */
HY_CHECKED hy_status io_read_source(const struct io_reading *R,
                                    hy_graph **graph, hy_names **names,
                                    hy_read_info *info);

/* A bad file that has no bad line: the diag is the error text. */
void io_complete_diag(const struct io_reading *R, hy_status status);

/* Bytes of a graph of n vertices and so many arcs, with records of `size`
 * bytes; and those that loading it takes at most, beside its rows. */
void io_estimate_graph(const struct io_reading *R, uint64_t n, uint64_t arcs,
                       size_t size, hy_estimate *out);

/* A file that io_sniff_sg knew has the size of one with weights. */
bool io_is_wsg(const struct io_source *S, const char *at);

bool io_sniff_hyg(const char *at, size_t n);
bool io_sniff_mtx(const char *at, size_t n);
bool io_sniff_gr(const char *at, size_t n);
bool io_sniff_sg(const char *at, size_t n);
bool io_sniff_konect(const char *at, size_t n);
bool io_sniff_csv(const char *at, size_t n);

io_reader io_read_el, io_read_csv, io_read_mtx, io_read_gr, io_read_metis,
    io_read_ldbc, io_read_sg, io_read_hyg;
io_estimator io_estimate_mtx, io_estimate_gr, io_estimate_metis, io_estimate_sg,
    io_estimate_hyg;

/* The path, or, if there is nothing and it names an LDBC graph, that of the
 * graph's edges, written to `out`. */
enum { IO_PATH_ROOM = 4096 };
const char *io_ldbc_path(const char *path, char out[IO_PATH_ROOM]);

#endif
