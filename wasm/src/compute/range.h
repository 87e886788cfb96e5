/* The range of values that are not filled yet: what an automatic axis is chosen from, and the
 * values themselves while they are few. */
#ifndef XY_RANGE_H
#define XY_RANGE_H

#include "fill.h"
#include "histogram.h"

/* Numbers of a coordinate: its summary, and of its first values how many are finite and their ends
 * (the ends are 0 without any). */
typedef struct {
    xy_summary all;
    double values, min, max;
} xy_coordinate;

/* How a range is found. Of the first `first` values only the ends count; after them `steps` has,
 * in order, the finite values that lie outside of all before: what TH1::ExtendAxis would meet. Of
 * steps in one direction that follow each other only the last is there, because it alone decides
 * how far an axis is doubled. The first of all values is a step where `first` is 0. Up to `keep`
 * values are kept; more of them, and none is. */
struct xy_range {
    double first, keep;
    double count; /* values so far, of each coordinate */
    int32_t dims;
    bool weighted;
    struct {
        double low, high;
        int direction; /* of the last step: -1, 1, or 0 for none */
        xy_buffer steps, kept;
    } axis[XY_H_DIMS];
    xy_buffer weights;
};
typedef struct xy_range xy_range;

/* Adds `n` values of coordinate k, whose summary is `b`; the count stays. */
void xy_range_add(xy_range *r, int k, xy_coordinate *c, const xy_summary *b, const double *x,
                  size_t n);
/* Ends a block of n values that all coordinates were given; `weights` are theirs, NULL when all
 * are 1. */
void xy_range_count(xy_range *r, const double *weights, size_t n);
/* The numbers of a column, which are the only coordinate. */
void xy_range_add_column(xy_range *r, xy_coordinate *c, int dtype, const uint8_t *data,
                         size_t bytes);

/* Makes floats of doubles, all of which are floats; false where they are not, and then nothing is
 * changed. */
bool xy_make_floats(xy_buffer *doubles);

#endif
