/* The context behind the ABI: the last error and the last result. */
#ifndef XY_CTX_H
#define XY_CTX_H

#include "xylem.h"

#include "../buffer.h"
#include "../decode/decoder.h"
#include "../status.h"
#include "../streamer/tape.h"

struct xy_ctx {
    xy_error err;
    xy_buffer out;
    xy_scratch scratch; /* used by the decoders created with this context */
    xy_math_call *math; /* used by the queries created with this context */
};

/* Clears the error and result of the last call. */
static inline void xy_ctx_begin(xy_ctx *ctx) {
    memset(&ctx->err, 0, sizeof ctx->err);
    ctx->out.len = 0;
    ctx->out.limit = 0;
    ctx->out.failed = false;
}

static inline int32_t xy_ctx_end(xy_ctx *ctx) {
    if (!ctx->err.status && ctx->out.failed)
        xy_fail(&ctx->err, XY_E_MEMORY, 0, "no memory for the result");
    return ctx->err.status;
}

/* Begins a call that is only allowed after others. If `in_order` is false, records the error and
 * returns false. */
bool xy_ctx_expect(xy_ctx *ctx, bool in_order);

/* Add members to an object on a tape: a text, a number, or the numbers of a buffer as an array. */
static inline void xy_put_text(xy_buffer *out, const char *key, const char *text) {
    xy_tape_key(out, key);
    xy_tape_cstring(out, text);
}

static inline void xy_put_str(xy_buffer *out, const char *key, xy_str text) {
    xy_tape_key(out, key);
    xy_tape_string(out, text.text, text.len);
}

static inline void xy_put_number(xy_buffer *out, const char *key, double value) {
    xy_tape_key(out, key);
    xy_tape_f64(out, value);
}

static inline void xy_put_array(xy_buffer *out, const char *key, int dtype,
                                const xy_buffer *values) {
    xy_tape_key(out, key);
    uint8_t *data = xy_tape_array(out, dtype, (uint32_t)(values->len / xy_dtype_size(dtype)));
    if (data && values->len) memcpy(data, values->data, values->len);
    out->failed |= values->failed;
}

/* Whether a compiled program can be used. If not, records the reason. */
bool xy_check_plan(xy_ctx *ctx, const xy_program *p);
/* Writes a decode plan as the result, with the branch of its array lengths (-1: none). */
void xy_put_plan(xy_ctx *ctx, const xy_program *p, int32_t counter);

#endif
