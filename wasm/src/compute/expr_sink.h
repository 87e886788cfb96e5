/* Destinations of an expression's values: a range, a histogram, or a table. */
#ifndef XY_EXPR_SINK_H
#define XY_EXPR_SINK_H

#include "expr.h"
#include "histogram.h"
#include "range.h"

/* Adds the values that pass to a range, which has a coordinate for each output; `entries` counts
 * those with some. */
xy_status xy_query_range(xy_query *q, xy_error *err, xy_range *r, double *entries,
                         xy_coordinate *c);
/* Fills all rows into a histogram, or into one with exact sums. */
xy_status xy_query_histogram(xy_query *q, xy_error *err, const xy_grid *g, double *sums,
                             double *squares, xy_fill_stats *stats);
xy_status xy_query_exact(xy_query *q, xy_error *err, const xy_grid *g, xy_exact *sums,
                         xy_fill_stats *stats);
/* Appends entry by entry, for entries with any weight that is not 0: buffer 0 has their numbers,
 * then two buffers an output, counts (int32) and values: doubles, 64-bit integers, or for strings
 * runs of a length (int32; -1 where an instance has none) and bytes. */
xy_status xy_query_table(xy_query *q, xy_error *err);

#endif
