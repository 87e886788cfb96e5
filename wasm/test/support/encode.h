/* Compressed objects for the codec tests, made with the libraries that ROOT writes with. */
#ifndef XY_TEST_ENCODE_H
#define XY_TEST_ENCODE_H

#include <stddef.h>
#include <stdint.h>

#define ENVELOPE 9

typedef enum { ZLIB, DEFLATE, ZSTD, LZ4, XZ, METHODS } method;
extern const char METHOD_TAGS[METHODS][3];

/* Bytes in an allocation of exactly their length, so that ASan sees one byte beyond. */
typedef struct {
    uint8_t *data;
    size_t len;
} bytes;

/* `len` bytes of one of the KINDS of content: zeros, all 255, text-like, physics-like, random. */
#define KINDS 5
bytes make_content(int kind, size_t len);

/* Compresses `data` in blocks of at most `block` bytes with envelopes; `level` 1 to 9. */
bytes encode(method how, int level, const uint8_t *data, size_t len, size_t block);

/* The same bytes, or the first `len` of them, in an allocation of their own. */
bytes copy_of(const uint8_t *data, size_t len);

/* A reproducible pseudo-random number; state in *seed. */
uint32_t next_random(uint32_t *seed);

#endif
