#include "dictionary.h"

#include "levels.h"

#include <string.h>

/* After this many values there must be repetitions. */
enum { SAMPLE = 1024 };
/* A dictionary has to make the values smaller than this part of their size, in percent. */
enum { MAX_PERCENT = 80 };

static inline uint32_t slot_of(uint64_t hash) {
    return (uint32_t)((hash * 0x9e3779b97f4a7c15u) >> 48) & (2 * XE_MAX_ENTRIES - 1);
}

static uint64_t hash_text(const uint8_t *text, size_t size) {
    uint64_t hash = size;
    for (; size >= 8; text += 8, size -= 8) {
        uint64_t word;
        memcpy(&word, text, 8);
        hash = (hash ^ word) * 0xff51afd7ed558ccdu;
        hash ^= hash >> 32;
    }
    for (; size; text++, size--)
        hash = (hash ^ *text) * 0xff51afd7ed558ccdu;
    return hash ^ hash >> 29;
}

/* Looks values up one by one. `width` is a constant wherever this is inlined. */
static inline uint32_t find(xe_dictionary *d, const xe_values *values, uint32_t width) {
    const uint32_t count = values->count;
    uint16_t *indices = (uint16_t *)(void *)d->indices.data;
    uint32_t entries = 0, last = 0;
    uint64_t last_key = 0;
    for (uint32_t i = 0; i < count; i++) {
        uint64_t key = 0;
        const uint8_t *text = values->data;
        size_t size = width;
        if (width) {
            memcpy(&key, values->data + (size_t)i * width, width);
            /* Neighbours are often the same. */
            if (i && key == last_key) {
                indices[i] = (uint16_t)last;
                continue;
            }
        } else {
            text += values->offsets[i];
            size = (size_t)(values->offsets[i + 1] - values->offsets[i]);
            key = hash_text(text, size);
        }
        uint32_t slot = slot_of(key);
        for (;; slot = (slot + 1) & (2 * XE_MAX_ENTRIES - 1)) {
            uint32_t entry = d->slots[slot];
            if (!entry) {
                if (entries == XE_MAX_ENTRIES || (entries >= SAMPLE / 2 && entries > i / 2))
                    return 0;
                d->first[entries] = i;
                d->keys[entries] = key;
                last = entries++;
                d->slots[slot] = (uint16_t)entries;
                break;
            }
            bool same = d->keys[entry - 1] == key;
            if (same && !width) {
                const int32_t *at = values->offsets + d->first[entry - 1];
                same = (size_t)(at[1] - at[0]) == size && !memcmp(values->data + at[0], text, size);
            }
            if (same) {
                last = entry - 1;
                break;
            }
        }
        last_key = key;
        indices[i] = (uint16_t)last;
    }
    return entries;
}

static bool pays(const xe_dictionary *d, const xe_values *values) {
    uint64_t plain, entries = 0;
    if (values->width) {
        plain = (uint64_t)values->count * values->width;
        entries = (uint64_t)d->entries * values->width;
    } else {
        plain = (uint64_t)(uint32_t)values->offsets[values->count] + 4u * (uint64_t)values->count;
        for (uint32_t i = 0; i < d->entries; i++) {
            const int32_t *at = values->offsets + d->first[i];
            entries += 4 + (uint64_t)(at[1] - at[0]);
        }
    }
    uint64_t indices = (uint64_t)values->count * xe_bits_of(d->entries - 1) / 8;
    return (entries + indices) * 100 <= plain * MAX_PERCENT;
}

bool xe_find_entries(xe_dictionary *d, const xe_values *values) {
    d->entries = 0;
    if (values->count == 0) return true;
    d->indices.len = 0;
    if (!xy_extend_items(&d->indices, values->count, 2)) return false;
    memset(d->slots, 0, sizeof d->slots);
    switch (values->width) {
    case 0: d->entries = find(d, values, 0); break;
    case 1: d->entries = find(d, values, 1); break;
    case 2: d->entries = find(d, values, 2); break;
    case 4: d->entries = find(d, values, 4); break;
    default: d->entries = find(d, values, 8); break;
    }
    if (d->entries && !pays(d, values)) d->entries = 0;
    return true;
}
