/* A sketch of the values of a branch: moments, number of zeros, number of distinct values, and
 * checksums that identify branches with equal values. Distinct values are counted by a 64-bit hash,
 * which is one-to-one for numbers: exactly up to XY_SKETCH_EXACT, above that by HyperLogLog
 * (Flajolet et al. 2007) with 2^14 registers, whose standard error is 1.04 / 2^7 = 0.8 %. The
 * checksums are polynomials modulo 2^64 over the hashes, so the checksum of two consecutive runs of
 * values follows from those of the runs: h(ab) = h(a) * BASE^|b| + h(b). */
#ifndef XY_DISTINCT_SKETCH_H
#define XY_DISTINCT_SKETCH_H

#include "fill.h"

#include <stdbool.h>

enum { XY_SKETCH_EXACT = 4096, XY_SKETCH_SLOTS = 8192, XY_SKETCH_REGISTERS = 16384 };

/* web/core/sums/distinct-sketch.ts reads this struct from memory. */
struct xy_sketch {
    xy_summary summary;
    double zeros;
    double items;    /* number of values or texts, including NaN */
    double groups;   /* number of lists */
    double distinct; /* -1 if there are more than XY_SKETCH_EXACT */
    uint64_t hash;
    uint64_t lengths;
    uint8_t registers[XY_SKETCH_REGISTERS];
    uint64_t slots[XY_SKETCH_SLOTS]; /* hashes of the distinct values; 0 is free */
};
typedef struct xy_sketch xy_sketch;

/* Adds numbers of `dtype` (streamer/tape.h), `bytes` long. -0 counts as 0, and all NaN as one
 * value. */
void xy_sketch_add_numbers(xy_sketch *s, int dtype, const uint8_t *data, size_t bytes);
/* Adds texts. `offsets` (count + 1 of them, host order, unaligned) refer to `data`. */
void xy_sketch_add_texts(xy_sketch *s, const uint8_t *offsets, size_t count, const uint8_t *data,
                         size_t bytes);
/* Adds lengths of lists, from their offsets. */
void xy_sketch_add_lengths(xy_sketch *s, const uint8_t *offsets, size_t count);

#endif
