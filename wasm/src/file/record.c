#include "record.h"

#include <inttypes.h>

xy_status xy_read_header(xy_error *err, const uint8_t *src, size_t len, xy_file_header *out) {
    memset(out, 0, sizeof *out);
    if (len < 4 || memcmp(src, "root", 4) != 0)
        return xy_fail(err, XY_E_NOT_ROOT, 0,
                       "this is no ROOT file: the first four bytes should be \"root\"");
    xy_cursor c = xy_cursor_of(src, len);
    c.pos = 4;
    enum { WIDE = 1000000 };
    out->version = xy_i32(&c);
    if (!c.bad && (out->version <= 0 || out->version >= 2 * WIDE))
        return xy_fail(err, XY_E_CORRUPT, 4, "the file header has no version of ROOT");
    out->begin = xy_u32(&c);
    out->large = out->version >= WIDE;
    if (out->large) out->version -= WIDE;
    out->end = out->large ? xy_u64(&c) : xy_u32(&c);
    out->seek_free = out->large ? xy_u64(&c) : xy_u32(&c);
    out->nbytes_free = xy_i32(&c);
    out->nfree = xy_i32(&c);
    out->nbytes_name = xy_i32(&c);
    out->units = xy_u8(&c);
    out->compress = xy_i32(&c);
    out->seek_info = out->large ? xy_u64(&c) : xy_u32(&c);
    out->nbytes_info = xy_i32(&c);
    xy_u16(&c);
    const uint8_t *uuid = xy_take(&c, 16);
    if (uuid) memcpy(out->uuid, uuid, 16);
    if (c.bad)
        return xy_fail(err, XY_E_TRUNCATED, len, "the file header ends after %zu bytes", len);
    if (out->begin < 24 || out->begin > 1 << 20)
        return xy_fail(err, XY_E_CORRUPT, 8,
                       "the file header does not say where the first record is");
    return XY_OK;
}

xy_status xy_read_key(xy_error *err, xy_cursor *c, xy_key *out) {
    memset(out, 0, sizeof *out);
    size_t start = c->pos;
    out->nbytes = xy_i32(c);
    out->version = xy_u16(c);
    out->objlen = xy_i32(c);
    out->datime = xy_u32(c);
    out->keylen = xy_u16(c);
    out->cycle = xy_u16(c);
    bool wide = out->version > 1000;
    out->seek_key = wide ? xy_u64(c) : xy_u32(c);
    out->seek_dir = wide ? xy_u64(c) : xy_u32(c);
    out->class_name = xy_string(c);
    out->name = xy_string(c);
    out->title = xy_string(c);
    out->header_bytes = c->pos - start;
    if (c->bad)
        return xy_fail(err, XY_E_TRUNCATED, start, "a key is cut off: it needs more than %zu bytes",
                       c->end - start);
    /* A list of keys may hold a longer title than the record itself: the lengths are the
     * record's. */
    if (out->nbytes > 0 && (out->objlen < 0 || out->keylen > out->nbytes))
        return xy_fail(err, XY_E_CORRUPT, start,
                       "this is not a key: its length is %d, its header's %u, its object's %d",
                       out->nbytes, out->keylen, out->objlen);
    return XY_OK;
}

xy_status xy_read_directory(xy_error *err, xy_cursor *c, xy_directory *out) {
    memset(out, 0, sizeof *out);
    size_t start = c->pos;
    out->version = xy_u16(c);
    out->created = xy_u32(c);
    out->modified = xy_u32(c);
    out->nbytes_keys = xy_i32(c);
    out->nbytes_name = xy_i32(c);
    bool wide = out->version > 1000;
    out->seek_dir = wide ? xy_u64(c) : xy_u32(c);
    out->seek_parent = wide ? xy_u64(c) : xy_u32(c);
    out->seek_keys = wide ? xy_u64(c) : xy_u32(c);
    if (c->bad) return xy_fail(err, XY_E_TRUNCATED, start, "a directory record is cut off");
    if (out->version % 1000 > 1 && xy_left(c) >= 18) {
        xy_u16(c);
        const uint8_t *uuid = xy_take(c, 16);
        if (uuid) memcpy(out->uuid, uuid, 16);
        out->has_uuid = true;
    }
    return XY_OK;
}

