/* The distinct values of a column and the index of each value among them. */
#ifndef XE_DICTIONARY_H
#define XE_DICTIONARY_H

#include "../buffer.h"
#include "export.h"

enum { XE_MAX_ENTRIES = 1 << 15 };

/* The values of a column: `width` bytes each, or texts. */
typedef struct {
    const uint8_t *data; /* numbers, or all texts */
    const int32_t *offsets;
    uint32_t width; /* 0 for texts */
    uint32_t count;
} xe_values;

typedef struct {
    uint32_t entries;                   /* 0 if a dictionary would not be smaller */
    uint32_t first[XE_MAX_ENTRIES];     /* index of a value of each entry */
    uint64_t keys[XE_MAX_ENTRIES];      /* the number, or the hash of the text */
    xy_buffer indices;                  /* uint16 for each value */
    uint16_t slots[2 * XE_MAX_ENTRIES]; /* entry + 1 by hash */
} xe_dictionary;

/* Finds the distinct values. Leaves `entries` 0 if their number is so large that a dictionary would
 * not be smaller than the values. Returns false if memory is exhausted. */
bool xe_find_entries(xe_dictionary *dictionary, const xe_values *values);

#endif
