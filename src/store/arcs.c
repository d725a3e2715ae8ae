/* Arcs sorted into rows. */
#include "store/build.h"

#include "par/par.h"

enum { GRAIN = 1 << 15 };

hy_status arcs_init(hy_ctx *ctx, struct arcs *A, uint64_t n, uint64_t bound,
                    bool tagged)
{
    *A = (struct arcs){ .n = n };
    A->key = base_alloc_raw(ctx, n, sizeof *A->key);
    A->key_tmp = base_alloc_raw(ctx, n, sizeof *A->key_tmp);
    A->at = base_alloc_raw(ctx, bound + 1, sizeof *A->at);
    if (tagged) {
        A->tag = base_alloc_raw(ctx, n, sizeof *A->tag);
        A->tag_tmp = base_alloc_raw(ctx, n, sizeof *A->tag_tmp);
    }
    if (A->key && A->key_tmp && A->at && (!tagged || (A->tag && A->tag_tmp)))
        return HY_OK;
    arcs_fini(ctx, A);
    return HY_ENOMEM;
}

void arcs_fini(hy_ctx *ctx, struct arcs *A)
{
    base_free(ctx, A->key);
    base_free(ctx, A->key_tmp);
    base_free(ctx, A->tag);
    base_free(ctx, A->tag_tmp);
    base_free(ctx, A->at);
    *A = (struct arcs){ 0 };
}

/* ---- keeping the last of equal arcs -------------------------------------- */

enum { PARTS = 64 };

struct thinning {
    struct arcs *A;
    bool no_loops;
    uint64_t kept[PARTS + 1]; /* in each part; then, before each part */
    uint64_t loops[PARTS];
};

static bool is_loop(uint64_t key)
{
    return key >> 32 == (uint32_t)key;
}

static bool is_kept(const struct thinning *T, uint64_t i)
{
    const uint64_t *key = T->A->key;
    if (T->no_loops && is_loop(key[i]))
        return false;
    return i + 1 == T->A->n || key[i] != key[i + 1];
}

static void count_par(void *arg, size_t part)
{
    struct thinning *T = arg;
    const uint64_t end = T->A->n * (part + 1) / PARTS;
    uint64_t kept = 0, loops = 0;
    for (uint64_t i = T->A->n * part / PARTS; i < end; i++)
        if (is_kept(T, i)) {
            kept++;
            loops += is_loop(T->A->key[i]);
        }
    T->kept[part] = kept;
    T->loops[part] = loops;
}

static void move_par(void *arg, size_t part)
{
    struct thinning *T = arg;
    struct arcs *A = T->A;
    const uint64_t end = A->n * (part + 1) / PARTS;
    uint64_t to = T->kept[part];
    for (uint64_t i = A->n * part / PARTS; i < end; i++)
        if (is_kept(T, i)) {
            A->key_tmp[to] = A->key[i];
            if (A->tag)
                A->tag_tmp[to] = A->tag[i];
            to++;
        }
}

static void thin(hy_ctx *ctx, struct arcs *A, bool no_loops)
{
    struct thinning T = { .A = A, .no_loops = no_loops };
    par_run(ctx, PARTS, count_par, &T);
    const uint64_t n = par_scan(ctx, T.kept, PARTS + 1);
    A->loops = 0;
    for (size_t i = 0; i < PARTS; i++)
        A->loops += T.loops[i];
    if (n == A->n)
        return;
    par_run(ctx, PARTS, move_par, &T);
    uint64_t *key = A->key;
    A->key = A->key_tmp;
    A->key_tmp = key;
    uint32_t *tag = A->tag;
    A->tag = A->tag_tmp;
    A->tag_tmp = tag;
    A->n = n;
}

/* ---- rows ---------------------------------------------------------------- */

static void rows_par(void *arg, size_t lo, size_t hi)
{
    struct arcs *A = arg;
    for (size_t i = lo; i < hi; i++) {
        const uint64_t u = A->key[i] >> 32;
        const uint64_t first = i ? (A->key[i - 1] >> 32) + 1 : 0;
        for (uint64_t v = first; v <= u; v++)
            A->at[v] = i;
    }
}

void arcs_sort(hy_ctx *ctx, struct arcs *A, uint64_t bound, bool no_loops)
{
    const unsigned bits = bits_width(bound ? bound - 1 : 0);
    struct par_keys keys = { .key = A->key,
                             .key_tmp = A->key_tmp,
                             .tag = A->tag,
                             .tag_tmp = A->tag_tmp,
                             .n = A->n,
                             .high_bits = bits,
                             .low_bits = bits };
    par_sort(ctx, &keys);
    A->key = keys.key;
    A->key_tmp = keys.key_tmp;
    A->tag = keys.tag;
    A->tag_tmp = keys.tag_tmp;
    thin(ctx, A, no_loops);
    par_for(ctx, A->n, GRAIN, rows_par, A);
    const uint64_t first = A->n ? (A->key[A->n - 1] >> 32) + 1 : 0;
    for (uint64_t v = first; v <= bound; v++)
        A->at[v] = A->n;
}

/* ---- flipping ------------------------------------------------------------ */

struct flipping {
    const struct arcs *from;
    struct arcs *to;
};

static void flip_par(void *arg, size_t lo, size_t hi)
{
    const struct flipping *F = arg;
    for (size_t i = lo; i < hi; i++) {
        const uint64_t key = F->from->key[i];
        F->to->key[i] = key << 32 | key >> 32;
        if (F->to->tag)
            F->to->tag[i] = F->from->tag ? F->from->tag[i] : (uint32_t)i;
    }
}

void arcs_flip(hy_ctx *ctx, const struct arcs *A, struct arcs *B,
               uint64_t bound)
{
    struct flipping F = { .from = A, .to = B };
    B->n = A->n;
    par_for(ctx, A->n, GRAIN, flip_par, &F);
    arcs_sort(ctx, B, bound, false);
}