/* ROOT cannot write larger objects. */
enum { MAX_OBJECT = 1 << 30 };

/* Maximum number of bytes that a block of n bytes can decompress to: deflate 1:1032, LZ4 1:255,
 * xz about 1:7,100, and zstd 128 KiB of one byte from 4 bytes. */
static uint64_t max_from(const uint8_t *envelope, uint64_t n) {
    switch (envelope[0] << 8 | envelope[1]) {
    case 'Z' << 8 | 'L':
    case 'C' << 8 | 'S': return n * 1040;
    case 'L' << 8 | '4': return n * 256;
    case 'X' << 8 | 'Z': return n * 8000;
    case 'Z' << 8 | 'S': return n * 32768;
    default: return 0;
    }
}

/* Called before memory is allocated for an object: checks that its blocks claim `wanted` bytes
 * and could hold them. Other damage is left to the decoder, whose message says more. */
static xy_status check_claims(xy_error *err, const uint8_t *src, size_t len, size_t wanted) {
    enum { ENVELOPE = 9 };
    size_t at = 0;
    uint64_t sum = 0;
    while (sum < wanted && len - at >= ENVELOPE) {
        const uint8_t *p = src + at;
        size_t n = (size_t)p[3] | (size_t)p[4] << 8 | (size_t)p[5] << 16;
        size_t gives = (size_t)p[6] | (size_t)p[7] << 8 | (size_t)p[8] << 16;
        if (n > len - at - ENVELOPE) n = len - at - ENVELOPE;
        if (max_from(p, 1) == 0)
            return xy_fail(err, XY_E_CODEC, at,
                           "a compressed block starts with bytes %02x %02x: expected ZL, ZS, L4, "
                           "XZ or CS",
                           p[0], p[1]);
        if (gives > max_from(p, n))
            return xy_fail(err, XY_E_CORRUPT, at,
                           "a %.2s block claims %zu bytes from %zu compressed ones",
                           (const char *)p, gives, n);
        sum += gives;
        at += ENVELOPE + n;
    }
    if (sum < wanted)
        return xy_fail(err, XY_E_TRUNCATED, at,
                       "an object of %zu bytes is cut off: its compressed blocks give %zu", wanted,
                       (size_t)sum);
    return XY_OK;
}

/* Checks the lengths of a record, and that its bytes could hold its object. */
static xy_status check_lengths(xy_error *err, const uint8_t *src, size_t len, const xy_key *key) {
    if (key->nbytes <= 0)
        return xy_fail(err, XY_E_TRUNCATED, 0, "no record is here: its length is %d", key->nbytes);
    if ((size_t)key->nbytes > len)
        return xy_fail(err, XY_E_TRUNCATED, len,
                       "a record of class %.*s is cut off: it has %d bytes, %zu are there",
                       (int)key->class_name.len, key->class_name.text, key->nbytes, len);
    size_t stored = (size_t)key->nbytes - key->keylen;
    size_t wanted = (size_t)key->objlen;
    if (wanted > MAX_OBJECT)
        return xy_fail(err, XY_E_BUDGET, 0,
                       "a record claims an object of %zu bytes; ROOT writes 2^30 at most", wanted);
    return wanted == stored ? XY_OK : check_claims(err, src + key->keylen, stored, wanted);
}

xy_status xy_unpack(xy_codec *codec, xy_error *err, const uint8_t *src, size_t len,
                    const xy_key *key, xy_buffer *out) {
    xy_status s = check_lengths(err, src, len, key);
    if (s) return s;
    size_t stored = (size_t)key->nbytes - key->keylen, wanted = (size_t)key->objlen;
    out->len = 0;
    uint8_t *dst = xy_extend(out, wanted);
    if (!dst) return xy_fail(err, XY_E_MEMORY, 0, "no memory for an object of %zu bytes", wanted);
    return xy_decompress(codec, err, src + key->keylen, stored, dst, wanted);
}

xy_status xy_unpack_parts(xy_codec *codec, xy_error *err, const uint8_t *src, size_t len,
                          const xy_key *key, xy_take_part *take, void *use) {
    xy_status s = check_lengths(err, src, len, key);
    if (s) return s;
    size_t stored = (size_t)key->nbytes - key->keylen;
    return xy_decompress_parts(codec, err, src + key->keylen, stored, (size_t)key->objlen, take,
                               use);
}
