/* A tree: branch table, baskets and plan of all branches, and the baskets in its own record.
 * Two parts: streamer infos and the tree's record. */
#include "input.h"

#include "../src/tree/tree.h"

static void decode_embedded(xy_ctx *ctx, const xy_tree *tree, int32_t branch, const part *plan) {
    xy_decoder *decoder = xy_decoder_create(ctx, plan->data, plan->len);
    if (!decoder) abort(); /* the core's own plan */
    for (int32_t basket = 0; basket < 4; basket++) {
        if (!checked(ctx, xy_tree_detach(ctx, tree, branch, basket))) break;
        part bytes = part_of(xy_ctx_result(ctx), xy_ctx_result_size(ctx));
        checked(ctx, xy_decode(ctx, decoder, bytes.data, bytes.len, 0, -1, NULL, 0));
        free(bytes.data);
    }
    xy_decoder_destroy(decoder);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    part streamers, record;
    two_parts(data, size, &streamers, &record);
    xy_ctx *ctx = xy_ctx_create();
    xy_file *file = xy_file_create(64000);
    checked(ctx, xy_streamers(ctx, file, streamers.data, streamers.len));
    xy_tree *tree = xy_tree_create(ctx, file, record.data, record.len);
    if (tree) {
        checked(ctx, xy_tree_describe(ctx, tree));
        checked(ctx, xy_tree_layout(ctx, tree));
        for (int32_t branch = 0; branch < tree->count && branch < 100; branch++) {
            checked(ctx, xy_tree_branch_baskets(ctx, tree, branch));
            if (!checked(ctx, xy_plan(ctx, tree, branch))) continue;
            xy_tape_view view = {xy_ctx_result(ctx), xy_ctx_result_size(ctx)};
            int dtype;
            const uint8_t *bytes = NULL;
            uint32_t n = xy_tape_numbers(&view, xy_tape_member(&view, 0, "plan"), &dtype, &bytes);
            part plan = part_of(bytes, n);
            decode_embedded(ctx, tree, branch, &plan);
            free(plan.data);
        }
    }
    xy_tree_destroy(tree);
    xy_file_destroy(file);
    xy_ctx_destroy(ctx);
    free(streamers.data);
    free(record.data);
    return 0;
}
