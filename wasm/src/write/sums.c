/* Sums of objects of several files. */
#include "xylem-write.h"

#include "../abi/ctx.h"
#include "add_bins.h"
#include "object_writer.h"
#include "pack.h"
#include "records.h"
#include "shape.h"

#include <math.h>

typedef struct {
    xy_file *file;  /* classes of the first object */
    uint8_t *bytes; /* the record of an object that is alone, as it is stored; of a sum its object
                       or its exact tape, which may be packed */
    size_t len;
    size_t open_len;       /* of the object or tape; 0 while the object is alone */
    const xw_shape *shape; /* of an object; NULL for a tape */
    xy_bins *bins;         /* of a tape to which bins are added here; NULL for others */
    uint32_t added;
} sum_of;

/* The number of shapes, and of objects without one after which no more are looked for. */
enum { MAX_SHAPES = 256, MAX_SHAPELESS = 64 };

struct xw_sums {
    sum_of *items;
    int32_t count, cap;
    xy_buffer tape; /* of an object that is added */
    xw_shape *shapes[MAX_SHAPES];
    int32_t shape_count, last_shape, shapeless;
    xw_packer *packer;
    xy_codec *codec;
    size_t open; /* bytes of objects and tapes that are not packed */
    double left; /* bytes that may still be unpacked */
};

/* A sum is not packed while the others that are not have at most this many bytes, and it has not
 * more than the second number. In a merge all sums are used one after another: those that were used
 * before will be used sooner than the last one. */
static const size_t OPEN_BYTES = 32 << 20, LARGE_BYTES = 128 << 20;

xw_sums *xw_sums_create(void) {
    return xy_new(1, sizeof(xw_sums));
}

static bool is_open(const sum_of *sum) {
    return sum->open_len && sum->len == sum->open_len;
}

static void drop(xw_sums *sums, sum_of *sum) {
    if (is_open(sum)) sums->open -= sum->len;
    free(sum->bytes);
    free(sum->bins);
    memset(sum, 0, sizeof *sum);
}

void xw_sums_destroy(xw_sums *sums) {
    if (!sums) return;
    for (int32_t i = 0; i < sums->count; i++)
        drop(sums, &sums->items[i]);
    for (int32_t i = 0; i < sums->shape_count; i++)
        xw_shape_free(sums->shapes[i]);
    free(sums->items);
    xy_buffer_free(&sums->tape);
    xw_packer_destroy(sums->packer);
    xy_codec_destroy(sums->codec);
    free(sums);
}

static sum_of *sum_at(const xw_sums *sums, uint32_t number) {
    return number < (uint32_t)sums->count ? &sums->items[number] : NULL;
}

/* Puts an object of a shape, or a tape, into the place of what a sum has, which is freed. */
static void put(xw_sums *sums, sum_of *sum, const xw_shape *shape, uint8_t *bytes, size_t len,
                size_t open_len) {
    if (is_open(sum)) sums->open -= sum->len;
    free(sum->bytes);
    sum->bytes = bytes;
    sum->len = len;
    sum->open_len = open_len;
    sum->shape = shape;
    if (is_open(sum)) sums->open += len;
}

/* Bytes compressed, which the caller frees; NULL where they do not become fewer. */
static uint8_t *packed(xw_sums *sums, const uint8_t *bytes, size_t len, size_t *out_len) {
    enum { ZSTD = 5 };
    xy_buffer out = {0};
    xy_error ignored = {0};
    if (!sums->packer) sums->packer = xw_packer_create();
    bool good = sums->packer && !xw_pack_blocks(sums->packer, &ignored, ZSTD, 1, bytes, len, &out);
    uint8_t *own = good && out.len < len ? xy_copy(out.data, out.len, 1) : NULL;
    *out_len = out.len;
    xy_buffer_free(&out);
    return own;
}

