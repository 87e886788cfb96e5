/* The header, directories, lists of keys, streamer infos, objects, trees and baskets of real files,
 * cut at every length: each fails with a message (ASan sees one byte too many). */
#include "support/check.h"
#include "support/fixture.h"

#include <string.h>

typedef int32_t reader(xy_ctx *ctx, xy_file *file, const uint8_t *src, size_t len);

static int32_t header(xy_ctx *ctx, xy_file *file, const uint8_t *src, size_t len) {
    (void)file;
    return xy_header(ctx, src, len);
}
static int32_t keys(xy_ctx *ctx, xy_file *file, const uint8_t *src, size_t len) {
    (void)file;
    return xy_keys(ctx, src, len);
}
static int32_t directory(xy_ctx *ctx, xy_file *file, const uint8_t *src, size_t len) {
    (void)file;
    return xy_subdirectory(ctx, src, len);
}
static int32_t tree(xy_ctx *ctx, xy_file *file, const uint8_t *src, size_t len) {
    xy_tree *t = xy_tree_create(ctx, file, src, len);
    int32_t status;
    memcpy(&status, xy_ctx_error(ctx), 4);
    CHECK((t != NULL) == (status == 0));
    if (t) CHECK(told(ctx, xy_tree_describe(ctx, t)), "%s", message(ctx));
    xy_tree_destroy(t);
    return status;
}

/* Cuts the record itself, its claimed lengths left as they are; all cuts below `least` must fail.
 */
static void cut(const char *what, reader *read, const bytes *streamers, const bytes *record,
                size_t least, size_t step) {
    xy_ctx *ctx = xy_ctx_create();
    xy_file *file = xy_file_create(64000);
    if (streamers) CHECK(!xy_streamers(ctx, file, streamers->data, streamers->len));
    for (size_t n = 0; n <= record->len;
         n += n + step > record->len && n < record->len ? record->len - n : step) {
        bytes part = copy_of(record->data, n);
        int32_t status = read(ctx, file, part.data, n);
        CHECK(told(ctx, status), "%s cut to %zu: %d '%s'", what, n, (int)status, message(ctx));
        CHECK((status != 0) == (n < least), "%s cut to %zu of %zu: %d", what, n, record->len,
              (int)status);
        free(part.data);
    }
    xy_file_destroy(file);
    xy_ctx_destroy(ctx);
}

/* An object of which the bytes tell a class or version that nothing describes says so itself. */
static bool answers_with_error(const xy_ctx *ctx) {
    static const char name[] = "$error";
    const uint8_t *tape = xy_ctx_result(ctx);
    size_t size = xy_ctx_result_size(ctx), length = sizeof name - 1;
    for (size_t i = 0; i + length <= size; i++)
        if (!memcmp(tape + i, name, length)) return true;
    return false;
}

/* Cuts the object within a stored record and mends the record's lengths: what is inside ends. */
static void cut_inside(reader *read, const bytes *streamers, const bytes *packed, size_t step) {
    bytes record = plain_record(packed);
    size_t keylen = xy_be16(record.data + 14);
    xy_ctx *ctx = xy_ctx_create();
    xy_file *file = xy_file_create(64000);
    if (streamers) CHECK(!xy_streamers(ctx, file, streamers->data, streamers->len));
    for (size_t n = keylen; n < record.len; n += step) {
        bytes part = copy_of(record.data, n);
        uint32_t lengths[2] = {__builtin_bswap32((uint32_t)n),
                               __builtin_bswap32((uint32_t)(n - keylen))};
        memcpy(part.data, &lengths[0], 4);
        memcpy(part.data + 6, &lengths[1], 4);
        int32_t status = read(ctx, file, part.data, n);
        CHECK(told(ctx, status) && (status != 0 || (read == xy_object && answers_with_error(ctx))),
              "object cut to %zu of %zu: %d '%s'", n - keylen, record.len - keylen, (int)status,
              message(ctx));
        free(part.data);
    }
    free(record.data);
    xy_file_destroy(file);
    xy_ctx_destroy(ctx);
}

static void cut_baskets(const char *fixture, const char *tree_name, const char *branch) {
    fixture_tree t = open_tree(fixture, tree_name);
    int32_t index = branch_index(&t, branch);
    xy_decoder *decoder = branch_decoder(&t, index);
    bytes packed = basket_record(&t, index, 0);
    bytes record = plain_record(&packed);
    for (size_t n = 0; n <= record.len; n++) {
        bytes part = copy_of(record.data, n);
        int32_t status = xy_decode(t.ctx, decoder, part.data, n, 0, -1, NULL, 0);
        CHECK(told(t.ctx, status), "%s cut to %zu: '%s'", branch, n, message(t.ctx));
        CHECK((status == 0) == (n == record.len), "%s cut to %zu of %zu", branch, n, record.len);
        CHECK(xy_decoder_rows(decoder) > 0 || n < record.len);
        CHECK(xy_decoder_buffer_size(decoder, 0) == 0 || n == record.len, "rows of a failure stay");
        free(part.data);
    }
    free(record.data);
    free(packed.data);
    xy_decoder_destroy(decoder);
    close_tree(&t);
}

int main(void) {
    bytes file = read_fixture("objects_split99");
    bytes streamers = streamer_record(&file);
    bytes head = copy_of(file.data, 300);
    /* The root directory's record ends 30 bytes behind its name. */
    size_t least = xy_be32(file.data + 8) + xy_be32(file.data + 28) + 30;
    cut("header", header, NULL, &head, least, 1);
    bytes tree_record = find_record(&file, "TTree", NULL);
    cut("tree", tree, &streamers, &tree_record, tree_record.len, 7);
    cut_inside(tree, &streamers, &tree_record, 37);
    cut("streamers", xy_streamers, NULL, &streamers, streamers.len, 5);
    cut_inside(xy_streamers, NULL, &streamers, 31);

    bytes cycles = read_fixture("cycles");
    xy_error err = {0};
    xy_cursor c = xy_cursor_of(cycles.data, cycles.len);
    c.pos = xy_be32(cycles.data + 8) + xy_be32(cycles.data + 28);
    xy_directory d;
    CHECK(!xy_read_directory(&err, &c, &d), "%s", err.message);
    bytes list = copy_of(cycles.data + d.seek_keys, (size_t)d.nbytes_keys);
    cut("keys", keys, NULL, &list, list.len, 1);
    bytes sub = find_record(&cycles, "TDirectory", NULL);
    size_t keylen = xy_be16(sub.data + 14);
    cut("directory", directory, NULL, &sub, keylen + 30, 1);

    bytes histograms = read_fixture("histograms");
    bytes histogram_streamers = streamer_record(&histograms);
    bytes th1 = find_record(&histograms, "TH1D", NULL);
    cut("TH1D", xy_object, &histogram_streamers, &th1, th1.len, 1);
    cut_inside(xy_object, &histogram_streamers, &th1, 1);

    cut_baskets("codec_none", "t", "regular");
    cut_baskets("clusters", "t", "v");
    cut_baskets("clusters", "t", "s");
    cut_baskets("stl_member_wise", "t", "points");
    cut_baskets("strings", "t", "std");
    cut_baskets("embedded", "small", "v");
    bytes all[] = {file, streamers, head,       tree_record,         cycles,
                   list, sub,       histograms, histogram_streamers, th1};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        free(all[i].data);
    return 0;
}
