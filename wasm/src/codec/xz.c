/* XZ blocks: one .xz stream with LZMA2, whose CRC32 is checked (any other check that a foreign
 * writer chose is stepped over, as liblzma is built without it). */
#include "method.h"

/* The window is allocated as the stream claims it, so a claim is bounded: xz -9 needs 65 MiB. */
static const uint64_t MEMORY_LIMIT = 72u << 20;

static const char *reason(lzma_ret result) {
    switch (result) {
    case LZMA_FORMAT_ERROR: return "no .xz stream starts here";
    case LZMA_OPTIONS_ERROR: return "the stream uses a filter that ROOT does not write";
    case LZMA_BUF_ERROR: return "the stream and the lengths of its block disagree";
    default: return "the data is damaged";
    }
}

xy_status xy_method_xz(xy_codec *codec, xy_error *err, uint64_t at, const uint8_t *src,
                       size_t src_len, uint8_t *dst, size_t dst_len) {
    lzma_stream *xz = &codec->xz;
    lzma_ret result = lzma_stream_decoder(xz, MEMORY_LIMIT, 0);
    if (result == LZMA_OK) {
        xz->next_in = src;
        xz->avail_in = src_len;
        xz->next_out = dst;
        xz->avail_out = dst_len;
        result = lzma_code(xz, LZMA_FINISH);
    }
    if (result == LZMA_OK)
        result = LZMA_BUF_ERROR; /* the output is full, the stream not at its end */
    if (result == LZMA_MEM_ERROR) return xy_fail(err, XY_E_MEMORY, at, "no memory for xz data");
    if (result == LZMA_MEMLIMIT_ERROR) {
        return xy_fail(err, XY_E_BUDGET, at,
                       "xz data asks for a window of %llu MiB of memory; %llu are allowed",
                       (unsigned long long)lzma_memusage(xz) >> 20,
                       (unsigned long long)MEMORY_LIMIT >> 20);
    }
    if (result != LZMA_STREAM_END) {
        return xy_fail(err, XY_E_COMPRESSION, at,
                       "%zu bytes of xz data do not decompress into %zu bytes: %s", src_len,
                       dst_len, reason(result));
    }
    if (xz->avail_out != 0 || xz->avail_in != 0) {
        return xy_fail(err, XY_E_COMPRESSION, at,
                       "xz data takes %zu bytes and gives %zu, its block names %zu and %zu",
                       src_len - xz->avail_in, dst_len - xz->avail_out, src_len, dst_len);
    }
    return XY_OK;
}