/* Packs a sum that was used, where the others have many bytes. */
static void rest(xw_sums *sums, sum_of *sum) {
    if (!is_open(sum) || (sums->open - sum->len <= OPEN_BYTES && sum->len <= LARGE_BYTES)) return;
    size_t len;
    uint8_t *own = packed(sums, sum->bytes, sum->len, &len);
    if (own) put(sums, sum, sum->shape, own, len, sum->open_len);
}

/* Writes the tape or object of a sum to `out`, as long as it is. */
static bool unpack(xw_sums *sums, const sum_of *sum, uint8_t *out) {
    xy_error ignored = {0};
    if (!sums->codec) sums->codec = xy_codec_create();
    return out && sums->codec &&
           !xy_decompress(sums->codec, &ignored, sum->bytes, sum->len, out, sum->open_len);
}

/* Unpacks a sum, so that it can be used. */
static bool wake(xw_sums *sums, sum_of *sum) {
    if (is_open(sum)) return true;
    sums->left -= (double)sum->open_len;
    uint8_t *own = xy_new(sum->open_len, 1);
    if (!unpack(sums, sum, own)) {
        free(own);
        return false;
    }
    put(sums, sum, sum->shape, own, sum->open_len, sum->open_len);
    return true;
}

/* Whether bytes have a text in them. */
static bool has_text(const uint8_t *bytes, size_t len, const char *text, size_t n) {
    const uint8_t *end = bytes + len;
    while ((size_t)(end - bytes) >= n) {
        const uint8_t *first = memchr(bytes, text[0], (size_t)(end - bytes) - n + 1);
        if (!first) return false;
        if (memcmp(first, text, n) == 0) return true;
        bytes = first + 1;
    }
    return false;
}

/* Whether an object may hold branches, whose baskets would be looked for at the wrong places. */
static bool may_branch(const uint8_t *object, size_t len) {
    return has_text(object, len, "TBranch", 7);
}

/* Whether an object has numbers of process ids: marks of exact.h and members of TRefs. */
static bool may_refer(const xy_buffer *tape) {
    return has_text(tape->data, tape->len, "$pid", 4) || has_text(tape->data, tape->len, "fPID", 4);
}

static bool begin(xw_sums *sums, xy_file *file, const uint8_t *record, size_t len) {
    if (!xy_grow((void **)&sums->items, &sums->cap, sums->count, sizeof *sums->items)) return false;
    uint8_t *copy = xy_copy(record, len, 1);
    if (!copy) return false;
    sums->items[sums->count++] = (sum_of){.file = file, .bytes = copy, .len = len};
    return true;
}

/* An object that was read: its bytes are in the scratch of its file. */
typedef struct {
    xy_file *file;
    xy_key key;
} read_record;

static xy_buffer *bytes_of(const read_record *r) {
    return &r->file->scratch;
}

/* Unpacks a record. False when it has to be added as data. */
static bool read_bytes(xw_sums *sums, xy_file *file, const uint8_t *record, size_t len,
                       read_record *r) {
    if (sums->left < 0) return false;
    xy_error ignored = {0};
    *r = (read_record){.file = file};
    xy_status status = xy_file_unpack(file, &ignored, record, len, &r->key);
    sums->left -= (double)file->scratch.len;
    return !status && !may_branch(file->scratch.data, file->scratch.len);
}

/* Makes the tape of an object, on which its bins are found. False when there are none. */
static bool find_bins(xw_sums *sums, xy_file *file, xy_str class_name, const uint8_t *object,
                      size_t len, size_t keylen, xy_bins *bins) {
    xy_buffer *tape = &sums->tape;
    xy_error ignored = {0};
    tape->len = 0;
    tape->failed = false;
    if (xy_read_exact_object(file, &ignored, class_name, object, len, keylen, tape)) return false;
    xy_tape_view view = {tape->data, tape->len};
    return !tape->failed && xy_find_bins(&view, bins);
}

static bool read_bins(xw_sums *sums, const read_record *r, xy_bins *bins) {
    const xy_buffer *object = bytes_of(r);
    return find_bins(sums, r->file, r->key.class_name, object->data, object->len, r->key.keylen,
                     bins);
}

