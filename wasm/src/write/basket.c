/* Baskets made of entries of other baskets. An entry's bytes travel as they are; what is made anew
 * is the table of offsets, which count from the start of the key. Objects of an entry that refer to
 * each other do it by such offsets too, so an entry that moves is listed with the offset that it
 * had: ROOT's fDisplacement. */
#include "xylem-write.h"

#include "../abi/ctx.h"
#include "../file/basket.h"
#include "../file/file.h"

#include <inttypes.h>

enum { BASKET_VERSION = 3, HEAD_BYTES = 19, MAX_BASKET = 0x7f000000 };

struct xw_basket {
    uint32_t key_length;
    bool offsets, references;
    bool moved; /* an entry lies elsewhere than it did */
    uint32_t entries;
    uint64_t entry_size; /* of baskets without offsets */
    xy_buffer data;
    xy_buffer begins; /* uint32 for each entry: its offset in the new basket, */
    xy_buffer were;   /* and the one that it had */
};

/* A basket that was read. */
typedef struct {
    xy_basket basket;
    size_t even; /* bytes of each entry where there are no offsets */
} source;

static xy_status open_source(xy_file *file, xy_error *err, const uint8_t *src, size_t len,
                             source *from) {
    from->even = 0;
    xy_key key;
    xy_basket_counts counts;
    xy_basket *b = &from->basket;
    xy_status s = xy_open_basket(file->codec, err, src, len, &file->scratch, &key, &counts, b);
    if (s || b->offsets || !b->entries) return s;
    from->even = b->size / (size_t)b->entries;
    if (from->even * (size_t)b->entries != b->size ||
        (counts.nev_size >= 0 && (uint32_t)counts.nev_size != from->even))
        return xy_fail(err, XY_E_UNSUPPORTED, b->keylen,
                       "a basket of %u entries in %zu bytes does not say where they begin",
                       (unsigned)b->entries, b->size);
    return XY_OK;
}

static size_t entry_begin(const source *from, uint32_t i) {
    const xy_basket *b = &from->basket;
    if (i >= b->entries) return b->size;
    if (!b->offsets) return i * from->even;
    size_t offset = xy_be32(b->offsets + 4 * (size_t)i);
    return offset >= b->keylen ? offset - b->keylen : SIZE_MAX;
}

xw_basket *xw_basket_create(xy_ctx *ctx, uint32_t key_length, int32_t offsets, int32_t references) {
    xy_ctx_begin(ctx);
    xw_basket *b =
        key_length >= HEAD_BYTES && key_length <= INT16_MAX ? xy_new(1, sizeof *b) : NULL;
    if (!b) {
        xy_fail(&ctx->err, XY_E_ARGUMENT, 0, "a basket's key cannot have %u bytes",
                (unsigned)key_length);
        return NULL;
    }
    b->key_length = key_length;
    b->offsets = offsets;
    b->references = references;
    return b;
}

void xw_basket_destroy(xw_basket *b) {
    if (!b) return;
    xy_buffer_free(&b->data);
    xy_buffer_free(&b->begins);
    xy_buffer_free(&b->were);
    free(b);
}

