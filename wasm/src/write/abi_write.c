/* The exported functions for objects. */
#include "xylem-write.h"

#include "../abi/ctx.h"
#include "../file/file.h"
#include "../streamer/custom.h"
#include "object_writer.h"

/* uproot leaves room behind its list of streamer infos. */
static bool is_room(const xy_cursor *c) {
    size_t at = c->pos;
    while (at < c->end && !c->base[at])
        at++;
    return at == c->end;
}

xy_status xy_read_exact(xy_file *f, xy_error *err, const uint8_t *src, size_t len,
                        xy_buffer *tape) {
    xy_key key;
    xy_status s = xy_file_unpack(f, err, src, len, &key);
    return s ? s
             : xy_read_exact_object(f, err, key.class_name, f->scratch.data, f->scratch.len,
                                    key.keylen, tape);
}

xy_status xy_read_exact_object(xy_file *f, xy_error *err, xy_str class_name, const uint8_t *object,
                               size_t len, size_t keylen, xy_buffer *tape) {
    int32_t node = -1;
    xy_status s = xy_file_node(f, err, false, class_name, &node);
    if (s) return s;
    xy_run run;
    xy_run_init(&run, err, &f->objects);
    xy_run_input(&run, object, len, keylen);
    xy_run_allow(&run, len);
    run.exact = true;
    run.tape = tape;
    tape->limit = xy_max_from(len);
    s = xy_run_named(&run, node, 1, class_name);
    if (!s && !is_room(&run.in))
        s = xy_fail(err, XY_E_CORRUPT, run.in.pos + keylen,
                    "an object ends %zu bytes before its record", xy_left(&run.in));
    xy_run_free(&run);
    return s;
}

int32_t xw_object(xy_ctx *ctx, xy_file *file, const uint8_t *src, size_t len) {
    xy_ctx_begin(ctx);
    xy_read_exact(file, &ctx->err, src, len, &ctx->out);
    return xy_ctx_end(ctx);
}

int32_t xw_encode(xy_ctx *ctx, xy_file *file, const uint8_t *tape, size_t len,
                  uint32_t key_length) {
    xy_ctx_begin(ctx);
    xy_tape_view view = {tape, len};
    int32_t node = -1;
    xy_str name = {"", 0};
    if (len && tape[0] == XY_TAPE_OBJECT) name = xy_tape_class(&view, 0);
    xy_status s = xy_file_node(file, &ctx->err, false, name, &node);
    if (!s) xy_write_object(&ctx->err, &file->objects, node, &view, key_length, &ctx->out);
    return xy_ctx_end(ctx);
}

/* Looks for a text in an object whose parts come one after another. */
typedef struct {
    const uint8_t *text;
    size_t len;
    uint8_t *before; /* the last bytes of the part before, fewer than `len` */
    size_t before_len;
    bool found;
} search;

static bool has_text(const uint8_t *bytes, size_t n, const search *s) {
    /* The last byte is rarer than those before it. */
    const uint8_t last = s->text[s->len - 1];
    for (size_t at = s->len - 1; at < n; at++) {
        const uint8_t *next = memchr(bytes + at, last, n - at);
        if (!next) return false;
        at = (size_t)(next - bytes);
        if (memcmp(next - (s->len - 1), s->text, s->len) == 0) return true;
    }
    return false;
}

static void search_part(void *use, const uint8_t *part, size_t len) {
    search *s = use;
    size_t most = s->len - 1;
    if (s->found || most == 0) return;
    /* `before` has room for the end of the part before and as many bytes of this one. */
    size_t begin = len < most ? len : most;
    memcpy(s->before + s->before_len, part, begin);
    size_t joint = s->before_len + begin;
    s->found = has_text(s->before, joint, s) || has_text(part, len, s);
    const uint8_t *end =
        len >= most ? part + len - most : s->before + (joint < most ? 0 : joint - most);
    s->before_len = len >= most || joint >= most ? most : joint;
    memmove(s->before, end, s->before_len);
}

int32_t xw_contains(xy_ctx *ctx, xy_file *file, const uint8_t *src, size_t len, const uint8_t *text,
                    size_t text_len) {
    xy_ctx_begin(ctx);
    if (!xy_ctx_expect(ctx, text_len > 1)) return xy_ctx_end(ctx);
    xy_key key;
    xy_cursor c = xy_cursor_of(src, len);
    search s = {text, text_len, xy_new(2 * (uint64_t)text_len, 1), 0, false};
    if (!s.before) xy_fail(&ctx->err, XY_E_MEMORY, 0, "no memory to search an object");
    if (!ctx->err.status && !xy_read_key(&ctx->err, &c, &key) &&
        !xy_unpack_parts(file->codec, &ctx->err, src, len, &key, search_part, &s))
        xy_append_u8(&ctx->out, s.found);
    free(s.before);
    return xy_ctx_end(ctx);
}

int32_t xw_unpack(xy_ctx *ctx, xy_file *file, const uint8_t *src, size_t len) {
    xy_ctx_begin(ctx);
    xy_key key;
    if (!xy_file_unpack(file, &ctx->err, src, len, &key))
        xy_append(&ctx->out, file->scratch.data, file->scratch.len);
    return xy_ctx_end(ctx);
}

int32_t xw_derives(xy_file *file, const uint8_t *names, size_t class_len, size_t base_len) {
    const xy_class *cls =
        xy_class_find(file->classes, (const char *)names, class_len, XY_ANY_VERSION, 0);
    const char *base = xy_classes_intern(file->classes, (const char *)names + class_len, base_len);
    return cls && base && xy_class_derives(file->classes, cls, base);
}
