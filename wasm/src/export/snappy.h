/* Snappy, as the format description of the project google/snappy has it: blocks of 64 KiB, found by
 * a table of the last place of each hash. */
#ifndef XE_SNAPPY_H
#define XE_SNAPPY_H

#include <stddef.h>
#include <stdint.h>

/* The most bytes that `size` bytes may become. */
size_t xe_snappy_bound(size_t size);

/* Returns the number of bytes in `out`, which has room for xe_snappy_bound(size). */
size_t xe_snappy(uint8_t *out, const uint8_t *in, uint32_t size);

#endif
