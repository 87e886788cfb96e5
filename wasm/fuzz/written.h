/* What is shared by the targets that write objects. */
#ifndef XY_FUZZ_WRITTEN_H
#define XY_FUZZ_WRITTEN_H

#include "input.h"
#include "xylem-write.h"

static inline part result_of(const xy_ctx *ctx) {
    return part_of(xy_ctx_result(ctx), xy_ctx_result_size(ctx));
}

static inline void put_be32(uint8_t *p, size_t v) {
    for (int i = 0; i < 4; i++)
        p[i] = (uint8_t)(v >> (24 - 8 * i));
}

/* The record of an object, uncompressed, with the key of another. */
static inline part record_with(const part *source, size_t key_length, const part *object) {
    part record = {malloc(key_length + object->len), key_length + object->len};
    if (!record.data) abort();
    memcpy(record.data, source->data, key_length);
    if (object->len) memcpy(record.data + key_length, object->data, object->len);
    put_be32(record.data, record.len);
    put_be32(record.data + 6, object->len);
    return record;
}

#endif