/* Puts the tape that was read into the place of what a sum has. */
static bool put_bins(xw_sums *sums, sum_of *sum, const xy_bins *bins) {
    xy_bins *own = xy_copy(bins, 1, sizeof *bins);
    uint8_t *tape = own ? xy_copy(sums->tape.data, sums->tape.len, 1) : NULL;
    if (!tape) {
        free(own);
        return false;
    }
    put(sums, sum, NULL, tape, sums->tape.len, sums->tape.len);
    sum->bins = own;
    return true;
}

/* ---- shapes ---- */

/* Returns the shape of an object; NULL if none of those that are known fits. */
static const xw_shape *known_shape(xw_sums *sums, const read_record *r) {
    const xy_buffer *object = bytes_of(r);
    for (int32_t i = 0; i < sums->shape_count; i++) {
        /* Those that follow each other are often alike. */
        int32_t place = (sums->last_shape + i) % sums->shape_count;
        const xw_shape *shape = sums->shapes[place];
        xy_str name = xw_shape_class(shape), own = r->key.class_name;
        if (xw_shape_file(shape) != r->file || name.len != own.len ||
            memcmp(name.text, own.text, own.len) != 0 ||
            !xw_shape_fits(shape, object->data, object->len))
            continue;
        sums->last_shape = place;
        return shape;
    }
    return NULL;
}

/* Makes the shape of an object whose tape was read; NULL if it has none. */
static const xw_shape *new_shape(xw_sums *sums, const read_record *r, const xy_bins *bins) {
    if (sums->shape_count == MAX_SHAPES || sums->shapeless == MAX_SHAPELESS) return NULL;
    const xy_buffer *object = bytes_of(r);
    xy_tape_view tape = {sums->tape.data, sums->tape.len};
    xw_shape *shape =
        xw_shape_of(r->file, r->key.class_name, object->data, object->len, &tape, bins);
    if (!shape) {
        sums->shapeless++;
        return NULL;
    }
    sums->last_shape = sums->shape_count;
    return sums->shapes[sums->shape_count++] = shape;
}

static bool put_shape(xw_sums *sums, sum_of *sum, const read_record *r, const xw_shape *shape) {
    const xy_buffer *object = bytes_of(r);
    uint8_t *own = xy_copy(object->data, object->len, 1);
    if (own) put(sums, sum, shape, own, object->len, object->len);
    return own != NULL;
}

/* Makes the tape of a sum of a shape. */
static bool as_tape(xw_sums *sums, sum_of *sum) {
    xy_bins bins;
    return wake(sums, sum) &&
           find_bins(sums, sum->file, xw_shape_class(sum->shape), sum->bytes, sum->len, 0, &bins) &&
           put_bins(sums, sum, &bins);
}

/* ---- adding ---- */

/* Reads the record of an object that is alone, so that others can be added. */
static bool open_sum(xw_sums *sums, sum_of *sum) {
    if (sum->bins || sum->shape) return wake(sums, sum);
    if (sum->open_len) return false;
    read_record r;
    xy_bins bins;
    if (!read_bytes(sums, sum->file, sum->bytes, sum->len, &r)) return false;
    /* The text of a mark of exact.h may be in a title. Then the tape decides. */
    const xy_buffer *object = bytes_of(&r);
    bool marked = may_refer(object);
    const xw_shape *shape = marked ? NULL : known_shape(sums, &r);
    if (shape) return put_shape(sums, sum, &r, shape);
    if (!read_bins(sums, &r, &bins) || may_refer(&sums->tape)) return false;
    shape = marked ? NULL : new_shape(sums, &r, &bins);
    return shape ? put_shape(sums, sum, &r, shape) : put_bins(sums, sum, &bins);
}

