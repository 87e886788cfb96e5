/* The exported function that cuts what is to be read into tasks. */
#include "ctx.h"

#include "../file/cut.h"

int32_t xy_cut_pieces(xy_ctx *ctx, const double *packed, size_t packed_count, const double *chosen,
                      size_t chosen_count, double least_bytes, double most_bytes, double shares,
                      uint32_t most_pieces, double gap) {
    xy_ctx_begin(ctx);
    xy_cut_limits limits = {.least_bytes = least_bytes,
                            .most_bytes = most_bytes,
                            .shares = shares,
                            .most_pieces = most_pieces,
                            .gap = gap};
    xy_cut cut = {0};
    if (!xy_cut_tasks(&ctx->err, packed, packed_count, chosen, chosen_count, &limits, &cut)) {
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
    xy_cut_free(&cut);
    return xy_ctx_end(ctx);
}
