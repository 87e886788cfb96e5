/* The range of values that have not been filled, from which an automatic axis is chosen; and the
 * values themselves, as long as they are few. */
#ifndef XY_RANGE_H
#define XY_RANGE_H

#include "fill.h"
#include "histogram.h"

/* Summary of a coordinate, and for its first values the number of finite ones and their minimum and
 * maximum (0 if there are none). */
typedef struct {
    xy_summary all;
    double values, min, max;
} xy_coordinate;

/* The range of values. For the first `first` values, only minimum and maximum count. `steps`
 * contains, in order, the later finite values outside the range of all earlier ones, at which
 * TH1::ExtendAxis would extend the axis. Of successive steps in one direction only the last is
 * stored, because it alone determines how far an axis is doubled. If `first` is 0, the first value
 * is a step. Up to `keep` values are kept; if there are more, none is. */
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

/* Adds `n` values of coordinate k, whose summary is `b`. Does not change the count. */
void xy_range_add(xy_range *r, int k, xy_coordinate *c, const xy_summary *b, const double *x,
                  size_t n);
/* Ends a block of n values that were added for all coordinates, with their `weights`; NULL if all
 * are 1. */
void xy_range_count(xy_range *r, const double *weights, size_t n);
/* Adds the numbers of a column as the only coordinate. */
void xy_range_add_column(xy_range *r, xy_coordinate *c, int dtype, const uint8_t *data,
                         size_t bytes);

/* Converts doubles to floats if no value changes. Otherwise changes nothing and returns false. */
bool xy_make_floats(xy_buffer *doubles);

#endif
