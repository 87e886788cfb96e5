/* The exported functions for the file, its keys and its objects. */
#include "ctx.h"

#include "../file/file.h"
#include "../text.h"
#include "../tree/tree.h"

#include <inttypes.h>

xy_ctx *xy_ctx_create(void) {
    return xy_new(1, sizeof(xy_ctx));
}

void xy_ctx_destroy(xy_ctx *ctx) {
    if (!ctx) return;
    xy_buffer_free(&ctx->out);
    xy_scratch_free(&ctx->scratch);
    free(ctx);
}

const uint8_t *xy_ctx_result(const xy_ctx *ctx) {
    return ctx->out.data;
}
size_t xy_ctx_result_size(const xy_ctx *ctx) {
    return ctx->out.len;
}
const void *xy_ctx_error(const xy_ctx *ctx) {
    return &ctx->err;
}

bool xy_check_plan(xy_ctx *ctx, const xy_program *p) {
    const char *why = p->failed ? NULL : xy_program_error(p, p->root);
    if (p->failed) {
        xy_fail(&ctx->err, XY_E_MEMORY, 0, "no memory for a decode plan");
    } else if (why) {
        xy_status s = xy_find(why, "has no streamer info") ? XY_E_NO_STREAMER : XY_E_UNSUPPORTED;
        xy_fail(&ctx->err, s, 0, "%s", why);
    }
    return !p->failed && !why;
}

void xy_put_plan(xy_ctx *ctx, const xy_program *p, int32_t counter) {
    xy_buffer plan = {0};
    xy_plan_write(p, &plan);
    size_t mark = xy_tape_object(&ctx->out, 0, "", 0);
    xy_put_array(&ctx->out, "plan", XY_U8, &plan);
    ctx->out.failed |= p->failed;
    xy_tape_key(&ctx->out, "counter");
    xy_tape_i32(&ctx->out, counter);
    xy_tape_key(&ctx->out, "schema");
    xy_plan_schema(p, p->root, &ctx->out);
    xy_tape_object_end(&ctx->out, mark);
    xy_buffer_free(&plan);
}

/* The length of the first record's key with the file's name and title (fNbytesName), if that record
 * begins at a byte; 0 when it does not. */
static size_t first_record(const uint8_t *src, size_t len, size_t at) {
    xy_error err = {0};
    xy_cursor c = xy_cursor_of(src + at, len - at);
    xy_key key;
    if (xy_read_key(&err, &c, &key) || key.seek_key != at || key.nbytes <= key.keylen ||
        !xy_str_is(key.class_name, "TFile"))
        return 0;
    c.pos = key.keylen;
    xy_string(&c);
    xy_string(&c);
    return c.bad || c.pos < key.keylen ? 0 : c.pos;
}

static void put_be32(uint8_t *p, uint64_t v) {
    uint32_t word = __builtin_bswap32((uint32_t)v);
    memcpy(p, &word, sizeof word);
}

int32_t xy_mend_header(xy_ctx *ctx, const uint8_t *src, size_t len, double size) {
    /* A version of ROOT 6: objects have their own versions with them. */
    enum { VERSION = 62400, LARGE = 1000000, USUAL = 100, BEFORE_3 = 64 };
    xy_ctx_begin(ctx);
    size_t begin = USUAL, name_bytes = len > USUAL ? first_record(src, len, USUAL) : 0;
    if (!name_bytes && len > BEFORE_3) name_bytes = first_record(src, len, begin = BEFORE_3);
    if (!name_bytes || !(size > 0 && size < 0x1p53)) {
        xy_fail(&ctx->err, XY_E_NOT_ROOT, 0, "no record of a ROOT file begins at byte 64 or 100");
        return xy_ctx_end(ctx);
    }
    xy_append(&ctx->out, src, len);
    if (ctx->out.failed) return xy_ctx_end(ctx);
    uint8_t *p = ctx->out.data;
    bool large = size > INT32_MAX;
    memset(p, 0, begin);
    memcpy(p, "root", 4);
    put_be32(p + 4, VERSION + (large ? LARGE : 0));
    put_be32(p + 8, begin);
    if (large) put_be32(p + 12, (uint64_t)size >> 32);
    put_be32(p + (large ? 16 : 12), (uint64_t)size);
    put_be32(p + (large ? 36 : 28), name_bytes);
    p[large ? 40 : 32] = large ? 8 : 4;
    return xy_ctx_end(ctx);
}

