/* Allocations that fail when a test says so. */
#ifndef TESTS_FAULT_H
#define TESTS_FAULT_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct fault {
    _Atomic uint64_t asked; /* since it was armed */
    _Atomic uint64_t at;    /* this one fails; 0: none does */
    bool is_lasting;        /* all later ones fail too */
};

/* For hy_ctx_opts.may_alloc; `user` is the fault. */
bool fault_may_alloc(void *user, size_t bytes);

/* The k-th allocation from now on fails. */
void fault_arm(struct fault *f, uint64_t k);

/* Ends the failing; true if something did fail. */
bool fault_disarm(struct fault *f);

#endif
