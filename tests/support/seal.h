/* Images changed as a forger would. */
#ifndef TESTS_SEAL_H
#define TESTS_SEAL_H

#include <stdint.h>

/* Adds to one byte of an image of n bytes.  Four bytes say what: which part
 * (past the last: the head, the seal), where in it (two), how much. */
void image_change(unsigned char *bytes, uint64_t n, const uint8_t *what);

/* Sets all sums right. */
void image_seal_again(unsigned char *bytes, uint64_t n);

#endif
