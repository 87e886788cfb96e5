/* Trying codecs on stored bytes: what they would take, and how long they take. */
#include "pack.h"

#include "../abi/ctx.h"
#include "../clock.h"
#include "../codec/codec.h"
#include "../file/record.h"

#include <math.h>

/* The blocks of a page: see codec/codec.h for their layout. */
enum { ENVELOPE = 9, BLOCK_SIZE = 3 };

/* Returns how many of the stored bytes of a page are its blocks; the others are its checksum. */
static size_t blocks_of(const uint8_t *src, size_t len, size_t page) {
    enum { CHECKSUM = 8 };
    if (len == page || len == page + CHECKSUM) return page;
    size_t at = 0, done = 0;
    while (done < page && len - at >= ENVELOPE) {
        const uint8_t *size = src + at + BLOCK_SIZE;
        size_t stored = (size_t)size[0] | (size_t)size[1] << 8 | (size_t)size[2] << 16;
        done += (size_t)size[3] | (size_t)size[4] << 8 | (size_t)size[5] << 16;
        if (stored > len - at - ENVELOPE) return len;
        at += ENVELOPE + stored;
    }
    return at;
}

static xy_status unpack_page(xy_codec *codec, xy_error *err, const uint8_t *src, size_t len,
                             size_t page, xy_buffer *out) {
    uint8_t *dst = xy_extend(out, page);
    if (!dst) return xy_fail(err, XY_E_MEMORY, 0, "no memory for a page of %zu bytes", page);
    return xy_decompress(codec, err, src, blocks_of(src, len, page), dst, page);
}

static xy_status unpack_record(xy_codec *codec, xy_error *err, const uint8_t *src, size_t len,
                               xy_buffer *out, size_t *head) {
    xy_cursor c = xy_cursor_of(src, len);
    xy_key key;
    xy_status s = xy_read_key(err, &c, &key);
    if (!s) s = xy_unpack(codec, err, src, len, &key, out);
    *head = s ? 0 : key.keylen;
    return s;
}

/* Short steps are repeated, and the shortest counts: other programs interrupt some. */
enum { REPEATS = 3 };
static const double SHORT_MS = 3;

/* One codec: the three numbers of the result. */
static xy_status try_codec(xy_codec *codec, xw_packer *packer, xy_error *err, const int32_t *which,
                           const xy_buffer *object, xy_buffer *packed, xy_buffer *again,
                           double numbers[3]) {
    const size_t len = object->len;
    again->len = 0;
    uint8_t *dst = xy_extend(again, len);
    if (!dst) return xy_fail(err, XY_E_MEMORY, 0, "no memory to try a codec");
    numbers[1] = numbers[2] = HUGE_VAL;
    xy_status s = XY_OK;
    for (int i = 0; i < REPEATS && !s && (i == 0 || numbers[1] < SHORT_MS); i++) {
        packed->len = 0;
        double start = xy_clock();
        s = xw_pack_blocks(packer, err, which[0], which[1], object->data, len, packed);
        numbers[1] = fmin(numbers[1], xy_clock() - start);
    }
    for (int i = 0; i < REPEATS && !s && (i == 0 || numbers[2] < SHORT_MS); i++) {
        double start = xy_clock();
        s = xy_decompress(codec, err, packed->data, packed->len, dst, len);
        numbers[2] = fmin(numbers[2], xy_clock() - start);
    }
    numbers[0] = (double)packed->len;
    if (!s && memcmp(dst, object->data, len) != 0)
        s = xy_fail(err, XY_E_COMPRESSION, 0, "compression %d of level %d gives other bytes back",
                    (int)which[0], (int)which[1]);
    return s;
}

int32_t xw_try(xy_ctx *ctx, xw_packer *packer, const int32_t *codecs, uint32_t count,
               const uint8_t *src, size_t len, uint32_t page) {
    xy_ctx_begin(ctx);
    xy_codec *codec = xy_codec_create();
    xy_buffer object = {0}, packed = {0}, again = {0};
    size_t head = 0;
    xy_status s = XY_OK;
    if (!codec)
        s = xy_fail(&ctx->err, XY_E_MEMORY, 0, "no memory to try a codec");
    else if (page)
        s = unpack_page(codec, &ctx->err, src, len, page, &object);
    else
        s = unpack_record(codec, &ctx->err, src, len, &object, &head);
    if (!s && page) head = len - blocks_of(src, len, page);
    double first[2] = {(double)object.len, (double)head}, numbers[3] = {0};
    if (!s) xy_append(&ctx->out, first, sizeof first);
    for (uint32_t i = 0; i < count && !s; i++) {
        s = try_codec(codec, packer, &ctx->err, codecs + 2 * i, &object, &packed, &again, numbers);
        if (!s) xy_append(&ctx->out, numbers, sizeof numbers);
    }
    xy_buffer_free(&object);
    xy_buffer_free(&packed);
    xy_buffer_free(&again);
    xy_codec_destroy(codec);
    return xy_ctx_end(ctx);
}
