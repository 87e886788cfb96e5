/* Summaries and bins whose values follow from arithmetic by hand, or that ROOT 6.40 gave
 * (TAxis::FindFixBin). test_summary_reference.c compares many random values. */
#include "support/check.h"

#include "../src/compute/histogram.h"
#include "../src/streamer/tape.h"

#include <math.h>
#include <string.h>

static void add(xy_summary *s, const double *x, size_t n) {
    xy_summary_add(s, XY_F64, (const uint8_t *)x, 8 * n);
}

static bool is_near(double got, double want) {
    return fabs(got - want) <= 1e-13 * fabs(want);
}

/* One value differs from n - 1 others, at each position of a block of any length. */
static void every_position(void) {
    static const double odd[] = {10.5, -4, 2.25, 3};
    for (size_t n = 1; n <= 40; n++) {
        for (size_t at = 0; at < n; at++) {
            double x[40];
            for (size_t i = 0; i < n; i++)
                x[i] = 3;
            for (size_t k = 0; k < 4; k++) {
                x[at] = odd[k];
                xy_summary s = {0};
                add(&s, x, n);
                double others = (double)n - 1, d = odd[k] - 3;
                CHECK(s.values == (double)n && s.nans == 0 && s.infinities == 0);
                CHECK(s.min == (n > 1 && odd[k] > 3 ? 3 : odd[k]), "%zu of %zu", at, n);
                CHECK(s.max == (n > 1 && odd[k] < 3 ? 3 : odd[k]), "%zu of %zu", at, n);
                CHECK(s.sum == 3 * others + odd[k], "%zu of %zu", at, n);
                CHECK(is_near(s.deviation, d * d * others / (double)n), "%zu of %zu", at, n);
                CHECK((s.integers == 1) == (odd[k] == rint(odd[k])), "%zu of %zu", at, n);
            }
            static const double special[] = {NAN, INFINITY, -INFINITY};
            for (size_t k = 0; k < 3; k++) {
                x[at] = special[k];
                xy_summary s = {0};
                add(&s, x, n);
                CHECK(s.values == (double)n - 1 && s.sum == 3 * s.values && s.deviation == 0);
                CHECK(s.nans == (k == 0) && s.infinities == (k > 0));
                if (n > 1) CHECK(s.min == 3 && s.max == 3 && s.integers == 1);
            }
        }
    }
}

/* 1, 2, 3 and then 7: the mean is 13/4, and the squares around it sum up to 63 - 169/4. */
static void moments_of_parts(void) {
    xy_summary s = {0};
    add(&s, (const double[]){NAN, INFINITY}, 2);
    CHECK(s.values == 0 && s.nans == 1 && s.infinities == 1);
    add(&s, (const double[]){1, 2, 3}, 3);
    CHECK(s.nans == 1 && s.infinities == 1 && s.min == 1 && s.max == 3 && s.deviation == 2);
    add(&s, (const double[]){NAN, -INFINITY, NAN}, 3);
    CHECK(s.values == 3 && s.min == 1 && s.max == 3);
    add(&s, (const double[]){7}, 1);
    CHECK(s.values == 4 && s.sum == 13 && s.deviation == 20.75);
    CHECK(s.nans == 3 && s.infinities == 2 && s.min == 1 && s.max == 7);
    add(&s, (const double[]){-1}, 1);
    CHECK(s.min == -1 && s.max == 7 && s.sum == 12);
}

/* Once a value is not whole, the values are not all whole. */
static void wholeness_of_parts(void) {
    double whole[16], other[16];
    for (int i = 0; i < 16; i++) {
        whole[i] = i;
        other[i] = i + 0.5;
    }
    xy_summary s = {0};
    add(&s, whole, 16);
    CHECK(s.integers == 1);
    add(&s, whole, 16);
    CHECK(s.integers == 1);
    add(&s, other, 16);
    CHECK(s.integers == 0);
    add(&s, whole, 16);
    CHECK(s.integers == 0);
    float single[16];
    for (int i = 0; i < 16; i++)
        single[i] = (float)other[i];
    s = (xy_summary){0};
    xy_summary_add(&s, XY_F32, (const uint8_t *)single, sizeof single);
    CHECK(s.integers == 0 && s.sum == 128);
}

