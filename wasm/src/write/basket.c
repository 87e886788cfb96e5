/* Baskets made of entries of other baskets. An entry's bytes travel as they are, but for its
 * pointers (entry_moves.h); what is made anew is the table of offsets, which count from the start
 * of the key. */
#include "xylem-write.h"

#include "../abi/ctx.h"
#include "../file/basket.h"
#include "../file/file.h"
#include "entry_moves.h"
#include "pack.h"

#include <inttypes.h>

enum { BASKET_VERSION = 3, HEAD_BYTES = 19, MAX_BASKET = 0x7f000000 };
/* The number from which process ids count stands above these bits of fSeekPdir. */
enum { PLACE_BITS = 48 };
/* Places in a key. */
enum { KEY_NBYTES = 0, KEY_OBJLEN = 6, KEY_KEYLEN = 14 };

struct xw_basket {
    xy_buffer key;       /* of the first source, without what baskets add to it */
    uint32_t key_length; /* of the new record */
    uint64_t pid;        /* its process ids count from this number */
    bool offsets;
    xw_entries *moves; /* NULL: entries hold no pointers */
    uint32_t entries;
    uint64_t entry_size; /* of baskets without offsets */
    xy_buffer data;
    xy_buffer begins; /* uint32 for each entry: its offset in the new basket */
};

/* How an object is compressed. */
typedef struct {
    xw_packer *packer;
    int32_t algorithm, level;
} xw_packing;

/* A basket that was read. */
typedef struct {
    xy_basket basket;
    size_t even; /* bytes of each entry where there are no offsets */
    xy_key key;
} source;

