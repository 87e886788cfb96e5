/* Chunks of columns for Parquet: pages with levels, values or indices of a dictionary, compressed.
 */
#include "../buffer.h"
#include "dictionary.h"
#include "export.h"
#include "input.h"
#include "levels.h"
#include "snappy.h"
#include "xylem.h"

#include <string.h>
#include <zstd.h>

/* A page ends with the row in which it has this many bytes of values, or this many slots. */
enum { PAGE_BYTES = 1 << 20, PAGE_SLOTS = 1 << 20 };
/* Compressing is tried on this many bytes of a page first, and must save 5 % of them. */
enum { SAMPLE_BYTES = 16 * 1024, MAX_PERCENT = 90 };
/* Names of the format. */
enum { PLAIN = 0, RLE_DICTIONARY = 8, DICTIONARY_PAGE = 2, DATA_PAGE_V2 = 3 };

static const uint8_t WIDTH[] = {1, 1, 1, 2, 2, 4, 4, 8, 8, 4, 8, 0};

typedef struct {
    const xe_column *column;
    xe_values values;
    uint32_t codec;
    int32_t level;
    uint32_t first_row; /* of the page that is gathered */
    size_t start;       /* in the bytes of all chunks */
} chunk;

static struct {
    xy_buffer out;   /* the chunks of all columns of the input */
    xy_buffer plain; /* the values of a page */
    xy_buffer packed;
    xy_buffer pages;
    xe_dictionary *dictionary;
    ZSTD_CCtx *zstd;
    xe_chunk result;
    xe_written all;
} encoder;

const xe_chunk *xe_result(void) {
    return &encoder.result;
}

const xe_written *xe_chunks(void) {
    encoder.all = (xe_written){encoder.out.data, (uint32_t)encoder.out.len};
    return &encoder.all;
}

void xe_clear_chunks(void) {
    encoder.out.len = 0;
}

/* ---------------------------------------------------------------- descriptions */

static bool take_step(xe_level *level, const xe_step *step, uint32_t parents) {
    level->kind = step->kind;
    if (step->kind == XE_LIST) {
        level->offsets = xe_offsets_at(step->at, parents, &level->count);
        return level->offsets != NULL;
    }
    if (step->kind == XE_OPTIONAL) {
        level->valid = (const uint8_t *)xe_in_input(step->at, parents, 1);
        level->count = parents;
        return level->valid != NULL;
    }
    if (step->kind != XE_FIXED || (uint64_t)parents * step->at > UINT32_MAX) return false;
    level->size = step->at;
    level->count = parents * step->at;
    return true;
}

static bool take_steps(xe_walk *walk, const xe_column *column, const xe_step *steps) {
    uint32_t count = column->rows;
    for (uint32_t i = 0; i < column->steps; i++) {
        xe_level *level = &walk->steps[i];
        level->definition = walk->max_definition++;
        if (steps[i].kind == XE_OPTIONAL)
            walk->has_optional = true;
        else
            level->repetition = ++walk->max_repetition;
        if (!take_step(level, &steps[i], count)) return false;
        count = level->count;
    }
    walk->step_count = column->steps;
    return count == column->values;
}

static bool take_values(chunk *c) {
    const xe_column *column = c->column;
    xe_values *values = &c->values;
    values->count = column->values;
    values->width = WIDTH[column->type];
    if (values->width) {
        values->data = (const uint8_t *)xe_in_input(column->at, column->values, values->width);
        return values->data != NULL;
    }
    uint32_t last = 0;
    values->offsets = xe_offsets_at(column->at, column->values, &last);
    values->data = (const uint8_t *)xe_in_input(column->text_at, column->text_bytes, 1);
    return values->offsets && values->data && last <= column->text_bytes;
}

/* ---------------------------------------------------------------- values */

/* Appends one value in Parquet's PLAIN encoding; of truth values there is a function of its own. */
static inline void put_value(xy_buffer *out, const chunk *c, uint32_t i) {
    uint8_t *to = out->data + out->len;
    const uint8_t *data = c->values.data;
    int32_t wide;
    switch (c->column->type) {
    case XE_I8: wide = (int8_t)data[i]; break;
    case XE_U8: wide = data[i]; break;
    case XE_I16: wide = ((const int16_t *)(const void *)data)[i]; break;
    case XE_U16: wide = ((const uint16_t *)(const void *)data)[i]; break;
    case XE_TEXT: {
        int32_t from = c->values.offsets[i], size = c->values.offsets[i + 1] - from;
        memcpy(to, &size, 4);
        memcpy(to + 4, data + from, (size_t)size);
        out->len += 4 + (size_t)size;
        return;
    }
    default:
        memcpy(to, data + (size_t)i * c->values.width, c->values.width);
        out->len += c->values.width;
        return;
    }
    memcpy(to, &wide, 4);
    out->len += 4;
}

