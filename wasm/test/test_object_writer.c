/* Objects of real files, written by the streamer infos that read them; tapes that do not fit their
 * class; compression in every codec; baskets that are cut and joined. */
#include "support/check.h"
#include "support/fixture.h"

#include "../src/abi/ctx.h"
#include "xylem-write.h"

#include <string.h>

static bytes result_of(const xy_ctx *ctx) {
    return copy_of(xy_ctx_result(ctx), xy_ctx_result_size(ctx));
}

static void write_all(const char *name) {
    bytes file = read_fixture(name), streamers = streamer_record(&file);
    xy_ctx *ctx = xy_ctx_create();
    xy_file *core = xy_file_create(64000);
    CHECK(!(xy_streamers(ctx, core, streamers.data, streamers.len)), "%s", message(ctx));
    int objects = 0;
    for (size_t at = xy_be32(file.data + 8); at + 4 < file.len;) {
        int32_t n = (int32_t)xy_be32(file.data + at);
        xy_error err = {0};
        xy_key key;
        xy_cursor c = xy_cursor_of(file.data + at, file.len - at);
        if (n <= 0 || xy_read_key(&err, &c, &key)) break;
        bytes record = copy_of(file.data + at, (size_t)n);
        at += (size_t)n;
        if (!xy_str_is(key.class_name, "TBasket") && !xy_str_is(key.class_name, "TFile") &&
            key.class_name.len > 0) {
            CHECK(!xw_object(ctx, core, record.data, record.len), "%s: %s", name, message(ctx));
            bytes tape = result_of(ctx);
            CHECK(!xw_encode(ctx, core, tape.data, tape.len, key.keylen), "%s: %s", name,
                  message(ctx));
            bytes written = result_of(ctx);
            CHECK(!xw_unpack(ctx, core, record.data, record.len));
            CHECK(written.len == xy_ctx_result_size(ctx) &&
                      memcmp(written.data, xy_ctx_result(ctx), written.len) == 0,
                  "%s: other bytes of %.*s", name, (int)key.name.len, key.name.text);
            free(tape.data);
            free(written.data);
            objects++;
        }
        free(record.data);
    }
    CHECK(objects > 0);
    xy_file_destroy(core);
    xy_ctx_destroy(ctx);
    free(streamers.data);
    free(file.data);
}

/* A TNamed whose members `change` makes. */
static int32_t write_named(xy_ctx *ctx, xy_file *core, int change) {
    xy_buffer t = {0};
    size_t object = xy_tape_object(&t, 1, "TNamed", 6);
    if (change != 6) {
        xy_tape_key(&t, "$version");
        xy_tape_i32(&t, 1);
    }
    xy_tape_key(&t, "fUniqueID");
    if (change == 1)
        xy_tape_f64(&t, 0.5);
    else
        xy_tape_u32(&t, 0);
    xy_tape_key(&t, "fBits");
    xy_tape_f64(&t, change == 2 ? -1 : change == 3 ? 16 : 0);
    xy_tape_key(&t, "fName");
    xy_tape_cstring(&t, "name");
    if (change != 4) {
        xy_tape_key(&t, "fTitle");
        xy_tape_cstring(&t, "");
    }
    if (change == 5) {
        xy_tape_key(&t, "fOther");
        xy_tape_u8(&t, XY_TAPE_NULL);
    }
    xy_tape_object_end(&t, object);
    bytes exact = copy_of(t.data, t.len);
    int32_t status = xw_encode(ctx, core, exact.data, exact.len, 50);
    xy_buffer_free(&t);
    free(exact.data);
    return status;
}

static void refuse_what_does_not_fit(void) {
    xy_ctx *ctx = xy_ctx_create();
    xy_file *core = xy_file_create(64000);
    CHECK(!(write_named(ctx, core, 0)), "%s", message(ctx));
    const uint8_t expected[] = {0x40, 0, 0, 18, 0, 1, 0,   1,   0,   0,   0,
                                0,    0, 0, 0,  0, 4, 'n', 'a', 'm', 'e', 0};
    CHECK(xy_ctx_result_size(ctx) == sizeof expected, "%zu bytes", xy_ctx_result_size(ctx));
    CHECK(memcmp(xy_ctx_result(ctx), expected, sizeof expected) == 0);
    static const char *const why[] = {"cannot be 0.5",    "cannot be",        "$pid",
                                      "no member fTitle", "no member fOther", "$version"};
    for (int change = 1; change <= 6; change++) {
        int32_t status = write_named(ctx, core, change);
        CHECK(status && told(ctx, status), "change %d", change);
        CHECK(strstr(message(ctx), why[change - 1]), "%s", message(ctx));
    }
    xy_file_destroy(core);
    xy_ctx_destroy(ctx);
}

