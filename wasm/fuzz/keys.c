/* Lists of keys and of free space, directory records, and walks. */
#include "input.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    part p = part_of(data, size);
    xy_ctx *ctx = xy_ctx_create();
    checked(ctx, xy_keys(ctx, p.data, p.len));
    checked(ctx, xy_subdirectory(ctx, p.data, p.len));
    checked(ctx, xy_free_list(ctx, p.data, p.len));
    checked(ctx, xy_walk(ctx, p.data, p.len, 0, 1));
    xy_ctx_destroy(ctx);
    free(p.data);
    return 0;
}