/* Makes room for values in PLAIN encoding. */
static bool room_for(xy_buffer *out, const chunk *c, const uint32_t *picks, uint32_t from,
                     size_t count) {
    uint64_t size = (uint64_t)count * 8;
    if (c->column->type == XE_TEXT)
        for (size_t k = 0; k < count; k++) {
            uint32_t i = picks ? picks[k] : from + (uint32_t)k;
            size += (uint64_t)(c->values.offsets[i + 1] - c->values.offsets[i]);
        }
    return xy_reserve(out, xy_bytes_of(size, 1)) != NULL;
}

/* Appends values: those that `picks` names, or all from `from` on. */
static bool put_plain(xy_buffer *out, const chunk *c, const uint32_t *picks, uint32_t from,
                      size_t count) {
    if (!room_for(out, c, picks, from, count)) return false;
    uint32_t type = c->column->type;
    if (type == XE_BOOL) {
        uint8_t *bits = out->data + out->len;
        memset(bits, 0, (count + 7) / 8);
        for (size_t k = 0; k < count; k++)
            if (c->values.data[picks ? picks[k] : from + k]) bits[k / 8] |= (uint8_t)(1 << k % 8);
        out->len += (count + 7) / 8;
    } else if (!picks && c->values.width >= 4) {
        size_t size = count * c->values.width;
        memcpy(out->data + out->len, c->values.data + (size_t)from * c->values.width, size);
        out->len += size;
    } else {
        for (size_t k = 0; k < count; k++)
            put_value(out, c, picks ? picks[k] : from + (uint32_t)k);
    }
    return true;
}

static bool put_indices(xy_buffer *out, const uint32_t *picks, uint32_t from, size_t count) {
    const xe_dictionary *d = encoder.dictionary;
    const uint16_t *all = (const uint16_t *)(const void *)d->indices.data;
    uint32_t bits = d->entries > 1 ? xe_bits_of(d->entries - 1) : 1;
    if (!xy_append_u8(out, (uint8_t)bits)) return false;
    if (!picks) return xe_put_indices(out, all + from, count, bits);
    xy_buffer chosen = {0};
    uint16_t *indices = (uint16_t *)(void *)xy_extend_items(&chosen, (uint64_t)count + 1, 2);
    for (size_t k = 0; indices && k < count; k++)
        indices[k] = all[picks[k]];
    bool done = indices && xe_put_indices(out, indices, count, bits);
    xy_buffer_free(&chosen);
    return done;
}

/* ---------------------------------------------------------------- compression */

static size_t bound_of(uint32_t codec, size_t size) {
    return codec == XE_ZSTD ? ZSTD_compressBound(size) : xe_snappy_bound(size);
}

/* Replaces what is in `packed`. Its size is 0 when there is no memory. */
static void compress(const chunk *c, const uint8_t *bytes, size_t size) {
    xy_buffer *packed = &encoder.packed;
    packed->len = 0;
    size_t room = bound_of(c->codec, size);
    uint8_t *out = xy_reserve(packed, room);
    if (!out) return;
    if (c->codec == XE_SNAPPY) {
        packed->len = xe_snappy(out, bytes, (uint32_t)size);
        return;
    }
    if (!encoder.zstd) encoder.zstd = ZSTD_createCCtx();
    if (!encoder.zstd) return;
    size_t written = ZSTD_compressCCtx(encoder.zstd, out, room, bytes, size, c->level);
    packed->len = ZSTD_isError(written) ? 0 : written;
}

/* Whether the bytes were compressed, and are smaller by it. */
static bool smaller(const chunk *c, const xy_buffer *from) {
    if (c->codec == XE_NONE || from->len == 0) return false;
    size_t sample = from->len < SAMPLE_BYTES ? from->len : SAMPLE_BYTES;
    compress(c, from->data, sample);
    if (!encoder.packed.len || encoder.packed.len * 100 > sample * MAX_PERCENT) return false;
    if (sample < from->len) compress(c, from->data, from->len);
    return encoder.packed.len && encoder.packed.len < from->len;
}

/* ---------------------------------------------------------------- pages */

/* A page's header in Thrift's compact protocol: fields with the difference to the number of the
 * last. */
typedef struct {
    uint8_t bytes[96];
    size_t size;
    uint8_t last;
} header;

static void put_field(header *h, uint8_t number, uint8_t type) {
    h->bytes[h->size++] = (uint8_t)((number - h->last) << 4 | type);
    h->last = number;
}

