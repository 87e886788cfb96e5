#include "records.h"

#include "../bytes.h"
#include "../file/basket.h"

#include <math.h>

/* Bits of fSeekPdir that are the place of the directory; those above are the process id offset. */
#define PLACE_BITS 48

/* Output with a bound: what does not fit sets `bad`. */
typedef struct {
    uint8_t *at;
    size_t left;
    size_t done;
    bool bad;
} sink;

static void put(sink *s, const void *src, size_t n) {
    if (n > s->left) {
        s->bad = true;
        return;
    }
    if (n) memcpy(s->at, src, n);
    s->at += n;
    s->left -= n;
    s->done += n;
}

/* The low n bytes of a number. */
static void put_int(sink *s, uint64_t v, unsigned n) {
    uint8_t bytes[8];
    for (unsigned i = 0; i < n; i++)
        bytes[i] = (uint8_t)(v >> 8 * (n - 1 - i));
    put(s, bytes, n);
}

static void put_text(sink *s, const uint8_t *text, size_t len) {
    put_int(s, len < 255 ? len : 255, 1);
    if (len >= 255) put_int(s, len, 4);
    put(s, text, len);
}

static size_t done(const sink *s) {
    return s->bad ? 0 : s->done;
}

static uint64_t whole(double v) {
    return v > 0 && v < 9007199254740992.0 ? (uint64_t)v : 0;
}

static uint32_t bits32(double v) {
    return (uint32_t)whole(v);
}

static void put_place(sink *s, double place, bool wide) {
    put_int(s, whole(place), wide ? 8 : 4);
}

/* ---- keys ---- */

/* fNbytes, fVersion, fObjlen, fDatime, fKeylen, fCycle come before the two places. */
enum { BEFORE_PLACES = 18, BASKET_BYTES = 19 };

static void take_dir(uint64_t dir, bool wide, double *numbers) {
    uint64_t place = wide ? dir & (((uint64_t)1 << PLACE_BITS) - 1) : dir;
    numbers[XW_KEY_DIR] = (double)place;
    numbers[XW_KEY_PID] = wide ? (double)(dir >> PLACE_BITS) : 0;
}

int32_t xw_key_read(const uint8_t *src, size_t len, double *numbers) {
    xy_error err = {0};
    xy_cursor c = xy_cursor_of(src, len);
    xy_key key;
    xy_status s = xy_read_key(&err, &c, &key);
    if (s) return (int32_t)s;
    bool wide = key.version > 1000;
    numbers[XW_KEY_NBYTES] = key.nbytes;
    numbers[XW_KEY_OBJLEN] = key.objlen;
    numbers[XW_KEY_KEYLEN] = key.keylen;
    numbers[XW_KEY_DATIME] = key.datime;
    numbers[XW_KEY_CYCLE] = key.cycle;
    numbers[XW_KEY_SEEK] = (double)key.seek_key;
    take_dir(key.seek_dir, wide, numbers);
    numbers[XW_KEY_WIDE] = wide;
    numbers[XW_KEY_BYTES] = (double)key.header_bytes;
    numbers[XW_KEY_ENTRIES] = -1;
    if (xy_str_is(key.class_name, "TBasket") && xy_left(&c) >= BASKET_BYTES) {
        xy_u16(&c); /* version */
        numbers[XW_KEY_ENTRIES] = xy_read_basket_counts(&c).entries;
    }
    return XY_OK;
}

/* A block: tag, method, and two lengths. Adler-32 follows zlib's data, CRC-32 those of xz, xxh64 is
 * before those of LZ4; a frame of zstd says whether it has one. */
static bool block_has_checksum(const uint8_t *block, size_t len) {
    enum { ENVELOPE = 9, FRAME_FLAGS = ENVELOPE + 4, HAS_CHECKSUM = 4 };
    if (memcmp(block, "ZS", 2) == 0)
        return len > FRAME_FLAGS && (block[FRAME_FLAGS] & HAS_CHECKSUM);
    return memcmp(block, "ZL", 2) == 0 || memcmp(block, "XZ", 2) == 0 ||
           memcmp(block, "L4", 2) == 0;
}