static void pack_and_unpack(void) {
    static const int32_t algorithms[] = {1, 2, 4, 5};
    static const struct {
        int kind;
        size_t len;
    } contents[] = {{0, 1}, {2, 11}, {2, 5000}, {4, 5000}, {0, (1 << 24) + 100}};
    xy_ctx *ctx = xy_ctx_create();
    xy_codec *codec = xy_codec_create();
    xw_packer *packer = xw_packer_create();
    for (size_t i = 0; i < sizeof contents / sizeof *contents; i++) {
        bytes content = make_content(contents[i].kind, contents[i].len);
        for (size_t a = 0; a < 4; a++)
            for (int32_t level = 1; level <= 9; level += content.len > 1 << 20 ? 9 : 4) {
                CHECK(!(xw_pack(ctx, packer, algorithms[a], level, content.data, content.len)),
                      "%s", message(ctx));
                bytes packed = result_of(ctx);
                bool small = contents[i].kind == 4 || content.len < 20;
                CHECK(small ? packed.len == content.len : packed.len < content.len);
                uint8_t *back = malloc(content.len);
                xy_error err = {0};
                CHECK(back &&
                          !xy_decompress(codec, &err, packed.data, packed.len, back, content.len),
                      "%s", err.message);
                CHECK(memcmp(back, content.data, content.len) == 0);
                free(back);
                free(packed.data);
            }
        free(content.data);
    }
    CHECK(xw_pack(ctx, packer, 3, 1, (const uint8_t *)"a", 1) == XY_E_ARGUMENT);
    CHECK(xw_pack(ctx, packer, 5, 10, (const uint8_t *)"a", 1) == XY_E_ARGUMENT);
    xw_packer_destroy(packer);
    xy_codec_destroy(codec);
    xy_ctx_destroy(ctx);
}

/* Equal entries, with and without offsets, and entries of zeros are read as they were given. */
static void fill_baskets(void) {
    fixture_tree t = open_tree("clusters", "t");
    xy_file *core = xy_file_create(64000);
    xw_packer *packer = xw_packer_create();
    const uint32_t sizes[] = {3, 0, 4000, 1}, uneven[] = {1, 2};
    for (int b = 0; b < 2; b++) {
        bytes record = basket_record(&t, 0, 0);
        /* The key alone, and 4 bytes behind it as an entry. */
        size_t key = (size_t)xy_be16(record.data + 14) - 19;
        xw_basket *same = xw_basket_create(t.ctx, b, NULL);
        CHECK(!xw_basket_fill(t.ctx, same, record.data, key, key + 4, NULL, 500));
        CHECK(xw_basket_fill(t.ctx, same, record.data, key, key + 4, NULL, 1) == XY_E_ARGUMENT);
        CHECK(xw_basket_entries(same) == 500 && !xw_basket_finish(t.ctx, same, packer, 1, 1));
        bytes made = result_of(t.ctx);
        xw_basket *again = xw_basket_create(t.ctx, b, NULL);
        CHECK(!xw_basket_add(t.ctx, again, core, made.data, made.len, NULL, 0), "%s",
              message(t.ctx));
        CHECK(xw_basket_entries(again) == 500);
        CHECK(!xw_unpack(t.ctx, core, made.data, made.len));
        bytes object = result_of(t.ctx);
        CHECK(object.len == 4 * 500 + (b ? 4 * 502 : 0));
        for (size_t i = 0; i < 500; i++)
            CHECK(memcmp(object.data + 4 * i, record.data + key, 4) == 0);
        xw_basket_destroy(same);
        xw_basket_destroy(again);

        xw_basket *zeros = xw_basket_create(t.ctx, b, NULL);
        int32_t s =
            xw_basket_fill(t.ctx, zeros, record.data, key, key, b ? sizes : uneven, b ? 4 : 2);
        CHECK(s == (b ? XY_OK : XY_E_UNSUPPORTED));
        if (b) {
            CHECK(!xw_basket_finish(t.ctx, zeros, packer, 5, 1));
            CHECK(!xw_unpack(t.ctx, core, xy_ctx_result(t.ctx), xy_ctx_result_size(t.ctx)));
            CHECK(xy_ctx_result_size(t.ctx) == 4004 + 4 * 6);
        }
        xw_basket_destroy(zeros);
        free(made.data);
        free(object.data);
        free(record.data);
    }
    xw_packer_destroy(packer);
    xy_file_destroy(core);
    close_tree(&t);
}

