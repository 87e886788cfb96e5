/* The fields of a record as they are stored: each with its place, its type and its value. Nothing
 * is refused: a field that does not fit into the input is listed without a value, and ends the
 * list. What a value claims is checked by the caller, who can read the place that it names. */
#include "ctx.h"

#include "../file/record.h"
#include "../text.h"

#include <inttypes.h>

typedef struct {
    xy_buffer *tape;
    xy_cursor c;
    const char *group; /* part of the record that the fields belong to */
    double item;       /* number within the group, of parts that are repeated; -1: none */
    uint32_t count;
} fields;

/* Numbers above 2^53 are listed as text, because a double would change them. */
static const uint64_t EXACT = (uint64_t)1 << 53;

/* Lists a field up to the cursor. `value` is written unless the field was cut off. */
static void begin_field(fields *f, const char *name, const char *type, size_t start) {
    xy_buffer *t = f->tape;
    xy_put_text(t, "group", f->group);
    xy_put_number(t, "item", f->item);
    xy_put_text(t, "name", name);
    xy_put_text(t, "type", type);
    xy_put_number(t, "offset", (double)start);
    xy_put_number(t, "length", (double)(f->c.pos - start));
    f->count++;
}

/* Lists an integer of `size` bytes; returns its bits. */
static uint64_t integer(fields *f, const char *name, const char *type, size_t size,
                        bool is_signed) {
    if (f->c.bad) return 0;
    size_t start = f->c.pos;
    const uint8_t *p = xy_take(&f->c, size);
    uint64_t bits = 0;
    for (size_t i = 0; p && i < size; i++)
        bits = bits << 8 | p[i];
    int64_t value = (int64_t)bits;
    if (is_signed && size < 8)
        value = size == 1 ? (int8_t)bits : size == 2 ? (int16_t)bits : (int32_t)bits;
    size_t mark = xy_tape_object(f->tape, 0, "", 0);
    begin_field(f, name, type, start);
    uint64_t magnitude = is_signed && value < 0 ? 0 - (uint64_t)value : bits;
    if (p && magnitude > EXACT) {
        char text[24];
        xy_format(text, sizeof text, is_signed ? "%" PRId64 : "%" PRIu64, bits);
        xy_put_text(f->tape, "value", text);
    } else if (p) {
        xy_put_number(f->tape, "value", (double)value);
    }
    xy_tape_object_end(f->tape, mark);
    return bits;
}

static uint8_t byte(fields *f, const char *name) {
    return (uint8_t)integer(f, name, "Char_t", 1, true);
}
static uint16_t u16(fields *f, const char *name) {
    return (uint16_t)integer(f, name, "UShort_t", 2, false);
}
static int16_t i16(fields *f, const char *name) {
    return (int16_t)integer(f, name, "Short_t", 2, true);
}
static uint32_t u32(fields *f, const char *name) {
    return (uint32_t)integer(f, name, "UInt_t", 4, false);
}
static int32_t i32(fields *f, const char *name) {
    return (int32_t)integer(f, name, "Int_t", 4, true);
}
static uint64_t u64(fields *f, const char *name) {
    return integer(f, name, "ULong64_t", 8, false);
}
static uint64_t seek(fields *f, const char *name, bool wide) {
    return wide ? integer(f, name, "Long64_t", 8, true) : integer(f, name, "Int_t", 4, true);
}

static void text_of(fields *f, const char *name, const char *type, size_t start, xy_str text) {
    size_t mark = xy_tape_object(f->tape, 0, "", 0);
    begin_field(f, name, type, start);
    if (!f->c.bad) xy_put_str(f->tape, "value", text);
    xy_tape_object_end(f->tape, mark);
}

static xy_str string(fields *f, const char *name) {
    if (f->c.bad) return (xy_str){"", 0};
    size_t start = f->c.pos;
    xy_str text = xy_string(&f->c);
    text_of(f, name, "TString", start, text);
    return text;
}

static void letters(fields *f, const char *name, size_t n) {
    if (f->c.bad) return;
    size_t start = f->c.pos;
    const uint8_t *p = xy_take(&f->c, n);
    text_of(f, name, "Char_t[]", start, (xy_str){p ? (const char *)p : "", p ? n : 0});
}

static void uuid(fields *f) {
    u16(f, "UUID version");
    if (f->c.bad) return;
    size_t start = f->c.pos;
    const uint8_t *b = xy_take(&f->c, 16);
    char text[40] = "", *p = text;
    for (int i = 0; b && i < 16; i++)
        p += xy_format(p, (size_t)(text + sizeof text - p), "%s%02x",
                       i == 4 || i == 6 || i == 8 || i == 10 ? "-" : "", b[i]);
    text_of(f, "UUID", "TUUID", start, (xy_str){text, strlen(text)});
}

static void header(fields *f) {
    enum { WIDE = 1000000 };
    f->group = "header";
    letters(f, "magic", 4);
    bool wide = i32(f, "fVersion") >= WIDE;
    uint32_t begin = u32(f, "fBEGIN");
    seek(f, "fEND", wide);
    seek(f, "fSeekFree", wide);
    i32(f, "fNbytesFree");
    i32(f, "nfree");
    i32(f, "fNbytesName");
    byte(f, "fUnits");
    i32(f, "fCompress");
    seek(f, "fSeekInfo", wide);
    i32(f, "fNbytesInfo");
    /* Files before ROOT 3 have no UUID: their first record begins at byte 64. */
    if (begin >= f->c.pos + 18 || begin < f->c.pos) uuid(f);
}