int32_t xw_has_checksum(const uint8_t *src, size_t len) {
    enum { ENVELOPE = 9 };
    xy_error err = {0};
    xy_cursor c = xy_cursor_of(src, len);
    xy_key key;
    if (xy_read_key(&err, &c, &key) || key.keylen > len || len - key.keylen == (size_t)key.objlen)
        return 0;
    for (size_t at = key.keylen; at < len;) {
        size_t left = len - at;
        if (left < ENVELOPE || !block_has_checksum(src + at, left)) return 0;
        size_t stored = (size_t)src[at + 3] | (size_t)src[at + 4] << 8 | (size_t)src[at + 5] << 16;
        if (stored > left - ENVELOPE) return 0;
        at += ENVELOPE + stored;
    }
    return 1;
}

int32_t xw_key_texts(const uint8_t *src, size_t len, double *places) {
    xy_error err = {0};
    xy_cursor c = xy_cursor_of(src, len);
    xy_key key;
    xy_status s = xy_read_key(&err, &c, &key);
    if (s) return (int32_t)s;
    const xy_str texts[] = {key.class_name, key.name, key.title};
    for (int i = 0; i < XW_KEY_TEXTS / 2; i++) {
        places[2 * i] = (double)(texts[i].text - (const char *)src);
        places[2 * i + 1] = (double)texts[i].len;
    }
    return XY_OK;
}

static void put_places(sink *s, const double *numbers, bool wide) {
    uint64_t dir = whole(numbers[XW_KEY_DIR]);
    if (wide) dir |= whole(numbers[XW_KEY_PID]) << PLACE_BITS;
    put_place(s, numbers[XW_KEY_SEEK], wide);
    put_int(s, dir, wide ? 8 : 4);
}

static bool fits(const double *numbers, bool wide) {
    return wide || (numbers[XW_KEY_SEEK] <= XW_BIG_FILE && numbers[XW_KEY_DIR] <= XW_BIG_FILE &&
                    numbers[XW_KEY_PID] <= 0);
}

/* The numbers at the start of a key, up to fSeekPdir. Returns the version; 0 when there are fewer
 * bytes. */
static uint16_t take_head(const uint8_t *key, size_t len, double *numbers) {
    xy_cursor c = xy_cursor_of(key, len);
    numbers[XW_KEY_NBYTES] = xy_i32(&c);
    uint16_t version = xy_u16(&c);
    bool wide = version > 1000;
    numbers[XW_KEY_OBJLEN] = xy_i32(&c);
    numbers[XW_KEY_DATIME] = xy_u32(&c);
    numbers[XW_KEY_KEYLEN] = xy_u16(&c);
    numbers[XW_KEY_CYCLE] = xy_u16(&c);
    numbers[XW_KEY_SEEK] = (double)(wide ? xy_u64(&c) : xy_u32(&c));
    take_dir(wide ? xy_u64(&c) : xy_u32(&c), wide, numbers);
    return c.bad ? 0 : version;
}

static void put_head(uint8_t *key, size_t len, const double *numbers, uint16_t version) {
    sink s = {key, len, 0, false};
    put_int(&s, bits32(numbers[XW_KEY_NBYTES]), 4);
    put_int(&s, version, 2);
    put_int(&s, bits32(numbers[XW_KEY_OBJLEN]), 4);
    put_int(&s, bits32(numbers[XW_KEY_DATIME]), 4);
    put_int(&s, bits32(numbers[XW_KEY_KEYLEN]), 2);
    put_int(&s, bits32(numbers[XW_KEY_CYCLE]), 2);
    put_places(&s, numbers, version > 1000);
}

int32_t xw_key_change(uint8_t *key, size_t len, const double *changes) {
    double numbers[XW_KEY_NUMBERS] = {0};
    uint16_t version = take_head(key, len, numbers);
    if (version == 0) return XY_E_TRUNCATED;
    for (int i = 0; i < XW_KEY_WIDE; i++)
        if (i != XW_KEY_KEYLEN && !isnan(changes[i])) numbers[i] = changes[i];
    if (!fits(numbers, version > 1000)) return XY_E_BUDGET;
    put_head(key, len, numbers, version);
    return XY_OK;
}

static xy_status move(uint8_t *head, const double *to, double pid, double *nbytes) {
    double numbers[XW_KEY_NUMBERS] = {0};
    uint16_t version = take_head(head, XW_KEY_HEAD, numbers);
    bool wide = version > 1000;
    double keylen = numbers[XW_KEY_KEYLEN];
    *nbytes = numbers[XW_KEY_NBYTES];
    if (version == 0 || *nbytes != to[XW_MOVE_NBYTES] || keylen > *nbytes ||
        keylen < BEFORE_PLACES + (wide ? 16 : 8))
        return XY_E_CORRUPT;
    numbers[XW_KEY_SEEK] = to[XW_MOVE_SEEK];
    numbers[XW_KEY_DIR] = to[XW_MOVE_DIR];
    numbers[XW_KEY_PID] += pid;
    if (!fits(numbers, wide)) return XY_E_BUDGET;
    put_head(head, XW_KEY_HEAD, numbers, version);
    return XY_OK;
}

