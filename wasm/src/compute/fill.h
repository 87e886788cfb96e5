/* Summaries and histograms of runs of numbers. */
#ifndef XY_FILL_H
#define XY_FILL_H

#include <stddef.h>
#include <stdint.h>

/* Moments are merged block by block (Chan, Golub and LeVeque's pairwise update), so the variance of
 * 10^8 values far from zero keeps its digits. Infinities count as values outside of the moments. */
typedef struct {
    double values; /* finite ones */
    double nans;
    double min, max;
    double sum;
    double deviation; /* sum of squared deviations from the mean */
    double integers;  /* 1 while all finite values are whole numbers */
    double infinities;
    double carry; /* what `sum` has lost to rounding, to be added to it at the end (Neumaier) */
} xy_summary;

/* Adds numbers of `dtype` (streamer/tape.h), unaligned, `bytes` long. */
void xy_summary_add(xy_summary *s, int dtype, const uint8_t *data, size_t bytes);

/* counts: underflow, `bins` bins over [low, high), overflow, NaN. A value v lies in bin
 * floor(bins * (v - low) / (high - low)), computed as ROOT's TAxis::FindBin does. `inside` sums up
 * the values in the range, `all` every value. */
void xy_fill_add(double *counts, xy_summary *inside, xy_summary *all, int32_t bins, double low,
                 double high, int dtype, const uint8_t *data, size_t bytes);

#endif
