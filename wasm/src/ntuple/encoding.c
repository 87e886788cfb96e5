#include "encoding.h"

#include "../streamer/tape.h"
#include "pages.h"

typedef uint8_t u8x16 __attribute__((vector_size(16)));
typedef uint32_t u32x4 __attribute__((vector_size(16)));
typedef uint16_t u16x8 __attribute__((vector_size(16)));
typedef uint64_t u64x2 __attribute__((vector_size(16)));

static inline u8x16 load(const uint8_t *p) {
    u8x16 v;
    memcpy(&v, p, 16);
    return v;
}

static inline void store(uint8_t *p, u8x16 v) {
    memcpy(p, &v, 16);
}

#define LOW(a, b)                                                                                  \
    __builtin_shufflevector(a, b, 0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23)
#define HIGH(a, b)                                                                                 \
    __builtin_shufflevector(a, b, 8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13, 29, 14, 30, 15, 31)

/* Split pages hold all first bytes of n elements, then all second ones, ... `src` stands at the
 * first byte of the first wanted element, `n` is the distance between the runs. Interleaving pairs
 * of runs, and pairs of the results, puts the bytes of 16 elements together. */
static void unsplit16(const uint8_t *src, size_t n, size_t count, uint8_t *out, bool zigzag) {
    size_t i = 0;
    for (; i + 16 <= count; i += 16) {
        u8x16 a = load(src + i), b = load(src + n + i);
        u16x8 v[2] = {(u16x8)LOW(a, b), (u16x8)HIGH(a, b)};
        for (int k = 0; k < 2; k++) {
            if (zigzag) v[k] = (v[k] >> 1) ^ -(v[k] & 1);
            store(out + 2 * i + 16 * k, (u8x16)v[k]);
        }
    }
    for (; i < count; i++) {
        uint16_t v = (uint16_t)(src[i] | src[n + i] << 8);
        if (zigzag) v = (uint16_t)((v >> 1) ^ -(v & 1));
        memcpy(out + 2 * i, &v, 2);
    }
}

static void unsplit32(const uint8_t *src, size_t n, size_t count, uint8_t *out, bool zigzag) {
    size_t i = 0;
    for (; i + 16 <= count; i += 16) {
        const uint8_t *s = src + i;
        u8x16 a = load(s), b = load(s + n), c = load(s + 2 * n), d = load(s + 3 * n);
        /* Bytes 0 and 2, and 1 and 3, so that a second interleave gives 0 1 2 3. */
        u8x16 ac[2] = {LOW(a, c), HIGH(a, c)}, bd[2] = {LOW(b, d), HIGH(b, d)};
        u32x4 v[4] = {(u32x4)LOW(ac[0], bd[0]), (u32x4)HIGH(ac[0], bd[0]), (u32x4)LOW(ac[1], bd[1]),
                      (u32x4)HIGH(ac[1], bd[1])};
        for (int k = 0; k < 4; k++) {
            if (zigzag) v[k] = (v[k] >> 1) ^ -(v[k] & 1);
            store(out + 4 * i + 16 * k, (u8x16)v[k]);
        }
    }
    for (; i < count; i++) {
        const uint8_t *s = src + i;
        uint32_t v = (uint32_t)s[0] | (uint32_t)s[n] << 8 | (uint32_t)s[2 * n] << 16 |
                     (uint32_t)s[3 * n] << 24;
        if (zigzag) v = (v >> 1) ^ (0u - (v & 1));
        memcpy(out + 4 * i, &v, 4);
    }
}

