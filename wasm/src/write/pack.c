#include "pack.h"

#include "../abi/ctx.h"

#include <libdeflate.h>
#include <lz4.h>
#include <lz4hc.h>
#include <lzma.h>
#include <string.h>
#define ZSTD_STATIC_LINKING_ONLY
#include <common/xxhash.h>
#include <zstd.h>

enum { ENVELOPE = 9, MAX_BLOCK = 0xffffff, LZ4_CHECKSUM = 8, LZ4_FIRST_HC_LEVEL = 4 };

/* Each encoder is made by the first block that needs it. */
struct xw_packer {
    struct libdeflate_compressor *deflate;
    int32_t deflate_level;
    ZSTD_CCtx *zstd;
    void *lz4; /* state of LZ4's higher levels */
};

xw_packer *xw_packer_create(void) {
    return xy_new(1, sizeof(xw_packer));
}

void xw_packer_destroy(xw_packer *p) {
    if (!p) return;
    libdeflate_free_compressor(p->deflate);
    ZSTD_freeCCtx(p->zstd);
    free(p->lz4);
    free(p);
}

/* A method compresses a block into `room` bytes; 0 in `made` where they are too few. False: no
 * memory. */
typedef bool pack_method(xw_packer *p, int32_t level, const uint8_t *src, size_t len, uint8_t *dst,
                         size_t room, size_t *made);

static bool pack_zlib(xw_packer *p, int32_t level, const uint8_t *src, size_t len, uint8_t *dst,
                      size_t room, size_t *made) {
    if (!p->deflate || p->deflate_level != level) {
        libdeflate_free_compressor(p->deflate);
        p->deflate = libdeflate_alloc_compressor(level);
        p->deflate_level = level;
    }
    if (!p->deflate) return false;
    *made = libdeflate_zlib_compress(p->deflate, src, len, dst, room);
    return true;
}

static bool pack_lzma(xw_packer *p, int32_t level, const uint8_t *src, size_t len, uint8_t *dst,
                      size_t room, size_t *made) {
    (void)p;
    lzma_options_lzma options;
    if (lzma_lzma_preset(&options, (uint32_t)level)) return false;
    /* A dictionary that is larger than the block only takes memory. */
    if (options.dict_size > len)
        options.dict_size = len < LZMA_DICT_SIZE_MIN ? LZMA_DICT_SIZE_MIN : (uint32_t)len;
    lzma_filter filters[] = {{LZMA_FILTER_LZMA2, &options}, {LZMA_VLI_UNKNOWN, NULL}};
    /* As ROOT does, by the encoder for streams: its blocks do not say their sizes, and JSROOT
     * expects headers of that length. */
    lzma_stream xz = LZMA_STREAM_INIT;
    lzma_ret ret = lzma_stream_encoder(&xz, filters, LZMA_CHECK_CRC32);
    xz.next_in = src;
    xz.avail_in = len;
    xz.next_out = dst;
    xz.avail_out = room;
    while (ret == LZMA_OK && xz.avail_out > 0)
        ret = lzma_code(&xz, LZMA_FINISH);
    *made = ret == LZMA_STREAM_END ? room - xz.avail_out : 0;
    lzma_end(&xz);
    return ret != LZMA_MEM_ERROR;
}

static bool pack_lz4(xw_packer *p, int32_t level, const uint8_t *src, size_t len, uint8_t *dst,
                     size_t room, size_t *made) {
    *made = 0;
    if (room <= LZ4_CHECKSUM) return true;
    char *out = (char *)dst + LZ4_CHECKSUM;
    int space = (int)(room - LZ4_CHECKSUM), n;
    if (level < LZ4_FIRST_HC_LEVEL) {
        n = LZ4_compress_default((const char *)src, out, (int)len, space);
    } else {
        if (!p->lz4) p->lz4 = xy_new((uint64_t)LZ4_sizeofStateHC(), 1);
        if (!p->lz4) return false;
        n = LZ4_compress_HC_extStateHC(p->lz4, (const char *)src, out, (int)len, space, level);
    }
    if (n <= 0) return true;
    uint64_t hash = __builtin_bswap64(XXH64(out, (size_t)n, 0));
    memcpy(dst, &hash, LZ4_CHECKSUM);
    *made = (size_t)n + LZ4_CHECKSUM;
    return true;
}

