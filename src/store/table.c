/* Pages of the vertex table. */
#include "store/table.h"

static void lay_out(struct table_layout *L, const struct shape *S, bool reverse)
{
    const size_t side = PAGE_VERTICES * sizeof(struct slot);
    *L = (struct table_layout){ .reverse = reverse, .mapped = S->mapped };
    L->bytes = side;
    if (reverse) {
        L->slots[IN] = L->bytes;
        L->bytes += side;
    }
    if (S->mapped) {
        L->external = L->bytes;
        L->bytes += PAGE_VERTICES * sizeof(uint64_t);
    }
    for (uint32_t i = 0; i < S->vertex.n; i++) {
        L->column[i] = L->bytes;
        L->bytes += (size_t)PAGE_VERTICES * S->vertex.field[i].width;
    }
}

hy_status table_init(hy_ctx *ctx, struct table *T, const struct shape *S,
                     bool reverse)
{
    *T = (struct table){ 0 };
    lay_out(&T->layout, S, reverse);
    /* Every vertex there can be, twice: as it is, and as views saw it. */
    const size_t bytes =
        ((size_t)HY_NONE / PAGE_VERTICES + 1) * 2 * T->layout.bytes;
    return base_space_init(ctx, &T->space, bytes, (size_t)16 << 20);
}

void table_fini(hy_ctx *ctx, struct table *T)
{
    base_space_fini(ctx, &T->space);
    base_free(ctx, T->birth);
    base_free(ctx, T->free);
    *T = (struct table){ 0 };
}

static hy_status grow_lists(hy_ctx *ctx, struct table *T, size_t pages)
{
    if (pages <= T->pages_room)
        return HY_OK;
    const size_t room = pages + pages / 4 + 16;
    if (room >= NO_PAGE)
        return base_fail(HY_EFULL, "the vertex table is full");
    uint64_t *birth = base_resize(ctx, T->birth, room, sizeof *birth);
    if (!birth)
        return HY_ENOMEM;
    T->birth = birth;
    uint32_t *list = base_resize(ctx, T->free, room, sizeof *list);
    if (!list)
        return HY_ENOMEM;
    T->free = list;
    T->pages_room = (uint32_t)room;
    return HY_OK;
}

hy_status table_reserve(hy_ctx *ctx, struct table *T, size_t n)
{
    if (n <= T->n_free)
        return HY_OK;
    const size_t pages = T->n_pages + (n - T->n_free);
    HY_TRY(grow_lists(ctx, T, pages));
    return base_space_grow(ctx, &T->space, pages * T->layout.bytes);
}

hy_status table_map(hy_ctx *ctx, struct table *T, int fd, uint64_t offset,
                    uint32_t n, uint64_t epoch)
{
    HY_TRY(grow_lists(ctx, T, n));
    HY_TRY(base_space_map(ctx, &T->space, fd, offset,
                          (size_t)n * T->layout.bytes));
    for (uint32_t i = 0; i < n; i++)
        T->birth[i] = epoch;
    T->n_pages = n;
    return HY_OK;
}

uint32_t table_take(struct table *T, uint64_t epoch, bool zero)
{
    const bool reused = T->n_free > 0;
    const uint32_t page = reused ? T->free[--T->n_free] : T->n_pages++;
    T->birth[page] = epoch;
    if (zero && reused)
        memset(table_page(T, page), 0, T->layout.bytes);
    return page;
}
