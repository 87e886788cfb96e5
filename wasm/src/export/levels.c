#include "levels.h"

#include <string.h>

/* Adds slots whose levels the caller writes. */
static bool add_slots(xe_walk *walk, size_t count, uint8_t **repetitions, uint8_t **definitions) {
    *repetitions = xy_extend(&walk->repetitions, count);
    *definitions = xy_extend(&walk->definitions, count);
    if (!*repetitions || !*definitions) walk->no_memory = true;
    return !walk->no_memory;
}

/* A slot without a value. */
static void put_none(xe_walk *walk, uint8_t repetition, uint8_t definition) {
    uint8_t *repetitions, *definitions;
    if (!add_slots(walk, 1, &repetitions, &definitions)) return;
    *repetitions = repetition;
    *definitions = definition;
}

/* The values `from` to `to`, which is more; the first with `repetition`, the others with `next`. */
static void put_values(xe_walk *walk, uint32_t from, uint32_t to, uint8_t repetition,
                       uint8_t next) {
    size_t count = to - from;
    uint8_t *repetitions, *definitions;
    if (!add_slots(walk, count, &repetitions, &definitions)) return;
    /* Lists are short: a call for each to fill memory would cost more. */
    for (size_t i = 0; i < count; i++)
        repetitions[i] = next;
    for (size_t i = 0; i < count; i++)
        definitions[i] = walk->max_definition;
    repetitions[0] = repetition;
    walk->next = to;
    if (!walk->has_optional) return;
    uint32_t *picks = (uint32_t *)(void *)xy_extend_items(&walk->picks, count, 4);
    if (!picks) walk->no_memory = true;
    for (uint32_t i = from; picks && i < to; i++)
        *picks++ = i;
}

static void visit(xe_walk *walk, uint32_t at, uint32_t index, uint8_t repetition) {
    if (at == walk->step_count) {
        put_values(walk, index, index + 1, repetition, 0);
        return;
    }
    const xe_level *step = &walk->steps[at];
    if (step->kind == XE_OPTIONAL) {
        if (step->valid[index])
            visit(walk, at + 1, index, repetition);
        else
            put_none(walk, repetition, step->definition);
        return;
    }
    bool fixed = step->kind == XE_FIXED;
    uint32_t from = fixed ? index * step->size : (uint32_t)step->offsets[index];
    uint32_t to = fixed ? from + step->size : (uint32_t)step->offsets[index + 1];
    if (from == to)
        put_none(walk, repetition, step->definition);
    else if (at + 1 == walk->step_count)
        put_values(walk, from, to, repetition, step->repetition);
    else
        for (uint32_t i = from; i < to; i++)
            visit(walk, at + 1, i, i == from ? repetition : step->repetition);
}

/* The same for the most frequent kind of column, lists of values: until a page is full. */
static uint32_t walk_lists(xe_walk *walk, uint32_t row, uint32_t rows, uint32_t most) {
    const int32_t *offsets = walk->steps[0].offsets;
    uint32_t end = row + 1;
    while (end < rows && (uint32_t)offsets[end] - walk->first < most && end - row < most)
        end++;
    uint32_t first = (uint32_t)offsets[row], last = (uint32_t)offsets[end];
    size_t empty = 0;
    for (uint32_t i = row; i < end; i++)
        empty += offsets[i] == offsets[i + 1];
    uint8_t *repetitions, *definitions;
    if (!add_slots(walk, last - first + empty, &repetitions, &definitions)) return end;
    for (; row < end; row++) {
        uint32_t count = (uint32_t)(offsets[row + 1] - offsets[row]);
        *definitions = count > 0;
        *repetitions = 0;
        for (uint32_t i = 1; i < count; i++)
            definitions[i] = repetitions[i] = 1;
        definitions += count ? count : 1;
        repetitions += count ? count : 1;
    }
    walk->next = last;
    return end;
}

uint32_t xe_walk_rows(xe_walk *walk, uint32_t row, uint32_t rows, uint32_t most) {
    if (walk->step_count == 1 && walk->steps[0].kind == XE_LIST)
        return walk_lists(walk, row, rows, most);
    visit(walk, 0, row, 0);
    return row + 1;
}

void xe_walk_clear(xe_walk *walk) {
    walk->repetitions.len = walk->definitions.len = walk->picks.len = 0;
    walk->first = walk->next;
}