/* TDatime packs a local time: 6 bits of years from 1995, then month, day, hour, minute, second. */
static void put_time(xy_buffer *t, const char *key, uint32_t v) {
    char text[32];
    xy_format(text, sizeof text, "%04u-%02u-%02uT%02u:%02u:%02u", (v >> 26) + 1995, v >> 22 & 15,
              v >> 17 & 31, v >> 12 & 31, v >> 6 & 63, v & 63);
    xy_put_text(t, key, text);
}

static void put_directory(xy_buffer *t, const xy_directory *d) {
    char uuid[40] = "";
    if (d->has_uuid) {
        char *p = uuid;
        for (int i = 0; i < 16; i++)
            p += xy_format(p, (size_t)(uuid + sizeof uuid - p), "%s%02x",
                           i == 4 || i == 6 || i == 8 || i == 10 ? "-" : "", d->uuid[i]);
    }
    xy_put_text(t, "uuid", uuid);
    put_time(t, "created", d->created);
    put_time(t, "modified", d->modified);
    xy_put_number(t, "seekKeys", (double)d->seek_keys);
    xy_put_number(t, "nbytesKeys", d->nbytes_keys);
}

/* fCompress is 100 x algorithm + level; algorithm 0 is the only one that old versions had: zlib. */
static void put_compression(xy_buffer *t, int32_t compress) {
    static const char *const names[] = {"zlib", "zlib", "lzma", "old", "lz4", "zstd"};
    char text[32];
    int algorithm = compress / 100, level = compress % 100;
    if (compress <= 0 || level == 0)
        xy_format(text, sizeof text, "none");
    else
        xy_format(text, sizeof text, "%s %d", algorithm < 6 ? names[algorithm] : "unknown", level);
    xy_put_text(t, "compression", text);
}

int32_t xy_header(xy_ctx *ctx, const uint8_t *src, size_t len) {
    xy_ctx_begin(ctx);
    xy_file_header h;
    if (xy_read_header(&ctx->err, src, len, &h)) return xy_ctx_end(ctx);
    xy_cursor c = xy_cursor_of(src, len);
    c.pos = (size_t)h.begin;
    xy_key key = {0};
    if (h.begin < len && xy_read_key(&ctx->err, &c, &key)) return xy_ctx_end(ctx);
    uint64_t at = h.begin + (uint64_t)h.nbytes_name;
    if (h.nbytes_name < 0 || at + 30 > len) {
        xy_fail(&ctx->err, XY_E_TRUNCATED, at,
                "the root directory should lie at byte %" PRIu64 ", behind the %zu bytes there are",
                at, len);
        return xy_ctx_end(ctx);
    }
    c.pos = (size_t)at;
    xy_directory d;
    if (xy_read_directory(&ctx->err, &c, &d)) return xy_ctx_end(ctx);
    xy_buffer *t = &ctx->out;
    size_t mark = xy_tape_object(t, 0, "", 0);
    char version[24];
    xy_format(version, sizeof version, "%d.%02d/%02d", h.version / 10000, h.version / 100 % 100,
              h.version % 100);
    xy_put_number(t, "version", h.version);
    xy_put_text(t, "rootVersion", version);
    xy_put_number(t, "begin", (double)h.begin);
    xy_put_number(t, "beginBytes", key.nbytes);
    xy_put_number(t, "end", (double)h.end);
    xy_put_number(t, "seekInfo", (double)h.seek_info);
    xy_put_number(t, "nbytesInfo", h.nbytes_info);
    xy_put_number(t, "seekFree", (double)h.seek_free);
    xy_put_number(t, "nbytesFree", h.nbytes_free);
    xy_put_number(t, "compress", h.compress);
    put_compression(t, h.compress);
    xy_put_number(t, "units", h.units);
    xy_put_str(t, "title", key.title);
    put_directory(t, &d);
    xy_tape_object_end(t, mark);
    return xy_ctx_end(ctx);
}

