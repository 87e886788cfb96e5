#include "fixture.h"

#include "../../src/decode/decoder.h"
#include "check.h"

#include <string.h>

bytes read_fixture(const char *name) {
    char path[200];
    snprintf(path, sizeof path, "../tests/fixtures/files/%s.root", name);
    FILE *file = fopen(path, "rb");
    CHECK(file, "%s cannot be opened", path);
    xy_buffer b = {0};
    for (size_t n = 1; n > 0; b.len += n) {
        uint8_t *room = xy_reserve(&b, 65536);
        CHECK(room, "out of memory");
        n = fread(room, 1, 65536, file);
    }
    fclose(file);
    bytes whole = copy_of(b.data, b.len);
    xy_buffer_free(&b);
    return whole;
}

static bytes record_at(const bytes *file, size_t at) {
    CHECK(at + 4 <= file->len, "a record at byte %zu of %zu", at, file->len);
    size_t n = xy_be32(file->data + at);
    CHECK(n <= file->len - at, "a record at byte %zu has %zu bytes", at, n);
    return copy_of(file->data + at, n);
}

bytes find_record(const bytes *file, const char *class_name, const char *name) {
    size_t at = xy_be32(file->data + 8);
    while (at + 4 < file->len) {
        int32_t n = (int32_t)xy_be32(file->data + at);
        xy_error err = {0};
        xy_key key;
        xy_cursor c = xy_cursor_of(file->data + at, file->len - at);
        if (n > 0 && !xy_read_key(&err, &c, &key) && xy_str_is(key.class_name, class_name) &&
            (!name || xy_str_is(key.name, name)))
            return record_at(file, at);
        CHECK(n != 0, "no record of class %s", class_name);
        at += (size_t)(n < 0 ? -n : n);
    }
    CHECK(false, "no record of class %s", class_name);
    return (bytes){0};
}

bytes streamer_record(const bytes *file) {
    xy_error err = {0};
    xy_file_header h;
    CHECK(!xy_read_header(&err, file->data, file->len, &h), "%s", err.message);
    return record_at(file, (size_t)h.seek_info);
}

bytes plain_record(const bytes *record) {
    xy_error err = {0};
    xy_key key;
    xy_cursor c = xy_cursor_of(record->data, record->len);
    CHECK(!xy_read_key(&err, &c, &key), "%s", err.message);
    xy_codec *codec = xy_codec_create();
    xy_buffer object = {0};
    CHECK(!xy_unpack(codec, &err, record->data, record->len, &key, &object), "%s", err.message);
    xy_buffer whole = {0};
    xy_append(&whole, record->data, key.keylen);
    xy_append(&whole, object.data, object.len);
    uint32_t n = __builtin_bswap32((uint32_t)whole.len);
    memcpy(whole.data, &n, 4);
    bytes result = copy_of(whole.data, whole.len);
    xy_buffer_free(&whole);
    xy_buffer_free(&object);
    xy_codec_destroy(codec);
    return result;
}

const char *message(const xy_ctx *ctx) {
    return (const char *)xy_ctx_error(ctx) + 16;
}

bool told(const xy_ctx *ctx, int32_t status) {
    int32_t kept;
    memcpy(&kept, xy_ctx_error(ctx), 4);
    return kept == status && (status != 0) == (strlen(message(ctx)) > 10);
}

fixture_tree open_tree(const char *fixture, const char *tree) {
    fixture_tree t = {.file = read_fixture(fixture)};
    t.ctx = xy_ctx_create();
    t.core = xy_file_create(64000);
    bytes streamers = streamer_record(&t.file), record = find_record(&t.file, "TTree", tree);
    CHECK(!xy_streamers(t.ctx, t.core, streamers.data, streamers.len), "%s", message(t.ctx));
    t.tree = xy_tree_create(t.ctx, t.core, record.data, record.len);
    CHECK(t.tree, "%s", message(t.ctx));
    free(streamers.data);
    free(record.data);
    return t;
}

