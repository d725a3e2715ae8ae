/* External ids into numbers of vertices, in ascending order.
 *
 * Ids that are not much larger than the rows are marked in a set of bits; the
 * number of one is how many are before it.  Others go into a table of distinct
 * ids, filled by all threads, which are then sorted; no thread's turn can be
 * seen in the result.
 */
#include "io/build.h"

#include "base/bits.h"
#include "base/random.h"
#include "par/par.h"

#include <string.h>

enum { GRAIN = 1 << 15 };

/* ---- ids of rows --------------------------------------------------------- */

HY_INLINE hy_pair ids_at(const struct io_table *T, size_t i)
{
    return T->wide ? T->wide[i] : (hy_pair){ T->narrow[i].u, T->narrow[i].v };
}

struct largest {
    const struct io_table *T;
    _Atomic uint64_t id; /* relaxed: read after the loop */
};

static void largest_par(void *arg, size_t lo, size_t hi)
{
    struct largest *const L = arg;
    uint64_t most = 0;
    for (size_t i = lo; i < hi; i++) {
        const hy_pair e = ids_at(L->T, i);
        const uint64_t here = e.u > e.v ? e.u : e.v;
        most = here > most ? here : most;
    }
    uint64_t old = atomic_load_explicit(&L->id, memory_order_relaxed);
    while (most > old &&
           !atomic_compare_exchange_weak_explicit(
               &L->id, &old, most, memory_order_relaxed, memory_order_relaxed))
        ;
}

static uint64_t find_largest(const struct io_table *T)
{
    struct largest L = { .T = T };
    atomic_init(&L.id, 0);
    par_for(T->ctx, T->n, GRAIN, largest_par, &L);
    const uint64_t lone = par_max(T->ctx, T->lone, T->n_lone);
    const uint64_t id = atomic_load(&L.id);
    return id > lone ? id : lone;
}

/* Rows as narrow ones, each id a number of a vertex. */
struct renaming {
    struct io_table *T;
    hy_edge *to;
    const void *state; /* of the way they are numbered */
};

HY_INLINE void rename_range(const struct renaming *A, size_t lo, size_t hi,
                            hy_vid (*number)(const void *state, uint64_t id))
{
    for (size_t i = lo; i < hi; i++) {
        const hy_pair e = ids_at(A->T, i);
        A->to[i] = (hy_edge){ number(A->state, e.u), number(A->state, e.v) };
    }
}

static hy_status rename_rows(struct io_table *T, par_range_step *step,
                             const void *state)
{
    struct renaming A = { .T = T, .to = T->narrow, .state = state };
    if (T->wide && !(A.to = base_alloc_raw(T->ctx, T->n, sizeof *A.to)))
        return HY_ENOMEM;
    par_for(T->ctx, T->n, GRAIN, step, &A);
    base_free(T->ctx, T->wide);
    T->wide = NULL;
    T->narrow = A.to;
    return HY_OK;
}

static hy_status too_many(uint64_t n)
{
    return base_fail(HY_EFULL, "%llu vertices: at most %u",
                     (unsigned long long)n, HY_NONE);
}

/* ---- by a set of bits ---------------------------------------------------- */

struct marks {
    const struct io_table *T;
    size_t words;
    _Atomic uint64_t *set; /* owned; relaxed: bits only appear */
    uint64_t *before;      /* owned: ids before each word */
};

/* Most ids were marked long before: looking is cheaper than marking. */
HY_INLINE void mark(struct marks *M, uint64_t id)
{
    _Atomic uint64_t *const word = &M->set[id / 64];
    const uint64_t bit = (uint64_t)1 << (id % 64);
    if (!(atomic_load_explicit(word, memory_order_relaxed) & bit))
        (void)atomic_fetch_or_explicit(word, bit, memory_order_relaxed);
}

static void mark_par(void *arg, size_t lo, size_t hi)
{
    struct marks *const M = arg;
    for (size_t i = lo; i < hi; i++) {
        const hy_pair e = ids_at(M->T, i);
        mark(M, e.u);
        mark(M, e.v);
    }
}

static void popcount_par(void *arg, size_t lo, size_t hi)
{
    const struct marks *const M = arg;
    for (size_t i = lo; i < hi; i++)
        M->before[i] =
            bits_count(atomic_load_explicit(&M->set[i], memory_order_relaxed));
}

HY_INLINE hy_vid rank_of(const void *state, uint64_t id)
{
    const struct marks *const M = state;
    const uint64_t word =
        atomic_load_explicit(&M->set[id / 64], memory_order_relaxed);
    const uint64_t lower = word & (((uint64_t)1 << (id % 64)) - 1);
    return (hy_vid)(M->before[id / 64] + bits_count(lower));
}

static void rename_ranked_par(void *arg, size_t lo, size_t hi)
{
    rename_range(arg, lo, hi, rank_of);
}

struct listing {
    const struct marks *M;
    uint64_t *external;
};

