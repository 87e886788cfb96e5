/* An object that is read, changed and written: streamer infos, record, and behind it 4 bytes from
 * which ROUNDS sets of edits follow. A changed tape is well formed, as the host makes it of any
 * data, but need not fit its class: it is refused, or what is written is read again and gives the
 * same bytes. */
#include "written.h"

#include "../src/streamer/tape.h"

#include <stdio.h>

enum { ROUNDS = 32, MAX_EDITS = 3, MAX_TAPE = 4 << 20, MAX_IDS = 4096, PATTERN = 512 };

enum {
    NUMBER,
    INTEGER,
    NOTHING,
    TEXT,
    ARRAY,
    LIST,
    REFERENCE,
    DROP,
    TWICE,
    OTHER,
    CLASS,
    NAME,
    UNMARKED,
    KINDS
};

typedef struct {
    size_t target, other; /* values of the tape */
    uint32_t number;
    uint8_t kind, detail;
} edit;

typedef struct {
    xy_tape_view tape;
    xy_buffer out;
    edit edits[MAX_EDITS];
    int count;             /* of edits; 0 within a value that was put in the place of another */
    uint32_t objects;      /* numbers that were given */
    uint32_t ids[MAX_IDS]; /* by the numbers of the tape */
} changer;

/* Notes where all values stand. */
static void find_values(const xy_tape_view *t, size_t at, xy_buffer *places) {
    xy_append_u32(places, (uint32_t)at);
    size_t item = xy_tape_list_first(t, at);
    for (uint32_t i = 0; i < xy_tape_list_count(t, at); i++, item = xy_tape_skip(t, item))
        find_values(t, item, places);
    xy_str name;
    for (size_t m = xy_tape_first_member(t, at, &name); m; m = xy_tape_next_member(t, at, m, &name))
        find_values(t, m, places);
}

static const edit *edit_of(const changer *c, size_t value) {
    for (int i = 0; i < c->count; i++)
        if (c->edits[i].target == value) return &c->edits[i];
    return NULL;
}

static void put_array(xy_buffer *out, const edit *e) {
    uint32_t n = e->number % 40;
    int dtype = e->detail % (XY_F64 + 1);
    uint8_t *data = xy_tape_array(out, dtype, n);
    size_t bytes = n * xy_dtype_size(dtype);
    for (size_t i = 0; data && i < bytes; i++)
        data[i] = dtype == XY_BOOL ? i & 1 : (uint8_t)(e->number >> 8 * (i % 4));
}

static void put_text(xy_buffer *out, const edit *e) {
    char text[PATTERN];
    memset(text, 'a' + e->detail % 26, sizeof text);
    xy_tape_string(out, text, e->number % sizeof text);
}

static void copy_value(changer *c, size_t at);

static void put_other(changer *c, size_t value) {
    int count = c->count;
    c->count = 0;
    copy_value(c, value);
    c->count = count;
}

/* Puts another value in the place of one; false for edits that keep it. */
static bool put_edited(changer *c, const edit *e) {
    xy_buffer *out = &c->out;
    int64_t wide = (int64_t)((uint64_t)e->number << e->detail % 33);
    switch (e->kind) {
    case NUMBER: xy_tape_f64(out, e->detail & 1 ? (double)wide : -(double)e->number / 8); break;
    case INTEGER: xy_tape_i64(out, e->detail & 1 ? wide : -(int64_t)e->number); break;
    case NOTHING: xy_tape_u8(out, XY_TAPE_NULL); break;
    case TEXT: put_text(out, e); break;
    case ARRAY: put_array(out, e); break;
    case LIST: xy_tape_list_end(out, xy_tape_list(out), 0); break;
    case REFERENCE:
        xy_tape_u8(out, XY_TAPE_REF);
        xy_append_u32(out, 1 + (c->objects ? e->number % c->objects : 0));
        break;
    case OTHER: put_other(c, e->other); break;
    default: return false;
    }
    return true;
}

static void copy_list(changer *c, size_t at) {
    size_t mark = xy_tape_list(&c->out), item = xy_tape_list_first(&c->tape, at);
    uint32_t count = 0;
    for (uint32_t i = 0; i < xy_tape_list_count(&c->tape, at); i++) {
        const edit *e = edit_of(c, item);
        int times = e && e->kind == DROP ? 0 : e && e->kind == TWICE ? 2 : 1;
        for (; times > 0; times--, count++)
            copy_value(c, item);
        item = xy_tape_skip(&c->tape, item);
    }
    xy_tape_list_end(&c->out, mark, count);
}

/* Marks (streamer/exact.h) stay as they were read, or are left out with all others of an object. */
static void copy_object(changer *c, size_t at) {
    const edit *e = edit_of(c, at);
    bool renamed = e && e->kind == CLASS && at > 0 && c->tape.data[e->other] == XY_TAPE_OBJECT;
    bool unmarked = e && e->kind == UNMARKED;
    xy_str name = xy_tape_class(&c->tape, renamed ? e->other : at);
    uint32_t id = xy_tape_object_id(&c->tape, at);
    if (id < MAX_IDS) c->ids[id] = c->objects + 1;
    size_t mark = xy_tape_object(&c->out, ++c->objects, name.text, name.len);
    for (size_t m = xy_tape_first_member(&c->tape, at, &name); m;
         m = xy_tape_next_member(&c->tape, at, m, &name)) {
        bool is_mark = name.len && *name.text == '$';
        e = is_mark ? NULL : edit_of(c, m);
        if ((is_mark && unmarked) || (e && e->kind == DROP)) continue;
        xy_tape_name(&c->out, name.text, name.len);
        if (e && e->kind == NAME && name.len) c->out.data[c->out.len - 1] = e->detail | 1;
        if (is_mark)
            put_other(c, m);
        else
            copy_value(c, m);
    }
    xy_tape_object_end(&c->out, mark);
}

