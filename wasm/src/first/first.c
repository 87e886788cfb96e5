/* Functions of the parts, which may not be linked yet: see part.h. Then they call the host, which
 * ends the call and the instance by an exception, loads the part, and repeats the call. */
#include "part.h"

#include <zstd.h>

__attribute__((import_module("env"), import_name("xy_lacks"), noreturn)) void xy_lacks(int part);

static struct {
    xy_method *decode;
    xy_free_zstd *end;
} zstd;
static struct {
    xy_method *decode;
    xy_end_xz *end;
} xz;
static struct {
    xy_entries_of_pages *entries;
    xy_run_pages *run;
} pages;

void xy_link_zstd(xy_method *decode, xy_free_zstd *end) {
    zstd.decode = decode;
    zstd.end = end;
}

void xy_link_xz(xy_method *decode, xy_end_xz *end) {
    xz.decode = decode;
    xz.end = end;
}

void xy_link_ntuple(xy_entries_of_pages *entries, xy_run_pages *run) {
    pages.entries = entries;
    pages.run = run;
}

xy_status xy_method_zstd(xy_codec *codec, xy_error *err, uint64_t at, const uint8_t *src,
                         size_t src_len, uint8_t *dst, size_t dst_len) {
    if (!zstd.decode) xy_lacks(XY_PART_ZSTD);
    return zstd.decode(codec, err, at, src, src_len, dst, dst_len);
}

size_t ZSTD_freeDCtx(ZSTD_DCtx *decoder) {
    return zstd.end ? zstd.end(decoder) : 0;
}

xy_status xy_method_xz(xy_codec *codec, xy_error *err, uint64_t at, const uint8_t *src,
                       size_t src_len, uint8_t *dst, size_t dst_len) {
    if (!xz.decode) xy_lacks(XY_PART_XZ);
    return xz.decode(codec, err, at, src, src_len, dst, dst_len);
}

void lzma_end(lzma_stream *stream) {
    if (xz.end) xz.end(stream);
}

xy_status xy_pages_entries(xy_error *err, const uint8_t *src, size_t len, int64_t *entries) {
    if (!pages.entries) xy_lacks(XY_PART_NTUPLE);
    return pages.entries(err, src, len, entries);
}

xy_status xy_pages_run(xy_decoder *d, xy_error *err, const uint8_t *src, size_t len,
                       const xy_entry_spans *spans) {
    if (!pages.run) xy_lacks(XY_PART_NTUPLE);
    return pages.run(d, err, src, len, spans);
}
