/* Scan, reduce, filter and sort of arrays.
 *
 * An array is cut into `items` shares, ascending; each item walks its own, and
 * what items have to know of each other stands in `part`.
 */
INLINE u64 ops_from(u32 n, u32 items, u32 item)
{
    return (u64)n * item / items;
}

/* ---- scan ---------------------------------------------------------------- */

KERNEL_4(scan_sum, GLOBAL const u32 *, x, GLOBAL u64 *, part, u32, n, u32,
         items)
{
    const u32 item = ITEM;
    if (item >= items)
        return;
    const u64 hi = ops_from(n, items, item + 1);
    u64 sum = 0;
    for (u64 i = ops_from(n, items, item); i < hi; i++)
        sum += x[i];
    part[item] = sum;
}

/* y[i] <- the sum of x before i, y[n] <- of all. */
KERNEL_5(scan_write, GLOBAL const u32 *, x, GLOBAL const u64 *, part,
         GLOBAL u64 *, y, u32, n, u32, items)
{
    const u32 item = ITEM;
    if (item >= items)
        return;
    const u64 hi = ops_from(n, items, item + 1);
    u64 sum = 0;
    for (u32 i = 0; i < item; i++)
        sum += part[i];
    for (u64 i = ops_from(n, items, item); i < hi; i++) {
        y[i] = sum;
        sum += x[i];
    }
    if (item == items - 1)
        y[n] = sum;
}

/* ---- reduce -------------------------------------------------------------- */

enum { REDUCE_SUM, REDUCE_MIN, REDUCE_MAX, REDUCE_COUNT };

KERNEL_5(reduce, GLOBAL const u32 *, x, GLOBAL u64 *, part, u32, what, u32, n,
         u32, items)
{
    const u32 item = ITEM;
    if (item >= items)
        return;
    const u64 lo = ops_from(n, items, item), hi = ops_from(n, items, item + 1);
    u64 y = what == REDUCE_MIN ? 0xffffffffu : 0;
    if (what == REDUCE_SUM)
        for (u64 i = lo; i < hi; i++)
            y += x[i];
    if (what == REDUCE_MIN)
        for (u64 i = lo; i < hi; i++)
            y = x[i] < y ? x[i] : y;
    if (what == REDUCE_MAX)
        for (u64 i = lo; i < hi; i++)
            y = x[i] > y ? x[i] : y;
    if (what == REDUCE_COUNT)
        for (u64 i = lo; i < hi; i++)
            y += x[i] != 0;
    part[item] = y;
}

/* ---- filter -------------------------------------------------------------- */

/* list <- the i with x[i] != 0, ascending; part is by `reduce`, to count. */
KERNEL_5(filter_write, GLOBAL const u32 *, x, GLOBAL const u64 *, part,
         GLOBAL u32 *, list, u32, n, u32, items)
{
    const u32 item = ITEM;
    if (item >= items)
        return;
    const u64 hi = ops_from(n, items, item + 1);
    u64 to = 0;
    for (u32 i = 0; i < item; i++)
        to += part[i];
    for (u64 i = ops_from(n, items, item); i < hi; i++)
        if (x[i] != 0)
            list[to++] = (u32)i;
}

/* ---- sort: by digits of 8 bits, the lowest first ------------------------- */

enum { DIGITS = 256 };

INLINE u32 digit_of(GLOBAL const u32 *key, u32 words, u64 i, u32 shift)
{
    return key[i * words + shift / 32] >> shift % 32 & (DIGITS - 1);
}

/* count[digit * items + item]: so a scan gives each item its places. */
KERNEL_6(sort_count, GLOBAL const u32 *, key, GLOBAL u32 *, count, u32, words,
         u32, shift, u32, n, u32, items)
{
    const u32 item = ITEM;
    u32 seen[DIGITS];
    if (item >= items)
        return;
    const u64 hi = ops_from(n, items, item + 1);
    for (u32 k = 0; k < DIGITS; k++)
        seen[k] = 0;
    for (u64 i = ops_from(n, items, item); i < hi; i++)
        seen[digit_of(key, words, i, shift)]++;
    for (u32 k = 0; k < DIGITS; k++)
        count[(u64)k * items + item] = seen[k];
}

KERNEL_9(sort_deal, GLOBAL const u32 *, key, GLOBAL const u32 *, value,
         GLOBAL u32 *, to_key, GLOBAL u32 *, to_value, GLOBAL const u64 *,
         place, u32, words, u32, shift, u32, n, u32, items)
{
    const u32 item = ITEM;
    u32 next[DIGITS];
    if (item >= items)
        return;
    const u64 hi = ops_from(n, items, item + 1);
    for (u32 k = 0; k < DIGITS; k++)
        next[k] = (u32)place[(u64)k * items + item];
    for (u64 i = ops_from(n, items, item); i < hi; i++) {
        const u64 to = next[digit_of(key, words, i, shift)]++;
        for (u32 w = 0; w < words; w++)
            to_key[to * words + w] = key[i * words + w];
        to_value[to] = value[i];
    }
}
