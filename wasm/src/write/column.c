/* Baskets made of values: rows of a column become the entries of a branch, as ROOT streams them. */
#include "xylem-write.h"

#include "../abi/ctx.h"
#include "../streamer/swap.h"

enum { BASKET_VERSION = 3, HEAD_BYTES = 19, VECTOR_VERSION = 10, VECTOR_HEAD = 6 };
enum { MAX_BASKET = 0x7f000000, MAX_OBJECT = 0x3ffffffe, MAX_LEVELS = 8 };
/* The mark of a byte count, and places in a key. */
#define BYTE_COUNT 0x40000000u
enum { KEY_NBYTES = 0, KEY_OBJLEN = 6, KEY_KEYLEN = 14 };

struct xw_column {
    xy_buffer key; /* of its baskets, without the bytes that baskets add to it */
    bool vector;   /* each entry is a std::vector, with a header */
    bool jagged;   /* entries differ in size, so that baskets have their offsets */
    uint32_t width, count, levels;
    uint32_t entries;
    uint64_t entry_size; /* where all have the same */
    xy_buffer data;
    xy_buffer begins; /* uint32 for each entry: its offset from the start of the key */
};

/* Rows as the host gives them: the elements of each level of lists, and their borders. */
typedef struct {
    const xw_column *column;
    uint32_t rows;
    const uint8_t *borders[MAX_LEVELS]; /* uint32, one more than there are lists */
    const uint8_t *texts;               /* borders of texts in `values` */
    const uint8_t *values;
} row_input;

static uint32_t key_bytes(const xw_column *c) {
    return (uint32_t)c->key.len + HEAD_BYTES;
}

xw_column *xw_column_create(xy_ctx *ctx, const uint8_t *key, size_t key_len, int32_t vector,
                            uint32_t width, uint32_t count, uint32_t levels) {
    xy_ctx_begin(ctx);
    bool texts = width == 0 && count == 1;
    bool numbers = (width == 1 || width == 2 || width == 4 || width == 8) && count > 0;
    if (!(texts || numbers) || levels > MAX_LEVELS || key_len > INT16_MAX - HEAD_BYTES ||
        key_len < KEY_KEYLEN + 2 || xy_bytes_of(count, width) > MAX_BASKET) {
        xy_fail(&ctx->err, XY_E_ARGUMENT, 0, "a branch cannot be of this form");
        return NULL;
    }
    xw_column *c = xy_new(1, sizeof *c);
    if (!c || !xy_append(&c->key, key, key_len)) {
        xw_column_destroy(c);
        xy_fail(&ctx->err, XY_E_MEMORY, 0, "no memory for a column");
        return NULL;
    }
    c->vector = vector;
    c->jagged = vector || texts || levels > 0;
    c->width = width;
    c->count = count;
    c->levels = levels;
    c->entry_size = (uint64_t)count * width;
    return c;
}

void xw_column_destroy(xw_column *c) {
    if (!c) return;
    xy_buffer_free(&c->key);
    xy_buffer_free(&c->data);
    xy_buffer_free(&c->begins);
    free(c);
}

static uint32_t number_at(const uint8_t *numbers, uint32_t i) {
    uint32_t v;
    memcpy(&v, numbers + 4 * (size_t)i, 4);
    return v;
}

static void put_u32(xy_buffer *out, uint32_t v) {
    xy_append_u32(out, __builtin_bswap32(v));
}

static void set_u32(uint8_t *at, uint32_t v) {
    v = __builtin_bswap32(v);
    memcpy(at, &v, 4);
}

/* ---- the rows that come in ---- */

/* Takes `n` + 1 ascending borders that begin with 0; `last` becomes the end of the last one. */
static bool take_borders(xy_cursor *in, uint32_t n, const uint8_t **borders, uint32_t *last) {
    size_t bytes = xy_bytes_of((uint64_t)n + 1, 4);
    *borders = bytes == SIZE_MAX ? NULL : xy_take(in, bytes);
    if (!*borders || number_at(*borders, 0) != 0) return false;
    for (uint32_t i = 0; i < n; i++)
        if (number_at(*borders, i) > number_at(*borders, i + 1)) return false;
    *last = number_at(*borders, n);
    return true;
}

static bool take_rows(const xw_column *c, const uint8_t *src, size_t len, row_input *rows) {
    xy_cursor in = xy_cursor_of(src, len);
    const uint8_t *first = xy_take(&in, 4);
    if (!first) return false;
    rows->column = c;
    rows->rows = number_at(first, 0);
    uint32_t n = rows->rows;
    for (uint32_t level = 0; level < c->levels; level++)
        if (!take_borders(&in, n, &rows->borders[level], &n)) return false;
    size_t item = xy_bytes_of(c->count, c->width);
    if (c->width == 0) {
        item = 1;
        if (!take_borders(&in, n, &rows->texts, &n)) return false;
    }
    size_t bytes = xy_bytes_of(n, item);
    rows->values = bytes == xy_left(&in) ? xy_take(&in, bytes) : NULL;
    return rows->values != NULL;
}

/* ---- the bytes of entries ---- */

static void put_numbers(const row_input *rows, uint32_t from, uint32_t to, xy_buffer *out) {
    uint32_t width = rows->column->width;
    size_t items = xy_bytes_of(to - from, rows->column->count);
    const uint8_t *src = rows->values + (size_t)from * rows->column->count * width;
    uint8_t *dst = xy_extend_items(out, items, width);
    if (!dst || items == 0) return;
    if (width == 1) memcpy(dst, src, items);
    if (width == 2) xy_swap16(src, dst, items);
    if (width == 4) xy_swap32(src, dst, items);
    if (width == 8) xy_swap64(src, dst, items);
}

