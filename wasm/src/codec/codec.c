/* The envelope of compressed objects (see codec.h for the layout) and the life of the decoders.
 *
 * Invariant of the loop: `in` bytes of src and `out` bytes of dst are done, and every block takes
 * at least 9 bytes of src, so it ends whatever the sizes claim. */
#include "codec.h"
#include "../buffer.h"
#include "method.h"

#include <libdeflate.h>
#include <stdlib.h>
#include <string.h>
#include <zstd.h>

enum { ENVELOPE = 9 };

typedef struct {
    char tag[3];
    xy_method *decode;
} method_entry;

/* The method byte is not looked at: writers differ in it, and the tag says it all. */
static const method_entry METHODS[] = {
    {"ZL", xy_method_zlib}, {"ZS", xy_method_zstd},    {"L4", xy_method_lz4},
    {"XZ", xy_method_xz},   {"CS", xy_method_deflate},
};

static xy_method *find_method(const uint8_t *envelope) {
    for (size_t i = 0; i < sizeof METHODS / sizeof METHODS[0]; i++) {
        if (memcmp(envelope, METHODS[i].tag, 2) == 0) return METHODS[i].decode;
    }
    return NULL;
}

static size_t le24(const uint8_t *p) {
    return (size_t)p[0] | (size_t)p[1] << 8 | (size_t)p[2] << 16;
}

xy_codec *xy_codec_create(void) {
    xy_codec *codec = xy_new(1, sizeof *codec);
    if (codec) codec->xz = (lzma_stream)LZMA_STREAM_INIT;
    return codec;
}

void xy_codec_destroy(xy_codec *codec) {
    if (!codec) return;
    libdeflate_free_decompressor(codec->deflate);
    ZSTD_freeDCtx(codec->zstd);
    lzma_end(&codec->xz);
    free(codec);
}

/* A block of an object: its decoder, compressed bytes and bytes that it gives. */
typedef struct {
    xy_method *decode;
    size_t compressed, gives;
} block_head;

/* Reads the envelope at src[in]; `left` bytes are missing of an object of `whole` bytes. */
static xy_status read_head(xy_error *err, const uint8_t *src, size_t src_len, size_t in,
                           size_t left, size_t whole, block_head *out) {
    const uint8_t *envelope = src + in;
    if (src_len - in < ENVELOPE) {
        return xy_fail(err, XY_E_TRUNCATED, in,
                       "a compressed object ends after %zu of its %zu bytes: expected the "
                       "9-byte header of a block, found %zu bytes",
                       whole - left, whole, src_len - in);
    }
    *out = (block_head){find_method(envelope), le24(envelope + 3), le24(envelope + 6)};
    if (!out->decode) {
        return xy_fail(err, XY_E_CODEC, in,
                       "a compressed block starts with bytes %02x %02x: expected ZL, ZS, L4, "
                       "XZ or CS",
                       envelope[0], envelope[1]);
    }
    in += ENVELOPE;
    if (out->compressed > src_len - in) {
        return xy_fail(err, XY_E_TRUNCATED, in,
                       "a %.2s block says that it holds %zu bytes, but only %zu are left of "
                       "the object",
                       (const char *)envelope, out->compressed, src_len - in);
    }
    if (out->gives == 0 || out->gives > left) {
        return xy_fail(err, XY_E_CORRUPT, in - 3,
                       "a %.2s block says that it gives %zu bytes, but the object still needs "
                       "%zu",
                       (const char *)envelope, out->gives, left);
    }
    return XY_OK;
}

/* Decompresses to `dst`, or, where that is NULL, block by block to `part`, for `take`. */
static xy_status each_block(xy_codec *codec, xy_error *err, const uint8_t *src, size_t src_len,
                            size_t dst_len, uint8_t *dst, xy_buffer *part, xy_take_part *take,
                            void *use) {
    size_t in = 0;
    size_t out = 0;
    while (out < dst_len) {
        block_head head;
        xy_status s = read_head(err, src, src_len, in, dst_len - out, dst_len, &head);
        if (s) return s;
        in += ENVELOPE;
        uint8_t *to = dst ? dst + out : NULL;
        if (!dst) {
            part->len = 0;
            to = xy_extend(part, head.gives);
            if (!to) return xy_fail(err, XY_E_MEMORY, 0, "no memory for a block of an object");
        }
        s = head.decode(codec, err, in, src + in, head.compressed, to, head.gives);
        if (s) return s;
        if (!dst) take(use, to, head.gives);
        in += head.compressed;
        out += head.gives;
    }
    if (in != src_len) {
        return xy_fail(err, XY_E_CORRUPT, in,
                       "a compressed object is complete after %zu bytes, but %zu were stored", in,
                       src_len);
    }
    return XY_OK;
}

xy_status xy_decompress(xy_codec *codec, xy_error *err, const uint8_t *src, size_t src_len,
                        uint8_t *dst, size_t dst_len) {
    if (src_len == dst_len) {
        if (dst_len > 0) memcpy(dst, src, dst_len);
        return XY_OK;
    }
    return each_block(codec, err, src, src_len, dst_len, dst, NULL, NULL, NULL);
}

xy_status xy_decompress_parts(xy_codec *codec, xy_error *err, const uint8_t *src, size_t src_len,
                              size_t dst_len, xy_take_part *take, void *use) {
    if (src_len == dst_len) {
        take(use, src, src_len);
        return XY_OK;
    }
    xy_buffer part = {0};
    xy_status s = each_block(codec, err, src, src_len, dst_len, NULL, &part, take, use);
    xy_buffer_free(&part);
    return s;
}
