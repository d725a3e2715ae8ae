/* Ids 10, 20, ... of a block, and what becomes of them. */
#ifndef TESTS_TENS_H
#define TESTS_TENS_H

#include "support/test.h"

#include <hypha/base.h>

/* n of them, and behind them what a block may hold there, up to `room`. */
void tens_fill(hy_vid *id, uint32_t room, uint32_t n, hy_vid behind);

/* Fails unless they are n of them with v between; unless the i-th is gone of n;
 * unless they are n as they were. */
void tens_must_have(const hy_vid *id, uint32_t n, hy_vid v);
void tens_must_lack(const hy_vid *id, uint32_t n, uint32_t i);
void tens_must_stay(const hy_vid *id, uint32_t n);

#endif
