/* RNTuple's checksums: XXH3 with 64 bits and seed 0. */
#ifndef XY_NT_CHECKSUM_H
#define XY_NT_CHECKSUM_H

#include <stddef.h>
#include <stdint.h>

uint64_t xy_xxh3(const void *data, size_t len);

#endif
