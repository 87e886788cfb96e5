/* ZL and CS blocks. ZL is zlib's format (RFC 1950): 2 bytes of header, deflate, 4 bytes of adler32
 * (big-endian) over the uncompressed bytes. CS is deflate without either. */
#include "../bytes.h"
#include "adler32.h"
#include "method.h"

#include <libdeflate.h>

enum { HEADER = 2, TRAILER = 4 };

static xy_status inflate(xy_codec *codec, xy_error *err, uint64_t at, const uint8_t *src,
                         size_t src_len, uint8_t *dst, size_t dst_len) {
    if (!codec->deflate) codec->deflate = libdeflate_alloc_decompressor();
    if (!codec->deflate) return xy_fail(err, XY_E_MEMORY, at, "no memory for the zlib decoder");
    size_t used = 0;
    size_t made = 0;
    enum libdeflate_result result =
        libdeflate_deflate_decompress_ex(codec->deflate, src, src_len, dst, dst_len, &used, &made);
    switch (result) {
    case LIBDEFLATE_SUCCESS: break;
    case LIBDEFLATE_INSUFFICIENT_SPACE:
        return xy_fail(err, XY_E_COMPRESSION, at,
                       "zlib data decompresses to more than the %zu bytes that its block names",
                       dst_len);
    default:
        return xy_fail(err, XY_E_COMPRESSION, at,
                       "%zu bytes of zlib data are damaged: no valid deflate stream", src_len);
    }
    if (made != dst_len) {
        return xy_fail(err, XY_E_COMPRESSION, at,
                       "zlib data decompresses to %zu bytes, its block names %zu", made, dst_len);
    }
    if (used != src_len) {
        return xy_fail(err, XY_E_COMPRESSION, at + used,
                       "zlib data ends after %zu of the %zu bytes of its block", used, src_len);
    }
    return XY_OK;
}

xy_status xy_method_deflate(xy_codec *codec, xy_error *err, uint64_t at, const uint8_t *src,
                            size_t src_len, uint8_t *dst, size_t dst_len) {
    return inflate(codec, err, at, src, src_len, dst, dst_len);
}

xy_status xy_method_zlib(xy_codec *codec, xy_error *err, uint64_t at, const uint8_t *src,
                         size_t src_len, uint8_t *dst, size_t dst_len) {
    if (src_len < HEADER + TRAILER) {
        return xy_fail(err, XY_E_COMPRESSION, at,
                       "a zlib block holds %zu bytes, fewer than its header and checksum need",
                       src_len);
    }
    /* CM = 8 is deflate, CINFO <= 7 a window of at most 32 KiB, FDICT a dictionary nobody has. */
    unsigned cmf = src[0];
    unsigned flg = src[1];
    if ((cmf & 15) != 8 || cmf >> 4 > 7 || (flg & 0x20) || (cmf << 8 | flg) % 31 != 0) {
        return xy_fail(err, XY_E_COMPRESSION, at,
                       "a zlib block starts with bytes %02x %02x, which are no zlib header", cmf,
                       flg);
    }
    xy_status status =
        inflate(codec, err, at + HEADER, src + HEADER, src_len - HEADER - TRAILER, dst, dst_len);
    if (status != XY_OK) return status;
    uint32_t stored = xy_be32(src + src_len - TRAILER);
    uint32_t computed = xy_adler32(dst, dst_len);
    if (stored != computed) {
        return xy_fail(err, XY_E_CHECKSUM, at + src_len - TRAILER,
                       "zlib data is damaged: its adler32 is %08x, stored is %08x", computed,
                       stored);
    }
    return XY_OK;
}
