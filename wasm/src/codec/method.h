/* Shared by the compression methods and by codec.c: the decoder state, and one function for each
 * method. Each function decompresses exactly one block: `src` is the payload after the 9 bytes of
 * the envelope, and `at` its offset in the object, for errors. It fills exactly `dst_len` bytes or
 * fails. It also fails if there are bytes after the end of the compressed stream. */
#ifndef XY_CODEC_METHOD_H
#define XY_CODEC_METHOD_H

#include "codec.h"

#include <lzma.h>

struct libdeflate_decompressor;
struct ZSTD_DCtx_s;

/* Each decoder is created by the first block that needs it. */
struct xy_codec {
    struct libdeflate_decompressor *deflate;
    struct ZSTD_DCtx_s *zstd;
    lzma_stream xz;
};

typedef xy_status xy_method(xy_codec *codec, xy_error *err, uint64_t at, const uint8_t *src,
                            size_t src_len, uint8_t *dst, size_t dst_len);

xy_method xy_method_zlib;    /* ZL: zlib's header, deflate, adler32 */
xy_method xy_method_deflate; /* CS: deflate alone, of ROOT before 3 */
xy_method xy_method_zstd;    /* ZS: one or more zstd frames */
xy_method xy_method_lz4;     /* L4: xxh64 of the rest (big-endian), one LZ4 block */
xy_method xy_method_xz;      /* XZ: an .xz stream */

#endif
