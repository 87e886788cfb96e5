/* The encoder of columns: what it packs is unpacked again, and descriptions that lie are refused.
 */
#include "support/check.h"

#include "../src/export/export.h"
#include "../src/export/levels.h"
#include "../src/export/snappy.h"

#include <string.h>

/* Undoes Snappy as its description has it. Returns the number of bytes. */
static size_t unsnap(const uint8_t *in, size_t size, uint8_t *out) {
    size_t at = 0, done = 0;
    while (in[at++] & 0x80) {
    }
    while (at < size) {
        uint32_t tag = in[at++], count = (tag >> 2) + 1, distance = 0;
        if ((tag & 3) == 0) {
            uint32_t more = count > 60 ? count - 60 : 0;
            if (more) {
                count = 1;
                for (uint32_t i = 0; i < more; i++)
                    count += (uint32_t)in[at++] << 8 * i;
            }
            memcpy(out + done, in + at, count);
            at += count;
            done += count;
            continue;
        }
        if ((tag & 3) == 1) {
            count = (tag >> 2 & 7) + 4;
            distance = tag >> 5 << 8 | in[at++];
        } else {
            distance = in[at] | (uint32_t)in[at + 1] << 8;
            at += 2;
        }
        CHECK(distance > 0 && distance <= done, "a copy from %u before %zu", distance, done);
        for (uint32_t i = 0; i < count; i++, done++)
            out[done] = out[done - distance];
    }
    return done;
}

static void snappy(size_t size, uint32_t kinds) {
    uint8_t *in = malloc(size + 1), *out = malloc(xe_snappy_bound(size)), *back = malloc(size + 1);
    uint32_t random = 7;
    for (size_t i = 0; i < size; i++) {
        random = random * 1664525 + 1013904223;
        in[i] = (uint8_t)((random >> 24) % kinds + (i >> 12));
    }
    size_t packed = xe_snappy(out, in, (uint32_t)size);
    CHECK(packed <= xe_snappy_bound(size), "%zu bytes of %zu", packed, size);
    CHECK(kinds > 2 || size < 1000 || packed < size / 2, "%zu bytes of %zu", packed, size);
    CHECK(unsnap(out, packed, back) == size && !memcmp(in, back, size), "%zu bytes, %u kinds", size,
          kinds);
    free(in);
    free(out);
    free(back);
}

static uint32_t bits_at(const uint8_t *in, size_t bit, uint32_t bits) {
    uint32_t value = 0;
    for (uint32_t i = 0; i < bits; i++)
        value |= (in[(bit + i) / 8] >> (bit + i) % 8 & 1u) << i;
    return value;
}

/* Reads the hybrid of runs and packed numbers. */
static void unpack(const xy_buffer *in, uint32_t bits, uint16_t *out, size_t count) {
    size_t at = 0, done = 0;
    while (done < count) {
        uint64_t header = 0;
        uint32_t shift = 0;
        do
            header |= (uint64_t)(in->data[at] & 0x7f) << shift, shift += 7;
        while (in->data[at++] & 0x80);
        if (header & 1) {
            for (uint32_t i = 0; i < (header >> 1) * 8 && done < count; i++)
                out[done++] = (uint16_t)bits_at(in->data + at, (size_t)i * bits, bits);
            at += (size_t)(header >> 1) * bits;
        } else {
            uint32_t value = in->data[at++];
            if (bits > 8) value |= (uint32_t)in->data[at++] << 8;
            for (uint64_t i = 0; i < header >> 1; i++)
                out[done++] = (uint16_t)value;
        }
    }
    CHECK(done == count && at == in->len, "%zu numbers and %zu bytes", done, at);
}

static void hybrid(size_t count, uint32_t bits, uint32_t run) {
    uint16_t *values = malloc(count * 2 + 2), *back = malloc(count * 2 + 2);
    uint8_t *narrow = malloc(count + 1);
    uint32_t random = bits + run, left = 0, value = 0;
    for (size_t i = 0; i < count; i++, left--) {
        if (!left) {
            random = random * 1664525 + 1013904223;
            left = 1 + (random >> 16) % run;
            value = (random >> 8) & ((1u << bits) - 1);
        }
        values[i] = (uint16_t)value;
        narrow[i] = (uint8_t)value;
    }
    xy_buffer packed = {0};
    CHECK(xe_put_indices(&packed, values, count, bits));
    unpack(&packed, bits, back, count);
    CHECK(!memcmp(values, back, count * 2), "%zu numbers of %u bits", count, bits);
    if (bits <= 8) {
        packed.len = 0;
        CHECK(xe_put_levels(&packed, narrow, count, bits));
        unpack(&packed, bits, back, count);
        for (size_t i = 0; i < count; i++)
            CHECK(narrow[i] == back[i], "level %zu", i);
    }
    xy_buffer_free(&packed);
    free(values);
    free(back);
    free(narrow);
}

/* Lists of floats: 2, 0 and 3 of them. */
typedef struct {
    xe_column column;
    xe_step step;
    uint32_t unused; /* so that the arrays begin at a multiple of 8 */
    int32_t offsets[4];
    float values[5];
    uint32_t end;
} lists;

static const lists LISTS = {
    {XE_F32, 3, 5, offsetof(lists, values), 0, 0, 1},
    {XE_LIST, offsetof(lists, offsets)},
    0,
    {0, 2, 2, 5},
    {1, 2, 3, 4, 5},
    0,
};

static int32_t encode(const lists *input, size_t size) {
    uint8_t *to = xe_input(size);
    if (size) memcpy(to, input, size);
    return xe_parquet(0, XE_ZSTD, 1);
}

static void lies(void) {
    lists input = LISTS;
    CHECK(encode(&input, sizeof input) == XE_OK);
    const xe_chunk *chunk = xe_result();
    CHECK(chunk->slots == 6 && chunk->page_count == 1 && chunk->pages[0].bytes == chunk->size);
    for (size_t size = 0; size < offsetof(lists, end); size++)
        CHECK(encode(&input, size) == XE_DAMAGED, "of %zu bytes", size);
    for (size_t word = 0; word < offsetof(lists, end) / 4; word++) {
        const uint32_t wrong[] = {0, 1, 3, 7, 1000, 0x7fffffff, 0x80000000, 0xffffffff};
        for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
            input = LISTS;
            memcpy((uint8_t *)&input + 4 * word, &wrong[i], 4);
            encode(&input, sizeof input); /* whatever it says, under ASan */
        }
    }
    input = LISTS;
    input.offsets[2] = 1;
    CHECK(encode(&input, sizeof input) == XE_DAMAGED, "offsets that fall");
    input = LISTS;
    input.offsets[3] = 4;
    CHECK(encode(&input, sizeof input) == XE_DAMAGED, "a value in no list");
    CHECK(xe_parquet(0xfffffffc, XE_ZSTD, 1) == XE_DAMAGED, "a place at the end of memory");
}

int main(void) {
    const size_t sizes[] = {1, 14, 15, 16, 100, 5000, 65535, 65536, 65537, 300000};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
        for (uint32_t kinds = 1; kinds <= 256; kinds = kinds * 2 + (kinds == 1))
            snappy(sizes[i], kinds);
    for (uint32_t bits = 1; bits <= 16; bits++)
        for (uint32_t run = 1; run <= 1000; run *= 10)
            for (size_t count = 0; count <= 3000; count = count * 3 + 7)
                hybrid(count, bits, run);
    lies();
    return 0;
}