static void unsplit64(const uint8_t *src, size_t n, size_t count, uint8_t *out, bool zigzag) {
    size_t i = 0;
    for (; i + 16 <= count; i += 16) {
        u8x16 r[8], q[8];
        for (int k = 0; k < 8; k++)
            r[k] = load(src + i + (size_t)k * n);
        for (int k = 0; k < 4; k++) { /* bytes k and k + 4 */
            q[2 * k] = LOW(r[k], r[k + 4]);
            q[2 * k + 1] = HIGH(r[k], r[k + 4]);
        }
        for (int half = 0; half < 2; half++) {
            /* q[half], q[2 + half], q[4 + half], q[6 + half]: bytes 04, 15, 26, 37 of 8 elements */
            u8x16 p0 = q[half], p1 = q[2 + half], p2 = q[4 + half], p3 = q[6 + half];
            u8x16 even[2] = {LOW(p0, p2), HIGH(p0, p2)}, odd[2] = {LOW(p1, p3), HIGH(p1, p3)};
            for (int k = 0; k < 2; k++) {
                u64x2 v[2] = {(u64x2)LOW(even[k], odd[k]), (u64x2)HIGH(even[k], odd[k])};
                for (int m = 0; m < 2; m++) {
                    if (zigzag) v[m] = (v[m] >> 1) ^ -(v[m] & 1);
                    store(out + 8 * i + 64 * half + 32 * k + 16 * m, (u8x16)v[m]);
                }
            }
        }
    }
    for (; i < count; i++) {
        uint64_t v = 0;
        for (int k = 0; k < 8; k++)
            v |= (uint64_t)src[i + (size_t)k * n] << (8 * k);
        if (zigzag) v = (v >> 1) ^ (0u - (v & 1));
        memcpy(out + 8 * i, &v, 8);
    }
}

/* Half precision; subnormal numbers are rebuilt as normal ones of the wider type. */
static float half(uint16_t h) {
    uint32_t sign = (uint32_t)(h & 0x8000) << 16, exponent = (h >> 10) & 31, mantissa = h & 1023;
    uint32_t bits;
    if (exponent == 31) {
        bits = sign | 0x7f800000u | mantissa << 13;
    } else if (exponent) {
        bits = sign | (exponent + 112) << 23 | mantissa << 13;
    } else {
        float small = (float)mantissa * 0x1p-24f;
        memcpy(&bits, &small, 4);
        bits |= sign;
    }
    float f;
    memcpy(&f, &bits, 4);
    return f;
}

static void halves(const uint8_t *src, uint8_t *out, size_t n) {
    for (size_t i = 0; i < n; i++) {
        uint16_t h;
        memcpy(&h, src + 2 * i, 2);
        float f = half(h);
        memcpy(out + 4 * i, &f, 4);
    }
}

/* Element i of a run of elements of `bits` bits each, the least significant first. One element
 * spans at most 5 bytes, and no byte at or after `size` is read. */
static uint32_t packed(const uint8_t *src, size_t size, int bits, size_t i) {
    uint64_t bit = (uint64_t)i * (uint64_t)bits;
    size_t byte = (size_t)(bit >> 3);
    uint64_t word = 0;
    size_t left = size - byte;
    memcpy(&word, src + byte, left < 8 ? left : 8);
    return (uint32_t)(word >> (bit & 7)) & (uint32_t)(((uint64_t)1 << bits) - 1);
}

static void delta64(uint8_t *data, size_t n) {
    uint64_t sum = 0;
    for (size_t i = 0; i < n; i++) {
        uint64_t v;
        memcpy(&v, data + 8 * i, 8);
        sum += v;
        memcpy(data + 8 * i, &sum, 8);
    }
}

