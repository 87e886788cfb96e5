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
    xy_scratch scratch; /* of the decoders made with it */
    xy_math_call *math; /* for the queries made with it */
};

/* Forgets the last call's error and result. */
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

/* A member of a tape's object: an array of the numbers in a buffer. */
static inline void xy_put_array(xy_buffer *out, const char *key, int dtype,
                                const xy_buffer *values) {
    xy_tape_key(out, key);
    uint8_t *data = xy_tape_array(out, dtype, (uint32_t)(values->len / xy_dtype_size(dtype)));
    if (data && values->len) memcpy(data, values->data, values->len);
    out->failed |= values->failed;
}

#endif