int32_t xw_keys_move(uint8_t *heads, size_t count, double *moves, double pid) {
    for (size_t i = 0; i < count; i++) {
        double nbytes = 0;
        xy_status s = move(heads + i * XW_KEY_HEAD, moves + i * XW_MOVE_NUMBERS, pid, &nbytes);
        if (s) {
            moves[0] = (double)i;
            moves[1] = nbytes;
            return (int32_t)s;
        }
    }
    return XY_OK;
}

size_t xw_key_widen(uint8_t *dst, size_t room, const uint8_t *key, size_t len) {
    enum { NARROW = BEFORE_PLACES + 8, MORE = 8 };
    double numbers[XW_KEY_NUMBERS] = {0};
    uint16_t version = take_head(key, len, numbers);
    if (version == 0 || len > INT16_MAX - MORE || room < len + MORE) return 0;
    if (version > 1000) {
        memcpy(dst, key, len);
        return len;
    }
    numbers[XW_KEY_NBYTES] += MORE;
    numbers[XW_KEY_KEYLEN] += MORE;
    if (numbers[XW_KEY_NBYTES] > INT32_MAX || numbers[XW_KEY_KEYLEN] > INT16_MAX) return 0;
    put_head(dst, room, numbers, (uint16_t)(version + 1000));
    memcpy(dst + NARROW + MORE, key + NARROW, len - NARROW);
    return len + MORE;
}

static size_t text_bytes(size_t len) {
    return len < 255 ? len + 1 : len + 5;
}

size_t xw_key_make(uint8_t *dst, size_t room, const double *numbers, const uint8_t *texts,
                   size_t class_len, size_t name_len, size_t title_len) {
    bool wide = numbers[XW_KEY_WIDE] > 0;
    if (!fits(numbers, wide)) return 0;
    if (class_len > room || name_len > room || title_len > room) return 0;
    size_t keylen = BEFORE_PLACES + (wide ? 16u : 8u) + text_bytes(class_len) +
                    text_bytes(name_len) + text_bytes(title_len);
    if (keylen > INT16_MAX) return 0;
    sink s = {dst, room, 0, false};
    put_int(&s, bits32(numbers[XW_KEY_NBYTES]), 4);
    put_int(&s, wide ? 1004 : 4, 2);
    put_int(&s, bits32(numbers[XW_KEY_OBJLEN]), 4);
    put_int(&s, bits32(numbers[XW_KEY_DATIME]), 4);
    put_int(&s, keylen, 2);
    put_int(&s, bits32(numbers[XW_KEY_CYCLE]), 2);
    put_places(&s, numbers, wide);
    put_text(&s, texts, class_len);
    put_text(&s, texts + class_len, name_len);
    put_text(&s, texts + class_len + name_len, title_len);
    return done(&s);
}

/* ---- the file ---- */

int32_t xw_file_read(const uint8_t *src, size_t len, double *numbers) {
    xy_error err = {0};
    xy_file_header h;
    xy_status s = xy_read_header(&err, src, len, &h);
    if (s) return (int32_t)s;
    numbers[XW_FILE_VERSION] = h.version;
    numbers[XW_FILE_BEGIN] = (double)h.begin;
    numbers[XW_FILE_END] = (double)h.end;
    numbers[XW_FILE_SEEK_FREE] = (double)h.seek_free;
    numbers[XW_FILE_NBYTES_FREE] = h.nbytes_free;
    numbers[XW_FILE_NFREE] = h.nfree;
    numbers[XW_FILE_NBYTES_NAME] = h.nbytes_name;
    numbers[XW_FILE_COMPRESS] = h.compress;
    numbers[XW_FILE_SEEK_INFO] = (double)h.seek_info;
    numbers[XW_FILE_NBYTES_INFO] = h.nbytes_info;
    return XY_OK;
}

static void put_uuid(sink *s, const uint8_t *uuid) {
    put_int(s, 1, 2);
    put(s, uuid, 16);
}

