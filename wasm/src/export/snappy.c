#include "snappy.h"

#include <string.h>

enum { BLOCK = 1 << 16, HASH_BITS = 14 };

static inline uint32_t word_at(const uint8_t *p) {
    uint32_t word;
    memcpy(&word, p, 4);
    return word;
}

static inline uint32_t hash_of(uint32_t word) {
    return (word * 0x1e35a7bdu) >> (32 - HASH_BITS);
}

size_t xe_snappy_bound(size_t size) {
    /* A literal of 60 bytes or more costs at most 3 bytes of its own, and a copy is never longer
     * than its bytes. */
    return 32 + size + size / 6;
}

static uint8_t *put_literal(uint8_t *out, const uint8_t *from, size_t count) {
    size_t n = count - 1;
    if (n < 60)
        *out++ = (uint8_t)(n << 2);
    else if (n < 256) {
        *out++ = 60 << 2;
        *out++ = (uint8_t)n;
    } else {
        *out++ = 61 << 2;
        *out++ = (uint8_t)n;
        *out++ = (uint8_t)(n >> 8);
    }
    memcpy(out, from, count);
    return out + count;
}

static uint8_t *put_copy(uint8_t *out, size_t distance, size_t count) {
    while (count > 0) {
        /* The rest after a copy of 64 bytes must be 4 or more, so that the shorter form may follow.
         */
        size_t n = count > 67 ? 64 : count > 64 ? 60 : count;
        if (n >= 4 && n <= 11 && distance < 2048) {
            *out++ = (uint8_t)(1 | (n - 4) << 2 | distance >> 8 << 5);
            *out++ = (uint8_t)distance;
        } else {
            *out++ = (uint8_t)(2 | (n - 1) << 2);
            *out++ = (uint8_t)distance;
            *out++ = (uint8_t)(distance >> 8);
        }
        count -= n;
    }
    return out;
}

static size_t same_bytes(const uint8_t *a, const uint8_t *b, const uint8_t *end) {
    const uint8_t *begin = b;
    while (end - b >= 8) {
        uint64_t x, y;
        memcpy(&x, a, 8);
        memcpy(&y, b, 8);
        if (x != y) return (size_t)(b - begin) + (size_t)(__builtin_ctzll(x ^ y) >> 3);
        a += 8;
        b += 8;
    }
    while (b < end && *a == *b)
        a++, b++;
    return (size_t)(b - begin);
}

static uint8_t *put_block(uint8_t *out, const uint8_t *in, size_t size) {
    static uint16_t table[1 << HASH_BITS];
    memset(table, 0, sizeof table);
    const uint8_t *at = in, *end = in + size, *literal = in;
    /* Places where four bytes can be read. */
    const uint8_t *last = size >= 15 ? end - 15 : in;
    size_t misses = 32;
    if (at < last) at++;
    while (at < last) {
        uint32_t word = word_at(at);
        uint16_t *slot = &table[hash_of(word)];
        const uint8_t *match = in + *slot;
        *slot = (uint16_t)(at - in);
        if (word_at(match) != word) {
            /* The longer nothing is found, the larger the steps. */
            at += misses++ >> 5;
            continue;
        }
        misses = 32;
        if (at > literal) out = put_literal(out, literal, (size_t)(at - literal));
        size_t count = 4 + same_bytes(match + 4, at + 4, end);
        out = put_copy(out, (size_t)(at - match), count);
        at += count;
        literal = at;
        if (at < last) table[hash_of(word_at(at - 1))] = (uint16_t)(at - 1 - in);
    }
    if (literal < end) out = put_literal(out, literal, (size_t)(end - literal));
    return out;
}

size_t xe_snappy(uint8_t *out, const uint8_t *in, uint32_t size) {
    uint8_t *begin = out;
    uint32_t rest = size;
    for (; rest >= 0x80; rest >>= 7)
        *out++ = (uint8_t)(rest | 0x80);
    *out++ = (uint8_t)rest;
    for (uint32_t at = 0; at < size; at += BLOCK) {
        uint32_t block = size - at < BLOCK ? size - at : BLOCK;
        out = put_block(out, in + at, block);
    }
    return (size_t)(out - begin);
}