/* 1e16 + 1 is 1e16 in doubles: the carry keeps what is lost, whichever of the two is larger. */
static void carry_of_sums(void) {
    xy_summary s = {0};
    static const double values[] = {1e16, 1, -1e16, 1e16, 1, -1e16};
    for (size_t i = 0; i < 6; i++)
        add(&s, values + i, 1);
    CHECK(s.sum == 0 && s.carry == 2, "%g and %g", s.sum, s.carry);
    s = (xy_summary){0};
    add(&s, (const double[]){1}, 1);
    add(&s, (const double[]){1e16}, 1);
    add(&s, (const double[]){-1e16}, 1);
    CHECK(s.sum + s.carry == 1);
    s = (xy_summary){0};
    add(&s, (const double[]){1.5e308}, 1);
    add(&s, (const double[]){1.5e308}, 1);
    CHECK(isinf(s.sum) && s.carry == 0, "a sum beyond the range of a double leaves no carry");
}

static xy_fill_stats fill_column(double *counts, int32_t bins, double low, double high, int dtype,
                                 const void *data, size_t bytes) {
    xy_axis axis = {bins, low, high};
    xy_error err = {0};
    xy_grid grid;
    xy_fill_stats stats = {0};
    double *squares = calloc((size_t)bins + 2, 8);
    CHECK(squares && !xy_grid_make(&err, 1, false, &axis, &grid));
    xy_histogram_of_column(&grid, dtype, data, bytes, counts, squares, &stats);
    CHECK(memcmp(counts, squares, ((size_t)bins + 2) * 8) == 0);
    free(squares);
    return stats;
}

/* More values than one block has, so that the second begins where the first ends. */
static void several_blocks(void) {
    enum { N = 2500 };
    static int16_t x[N];
    for (int i = 0; i < N; i++)
        x[i] = (int16_t)(i - 1000);
    xy_summary s = {0};
    xy_summary_add(&s, XY_I16, (const uint8_t *)x, sizeof x);
    /* The sum of the squares around the mean of n consecutive numbers is n (n^2 - 1) / 12. */
    CHECK(s.values == N && s.min == -1000 && s.max == 1499 && s.sum == 623750 && s.integers == 1);
    CHECK(is_near(s.deviation, N * ((double)N * N - 1) / 12), "%.17g", s.deviation);
    double counts[27] = {0};
    xy_fill_stats stats = fill_column(counts, 25, -1000, 1500, XY_I16, x, sizeof x);
    CHECK(counts[0] == 0 && counts[26] == 0);
    for (int i = 1; i <= 25; i++)
        CHECK(counts[i] == 100, "bin %d: %g", i, counts[i]);
    CHECK(stats.weight == N && stats.fills == N && is_near(stats.axis[0].mean * N, 623750));
}

/* Equal points, with weights of 1 and others. */
static void points_are(int32_t bins, double low, double high, double *x, size_t n, int32_t want) {
    xy_axis axis = {bins, low, high};
    xy_error err = {0};
    xy_grid grid;
    double given[24], in = want >= 1 && want <= bins ? (double)n : 0;
    double *sums = calloc((size_t)bins + 2, 8), *squares = calloc((size_t)bins + 2, 8);
    CHECK(sums && squares && !xy_grid_make(&err, 1, false, &axis, &grid));
    xy_fill_stats stats = {0};
    xy_histogram_of_values(&grid, x, n, false, sums, squares, NULL, &stats);
    CHECK(sums[want] == (double)n && squares[want] == (double)n, "%.17g in %d of [%g, %g)", x[0],
          (int)bins, low, high);
    CHECK(stats.fills == (double)n && stats.weight == in && stats.weight2 == in);
    bool finite = isfinite(x[0]);
    CHECK(!finite || (stats.axis[0].min == x[0] && stats.axis[0].max == x[0]));
    CHECK(stats.axis[0].finite == (finite ? (double)n : 0), "%g", x[0]);
    for (size_t i = 0; i < n; i++) {
        given[i] = x[i];
        given[n + i] = 3;
    }
    xy_histogram_of_values(&grid, given, n, true, sums, squares, NULL, &stats);
    CHECK(sums[want] == 4 * (double)n && squares[want] == 10 * (double)n);
    CHECK(stats.fills == 2 * (double)n && stats.weight == 4 * in && stats.weight2 == 10 * in);
    /* Sums of larger values are beyond the range of a double. */
    bool small = fabs(x[0]) < 1e300;
    CHECK(in == 0 || !small || is_near(stats.axis[0].mean, x[0]), "%.17g", stats.axis[0].mean);
    free(sums);
    free(squares);
}

