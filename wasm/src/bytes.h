/* The bounds-checked cursor over big-endian input: the only way in which the core reads the bytes
 * of a file. A read past the end returns zero, sets `bad` and moves to the end. A caller that reads
 * several fields checks `bad` once afterwards. */
#ifndef XY_BYTES_H
#define XY_BYTES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

typedef struct {
    const uint8_t *base;
    size_t pos;
    size_t end;
    bool bad; /* a read went past the end */
} xy_cursor;

static inline xy_cursor xy_cursor_of(const void *base, size_t len) {
    xy_cursor c = {(const uint8_t *)base, 0, len, false};
    return c;
}

static inline size_t xy_left(const xy_cursor *c) {
    return c->end - c->pos;
}

/* Returns the address of the next n bytes and moves past them; NULL if fewer are left. */
static inline const uint8_t *xy_take(xy_cursor *c, size_t n) {
    if (n > c->end - c->pos) {
        c->bad = true;
        c->pos = c->end;
        return NULL;
    }
    const uint8_t *p = c->base + c->pos;
    c->pos += n;
    return p;
}

static inline uint16_t xy_be16(const uint8_t *p) {
    return (uint16_t)((p[0] << 8) | p[1]);
}

static inline uint32_t xy_be32(const uint8_t *p) {
    uint32_t v;
    memcpy(&v, p, 4);
    return __builtin_bswap32(v);
}

static inline uint64_t xy_be64(const uint8_t *p) {
    uint64_t v;
    memcpy(&v, p, 8);
    return __builtin_bswap64(v);
}

static inline uint8_t xy_u8(xy_cursor *c) {
    const uint8_t *p = xy_take(c, 1);
    return p ? *p : 0;
}

static inline uint16_t xy_u16(xy_cursor *c) {
    const uint8_t *p = xy_take(c, 2);
    return p ? xy_be16(p) : 0;
}

static inline uint32_t xy_u32(xy_cursor *c) {
    const uint8_t *p = xy_take(c, 4);
    return p ? xy_be32(p) : 0;
}

static inline uint64_t xy_u64(xy_cursor *c) {
    const uint8_t *p = xy_take(c, 8);
    return p ? xy_be64(p) : 0;
}

static inline int16_t xy_i16(xy_cursor *c) {
    return (int16_t)xy_u16(c);
}
static inline int32_t xy_i32(xy_cursor *c) {
    return (int32_t)xy_u32(c);
}

/* A string with one length byte, or 255 and four. The bytes stay in the input. */
typedef struct {
    const char *text;
    size_t len;
} xy_str;

static inline xy_str xy_string(xy_cursor *c) {
    size_t n = xy_u8(c);
    if (n == 255) n = xy_u32(c);
    const uint8_t *p = xy_take(c, n);
    xy_str s = {p ? (const char *)p : "", p ? n : 0};
    return s;
}

static inline bool xy_str_is(xy_str s, const char *text) {
    return strlen(text) == s.len && memcmp(s.text, text, s.len) == 0;
}

#endif
