/* Repetition and definition levels, as in Dremel, and Parquet's hybrid encoding of runs and packed
 * bits, which is used for these levels and for the indices of a dictionary. */
#ifndef XE_LEVELS_H
#define XE_LEVELS_H

#include "../buffer.h"
#include "export.h"

/* A step whose offsets were checked. */
typedef struct {
    uint32_t kind;
    uint32_t size;          /* of XE_FIXED */
    const int32_t *offsets; /* of XE_LIST */
    const uint8_t *valid;   /* of XE_OPTIONAL */
    uint32_t count;         /* number of elements that the step leads to */
    uint8_t definition;     /* definition level of a value that is empty or missing at this step */
    uint8_t repetition;     /* repetition level of an element that continues a list of this step */
} xe_level;

/* Walks through the rows of a column. */
typedef struct {
    xe_level steps[XE_MAX_STEPS];
    uint32_t step_count;
    uint8_t max_definition;
    uint8_t max_repetition;
    bool has_optional;
    /* The levels of the current page, one byte for each slot. */
    xy_buffer repetitions, definitions;
    /* The values of the current page: all from `first` to `next`, or with optional steps those with
     * the indices `picks` (uint32). */
    uint32_t first, next;
    xy_buffer picks;
    bool no_memory;
} xe_walk;

/* Adds the slots of rows, from `row` up to `rows`, until there are `most` values. Returns the row
 * after them. Sets `no_memory` if memory is exhausted. */
uint32_t xe_walk_rows(xe_walk *walk, uint32_t row, uint32_t rows, uint32_t most);
void xe_walk_clear(xe_walk *walk);
void xe_walk_free(xe_walk *walk);

/* Returns the number of bits for the numbers 0 to `most`. */
uint32_t xe_bits_of(uint32_t most);

/* Appends `count` numbers of at most `bits` bits (1 to 16), which take one byte or two each.
 * Returns false if memory is exhausted. */
bool xe_put_levels(xy_buffer *out, const uint8_t *values, size_t count, uint32_t bits);
bool xe_put_indices(xy_buffer *out, const uint16_t *values, size_t count, uint32_t bits);

#endif
