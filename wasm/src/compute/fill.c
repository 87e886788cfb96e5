#include "fill.h"

#include "../streamer/tape.h"
#include "numbers.h"

#include <math.h>
#include <string.h>

#ifdef __wasm_simd128__
#include <wasm_simd128.h>
#endif

enum { BLOCK = 1024 };

/* Adds to a sum of doubles; the carry collects the rounding errors. */
static void add_exactly(double *sum, double *carry, double v) {
    double total = *sum + v;
    if (isfinite(total)) *carry += fabs(*sum) >= fabs(v) ? (*sum - total) + v : (v - total) + *sum;
    *sum = total;
}

void xy_summary_merge(xy_summary *s, const xy_summary *b) {
    s->nans += b->nans;
    s->infinities += b->infinities;
    if (b->values == 0) return;
    if (s->values == 0) {
        double nans = s->nans, infinities = s->infinities;
        *s = *b;
        s->nans = nans;
        s->infinities = infinities;
        return;
    }
    double delta = b->sum / b->values - s->sum / s->values;
    double n = s->values + b->values;
    s->deviation += b->deviation + delta * delta * (s->values * b->values / n);
    add_exactly(&s->sum, &s->carry, b->sum);
    s->values = n;
    if (b->min < s->min) s->min = b->min;
    if (b->max > s->max) s->max = b->max;
    if (b->integers == 0) s->integers = 0;
}

/* Values that are not all finite: one by one. */
static xy_summary summarize_mixed(const double *x, size_t n) {
    xy_summary b = {.integers = 1, .min = INFINITY, .max = -INFINITY};
    for (size_t i = 0; i < n; i++) {
        double v = x[i];
        if (!isfinite(v)) {
            if (isnan(v))
                b.nans++;
            else
                b.infinities++;
            continue;
        }
        b.values++;
        b.sum += v;
        if (v < b.min) b.min = v;
        if (v > b.max) b.max = v;
        if (v != rint(v)) b.integers = 0;
    }
    double mean = b.sum / b.values;
    for (size_t i = 0; i < n; i++) {
        double d = x[i] - mean;
        if (isfinite(x[i])) b.deviation += d * d;
    }
    return b;
}

/* Two SIMD lanes; four of these vectors hide the latency of an addition. */
typedef double lanes __attribute__((vector_size(16)));
typedef long long lane_mask __attribute__((vector_size(16)));

static lanes load(const double *x) {
    lanes v;
    memcpy(&v, x, sizeof v);
    return v;
}

/* `v` when it is smaller (larger), else `than`; compilers do not find the single instruction for
 * it. */
#ifdef __wasm_simd128__
static lanes smaller(lanes v, lanes than) {
    return (lanes)wasm_f64x2_pmin((v128_t)than, (v128_t)v);
}
static lanes larger(lanes v, lanes than) {
    return (lanes)wasm_f64x2_pmax((v128_t)than, (v128_t)v);
}
static lanes rounded(lanes v) {
    return (lanes)wasm_f64x2_nearest((v128_t)v);
}
#else
static lanes smaller(lanes v, lanes than) {
    return (lanes){v[0] < than[0] ? v[0] : than[0], v[1] < than[1] ? v[1] : than[1]};
}
static lanes larger(lanes v, lanes than) {
    return (lanes){v[0] > than[0] ? v[0] : than[0], v[1] > than[1] ? v[1] : than[1]};
}
static lanes rounded(lanes v) {
    return (lanes){rint(v[0]), rint(v[1])};
}
#endif

/* Whether all of these finite numbers are whole; the search ends at some that are not. */
static bool whole_numbers(const double *x, size_t n) {
    size_t i = 0;
    for (; i + 8 <= n; i += 8) {
        lane_mask off = {0};
        for (int k = 0; k < 4; k++) {
            lanes v = load(x + i + 2 * k);
            off |= (lane_mask)(v != rounded(v));
        }
        if (off[0] | off[1]) return false;
    }
    for (; i < n; i++)
        if (x[i] != rint(x[i])) return false;
    return true;
}

/* Whether the values of a block are whole numbers: known, or still to be found out. */
typedef enum { NOT_ALL_WHOLE, MAYBE_WHOLE, ALL_WHOLE } wholeness;

