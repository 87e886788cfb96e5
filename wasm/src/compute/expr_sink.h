/* Destinations of an expression's values: a range, a histogram, or a table. */
#ifndef XY_EXPR_SINK_H
#define XY_EXPR_SINK_H

#include "expr.h"
#include "histogram.h"
#include "range.h"

/* Receives the values that pass the cut: a histogram, one with exact sums, or a range with a
 * coordinate for each output. */
typedef struct {
    xy_grid grid;
    double *sums, *squares;
    xy_fill_stats *stats;
    xy_exact *exact; /* NULL if the sums are not exact */
    xy_range *range; /* NULL for a histogram */
    double *entries; /* RANGE: number of entries in which values pass */
    xy_coordinate *coordinates;
} xy_sink;

/* Passes the values of all rows to any number of sinks, all with `dims` coordinates. */
xy_status xy_query_take(xy_query *q, xy_error *err, const xy_sink *sinks, size_t count, int dims);
/* Computes the weights of all rows, for xy_query.given of other queries: one per row, because the
 * program has no lists. */
xy_status xy_query_every_weight(xy_query *q, xy_error *err);
/* Appends the entries with at least one weight that is not 0. Buffer 0 has their numbers. Then each
 * output has two buffers: the number of values of each entry (int32), and the values: doubles,
 * 64-bit integers, or for strings a length (int32; -1 if an instance has none) followed by the
 * bytes. */
xy_status xy_query_table(xy_query *q, xy_error *err);

#endif
