/* What the fuzz targets share: inputs of two parts, and allocations of exactly an input's length,
 * so that ASan sees one byte beyond. */
#ifndef XY_FUZZ_INPUT_H
#define XY_FUZZ_INPUT_H

#include "xylem.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

typedef struct {
    uint8_t *data;
    size_t len;
} part;

static inline part part_of(const uint8_t *data, size_t len) {
    part p = {malloc(len ? len : 1), len};
    if (!p.data) abort();
    if (len) memcpy(p.data, data, len);
    return p;
}

/* Two records in one input: 3 bytes (little-endian) with the length of the first, the first, the
 * rest. A length that is too large takes all. */
static inline void two_parts(const uint8_t *data, size_t size, part *first, part *second) {
    size_t n = size < 3 ? 0 : (size_t)data[0] | (size_t)data[1] << 8 | (size_t)data[2] << 16;
    if (size < 3) {
        *first = part_of(data, 0);
        *second = part_of(data, size);
        return;
    }
    if (n > size - 3) n = size - 3;
    *first = part_of(data + 3, n);
    *second = part_of(data + 3 + n, size - 3 - n);
}

/* Fails the run when a call breaks its contract: a failure has a message, a success has none. */
static inline int checked(const xy_ctx *ctx, int32_t status) {
    const uint8_t *error = xy_ctx_error(ctx);
    int32_t kept;
    memcpy(&kept, error, 4);
    if (kept != status || (status != 0) != (error[16] != 0)) abort();
    return status == 0;
}

#endif
