/* The exported functions for expressions. */
#include "ctx.h"

#include "../compute/expr_sink.h"

#include <math.h>

xy_query *xy_query_create(xy_ctx *ctx, const uint8_t *program, size_t len) {
    xy_ctx_begin(ctx);
    return xy_query_new(&ctx->err, program, len);
}

void xy_query_destroy(xy_query *query) {
    xy_query_free(query);
}

int32_t xy_query_start(xy_ctx *ctx, xy_query *q, double first, double rows) {
    xy_ctx_begin(ctx);
    q->first = first;
    if (!(rows >= 0 && rows <= INT32_MAX))
        xy_fail(&ctx->err, XY_E_ARGUMENT, 0, "%g rows", rows);
    else
        xy_query_prepare(q, &ctx->err, (size_t)rows);
    return xy_ctx_end(ctx);
}

int32_t xy_query_bind(xy_ctx *ctx, xy_query *q, int32_t column, const xy_decoder *decoder) {
    xy_ctx_begin(ctx);
    if (column < 0 || column >= q->n_column)
        xy_fail(&ctx->err, XY_E_ARGUMENT, 0, "column %d of %d", (int)column, (int)q->n_column);
    else
        q->column[column] = decoder;
    return xy_ctx_end(ctx);
}

int32_t xy_query_fill(xy_ctx *ctx, xy_query *q, int32_t dims, int32_t profile, const double *axes,
                      double *sums, double *squares, double *stats) {
    xy_ctx_begin(ctx);
    if (dims < 1 || dims > XY_H_DIMS)
        xy_fail(&ctx->err, XY_E_ARGUMENT, 0, "%d dimensions", (int)dims);
    else
        xy_query_histogram(q, &ctx->err, dims, profile != 0, (const xy_axis *)(const void *)axes,
                           sums, squares, (xy_fill_stats *)(void *)stats);
    return xy_ctx_end(ctx);
}

int32_t xy_query_summarize(xy_ctx *ctx, xy_query *q, double *summaries, double *entries) {
    xy_ctx_begin(ctx);
    xy_query_range(q, &ctx->err, (xy_summary *)(void *)summaries, entries);
    return xy_ctx_end(ctx);
}

int32_t xy_query_values(xy_ctx *ctx, xy_query *q, double *entries) {
    xy_ctx_begin(ctx);
    xy_query_flat(q, &ctx->err, entries);
    return xy_ctx_end(ctx);
}

int32_t xy_query_rows(xy_ctx *ctx, xy_query *q) {
    xy_ctx_begin(ctx);
    xy_query_table(q, &ctx->err);
    return xy_ctx_end(ctx);
}

const uint8_t *xy_query_buffer(const xy_query *q, int32_t index) {
    return index >= 0 && index < q->n_out ? q->out[index].data : NULL;
}

size_t xy_query_buffer_size(const xy_query *q, int32_t index) {
    return index >= 0 && index < q->n_out ? q->out[index].len : 0;
}
