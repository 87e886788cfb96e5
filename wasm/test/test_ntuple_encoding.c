/* Pages of every encoding decode to what was encoded, from any element to any other. The reference
 * here writes byte by byte what the format says; ASan sees a byte read beyond the page. */
#include "../src/ntuple/encoding.h"
#include "../src/ntuple/pages.h"
#include "../src/ntuple/plan.h"
#include "support/check.h"
#include "support/encode.h"

#include <math.h>
#include <string.h>

typedef struct {
    int type, width; /* bytes of an element */
    bool split, zigzag, delta;
} kind;

static const kind KINDS_OF_INTEGERS[] = {
    {0x03, 1, false, false, false}, {0x05, 2, false, false, false}, {0x06, 2, false, false, false},
    {0x07, 4, false, false, false}, {0x0a, 8, false, false, false}, {0x0c, 4, false, false, false},
    {0x0d, 8, false, false, false}, {0x11, 2, true, true, false},   {0x12, 2, true, false, false},
    {0x13, 4, true, true, false},   {0x14, 4, true, false, false},  {0x15, 8, true, true, false},
    {0x16, 8, true, false, false},  {0x18, 4, true, false, false},  {0x19, 8, true, false, false},
    {0x0e, 4, false, false, false}, {0x0f, 8, false, false, false}, {0x1a, 4, true, false, true},
    {0x1b, 8, true, false, true}};

static uint64_t mask_of(int width) {
    return width == 8 ? UINT64_MAX : ((uint64_t)1 << (8 * width)) - 1;
}

static uint64_t zigzag(uint64_t v, int width) {
    bool negative = v >> (8 * width - 1) & 1;
    uint64_t magnitude = negative ? ~v & mask_of(width) : v;
    return (magnitude * 2 + negative) & mask_of(width);
}

static void check_integers(kind k, size_t n, uint32_t *seed) {
    uint64_t *values = calloc(n + 1, sizeof *values);
    bytes page = {malloc(n * (size_t)k.width + !n), n * (size_t)k.width};
    uint64_t previous = 0;
    for (size_t i = 0; i < n; i++) {
        uint64_t v = (uint64_t)next_random(seed) << 32 | next_random(seed);
        v &= mask_of(k.width);
        values[i] = v;
        if (k.delta) {
            uint64_t step = (v - previous) & mask_of(k.width);
            previous = v;
            v = step;
        }
        if (k.zigzag) v = zigzag(v, k.width);
        for (int b = 0; b < k.width; b++)
            page.data[k.split ? (size_t)b * n + i : i * (size_t)k.width + (size_t)b] =
                (uint8_t)(v >> (8 * b));
    }
    bool index = k.type == 0x0e || k.type == 0x0f || k.delta;
    size_t out_width = index ? 8 : (size_t)k.width;
    xy_encoding e = {k.type, 8 * k.width, 0, 0};
    for (int round = 0; round < 20; round++) {
        size_t from = round ? next_random(seed) % (n + 1) : 0;
        size_t to = round ? from + next_random(seed) % (n - from + 1) : n;
        uint8_t *out = malloc((to - from) * out_width + 1);
        xy_decode_page(&e, page.data, n, from, to, out);
        for (size_t i = from; i < to; i++) {
            uint64_t got = 0;
            memcpy(&got, out + (i - from) * out_width, out_width);
            CHECK(got == values[i], "type %02x, element %zu of %zu, from %zu", (unsigned)k.type, i,
                  n, from);
        }
        free(out);
    }
    free(values);
    free(page.data);
}

static void put_bits(uint8_t *page, int bits, size_t i, uint32_t value) {
    for (int b = 0; b < bits; b++) {
        size_t bit = i * (size_t)bits + (size_t)b;
        page[bit / 8] |= (uint8_t)((value >> b & 1) << (bit % 8));
    }
}

static void check_packed(int type, int bits, size_t n, uint32_t *seed) {
    size_t size = (size_t)xy_page_bytes(bits, n);
    uint8_t *page = calloc(size + !size, 1);
    uint32_t *values = calloc(n + 1, sizeof *values);
    for (size_t i = 0; i < n; i++) {
        values[i] = next_random(seed) & (uint32_t)(((uint64_t)1 << bits) - 1);
        put_bits(page, bits, i, values[i]);
    }
    uint8_t *exact = malloc(size + !size);
    memcpy(exact, page, size);
    xy_encoding e = {type, bits, -2, 6};
    size_t from = n / 3;
    uint8_t *out = malloc((n - from) * 8 + 1);
    xy_decode_page(&e, exact, n, from, n, out);
    for (size_t i = from; i < n; i++) {
        if (type == XY_COL_BIT) {
            CHECK(out[i - from] == values[i]);
        } else if (type == XY_COL_REAL32_TRUNC) {
            uint32_t got;
            memcpy(&got, out + 4 * (i - from), 4);
            CHECK(got == values[i] << (32 - bits), "%d bits, element %zu", bits, i);
        } else {
            double got, most = ldexp(1, bits) - 1;
            memcpy(&got, out + 8 * (i - from), 8);
            CHECK(fabs(got - (-2 + 8 * (values[i] / most))) < 1e-14, "%d bits, element %zu", bits,
                  i);
        }
    }
    free(out);
    free(exact);
    free(page);
    free(values);
}

/* All halves, against what C's own arithmetic makes of sign, exponent and mantissa. */
static void check_halves(void) {
    enum { ALL = 65536 };
    uint8_t *page = malloc(2 * ALL), *split = malloc(2 * ALL), *out = malloc(4 * ALL);
    for (uint32_t h = 0; h < ALL; h++) {
        page[2 * h] = split[h] = (uint8_t)h;
        page[2 * h + 1] = split[ALL + h] = (uint8_t)(h >> 8);
    }
    for (int round = 0; round < 2; round++) {
        xy_encoding e = {round ? XY_COL_SPLIT_REAL16 : XY_COL_REAL16, 16, 0, 0};
        xy_decode_page(&e, round ? split : page, ALL, 0, ALL, out);
        for (uint32_t h = 0; h < ALL; h++) {
            float got;
            memcpy(&got, out + 4 * h, 4);
            int exponent = h >> 10 & 31, mantissa = h & 1023;
            double want =
                exponent == 0 ? ldexp(mantissa, -24) : ldexp(1024 + mantissa, exponent - 25);
            if (exponent == 31) want = mantissa ? NAN : INFINITY;
            if (h >> 15) want = -want;
            CHECK(isnan(want) ? isnan(got) : (double)got == want && signbit(got) == signbit(want),
                  "half %04x", h);
        }
    }
    free(page);
    free(split);
    free(out);
}

int main(void) {
    uint32_t seed = 7;
    static const size_t sizes[] = {0, 1, 2, 3, 15, 16, 17, 31, 32, 33, 100, 1000};
    for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++) {
        for (size_t k = 0; k < sizeof KINDS_OF_INTEGERS / sizeof *KINDS_OF_INTEGERS; k++)
            check_integers(KINDS_OF_INTEGERS[k], sizes[s], &seed);
        check_packed(XY_COL_BIT, 1, sizes[s], &seed);
        for (int bits = 10; bits <= 31; bits++)
            check_packed(XY_COL_REAL32_TRUNC, bits, sizes[s], &seed);
        for (int bits = 1; bits <= 32; bits++)
            check_packed(XY_COL_REAL32_QUANT, bits, sizes[s], &seed);
    }
    check_halves();
    return 0;
}
