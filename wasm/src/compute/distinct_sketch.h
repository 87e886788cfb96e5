/* What the values of a branch are like: moments, zeroes, distinct values, and checksums that tell
 * branches of equal values.
 *
 * Distinct values are counted by a 64-bit hash that is one-to-one for numbers: exactly up to
 * XY_SURVEY_EXACT, beyond by HyperLogLog (Flajolet et al. 2007) with 2^14 registers, whose standard
 * error is 1.04 / 2^7 = 0.8 %. The checksums are polynomials modulo 2^64 over the hashes, so those
 * of two runs of values give that of both: h(ab) = h(a) * BASE^|b| + h(b). */
#ifndef XY_SURVEY_H
#define XY_SURVEY_H

#include "fill.h"

#include <stdbool.h>

enum { XY_SURVEY_EXACT = 4096, XY_SURVEY_SLOTS = 8192, XY_SURVEY_REGISTERS = 16384 };

/* Read as it lies in memory by web/core/survey.ts. */
struct xy_survey {
    xy_summary summary;
    double zeros;
    double items;    /* values or texts, also NaN */
    double groups;   /* lengths of lists */
    double distinct; /* -1 when there are more than XY_SURVEY_EXACT */
    uint64_t hash;
    uint64_t lengths;
    uint8_t registers[XY_SURVEY_REGISTERS];
    uint64_t slots[XY_SURVEY_SLOTS]; /* hashes of the distinct values; 0 is free */
};
typedef struct xy_survey xy_survey;

/* Numbers of `dtype` (streamer/tape.h), `bytes` long. -0 counts as 0, and all NaN as one value. */
void xy_survey_add_numbers(xy_survey *s, int dtype, const uint8_t *data, size_t bytes);
/* Texts: offsets (count + 1 of them, host order, unaligned) into `data`. */
void xy_survey_add_texts(xy_survey *s, const uint8_t *offsets, size_t count, const uint8_t *data,
                         size_t bytes);
/* Lengths of lists, from their offsets. */
void xy_survey_add_lengths(xy_survey *s, const uint8_t *offsets, size_t count);

#endif