void close_tree(fixture_tree *t) {
    xy_tree_destroy(t->tree);
    xy_file_destroy(t->core);
    xy_ctx_destroy(t->ctx);
    free(t->file.data);
}

int32_t branch_index(const fixture_tree *t, const char *name) {
    for (int32_t i = 0; i < t->tree->count; i++)
        if (xy_str_is(t->tree->branches[i].name, name)) return i;
    CHECK(false, "no branch %s", name);
    return -1;
}

xy_decoder *branch_decoder(const fixture_tree *t, int32_t branch) {
    CHECK(!xy_plan(t->ctx, t->tree, branch), "%s", message(t->ctx));
    xy_tape_view view = {xy_ctx_result(t->ctx), xy_ctx_result_size(t->ctx)};
    int dtype;
    const uint8_t *plan = NULL;
    uint32_t n = xy_tape_numbers(&view, xy_tape_member(&view, 0, "plan"), &dtype, &plan);
    bytes copy = copy_of(plan, n);
    xy_decoder *decoder = xy_decoder_create(t->ctx, copy.data, copy.len);
    CHECK(decoder, "%s", message(t->ctx));
    free(copy.data);
    return decoder;
}

bytes basket_record(const fixture_tree *t, int32_t branch, int32_t basket) {
    int32_t n = xy_tree_baskets(t->tree, branch, NULL, 0);
    CHECK(basket < n, "%d baskets", (int)n);
    xy_basket *list = calloc((size_t)n, sizeof *list);
    CHECK(list);
    xy_tree_baskets(t->tree, branch, list, n);
    bytes record;
    if (list[basket].embedded) {
        CHECK(!xy_tree_detach(t->ctx, t->tree, branch, basket), "%s", message(t->ctx));
        record = copy_of(xy_ctx_result(t->ctx), xy_ctx_result_size(t->ctx));
    } else {
        record = record_at(&t->file, (size_t)list[basket].seek);
    }
    free(list);
    return record;
}

xy_decoder *decoder_of_lists(int wire, int dtype, int32_t size, uint16_t flags) {
    xy_program p;
    xy_program_init(&p);
    int32_t rest = xy_node_new(&p, XY_OP_REST);
    int32_t number = xy_node_number(&p, wire, dtype);
    p.nodes[rest].first = number;
    p.nodes[rest].size = size;
    p.nodes[rest].flags = flags;
    p.root = rest;
    xy_assign_columns(&p);
    CHECK(!p.failed);
    xy_buffer plan = {0};
    xy_plan_write(&p, &plan);
    xy_error err = {0};
    xy_decoder *d = xy_decoder_new(&err, plan.data, plan.len, NULL);
    CHECK(d, "%s", err.message);
    xy_buffer_free(&plan);
    xy_program_free(&p);
    return d;
}

static void put_be32(uint8_t *at, uint32_t v) {
    v = __builtin_bswap32(v);
    memcpy(at, &v, 4);
}

bytes stored_basket(uint32_t entries, uint32_t size, const uint32_t *offsets, uint32_t count) {
    enum { KEY = 29, HEAD = KEY + 19 };
    uint32_t objlen = size + (offsets ? 4 + 4 * count : 0);
    bytes b = {calloc(HEAD + objlen, 1), HEAD + objlen};
    CHECK(b.data);
    put_be32(b.data, HEAD + objlen);
    b.data[5] = 4; /* version of the key */
    put_be32(b.data + 6, objlen);
    b.data[15] = HEAD;
    put_be32(b.data + KEY + 10, entries);
    put_be32(b.data + KEY + 14, HEAD + size);
    for (uint32_t i = 0; i < size; i++)
        b.data[HEAD + i] = (uint8_t)i;
    if (!offsets) return b;
    put_be32(b.data + HEAD + size, count);
    for (uint32_t i = 0; i < count; i++)
        put_be32(b.data + HEAD + size + 4 + 4 * (size_t)i, HEAD + offsets[i]);
    return b;
}
