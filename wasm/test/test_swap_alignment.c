/* Byte swaps against a loop over bytes, at all alignments and lengths around the vectors' width. */
#include "support/check.h"
#include "support/encode.h"

#include "../src/streamer/swap.h"

#include <string.h>

static void naive(const uint8_t *src, uint8_t *dst, size_t n, size_t width) {
    for (size_t i = 0; i < n; i++)
        for (size_t k = 0; k < width; k++)
            dst[i * width + k] = src[i * width + width - 1 - k];
}

int main(void) {
    static void (*const swaps[])(const uint8_t *, uint8_t *, size_t) = {xy_swap16, xy_swap32,
                                                                        xy_swap64};
    uint32_t seed = 3;
    for (size_t kind = 0; kind < 3; kind++) {
        size_t width = (size_t)2 << kind;
        for (size_t n = 0; n < 70; n++) {
            for (size_t from = 0; from < 17; from++) {
                size_t to = (from * 7 + n) % 17;
                uint8_t *src = malloc(from + n * width + 1), *dst = malloc(to + n * width + 1);
                uint8_t *want = malloc(n * width + 1);
                CHECK(src && dst && want);
                for (size_t i = 0; i < from + n * width; i++)
                    src[i] = (uint8_t)next_random(&seed);
                dst[to + n * width] = 0xa5;
                naive(src + from, want, n, width);
                swaps[kind](src + from, dst + to, n);
                CHECK(memcmp(dst + to, want, n * width) == 0, "%zu of %zu bytes", n, width);
                CHECK(dst[to + n * width] == 0xa5, "a byte behind was written");
                free(src);
                free(dst);
                free(want);
            }
        }
    }
    return 0;
}
