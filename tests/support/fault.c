#include "support/fault.h"

bool fault_may_alloc(void *user, size_t bytes)
{
    struct fault *f = user;
    const uint64_t at = atomic_load(&f->at);
    (void)bytes;
    if (at == 0)
        return true;
    const uint64_t k = atomic_fetch_add(&f->asked, 1) + 1;
    return f->is_lasting ? k < at : k != at;
}

void fault_arm(struct fault *f, uint64_t k)
{
    atomic_store(&f->asked, 0);
    atomic_store(&f->at, k);
}

bool fault_disarm(struct fault *f)
{
    const uint64_t at = atomic_exchange(&f->at, 0);
    return atomic_load(&f->asked) >= at;
}
