/* Units of 16 bytes put in their places: `staged` is n places, then n units.
 * One may be there twice, as part of a block and of a page, with the same
 * words both times. */
#define PLACE_IS_PAGES ((u64)1 << 63)

KERNEL_5(mirror_scatter, GLOBAL const u32 *, staged, GLOBAL u32 *, pages,
         GLOBAL u32 *, blocks, u32, grain, u32, n)
{
    GLOBAL const u64 *const places = (GLOBAL const u64 *)staged;
    GLOBAL const u32 *const units = staged + 2 * (u64)n;
    const u64 lo = (u64)ITEM * grain;
    const u64 hi = lo + grain < n ? lo + grain : n;
    for (u64 i = lo; i < hi; i++) {
        const u64 at = places[i] & ~PLACE_IS_PAGES;
        GLOBAL u32 *const to = (places[i] & PLACE_IS_PAGES ? pages : blocks);
        for (u32 k = 0; k < 4; k++)
            POKE(&to[at * 4 + k], units[i * 4 + k]);
    }
}
