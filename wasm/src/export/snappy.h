/* Snappy, as defined by the format description of the project google/snappy: blocks of 64 KiB, with
 * a table of the last position of each hash. */
#ifndef XE_SNAPPY_H
#define XE_SNAPPY_H

#include <stddef.h>
#include <stdint.h>

/* Returns the maximum number of bytes for `size` bytes of input. */
size_t xe_snappy_bound(size_t size);

/* Compresses to `out`, which must have xe_snappy_bound(size) bytes. Returns the number of bytes
 * written. */
size_t xe_snappy(uint8_t *out, const uint8_t *in, uint32_t size);

#endif