/* Adds an object to a sum that is open. */
static bool add_read(xw_sums *sums, sum_of *sum, const read_record *r) {
    const xy_buffer *object = bytes_of(r);
    bool summed = sum->added > 0;
    if (sum->shape && r->file == sum->file &&
        xw_shape_add(sum->shape, sum->bytes, sum->len, summed, object->data, object->len))
        return true;
    if (sum->shape && !as_tape(sums, sum)) return false;
    xy_bins bins;
    if (!read_bins(sums, r, &bins)) return false;
    xy_tape_view other = {sums->tape.data, sums->tape.len};
    return xy_add_bins(sum->bytes, sum->bins, summed, &other, &bins);
}

static bool add(xw_sums *sums, xy_error *err, xy_file *file, const uint8_t *record, size_t len,
                uint32_t number) {
    if (number == (uint32_t)sums->count)
        return begin(sums, file, record, len) ||
               xy_fail(err, XY_E_MEMORY, 0, "no memory for an object") == XY_OK;
    sum_of *sum = sum_at(sums, number);
    read_record r;
    if (!sum || !sum->bytes || !open_sum(sums, sum)) return false;
    bool good = read_bytes(sums, file, record, len, &r) && add_read(sums, sum, &r);
    if (good) sum->added++;
    rest(sums, sum);
    return good;
}

int32_t xw_sums_add(xy_ctx *ctx, xw_sums *sums, xy_file *file, const uint8_t *src, size_t len,
                    const uint32_t *records, uint32_t count) {
    xy_ctx_begin(ctx);
    size_t at = 0;
    for (uint32_t i = 0; i < count && !ctx->err.status; i++) {
        size_t n = records[2 * (size_t)i];
        if (n > len - at)
            xy_fail(&ctx->err, XY_E_ARGUMENT, at, "a record has %zu bytes, %zu are there", n,
                    len - at);
        else
            xy_append_u8(&ctx->out,
                         !add(sums, &ctx->err, file, src + at, n, records[2 * (size_t)i + 1]));
        at += n;
    }
    return xy_ctx_end(ctx);
}

double xw_sums_allow(xw_sums *sums, double bytes) {
    return sums->left += bytes;
}

int32_t xw_sums_object(xy_ctx *ctx, xw_sums *sums, uint32_t number) {
    xy_ctx_begin(ctx);
    sum_of *sum = sum_at(sums, number);
    if (!sum || !sum->bytes)
        xy_fail(&ctx->err, XY_E_ARGUMENT, 0, "there is no sum %u", (unsigned)number);
    else if (sum->open_len) {
        bool good = !sum->shape || as_tape(sums, sum);
        sums->left -= (double)sum->open_len;
        if (!good || !unpack(sums, sum, xy_extend(&ctx->out, sum->open_len)))
            xy_fail(&ctx->err, XY_E_MEMORY, 0, "no memory for a sum");
    } else {
        xy_read_exact(sum->file, &ctx->err, sum->bytes, sum->len, &ctx->out);
        sums->left -= (double)sum->file->scratch.len;
    }
    return xy_ctx_end(ctx);
}

int32_t xw_sums_keep(xy_ctx *ctx, xw_sums *sums, uint32_t number, const uint8_t *tape, size_t len) {
    xy_ctx_begin(ctx);
    sum_of *sum = sum_at(sums, number);
    size_t own_len = len;
    uint8_t *own = sum ? packed(sums, tape, len, &own_len) : NULL;
    if (!sum)
        xy_fail(&ctx->err, XY_E_ARGUMENT, 0, "there is no sum %u", (unsigned)number);
    else if (own || (own = xy_copy(tape, own_len = len, 1)))
        put(sums, sum, NULL, own, own_len, len);
    else
        xy_fail(&ctx->err, XY_E_MEMORY, 0, "no memory for a sum");
    return xy_ctx_end(ctx);
}

double xw_sums_pid(const xw_sums *sums, uint32_t number) {
    const sum_of *sum = sum_at(sums, number);
    double numbers[XW_KEY_NUMBERS];
    bool alone = sum && sum->bytes && !sum->open_len;
    return alone && !xw_key_read(sum->bytes, sum->len, numbers) ? numbers[XW_KEY_PID] : 0;
}

