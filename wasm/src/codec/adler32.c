/* Adler-32: s1 = 1 + the sum of the bytes, s2 = the sum of all the s1, both modulo 65521.
 *
 * Over a run of n bytes b[0..n-1], s2 grows by n * s1 + the sum of (n - i) * b[i]. A run is at most
 * 5552 bytes: then no sum passes 2^32 before it is reduced. The SIMD loop takes 16 bytes a turn and
 * keeps three vectors: the sum of the bytes, the sum of that sum before each turn (each turn moves
 * all earlier bytes 16 places from the end), and the bytes weighted 16..1 by their place in the
 * turn. */
#include "adler32.h"

#ifdef __wasm_simd128__
#include <wasm_simd128.h>
#endif

enum { MODULUS = 65521, RUN = 5552 };

#ifdef __wasm_simd128__
static uint32_t lane_sum(v128_t v) {
    return (uint32_t)wasm_i32x4_extract_lane(v, 0) + (uint32_t)wasm_i32x4_extract_lane(v, 1) +
           (uint32_t)wasm_i32x4_extract_lane(v, 2) + (uint32_t)wasm_i32x4_extract_lane(v, 3);
}

/* Takes the whole 16-byte groups of a run of `len` bytes; returns how many bytes it took. */
static size_t add_groups(const uint8_t *data, size_t len, uint32_t *s1, uint32_t *s2) {
    const v128_t weights_low = wasm_i16x8_const(16, 15, 14, 13, 12, 11, 10, 9);
    const v128_t weights_high = wasm_i16x8_const(8, 7, 6, 5, 4, 3, 2, 1);
    size_t taken = len & ~(size_t)15;
    v128_t bytes = wasm_i32x4_splat(0);
    v128_t before = wasm_i32x4_splat(0);
    v128_t weighted = wasm_i32x4_splat(0);
    for (size_t i = 0; i < taken; i += 16) {
        v128_t group = wasm_v128_load(data + i);
        before = wasm_i32x4_add(before, bytes);
        bytes = wasm_i32x4_add(
            bytes, wasm_u32x4_extadd_pairwise_u16x8(wasm_u16x8_extadd_pairwise_u8x16(group)));
        v128_t low = wasm_i32x4_dot_i16x8(wasm_u16x8_extend_low_u8x16(group), weights_low);
        v128_t high = wasm_i32x4_dot_i16x8(wasm_u16x8_extend_high_u8x16(group), weights_high);
        weighted = wasm_i32x4_add(weighted, wasm_i32x4_add(low, high));
    }
    *s2 += *s1 * (uint32_t)taken + 16 * lane_sum(before) + lane_sum(weighted);
    *s1 += lane_sum(bytes);
    return taken;
}
#else
static size_t add_groups(const uint8_t *data, size_t len, uint32_t *s1, uint32_t *s2) {
    (void)data, (void)len, (void)s1, (void)s2;
    return 0;
}
#endif

uint32_t xy_adler32(const uint8_t *data, size_t len) {
    uint32_t s1 = 1;
    uint32_t s2 = 0;
    while (len > 0) {
        size_t run = len < RUN ? len : RUN;
        for (size_t i = add_groups(data, run, &s1, &s2); i < run; i++) {
            s1 += data[i];
            s2 += s1;
        }
        s1 %= MODULUS;
        s2 %= MODULUS;
        data += run;
        len -= run;
    }
    return s2 << 16 | s1;
}
