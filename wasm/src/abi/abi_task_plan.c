/* The exported functions that plan blocks and tasks. */
#include "ctx.h"

#include "../decode/block_plan.h"
#include "../decode/task_plan.h"

_Static_assert(sizeof(xy_plan_limits) == XY_LIMITS_DOUBLES * sizeof(double), "XY_LIMITS_DOUBLES");

int32_t xy_plan_tasks(xy_ctx *ctx, const double *packed, size_t packed_count, const double *chosen,
                      size_t chosen_count, const double *limits) {
    xy_ctx_begin(ctx);
    xy_task_plan tasks = {0};
    if (!xy_task_plan_make(&ctx->err, packed, packed_count, chosen, chosen_count,
                           (const xy_plan_limits *)(const void *)limits, &tasks)) {
        const struct {
            const char *key;
            int dtype;
            const xy_buffer *list;
        } lists[] = {{"units", XY_F64, &tasks.units},
                     {"unitEnds", XY_U32, &tasks.unit_end},
                     {"partLists", XY_U32, &tasks.part_list},
                     {"partFirsts", XY_U32, &tasks.part_first},
                     {"partCounts", XY_U32, &tasks.part_count},
                     {"partEnds", XY_U32, &tasks.part_end},
                     {"reads", XY_F64, &tasks.reads},
                     {"readEnds", XY_U32, &tasks.read_end},
                     {"headLists", XY_U32, &tasks.head_list},
                     {"headUnits", XY_U32, &tasks.head_unit},
                     {"headPlaces", XY_F64, &tasks.head_at},
                     {"headEnds", XY_U32, &tasks.head_end},
                     {"inputs", XY_F64, &tasks.input},
                     {"bytes", XY_F64, &tasks.bytes},
                     {"places", XY_F64, &tasks.place},
                     {"firstEntries", XY_F64, &tasks.first_entry},
                     {"lastEntries", XY_F64, &tasks.last_entry},
                     {"lost", XY_F64, &tasks.lost},
                     {"lostEnds", XY_U32, &tasks.lost_end},
                     {"badLists", XY_U32, &tasks.bad_list},
                     {"badUnits", XY_U32, &tasks.bad_unit}};
        size_t mark = xy_tape_object(&ctx->out, 0, "", 0);
        for (size_t i = 0; i < sizeof lists / sizeof *lists; i++)
            xy_put_array(&ctx->out, lists[i].key, lists[i].dtype, lists[i].list);
        xy_tape_object_end(&ctx->out, mark);
    }
    xy_task_plan_free(&tasks);
    return xy_ctx_end(ctx);
}

int32_t xy_plan_block(xy_ctx *ctx, const double *packed, size_t packed_count, const double *starts,
                      size_t start_count, double from, double to, double length, double growth) {
    xy_ctx_begin(ctx);
    xy_block_limits limits = {.from = from, .to = to, .length = length, .growth = growth};
    xy_block_plan block = {0};
    if (!xy_block_plan_make(&ctx->err, packed, packed_count, starts, start_count, &limits,
                            &block)) {
        size_t mark = xy_tape_object(&ctx->out, 0, "", 0);
        xy_tape_key(&ctx->out, "isCut");
        xy_tape_u8(&ctx->out, block.cut ? XY_TAPE_TRUE : XY_TAPE_FALSE);
        xy_put_array(&ctx->out, "chosen", XY_F64, &block.chosen);
        xy_put_array(&ctx->out, "ends", XY_F64, &block.ends);
        xy_tape_object_end(&ctx->out, mark);
    }
    xy_block_plan_free(&block);
    return xy_ctx_end(ctx);
}
