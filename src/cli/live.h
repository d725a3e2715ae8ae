/* Live answers on the command line: what is asked for, kept, checked, shown.
 *
 * A kind of answer is a line of the table in live_kinds.c.  A keeper holds the
 * answers of one graph and what the user saw of them last, in the ids of the
 * files: the library knows a vertex by a place that another one may take after
 * it is deleted.
 */
#ifndef CLI_LIVE_H
#define CLI_LIVE_H

#include "cli/json.h"
#include "cli/run.h"

/* ---- kinds --------------------------------------------------------------- */

/* Keys of `--live KIND:key=value`; all kinds have the last three. */
enum live_keys {
    LIVE_SOURCE = 1,
    LIVE_WEIGHT = 2,
    LIVE_DELTA = 4,
    LIVE_TOLERANCE = 8,
    LIVE_DAMPING = 16,
    LIVE_ITERATIONS = 32,
    LIVE_NAME = 64,
    LIVE_TOP = 128,
    LIVE_CHANGES = 256,
};

/* What an answer is asked with; zero is the default. */
struct live_terms {
    hy_vid source; /* HY_NONE: it is not there */
    const char *weight;
    double delta, tolerance, damping;
    uint32_t iterations;
    hy_device *device; /* to keep it on; NULL: the host */
};

/* An answer that was computed from nothing. */
struct live_fresh {
    void *values;    /* of the kind's type; room is the caller's */
    hy_vid *parents; /* or NULL: they are not asked for */
    double error;    /* ranks: bound of the L1 distance to the true ones */
};

struct live_kind {
    const char *name;  /* as the library calls it */
    const char *help;  /* one line */
    const char *value; /* of a vertex: "depth" */
    const char *total; /* what hy_live_info counts; NULL: nothing of its own */
    unsigned keys;
    hy_type type;
    bool has_parents;
    bool on_devices;  /* can be kept there */
    uint64_t nothing; /* what the user sees of ids that are not there */
    hy_status (*attach)(hy_graph *G, const struct live_terms *t, hy_live **out);
    hy_status (*compute)(const hy_view *V, const struct live_terms *t,
                         struct live_fresh *out);
};

extern const struct live_kind live_kinds[];
extern const size_t live_kinds_n;

/* NULL if there is none. */
const struct live_kind *live_kind_find(const char *name, size_t n);
bool live_kind_is_groups(const struct live_kind *k); /* wcc */

/* ---- what is asked ------------------------------------------------------- */

enum { LIVE_TEXT = 64 };

struct live_want {
    const struct live_kind *kind;
    char *text; /* owned: what others point into */
    const char *source;
    char name[LIVE_TEXT]; /* unique among those of a command */
    struct live_terms terms;
    uint64_t top, changes; /* 0: none are shown */
};

/* Reads the texts of `--live`, and names the answers; dies of what is wrong.
 * Answers that have no source of their own get `source`, which may be NULL. */
void live_wants_of(const struct cli_texts *texts, const char *source,
                   struct live_want wants[CLI_TEXTS]);
void live_wants_fini(struct live_want *wants, size_t n);

/* Those that devices keep, with commas. */
const char *live_names_on_devices(void);

/* Lists the kinds and their keys, for the help. */
void live_print_kinds(void);

/* ---- what is kept -------------------------------------------------------- */

/* A value as the user sees it: a number, the bits of a double, or, of groups,
 * the external id of the group's smallest vertex. */
struct live_change {
    uint64_t id; /* external */
    uint64_t was, now;
    bool came, went; /* it has no `was`, no `now` */
};

struct live_answer {
    const struct live_want *want;
    const struct live_kind *kind;
    struct live_terms terms; /* the source may move to another place */
    uint64_t source_id;      /* external */
    hy_live *L;              /* NULL: another vertex has the source's place */
    bool is_other;           /* since the last commit: attached anew, or not */
    hy_live_info info;       /* of the last commit */
    hy_vid *named;           /* groups: the smallest vertex of each one's */
    uint64_t *seen;          /* what was shown of each id */

    uint64_t changed; /* by the last commit */
    struct live_change *changes;
    size_t n_changes, room_changes; /* filled if they are shown */

    double anew_s; /* that computing it from nothing took last */
    uint64_t repaired, recomputed;
    double sum_s, sum_anew_s; /* over all commits */
};

struct live_keeper {
    struct run *R; /* borrowed: ids, names, texts */
    struct live_answer *at;
    size_t n;
    bool is_checked;
    uint64_t commits;
    uint64_t *ids;  /* external, of each place; HY_ANY: free */
    uint64_t *gone; /* ids of the delta's deleted vertices */
    hy_vid room;    /* of the arrays by place */
    hy_vid bound;
    const hy_delta *delta; /* of the last commit */
    struct live_fresh fresh;
    size_t fresh_room;
};

/* Attaches all that is wanted to the graph of R; dies if it cannot. */
void live_keeper_init(struct live_keeper *K, struct run *R,
                      const struct live_want *wants, size_t n);
void live_keeper_fini(struct live_keeper *K);

/* After a commit that returned `delta`. */
void live_follow(struct live_keeper *K, const hy_delta *delta);

/* Computes the answer from nothing and compares; false: `why` tells where they
 * differ.  The time that takes is kept. */
enum { LIVE_WHY = 256 };
bool live_is_right(struct live_keeper *K, struct live_answer *a,
                   char why[LIVE_WHY]);

/* All of them; dies of a difference, naming the batch. */
void live_check(struct live_keeper *K, uint64_t batch);

/* The value of a place as the user sees it. */
uint64_t live_value(const struct live_keeper *K, const struct live_answer *a,
                    hy_vid v);

/* Whether a stands before b among external ids: by number, or by text. */
bool live_id_before(const struct live_keeper *K, uint64_t a, uint64_t b);

/* Fills a->changed and, if they are shown, a->changes. */
void live_find_changes(struct live_keeper *K, struct live_answer *a);

/* Groups: names each after its smallest vertex. */
void live_name_groups(const struct live_keeper *K, struct live_answer *a);

/* Ascending by id; entries of one id become one. */
void live_sort_changes(const struct live_keeper *K, struct live_answer *a);

/* ---- what is shown ------------------------------------------------------- */

/* The k largest values, ties by id; of groups the largest ones, and `value`
 * is how many vertices they have.  Returns how many there are. */
struct live_top {
    uint64_t id, value;
};
size_t live_top_of(const struct live_keeper *K, const struct live_answer *a,
                   size_t k, struct live_top *out);

/* What a commit did to the graph. */
struct live_batch {
    uint64_t number, lines;
    hy_counts counts;
    uint64_t vertices, edges; /* after it */
    double s;
};

/* A table: batches, and a line for each answer. */
void live_print_head(const struct live_keeper *K);
void live_print_attached(const struct live_keeper *K);
void live_print_batch(const struct live_keeper *K, const struct live_batch *b,
                      bool verbose);
void live_print_sums(const struct live_keeper *K);

/* The list of answers after a commit. */
void live_json(const struct live_keeper *K, struct json *J);

/* Writes DIR/NAME.tsv of every answer. */
void live_write(struct live_keeper *K, const char *dir);

#endif
