/* The record of a basket that was kept within its tree's record. The key keeps its length, because
 * references within the entries, and their offsets, count from its start. */
#include "xylem-write.h"

#include "../abi/ctx.h"
#include "../file/basket.h"
#include "../file/file.h"

enum { BASKET_VERSION = 3, BYTE_COUNT = 0x40000000, GENERATED = 80, DISPLACED = 40 };

typedef struct {
    const uint8_t *key; /* with class, name and title */
    size_t key_size;
    uint16_t keylen;
    xy_basket_counts counts;
    const uint8_t *offsets, *displacements;
    const uint8_t *data; /* after the key's length */
    size_t data_size;
} embedded;

/* An array of `entries` numbers at least, with its count; NULL when there is none. */
static const uint8_t *take_numbers(xy_cursor *c, int32_t entries) {
    uint32_t n = xy_u32(c);
    if (c->bad || n < (uint32_t)entries || n > xy_left(c) / 4) {
        c->bad = true;
        return NULL;
    }
    return xy_take(c, xy_bytes_of(n, 4));
}

static bool read_embedded(xy_cursor *c, embedded *e) {
    memset(e, 0, sizeof *e);
    e->key = c->base;
    xy_u32(c);
    uint16_t key_version = xy_u16(c);
    xy_take(c, 8);
    e->keylen = xy_u16(c);
    xy_take(c, 2 + (key_version > 1000 ? 16 : 8));
    for (int i = 0; i < 3; i++)
        xy_string(c);
    e->key_size = c->pos;
    if (xy_left(c) >= 4 && (xy_be32(c->base + c->pos) & BYTE_COUNT)) xy_u32(c);
    uint16_t version = xy_u16(c);
    e->counts = xy_read_basket_counts(c);
    int32_t entries = e->counts.entries, last = e->counts.last;
    uint8_t flag = xy_u8(c);
    if (c->bad || entries <= 0 || last < e->keylen) return false;
    bool generated = flag >= GENERATED;
    if (generated) flag = (uint8_t)(flag - GENERATED);
    if (!generated && flag % 10 != 2) {
        e->offsets = take_numbers(c, entries);
        if (flag > DISPLACED) e->displacements = take_numbers(c, entries);
    }
    size_t n = (size_t)last;
    if (flag != 1 && flag <= 10) return false;
    if (version <= 1) n = xy_u32(c);
    const uint8_t *data = xy_take(c, n);
    if (!data || n < (size_t)last) return false;
    e->data = data + e->keylen;
    e->data_size = (size_t)last - e->keylen;
    return true;
}

static void put_u32(xy_buffer *out, uint32_t v) {
    xy_append_u32(out, __builtin_bswap32(v));
}

static void put_numbers(xy_buffer *out, const uint8_t *numbers, int32_t entries) {
    if (!numbers) return;
    put_u32(out, (uint32_t)entries + 1);
    xy_append(out, numbers, xy_bytes_of((uint32_t)entries, 4));
    put_u32(out, 0);
}

int32_t xw_embedded(xy_ctx *ctx, const uint8_t *src, size_t len) {
    xy_ctx_begin(ctx);
    xy_cursor c = xy_cursor_of(src, len);
    embedded e;
    bool read = read_embedded(&c, &e) && !c.bad;
    size_t head = 19 + (read && e.counts.nev_size < 0 ? 1 : 0);
    if (!read || e.key_size + head != e.keylen) {
        xy_fail(&ctx->err, XY_E_UNSUPPORTED, 0,
                "a basket in the record of its tree is not as ROOT writes it");
        return xy_ctx_end(ctx);
    }
    xy_buffer *out = &ctx->out;
    uint32_t even = (uint32_t)(e.data_size / (uint32_t)e.counts.entries);
    int32_t nev_size = e.counts.nev_size < 0 ? e.counts.nev_size
                       : e.offsets           ? e.counts.entries + 1
                                             : (int32_t)even;
    const uint8_t basket_version[] = {0, BASKET_VERSION};
    xy_append(out, e.key, e.key_size);
    xy_append(out, basket_version, sizeof basket_version);
    put_u32(out, (uint32_t)e.counts.last);
    put_u32(out, (uint32_t)nev_size);
    if (nev_size < 0) xy_append_u8(out, e.counts.features);
    put_u32(out, (uint32_t)e.counts.entries);
    put_u32(out, (uint32_t)e.counts.last);
    xy_append_u8(out, 0); /* no data within the key */
    xy_append(out, e.data, e.data_size);
    put_numbers(out, e.offsets, e.counts.entries);
    put_numbers(out, e.displacements, e.counts.entries);
    return xy_ctx_end(ctx);
}
