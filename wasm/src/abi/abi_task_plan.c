/* The exported function that plans tasks. */
#include "ctx.h"

#include "../decode/task_plan.h"

int32_t xy_plan_tasks(xy_ctx *ctx, const double *packed, size_t packed_count, const double *chosen,
                      size_t chosen_count, double min_bytes, double max_bytes, double shares,
                      uint32_t max_pieces, double gap) {
    xy_ctx_begin(ctx);
    xy_plan_limits limits = {.min_bytes = min_bytes,
                             .max_bytes = max_bytes,
                             .shares = shares,
                             .max_pieces = max_pieces,
                             .gap = gap};
    xy_task_plan cut = {0};
    if (!xy_task_plan_make(&ctx->err, packed, packed_count, chosen, chosen_count, &limits, &cut)) {
        const struct {
            const char *key;
            int dtype;
            const xy_buffer *list;
        } lists[] = {{"pieces", XY_F64, &cut.pieces},
                     {"pieceEnds", XY_U32, &cut.piece_end},
                     {"partScans", XY_U32, &cut.part_scan},
                     {"partFirsts", XY_U32, &cut.part_first},
                     {"partCounts", XY_U32, &cut.part_count},
                     {"partEnds", XY_U32, &cut.part_end},
                     {"reads", XY_F64, &cut.reads},
                     {"readEnds", XY_U32, &cut.read_end},
                     {"headScans", XY_U32, &cut.head_scan},
                     {"headPieces", XY_U32, &cut.head_piece},
                     {"headPlaces", XY_F64, &cut.head_at},
                     {"headEnds", XY_U32, &cut.head_end},
                     {"inputs", XY_F64, &cut.input},
                     {"bytes", XY_F64, &cut.bytes},
                     {"places", XY_F64, &cut.place},
                     {"fileEnds", XY_F64, &cut.file_end},
                     {"firstEntries", XY_F64, &cut.first_entry},
                     {"lastEntries", XY_F64, &cut.last_entry},
                     {"badScans", XY_U32, &cut.bad_scan},
                     {"badPieces", XY_U32, &cut.bad_piece}};
        size_t mark = xy_tape_object(&ctx->out, 0, "", 0);
        for (size_t i = 0; i < sizeof lists / sizeof *lists; i++)
            xy_put_array(&ctx->out, lists[i].key, lists[i].dtype, lists[i].list);
        xy_tape_object_end(&ctx->out, mark);
    }
    xy_task_plan_free(&cut);
    return xy_ctx_end(ctx);
}
