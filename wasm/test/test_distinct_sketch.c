/* Sketches against plain counting: distinct values exactly and estimated, zeroes, -0 and NaN, and
 * checksums that neither the cut into pieces nor the type of the numbers changes. */
#include "support/check.h"

#include "../src/compute/distinct_sketch.h"
#include "../src/streamer/tape.h"

#include <math.h>
#include <string.h>

static xy_sketch *fresh(void) {
    xy_sketch *s = calloc(1, sizeof *s);
    CHECK(s);
    return s;
}

static double estimate(const xy_sketch *s) {
    double m = XY_SKETCH_REGISTERS, sum = 0, empty = 0;
    for (int i = 0; i < XY_SKETCH_REGISTERS; i++) {
        sum += ldexp(1, -s->registers[i]);
        empty += s->registers[i] == 0;
    }
    double raw = 0.7213 / (1 + 1.079 / m) * m * m / sum;
    return raw <= 2.5 * m && empty > 0 ? m * log(m / empty) : raw;
}

static void integers(int32_t different) {
    xy_sketch *whole = fresh(), *pieces = fresh();
    enum { N = 200000 };
    int32_t *x = malloc(N * sizeof *x);
    CHECK(x);
    for (int32_t i = 0; i < N; i++)
        x[i] = (i % different) * 7 - 21;
    xy_sketch_add_numbers(whole, XY_I32, (const uint8_t *)x, N * sizeof *x);
    for (size_t at = 0, n = 1; at < N; at += n, n = n * 2 + 1)
        xy_sketch_add_numbers(pieces, XY_I32, (const uint8_t *)(x + at),
                              4 * (N - at < n ? N - at : n));
    CHECK(whole->hash == pieces->hash && whole->items == N && pieces->items == N);
    CHECK(whole->distinct == (different <= XY_SKETCH_EXACT ? different : -1));
    CHECK(pieces->distinct == whole->distinct && whole->zeros == pieces->zeros);
    CHECK(memcmp(whole->registers, pieces->registers, sizeof whole->registers) == 0);
    double guess = estimate(whole);
    CHECK(fabs(guess / different - 1) < 0.03, "%g, not %d", guess, different);
    free(x);
    free(whole);
    free(pieces);
}

static void floats(void) {
    const double x[] = {0.0, -0.0, NAN, -NAN, 1.5, INFINITY, 1.5};
    float y[7];
    for (int i = 0; i < 7; i++)
        y[i] = (float)x[i];
    xy_sketch *a = fresh(), *b = fresh();
    xy_sketch_add_numbers(a, XY_F64, (const uint8_t *)x, sizeof x);
    xy_sketch_add_numbers(b, XY_F32, (const uint8_t *)y, sizeof y);
    CHECK(a->distinct == 4 && a->zeros == 2 && a->summary.nans == 2 && a->summary.infinities == 1);
    CHECK(a->hash == b->hash);
    free(a);
    free(b);
}

static void texts(void) {
    const char text[] = "aaabbb the same beginning and then another";
    const uint32_t offsets[] = {0, 3, 3, 6, 6, 42}, other[] = {0, 3, 6, 6, 6, 42};
    xy_sketch *a = fresh(), *b = fresh();
    xy_sketch_add_texts(a, (const uint8_t *)offsets, 5, (const uint8_t *)text, 42);
    xy_sketch_add_texts(b, (const uint8_t *)other, 5, (const uint8_t *)text, 42);
    CHECK(a->distinct == 4 && a->items == 5 && a->zeros == 2);
    CHECK(b->distinct == 4 && a->hash != b->hash);
    xy_sketch_add_lengths(a, (const uint8_t *)offsets, 5);
    xy_sketch_add_lengths(b, (const uint8_t *)other, 5);
    CHECK(a->lengths != b->lengths && a->groups == 5);
    free(a);
    free(b);
}

int main(void) {
    for (int32_t different = 1; different < 200000; different = different * 5 + 1)
        integers(different);
    integers(XY_SKETCH_EXACT);
    integers(XY_SKETCH_EXACT + 1);
    floats();
    texts();
    return 0;
}
