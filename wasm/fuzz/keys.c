/* Lists of keys and of free space, directory records, walks, and fields of records. */
#include "input.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    part p = part_of(data, size);
    xy_ctx *ctx = xy_ctx_create();
    checked(ctx, xy_keys(ctx, p.data, p.len));
    checked(ctx, xy_subdirectory(ctx, p.data, p.len));
    checked(ctx, xy_free_list(ctx, p.data, p.len));
    checked(ctx, xy_walk(ctx, p.data, p.len, 0, 1));
    for (int32_t kind = XY_RECORD_HEADER; kind <= XY_RECORD_FREE; kind++)
        checked(ctx, xy_record_fields(ctx, p.data, p.len, kind));
    xy_ctx_destroy(ctx);
    free(p.data);
    return 0;
}