static void copy_value(changer *c, size_t at) {
    const edit *e = edit_of(c, at);
    if (c->out.len > MAX_TAPE || (e && put_edited(c, e))) return;
    uint32_t id;
    switch (xy_tape_tag_at(&c->tape, at)) {
    case XY_TAPE_LIST: copy_list(c, at); break;
    case XY_TAPE_OBJECT: copy_object(c, at); break;
    case XY_TAPE_REF:
        memcpy(&id, c->tape.data + at + 1, 4);
        xy_tape_u8(&c->out, XY_TAPE_REF);
        xy_append_u32(&c->out, id < MAX_IDS && c->ids[id] ? c->ids[id] : 1);
        break;
    default: xy_append(&c->out, c->tape.data + at, xy_tape_skip(&c->tape, at) - at);
    }
}

static uint32_t next_random(uint32_t *seed) {
    *seed ^= *seed << 13;
    *seed ^= *seed >> 17;
    *seed ^= *seed << 5;
    return *seed;
}

static size_t any_value(const xy_buffer *places, uint32_t *seed) {
    uint32_t place;
    memcpy(&place, places->data + 4 * (next_random(seed) % (places->len / 4)), 4);
    return place;
}

static void choose_edits(changer *c, const xy_buffer *places, uint32_t *seed) {
    c->count = 1 + (int)(next_random(seed) % MAX_EDITS);
    for (int i = 0; i < c->count; i++) {
        uint32_t kind = next_random(seed), number = next_random(seed);
        c->edits[i] = (edit){.target = any_value(places, seed),
                             .other = any_value(places, seed),
                             .number = number >> number % 32,
                             .kind = (uint8_t)(kind % KINDS),
                             .detail = (uint8_t)(kind >> 24)};
    }
}

static void broken(const xy_ctx *ctx, const char *what) {
    fprintf(stderr, "%s: %s\n", what, (const char *)xy_ctx_error(ctx) + 16);
    abort();
}

/* Writes a changed tape, and checks what was written. */
static void write_tape(xy_ctx *ctx, xy_file *file, const part *record, const xy_buffer *tape) {
    size_t key_length = (size_t)record->data[14] << 8 | record->data[15];
    part changed = part_of(tape->data, tape->len);
    int written =
        checked(ctx, xw_encode(ctx, file, changed.data, changed.len, (uint32_t)key_length));
    free(changed.data);
    if (!written) return;
    part object = result_of(ctx), again = record_with(record, key_length, &object);
    if (!checked(ctx, xw_object(ctx, file, again.data, again.len)))
        broken(ctx, "what was written is not read");
    part second = result_of(ctx);
    if (!checked(ctx, xw_encode(ctx, file, second.data, second.len, (uint32_t)key_length)))
        broken(ctx, "what was read is not written");
    if (xy_ctx_result_size(ctx) != object.len ||
        memcmp(xy_ctx_result(ctx), object.data, object.len) != 0)
        broken(ctx, "other bytes are written");
    free(second.data);
    free(object.data);
    free(again.data);
}

static void write_changed(xy_ctx *ctx, xy_file *file, const part *record, uint32_t seed) {
    part tape = result_of(ctx);
    xy_tape_view view = {tape.data, tape.len};
    xy_buffer places = {0};
    find_values(&view, 0, &places);
    changer *c = calloc(1, sizeof *c);
    if (!c || places.failed) abort();
    for (int round = 0; round < ROUNDS; round++) {
        xy_buffer room = c->out;
        room.len = 0;
        *c = (changer){.tape = view, .out = room};
        choose_edits(c, &places, &seed);
        copy_value(c, 0);
        if (c->out.failed) abort();
        if (c->out.len < MAX_TAPE) write_tape(ctx, file, record, &c->out);
    }
    xy_buffer_free(&c->out);
    xy_buffer_free(&places);
    free(c);
    free(tape.data);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    part streamers, rest;
    two_parts(data, size, &streamers, &rest);
    size_t most = rest.len < 4 ? 0 : rest.len - 4, length = most < 4 ? 0 : xy_be32(rest.data);
    if (length > most) length = most;
    uint32_t seed = rest.len < 4 ? 0 : xy_be32(rest.data + most);
    part record = part_of(rest.data, length);
    xy_ctx *ctx = xy_ctx_create();
    xy_file *file = xy_file_create(64000);
    checked(ctx, xy_streamers(ctx, file, streamers.data, streamers.len));
    if (checked(ctx, xw_object(ctx, file, record.data, record.len)))
        write_changed(ctx, file, &record, seed | 1);
    xy_file_destroy(file);
    xy_ctx_destroy(ctx);
    free(streamers.data);
    free(rest.data);
    free(record.data);
    return 0;
}