static xy_status add_range(xw_basket *b, xy_error *err, const source *from, uint32_t first,
                           uint32_t end) {
    const xy_basket *old = &from->basket;
    if (first > end || end > old->entries)
        return xy_fail(err, XY_E_ARGUMENT, 0, "a basket of %u entries has no entries %u to %u",
                       (unsigned)old->entries, (unsigned)first, (unsigned)end);
    if (first == end) return XY_OK;
    size_t begin = entry_begin(from, first), stop = entry_begin(from, end);
    if (begin > stop || stop > old->size)
        return xy_fail(err, XY_E_CORRUPT, old->keylen + old->size,
                       "an entry of a basket has borders outside of its %zu bytes", old->size);
    if (b->data.len + (uint64_t)(stop - begin) > MAX_BASKET)
        return xy_fail(err, XY_E_BUDGET, 0, "a basket cannot have more than 2 GB");
    for (uint32_t i = first; i < end; i++) {
        size_t at = entry_begin(from, i), next = entry_begin(from, i + 1);
        if (at > next || next > old->size)
            return xy_fail(err, XY_E_CORRUPT, old->keylen + old->size,
                           "an entry of a basket has borders outside of its %zu bytes", old->size);
        if (!b->offsets) {
            if (b->entries && b->entry_size != next - at)
                return xy_fail(err, XY_E_UNSUPPORTED, at + old->keylen,
                               "entries of %" PRIu64 " and of %zu bytes need offsets",
                               b->entry_size, next - at);
            b->entry_size = next - at;
        } else {
            uint32_t offset = (uint32_t)(b->data.len + (at - begin)) + b->key_length;
            uint32_t was =
                old->were ? xy_be32(old->were + 4 * (size_t)i) : (uint32_t)(at + old->keylen);
            b->moved |= offset != was;
            xy_append_u32(&b->begins, offset);
            xy_append_u32(&b->were, was);
        }
        b->entries++;
    }
    xy_append(&b->data, old->data + begin, stop - begin);
    if (b->data.failed || b->begins.failed || b->were.failed)
        return xy_fail(err, XY_E_MEMORY, 0, "no memory for a basket");
    return XY_OK;
}

int32_t xw_basket_add(xy_ctx *ctx, xw_basket *b, xy_file *file, const uint8_t *src, size_t len,
                      const uint32_t *ranges, uint32_t count) {
    xy_ctx_begin(ctx);
    source from;
    xy_status s = open_source(file, &ctx->err, src, len, &from);
    const uint32_t all[] = {0, (uint32_t)from.basket.entries};
    if (!ranges) {
        ranges = all;
        count = 1;
    }
    for (uint32_t i = 0; i < count && !s; i++)
        s = add_range(b, &ctx->err, &from, ranges[2 * (size_t)i], ranges[2 * (size_t)i + 1]);
    return xy_ctx_end(ctx);
}

static void put_u32(xy_buffer *out, uint32_t v) {
    xy_append_u32(out, __builtin_bswap32(v));
}

/* The count, the offset of each entry, and a last number that nobody reads. */
static void put_table(xy_buffer *out, const xy_buffer *numbers, uint32_t entries) {
    put_u32(out, entries + 1);
    for (uint32_t i = 0; i < entries; i++) {
        uint32_t v;
        memcpy(&v, numbers->data + 4 * (size_t)i, 4);
        put_u32(out, v);
    }
    put_u32(out, 0);
}

int32_t xw_basket_finish(xy_ctx *ctx, const xw_basket *b) {
    xy_ctx_begin(ctx);
    if (b->entries == 0) {
        xy_fail(&ctx->err, XY_E_ARGUMENT, 0, "a basket without entries is never written");
        return xy_ctx_end(ctx);
    }
    bool displaced = b->references && b->moved;
    uint64_t table = b->offsets ? 4 * ((uint64_t)b->entries + 2) : 0;
    uint64_t whole = b->key_length + b->data.len + table * (displaced ? 2 : 1);
    if (whole > INT32_MAX || b->entry_size > INT32_MAX) {
        xy_fail(&ctx->err, XY_E_BUDGET, 0, "a basket cannot have more than 2 GB");
        return xy_ctx_end(ctx);
    }
    xy_buffer *out = &ctx->out;
    const uint8_t version[] = {0, BASKET_VERSION};
    xy_append(out, version, sizeof version);
    put_u32(out, (uint32_t)whole);                                       /* fBufferSize */
    put_u32(out, b->offsets ? b->entries + 1 : (uint32_t)b->entry_size); /* fNevBufSize */
    put_u32(out, b->entries);
    put_u32(out, (uint32_t)(b->key_length + b->data.len)); /* fLast */
    xy_append_u8(out, 0);                                  /* no data within the key */
    xy_append(out, b->data.data, b->data.len);
    if (b->offsets) put_table(out, &b->begins, b->entries);
    if (displaced) put_table(out, &b->were, b->entries);
    return xy_ctx_end(ctx);
}

uint32_t xw_basket_entries(const xw_basket *b) {
    return b->entries;
}
