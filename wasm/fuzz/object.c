/* An object through the streamer infos of its file: two parts, streamer infos and record. */
#include "input.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    part streamers, record;
    two_parts(data, size, &streamers, &record);
    xy_ctx *ctx = xy_ctx_create();
    xy_file *file = xy_file_create(64000);
    checked(ctx, xy_streamers(ctx, file, streamers.data, streamers.len));
    checked(ctx, xy_object(ctx, file, record.data, record.len));
    xy_file_destroy(file);
    xy_ctx_destroy(ctx);
    free(streamers.data);
    free(record.data);
    return 0;
}