/* Offsets become 64 bits wide. */
static void indices(const xy_encoding *e, const uint8_t *src, size_t n, size_t from, size_t to,
                    uint8_t *out) {
    size_t count = to - from;
    uint64_t sum = 0;
    switch (e->type) {
    case XY_COL_INDEX64: memcpy(out, src + 8 * from, 8 * count); break;
    case XY_COL_INDEX32:
        for (size_t i = 0; i < count; i++) {
            uint32_t v;
            memcpy(&v, src + 4 * (from + i), 4);
            uint64_t wide = v;
            memcpy(out + 8 * i, &wide, 8);
        }
        break;
    case XY_COL_SPLIT_INDEX64:
        for (size_t i = 0; i < from; i++) {
            uint64_t v;
            unsplit64(src + i, n, 1, (uint8_t *)&v, false);
            sum += v;
        }
        unsplit64(src + from, n, count, out, false);
        if (count) {
            uint64_t v;
            memcpy(&v, out, 8);
            v += sum;
            memcpy(out, &v, 8);
        }
        delta64(out, count);
        break;
    default:
        for (size_t i = 0; i < to; i++) {
            sum += (uint32_t)src[i] | (uint32_t)src[n + i] << 8 | (uint32_t)src[2 * n + i] << 16 |
                   (uint32_t)src[3 * n + i] << 24;
            uint64_t v = (uint32_t)sum; /* counting is modulo 2^32 */
            if (i >= from) memcpy(out + 8 * (i - from), &v, 8);
        }
    }
}

void xy_decode_page(const xy_encoding *e, const uint8_t *src, size_t n, size_t from, size_t to,
                    uint8_t *out) {
    size_t count = to - from;
    size_t size = (size_t)xy_page_bytes(e->bits, n);
    switch (e->type) {
    case XY_COL_BIT:
        for (size_t i = 0; i < count; i++)
            out[i] = src[(from + i) >> 3] >> ((from + i) & 7) & 1;
        break;
    case XY_COL_REAL16: halves(src + 2 * from, out, count); break;
    case XY_COL_SPLIT_REAL16:
        /* The upper half of `out` holds the halves until each becomes a float in front of them. */
        unsplit16(src + from, n, count, out + 2 * count, false);
        halves(out + 2 * count, out, count);
        break;
    case XY_COL_INDEX32:
    case XY_COL_INDEX64:
    case XY_COL_SPLIT_INDEX32:
    case XY_COL_SPLIT_INDEX64: indices(e, src, n, from, to, out); break;
    case 0x11: unsplit16(src + from, n, count, out, true); break;
    case 0x12: unsplit16(src + from, n, count, out, false); break;
    case 0x13: unsplit32(src + from, n, count, out, true); break;
    case 0x15: unsplit64(src + from, n, count, out, true); break;
    case 0x14:
    case XY_COL_SPLIT_REAL32: unsplit32(src + from, n, count, out, false); break;
    case 0x16:
    case 0x19: unsplit64(src + from, n, count, out, false); break;
    case XY_COL_REAL32_TRUNC:
        for (size_t i = 0; i < count; i++) {
            uint32_t v = packed(src, size, e->bits, from + i) << (32 - e->bits);
            memcpy(out + 4 * i, &v, 4);
        }
        break;
    case XY_COL_REAL32_QUANT: {
        double scale = (e->max - e->min) / (double)(((uint64_t)1 << e->bits) - 1);
        for (size_t i = 0; i < count; i++) {
            double v = (double)packed(src, size, e->bits, from + i) * scale + e->min;
            memcpy(out + 8 * i, &v, 8);
        }
        break;
    }
    default: {
        size_t width = (size_t)e->bits / 8;
        memcpy(out, src + width * from, width * count);
    }
    }
}

void xy_convert_dtype(int from, const uint8_t *src, int to, uint8_t *out, size_t n) {
    size_t in_size = xy_dtype_size(from), out_size = xy_dtype_size(to);
    for (size_t i = 0; i < n; i++) {
        const uint8_t *s = src + i * in_size;
        uint8_t *o = out + i * out_size;
        if (from == XY_F32 || from == XY_F64) {
            double v = 0;
            float f = 0;
            if (from == XY_F32) {
                memcpy(&f, s, 4);
                v = (double)f;
            } else {
                memcpy(&v, s, 8);
                f = (float)v;
            }
            if (to == XY_F32)
                memcpy(o, &f, 4);
            else
                memcpy(o, &v, 8);
        } else {
            int64_t v = xy_number_at(from, s, 0);
            if (to == XY_BOOL) v = v != 0;
            memcpy(o, &v, out_size);
        }
    }
}