uint32_t xw_sums_added(const xw_sums *sums, uint32_t number) {
    const sum_of *sum = sum_at(sums, number);
    return sum ? sum->added : 0;
}

void xw_sums_drop(xw_sums *sums, uint32_t number) {
    sum_of *sum = sum_at(sums, number);
    if (sum) drop(sums, sum);
}

/* ---- writing ---- */

typedef struct {
    xy_ctx *ctx;
    xw_sums *sums;
    xw_packer *packer;
    int32_t algorithm, level;
    double seek, datime;
    xy_buffer texts;  /* of a key */
    xy_buffer object; /* uncompressed */
} writing;

/* Appends the key of a record with the texts of another one, of which `objlen` and the bytes that
 * follow it are known later. Returns its length; 0 when there is none. */
static size_t put_key(writing *w, const uint8_t *key, size_t len, const double *numbers,
                      double pid) {
    double places[XW_KEY_TEXTS], own[XW_KEY_NUMBERS] = {0};
    if (xw_key_texts(key, len, places)) return 0;
    w->texts.len = 0;
    for (int i = 0; i < XW_KEY_TEXTS; i += 2)
        if (!xy_append(&w->texts, key + (size_t)places[i], (size_t)places[i + 1])) return 0;
    own[XW_KEY_DATIME] = w->datime;
    own[XW_KEY_CYCLE] = numbers[XW_SUM_CYCLE];
    own[XW_KEY_SEEK] = w->seek;
    own[XW_KEY_DIR] = numbers[XW_SUM_DIR];
    own[XW_KEY_PID] = pid;
    own[XW_KEY_WIDE] = w->seek > XW_BIG_FILE || own[XW_KEY_DIR] > XW_BIG_FILE || pid > 0;
    size_t room = INT16_MAX;
    uint8_t *out = xy_reserve(&w->ctx->out, room);
    size_t made = out ? xw_key_make(out, room, own, w->texts.data, (size_t)places[1],
                                    (size_t)places[3], (size_t)places[5])
                      : 0;
    w->ctx->out.len += made;
    return made;
}

static void end_record(writing *w, size_t start, size_t objlen) {
    double changes[XW_KEY_NUMBERS];
    for (int i = 0; i < XW_KEY_NUMBERS; i++)
        changes[i] = (double)NAN;
    changes[XW_KEY_NBYTES] = (double)(w->ctx->out.len - start);
    changes[XW_KEY_OBJLEN] = (double)objlen;
    xw_key_change(w->ctx->out.data + start, w->ctx->out.len - start, changes);
}

/* Appends what follows the key of a record: an object, compressed. */
static bool put_object(writing *w, size_t start, const uint8_t *object, size_t len) {
    xy_error err = {0};
    bool good = !xw_pack_blocks(w->packer, &err, w->algorithm, w->level, object, len, &w->ctx->out);
    if (good) end_record(w, start, len);
    return good;
}

/* Appends the record of an object from its tape. */
static bool put_tape(writing *w, const sum_of *sum, const xy_tape_view *tape, const uint8_t *key,
                     size_t key_len, double *numbers, double pid) {
    size_t start = w->ctx->out.len;
    size_t made = put_key(w, key, key_len, numbers, pid);
    xy_error err = {0};
    int32_t node = -1;
    w->object.len = 0;
    bool good = made && !xy_file_node(sum->file, &err, false, xy_tape_class(tape, 0), &node) &&
                !xy_write_object(&err, &sum->file->objects, node, tape, made, &w->object) &&
                put_object(w, start, w->object.data, w->object.len);
    if (!good) w->ctx->out.len = start;
    numbers[XW_SUM_KEY] = (double)made;
    return good;
}

