/* Summaries and histograms against plain sums in long double, of all types, with NaN, infinities
 * and values far from zero, added in pieces. */
#include "support/check.h"
#include "support/encode.h"

#include "../src/compute/histogram.h"
#include "../src/streamer/tape.h"

#include <math.h>
#include <string.h>

static void compare(const double *x, size_t n, double offset) {
    long double sum = 0, square = 0;
    double min = INFINITY, max = -INFINITY, nans = 0, infinities = 0, values = 0;
    for (size_t i = 0; i < n; i++) {
        if (isnan(x[i]))
            nans++;
        else if (isinf(x[i]))
            infinities++;
        else {
            values++;
            sum += x[i];
            if (x[i] < min) min = x[i];
            if (x[i] > max) max = x[i];
        }
    }
    long double mean = values > 0 ? sum / values : 0;
    for (size_t i = 0; i < n; i++)
        if (isfinite(x[i])) square += (x[i] - mean) * (x[i] - mean);
    for (size_t piece = 1; piece <= n; piece = piece * 3 + 1) {
        xy_summary s = {0};
        for (size_t i = 0; i < n; i += piece)
            xy_summary_add(&s, XY_F64, (const uint8_t *)(x + i),
                           8 * (n - i < piece ? n - i : piece));
        CHECK(s.values == values && s.nans == nans && s.infinities == infinities);
        if (values == 0) continue;
        CHECK(s.min == min && s.max == max);
        CHECK(fabsl(s.sum - sum) <= 1e-12L * (fabsl(sum) + 1), "sum %.17g", s.sum);
        long double tolerance = 1e-9L * (square + 1) + 1e-22L * offset * offset * values;
        CHECK(fabsl(s.deviation - square) <= tolerance, "deviation %.17g, not %.17Lg", s.deviation,
              square);
    }
}

static void fill(const double *x, size_t n, int32_t bins, double low, double high) {
    double *counts = calloc((size_t)bins + 2, 8), *want = calloc((size_t)bins + 2, 8);
    double *squares = calloc((size_t)bins + 2, 8);
    xy_axis axis = {bins, low, high};
    xy_error err = {0};
    xy_grid grid;
    xy_fill_stats stats = {0};
    CHECK(counts && want && squares && !xy_grid_make(&err, 1, false, &axis, &grid));
    xy_histogram_of_column(&grid, XY_F64, (const uint8_t *)x, 8 * n, counts, squares, &stats);
    double in_range = 0;
    for (size_t i = 0; i < n; i++) {
        long double at = (long double)bins * ((long double)x[i] - low) / ((long double)high - low);
        int32_t bin = x[i] < low       ? 0
                      : !(x[i] < high) ? bins + 1
                                       : 1 + (int32_t)(at < bins ? at : bins - 1);
        want[bin]++;
        in_range += bin > 0 && bin <= bins;
    }
    double total = 0;
    for (int32_t i = 0; i < bins + 2; i++) {
        total += counts[i];
        /* At a bin's very edge doubles and long doubles may differ. */
        CHECK(fabs(counts[i] - want[i]) <= 1, "bin %d of %d in [%g, %g): %g, not %g", (int)i,
              (int)bins, low, high, counts[i], want[i]);
    }
    CHECK(total == (double)n && stats.weight == in_range);
    free(counts);
    free(squares);
    free(want);
}

static void every_type(void) {
    static const int types[] = {XY_BOOL, XY_I8,  XY_U8,  XY_I16, XY_U16, XY_I32,
                                XY_U32,  XY_I64, XY_U64, XY_F32, XY_F64};
    for (size_t t = 0; t < sizeof types / sizeof *types; t++) {
        size_t size = xy_dtype_size(types[t]);
        uint8_t *data = malloc(1 + 3 * size); /* at an odd address */
        CHECK(data);
        for (int k = 0; k < 3; k++) {
            uint64_t whole = (uint64_t)k % 2;
            float f = (float)whole;
            double d = (double)whole;
            const void *from = types[t] == XY_F32   ? (const void *)&f
                               : types[t] == XY_F64 ? (const void *)&d
                                                    : (const void *)&whole;
            memcpy(data + 1 + size * (size_t)k, from, size);
        }
        xy_summary s = {0};
        xy_summary_add(&s, types[t], data + 1, 3 * size);
        CHECK(s.values == 3 && s.sum == 1 && s.min == 0 && s.max == 1 && s.integers == 1, "type %d",
              types[t]);
        free(data);
    }
}

int main(void) {
    enum { N = 5000 };
    static double x[N];
    uint32_t seed = 9;
    static const double offsets[] = {0, 1, -1e6, 1e9};
    for (size_t o = 0; o < 4; o++) {
        for (size_t i = 0; i < N; i++)
            x[i] = offsets[o] + (double)next_random(&seed) / 16777216.0;
        compare(x, N, offsets[o]);
        fill(x, N, 100, offsets[o], offsets[o] + 1);
        fill(x, N, 7, offsets[o] + 0.25, offsets[o] + 0.5);
        x[17] = NAN;
        x[18] = INFINITY;
        x[N - 1] = -INFINITY;
        compare(x, N, offsets[o]);
        fill(x, N, 1, offsets[o], offsets[o] + 1);
    }
    compare(x + 17, 1, 0);
    /* The difference of the edges, or of value and edge times bins, is beyond a double. */
    static const double large[] = {-1.7e308, -1e308, 0, 1e308, 1.7e308, 1.79e308, NAN, INFINITY};
    fill(large, 8, 100, -1.79e308, 1.79e308);
    fill(large, 8, 100000, 0, 1.79e308);
    fill(large, 8, 3, 1e308, 1.7e308);
    static const double small[] = {0, 5e-324, 1e-323, -5e-324};
    fill(small, 4, 2, 0, 1e-323);
    every_type();
    return 0;
}