/* A basket made of all entries of another has its bytes; one of some has theirs. */
static void cut_baskets(void) {
    fixture_tree t = open_tree("clusters", "t");
    xy_file *core = xy_file_create(64000);
    xw_packer *packer = xw_packer_create();
    const char *const branches[] = {"x", "v"};
    for (int b = 0; b < 2; b++) {
        bytes record = basket_record(&t, branch_index(&t, branches[b]), 0);
        uint32_t keylen = xy_be16(record.data + 14);
        xw_basket *whole = xw_basket_create(t.ctx, b, NULL);
        CHECK(!(xw_basket_add(t.ctx, whole, core, record.data, record.len, NULL, 0)), "%s",
              message(t.ctx));
        uint32_t entries = xw_basket_entries(whole);
        CHECK(!(xw_basket_finish(t.ctx, whole, packer, 5, 1)));
        bytes made = result_of(t.ctx);
        CHECK(xy_be32(made.data) == made.len &&
              memcmp(made.data + 4, record.data + 4, keylen - 24) == 0);
        CHECK(!xw_unpack(t.ctx, core, record.data, record.len));
        bytes object = result_of(t.ctx);
        CHECK(!xw_unpack(t.ctx, core, made.data, made.len), "%s", message(t.ctx));
        CHECK(xy_ctx_result_size(t.ctx) == object.len);
        CHECK(memcmp(xy_ctx_result(t.ctx), object.data, object.len) == 0, "%s", branches[b]);
        xw_basket_destroy(whole);
        free(made.data);

        CHECK(!xw_repack(t.ctx, core, packer, 4, 1, record.data, record.len));
        made = result_of(t.ctx);
        CHECK(xy_be32(made.data) == made.len &&
              memcmp(made.data + 4, record.data + 4, keylen - 4) == 0);
        CHECK(!xw_unpack(t.ctx, core, made.data, made.len), "%s", message(t.ctx));
        CHECK(xy_ctx_result_size(t.ctx) == object.len);
        CHECK(memcmp(xy_ctx_result(t.ctx), object.data, object.len) == 0, "%s", branches[b]);
        CHECK(xw_repack(t.ctx, core, packer, 4, 10, record.data, record.len) == XY_E_ARGUMENT);
        free(made.data);
        free(object.data);

        const uint32_t ranges[] = {0, 1, entries - 1, entries}, bad[] = {0, entries + 1};
        xw_basket *cut = xw_basket_create(t.ctx, b, NULL);
        CHECK(xw_basket_finish(t.ctx, cut, packer, 0, 0) == XY_E_ARGUMENT);
        CHECK(xw_basket_add(t.ctx, cut, core, record.data, record.len, bad, 1) == XY_E_ARGUMENT);
        CHECK(!(xw_basket_add(t.ctx, cut, core, record.data, record.len, ranges, 2)));
        CHECK(xw_basket_entries(cut) == 2 && !(xw_basket_finish(t.ctx, cut, packer, 0, 0)));
        const uint8_t *head = (const uint8_t *)xy_ctx_result(t.ctx) + keylen - 19;
        CHECK(xy_be32(head + 10) == 2);
        xw_basket_destroy(cut);

        /* Entries of another process id number are not those of one basket. */
        xw_basket *mixed = xw_basket_create(t.ctx, b, NULL);
        CHECK(!(xw_basket_add(t.ctx, mixed, core, record.data, record.len, ranges, 1)));
        record.data[27] = 1;
        CHECK(xw_basket_add(t.ctx, mixed, core, record.data, record.len, ranges, 1) ==
              XY_E_UNSUPPORTED);
        xw_basket_destroy(mixed);
        free(record.data);
    }
    xw_packer_destroy(packer);
    xy_file_destroy(core);
    close_tree(&t);
}

/* The plan of a branch; no bytes where it has none. */
static bytes entry_plan(const fixture_tree *t, const char *tree, int32_t branch) {
    bytes record = find_record(&t->file, "TTree", tree);
    CHECK(!xw_entry_plans(t->ctx, t->core, record.data, record.len, NULL, 0), "%s",
          message(t->ctx));
    free(record.data);
    bytes tape = result_of(t->ctx);
    xy_tape_view view = {tape.data, tape.len};
    size_t at = xy_tape_list_first(&view, 0);
    for (int32_t i = 0; i < branch; i++)
        at = xy_tape_skip(&view, at);
    int dtype = -1;
    const uint8_t *numbers = NULL;
    uint32_t len = xy_tape_numbers(&view, at, &dtype, &numbers);
    bytes plan = copy_of(numbers, len);
    free(tape.data);
    return plan;
}

