/* Plans a block: which units are read for the next entries of several branches. */
#ifndef XY_BLOCK_PLAN_H
#define XY_BLOCK_PLAN_H

#include "../buffer.h"
#include "../status.h"

typedef struct {
    double from, to; /* first entry, and the entry after the last one that may be read */
    double length;   /* wanted number of entries */
    double growth;   /* factor by which the block may be longer to end with a cluster */
} xy_block_limits;

typedef struct {
    xy_buffer chosen; /* doubles: indices of the units to read, counted over all lists, ascending */
    xy_buffer ends; /* doubles, one for each list: the entry after the last one that is then read */
    bool cut; /* whether a list has no unit after the block, so that its cluster may continue */
} xy_block_plan;

/* Makes a plan. `packed` are the units of several branches (packed_units.h), and `starts` the first
 * entry that each of them needs. The block ends with a cluster if one ends soon, otherwise where
 * most units do. Each unit that begins in it is read to its end. */
xy_status xy_block_plan_make(xy_error *err, const double *packed, size_t packed_count,
                             const double *starts, size_t start_count,
                             const xy_block_limits *limits, xy_block_plan *out);
void xy_block_plan_free(xy_block_plan *block);

#endif