/* Values in range, outside of it and none at all, with their moments against plain sums. */
static void moments_of_points(void) {
    enum { N = 3000 };
    static double x[3 * N];
    long double sum[3] = {0}, square[3] = {0}, product = 0, inside = 0;
    for (size_t i = 0; i < N; i++) {
        x[i] = i % 7 == 0 ? NAN : i % 11 == 0 ? -INFINITY : sin((double)i) * 5;
        x[N + i] = cos((double)i * 3) * 4;
        x[2 * N + i] = 1;
    }
    for (int weighted = 0; weighted < 2; weighted++) {
        xy_axis axes[2] = {{10, -4, 4.5}, {6, -3, 5}};
        xy_error err = {0};
        xy_grid grid;
        double sums[12 * 8] = {0}, squares[12 * 8] = {0}, want[12 * 8] = {0}, filled = 0;
        CHECK(!xy_grid_make(&err, 2, false, axes, &grid));
        xy_fill_stats s = {0};
        xy_histogram_of_values(&grid, x, N, weighted, sums, squares, NULL, &s);
        memset(sum, 0, sizeof sum);
        memset(square, 0, sizeof square);
        product = inside = 0;
        for (size_t i = 0; i < N; i++) {
            double bx = xy_find_bin(10, -4, 4.5, grid.width[0], x[i]);
            double by = xy_find_bin(6, -3, 5, grid.width[1], x[N + i]);
            want[(size_t)bx + 12 * (size_t)by] += x[2 * N + i];
            if (bx < 1 || bx > 10 || by < 1 || by > 6) continue;
            inside += 1;
            for (int k = 0; k < 2; k++) {
                sum[k] += x[(size_t)k * N + i];
                square[k] += (long double)x[(size_t)k * N + i] * x[(size_t)k * N + i];
            }
            product += (long double)x[i] * x[N + i];
        }
        for (size_t i = 0; i < 12 * 8; i++) {
            CHECK(sums[i] == want[i] && squares[i] == want[i], "cell %zu", i);
            filled += sums[i];
        }
        CHECK(filled == N && s.fills == N && s.weight == (double)inside && inside > 1000);
        CHECK(s.nans == (N + 6) / 7 && s.axis[1].finite == N);
        for (int k = 0; k < 2; k++) {
            CHECK(fabsl(s.axis[k].mean - sum[k] / inside) < 1e-14L, "mean %d", k);
            long double deviation = square[k] - sum[k] * sum[k] / inside;
            CHECK(fabsl(s.axis[k].deviation - deviation) < 1e-11L * deviation, "deviation %d", k);
        }
        CHECK(fabsl(s.codeviation - (product - sum[0] * sum[1] / inside)) < 1e-9L);
    }
}

/* Weights of both signs, whose sum is 0 in each block, and among all until the last point: the
 * moments are those of plain sums. */