static void put_int(header *h, uint8_t number, uint32_t value) {
    put_field(h, number, 5);
    uint64_t zigzag = (uint64_t)value << 1;
    for (; zigzag >= 0x80; zigzag >>= 7)
        h->bytes[h->size++] = (uint8_t)(zigzag | 0x80);
    h->bytes[h->size++] = (uint8_t)zigzag;
}

static header header_of(uint32_t type, size_t uncompressed, size_t compressed) {
    header h = {.size = 0};
    put_int(&h, 1, type);
    put_int(&h, 2, (uint32_t)uncompressed);
    put_int(&h, 3, (uint32_t)compressed);
    return h;
}

static bool put_page(header *h, size_t uncompressed) {
    h->bytes[h->size++] = 0; /* the end of the inner structure and of the outer one */
    h->bytes[h->size++] = 0;
    encoder.result.uncompressed += (uint32_t)(h->size + uncompressed);
    return xy_append(&encoder.out, h->bytes, h->size);
}

static bool put_dictionary(const chunk *c) {
    const xe_dictionary *d = encoder.dictionary;
    xy_buffer *plain = &encoder.plain;
    plain->len = 0;
    if (!put_plain(plain, c, d->first, 0, d->entries)) return false;
    /* A dictionary has no mark of its own that it is not compressed. */
    const xy_buffer *bytes = plain;
    if (c->codec != XE_NONE) {
        compress(c, plain->data, plain->len);
        bytes = &encoder.packed;
        if (!bytes->len) return false;
    }
    header h = header_of(DICTIONARY_PAGE, plain->len, bytes->len);
    put_field(&h, 7, 12);
    h.last = 0;
    put_int(&h, 1, d->entries);
    put_int(&h, 2, PLAIN);
    if (!put_page(&h, plain->len) || !xy_append(&encoder.out, bytes->data, bytes->len))
        return false;
    encoder.result.dictionary = (uint32_t)(encoder.out.len - c->start);
    return true;
}

/* Writes what was gathered as a page that ends before `row`. */
static bool put_data(chunk *c, xe_walk *walk, uint32_t row) {
    xy_buffer *plain = &encoder.plain, *out = &encoder.out;
    const uint32_t *picks = (const uint32_t *)(const void *)walk->picks.data;
    size_t values = walk->has_optional ? walk->picks.len / 4 : walk->next - walk->first;
    size_t slots = walk->step_count ? walk->repetitions.len : values;
    if (!walk->has_optional)
        picks = NULL;
    else if (!picks)
        picks = &walk->first; /* none is read */
    bool by_index = encoder.dictionary->entries > 0;
    plain->len = 0;
    if (by_index ? !put_indices(plain, picks, walk->first, values)
                 : !put_plain(plain, c, picks, walk->first, values))
        return false;
    xy_buffer levels = {0};
    size_t repetition_bytes = 0;
    bool good = true;
    if (walk->max_repetition) {
        good =
            xe_put_levels(&levels, walk->repetitions.data, slots, xe_bits_of(walk->max_repetition));
        repetition_bytes = levels.len;
    }
    if (good && walk->max_definition)
        good =
            xe_put_levels(&levels, walk->definitions.data, slots, xe_bits_of(walk->max_definition));
    bool packed = good && smaller(c, plain);
    const xy_buffer *bytes = packed ? &encoder.packed : plain;
    size_t start = out->len;
    header h = header_of(DATA_PAGE_V2, levels.len + plain->len, levels.len + bytes->len);
    put_field(&h, 8, 12);
    h.last = 0;
    put_int(&h, 1, (uint32_t)slots);
    put_int(&h, 2, (uint32_t)(slots - values));
    put_int(&h, 3, row - c->first_row);
    put_int(&h, 4, by_index ? RLE_DICTIONARY : PLAIN);
    put_int(&h, 5, (uint32_t)(levels.len - repetition_bytes));
    put_int(&h, 6, (uint32_t)repetition_bytes);
    put_field(&h, 7, packed ? 1 : 2);
    good = good && put_page(&h, levels.len + plain->len) &&
           (levels.len == 0 || xy_append(out, levels.data, levels.len)) &&
           (bytes->len == 0 || xy_append(out, bytes->data, bytes->len));
    xy_buffer_free(&levels);
    xe_page page = {(uint32_t)(start - c->start), (uint32_t)(out->len - start), c->first_row};
    encoder.result.slots += (uint32_t)slots;
    c->first_row = row;
    xe_walk_clear(walk);
    return good && xy_append(&encoder.pages, &page, sizeof page);
}

