/* A small table of counts, filled by draws with a fixed seed. */
#include "algo/common/sample.h"

#include "base/random.h"

enum {
    DRAWS = 1024, /* as GAP has it */
    TRIES = 4 * DRAWS,
    ROOM = 2 * DRAWS, /* a power of two */
};

struct tally {
    hy_vid value;
    uint32_t count;
};

/* Counts x and returns how often it has been seen. */
static uint32_t count(struct tally *table, hy_vid x)
{
    size_t i = base_mix(x) % ROOM;
    while (table[i].count && table[i].value != x)
        i = (i + 1) % ROOM;
    table[i].value = x;
    return ++table[i].count;
}

struct algo_sample algo_sample_by(const hy_view *V, const hy_vid *x,
                                  const hy_vid *p)
{
    struct tally table[ROOM] = { { 0, 0 } };
    struct algo_sample sample = { .value = HY_NONE };
    for (uint64_t i = 0; V->bound && i < TRIES && sample.drawn < DRAWS; i++) {
        const hy_vid u =
            (hy_vid)base_random_below(base_random_at(1, i), V->bound);
        if (view_degree(V, u) == 0)
            continue;
        const hy_vid value = x[p ? p[u] : u];
        const uint32_t k = count(table, value);
        sample.drawn++;
        if (k > sample.count) {
            sample.count = k;
            sample.value = value;
        }
    }
    return sample;
}

struct algo_sample algo_sample(const hy_view *V, const hy_vid *x)
{
    return algo_sample_by(V, x, NULL);
}
