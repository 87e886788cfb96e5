/* An object that is read and written again: two parts, streamer infos and record. What is written
 * must be read as the same tape. The record is taken as a basket too. */
#include "written.h"

#include "../src/streamer/tape.h"

static void write_again(xy_ctx *ctx, xy_file *file, const part *record) {
    part tape = result_of(ctx);
    size_t key_length = (size_t)record->data[14] << 8 | record->data[15];
    if (checked(ctx, xw_encode(ctx, file, tape.data, tape.len, (uint32_t)key_length))) {
        part object = result_of(ctx), again = record_with(record, key_length, &object);
        if (!checked(ctx, xw_object(ctx, file, again.data, again.len)) ||
            xy_ctx_result_size(ctx) != tape.len ||
            memcmp(xy_ctx_result(ctx), tape.data, tape.len) != 0)
            abort();
        free(object.data);
        free(again.data);
    }
    /* A file that does not describe the class. */
    xy_file *empty = xy_file_create(64000);
    checked(ctx, xw_encode(ctx, empty, tape.data, tape.len, 100));
    xy_file_destroy(empty);
    free(tape.data);
}

/* The first plan of a record that is a tree. */
static xw_entries *entries_of(xy_ctx *ctx, xy_file *file, const part *record) {
    if (!checked(ctx, xw_entry_plans(ctx, file, record->data, record->len, NULL, 0))) return NULL;
    part tape = result_of(ctx);
    xy_tape_view view = {tape.data, tape.len};
    size_t at = xy_tape_list_first(&view, 0);
    uint32_t len = 0;
    const uint8_t *plan = NULL;
    for (uint32_t i = 0; i < xy_tape_list_count(&view, 0) && !len; i++) {
        int dtype = -1;
        if (xy_tape_tag_at(&view, at) == XY_TAPE_ARRAY)
            len = xy_tape_numbers(&view, at, &dtype, &plan);
        at = xy_tape_skip(&view, at);
    }
    xw_entries *entries = len ? xw_entries_create(ctx, plan, len) : NULL;
    free(tape.data);
    return entries;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    part streamers, record;
    two_parts(data, size, &streamers, &record);
    xy_ctx *ctx = xy_ctx_create();
    xy_file *file = xy_file_create(64000);
    checked(ctx, xy_streamers(ctx, file, streamers.data, streamers.len));
    if (checked(ctx, xw_object(ctx, file, record.data, record.len)))
        write_again(ctx, file, &record);
    xw_packer *packer = xw_packer_create();
    checked(ctx, xw_repack(ctx, file, packer, 4, 1, record.data, record.len));
    xw_entries *entries = entries_of(ctx, file, &record);
    for (int32_t offsets = 0; offsets < 2; offsets++) {
        xw_basket *basket = xw_basket_create(ctx, offsets, entries);
        const uint32_t ranges[] = {1, 2, 0, 1};
        checked(ctx, xw_basket_add(ctx, basket, file, record.data, record.len, NULL, 0));
        checked(ctx, xw_basket_add(ctx, basket, file, record.data, record.len, ranges, 2));
        checked(ctx, xw_basket_finish(ctx, basket, packer, 4 * offsets, offsets));
        xw_basket_destroy(basket);
    }
    xw_entries_destroy(entries);
    xw_packer_destroy(packer);
    xy_file_destroy(file);
    xy_ctx_destroy(ctx);
    free(streamers.data);
    free(record.data);
    return 0;
}
