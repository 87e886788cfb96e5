/* Surveys of a decoder's buffers. */
#include "xylem.h"

#include "../compute/survey.h"
#include "../streamer/tape.h"
#include "../tree/decode.h"
#include "ctx.h"

#include <stdlib.h>

xy_survey *xy_survey_create(void) {
    return calloc(1, sizeof(xy_survey));
}

void xy_survey_destroy(xy_survey *survey) {
    free(survey);
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

int32_t xy_survey_numbers(xy_ctx *ctx, xy_survey *survey, const xy_decoder *d, int32_t index,
                          int32_t dtype) {
    xy_ctx_begin(ctx);
    const xy_buffer *b = buffer_at(ctx, d, index);
    if (b && (dtype < XY_BOOL || dtype > XY_F64))
        xy_fail(&ctx->err, XY_E_ARGUMENT, 0, "no type of number %d", (int)dtype);
    else if (b)
        xy_survey_add_numbers(survey, dtype, b->data, b->len);
    return xy_ctx_end(ctx);
}

int32_t xy_survey_texts(xy_ctx *ctx, xy_survey *survey, const xy_decoder *d, int32_t offsets) {
    xy_ctx_begin(ctx);
    const xy_buffer *o = buffer_at(ctx, d, offsets);
    const xy_buffer *b = o ? buffer_at(ctx, d, offsets + 1) : NULL;
    if (b) xy_survey_add_texts(survey, o->data, count_of(o), b->data, b->len);
    return xy_ctx_end(ctx);
}

int32_t xy_survey_lengths(xy_ctx *ctx, xy_survey *survey, const xy_decoder *d, int32_t offsets) {
    xy_ctx_begin(ctx);
    const xy_buffer *o = buffer_at(ctx, d, offsets);
    if (o) xy_survey_add_lengths(survey, o->data, count_of(o));
    return xy_ctx_end(ctx);
}
