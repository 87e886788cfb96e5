/* Plans a block: which units are read for the next entries of several branches. */
#ifndef XY_BLOCK_PLAN_H
#define XY_BLOCK_PLAN_H

#include "../buffer.h"
#include "../status.h"

typedef struct {
    double from, to; /* the first entry, and the entry after the last that may be read */
    double length;   /* the entries that it should have */
    double growth; /* it may have this many times as many, where that lets it end with a cluster */
} xy_block_limits;

typedef struct {
    xy_buffer chosen; /* doubles: numbers of the units to read, counted over all lists, ascending */
    xy_buffer ends;   /* doubles, one for each list: the entry after the last that was read then */
    bool cut; /* whether a list has no unit behind the block, so that the last one may go on */
} xy_block_plan;

/* Makes a plan. `packed` are the units of several branches (packed_units.h), and `starts` the first
 * entry that each of them needs. The block ends with a cluster if one ends soon, otherwise where
 * most units do. Each unit that begins in it is read to its end. */
xy_status xy_block_plan_make(xy_error *err, const double *packed, size_t packed_count,
                             const double *starts, size_t start_count,
                             const xy_block_limits *limits, xy_block_plan *out);
void xy_block_plan_free(xy_block_plan *block);

#endif
