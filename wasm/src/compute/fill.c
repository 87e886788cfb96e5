#include "fill.h"

#include "../streamer/tape.h"

#include <math.h>
#include <string.h>

enum { BLOCK = 1024 };

/* Up to BLOCK numbers as doubles. */
static void widen(double *out, int dtype, const uint8_t *data, size_t n) {
#define EACH(type)                                                                                 \
    for (size_t i = 0; i < n; i++) {                                                               \
        type v;                                                                                    \
        memcpy(&v, data + i * sizeof v, sizeof v);                                                 \
        out[i] = (double)v;                                                                        \
    }                                                                                              \
    break
    switch (dtype) {
    case XY_I8: EACH(int8_t);
    case XY_I16: EACH(int16_t);
    case XY_U16: EACH(uint16_t);
    case XY_I32: EACH(int32_t);
    case XY_U32: EACH(uint32_t);
    case XY_I64: EACH(int64_t);
    case XY_U64: EACH(uint64_t);
    case XY_F32: EACH(float);
    case XY_F64: memcpy(out, data, n * 8); break;
    default: EACH(uint8_t);
    }
#undef EACH
}

static void merge(xy_summary *s, const xy_summary *b) {
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
    s->sum += b->sum;
    s->values = n;
    if (b->min < s->min) s->min = b->min;
    if (b->max > s->max) s->max = b->max;
    if (b->integers == 0) s->integers = 0;
}

static xy_summary summarize_block(const double *x, size_t n) {
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
    if (b.values == 0) return b;
    double mean = b.sum / b.values;
    for (size_t i = 0; i < n; i++) {
        double d = x[i] - mean;
        if (isfinite(x[i])) b.deviation += d * d;
    }
    return b;
}

void xy_summary_add(xy_summary *s, int dtype, const uint8_t *data, size_t bytes) {
    double x[BLOCK];
    size_t size = xy_dtype_size(dtype), n = bytes / size;
    for (size_t i = 0; i < n; i += BLOCK) {
        size_t m = n - i < BLOCK ? n - i : BLOCK;
        widen(x, dtype, data + i * size, m);
        xy_summary b = summarize_block(x, m);
        merge(s, &b);
    }
}

/* bins * (v - low) / (high - low), also where the differences are beyond what a double holds. */
static double position(int32_t bins, double low, double high, double v) {
    double range = high - low, scaled = bins * (v - low);
    if (isfinite(range) && isfinite(scaled)) return scaled / range;
    return bins * ((v / 2 - low / 2) / (high / 2 - low / 2));
}

void xy_fill_add(double *counts, xy_summary *inside, int32_t bins, double low, double high,
                 int dtype, const uint8_t *data, size_t bytes) {
    double x[BLOCK];
    size_t size = xy_dtype_size(dtype), n = bytes / size;
    for (size_t i = 0; i < n; i += BLOCK) {
        size_t m = n - i < BLOCK ? n - i : BLOCK, kept = 0;
        widen(x, dtype, data + i * size, m);
        for (size_t k = 0; k < m; k++) {
            double v = x[k];
            int32_t bin;
            if (v < low) {
                bin = 0;
            } else if (v >= high) {
                bin = bins + 1;
            } else if (v == v) {
                double at = position(bins, low, high, v);
                bin = at < bins ? 1 + (int32_t)at : bins; /* rounding just below the upper edge */
                x[kept++] = v;
            } else {
                bin = bins + 2;
            }
            counts[bin]++;
        }
        xy_summary b = summarize_block(x, kept);
        merge(inside, &b);
    }
}
