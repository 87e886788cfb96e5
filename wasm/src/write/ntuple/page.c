/* The pages of an RNTuple made of values: the inverse of ntuple/encoding.c. */
#include "xylem-write.h"

#include "../../abi/ctx.h"
#include "../../ntuple/checksum.h"
#include "../../ntuple/encoding.h"
#include "../../ntuple/ntuple.h"
#include "../../ntuple/pages.h"
#include "../pack.h"

/* All first bytes of n elements, then all second ones, ... The width is a constant where this is
 * called, so that the loop becomes one of SIMD. */
static inline void split(const uint8_t *src, size_t n, size_t width, uint8_t *out) {
    for (size_t i = 0; i < n; i++)
        for (size_t k = 0; k < width; k++)
            out[k * n + i] = src[i * width + k];
}

/* Signed numbers as unsigned ones: 0, -1, 1, -2, ... become 0, 1, 2, 3, ... */
#define ZIGZAG(name, type)                                                                         \
    static void name(uint8_t *data, size_t n) {                                                    \
        for (size_t i = 0; i < n; i++) {                                                           \
            type v;                                                                                \
            memcpy(&v, data + i * sizeof v, sizeof v);                                             \
            v = (type)((type)(v << 1) ^ (type)(0 - (v >> (8 * sizeof v - 1))));                    \
            memcpy(data + i * sizeof v, &v, sizeof v);                                             \
        }                                                                                          \
    }
ZIGZAG(zigzag16, uint16_t)
ZIGZAG(zigzag32, uint32_t)
ZIGZAG(zigzag64, uint64_t)

static void put_bits(const uint8_t *src, size_t n, uint8_t *out) {
    memset(out, 0, (n + 7) / 8);
    for (size_t i = 0; i < n; i++)
        out[i >> 3] |= (uint8_t)((src[i] != 0) << (i & 7));
}

/* Ends of lists, of 4 bytes, become 8 bytes wide; with `delta` each but the first counts from the
 * one before. */
static void widen(const uint8_t *src, size_t n, bool delta, uint8_t *out) {
    uint32_t last = 0;
    for (size_t i = 0; i < n; i++) {
        uint32_t v;
        memcpy(&v, src + 4 * i, 4);
        uint64_t wide = delta ? (uint64_t)v - last : v;
        memcpy(out + 8 * i, &wide, 8);
        last = v;
    }
}

static bool is_index(uint32_t type) {
    return type == XY_COL_INDEX64 || type == XY_COL_SPLIT_INDEX64;
}

static bool is_split(uint32_t type) {
    return type > XY_COL_SWITCH;
}

/* Column types that are written: bits, bytes, numbers and offsets, plain and split. */
static bool is_written(uint32_t type) {
    if (is_index(type)) return true;
    bool is_real =
        type == XY_COL_REAL32 || type == 0x0d || type == XY_COL_SPLIT_REAL32 || type == 0x19;
    return is_real || type < XY_COL_REAL16 || (type > XY_COL_SWITCH && type < XY_COL_SPLIT_REAL16);
}

/* Bytes of a value as it is given. */
static size_t given_bytes(uint32_t type, int bits) {
    if (type == XY_COL_BIT) return 1;
    return is_index(type) ? 4 : (size_t)bits / 8;
}

/* The page with n values: themselves, or made in `room`; NULL when memory is out. */
static const uint8_t *encode(uint32_t type, int bits, const uint8_t *src, size_t n,
                             xy_buffer *room) {
    if (type != XY_COL_BIT && !is_index(type) && !is_split(type)) return src;
    size_t bytes = (size_t)xy_page_bytes(bits, n);
    uint8_t *values = xy_extend_items(room, bytes, is_split(type) ? 2 : 1);
    if (!values) return NULL;
    if (type == XY_COL_BIT)
        put_bits(src, n, values);
    else if (is_index(type))
        widen(src, n, is_split(type), values);
    else
        memcpy(values, src, bytes);
    if (!is_split(type)) return values;
    if (type == 0x11) zigzag16(values, n);
    if (type == 0x13) zigzag32(values, n);
    if (type == 0x15) zigzag64(values, n);
    uint8_t *page = values + bytes;
    if (bits == 16) split(values, n, 2, page);
    if (bits == 32) split(values, n, 4, page);
    if (bits == 64) split(values, n, 8, page);
    return page;
}

int32_t xw_page(xy_ctx *ctx, xw_packer *packer, int32_t algorithm, int32_t level, uint32_t type,
                uint32_t elements, const uint8_t *src, size_t len) {
    xy_ctx_begin(ctx);
    xy_nt_column column = {.type = (uint16_t)type};
    int bits = is_written(type) ? xy_nt_bits(&column) : 0;
    if (!bits || !elements || elements > INT32_MAX ||
        len != xy_bytes_of(elements, given_bytes(type, bits))) {
        xy_fail(&ctx->err, XY_E_ARGUMENT, 0, "a page of column type %u cannot have these values",
                (unsigned)type);
        return xy_ctx_end(ctx);
    }
    xy_buffer room = {0};
    const uint8_t *page = encode(type, bits, src, elements, &room);
    size_t bytes = (size_t)xy_page_bytes(bits, elements);
    if (!page) {
        xy_fail(&ctx->err, XY_E_MEMORY, 0, "no memory for a page");
    } else if (!xw_pack_blocks(packer, &ctx->err, algorithm, level, page, bytes, &ctx->out)) {
        uint64_t checksum = xy_xxh3(ctx->out.data, ctx->out.len);
        xy_append(&ctx->out, &checksum, XY_NT_CHECKSUM_BYTES);
    }
    xy_buffer_free(&room);
    return xy_ctx_end(ctx);
}
