/* The checksum of zlib's format (RFC 1950). */
#ifndef XY_ADLER32_H
#define XY_ADLER32_H

#include <stddef.h>
#include <stdint.h>

uint32_t xy_adler32(const uint8_t *data, size_t len);

#endif
