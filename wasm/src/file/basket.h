/* A basket's record: a key whose last members count the entries, and an object with the entries
 * and, unless all have one size, a table of their offsets. Offsets are relative to the start of the
 * record. */
#ifndef XY_BASKET_H
#define XY_BASKET_H

#include "record.h"

typedef struct {
    int32_t nev_size; /* as stored; negative if features follow */
    uint8_t features; /* ROOT's I/O features */
    int32_t entries;
    int32_t last; /* offset of the end of the entries */
} xy_basket_counts;

/* Reads the counts of a basket, which follow its version. The caller checks the cursor. */
xy_basket_counts xy_read_basket_counts(xy_cursor *c);

typedef struct {
    const uint8_t *data;
    size_t size;
    size_t keylen;
    int64_t entries;
    const uint8_t *offsets; /* big-endian int32 each, NULL when entries have one size */
    /* The old offsets of moved entries, to which references within them are relative (ROOT's
     * fDisplacement); NULL if none was moved. */
    const uint8_t *were;
} xy_basket;

/* Reads the record at `src` and decompresses it to `object` (contents replaced). Also returns the
 * key and the counts. */
xy_status xy_open_basket(xy_codec *codec, xy_error *err, const uint8_t *src, size_t len,
                         xy_buffer *object, xy_key *key, xy_basket_counts *counts,
                         xy_basket *basket);

#endif