static void put_text(const row_input *rows, uint32_t i, xy_buffer *out) {
    uint32_t from = number_at(rows->texts, i), len = number_at(rows->texts, i + 1) - from;
    xy_append_u8(out, len < 255 ? (uint8_t)len : 255);
    if (len >= 255) put_u32(out, len);
    xy_append(out, rows->values + from, len);
}

/* Elements of a level: lists, with their lengths in front in a std::vector, or values. */
static void put_level(const row_input *rows, uint32_t level, uint32_t from, uint32_t to,
                      xy_buffer *out) {
    const xw_column *c = rows->column;
    if (level == c->levels) {
        if (c->width) put_numbers(rows, from, to, out);
        for (uint32_t i = from; !c->width && i < to; i++)
            put_text(rows, i, out);
        return;
    }
    for (uint32_t i = from; i < to; i++) {
        uint32_t begin = number_at(rows->borders[level], i);
        uint32_t end = number_at(rows->borders[level], i + 1);
        if (c->vector) put_u32(out, end - begin);
        put_level(rows, level + 1, begin, end, out);
    }
}

static xy_status put_row(xw_column *c, xy_error *err, const row_input *rows, uint32_t row) {
    xy_buffer *out = &c->data;
    size_t begin = out->len;
    if (c->jagged) xy_append_u32(&c->begins, (uint32_t)begin + key_bytes(c));
    if (c->vector) xy_extend(out, VECTOR_HEAD);
    put_level(rows, 0, row, row + 1, out);
    if (out->failed || c->begins.failed) return xy_fail(err, XY_E_MEMORY, 0, "no memory for rows");
    size_t size = out->len - begin;
    if (out->len > MAX_BASKET || (c->vector && size - 4 > MAX_OBJECT))
        return xy_fail(err, XY_E_BUDGET, 0, "an entry of %zu bytes has no place in a basket", size);
    if (!c->vector) return XY_OK;
    uint8_t *head = out->data + begin;
    set_u32(head, (uint32_t)(size - 4) | BYTE_COUNT);
    head[4] = 0;
    head[5] = VECTOR_VERSION;
    return XY_OK;
}

int32_t xw_column_add(xy_ctx *ctx, xw_column *c, const uint8_t *src, size_t len) {
    xy_ctx_begin(ctx);
    row_input rows = {0};
    if (!take_rows(c, src, len, &rows)) {
        xy_fail(&ctx->err, XY_E_ARGUMENT, 0, "rows do not fit the form of their branch");
        return xy_ctx_end(ctx);
    }
    if (!c->jagged) { /* entries of one size lie side by side, as they came */
        put_numbers(&rows, 0, rows.rows, &c->data);
        if (c->data.failed) xy_fail(&ctx->err, XY_E_MEMORY, 0, "no memory for rows");
    }
    for (uint32_t row = 0; c->jagged && row < rows.rows; row++)
        if (put_row(c, &ctx->err, &rows, row)) break;
    c->entries += rows.rows;
    return xy_ctx_end(ctx);
}

size_t xw_column_bytes(const xw_column *c) {
    return c->data.len;
}

/* ---- baskets ---- */

/* The count, the offset of each entry, and a last number that nobody reads. */
static void put_table(xy_buffer *out, const xw_column *c) {
    put_u32(out, c->entries + 1);
    for (uint32_t i = 0; i < c->entries; i++)
        put_u32(out, number_at(c->begins.data, i));
    put_u32(out, 0);
}

int32_t xw_column_finish(xy_ctx *ctx, xw_column *c) {
    xy_ctx_begin(ctx);
    xy_buffer *out = &ctx->out;
    uint64_t table = c->jagged ? 4 * ((uint64_t)c->entries + 2) : 0;
    uint64_t whole = key_bytes(c) + c->data.len + table;
    if (c->entries == 0 || whole > INT32_MAX) {
        xy_fail(&ctx->err, c->entries ? XY_E_BUDGET : XY_E_ARGUMENT, 0,
                "a basket has entries, and at most 2 GB");
        return xy_ctx_end(ctx);
    }
    const uint8_t version[] = {0, BASKET_VERSION};
    xy_append(out, c->key.data, c->key.len);
    xy_append(out, version, sizeof version);
    put_u32(out, (uint32_t)whole);                                      /* fBufferSize */
    put_u32(out, c->jagged ? c->entries + 1 : (uint32_t)c->entry_size); /* fNevBufSize */
    put_u32(out, c->entries);
    put_u32(out, (uint32_t)(key_bytes(c) + c->data.len)); /* fLast */
    xy_append_u8(out, 0);                                 /* no data within the key */
    xy_append(out, c->data.data, c->data.len);
    if (c->jagged) put_table(out, c);
    if (!out->failed) {
        set_u32(out->data + KEY_NBYTES, (uint32_t)out->len);
        set_u32(out->data + KEY_OBJLEN, (uint32_t)(out->len - key_bytes(c)));
        out->data[KEY_KEYLEN] = (uint8_t)(key_bytes(c) >> 8);
        out->data[KEY_KEYLEN + 1] = (uint8_t)key_bytes(c);
    }
    c->entries = 0;
    c->data.len = c->begins.len = 0;
    return xy_ctx_end(ctx);
}