void xe_walk_free(xe_walk *walk) {
    xy_buffer_free(&walk->repetitions);
    xy_buffer_free(&walk->definitions);
    xy_buffer_free(&walk->picks);
}

uint32_t xe_bits_of(uint32_t most) {
    uint32_t bits = 0;
    while (most >> bits)
        bits++;
    return bits;
}

/* Groups of 8 that one header of one byte may announce. */
enum { MAX_GROUPS = 63 };

static inline uint32_t number_at(const void *values, size_t i, bool wide) {
    return wide ? ((const uint16_t *)values)[i] : ((const uint8_t *)values)[i];
}

static inline size_t put_run(uint8_t *out, uint64_t count, uint32_t value, uint32_t bits) {
    size_t size = 0;
    for (count <<= 1; count >= 0x80; count >>= 7)
        out[size++] = (uint8_t)(count | 0x80);
    out[size++] = (uint8_t)count;
    out[size++] = (uint8_t)value;
    if (bits > 8) out[size++] = (uint8_t)(value >> 8);
    return size;
}

/* The end of the run of equal numbers that begins at `i`. */
static inline size_t run_end(const void *values, size_t i, size_t count, bool wide) {
    const uint64_t value = number_at(values, i, wide);
    const uint64_t all = value * (wide ? 0x0001000100010001u : 0x0101010101010101u);
    const size_t step = wide ? 4 : 8, width = wide ? 2 : 1;
    for (i++; i + step <= count; i += step) {
        uint64_t word;
        memcpy(&word, (const uint8_t *)values + i * width, 8);
        if (word != all) return i + (size_t)__builtin_ctzll(word ^ all) / (8 * width);
    }
    while (i < count && number_at(values, i, wide) == value)
        i++;
    return i;
}

/* Packs 8 numbers, or what is left of them, and returns the number of bytes. Writes up to 16. */
static inline size_t pack(uint8_t *out, const void *values, size_t i, size_t count, uint32_t bits,
                          bool wide) {
    uint64_t half[2] = {0, 0};
    for (uint32_t k = 0; k < 8; k++)
        if (i + k < count)
            half[k / 4] |= (uint64_t)number_at(values, i + k, wide) << (k % 4 * bits);
    uint32_t shift = 4 * bits;
    uint64_t low = half[0] | (shift < 64 ? half[1] << shift : 0);
    uint64_t high = half[1] >> (64 - shift);
    memcpy(out, &low, 8);
    memcpy(out + 8, &high, 8);
    return bits;
}

/* A run is one number repeated 8 times or more; all else is packed in groups of 8. */
static inline bool put_hybrid(xy_buffer *buffer, const void *values, size_t count, uint32_t bits,
                              bool wide) {
    /* At worst a header for each 8 numbers, of a run or of a group, and a last group that is not
     * full. */
    uint8_t *out = xy_reserve(buffer, xy_bytes_of(count / 8 + 3, bits + 12));
    if (!out) return false;
    const uint8_t *begin = out;
    uint8_t *header = NULL;
    uint32_t groups = 0;
    for (size_t i = 0; i < count;) {
        uint32_t value = number_at(values, i, wide);
        size_t end = run_end(values, i, count, wide);
        if (end - i >= 8) {
            if (header) *header = (uint8_t)(groups << 1 | 1);
            header = NULL;
            out += put_run(out, end - i, value, bits);
            i = end;
            continue;
        }
        if (header && groups == MAX_GROUPS) {
            *header = (uint8_t)(groups << 1 | 1);
            header = NULL;
        }
        if (!header) {
            header = out++;
            groups = 0;
        }
        out += i + 8 <= count ? pack(out, values, i, i + 8, bits, wide)
                              : pack(out, values, i, count, bits, wide);
        groups++;
        i += 8;
    }
    if (header) *header = (uint8_t)(groups << 1 | 1);
    buffer->len += (size_t)(out - begin);
    return true;
}

bool xe_put_levels(xy_buffer *out, const uint8_t *values, size_t count, uint32_t bits) {
    return put_hybrid(out, values, count, bits, false);
}

bool xe_put_indices(xy_buffer *out, const uint16_t *values, size_t count, uint32_t bits) {
    return put_hybrid(out, values, count, bits, true);
}
