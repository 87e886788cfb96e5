/* Destinations of an expression's values: summaries, histograms, or the values themselves. */
#ifndef XY_EXPR_SINK_H
#define XY_EXPR_SINK_H

#include "exact.h"
#include "expr.h"
#include "fill.h"

enum { XY_H_DIMS = 3 };

typedef struct {
    double bins, low, high;
} xy_axis;

/* Statistics of filling, as TH1 keeps them: only values within the range of all axes count.
 * Moments are kept as means and deviations (Chan, Golub and LeVeque), so that merging loses no
 * digits. */
typedef struct {
    double fills;  /* values with a weight that is not 0, inside the range or not */
    double nans;   /* of these, values with a NaN coordinate; they count as overflow */
    double weight; /* sum of weights in the range */
    double weight2;
    struct {
        double mean, deviation;
        /* Finite values among all fills, also outside the range, and their ends; without any the
         * ends are 0. */
        double finite, min, max;
    } axis[XY_H_DIMS];
    double codeviation; /* of the first two coordinates */
    double entries;     /* entries of the tree of which at least one value passed */
} xy_fill_stats;

/* Fills all rows into a histogram. `sums` and `squares` (of weights) have (bins + 2) cells for
 * each axis, the first axis running fastest. In a profile the last coordinate is the averaged
 * one: then `sums` are sums of weight times value and `squares` of weight times value squared,
 * and `squares` goes on with two more runs of cells: sums of weights and of their squares. */
xy_status xy_query_histogram(xy_query *q, xy_error *err, int dims, bool profile,
                             const xy_axis *axes, double *sums, double *squares,
                             xy_fill_stats *stats);
/* As xy_query_histogram, with sums that do not depend on the order of the entries: the sums of a
 * cell as above, one run of cells after the other, then XY_H_MOMENTS sums over the points in
 * range: of weights, of their squares, for each of three coordinates of weight * d and weight * d
 * * d, where d is the distance from the middle of the axis (from 0 for the averaged coordinate of
 * a profile), and of weight * d0 * d1. Each term is a rounded double; their sums are exact. The
 * moments in `stats` stay zero. */
enum { XY_H_MOMENTS = 9 };
xy_status xy_query_exact(xy_query *q, xy_error *err, int dims, bool profile, const xy_axis *axes,
                         xy_exact *sums, xy_fill_stats *stats);
/* Adds each coordinate's values that pass to its summary. `entries` counts those with some. */
xy_status xy_query_range(xy_query *q, xy_error *err, xy_summary *summaries, double *entries);
/* Appends the values that pass: one buffer of doubles an output, then the weights. */
xy_status xy_query_flat(xy_query *q, xy_error *err, double *entries);
/* Appends entry by entry, for entries with any weight that is not 0: buffer 0 has their numbers,
 * then two buffers an output, counts (int32) and values: doubles, 64-bit integers, or for strings
 * runs of a length (int32; -1 where an instance has none) and bytes. */
xy_status xy_query_table(xy_query *q, xy_error *err);

#endif
