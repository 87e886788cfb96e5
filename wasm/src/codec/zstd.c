/* ZS blocks: zstd frames as ROOT writes them, with the content's size and no checksum. */
#include "method.h"

#include <zstd.h>
#include <zstd_errors.h>

/* Texts for the failures that files cause; zstd's own strings are not linked. */
static const char *reason(ZSTD_ErrorCode code) {
    switch (code) {
    case ZSTD_error_prefix_unknown: return "no zstd frame starts here";
    case ZSTD_error_srcSize_wrong: return "the data ends before its frame does";
    case ZSTD_error_dstSize_tooSmall: return "the data gives more bytes than its block names";
    case ZSTD_error_dictionary_wrong: return "the data needs a dictionary";
    case ZSTD_error_checksum_wrong: return "the checksum of the content differs";
    default: return "the data is damaged";
    }
}

xy_status xy_method_zstd(xy_codec *codec, xy_error *err, uint64_t at, const uint8_t *src,
                         size_t src_len, uint8_t *dst, size_t dst_len) {
    if (!codec->zstd) codec->zstd = ZSTD_createDCtx();
    if (!codec->zstd) return xy_fail(err, XY_E_MEMORY, at, "no memory for the zstd decoder");
    size_t made = ZSTD_decompressDCtx(codec->zstd, dst, dst_len, src, src_len);
    if (ZSTD_isError(made)) {
        ZSTD_ErrorCode code = ZSTD_getErrorCode(made);
        xy_status status = code == ZSTD_error_checksum_wrong      ? XY_E_CHECKSUM
                           : code == ZSTD_error_memory_allocation ? XY_E_MEMORY
                                                                  : XY_E_COMPRESSION;
        return xy_fail(err, status, at, "%zu bytes of zstd data do not decompress: %s (zstd's %d)",
                       src_len, reason(code), (int)code);
    }
    if (made != dst_len) {
        return xy_fail(err, XY_E_COMPRESSION, at,
                       "zstd data decompresses to %zu bytes, its block names %zu", made, dst_len);
    }
    return XY_OK;
}
