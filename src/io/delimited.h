/* Lines of fields: edge lists and CSV.  The head of a file says what its
 * fields are; the body is parsed here. */
#ifndef IO_DELIMITED_H
#define IO_DELIMITED_H

#include "io/formats.h"

enum { IO_MAX_FIELDS = 64 };

/* What a field is; from IO_VALUE on: column role - IO_VALUE. */
enum io_role { IO_FROM, IO_TO, IO_IGNORED, IO_VALUE };

struct io_delimited {
    char separator; /* 0: runs of blanks */
    bool texts;     /* ids are */
    uint32_t n_fields;
    uint8_t role[IO_MAX_FIELDS];
    uint32_t n_values;
    /* Two-sided graphs: ids of the sides are 1 .. most_left, 1 .. most_right,
     * and right ones follow left ones.  0: one side. */
    uint64_t most_left, most_right;
    /* Edges that the head announces, if a line of it does; 0: none does. */
    uint64_t announced, announced_line;
};

struct io_field {
    const char *at;
    size_t n;
    bool doubled; /* has "" that stand for one " */
};

/* A line as fields; the count may be past IO_MAX_FIELDS, HY_NONE: a quote is
 * not closed.  `end` is the line's. */
uint32_t io_split(char separator, const char *at, const char *end,
                  struct io_field field[IO_MAX_FIELDS]);

/* Where the line at `at` ends: its newline, or `end`. */
const char *io_line_end(const char *at, const char *end);

/* Nothing, or a comment. */
bool io_is_empty_line(const char *at, const char *end);

/* What begins like a comment, but is an edge of a table whose ids are texts:
 * `#tag,b`, with all n columns, and no blank after the sign. */
bool io_is_tag_line(char separator, uint32_t n, const char *at,
                    const char *end);

/* A comment that names a vertex, which may have no edges: `# vertex 17`. */
bool io_is_vertex_line(char separator, const char *at, const char *end,
                       struct io_field *id);

/* What comments say: SNAP's `# Undirected graph`, KONECT's `% sym` and
 * `% m n1 n2`. */
struct io_remarks {
    bool undirected, is_konect, two_sided;
    uint64_t lines;               /* read so far */
    uint64_t sizes_line, size[3]; /* m, n1, n2; line 0: not said */
};

/* Reads comment lines into the head at `arg`. */
void io_read_comments(void *arg, const char *at, const char *end);

/* Whether ids are texts in a file that has vertices and no edges. */
bool io_are_texts(const struct io_reading *R, char separator,
                  const struct io_window *window);

/* Whether a field looks like an integer, fitting or not; like any number. */
bool io_is_integer(const struct io_field *F);
bool io_is_number(const struct io_field *F);

/* The first line of a text that is neither empty nor a comment; false if
 * there is none. */
bool io_first_line(const char *text, size_t n, const char **at,
                   const char **end);

/* A window that begins with the first line of data, or a comment that names a
 * vertex if one comes before; n = 0 if there is none.
 * What was skipped goes to `skipped`, unless that is NULL, in pieces of whole
 * lines.  The window is to be given back, for io_read_delimited. */
typedef void io_skipped(void *arg, const char *at, const char *end);
HY_CHECKED hy_status io_find_data(const struct io_reading *R,
                                  io_skipped *skipped, void *arg,
                                  struct io_window *out);

/* Parses what is left of the source, and makes the graph. */
HY_CHECKED hy_status io_read_delimited(const struct io_reading *R,
                                       const struct io_delimited *D,
                                       const struct io_shape *shape,
                                       hy_graph **graph, hy_names **names,
                                       hy_read_info *info);

#endif
