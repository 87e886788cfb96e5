/* A growable run of bytes. Growth doubles; a failed growth sets `failed` and keeps what is there,
 * so that a caller may append a whole structure and look once. Growth beyond `limit` fails too. */
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
    size_t limit; /* bytes that it may hold at most; 0: as many as memory has */
    bool failed;
} xy_buffer;

/* Makes room for n more bytes and returns where they start; NULL when memory is out. */
static inline uint8_t *xy_reserve(xy_buffer *b, size_t n) {
    if (n > b->cap - b->len || !b->data) {
        if (b->limit && (b->len > b->limit || n > b->limit - b->len)) {
            b->failed = true;
            return NULL;
        }
        size_t cap = b->cap ? b->cap : 64;
        while (cap - b->len < n) {
            if (cap > ((size_t)1 << (sizeof(size_t) * 8 - 2))) {
                b->failed = true;
                return NULL;
            }
            cap *= 2;
        }
        uint8_t *data = realloc(b->data, cap);
        if (!data) {
            b->failed = true;
            return NULL;
        }
        b->data = data;
        b->cap = cap;
    }
    return b->data + b->len;
}

/* Appends n bytes whose contents the caller writes; NULL when memory is out. */
static inline uint8_t *xy_extend(xy_buffer *b, size_t n) {
    uint8_t *p = xy_reserve(b, n);
    if (p) b->len += n;
    return p;
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
