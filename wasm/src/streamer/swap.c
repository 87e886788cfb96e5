#include "swap.h"

#include <string.h>

/* Sixteen bytes at a time where the target has the shuffle, the rest one by one. The loops are
 * bound by memory, so they are not unrolled further. */
#ifdef __wasm_simd128__
#include <wasm_simd128.h>
#define LOOP16(a0, a1, a2, a3, a4, a5, a6, a7, a8, a9, a10, a11, a12, a13, a14, a15, width)        \
    for (; i + 16 / (width) <= n; i += 16 / (width)) {                                             \
        v128_t v = wasm_v128_load(src + i * (width));                                              \
        wasm_v128_store(dst + i * (width),                                                         \
                        wasm_i8x16_shuffle(v, v, a0, a1, a2, a3, a4, a5, a6, a7, a8, a9, a10, a11, \
                                           a12, a13, a14, a15));                                   \
    }
#else
#define LOOP16(...)
#endif

/* Defines a function that reverses the bytes of each of n numbers; then the shuffle for LOOP16. */
#define SWAP(bits, ...)                                                                            \
    void xy_swap##bits(const uint8_t *src, uint8_t *dst, size_t n) {                               \
        size_t i = 0;                                                                              \
        LOOP16(__VA_ARGS__, bits / 8)                                                              \
        for (; i < n; i++) {                                                                       \
            uint##bits##_t v;                                                                      \
            memcpy(&v, src + i * sizeof v, sizeof v);                                              \
            v = __builtin_bswap##bits(v);                                                          \
            memcpy(dst + i * sizeof v, &v, sizeof v);                                              \
        }                                                                                          \
    }

SWAP(16, 1, 0, 3, 2, 5, 4, 7, 6, 9, 8, 11, 10, 13, 12, 15, 14)
SWAP(32, 3, 2, 1, 0, 7, 6, 5, 4, 11, 10, 9, 8, 15, 14, 13, 12)
SWAP(64, 7, 6, 5, 4, 3, 2, 1, 0, 15, 14, 13, 12, 11, 10, 9, 8)
