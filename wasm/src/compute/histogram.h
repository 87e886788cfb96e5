/* Histograms with one to three axes, and profiles, of weighted points. */
#ifndef XY_HISTOGRAM_H
#define XY_HISTOGRAM_H

#include "exact.h"
#include "fill.h"

#include "../buffer.h"
#include "../status.h"

enum { XY_H_DIMS = 3 };

typedef struct {
    double bins, low, high;
} xy_axis;

/* Statistics of filling, as in TH1: only values within the range of all axes count. Moments are
 * relative to means (Chan, Golub and LeVeque), so that merging loses no digits. The means use
 * absolute weights, because the sum of weights of both signs may be 0. */
typedef struct {
    double fills;  /* values with a weight that is not 0, inside the range or not */
    double nans;   /* of these, values with a NaN coordinate; they count as overflow */
    double weight; /* sum of weights in the range */
    double weight2;
    double size; /* sum of the absolute values of the weights in the range */
    struct {
        /* Mean by absolute weights; sums of weight * d and of weight * d * d, where d is the
         * distance from the mean. If all weights have one sign, the first sum is 0 except for
         * rounding. */
        double mean, first, deviation;
        /* Number of finite values among all fills, also outside the range, and their minimum and
         * maximum; 0 if there are none. */
        double finite, min, max;
    } axis[XY_H_DIMS];
    double codeviation; /* sum of weight * d0 * d1 */
    double entries;     /* entries of the tree in which at least one value passed */
} xy_fill_stats;

/* Points, at most XY_H_POINTS: the coordinates, then the weights. */
enum { XY_H_POINTS = 1024 };
typedef struct {
    const double *x[XY_H_DIMS + 1];
    size_t count;
    double entries; /* number of entries of the tree from which the values come */
    /* See xy_points_count. */
    xy_summary all[XY_H_DIMS]; /* of each coordinate */
    double nans;               /* points with a NaN coordinate */
    bool plain;                /* all weights are 1 */
} xy_points;

/* Computes `all`, `nans` and `plain`, once for all histograms that are filled with the points. */
void xy_points_count(xy_points *p, int dims);

/* The shape of a histogram. */
typedef struct {
    const xy_axis *axes;
    int dims, binned;
    bool profile;
    size_t stride[XY_H_DIMS], cells;
    double width[XY_H_DIMS];
    bool ordinary[XY_H_DIMS]; /* see xy_is_ordinary */
} xy_grid;

/* In a profile the last coordinate is averaged and has no axis. */
xy_status xy_grid_make(xy_error *err, int dims, bool profile, const xy_axis *axes, xy_grid *g);

/* Fills points that were counted. `sums` and `squares` (of weights) have (bins + 2) cells for each
 * axis; the first axis varies fastest. In a profile, `sums` are sums of weight times value, and
 * `squares` of weight times value squared, followed by two more runs of cells: sums of weights and
 * of their squares. `ones`: all points ever added have weight 1. */
void xy_histogram_add(const xy_grid *g, const xy_points *p, bool ones, double *sums,
                      double *squares, xy_fill_stats *stats);

/* As xy_histogram_add, but the sums do not depend on the order of the points. `sums` has the sums
 * of the cells as above, array by array, then XY_H_MOMENTS sums over the points in range: of
 * weights; of their squares; for each of three coordinates of weight * d and weight * d * d, where
 * d is the distance from the middle of the axis (from 0 for the averaged coordinate of a profile);
 * and of weight * d0 * d1. Each term is a rounded double; their sums are exact. The moments in
 * `stats` stay zero. */
enum { XY_H_MOMENTS = 9 };
void xy_histogram_add_exactly(const xy_grid *g, const xy_points *p, xy_exact *sums,
                              xy_fill_stats *stats);

/* Fills `count` points whose values are stored coordinate by coordinate. With `weighted`, weights
 * follow; otherwise each counts 1. With `exact` the sums are those of xy_histogram_add_exactly, and
 * `sums` and `squares` are not used. */
void xy_histogram_of_values(const xy_grid *g, const double *values, size_t count, bool weighted,
                            double *sums, double *squares, xy_exact *exact, xy_fill_stats *stats);

/* Fills numbers of `dtype` (streamer/tape.h), unaligned, `bytes` long. Each counts 1. */
void xy_histogram_of_column(const xy_grid *g, int dtype, const uint8_t *data, size_t bytes,
                            double *sums, double *squares, xy_fill_stats *stats);

#endif
