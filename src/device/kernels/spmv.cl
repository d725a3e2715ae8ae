/* y = A x, row by row: each row by one item, in ascending order of
 * neighbours, so that sums have the host's bits. */

#ifdef HAS_F64

/* The rows of item i are i * grain .. */
KERNEL_9(spmv_rows, GLOBAL const u32 *, dir, GLOBAL const u64 *, pages,
         GLOBAL const u32 *, blocks, GLOBAL const u32 *, shape, u32, side,
         GLOBAL const f64 *, x, GLOBAL f64 *, y, u32, grain, u32, n)
{
    const struct graph g = graph_of(dir, pages, blocks, shape);
    const u64 lo = (u64)ITEM * grain;
    const u64 hi = lo + grain < n ? lo + grain : n;
    for (u64 u = lo; u < hi; u++) {
        f64 sum = 0;
        FOR_SPANS (s, &g, side ? g.in : g.out, (u32)u) {
            if (g.w_type == NO_WEIGHT) {
                for (u32 i = 0; i < s.n; i++)
                    sum += x[s.v[i * g.step]];
                continue;
            }
            GLOBAL const u8 *const w = weights_of(&g, &s);
            for (u32 i = 0; i < s.n; i++)
                sum += weight_at(&g, w, i) * x[s.v[i * g.step]];
        }
        y[u] = sum;
    }
}

#endif
