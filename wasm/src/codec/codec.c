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

xy_status xy_decompress(xy_codec *codec, xy_error *err, const uint8_t *src, size_t src_len,
                        uint8_t *dst, size_t dst_len) {
    if (src_len == dst_len) {
        if (dst_len > 0) memcpy(dst, src, dst_len);
        return XY_OK;
    }
    size_t in = 0;
    size_t out = 0;
    while (out < dst_len) {
        const uint8_t *envelope = src + in;
        if (src_len - in < ENVELOPE) {
            return xy_fail(err, XY_E_TRUNCATED, in,
                           "a compressed object ends after %zu of its %zu bytes: expected the "
                           "9-byte header of a block, found %zu bytes",
                           out, dst_len, src_len - in);
        }
        size_t compressed = le24(envelope + 3);
        size_t uncompressed = le24(envelope + 6);
        xy_method *decode = find_method(envelope);
        if (!decode) {
            return xy_fail(err, XY_E_CODEC, in,
                           "a compressed block starts with bytes %02x %02x: expected ZL, ZS, L4, "
                           "XZ or CS",
                           envelope[0], envelope[1]);
        }
        in += ENVELOPE;
        if (compressed > src_len - in) {
            return xy_fail(err, XY_E_TRUNCATED, in,
                           "a %.2s block says that it holds %zu bytes, but only %zu are left of "
                           "the object",
                           (const char *)envelope, compressed, src_len - in);
        }
        if (uncompressed == 0 || uncompressed > dst_len - out) {
            return xy_fail(err, XY_E_CORRUPT, in - 3,
                           "a %.2s block says that it gives %zu bytes, but the object still needs "
                           "%zu",
                           (const char *)envelope, uncompressed, dst_len - out);
        }
        xy_status status = decode(codec, err, in, src + in, compressed, dst + out, uncompressed);
        if (status != XY_OK) return status;
        in += compressed;
        out += uncompressed;
    }
    if (in != src_len) {
        return xy_fail(err, XY_E_CORRUPT, in,
                       "a compressed object is complete after %zu bytes, but %zu were stored", in,
                       src_len);
    }
    return XY_OK;
}
