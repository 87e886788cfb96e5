/* Double32_t and Float16_t in all packings, against the rules of TBuffer: with a range, the value
 * is low + i / factor with factor = 2^bits / (high - low); without, a float's exponent byte and so
 * many bits of mantissa; Double32_t alone is a float. */
#include "support/check.h"

#include "../src/streamer/run.h"

#include <math.h>
#include <string.h>

static xy_node packed(const char *title, bool is_float16) {
    xy_element e = {0};
    xy_parse_range(title, is_float16, &e);
    xy_program p;
    xy_program_init(&p);
    int32_t i = xy_compile_basic(&p, is_float16 ? XY_T_FLOAT16 : XY_T_DOUBLE32, &e);
    CHECK(i >= 0 && !p.failed);
    xy_node node = p.nodes[i];
    xy_program_free(&p);
    return node;
}

static double read_one(const xy_node *node, const uint8_t *src) {
    uint8_t out[8];
    xy_convert(node, src, out, 1);
    float f;
    double d;
    memcpy(&f, out, 4);
    memcpy(&d, out, 8);
    return node->dtype == XY_F64 ? d : (double)f;
}

static void ranged(const char *title, bool is_float16, double low, double high, int bits) {
    xy_node node = packed(title, is_float16);
    CHECK(xy_wire_size(node.wire) == 4, "%s", title);
    double steps = bits < 32 ? ldexp(1, bits) : 4294967295.0, factor = steps / (high - low);
    const uint32_t values[] = {0, 1, 77, 0x7fff, 0xffff, (uint32_t)(steps - 1)};
    for (size_t k = 0; k < sizeof values / sizeof *values; k++) {
        uint32_t wire = __builtin_bswap32(values[k]);
        double want = (double)values[k] / factor + low;
        if (is_float16) want = (double)(float)want;
        double got = read_one(&node, (const uint8_t *)&wire);
        CHECK(got == want, "%s: %u gives %.17g, not %.17g", title, values[k], got, want);
    }
}

/* What TBufferFile::WriteFloat16 writes of x with so many bits, then read back. */
static void truncated(const char *title, bool is_float16, int bits) {
    xy_node node = packed(title, is_float16);
    CHECK(xy_wire_size(node.wire) == 3, "%s", title);
    const float values[] = {0.0f, 1.0f, -1.0f, 0.5f, -2.75f, 3.14159274f, 1e-30f, -1e30f, 65504.0f};
    for (size_t k = 0; k < sizeof values / sizeof *values; k++) {
        uint32_t word;
        memcpy(&word, &values[k], 4);
        uint16_t mantissa =
            (uint16_t)((((1u << (bits + 1)) - 1) & (word >> (23 - bits - 1))) + 1) >> 1;
        if (mantissa & (1u << bits)) mantissa = (uint16_t)((1u << bits) - 1);
        if (values[k] < 0) mantissa |= (uint16_t)(1u << (bits + 1));
        const uint8_t wire[3] = {(uint8_t)(word >> 23), (uint8_t)(mantissa >> 8),
                                 (uint8_t)mantissa};
        double got = read_one(&node, wire);
        CHECK(fabs(got - (double)values[k]) <= fabs((double)values[k]) * ldexp(1, -bits),
              "%s: %.9g comes back as %.9g", title, (double)values[k], got);
        CHECK(signbit(got) == signbit(values[k]));
    }
}

int main(void) {
    const double pi = 3.14159265358979323846;
    ranged("[0,10,16]", false, 0, 10, 16);
    ranged("of hits [-1.5, 2.25, 8] in cm", false, -1.5, 2.25, 8);
    ranged("[0,1]", false, 0, 1, 32);
    ranged("[-pi,pi,20]", false, -pi, pi, 20);
    ranged("[0,2pi,12]", false, 0, 2 * pi, 12);
    ranged("[0,2*pi,12]", true, 0, 2 * pi, 12);
    ranged("[-pi/2,pi/4,10]", true, -pi / 2, pi / 4, 10);
    ranged("[n][-5,5,30]", true, -5, 5, 30);
    truncated("", true, 12);
    truncated("[0,0,8]", true, 8);
    truncated("[0,0,14]", false, 14);
    truncated("[0,0,2]", false, 2);
    xy_node plain = packed("no range", false);
    const uint8_t one_and_a_half[] = {0x3f, 0xc0, 0, 0};
    CHECK(xy_wire_size(plain.wire) == 4 && read_one(&plain, one_and_a_half) == 1.5);
    /* Titles that nearly are ranges. */
    static const char *const odd[] = {"[",       "[]",       "[,]",         "[1,2",
                                      "[a,b,c]", "[0,0,]",   "[0,0,99999]", "[5,1,-3]",
                                      "[nan,1]", "[[[,,]]]", "[1e999,2]",   "[-1e999,1e999,5]"};
    for (size_t i = 0; i < sizeof odd / sizeof *odd; i++) {
        for (int half = 0; half < 2; half++) {
            xy_node node = packed(odd[i], half == 1);
            const uint8_t src[8] = {0x40, 0xff, 0x12, 0x34, 0xff, 0xff, 0xff, 0xff};
            read_one(&node, src);
        }
    }
    return 0;
}