static bool pack_zstd(xw_packer *p, int32_t level, const uint8_t *src, size_t len, uint8_t *dst,
                      size_t room, size_t *made) {
    if (!p->zstd) p->zstd = ZSTD_createCCtx();
    if (!p->zstd) return false;
    size_t n = ZSTD_compressCCtx(p->zstd, dst, room, src, len, 2 * level);
    *made = ZSTD_isError(n) ? 0 : n;
    return !ZSTD_isError(n) || ZSTD_getErrorCode(n) != ZSTD_error_memory_allocation;
}

/* By the numbers of fCompress. The last byte of the tag is the method's version, as ROOT writes it.
 */
static const struct {
    char tag[4];
    pack_method *pack;
} METHODS[] = {
    [1] = {"ZL\10", pack_zlib},
    [2] = {"XZ\0", pack_lzma},
    [4] = {"L4\1", pack_lz4},
    [5] = {"ZS\1", pack_zstd},
};

static void put_le24(uint8_t *out, size_t value) {
    out[0] = (uint8_t)value;
    out[1] = (uint8_t)(value >> 8);
    out[2] = (uint8_t)(value >> 16);
}

static bool append_as_it_is(xy_buffer *out, size_t start, const uint8_t *src, size_t len) {
    out->len = start;
    return xy_append(out, src, len);
}

xy_status xw_pack_blocks(xw_packer *p, xy_error *err, int32_t algorithm, int32_t level,
                         const uint8_t *src, size_t len, xy_buffer *out) {
    size_t start = out->len;
    bool known = algorithm >= 0 && (size_t)algorithm < sizeof METHODS / sizeof *METHODS &&
                 (algorithm == 0 || METHODS[algorithm].pack);
    if (!known || (algorithm && (level < 1 || level > 9)))
        return xy_fail(err, XY_E_ARGUMENT, 0, "there is no compression %d of level %d",
                       (int)algorithm, (int)level);
    size_t left = algorithm ? len : 0;
    bool good = true;
    while (left && good) {
        size_t part = left < MAX_BLOCK ? left : MAX_BLOCK, made = 0;
        /* A compressed block is smaller than what it holds, envelope included. */
        uint8_t *block = part > ENVELOPE + 1 ? xy_reserve(out, part) : NULL;
        if (part > ENVELOPE + 1)
            good = block && METHODS[algorithm].pack(p, level, src + (len - left), part,
                                                    block + ENVELOPE, part - ENVELOPE - 1, &made);
        if (good && !made) {
            good = append_as_it_is(out, start, src, len);
            return good ? XY_OK : xy_fail(err, XY_E_MEMORY, 0, "no memory for a compressed object");
        }
        if (!good) break;
        memcpy(block, METHODS[algorithm].tag, 3);
        put_le24(block + 3, made);
        put_le24(block + 6, part);
        out->len += ENVELOPE + made;
        left -= part;
    }
    if (good && !algorithm) good = append_as_it_is(out, start, src, len);
    return good ? XY_OK : xy_fail(err, XY_E_MEMORY, 0, "no memory to compress an object");
}

int32_t xw_pack(xy_ctx *ctx, xw_packer *packer, int32_t algorithm, int32_t level,
                const uint8_t *src, size_t len) {
    xy_ctx_begin(ctx);
    xw_pack_blocks(packer, &ctx->err, algorithm, level, src, len, &ctx->out);
    return xy_ctx_end(ctx);
}
