/* Summaries and histograms of runs of numbers. */
#ifndef XY_FILL_H
#define XY_FILL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Moments are combined block by block (pairwise update of Chan, Golub and LeVeque), so the variance
 * of 10^8 values far from zero keeps its digits. Infinities are not part of the moments. */
typedef struct {
    double values; /* finite ones */
    double nans;
    double min, max;
    double sum;
    double deviation; /* sum of squared deviations from the mean */
    double integers;  /* 1 as long as all finite values are integers */
    double infinities;
    double carry; /* rounding error of `sum`, to be added to it at the end (Neumaier) */
} xy_summary;

/* Adds another summary. */
void xy_summary_merge(xy_summary *s, const xy_summary *b);

/* Adds numbers of `dtype` (streamer/tape.h), unaligned, `bytes` long. */
void xy_summary_add(xy_summary *s, int dtype, const uint8_t *data, size_t bytes);

/* Summarizes a block of at most 1024 numbers, except for `integers`. */
xy_summary xy_summary_of(const double *x, size_t n);

/* Copies a block of at most 1024 numbers to `x` as doubles, and adds it to a summary. Returns the
 * summary of the block. */
xy_summary xy_summary_take(xy_summary *all, double *x, int dtype, const uint8_t *data, size_t n);

/* Whether the bins of an axis are much wider than the precision of a value, and no difference
 * exceeds the range of a double. If so, multiplying by a reciprocal gives the right bin or one next
 * to it. */
bool xy_is_ordinary(double bins, double low, double high);

/* Returns the bin of a value, as TAxis::FindFixBin does since ROOT 6.38: 1 + floor(bins * (v - low)
 * / (high - low)), corrected by one bin if rounding has put it on the wrong side of an edge low + k
 * * width, where width is (high - low) / bins. 0 is underflow, bins + 1 is overflow and NaN. */
double xy_find_bin(double bins, double low, double high, double width, double v);

#endif
