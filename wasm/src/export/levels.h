/* Repetition and definition levels, as Dremel has them, and the hybrid of runs and packed bits in
 * which Parquet writes them and the indices of a dictionary. */
#ifndef XE_LEVELS_H
#define XE_LEVELS_H

#include "../buffer.h"
#include "export.h"

/* A step whose places were checked. */
typedef struct {
    uint32_t kind;
    uint32_t size;          /* of XE_FIXED */
    const int32_t *offsets; /* of XE_LIST */
    const uint8_t *valid;   /* of XE_OPTIONAL */
    uint32_t count;         /* members that the step leads to */
    uint8_t definition;     /* level of what is there, but empty or missing at this step */
    uint8_t repetition;     /* level of a member that continues a list of this step */
} xe_level;

/* Walks through the rows of a column. */
typedef struct {
    xe_level steps[XE_MAX_STEPS];
    uint32_t step_count;
    uint8_t max_definition;
    uint8_t max_repetition;
    bool has_optional;
    /* The levels of the page that is gathered, one byte for each slot. */
    xy_buffer repetitions, definitions;
    /* Its values: all from `first` to `next`, or, with optional steps, those that `picks` names,
     * uint32 each. */
    uint32_t first, next;
    xy_buffer picks;
    bool no_memory;
} xe_walk;

/* Adds the slots of a row, or of rows up to `rows` until there are `most` values. Returns the row
 * after them. Sets `no_memory` when there is none. */
uint32_t xe_walk_rows(xe_walk *walk, uint32_t row, uint32_t rows, uint32_t most);
void xe_walk_clear(xe_walk *walk);
void xe_walk_free(xe_walk *walk);

/* Number of bits that hold 0 to `most`. */
uint32_t xe_bits_of(uint32_t most);

/* Appends `count` numbers of at most `bits` bits (1 to 16), which take one byte each, or two. False
 * without memory. */
bool xe_put_levels(xy_buffer *out, const uint8_t *values, size_t count, uint32_t bits);
bool xe_put_indices(xy_buffer *out, const uint16_t *values, size_t count, uint32_t bits);

#endif