static void list_par(void *arg, size_t lo, size_t hi)
{
    const struct listing *const L = arg;
    for (size_t i = lo; i < hi; i++) {
        uint64_t *to = L->external + L->M->before[i];
        uint64_t word =
            atomic_load_explicit(&L->M->set[i], memory_order_relaxed);
        for (; word; word &= word - 1)
            *to++ = 64 * (uint64_t)i + (uint64_t)__builtin_ctzll(word);
    }
}

static hy_status name_marked(struct marks *M, struct io_table *T,
                             uint64_t bound, bool growing, struct io_named *out)
{
    M->words = bits_words(bound);
    M->set = base_alloc(T->ctx, M->words, sizeof *M->set);
    M->before = base_alloc_raw(T->ctx, M->words, sizeof *M->before);
    if (!M->set || !M->before)
        return HY_ENOMEM;
    par_for(T->ctx, T->n, GRAIN, mark_par, M);
    for (uint64_t i = 0; i < T->n_lone; i++)
        mark(M, T->lone[i]);
    par_for(T->ctx, M->words, GRAIN, popcount_par, M);
    const uint64_t n = par_scan(T->ctx, M->before, M->words);
    if (n >= HY_NONE)
        return too_many(n);
    *out = (struct io_named){ .n = n, .mapped = growing || n < bound };
    if (n == bound)
        return T->wide ? rename_rows(T, rename_ranked_par, M) : HY_OK;
    out->external = base_alloc_raw(T->ctx, n, sizeof *out->external);
    if (!out->external)
        return HY_ENOMEM;
    struct listing L = { .M = M, .external = out->external };
    par_for(T->ctx, M->words, GRAIN, list_par, &L);
    return rename_rows(T, rename_ranked_par, M);
}

/* ---- by a table of distinct ids ------------------------------------------ */

/* Open addressing, at most half full; a free slot is HY_ANY, which no id
 * is. */
struct distinct {
    const struct io_table *T;
    size_t slots;
    uint64_t seed;          /* so that no file can fill one place */
    _Atomic uint64_t *slot; /* owned; relaxed: a slot is filled once */
    hy_vid *number;         /* owned: of the id in each slot */
    _Atomic uint64_t n;     /* relaxed: a counter */
};

static size_t place_of(const struct distinct *D, uint64_t id)
{
    return base_mix(id ^ D->seed) & (D->slots - 1);
}

/* True if it was not there. */
static bool insert(struct distinct *D, uint64_t id)
{
    for (size_t i = place_of(D, id);; i = (i + 1) & (D->slots - 1)) {
        uint64_t there =
            atomic_load_explicit(&D->slot[i], memory_order_relaxed);
        if (there == HY_ANY && atomic_compare_exchange_strong_explicit(
                                   &D->slot[i], &there, id,
                                   memory_order_relaxed, memory_order_relaxed))
            return true;
        if (there == id)
            return false;
    }
}

static size_t slot_of(const struct distinct *D, uint64_t id)
{
    size_t i = place_of(D, id);
    while (atomic_load_explicit(&D->slot[i], memory_order_relaxed) != id)
        i = (i + 1) & (D->slots - 1);
    return i;
}

/* Some slots stay free whatever a range of rows brings. */
static bool is_crowded(struct distinct *D)
{
    return atomic_load_explicit(&D->n, memory_order_relaxed) > D->slots / 2;
}

static void insert_par(void *arg, size_t lo, size_t hi)
{
    struct distinct *const D = arg;
    enum { STEP = 256 };
    for (size_t i = lo; i < hi && !is_crowded(D); i += STEP) {
        uint64_t n = 0;
        for (size_t k = i; k < hi && k < i + STEP; k++) {
            const hy_pair e = ids_at(D->T, k);
            n += insert(D, e.u);
            n += insert(D, e.v);
        }
        atomic_fetch_add_explicit(&D->n, n, memory_order_relaxed);
    }
}

static hy_status set_slots(struct distinct *D, size_t slots)
{
    hy_ctx *const ctx = D->T->ctx;
    base_free(ctx, D->slot);
    D->slot = base_alloc_raw(ctx, slots, sizeof *D->slot);
    if (!D->slot)
        return HY_ENOMEM;
    D->slots = slots;
    memset(D->slot, 0xff, slots * sizeof *D->slot);
    atomic_store_explicit(&D->n, 0, memory_order_relaxed);
    return HY_OK;
}

static hy_status collect(struct distinct *D)
{
    const struct io_table *const T = D->T;
    /* Each of up to 1024 threads adds at most 512 after it is crowded. */
    size_t slots = (size_t)1 << 21;
    for (;; slots *= 4) {
        HY_TRY(set_slots(D, slots));
        par_for(T->ctx, T->n, GRAIN, insert_par, D);
        for (uint64_t i = 0; i < T->n_lone && !is_crowded(D); i++)
            D->n += insert(D, T->lone[i]);
        if (!is_crowded(D))
            return HY_OK;
        if (slots > SIZE_MAX / 64)
            return too_many(D->n);
    }
}