typedef struct {
    int32_t nbytes, objlen;
    uint16_t keylen;
    xy_str class_name;
} key_head;

static key_head key(fields *f) {
    key_head k = {0};
    k.nbytes = i32(f, "fNbytes");
    if (k.nbytes < 0) return k;
    bool wide = u16(f, "fVersion") > 1000;
    k.objlen = i32(f, "fObjlen");
    u32(f, "fDatime");
    k.keylen = u16(f, "fKeylen");
    u16(f, "fCycle");
    seek(f, "fSeekKey", wide);
    seek(f, "fSeekPdir", wide);
    k.class_name = string(f, "fClassName");
    string(f, "fName");
    string(f, "fTitle");
    return k;
}

/* The members of a TBasket that its key has after those of a TKey. */
static void basket(fields *f) {
    f->group = "basket";
    u16(f, "fVersion");
    i32(f, "fBufferSize");
    if (i32(f, "fNevBufSize") < 0) byte(f, "fIOBits");
    i32(f, "fNevBuf");
    i32(f, "fLast");
    byte(f, "fFlag");
}

static void directory(fields *f) {
    f->group = "directory";
    uint16_t version = u16(f, "fVersion");
    bool wide = version > 1000;
    u32(f, "fDatimeC");
    u32(f, "fDatimeM");
    i32(f, "fNbytesKeys");
    i32(f, "fNbytesName");
    seek(f, "fSeekDir", wide);
    seek(f, "fSeekParent", wide);
    seek(f, "fSeekKeys", wide);
    if (version % 1000 > 1) uuid(f);
}

static void listed_keys(fields *f, size_t end) {
    f->group = "list of keys";
    int32_t n = i32(f, "nkeys");
    f->group = "listed key";
    for (int32_t i = 0; i < n && !f->c.bad && f->c.pos < end; i++) {
        f->item = i;
        key(f);
    }
    f->item = -1;
}

static void free_segments(fields *f, size_t end) {
    f->group = "free segment";
    for (f->item = 0; !f->c.bad && f->c.pos + 10 <= end; f->item++) {
        if (f->c.pos + 2 <= f->c.end && xy_be16(f->c.base + f->c.pos) == 0) break; /* padding */
        bool wide = i16(f, "fVersion") > 1000;
        seek(f, "fFirst", wide);
        seek(f, "fLast", wide);
    }
    f->item = -1;
}

static void anchor(fields *f) {
    static const char *const versions[] = {"fVersionEpoch", "fVersionMajor", "fVersionMinor",
                                           "fVersionPatch"};
    static const char *const places[] = {"fSeekHeader", "fNBytesHeader", "fLenHeader",
                                         "fSeekFooter", "fNBytesFooter", "fLenFooter",
                                         "fMaxKeySize"};
    f->group = "anchor of an RNTuple";
    u32(f, "byte count");
    u16(f, "class version");
    for (int i = 0; i < 4; i++)
        u16(f, versions[i]);
    for (int i = 0; i < 7; i++)
        u64(f, places[i]);
    u64(f, "checksum");
}

/* The head of the first compressed block. Its two sizes are little-endian, of 3 bytes each. */
static void block(fields *f) {
    f->group = "compressed block";
    letters(f, "algorithm", 2);
    byte(f, "method");
    static const char *const names[] = {"compressed size", "uncompressed size"};
    for (int i = 0; i < 2 && !f->c.bad; i++) {
        size_t start = f->c.pos;
        const uint8_t *p = xy_take(&f->c, 3);
        size_t mark = xy_tape_object(f->tape, 0, "", 0);
        begin_field(f, names[i], "3 bytes, little-endian", start);
        if (p) xy_put_number(f->tape, "value", p[0] | p[1] << 8 | p[2] << 16);
        xy_tape_object_end(f->tape, mark);
    }
}

int32_t xy_record_fields(xy_ctx *ctx, const uint8_t *src, size_t len, int32_t kind) {
    xy_ctx_begin(ctx);
    fields f = {.tape = &ctx->out, .c = xy_cursor_of(src, len), .group = "key", .item = -1};
    size_t mark = xy_tape_list(f.tape);
    if (kind == XY_RECORD_HEADER) {
        header(&f);
        goto done;
    }
    key_head k = key(&f);
    if (f.c.bad || k.nbytes <= 0) goto done;
    if (xy_str_is(k.class_name, "TBasket")) basket(&f);
    bool is_plain = k.objlen == k.nbytes - k.keylen;
    size_t end = (size_t)k.nbytes;
    if (f.c.bad || k.keylen < f.c.pos || k.keylen > end) goto done;
    f.c.pos = k.keylen < f.c.end ? k.keylen : f.c.end;
    if (kind == XY_RECORD_ROOT) {
        f.group = "file";
        string(&f, "fName");
        string(&f, "fTitle");
        directory(&f);
    } else if (kind == XY_RECORD_KEYS) {
        listed_keys(&f, end);
    } else if (kind == XY_RECORD_FREE) {
        free_segments(&f, end);
    } else if (!is_plain) {
        /* Pages of an RNTuple are compressed each on its own, or not at all. */
        if (!xy_str_is(k.class_name, "RBlob")) block(&f);
    } else if (xy_str_is(k.class_name, "TDirectory") || xy_str_is(k.class_name, "TDirectoryFile")) {
        directory(&f);
    } else if (xy_str_is(k.class_name, "ROOT::RNTuple")) {
        anchor(&f);
    }
done:
    xy_tape_list_end(f.tape, mark, f.count);
    return xy_ctx_end(ctx);
}