/* Reads the key at the start of a record and places the cursor after it; false after recording
 * why that is not possible. */
static bool enter_record(xy_ctx *ctx, const uint8_t *src, size_t len, xy_cursor *c) {
    *c = xy_cursor_of(src, len);
    xy_key key;
    if (xy_read_key(&ctx->err, c, &key)) return false;
    c->pos = key.keylen < len ? key.keylen : len;
    return true;
}

int32_t xy_subdirectory(xy_ctx *ctx, const uint8_t *src, size_t len) {
    xy_ctx_begin(ctx);
    xy_cursor c;
    if (!enter_record(ctx, src, len, &c)) return xy_ctx_end(ctx);
    xy_directory d;
    if (xy_read_directory(&ctx->err, &c, &d)) return xy_ctx_end(ctx);
    size_t mark = xy_tape_object(&ctx->out, 0, "", 0);
    put_directory(&ctx->out, &d);
    xy_tape_object_end(&ctx->out, mark);
    return xy_ctx_end(ctx);
}

static void put_key(xy_buffer *t, const xy_key *key, double at) {
    size_t mark = xy_tape_object(t, 0, "", 0);
    if (at >= 0) xy_put_number(t, "at", at);
    xy_put_str(t, "name", key->name);
    xy_put_str(t, "title", key->title);
    xy_put_str(t, "className", key->class_name);
    xy_put_number(t, "cycle", key->cycle);
    xy_put_number(t, "nbytes", key->nbytes);
    xy_put_number(t, "keylen", key->keylen);
    xy_put_number(t, "objlen", key->objlen);
    xy_put_number(t, "seekKey", (double)key->seek_key);
    xy_put_number(t, "seekDir", (double)key->seek_dir);
    put_time(t, "created", key->datime);
    xy_tape_object_end(t, mark);
}

int32_t xy_keys(xy_ctx *ctx, const uint8_t *src, size_t len) {
    xy_ctx_begin(ctx);
    xy_cursor c;
    if (!enter_record(ctx, src, len, &c)) return xy_ctx_end(ctx);
    uint32_t n = xy_u32(&c);
    if (c.bad || n > xy_left(&c) / 26) {
        xy_fail(&ctx->err, XY_E_CORRUPT, c.pos,
                "a directory claims %" PRIu32 " keys in a list of %zu bytes", n, len);
        return xy_ctx_end(ctx);
    }
    size_t mark = xy_tape_list(&ctx->out);
    for (uint32_t i = 0; i < n; i++) {
        xy_key key;
        if (xy_read_key(&ctx->err, &c, &key)) return xy_ctx_end(ctx);
        put_key(&ctx->out, &key, -1);
    }
    xy_tape_list_end(&ctx->out, mark, n);
    return xy_ctx_end(ctx);
}

/* Reads a record that is not a gap: its key, checked against where it lies; false when it is not
 * a key. */
static bool walk_record(xy_cursor *c, double at, xy_key *key) {
    xy_error ignored = {0};
    size_t start = c->pos;
    bool good = xy_read_key(&ignored, c, key) == XY_OK && key->nbytes > 0 &&
                key->keylen >= key->header_bytes && key->class_name.len > 0 &&
                (double)key->seek_key == at + (double)start;
    c->pos = start;
    c->bad = false;
    return good;
}

int32_t xy_free_list(xy_ctx *ctx, const uint8_t *src, size_t len) {
    xy_ctx_begin(ctx);
    xy_cursor c;
    if (!enter_record(ctx, src, len, &c)) return xy_ctx_end(ctx);
    xy_buffer first = {0}, last = {0};
    while (xy_left(&c) >= 10) {
        uint16_t version = xy_u16(&c);
        if (version == 0) break; /* padding */
        bool wide = version > 1000;
        double from = (double)(wide ? xy_u64(&c) : xy_u32(&c));
        double to = (double)(wide ? xy_u64(&c) : xy_u32(&c));
        if (c.bad) break;
        xy_append(&first, &from, sizeof from);
        xy_append(&last, &to, sizeof to);
    }
    xy_buffer *t = &ctx->out;
    size_t mark = xy_tape_object(t, 0, "", 0);
    const struct {
        const char *key;
        const xy_buffer *values;
    } lists[] = {{"first", &first}, {"last", &last}};
    for (int k = 0; k < 2; k++) {
        xy_tape_key(t, lists[k].key);
        size_t bytes = lists[k].values->len;
        uint8_t *data = xy_tape_array(t, XY_F64, (uint32_t)(bytes / 8));
        if (data && bytes) memcpy(data, lists[k].values->data, bytes);
    }
    xy_tape_object_end(t, mark);
    t->failed |= first.failed || last.failed;
    xy_buffer_free(&first);
    xy_buffer_free(&last);
    return xy_ctx_end(ctx);
}