struct numbering {
    struct distinct *D;
    const uint64_t *external;
};

static void number_par(void *arg, size_t lo, size_t hi)
{
    const struct numbering *const N = arg;
    for (size_t i = lo; i < hi; i++)
        N->D->number[slot_of(N->D, N->external[i])] = (hy_vid)i;
}

HY_INLINE hy_vid number_of(const void *state, uint64_t id)
{
    const struct distinct *const D = state;
    return D->number[slot_of(D, id)];
}

static void rename_numbered_par(void *arg, size_t lo, size_t hi)
{
    rename_range(arg, lo, hi, number_of);
}

/* The distinct ids, ascending. */
static hy_status sort_ids(struct distinct *D, uint64_t n, uint64_t **out)
{
    hy_ctx *const ctx = D->T->ctx;
    struct par_keys keys = { .n = n, .high_bits = 32, .low_bits = 32 };
    keys.key = base_alloc_raw(ctx, n, sizeof *keys.key);
    keys.key_tmp = base_alloc_raw(ctx, n, sizeof *keys.key_tmp);
    const bool ok = keys.key && keys.key_tmp;
    if (ok) {
        size_t k = 0;
        for (size_t i = 0; i < D->slots; i++) {
            const uint64_t id =
                atomic_load_explicit(&D->slot[i], memory_order_relaxed);
            if (id != HY_ANY)
                keys.key[k++] = id;
        }
        par_sort(ctx, &keys);
        *out = keys.key;
    } else {
        base_free(ctx, keys.key);
    }
    base_free(ctx, keys.key_tmp);
    return ok ? HY_OK : HY_ENOMEM;
}

static hy_status name_distinct(struct distinct *D, struct io_table *T,
                               struct io_named *out)
{
    HY_TRY(collect(D));
    const uint64_t n = D->n;
    if (n >= HY_NONE)
        return too_many(n);
    *out = (struct io_named){ .n = n, .mapped = true };
    HY_TRY(sort_ids(D, n, &out->external));
    D->number = base_alloc_raw(T->ctx, D->slots, sizeof *D->number);
    if (!D->number)
        return HY_ENOMEM;
    struct numbering N = { .D = D, .external = out->external };
    par_for(T->ctx, n, GRAIN, number_par, &N);
    return rename_rows(T, rename_numbered_par, D);
}

/* ---- which way ----------------------------------------------------------- */

HY_INLINE hy_vid less_first(const void *state, uint64_t id)
{
    return (hy_vid)(id - *(const uint64_t *)state);
}

static void rename_less_par(void *arg, size_t lo, size_t hi)
{
    rename_range(arg, lo, hi, less_first);
}

/* The format says which vertices there are: first .. first + n - 1. */
static hy_status name_counted(const struct io_reading *R, struct io_table *T,
                              const struct io_shape *shape,
                              struct io_named *out)
{
    const uint64_t n = shape->n;
    if (n >= HY_NONE)
        return too_many(n);
    if ((T->n || T->n_lone) && find_largest(T) >= n + shape->first)
        return io_bad(R, 0, "an id is past the %llu vertices there are",
                      (unsigned long long)n);
    *out =
        (struct io_named){ .n = n, .mapped = shape->first || R->opts->growing };
    if (shape->first) {
        HY_TRY(io_check_memory(R, n * sizeof *out->external));
        out->external = base_alloc_raw(T->ctx, n, sizeof *out->external);
        if (!out->external)
            return HY_ENOMEM;
        for (uint64_t i = 0; i < n; i++)
            out->external[i] = shape->first + i;
    }
    return shape->first || T->wide
               ? rename_rows(T, rename_less_par, &shape->first)
               : HY_OK;
}

hy_status io_name(const struct io_reading *R, struct io_table *T,
                  const struct io_shape *shape, struct io_named *out)
{
    /* Ids up to this many times the rows are worth a bit each. */
    enum { SPREAD = 64, SMALL = 1 << 22 };
    if (T->names) {
        *out =
            (struct io_named){ .n = hy_names_count(T->names), .mapped = true };
        return HY_OK;
    }
    if (shape->n != HY_ANY)
        return name_counted(R, T, shape, out);
    if (!T->n && !T->n_lone) {
        *out = (struct io_named){ .mapped = R->opts->growing };
        return HY_OK;
    }
    const uint64_t most = find_largest(T);
    hy_status status;
    if (most < SMALL || most / SPREAD <= T->n + T->n_lone) {
        struct marks M = { .T = T };
        status = name_marked(&M, T, most + 1, R->opts->growing, out);
        base_free(T->ctx, M.set);
        base_free(T->ctx, M.before);
    } else {
        struct distinct D = { .T = T, .seed = base_mix((uintptr_t)&D) };
        status = name_distinct(&D, T, out);
        base_free(T->ctx, D.slot);
        base_free(T->ctx, D.number);
    }
    return status;
}
