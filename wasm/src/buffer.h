/* A growable array of bytes. Growth doubles. A failed growth sets `failed` and keeps the content,
 * so that a caller can append a whole structure and check once. Growth beyond `limit` also fails.
 */
#ifndef XY_BUFFER_H
#define XY_BUFFER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
    uint8_t *data;
    size_t len;
    size_t cap;
    size_t limit; /* maximum number of bytes; 0: limited by memory only */
    bool failed;
} xy_buffer;

/* Maximum number of bytes in one block of memory. WebAssembly memory has no more in total. */
#define XY_MAX_BYTES ((size_t)1 << 31)

/* Returns the size of n items of `size` bytes each; SIZE_MAX if it exceeds XY_MAX_BYTES, which the
 * functions below refuse. Every product of a count and a size is computed here: size_t has 32 bits
 * in wasm, so the product of two numbers from a file could overflow to a small one. */
static inline size_t xy_bytes_of(uint64_t n, size_t size) {
    uint64_t bytes = n <= XY_MAX_BYTES && size <= XY_MAX_BYTES ? n * size : UINT64_MAX;
    return bytes <= XY_MAX_BYTES ? (size_t)bytes : SIZE_MAX;
}

/* Allocates n items of `size` bytes each, filled with zeros; NULL if memory is exhausted. The
 * caller frees it, even if n is 0. */
void *xy_new(uint64_t n, size_t size);

/* Returns a copy of n items, which the caller frees; NULL if memory is exhausted. */
void *xy_copy(const void *items, uint64_t n, size_t size);

/* Makes space for one more item after `count` items of `size` bytes each. Returns false if memory
 * is exhausted. */
bool xy_grow(void **items, int32_t *cap, int32_t count, size_t size);

uint8_t *xy_buffer_grow(xy_buffer *b, size_t n);

/* Makes space for n more bytes and returns their start; NULL if memory is exhausted. */
static inline uint8_t *xy_reserve(xy_buffer *b, size_t n) {
    return n <= b->cap - b->len && b->data ? b->data + b->len : xy_buffer_grow(b, n);
}

/* Appends n bytes, to be written by the caller; NULL if memory is exhausted. */
static inline uint8_t *xy_extend(xy_buffer *b, size_t n) {
    uint8_t *p = xy_reserve(b, n);
    if (p) b->len += n;
    return p;
}

/* As xy_extend, for n items of `size` bytes each. */
static inline uint8_t *xy_extend_items(xy_buffer *b, uint64_t n, size_t size) {
    return xy_extend(b, xy_bytes_of(n, size));
}

static inline bool xy_append(xy_buffer *b, const void *src, size_t n) {
    uint8_t *p = xy_extend(b, n);
    if (p && n) memcpy(p, src, n);
    return p != NULL;
}

static inline bool xy_append_u8(xy_buffer *b, uint8_t v) {
    return xy_append(b, &v, 1);
}
static inline bool xy_append_u32(xy_buffer *b, uint32_t v) {
    return xy_append(b, &v, 4);
}

static inline void xy_buffer_free(xy_buffer *b) {
    free(b->data);
    memset(b, 0, sizeof *b);
}

#endif
