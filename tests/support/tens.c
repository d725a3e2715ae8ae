#include "support/tens.h"

void tens_fill(hy_vid *id, uint32_t room, uint32_t n, hy_vid behind)
{
    for (uint32_t i = 0; i < room; i++)
        id[i] = i < n ? 10 * (i + 1) : behind;
}

void tens_must_have(const hy_vid *id, uint32_t n, hy_vid v)
{
    uint32_t below = 0;
    for (uint32_t i = 0; i < n; i++)
        below += 10 * (i + 1) < v;
    for (uint32_t i = 0; i <= n; i++) {
        const hy_vid want = i < below ? 10 * (i + 1) : i == below ? v : 10 * i;
        assert_int_equal(id[i], want);
    }
}

void tens_must_lack(const hy_vid *id, uint32_t n, uint32_t i)
{
    for (uint32_t j = 0; j + 1 < n; j++)
        assert_int_equal(id[j], 10 * (j + 1 + (j >= i)));
}

void tens_must_stay(const hy_vid *id, uint32_t n)
{
    tens_must_lack(id, n + 1, n);
}
