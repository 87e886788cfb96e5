#include "distinct_sketch.h"

#include "../streamer/tape.h"

#include <string.h>

/* An odd number, so that its powers never become 0 modulo 2^64. */
static const uint64_t BASE = 0x9e3779b97f4a7c15u;

/* The finalizer of SplitMix64 (Steele et al. 2014): one-to-one. */
static uint64_t mix(uint64_t x) {
    x += 0x9e3779b97f4a7c15u;
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
    return x ^ (x >> 31);
}

static void note_register(xy_sketch *s, uint64_t h) {
    uint64_t rest = h >> 14;
    uint8_t rank = (uint8_t)(rest == 0 ? 51 : __builtin_clzll(rest) - 14 + 1);
    uint8_t *r = &s->registers[h % XY_SKETCH_REGISTERS];
    if (rank > *r) *r = rank;
}

static void note_distinct(xy_sketch *s, uint64_t h) {
    if (s->distinct < 0) {
        note_register(s, h);
        return;
    }
    uint64_t key = h == 0 ? 1 : h;
    for (size_t slot = (size_t)(key >> 51);; slot = (slot + 1) % XY_SKETCH_SLOTS) {
        if (s->slots[slot] == key) return;
        if (s->slots[slot] != 0) continue;
        note_register(s, h);
        if (s->distinct >= XY_SKETCH_EXACT) {
            s->distinct = -1;
        } else {
            s->slots[slot] = key;
            s->distinct++;
        }
        return;
    }
}

static void note(xy_sketch *s, uint64_t bits) {
    uint64_t h = mix(bits);
    s->hash = s->hash * BASE + h;
    note_distinct(s, h);
}

static uint64_t double_bits(double v) {
    uint64_t bits;
    v += 0.0; /* -0 becomes 0 */
    if (v != v) return 0x7ff8000000000000u;
    memcpy(&bits, &v, sizeof bits);
    return bits;
}

void xy_sketch_add_numbers(xy_sketch *s, int dtype, const uint8_t *data, size_t bytes) {
    size_t size = xy_dtype_size(dtype), n = bytes / size;
    double zeros = 0;
#define EACH(type, bits_of)                                                                        \
    for (size_t i = 0; i < n; i++) {                                                               \
        type v;                                                                                    \
        memcpy(&v, data + i * sizeof v, sizeof v);                                                 \
        zeros += v == 0;                                                                           \
        note(s, bits_of(v));                                                                       \
    }                                                                                              \
    break
#define SIGNED(v) (uint64_t)(int64_t)(v)
#define FLOATING(v) double_bits((double)(v))
    switch (dtype) {
    case XY_I8: EACH(int8_t, SIGNED);
    case XY_I16: EACH(int16_t, SIGNED);
    case XY_U16: EACH(uint16_t, SIGNED);
    case XY_I32: EACH(int32_t, SIGNED);
    case XY_U32: EACH(uint32_t, SIGNED);
    case XY_I64: EACH(int64_t, SIGNED);
    case XY_U64: EACH(uint64_t, (uint64_t));
    case XY_F32: EACH(float, FLOATING);
    case XY_F64: EACH(double, FLOATING);
    default: EACH(uint8_t, SIGNED);
    }
#undef EACH
#undef SIGNED
#undef FLOATING
    s->zeros += zeros;
    s->items += (double)n;
    xy_summary_add(&s->summary, dtype, data, bytes);
}

static uint32_t offset_at(const uint8_t *offsets, size_t i) {
    uint32_t v;
    memcpy(&v, offsets + 4 * i, sizeof v);
    return v;
}

static uint64_t text_bits(const uint8_t *text, size_t len) {
    uint64_t h = mix(len);
    for (; len >= 8; text += 8, len -= 8) {
        uint64_t part;
        memcpy(&part, text, 8);
        h = mix(h ^ part);
    }
    uint64_t rest = 0;
    memcpy(&rest, text, len);
    return mix(h ^ rest);
}

void xy_sketch_add_texts(xy_sketch *s, const uint8_t *offsets, size_t count, const uint8_t *data,
                         size_t bytes) {
    for (size_t i = 0; i < count; i++) {
        size_t from = offset_at(offsets, i), to = offset_at(offsets, i + 1);
        if (from > to || to > bytes) return; /* never: the decoder wrote them */
        note(s, text_bits(data + from, to - from));
        s->zeros += from == to;
    }
    s->items += (double)count;
}

void xy_sketch_add_lengths(xy_sketch *s, const uint8_t *offsets, size_t count) {
    for (size_t i = 0; i < count; i++)
        s->lengths = s->lengths * BASE + mix(offset_at(offsets, i + 1) - offset_at(offsets, i));
    s->groups += (double)count;
}
