/* Adds histograms and profiles on their tapes: contents, squares of weights, and sums over the
 * filled values, as TH1::Merge and TProfile::Merge do for equal bins. The host handles everything
 * else (labels, other axes, buffers, ranges, averages). */
#ifndef XY_ADD_BINS_H
#define XY_ADD_BINS_H

#include "../buffer.h"
#include "../streamer/tape.h"

/* The members that are added or compared. */
enum {
    XY_BIN_BITS,
    XY_BIN_X,
    XY_BIN_Y,
    XY_BIN_Z,
    XY_BIN_ENTRIES,
    XY_BIN_SUMS, /* the first of the sums over the filled values */
    XY_BIN_SUM_COUNT = 13,
    XY_BIN_SQUARES = XY_BIN_SUMS + XY_BIN_SUM_COUNT,
    XY_BIN_BUFFER,
    XY_BIN_CONTENTS,
    XY_BIN_COUNTS,        /* fBinEntries */
    XY_BIN_COUNT_SQUARES, /* fBinSumw2 */
    XY_BIN_MEMBERS
};

/* A histogram on an exact tape. */
typedef struct {
    uint32_t at[XY_BIN_MEMBERS]; /* values on the tape; 0: it has no such member */
    int dimensions;
    bool profile;
    uint32_t cells;
} xy_bins;

/* Finds the bins of the object at the start of a tape. Returns false if it is not a histogram or
 * profile, or if it can only be added as data. */
bool xy_find_bins(const xy_tape_view *tape, xy_bins *bins);
/* Adds a histogram of the same class to the one on the tape `into`. If they can only be added as
 * data, returns false and changes nothing. `summed`: the first one is already a sum. */
bool xy_add_bins(uint8_t *into, const xy_bins *own, bool summed, const xy_tape_view *other,
                 const xy_bins *more);

/* Whether there are contents of this type, and adding n numbers of it. */
bool xy_is_addable(int dtype);
void xy_add_numbers(int dtype, uint8_t *into, const uint8_t *from, size_t n);

#endif