static void moments_of_both_signs(void) {
    enum { N = 4 * XY_H_POINTS + 1 };
    static double x[3 * N];
    long double weight = 0, first[2] = {0}, square = 0, product = 0;
    for (size_t i = 0; i < N; i++) {
        x[i] = sin((double)i) * 5;
        x[N + i] = x[i] + cos((double)i * 3);
        x[2 * N + i] = i == N - 1 ? 4 : i % 2 == 0 ? 0.5 : -0.5;
        weight += x[2 * N + i];
        for (int k = 0; k < 2; k++)
            first[k] += x[2 * N + i] * (long double)x[(size_t)k * N + i];
        square += x[2 * N + i] * (long double)x[i] * x[i];
        product += x[2 * N + i] * (long double)x[i] * x[N + i];
    }
    xy_axis axes[2] = {{10, -10, 10}, {6, -10, 10}};
    xy_error err = {0};
    xy_grid grid;
    double sums[12 * 8] = {0}, squares[12 * 8] = {0};
    CHECK(!xy_grid_make(&err, 2, false, axes, &grid));
    xy_fill_stats s = {0};
    xy_histogram_of_values(&grid, x, N, true, sums, squares, NULL, &s);
    CHECK(s.weight == 4 && s.size == 4 + N / 2);
    long double mean[2];
    for (int k = 0; k < 2; k++) {
        mean[k] = s.axis[k].mean + (long double)s.axis[k].first / s.weight;
        CHECK(fabsl(mean[k] - first[k] / weight) < 1e-11L, "mean %d: %Lg", k, mean[k]);
    }
    long double around =
        s.axis[0].deviation - (long double)s.axis[0].first * s.axis[0].first / s.weight;
    CHECK(fabsl(around - (square - first[0] * first[0] / weight)) < 1e-9L);
    long double both = s.codeviation - (long double)s.axis[0].first * s.axis[1].first / s.weight;
    CHECK(fabsl(both - (product - first[0] * first[1] / weight)) < 1e-9L);
}

/* The bin of a value, from which filling with enough of its equals must not differ. */
static void bin_is(int32_t bins, double low, double high, double v, int32_t want) {
    double width = (high - low) / bins;
    int32_t bin = (int32_t)xy_find_bin(bins, low, high, width, v);
    CHECK(bin == want, "%.17g in %d of [%g, %g): %d, not %d", v, (int)bins, low, high, (int)bin,
          (int)want);
    for (size_t n = 1; n <= 12; n += 11) {
        double x[12], *counts = calloc((size_t)bins + 3, 8);
        CHECK(counts);
        for (size_t i = 0; i < n; i++)
            x[i] = v;
        xy_fill_stats stats = fill_column(counts, bins, low, high, XY_F64, x, 8 * n);
        CHECK(counts[want] == (double)n, "%.17g in %d of [%g, %g): filled elsewhere", v, (int)bins,
              low, high);
        bool in = want >= 1 && want <= bins;
        CHECK(stats.weight == (in ? (double)n : 0) && stats.fills == (double)n);
        points_are(bins, low, high, x, n, want);
        free(counts);
    }
}

