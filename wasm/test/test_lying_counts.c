/* Counts and lengths that claim more than there is: lists of keys, records, streamer infos, baskets
 * and the baskets in a tree's record. Every field of 4 bytes of real records is set to extremes. */
#include "../src/decode/decoder.h"
#include "support/check.h"
#include "support/fixture.h"

#include <string.h>

static const uint32_t LIES[] = {0,          1,          0x7f,       0xff,       0x4000,
                                0x7fffffff, 0x80000000, 0xffffffff, 0x40000000, 0x00ffffff};
enum { LIE_COUNT = sizeof LIES / sizeof *LIES };

/* A list of keys with one key less or more than it says. */
static void lying_key_list(void) {
    bytes file = read_fixture("histograms");
    xy_error err = {0};
    xy_cursor c = xy_cursor_of(file.data, file.len);
    c.pos = xy_be32(file.data + 8) + xy_be32(file.data + 28);
    xy_directory d;
    CHECK(!xy_read_directory(&err, &c, &d), "%s", err.message);
    bytes list = copy_of(file.data + d.seek_keys, (size_t)d.nbytes_keys);
    size_t at = xy_be16(list.data + 14);
    uint32_t count = xy_be32(list.data + at);
    CHECK(count > 1);
    xy_ctx *ctx = xy_ctx_create();
    CHECK(!xy_keys(ctx, list.data, list.len));
    const uint32_t claims[] = {count + 1, 100000, 0x7fffffff, 0x80000000, 0xffffffff};
    for (size_t i = 0; i < sizeof claims / sizeof *claims; i++) {
        uint32_t claim = __builtin_bswap32(claims[i]);
        memcpy(list.data + at, &claim, 4);
        int32_t status = xy_keys(ctx, list.data, list.len);
        CHECK(status == XY_E_CORRUPT || status == XY_E_TRUNCATED, "%u keys: %d", claims[i],
              (int)status);
        CHECK(told(ctx, status));
    }
    xy_ctx_destroy(ctx);
    free(list.data);
    free(file.data);
}

/* objlen of a record: what its compressed bytes cannot give is refused before memory is taken. */
static void lying_object_length(void) {
    static const char *const files[] = {"codec_zlib", "codec_lz4",  "codec_lzma",
                                        "codec_zstd", "codec_none", "codec_old"};
    for (size_t f = 0; f < sizeof files / sizeof *files; f++) {
        bytes file = read_fixture(files[f]);
        bytes record = find_record(&file, "TTree", NULL);
        const uint32_t claims[] = {1, 1 << 20, 1 << 30, 0x40000001, 0x7fffffff, 0xffffffff};
        for (size_t i = 0; i < sizeof claims / sizeof *claims; i++) {
            xy_error err = {0};
            xy_key key;
            uint32_t claim = __builtin_bswap32(claims[i]);
            memcpy(record.data + 6, &claim, 4);
            xy_cursor c = xy_cursor_of(record.data, record.len);
            xy_codec *codec = xy_codec_create();
            xy_buffer object = {0};
            xy_status s = xy_read_key(&err, &c, &key);
            if (!s) s = xy_unpack(codec, &err, record.data, record.len, &key, &object);
            CHECK(s && err.message[0], "%s: %u bytes of object", files[f], claims[i]);
            CHECK(object.cap < 1 << 20, "%s: %zu bytes taken for a lie", files[f], object.cap);
            xy_buffer_free(&object);
            xy_codec_destroy(codec);
        }
        free(record.data);
        free(file.data);
    }
}

/* Blocks whose envelopes claim what their codec cannot do. */
static void lying_blocks(void) {
    static const char tags[][3] = {"ZL", "CS", "ZS", "L4", "XZ"};
    for (int t = 0; t < 5; t++) {
        uint8_t record[26 + 3 + 9 + 40] = {0, 0, 0, sizeof record, 0, 4};
        const uint32_t objlen = __builtin_bswap32(0xffffff);
        memcpy(record + 6, &objlen, 4);
        record[15] = 29;
        const uint8_t envelope[] = {
            (uint8_t)tags[t][0], (uint8_t)tags[t][1], 8, 40, 0, 0, 0xff, 0xff, 0xff};
        memcpy(record + 29, envelope, 9);
        xy_error err = {0};
        xy_key key;
        xy_cursor c = xy_cursor_of(record, sizeof record);
        CHECK(!xy_read_key(&err, &c, &key), "%s", err.message);
        xy_codec *codec = xy_codec_create();
        xy_buffer object = {0};
        CHECK(xy_unpack(codec, &err, record, sizeof record, &key, &object) == XY_E_CORRUPT);
        CHECK(object.cap == 0, "memory is taken before the claim is looked at");
        xy_codec_destroy(codec);
    }
}

