/* The encodings of column pages: bit-packed, split, delta, zigzag, reduced precision. */
#ifndef XY_NT_ENCODING_H
#define XY_NT_ENCODING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct {
    int type, bits;
    double min, max; /* limits of quantised reals */
} xy_encoding;

/* Returns the size of a decompressed page of n elements. */
static inline uint64_t xy_page_bytes(int bits, uint64_t n) {
    return (n * (uint64_t)bits + 7) / 8;
}

/* Decodes the elements [from, to) of a page of n elements. `src` has xy_page_bytes bytes; `out`
 * receives elements of the type's own dtype (xy_nt_native). Switches are not decoded here. */
void xy_decode_page(const xy_encoding *e, const uint8_t *src, size_t n, size_t from, size_t to,
                    uint8_t *out);

/* Converts n elements of one dtype to another; dtypes as in streamer/tape.h. */
void xy_convert_dtype(int from, const uint8_t *src, int to, uint8_t *out, size_t n);

#endif