static xy_status open_source(xy_file *file, xy_error *err, const uint8_t *src, size_t len,
                             bool offsets, source *from) {
    from->even = 0;
    xy_basket_counts counts;
    xy_basket *b = &from->basket;
    xy_status s =
        xy_open_basket(file->codec, err, src, len, &file->scratch, &from->key, &counts, b);
    if (s || b->offsets || !b->entries) return s;
    from->even = b->size / (size_t)b->entries;
    /* The offsets of a branch that has some are not written where they follow from other branches
     * (kGenerateOffsetMap). */
    int64_t size = counts.nev_size < 0 ? -(int64_t)counts.nev_size : counts.nev_size;
    bool known = !offsets && (uint64_t)size == from->even;
    if (from->even * (size_t)b->entries != b->size || (b->entries > 1 && !known))
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

xw_basket *xw_basket_create(xy_ctx *ctx, int32_t offsets, xw_entries *entries) {
    xy_ctx_begin(ctx);
    xw_basket *b = xy_new(1, sizeof *b);
    if (!b) {
        xy_fail(&ctx->err, XY_E_MEMORY, 0, "no memory for a basket");
        return NULL;
    }
    b->offsets = offsets;
    b->moves = entries;
    return b;
}

void xw_basket_destroy(xw_basket *b) {
    if (!b) return;
    xy_buffer_free(&b->key);
    xy_buffer_free(&b->data);
    xy_buffer_free(&b->begins);
    free(b);
}

/* The key is that of the first source, because names are kept. */
static xy_status join_key(xw_basket *b, xy_error *err, const uint8_t *src, const xy_key *key) {
    uint64_t pid = key->version > 1000 ? key->seek_dir >> PLACE_BITS : 0;
    if (b->key_length)
        return pid == b->pid ? XY_OK
                             : xy_fail(err, XY_E_UNSUPPORTED, 0,
                                       "baskets with different numbers of process ids (%u, %u) "
                                       "cannot become one",
                                       (unsigned)b->pid, (unsigned)pid);
    b->pid = pid;
    b->key_length = (uint32_t)key->header_bytes + HEAD_BYTES;
    if (b->key_length > INT16_MAX)
        return xy_fail(err, XY_E_BUDGET, 0, "a basket's key cannot have %u bytes",
                       (unsigned)b->key_length);
    return xy_append(&b->key, src, key->header_bytes)
               ? XY_OK
               : xy_fail(err, XY_E_MEMORY, 0, "no memory for a basket");
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
    size_t base = b->data.len;
    xy_append(&b->data, old->data + begin, stop - begin);
    if (b->data.failed) return xy_fail(err, XY_E_MEMORY, 0, "no memory for a basket");
    for (uint32_t i = first; i < end; i++) {
        size_t at = entry_begin(from, i), next = entry_begin(from, i + 1);
        if (at > next || at < begin || next > stop)
            return xy_fail(err, XY_E_CORRUPT, old->keylen + old->size,
                           "an entry of a basket has borders outside of its %zu bytes", old->size);
        if (!b->offsets) {
            if (b->entries && b->entry_size != next - at)
                return xy_fail(err, XY_E_UNSUPPORTED, at + old->keylen,
                               "entries of %" PRIu64 " and of %zu bytes need offsets",
                               b->entry_size, next - at);
            b->entry_size = next - at;
        }
        uint32_t offset = (uint32_t)(base + (at - begin)) + b->key_length;
        uint32_t was =
            old->were ? xy_be32(old->were + 4 * (size_t)i) : (uint32_t)(at + old->keylen);
        if (b->offsets) xy_append_u32(&b->begins, offset);
        if (b->moves && offset != was) {
            xy_status s = xw_entry_move(b->moves, err, old->data + at, next - at, was, offset,
                                        b->data.data + base + (at - begin));
            if (s) return s;
        }
        b->entries++;
    }
    return b->begins.failed ? xy_fail(err, XY_E_MEMORY, 0, "no memory for a basket") : XY_OK;
}

int32_t xw_basket_add(xy_ctx *ctx, xw_basket *b, xy_file *file, const uint8_t *src, size_t len,
                      const uint32_t *ranges, uint32_t count) {
    xy_ctx_begin(ctx);
    source from;
    xy_status s = open_source(file, &ctx->err, src, len, b->offsets, &from);
    if (!s) s = join_key(b, &ctx->err, src, &from.key);
    const uint32_t all[] = {0, (uint32_t)from.basket.entries};
    if (!ranges) {
        ranges = all;
        count = 1;
    }
    for (uint32_t i = 0; i < count && !s; i++)
        s = add_range(b, &ctx->err, &from, ranges[2 * (size_t)i], ranges[2 * (size_t)i + 1]);
    return xy_ctx_end(ctx);
}

/* Adds an entry of `size` bytes, and its offset where the basket has some. */
static xy_status add_entry(xw_basket *b, xy_error *err, const uint8_t *bytes, uint32_t size) {
    if (b->data.len + (uint64_t)size > MAX_BASKET)
        return xy_fail(err, XY_E_BUDGET, 0, "a basket cannot have more than 2 GB");
    if (b->offsets) {
        uint32_t offset = (uint32_t)b->data.len + b->key_length;
        xy_append_u32(&b->begins, offset);
    } else if (b->entries && b->entry_size != size) {
        return xy_fail(err, XY_E_UNSUPPORTED, 0,
                       "entries of %" PRIu64 " and of %u bytes need offsets", b->entry_size,
                       (unsigned)size);
    }
    b->entry_size = b->offsets ? 0 : size;
    b->entries++;
    uint8_t *data = size ? xy_extend(&b->data, size) : NULL;
    if ((size && !data) || b->begins.failed)
        return xy_fail(err, XY_E_MEMORY, 0, "no memory for a basket");
    if (data && bytes)
        memcpy(data, bytes, size);
    else if (data)
        memset(data, 0, size);
    return XY_OK;
}

int32_t xw_basket_fill(xy_ctx *ctx, xw_basket *b, const uint8_t *src, size_t key_length, size_t len,
                       const uint32_t *sizes, uint32_t count) {
    xy_ctx_begin(ctx);
    if (key_length > len || len - key_length > MAX_BASKET || b->entries > UINT32_MAX - count ||
        key_length > INT16_MAX - HEAD_BYTES || b->key_length) {
        xy_fail(&ctx->err, XY_E_ARGUMENT, 0, "a basket cannot be filled so");
        return xy_ctx_end(ctx);
    }
    b->key_length = (uint32_t)key_length + HEAD_BYTES;
    if (!xy_append(&b->key, src, key_length))
        xy_fail(&ctx->err, XY_E_MEMORY, 0, "no memory for a basket");
    const uint8_t *entry = sizes ? NULL : src + key_length;
    for (uint32_t i = 0; !ctx->err.status && i < count; i++)
        add_entry(b, &ctx->err, entry, sizes ? sizes[i] : (uint32_t)(len - key_length));
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

static void set_u32(uint8_t *at, uint32_t v) {
    v = __builtin_bswap32(v);
    memcpy(at, &v, 4);
}

/* Appends a compressed object to its key; the lengths in the key follow. */
static xy_status pack_record(xy_buffer *out, xy_error *err, const xw_packing *how,
                             const uint8_t *object, size_t len) {
    size_t key_length = out->len;
    if (out->failed) return xy_fail(err, XY_E_MEMORY, 0, "no memory for a record");
    xy_status s = xw_pack_blocks(how->packer, err, how->algorithm, how->level, object, len, out);
    if (s) return s;
    uint8_t *key = out->data;
    if (out->len > INT32_MAX) return xy_fail(err, XY_E_BUDGET, 0, "a record has more than 2 GB");
    set_u32(key + KEY_NBYTES, (uint32_t)out->len);
    set_u32(key + KEY_OBJLEN, (uint32_t)len);
    key[KEY_KEYLEN] = (uint8_t)(key_length >> 8);
    key[KEY_KEYLEN + 1] = (uint8_t)key_length;
    return XY_OK;
}

int32_t xw_basket_finish(xy_ctx *ctx, xw_basket *b, xw_packer *packer, int32_t algorithm,
                         int32_t level) {
    xy_ctx_begin(ctx);
    if (b->entries == 0) {
        xy_fail(&ctx->err, XY_E_ARGUMENT, 0, "a basket without entries is never written");
        return xy_ctx_end(ctx);
    }
    uint64_t table = b->offsets ? 4 * ((uint64_t)b->entries + 2) : 0;
    uint64_t whole = b->key_length + b->data.len + table;
    if (whole > INT32_MAX || b->entry_size > INT32_MAX) {
        xy_fail(&ctx->err, XY_E_BUDGET, 0, "a basket cannot have more than 2 GB");
        return xy_ctx_end(ctx);
    }
    uint32_t last = (uint32_t)(b->key_length + b->data.len);
    if (b->offsets) put_table(&b->data, &b->begins, b->entries);
    xy_buffer *out = &ctx->out;
    xy_append(out, b->key.data, b->key.len);
    const uint8_t version[] = {0, BASKET_VERSION};
    xy_append(out, version, sizeof version);
    put_u32(out, (uint32_t)whole);                                       /* fBufferSize */
    put_u32(out, b->offsets ? b->entries + 1 : (uint32_t)b->entry_size); /* fNevBufSize */
    put_u32(out, b->entries);
    put_u32(out, last);   /* fLast */
    xy_append_u8(out, 0); /* no data within the key */
    xw_packing how = {packer, algorithm, level};
    if (b->data.failed)
        xy_fail(&ctx->err, XY_E_MEMORY, 0, "no memory for a basket");
    else
        pack_record(out, &ctx->err, &how, b->data.data, b->data.len);
    return xy_ctx_end(ctx);
}

int32_t xw_repack(xy_ctx *ctx, xy_file *file, xw_packer *packer, int32_t algorithm, int32_t level,
                  const uint8_t *src, size_t len) {
    xy_ctx_begin(ctx);
    xy_key key;
    xy_status s = xy_file_unpack(file, &ctx->err, src, len, &key);
    if (!s && key.keylen < key.header_bytes)
        s = xy_fail(&ctx->err, XY_E_CORRUPT, 0, "a key of %u bytes is longer than it says",
                    (unsigned)key.header_bytes);
    if (!s) {
        xw_packing how = {packer, algorithm, level};
        xy_append(&ctx->out, src, key.keylen);
        pack_record(&ctx->out, &ctx->err, &how, file->scratch.data, file->scratch.len);
    }
    return xy_ctx_end(ctx);
}

uint32_t xw_basket_entries(const xw_basket *b) {
    return b->entries;
}
