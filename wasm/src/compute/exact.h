/* Sums of doubles without rounding. */
#ifndef XY_EXACT_H
#define XY_EXACT_H

#include "../buffer.h"

#include <math.h>

/* Sum i is high[i] + low[i] + the terms of `rest` for i, all added without rounding. `rest`
 * contains pairs of doubles: the index of a sum, and a term. It has the part that two doubles
 * cannot represent, and terms so large that a sum of 2^53 of them might overflow. If a term is not
 * finite, high[i] is the sum of all such terms. */
typedef struct {
    double *high, *low;
    xy_buffer *rest;
} xy_exact;

static inline void xy_exact_keep(xy_exact *e, size_t i, double v) {
    double pair[2] = {(double)i, v};
    xy_append(e->rest, pair, sizeof pair);
}

/* Adds two doubles; `error` is the rounding error of the sum (Knuth's TwoSum, which is exact). */
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
    /* Always true when integers are counted. */
    if (error == 0) return;
    e->low[i] = xy_two_sum(e->low[i], error, &lost);
    if (lost == 0) return;
    if (isfinite(e->high[i]))
        xy_exact_keep(e, i, lost);
    else
        e->low[i] = 0;
}

/* Adds 1. Most sums count fills; they are integers, to which 1 can be added exactly. */
static inline void xy_exact_add_one(xy_exact *e, size_t i) {
    double sum = e->high[i] + 1;
    if (sum >= 1 && sum <= 0x1p53 && sum - 1 == e->high[i])
        e->high[i] = sum;
    else
        xy_exact_add(e, i, 1);
}

/* Adds n terms to sum i. Four partial sums are computed in parallel, because each step of one waits
 * for its previous step. */
static inline void xy_exact_add_all(xy_exact *e, size_t i, const double *v, size_t n) {
    enum { LANES = 4 };
    double high[LANES] = {0}, low[LANES] = {0}, lost[LANES];
    double largest = 0;
    bool finite = true;
    for (size_t k = 0; k < n; k++) {
        double size = fabs(v[k]);
        largest = size > largest ? size : largest;
        finite &= size < INFINITY;
    }
    size_t k = 0;
    for (; finite && largest < 0x1p900 && n - k >= LANES; k += LANES) {
        for (int l = 0; l < LANES; l++) {
            double error;
            high[l] = xy_two_sum(high[l], v[k + (size_t)l], &error);
            low[l] = xy_two_sum(low[l], error, &lost[l]);
        }
        if (lost[0] == 0 && lost[1] == 0 && lost[2] == 0 && lost[3] == 0) continue;
        for (int l = 0; l < LANES; l++)
            if (lost[l] != 0) xy_exact_keep(e, i, lost[l]);
    }
    for (int l = 0; l < LANES; l++) {
        xy_exact_add(e, i, high[l]);
        xy_exact_add(e, i, low[l]);
    }
    for (; k < n; k++)
        xy_exact_add(e, i, v[k]);
}

#endif
