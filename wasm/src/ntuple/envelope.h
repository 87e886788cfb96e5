/* The building blocks of RNTuple's metadata: envelopes, frames, locators, strings, feature flags.
 * All of it is little-endian (only the anchor, a classic object, is not).
 *
 * An envelope is 2 bytes of type, 6 of its length, the payload, and the xxh3 of all before. Frames
 * are records or lists that name their own length, so that what later versions append is stepped
 * over: open one, read what is known, close it. */
#ifndef XY_NT_ENVELOPE_H
#define XY_NT_ENVELOPE_H

#include "../buffer.h"
#include "../bytes.h"
#include "../codec/codec.h"
#include "../status.h"

static inline uint16_t xy_le16(xy_cursor *c) {
    const uint8_t *p = xy_take(c, 2);
    return p ? (uint16_t)(p[0] | p[1] << 8) : 0;
}

static inline uint32_t xy_le32(xy_cursor *c) {
    const uint8_t *p = xy_take(c, 4);
    uint32_t v = 0;
    if (p) memcpy(&v, p, 4); /* hosts are little-endian */
    return v;
}

static inline uint64_t xy_le64(xy_cursor *c) {
    const uint8_t *p = xy_take(c, 8);
    uint64_t v = 0;
    if (p) memcpy(&v, p, 8);
    return v;
}

static inline double xy_lef64(xy_cursor *c) {
    uint64_t bits = xy_le64(c);
    double v;
    memcpy(&v, &bits, 8);
    return v;
}

static inline xy_str xy_le_string(xy_cursor *c) {
    uint32_t n = xy_le32(c);
    const uint8_t *p = xy_take(c, n);
    xy_str s = {p ? (const char *)p : "", p ? n : 0};
    return s;
}

enum { XY_ENVELOPE_HEADER = 1, XY_ENVELOPE_FOOTER = 2, XY_ENVELOPE_PAGE_LIST = 3 };

/* Maximum compression factor. The codecs of ROOT reach about 60000, on zeros. */
enum { XY_NT_MAX_RATIO = 70000 };

/* Decompresses the envelope `src` of `length` bytes to `out` (contents replaced), and checks type,
 * length and checksum. The cursor is then at the payload and ends after it. */
xy_status xy_envelope_open(xy_codec *codec, xy_error *err, const uint8_t *src, size_t len,
                           uint64_t length, int type, xy_buffer *out, xy_cursor *payload,
                           uint64_t *checksum);

typedef struct {
    size_t end;       /* of the frame */
    size_t outer_end; /* the cursor's end outside of it */
    uint32_t items;   /* of a list */
} xy_frame;

/* Enters a frame; the cursor then ends with the frame. `item_bytes` is the minimum size of an item
 * of a list; 0 opens a record. */
xy_status xy_frame_open(xy_error *err, xy_cursor *c, size_t item_bytes, xy_frame *frame);
/* Moves to the end of the frame, past anything that was not read. Fails if more was read than the
 * frame contains. */
xy_status xy_frame_close(xy_error *err, xy_cursor *c, const xy_frame *frame, const char *what);

typedef struct {
    uint64_t offset, size;
} xy_locator;

xy_status xy_read_locator(xy_error *err, xy_cursor *c, xy_locator *out);

/* Refuses all feature flags, because none is defined yet. */
xy_status xy_read_features(xy_error *err, xy_cursor *c);

#endif