size_t xw_file_make(uint8_t *dst, size_t room, const double *numbers, const uint8_t *uuid) {
    bool wide = numbers[XW_FILE_END] > XW_BIG_FILE;
    if (room < XW_FILE_BYTES) return 0;
    memset(dst, 0, XW_FILE_BYTES);
    sink s = {dst, XW_FILE_BYTES, 0, false};
    put(&s, "root", 4);
    put_int(&s, whole(numbers[XW_FILE_VERSION]) + (wide ? 1000000 : 0), 4);
    put_int(&s, whole(numbers[XW_FILE_BEGIN]), 4);
    put_place(&s, numbers[XW_FILE_END], wide);
    put_place(&s, numbers[XW_FILE_SEEK_FREE], wide);
    put_int(&s, whole(numbers[XW_FILE_NBYTES_FREE]), 4);
    put_int(&s, whole(numbers[XW_FILE_NFREE]), 4);
    put_int(&s, whole(numbers[XW_FILE_NBYTES_NAME]), 4);
    put_int(&s, wide ? 8 : 4, 1);
    put_int(&s, whole(numbers[XW_FILE_COMPRESS]), 4);
    put_place(&s, numbers[XW_FILE_SEEK_INFO], wide);
    put_int(&s, whole(numbers[XW_FILE_NBYTES_INFO]), 4);
    put_uuid(&s, uuid);
    return s.bad ? 0 : XW_FILE_BYTES;
}

/* ---- directories ---- */

int32_t xw_dir_read(const uint8_t *src, size_t len, double *numbers) {
    xy_error err = {0};
    xy_cursor c = xy_cursor_of(src, len);
    xy_directory dir;
    xy_status s = xy_read_directory(&err, &c, &dir);
    if (s) return (int32_t)s;
    numbers[XW_DIR_CREATED] = dir.created;
    numbers[XW_DIR_MODIFIED] = dir.modified;
    numbers[XW_DIR_NBYTES_KEYS] = dir.nbytes_keys;
    numbers[XW_DIR_NBYTES_NAME] = dir.nbytes_name;
    numbers[XW_DIR_SEEK_DIR] = (double)dir.seek_dir;
    numbers[XW_DIR_SEEK_PARENT] = (double)dir.seek_parent;
    numbers[XW_DIR_SEEK_KEYS] = (double)dir.seek_keys;
    return XY_OK;
}

/* Places of 4 bytes are followed by 12 bytes that ROOT keeps for those of 8. */
size_t xw_dir_make(uint8_t *dst, size_t room, const double *numbers, const uint8_t *uuid) {
    enum { VERSION = 5, WIDE = 1000 };
    bool wide = numbers[XW_DIR_SEEK_DIR] > XW_BIG_FILE ||
                numbers[XW_DIR_SEEK_PARENT] > XW_BIG_FILE ||
                numbers[XW_DIR_SEEK_KEYS] > XW_BIG_FILE;
    if (room < XW_DIR_BYTES) return 0;
    memset(dst, 0, XW_DIR_BYTES);
    sink s = {dst, XW_DIR_BYTES, 0, false};
    put_int(&s, wide ? VERSION + WIDE : VERSION, 2);
    put_int(&s, bits32(numbers[XW_DIR_CREATED]), 4);
    put_int(&s, bits32(numbers[XW_DIR_MODIFIED]), 4);
    put_int(&s, whole(numbers[XW_DIR_NBYTES_KEYS]), 4);
    put_int(&s, whole(numbers[XW_DIR_NBYTES_NAME]), 4);
    put_place(&s, numbers[XW_DIR_SEEK_DIR], wide);
    put_place(&s, numbers[XW_DIR_SEEK_PARENT], wide);
    put_place(&s, numbers[XW_DIR_SEEK_KEYS], wide);
    put_uuid(&s, uuid);
    return s.bad ? 0 : XW_DIR_BYTES;
}

/* ---- free space ---- */

size_t xw_free_make(uint8_t *dst, size_t room, double end) {
    const double step = 1000000000.0;
    double last = XW_BIG_FILE;
    while (last < end)
        last += step;
    bool wide = last > XW_BIG_FILE;
    sink s = {dst, room, 0, false};
    put_int(&s, wide ? 1001 : 1, 2);
    put_place(&s, end, wide);
    put_place(&s, last, wide);
    return done(&s);
}

size_t xw_text_make(uint8_t *dst, size_t room, const uint8_t *text, size_t len) {
    sink s = {dst, room, 0, false};
    put_text(&s, text, len);
    return done(&s);
}
