#include "envelope.h"

#include "checksum.h"

#include <inttypes.h>

static const char *envelope_name(int type) {
    return type == XY_ENVELOPE_HEADER   ? "header"
           : type == XY_ENVELOPE_FOOTER ? "footer"
                                        : "page list";
}

xy_status xy_envelope_open(xy_codec *codec, xy_error *err, const uint8_t *src, size_t len,
                           uint64_t length, int type, xy_buffer *out, xy_cursor *payload,
                           uint64_t *checksum) {
    enum { HEAD = 8, CHECKSUM = 8 };
    const char *name = envelope_name(type);
    if (length < HEAD + CHECKSUM || length / XY_NT_MAX_RATIO > len || length > INT32_MAX)
        return xy_fail(err, XY_E_CORRUPT, 0,
                       "the %s envelope claims %" PRIu64 " bytes from %zu compressed ones", name,
                       length, len);
    out->len = 0;
    uint8_t *data = xy_extend(out, (size_t)length);
    if (!data)
        return xy_fail(err, XY_E_MEMORY, 0, "no memory for a %s envelope of %" PRIu64 " bytes",
                       name, length);
    xy_status s = xy_decompress(codec, err, src, len, data, (size_t)length);
    if (s) return s;
    xy_cursor c = xy_cursor_of(data, (size_t)length);
    uint64_t head = xy_le64(&c);
    c.pos = (size_t)length - CHECKSUM;
    uint64_t stored = xy_le64(&c);
    uint64_t computed = xy_xxh3(data, (size_t)length - CHECKSUM);
    if (stored != computed)
        return xy_fail(err, XY_E_CHECKSUM, 0,
                       "the %s envelope is damaged: its xxh3 is %016" PRIx64
                       ", stored is %016" PRIx64,
                       name, computed, stored);
    if ((head & 0xffff) != (uint64_t)type || head >> 16 != length)
        return xy_fail(err, XY_E_CORRUPT, 0,
                       "an envelope of type %d with %" PRIu64 " bytes stands where the %s of "
                       "%" PRIu64 " bytes should",
                       (int)(head & 0xffff), head >> 16, name, length);
    c.pos = HEAD;
    c.end = (size_t)length - CHECKSUM;
    *payload = c;
    *checksum = stored;
    return XY_OK;
}

xy_status xy_frame_open(xy_error *err, xy_cursor *c, size_t item_bytes, xy_frame *frame) {
    size_t start = c->pos;
    bool list = item_bytes > 0;
    int64_t size = (int64_t)xy_le64(c);
    uint32_t items = list ? xy_le32(c) : 0;
    uint64_t bytes = size < 0 ? 0 - (uint64_t)size : (uint64_t)size;
    size_t head = list ? 12 : 8;
    if (c->bad || bytes < head || bytes > c->end - start)
        return xy_fail(err, XY_E_CORRUPT, start,
                       "a frame claims %" PRIu64 " bytes where %zu are left", bytes,
                       c->end - start);
    if (list != (size < 0))
        return xy_fail(err, XY_E_CORRUPT, start, "a %s frame stands where a %s frame should",
                       size < 0 ? "list" : "record", list ? "list" : "record");
    if (list && items > (bytes - head) / item_bytes)
        return xy_fail(err, XY_E_CORRUPT, start,
                       "a list frame claims %" PRIu32 " items in %" PRIu64 " bytes", items, bytes);
    frame->end = start + (size_t)bytes;
    frame->outer_end = c->end;
    frame->items = items;
    c->end = frame->end;
    return XY_OK;
}

xy_status xy_frame_close(xy_error *err, xy_cursor *c, const xy_frame *frame, const char *what) {
    if (c->bad) return xy_fail(err, XY_E_CORRUPT, frame->end, "the frame of %s is too short", what);
    c->pos = frame->end;
    c->end = frame->outer_end;
    return XY_OK;
}

xy_status xy_read_locator(xy_error *err, xy_cursor *c, xy_locator *out) {
    size_t start = c->pos;
    int32_t size = (int32_t)xy_le32(c);
    if (size >= 0) {
        out->size = (uint64_t)size;
        out->offset = xy_le64(c);
    } else {
        /* The locator's own size in the 16 low bits, 8 reserved, 7 of type below the sign. */
        uint32_t word = 0u - (uint32_t)size;
        uint32_t type = word >> 24, own = word & 0xffff;
        if (type != 1)
            return xy_fail(err, XY_E_UNSUPPORTED, start,
                           "data lie in a storage of type %" PRIu32 ", which is not a file", type);
        out->size = xy_le64(c);
        out->offset = xy_le64(c);
        if (own < 20)
            return xy_fail(err, XY_E_CORRUPT, start, "a large locator has %" PRIu32 " bytes", own);
        xy_take(c, own - 20);
    }
    if (c->bad) return xy_fail(err, XY_E_CORRUPT, start, "a locator is cut off");
    if (out->offset > (uint64_t)1 << 62 || out->size > (uint64_t)1 << 62)
        return xy_fail(err, XY_E_CORRUPT, start, "a locator shows to %" PRIu64 " bytes at %" PRIu64,
                       out->size, out->offset);
    return XY_OK;
}

xy_status xy_read_features(xy_error *err, xy_cursor *c) {
    size_t start = c->pos;
    for (int word = 0;; word++) {
        uint64_t flags = xy_le64(c);
        if (c->bad) return xy_fail(err, XY_E_CORRUPT, start, "the feature flags are cut off");
        uint64_t known = flags & ~((uint64_t)1 << 63);
        if (known)
            return xy_fail(err, XY_E_VERSION, start,
                           "this RNTuple needs feature %d of the format, which is not known here",
                           word * 63 + __builtin_ctzll(known));
        if (flags == known) return XY_OK;
    }
}
