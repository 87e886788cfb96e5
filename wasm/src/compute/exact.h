/* Sums of doubles without rounding. */
#ifndef XY_EXACT_H
#define XY_EXACT_H

#include "../buffer.h"

#include <math.h>

/* Sum i is high[i] + low[i] + the terms of `rest` for i, all added without rounding. `rest` has
 * pairs of doubles: the number of a sum, and a term. What two doubles cannot hold goes there, and
 * every finite term that is so large that a sum of 2^53 of them might overflow. With a term that is
 * not finite, high[i] is the sum of all such terms. */
typedef struct {
    double *high, *low;
    xy_buffer *rest;
} xy_exact;

static inline void xy_exact_keep(xy_exact *e, size_t i, double v) {
    double pair[2] = {(double)i, v};
    xy_append(e->rest, pair, sizeof pair);
}

/* Adds two doubles; `error` is what their sum lost by rounding (Knuth's TwoSum, which is exact). */
static inline double xy_two_sum(double a, double b, double *error) {
    double sum = a + b, part = sum - a;
    *error = (a - (sum - part)) + (b - part);
    return sum;
}

static inline void xy_exact_add(xy_exact *e, size_t i, double v) {
    if (fabs(v) >= 0x1p960 && isfinite(v)) {
        xy_exact_keep(e, i, v);
        return;
    }
    double error, lost;
    e->high[i] = xy_two_sum(e->high[i], v, &error);
    /* As always where whole numbers are counted. */
    if (error == 0) return;
    e->low[i] = xy_two_sum(e->low[i], error, &lost);
    if (lost == 0) return;
    if (isfinite(e->high[i]))
        xy_exact_keep(e, i, lost);
    else
        e->low[i] = 0;
}

#endif
