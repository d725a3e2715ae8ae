#include "support/seal.h"

#include "store/image_impl.h"

static uint64_t sum_of(const unsigned char *at, uint64_t bytes)
{
    uint64_t sum = 0;
    for (uint64_t lo = 0; lo < bytes; lo += IMAGE_CHUNK) {
        const uint64_t n = bytes - lo < IMAGE_CHUNK ? bytes - lo : IMAGE_CHUNK;
        struct image_sum S;
        image_sum_init(&S);
        image_sum_add(&S, at + lo, n);
        sum = image_sum_join(sum, image_sum_end(&S));
    }
    return sum;
}

void image_seal_again(unsigned char *bytes, uint64_t n)
{
    struct image_header *H = (struct image_header *)(void *)bytes;
    struct image_seal *seal =
        (struct image_seal *)(void *)(bytes + n - sizeof *seal);
    for (int i = 0; i < IMAGE_PARTS; i++) {
        const struct image_place p = H->part[i];
        if (p.offset <= n && p.bytes <= n && p.offset % 8 == 0 &&
            image_padded(p.bytes) <= n - p.offset)
            seal->part[i] = sum_of(bytes + p.offset, image_padded(p.bytes));
    }
    H->sum = seal->sum = 0;
    H->sum = image_sum_page(H);
    seal->sum = image_sum_page(seal);
}

void image_change(unsigned char *bytes, uint64_t n, const uint8_t *at)
{
    const struct image_header *H = (const struct image_header *)(void *)bytes;
    struct image_place p = { .offset = 0, .bytes = sizeof *H };
    const unsigned which = at[0] % (IMAGE_PARTS + 2);
    if (which < IMAGE_PARTS)
        p = H->part[which];
    else if (which > IMAGE_PARTS)
        p.offset = n - sizeof(struct image_seal);
    if (p.bytes == 0 || p.offset >= n)
        return;
    const uint64_t where = p.offset + (at[1] | (uint64_t)at[2] << 8) % p.bytes;
    if (where < n)
        bytes[where] = (unsigned char)(bytes[where] + at[3]);
}