/* Every 4 bytes of a record's object become a lie. */
static void lie_everywhere(const char *fixture, const char *class_name, size_t step) {
    bytes file = read_fixture(fixture);
    bytes streamers = streamer_record(&file);
    bytes packed = find_record(&file, class_name, NULL), record = plain_record(&packed);
    bool is_tree = strcmp(class_name, "TTree") == 0;
    xy_ctx *ctx = xy_ctx_create();
    xy_file *core = xy_file_create(64000);
    CHECK(!xy_streamers(ctx, core, streamers.data, streamers.len), "%s", message(ctx));
    for (size_t at = xy_be16(record.data + 14); at + 4 <= record.len; at += step) {
        uint8_t kept[4];
        memcpy(kept, record.data + at, 4);
        uint32_t lie = __builtin_bswap32(LIES[at / step % LIE_COUNT]);
        memcpy(record.data + at, &lie, 4);
        if (is_tree) {
            xy_tree *tree = xy_tree_create(ctx, core, record.data, record.len);
            for (int32_t i = 0; tree && i < tree->count; i++) {
                CHECK(told(ctx, xy_tree_branch_baskets(ctx, tree, i)));
                CHECK(told(ctx, xy_plan(ctx, tree, i)), "%s", message(ctx));
            }
            xy_tree_destroy(tree);
        } else {
            int32_t status = xy_object(ctx, core, record.data, record.len);
            CHECK(told(ctx, status), "a lie at byte %zu: %d '%s'", at, (int)status, message(ctx));
        }
        memcpy(record.data + at, kept, 4);
    }
    xy_file_destroy(core);
    xy_ctx_destroy(ctx);
    free(packed.data);
    free(record.data);
    free(streamers.data);
    free(file.data);
}

static void lying_baskets(const char *fixture, const char *tree, const char *branch) {
    fixture_tree t = open_tree(fixture, tree);
    int32_t index = branch_index(&t, branch);
    xy_decoder *decoder = branch_decoder(&t, index);
    bytes packed = basket_record(&t, index, 0);
    bytes record = plain_record(&packed);
    for (size_t at = 0; at + 4 <= record.len; at++) {
        for (size_t k = 0; k < LIE_COUNT; k++) {
            uint8_t kept[4];
            memcpy(kept, record.data + at, 4);
            uint32_t lie = __builtin_bswap32(LIES[k]);
            memcpy(record.data + at, &lie, 4);
            xy_decoder_reset(decoder);
            int32_t status = xy_decode(t.ctx, decoder, record.data, record.len, 0, -1, NULL, 0);
            CHECK(told(t.ctx, status), "%s: a lie at %zu: '%s'", branch, at, message(t.ctx));
            memcpy(record.data + at, kept, 4);
        }
    }
    xy_decoder_reset(decoder);
    CHECK(!xy_decode(t.ctx, decoder, record.data, record.len, 0, -1, NULL, 0), "%s",
          message(t.ctx));
    CHECK(xy_decode(t.ctx, decoder, record.data, record.len, 0, 100000, NULL, 0) == XY_E_CORRUPT);
    CHECK(xy_decode(t.ctx, decoder, record.data, record.len, 3, 2, NULL, 0) == XY_E_CORRUPT);
    free(packed.data);
    free(record.data);
    xy_decoder_destroy(decoder);
    close_tree(&t);
}

int main(void) {
    lying_key_list();
    lying_object_length();
    lying_blocks();
    lie_everywhere("histograms", "TH1D", 1);
    lie_everywhere("graphs", "TGraphErrors", 1);
    lie_everywhere("embedded", "TTree", 5);
    lie_everywhere("objects_split99", "TTree", 61);
    lying_baskets("clusters", "t", "v");
    lying_baskets("clusters", "t", "s");
    lying_baskets("embedded", "small", "v");
    lying_baskets("stl_member_wise", "t", "points");
    lying_baskets("stl_member_wise", "t", "map_int_vector");
    lying_baskets("strings", "t", "std");
    return 0;
}
