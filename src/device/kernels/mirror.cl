/* Units of 16 bytes put in their places.  One may be there twice, as part of a
 * block and of a page, with the same words both times. */

KERNEL_5(mirror_scatter, GLOBAL const u32 *, units, GLOBAL const u64 *, places,
         GLOBAL u32 *, to, u32, grain, u32, n)
{
    const u64 lo = (u64)ITEM * grain;
    const u64 hi = lo + grain < n ? lo + grain : n;
    for (u64 i = lo; i < hi; i++)
        for (u32 k = 0; k < 4; k++)
            POKE(&to[places[i] * 4 + k], units[i * 4 + k]);
}
