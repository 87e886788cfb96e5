/* The exported functions for expressions. */
#include "ctx.h"

#include "../compute/expr_sink.h"

#include <math.h>

xy_query *xy_query_create(xy_ctx *ctx, const uint8_t *program, size_t len) {
    xy_ctx_begin(ctx);
    xy_query *query = xy_query_new(&ctx->err, program, len);
    if (query) query->math = ctx->math;
    return query;
}

void xy_ctx_link(xy_ctx *ctx, xy_math_call *math) {
    ctx->math = math;
}

void xy_query_destroy(xy_query *query) {
    xy_query_free(query);
}

static xy_status number_rows(xy_query *q, xy_error *err, const double *spans, size_t count,
                             size_t rows) {
    q->numbers.len = 0;
    q->first = count ? spans[0] : 0;
    if (count < 2) return XY_OK;
    double *out = (double *)(void *)xy_extend_items(&q->numbers, rows, 8);
    if (!out) return xy_fail(err, XY_E_MEMORY, 0, "no memory for the numbers of %zu entries", rows);
    for (size_t i = 0; i < count; i++)
        for (double entry = spans[2 * i]; entry < spans[2 * i + 1]; entry++)
            *out++ = entry;
    return XY_OK;
}

int32_t xy_query_start(xy_ctx *ctx, xy_query *q, const double *spans, size_t count) {
    xy_ctx_begin(ctx);
    double rows = 0;
    for (size_t i = 0; i < count && !ctx->err.status; i++) {
        double from = spans[2 * i], to = spans[2 * i + 1];
        if (!(from >= 0 && from < to && to <= 0x1p53) || from != floor(from) || to != floor(to))
            xy_fail(&ctx->err, XY_E_ARGUMENT, 0, "a span of entries from %g to %g", from, to);
        rows += to - from;
    }
    if (!ctx->err.status && rows > INT32_MAX / 2)
        xy_fail(&ctx->err, XY_E_BUDGET, 0, "too many entries at once");
    if (!ctx->err.status && !number_rows(q, &ctx->err, spans, count, (size_t)rows))
        xy_query_prepare(q, &ctx->err, (size_t)rows);
    return xy_ctx_end(ctx);
}

static bool is_column(xy_ctx *ctx, const xy_query *q, int32_t column) {
    if (column >= 0 && column < q->n_column) return true;
    xy_fail(&ctx->err, XY_E_ARGUMENT, 0, "column %d of %d", (int)column, (int)q->n_column);
    return false;
}

int32_t xy_query_bind(xy_ctx *ctx, xy_query *q, int32_t column, const xy_decoder *decoder) {
    xy_ctx_begin(ctx);
    if (is_column(ctx, q, column)) {
        q->column[column] = decoder;
        q->map[column].len = 0;
    }
    return xy_ctx_end(ctx);
}

int32_t xy_query_bind_rows(xy_ctx *ctx, xy_query *q, int32_t column, const xy_decoder *decoder,
                           const double *rows, size_t count) {
    xy_ctx_begin(ctx);
    if (!is_column(ctx, q, column)) return xy_ctx_end(ctx);
    xy_buffer *map = &q->map[column];
    map->len = 0;
    int32_t *out = (int32_t *)(void *)xy_extend_items(map, count, 4);
    if (!out) xy_fail(&ctx->err, XY_E_MEMORY, 0, "no memory for the rows of %zu entries", count);
    for (size_t i = 0; i < count && out; i++) {
        bool there = rows[i] >= 0 && rows[i] < (double)decoder->rows && rows[i] == floor(rows[i]);
        if (!there && rows[i] != -1)
            xy_fail(&ctx->err, XY_E_ARGUMENT, 0, "row %g of %lld", rows[i],
                    (long long)decoder->rows);
        out[i] = there ? (int32_t)rows[i] : -1;
    }
    q->column[column] = decoder;
    return xy_ctx_end(ctx);
}

int32_t xy_query_give(xy_ctx *ctx, xy_query *q, xy_query *weights) {
    xy_ctx_begin(ctx);
    const xy_buffer *all = &weights->out[0];
    if (weights->end != q->end || weights->n_output)
        xy_fail(&ctx->err, XY_E_ARGUMENT, 0, "weights of %zu entries for %zu", weights->end,
                q->end);
    else if (all->len / sizeof(double) == q->end || !xy_query_every_weight(weights, &ctx->err))
        q->given = (const double *)(const void *)all->data;
    return xy_ctx_end(ctx);
}

const uint8_t *xy_query_buffer(const xy_query *q, int32_t index) {
    return index >= 0 && index < q->n_out ? q->out[index].data : NULL;
}

size_t xy_query_buffer_size(const xy_query *q, int32_t index) {
    return index >= 0 && index < q->n_out ? q->out[index].len : 0;
}