/* A column of which each row is one value. */
static bool put_flat(chunk *c, xe_walk *walk) {
    uint32_t rows = c->column->rows;
    for (uint32_t row = 0; row < rows;) {
        uint32_t end = rows;
        if (c->values.width) {
            uint32_t most = PAGE_BYTES / c->values.width;
            if (rows - row > most) end = row + most;
        } else {
            end = row + 1;
            while (end < rows && c->values.offsets[end] - c->values.offsets[row] < PAGE_BYTES)
                end++;
        }
        walk->next = end;
        if (!put_data(c, walk, end)) return false;
        row = end;
    }
    return true;
}

static bool put_nested(chunk *c, xe_walk *walk) {
    uint32_t rows = c->column->rows;
    /* How many texts fill a page is not known before their bytes are. */
    uint32_t most = c->values.width ? PAGE_BYTES / c->values.width : 1;
    for (uint32_t row = 0; row < rows;) {
        row = xe_walk_rows(walk, row, rows, most);
        if (walk->no_memory) return false;
        uint64_t bytes = (uint64_t)(walk->next - walk->first) * c->values.width;
        if (!c->values.width)
            bytes = (uint64_t)(c->values.offsets[walk->next] - c->values.offsets[walk->first]);
        if (bytes < PAGE_BYTES && walk->repetitions.len < PAGE_SLOTS && row < rows) continue;
        if (!put_data(c, walk, row)) return false;
    }
    return true;
}

/* ---------------------------------------------------------------- bounds */

#define BOUNDS(type)                                                                               \
    do {                                                                                           \
        const type *data = (const type *)(const void *)c->values.data;                             \
        type min = data[0], max = data[0];                                                         \
        bool ordered = true;                                                                       \
        for (uint32_t i = 0; i < c->values.count; i++) {                                           \
            type value = data[i];                                                                  \
            if (value < min) min = value;                                                          \
            if (value > max) max = value;                                                          \
            ordered &= value == value;                                                             \
        }                                                                                          \
        result->has_bounds = ordered;                                                              \
        memcpy(result->min, &min, sizeof min);                                                     \
        memcpy(result->max, &max, sizeof max);                                                     \
    } while (0)

/* Least and greatest of flat numbers without NaN. Readers do not agree about the order of unsigned
 * numbers and of truth values. */
static void find_bounds(const chunk *c) {
    xe_chunk *result = &encoder.result;
    if (c->column->steps || !c->values.count) return;
    switch (c->column->type) {
    case XE_I8: BOUNDS(int8_t); break;
    case XE_U8: BOUNDS(uint8_t); break;
    case XE_I16: BOUNDS(int16_t); break;
    case XE_U16: BOUNDS(uint16_t); break;
    case XE_I32: BOUNDS(int32_t); break;
    case XE_I64: BOUNDS(int64_t); break;
    case XE_F32: BOUNDS(float); break;
    case XE_F64: BOUNDS(double); break;
    default: break;
    }
}

int32_t xe_parquet(uint32_t column_at, uint32_t codec, int32_t level) {
    encoder.pages.len = 0;
    memset(&encoder.result, 0, sizeof encoder.result);
    const xe_column *column = (const xe_column *)xe_in_input(column_at, sizeof(xe_column) / 4, 4);
    if (!column || column->type > XE_TEXT || column->steps > XE_MAX_STEPS || codec > XE_ZSTD)
        return XE_DAMAGED;
    if (column_at > UINT32_MAX - sizeof *column) return XE_DAMAGED;
    const xe_step *steps = (const xe_step *)xe_in_input(column_at + (uint32_t)sizeof *column,
                                                        2 * (uint64_t)column->steps, 4);
    chunk c = {.column = column, .codec = codec, .level = level, .start = encoder.out.len};
    xe_walk walk = {.step_count = 0};
    if (!steps || !take_steps(&walk, column, steps) || !take_values(&c)) return XE_DAMAGED;
    if (!encoder.dictionary) encoder.dictionary = (xe_dictionary *)xy_new(1, sizeof(xe_dictionary));
    if (!encoder.dictionary) return XE_NO_MEMORY;
    encoder.dictionary->entries = 0;
    bool good = column->type == XE_BOOL || xe_find_entries(encoder.dictionary, &c.values);
    if (good && encoder.dictionary->entries) good = put_dictionary(&c);
    if (good) good = column->steps ? put_nested(&c, &walk) : put_flat(&c, &walk);
    xe_walk_free(&walk);
    if (!good) return XE_NO_MEMORY;
    find_bounds(&c);
    encoder.result.bytes = encoder.out.data + c.start;
    encoder.result.size = (uint32_t)(encoder.out.len - c.start);
    encoder.result.pages = (const xe_page *)(const void *)encoder.pages.data;
    encoder.result.page_count = (uint32_t)(encoder.pages.len / sizeof(xe_page));
    return XE_OK;
}