/* Appends the record of a sum. */
static bool put_sum(writing *w, sum_of *sum, const uint8_t *key, size_t key_len, double *numbers) {
    if (!wake(w->sums, sum)) return false;
    xy_tape_view tape = {sum->bytes, sum->len};
    if (!sum->shape) return put_tape(w, sum, &tape, key, key_len, numbers, 0);
    size_t start = w->ctx->out.len;
    size_t made = put_key(w, key, key_len, numbers, 0);
    numbers[XW_SUM_KEY] = (double)made;
    if (made && put_object(w, start, sum->bytes, sum->len)) return true;
    w->ctx->out.len = start;
    return false;
}

/* Appends the record of an object that is alone, as it is stored where its key has the same length:
 * references within it count from the start of the key. */
static bool put_alone(writing *w, const sum_of *sum, const uint8_t *key, size_t key_len,
                      double *numbers) {
    xy_error err = {0};
    xy_cursor c = xy_cursor_of(sum->bytes, sum->len);
    double old[XW_KEY_NUMBERS];
    xy_key own;
    if (xw_key_read(sum->bytes, sum->len, old) || xy_read_key(&err, &c, &own)) return false;
    if ((size_t)own.nbytes != sum->len || own.keylen > sum->len) return false;
    if (xy_file_unpack(sum->file, &err, sum->bytes, sum->len, &own)) return false;
    if (may_branch(sum->file->scratch.data, sum->file->scratch.len)) return false;
    double pid = old[XW_KEY_PID] + numbers[XW_SUM_PID];
    xy_tape_view tape = {NULL, 0};
    if (pid > 0) {
        w->sums->tape.len = 0;
        xy_error unread = {0};
        if (!xy_read_exact(sum->file, &unread, sum->bytes, sum->len, &w->sums->tape)) {
            tape = (xy_tape_view){w->sums->tape.data, w->sums->tape.len};
            if (!may_refer(&w->sums->tape)) pid = 0;
        }
    }
    size_t start = w->ctx->out.len;
    size_t made = put_key(w, key, key_len, numbers, pid);
    if (made == own.keylen) {
        if (!xy_append(&w->ctx->out, sum->bytes + own.keylen, sum->len - own.keylen)) return false;
        end_record(w, start, (size_t)own.objlen);
        numbers[XW_SUM_KEY] = (double)made;
        return true;
    }
    w->ctx->out.len = start;
    if (!tape.data) {
        w->sums->tape.len = 0;
        if (!made || xy_read_exact(sum->file, &err, sum->bytes, sum->len, &w->sums->tape))
            return false;
        tape = (xy_tape_view){w->sums->tape.data, w->sums->tape.len};
    }
    return put_tape(w, sum, &tape, key, key_len, numbers, pid);
}

int32_t xw_sums_write(xy_ctx *ctx, xw_sums *sums, xw_packer *packer, int32_t algorithm,
                      int32_t level, double seek, double datime, size_t room, const uint8_t *keys,
                      double *numbers, uint32_t count) {
    xy_ctx_begin(ctx);
    writing w = {.ctx = ctx,
                 .sums = sums,
                 .packer = packer,
                 .algorithm = algorithm,
                 .level = level,
                 .seek = seek,
                 .datime = datime};
    size_t key = 0;
    bool good = true;
    for (uint32_t i = 0; i < count; i++) {
        double *own = numbers + (size_t)i * XW_SUM_NUMBERS;
        size_t start = ctx->out.len, key_len = (size_t)own[XW_SUM_KEY];
        sum_of *sum = sum_at(sums, (uint32_t)own[XW_SUM_NUMBER]);
        bool added = sum && (sum->bins || sum->shape);
        good = good && start < room && sum && sum->bytes && (added || !sum->open_len);
        if (good && added) {
            good = put_sum(&w, sum, keys + key, key_len, own);
        } else if (good) {
            good = put_alone(&w, sum, keys + key, key_len, own);
        }
        if (good) drop(sums, sum);
        key += key_len;
        own[XW_SUM_BYTES] = good ? (double)(ctx->out.len - start) : 0;
        w.seek += own[XW_SUM_BYTES];
    }
    xy_buffer_free(&w.texts);
    xy_buffer_free(&w.object);
    return xy_ctx_end(ctx);
}