static void bins(void) {
    bin_is(4, 0, 8, -1, 0);
    bin_is(4, 0, 8, -5e-324, 0);
    bin_is(4, 0, 8, 0, 1);
    bin_is(4, 0, 8, 1.99, 1);
    bin_is(4, 0, 8, 2, 2);
    bin_is(4, 0, 8, 7.99, 4);
    bin_is(4, 0, 8, 8, 5);
    bin_is(4, 0, 8, 1e300, 5);
    bin_is(4, -8, 0, -2.5, 3);
    CHECK(xy_find_bin(4, 0, 8, 2, NAN) == 5 && xy_find_bin(4, 0, 8, 2, INFINITY) == 5);
    CHECK(xy_find_bin(4, 0, 8, 2, -INFINITY) == 0);
    /* Where rounding puts a value on the wrong side of an edge; by ROOT. */
    bin_is(3, -1.5, 3.3, 0x1.999999999998fp-4, 1);
    bin_is(7, -1.5, 3.3, -0x1.0750750750751p-3, 2);
    bin_is(7, -1.5, 3.3, 0x1.4ea0ea0ea0e9fp+1, 6);
    bin_is(7, 0, 1, 0x1.6db6db6db6db6p-1, 6);
    bin_is(10, 0.1, 0.7, 0x1.5c28f5c28f5c2p-2, 5);
    bin_is(49, 0, 1, 0x1.4e5e0a72f0539p-6, 2);
    bin_is(49, 0, 1, 0x1.fffffffffffffp-1, 50);
    bin_is(49, 0, 6.3, 0x1.9333333333332p+2, 50);
    bin_is(10, 0.1, 1, 0x1.fffffffffffffp-1, 11);
    /* bins * (v - low) is beyond the range of a double, or high - low is. */
    bin_is(100000, 0, 1.79e308, 1e308, 55866);
    bin_is(4, -1.7e308, 1.7e308, -1e308, 1);
    bin_is(4, -1.7e308, 1.7e308, -1.7e308, 1);
    bin_is(4, -1.7e308, 1.7e308, 0, 3);
    bin_is(4, -1.7e308, 1.7e308, 1e308, 4);
    bin_is(4, -1.7e308, 1.7e308, nextafter(1.7e308, 0), 4);
    bin_is(4, -1.7e308, 1.7e308, 1.7e308, 5);
}

/* On axes with narrow bins, filling a whole block at once gives the bins that each value has. */
static void fill_agrees(int32_t bins, double low, double high) {
    enum { N = 24 };
    double x[N], want[256] = {0}, counts[256] = {0}, width = (high - low) / bins;
    size_t n = 0;
    for (double v = low; n < N && v < high; v = nextafter(v, INFINITY))
        x[n++] = v;
    for (size_t i = 0; i < n; i++)
        want[(size_t)xy_find_bin(bins, low, high, width, x[i])]++;
    fill_column(counts, bins, low, high, XY_F64, x, 8 * n);
    CHECK(memcmp(counts, want, sizeof want) == 0, "%d in [%.17g, %.17g)", (int)bins, low, high);
}

static void narrow_bins(void) {
    for (int32_t k = 1; k < 250; k++) {
        fill_agrees(k, 1e9, 1e9 + 1e-6);
        fill_agrees(k, -1e9, -1e9 + 1e-6);
        fill_agrees(k, 1, 1 + 0x1p-48);
        fill_agrees(k, 0, 30 * 5e-324);
        fill_agrees(k, -10 * 5e-324, 10 * 5e-324);
    }
}

/* One value above, below or without a place among values that are in bins. */
static void mixed_blocks(void) {
    static const struct {
        double odd;
        int cell;
    } cases[] = {{-0.5, 0}, {4, 5}, {1e308, 5}, {INFINITY, 5}, {-INFINITY, 0}, {NAN, 5}};
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        double x[20], counts[6] = {0}, odd = cases[c].odd;
        for (int i = 0; i < 20; i++)
            x[i] = i % 4 + 0.25;
        x[7] = odd; /* in place of 3.25 */
        xy_fill_stats s = fill_column(counts, 4, 0, 4, XY_F64, x, sizeof x);
        double want[6] = {0, 5, 5, 5, 4};
        want[cases[c].cell]++;
        CHECK(memcmp(counts, want, sizeof want) == 0, "with %g", odd);
        CHECK(s.weight == 19 && s.weight2 == 19 && s.axis[0].mean == 31.75 / 19);
        CHECK(s.fills == 20 && s.nans == isnan(odd) &&
              s.axis[0].finite == (isfinite(odd) ? 20 : 19));
        CHECK(s.axis[0].min == (isfinite(odd) && odd < 0 ? odd : 0.25));
        CHECK(s.axis[0].max == (isfinite(odd) && odd > 0 ? odd : 3.25));
    }
}

int main(void) {
    every_position();
    moments_of_parts();
    wholeness_of_parts();
    carry_of_sums();
    several_blocks();
    bins();
    moments_of_points();
    moments_of_both_signs();
    narrow_bins();
    mixed_blocks();
    return 0;
}