static xy_summary summarize_block(const double *x, size_t n, wholeness whole) {
    if (n < 8) return summarize_mixed(x, n);
    lanes sum[4] = {{0}}, min[4], max[4];
    for (int k = 0; k < 4; k++)
        min[k] = max[k] = load(x);
    size_t i = 0;
    for (; i + 8 <= n; i += 8) {
        for (int k = 0; k < 4; k++) {
            lanes v = load(x + i + 2 * k);
            sum[k] += v;
            min[k] = smaller(v, min[k]);
            max[k] = larger(v, max[k]);
        }
    }
    xy_summary b = {.values = (double)n, .min = min[0][0], .max = max[0][0]};
    for (int k = 0; k < 4; k++) {
        for (int l = 0; l < 2; l++) {
            b.sum += sum[k][l];
            if (min[k][l] < b.min) b.min = min[k][l];
            if (max[k][l] > b.max) b.max = max[k][l];
        }
    }
    for (; i < n; i++) {
        b.sum += x[i];
        if (x[i] < b.min) b.min = x[i];
        if (x[i] > b.max) b.max = x[i];
    }
    /* A sum that is not finite never becomes finite again. */
    if (!isfinite(b.sum)) return summarize_mixed(x, n);
    double mean = b.sum / (double)n;
    lanes squares[4] = {{0}};
    for (i = 0; i + 8 <= n; i += 8) {
        for (int k = 0; k < 4; k++) {
            lanes d = load(x + i + 2 * k) - mean;
            squares[k] += d * d;
        }
    }
    for (int k = 0; k < 4; k++)
        b.deviation += squares[k][0] + squares[k][1];
    for (; i < n; i++)
        b.deviation += (x[i] - mean) * (x[i] - mean);
    b.integers = whole == ALL_WHOLE || (whole == MAYBE_WHOLE && whole_numbers(x, n));
    return b;
}

xy_summary xy_summary_of(const double *x, size_t n) {
    return summarize_block(x, n, NOT_ALL_WHOLE);
}

/* Whether further values of a type still have to be tested for being whole. */
static wholeness wholeness_of(const xy_summary *s, int dtype) {
    if (dtype != XY_F32 && dtype != XY_F64) return ALL_WHOLE;
    return s->values == 0 || s->integers != 0 ? MAYBE_WHOLE : NOT_ALL_WHOLE;
}

xy_summary xy_summary_take(xy_summary *all, double *x, int dtype, const uint8_t *data, size_t n) {
    xy_widen(x, dtype, data, n);
    xy_summary b = summarize_block(x, n, wholeness_of(all, dtype));
    xy_summary_merge(all, &b);
    return b;
}

void xy_summary_add(xy_summary *s, int dtype, const uint8_t *data, size_t bytes) {
    double x[BLOCK];
    size_t size = xy_dtype_size(dtype), n = bytes / size;
    for (size_t i = 0; i < n; i += BLOCK) {
        xy_summary_take(s, x, dtype, data + i * size, n - i < BLOCK ? n - i : BLOCK);
    }
}

/* bins * (v - low) / (high - low), also where the differences are beyond what a double holds. */
static double position(double bins, double low, double high, double v) {
    double range = high - low, scaled = bins * (v - low);
    if (isfinite(range) && isfinite(scaled)) return scaled / range;
    return bins * ((v / 2 - low / 2) / (high / 2 - low / 2));
}

double xy_find_bin(double bins, double low, double high, double width, double v) {
    if (v < low) return 0;
    if (!(v < high)) return bins + 1;
    double bin = trunc(position(bins, low, high, v));
    if (!isfinite(width)) return bin < bins ? 1 + bin : bins;
    if (v < low + bin * width) return bin;
    return v >= low + (bin + 1) * width ? bin + 2 : bin + 1;
}

bool xy_is_ordinary(double bins, double low, double high) {
    double most = fabs(low) > fabs(high) ? fabs(low) : fabs(high), width = (high - low) / bins;
    return isfinite(bins * (high - low)) && width > most * 0x1p-40 && width > 0x1p-900;
}
