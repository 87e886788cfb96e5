/* An object that is read and written again: two parts, streamer infos and record. What is written
 * must be read as the same tape. The record is taken as a basket too. */
#include "written.h"

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
    for (int32_t offsets = 0; offsets < 2; offsets++) {
        xw_basket *basket = xw_basket_create(ctx, offsets, 1);
        const uint32_t ranges[] = {1, 2, 0, 1};
        checked(ctx, xw_basket_add(ctx, basket, file, record.data, record.len, NULL, 0));
        checked(ctx, xw_basket_add(ctx, basket, file, record.data, record.len, ranges, 2));
        checked(ctx, xw_basket_finish(ctx, basket, packer, 4 * offsets, offsets));
        xw_basket_destroy(basket);
    }
    xw_packer_destroy(packer);
    xy_file_destroy(file);
    xy_ctx_destroy(ctx);
    free(streamers.data);
    free(record.data);
    return 0;
}