static void put_gap(xy_buffer *t, double at, double bytes) {
    size_t mark = xy_tape_object(t, 0, "", 0);
    xy_put_number(t, "at", at);
    xy_put_number(t, "nbytes", -bytes);
    xy_tape_object_end(t, mark);
}

int32_t xy_walk(xy_ctx *ctx, const uint8_t *src, size_t len, double at, int32_t all) {
    enum { KEY_ROOM = 2048 }; /* a key and its strings; longer ones end the walk */
    xy_ctx_begin(ctx);
    xy_cursor c = xy_cursor_of(src, len);
    xy_buffer *t = &ctx->out;
    size_t mark = xy_tape_object(t, 0, "", 0);
    xy_tape_key(t, "keys");
    size_t list = xy_tape_list(t);
    uint32_t count = 0;
    double next = at;
    const char *stopped = "";
    while (xy_left(&c) >= 4) {
        int32_t nbytes = (int32_t)xy_be32(src + c.pos);
        xy_key key;
        size_t step = nbytes < 0 ? (size_t)0 - (size_t)nbytes : (size_t)nbytes;
        if (nbytes == 0 || nbytes == INT32_MIN) {
            stopped = "a record has no length";
            break;
        }
        if (nbytes > 0 && !walk_record(&c, at, &key)) {
            if (xy_left(&c) < KEY_ROOM && c.pos > 0) break; /* go on with the next piece */
            stopped = "what stands there is no record";
            break;
        }
        if (nbytes > 0 ? all || !xy_str_is(key.class_name, "TBasket") : all) {
            if (nbytes > 0)
                put_key(t, &key, at + (double)c.pos);
            else
                put_gap(t, at + (double)c.pos, (double)step);
            count++;
        }
        next = at + (double)c.pos + (double)step;
        if (step > xy_left(&c)) break;
        c.pos += step;
    }
    xy_tape_list_end(t, list, count);
    xy_put_number(t, "next", next);
    xy_put_text(t, "stopped", stopped);
    xy_tape_object_end(t, mark);
    return xy_ctx_end(ctx);
}

double xy_find_record(const uint8_t *src, size_t len, double at) {
    xy_cursor c = xy_cursor_of(src, len);
    xy_key key;
    for (; xy_left(&c) >= 4; c.pos++)
        if (src[c.pos] < 0x80 && walk_record(&c, at, &key)) return (double)c.pos;
    return -1;
}

int32_t xy_streamers_same(const xy_file *file, const uint8_t *src, size_t len) {
    return xy_file_same_streamers(file, src, len);
}

int32_t xy_streamers(xy_ctx *ctx, xy_file *file, const uint8_t *src, size_t len) {
    xy_ctx_begin(ctx);
    xy_file_streamers(file, &ctx->err, src, len);
    return xy_ctx_end(ctx);
}

int32_t xy_object_check(xy_ctx *ctx, xy_file *file, const uint8_t *src, size_t len) {
    xy_ctx_begin(ctx);
    xy_file_check_object(file, &ctx->err, src, len, &ctx->out);
    return xy_ctx_end(ctx);
}

int32_t xy_object(xy_ctx *ctx, xy_file *file, const uint8_t *src, size_t len) {
    xy_ctx_begin(ctx);
    xy_file_object_or_bytes(file, &ctx->err, src, len, &ctx->out);
    return xy_ctx_end(ctx);
}