/* A basket that is made of entries of another, and its object. */
static bytes moved_basket(const fixture_tree *t, const bytes *plan, const bytes *record,
                          const uint32_t *ranges, uint32_t count, bytes *object) {
    xy_file *core = xy_file_create(64000);
    xw_packer *packer = xw_packer_create();
    xw_entries *entries = xw_entries_create(t->ctx, plan->data, plan->len);
    CHECK(entries, "%s", message(t->ctx));
    xw_basket *basket = xw_basket_create(t->ctx, 1, entries);
    CHECK(!xw_basket_add(t->ctx, basket, core, record->data, record->len, ranges, count), "%s",
          message(t->ctx));
    CHECK(!xw_basket_finish(t->ctx, basket, packer, 0, 0), "%s", message(t->ctx));
    bytes made = result_of(t->ctx);
    CHECK(!xw_unpack(t->ctx, core, made.data, made.len));
    *object = result_of(t->ctx);
    xw_basket_destroy(basket);
    xw_entries_destroy(entries);
    xw_packer_destroy(packer);
    xy_file_destroy(core);
    return made;
}

/* Entries with pointers that move and come back have the bytes that they had, and others between:
 * their references moved, and null pointers did not. */
static void move_entries_with_pointers(void) {
    fixture_tree t = open_tree("written/pointers", "t");
    const char *const branches[] = {"graph", "array", "list", "old"};
    for (int b = 0; b < 4; b++) {
        int32_t branch = branch_index(&t, branches[b]);
        bytes plan = entry_plan(&t, "t", branch), record = basket_record(&t, branch, 0);
        CHECK(plan.len > 0, "%s", branches[b]);
        const uint32_t n = 8;
        const uint32_t straight[] = {0, n}, turned[] = {3, n, 0, 3};
        const uint32_t back[] = {n - 3, n, 0, n - 3};
        bytes object, other, again;
        bytes first = moved_basket(&t, &plan, &record, straight, 1, &object);
        bytes second = moved_basket(&t, &plan, &first, turned, 2, &other);
        bytes third = moved_basket(&t, &plan, &second, back, 2, &again);
        CHECK(other.len == object.len && again.len == object.len);
        CHECK(memcmp(other.data, object.data, object.len) != 0, "%s", branches[b]);
        CHECK(memcmp(again.data, object.data, object.len) == 0, "%s", branches[b]);
        const bytes made[] = {plan, record, object, other, again, first, second, third};
        for (size_t i = 0; i < sizeof made / sizeof *made; i++)
            free(made[i].data);
    }
    CHECK(!xw_entries_create(t.ctx, (const uint8_t *)"XYP1", 4));
    CHECK(told(t.ctx, XY_E_ARGUMENT));
    close_tree(&t);
    t = open_tree("clusters", "t");
    bytes none = entry_plan(&t, "t", branch_index(&t, "v"));
    CHECK(none.len == 0);
    free(none.data);
    const uint8_t wanted[] = {1};
    bytes record = find_record(&t.file, "TTree", "t");
    CHECK(xw_entry_plans(t.ctx, t.core, record.data, record.len, wanted, 1) == XY_E_ARGUMENT);
    free(record.data);
    close_tree(&t);
}

/* The offsets of entries that follow from other branches are not guessed from a basket's size. */
static void refuse_unknown_offsets(void) {
    fixture_tree t = open_tree("no_offsets", "t");
    xy_file *core = xy_file_create(64000);
    bytes record = basket_record(&t, branch_index(&t, "v"), 0);
    xw_basket *basket = xw_basket_create(t.ctx, 1, NULL);
    CHECK(xw_basket_add(t.ctx, basket, core, record.data, record.len, NULL, 0) == XY_E_UNSUPPORTED);
    xw_basket_destroy(basket);
    free(record.data);
    xy_file_destroy(core);
    close_tree(&t);
}

int main(void) {
    static const char *const fixtures[] = {"histograms", "graphs",          "references",
                                           "clusters",   "embedded",        "things",
                                           "stl",        "objects_split99", "collections_split99"};
    for (size_t i = 0; i < sizeof fixtures / sizeof *fixtures; i++)
        write_all(fixtures[i]);
    refuse_what_does_not_fit();
    pack_and_unpack();
    fill_baskets();
    cut_baskets();
    move_entries_with_pointers();
    refuse_unknown_offsets();
    return 0;
}
