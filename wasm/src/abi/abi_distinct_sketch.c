/* Sketches of a decoder's buffers. */
#include "xylem.h"

#include "../compute/distinct_sketch.h"
#include "../decode/decoder.h"
#include "../streamer/tape.h"
#include "ctx.h"

#include <stdlib.h>

xy_sketch *xy_sketch_create(void) {
    return xy_new(1, sizeof(xy_sketch));
}

void xy_sketch_destroy(xy_sketch *sketch) {
    free(sketch);
}

static const xy_buffer *buffer_at(xy_ctx *ctx, const xy_decoder *d, int32_t index) {
    if (index >= 0 && index < d->program.column_count) return &d->run.columns.buffers[index];
    xy_fail(&ctx->err, XY_E_ARGUMENT, 0, "no buffer %d", (int)index);
    return NULL;
}

/* Lists that the offsets stand for; there are none before the first row. */
static size_t count_of(const xy_buffer *offsets) {
    return offsets->len < 8 ? 0 : offsets->len / 4 - 1;
}

int32_t xy_sketch_numbers(xy_ctx *ctx, xy_sketch *sketch, const xy_decoder *d, int32_t index,
                          int32_t dtype) {
    xy_ctx_begin(ctx);
    const xy_buffer *b = buffer_at(ctx, d, index);
    if (b && (dtype < XY_BOOL || dtype > XY_F64))
        xy_fail(&ctx->err, XY_E_ARGUMENT, 0, "no type of number %d", (int)dtype);
    else if (b)
        xy_sketch_add_numbers(sketch, dtype, b->data, b->len);
    return xy_ctx_end(ctx);
}

int32_t xy_sketch_texts(xy_ctx *ctx, xy_sketch *sketch, const xy_decoder *d, int32_t offsets) {
    xy_ctx_begin(ctx);
    const xy_buffer *o = buffer_at(ctx, d, offsets);
    const xy_buffer *b = o ? buffer_at(ctx, d, offsets + 1) : NULL;
    if (b) xy_sketch_add_texts(sketch, o->data, count_of(o), b->data, b->len);
    return xy_ctx_end(ctx);
}

int32_t xy_sketch_lengths(xy_ctx *ctx, xy_sketch *sketch, const xy_decoder *d, int32_t offsets) {
    xy_ctx_begin(ctx);
    const xy_buffer *o = buffer_at(ctx, d, offsets);
    if (o) xy_sketch_add_lengths(sketch, o->data, count_of(o));
    return xy_ctx_end(ctx);
}
