#include "encode.h"

#include "check.h"

#include <common/xxhash.h>
#include <lz4.h>
#include <lzma.h>
#include <math.h>
#include <string.h>
#include <zlib.h>
#include <zstd.h>

const char METHOD_TAGS[METHODS][3] = {"ZL", "CS", "ZS", "L4", "XZ"};

uint32_t next_random(uint32_t *seed) {
    *seed = *seed * 1664525u + 1013904223u;
    return *seed >> 8;
}

bytes copy_of(const uint8_t *data, size_t len) {
    bytes copy = {malloc(len ? len : 1), len};
    CHECK(copy.data, "out of memory");
    if (len > 0) memcpy(copy.data, data, len);
    return copy;
}

bytes make_content(int kind, size_t len) {
    bytes content = {malloc(len ? len : 1), len};
    CHECK(content.data, "out of memory");
    uint32_t seed = 20;
    for (size_t i = 0; i < len; i++) {
        uint32_t random = next_random(&seed);
        switch (kind) {
        case 0: content.data[i] = 0; break;
        case 1: content.data[i] = 255; break;
        case 2: content.data[i] = (uint8_t) "etaoin shrdlu muon jet"[random % 22]; break;
        case 3: { /* big-endian floats of a falling spectrum, cut to few bits */
            float value = floorf(-30.0f * logf(((float)(random % 1000) + 1.0f) / 1001.0f));
            uint32_t bits;
            memcpy(&bits, &value, 4);
            content.data[i] = (uint8_t)(bits >> (24 - 8 * (i % 4)));
            break;
        }
        default: content.data[i] = (uint8_t)random; break;
        }
    }
    return content;
}

static size_t encode_deflate(int level, int window, const uint8_t *data, size_t len, uint8_t *out,
                             size_t cap) {
    z_stream stream = {0};
    CHECK(deflateInit2(&stream, level, Z_DEFLATED, window, 8, Z_DEFAULT_STRATEGY) == Z_OK);
    stream.next_in = (Bytef *)(uintptr_t)data;
    stream.avail_in = (uInt)len;
    stream.next_out = out;
    stream.avail_out = (uInt)cap;
    CHECK(deflate(&stream, Z_FINISH) == Z_STREAM_END);
    deflateEnd(&stream);
    return cap - stream.avail_out;
}

static size_t encode_payload(method how, int level, const uint8_t *data, size_t len, uint8_t *out,
                             size_t cap) {
    switch (how) {
    case ZLIB: return encode_deflate(level, 15, data, len, out, cap);
    case DEFLATE: return encode_deflate(level, -15, data, len, out, cap);
    case ZSTD: {
        size_t made = ZSTD_compress(out, cap, data, len, 2 * level);
        CHECK(!ZSTD_isError(made), "%s", ZSTD_getErrorName(made));
        return made;
    }
    case LZ4: {
        int made =
            LZ4_compress_default((const char *)data, (char *)out + 8, (int)len, (int)cap - 8);
        CHECK(made > 0);
        uint64_t hash = __builtin_bswap64(XXH64(out + 8, (size_t)made, 0));
        memcpy(out, &hash, 8);
        return (size_t)made + 8;
    }
    case XZ: {
        size_t made = 0;
        CHECK(lzma_easy_buffer_encode((uint32_t)level, LZMA_CHECK_CRC32, NULL, data, len, out,
                                      &made, cap) == LZMA_OK);
        return made;
    }
    default: CHECK(0, "no such method %d", (int)how); return 0;
    }
}

static void put_le24(uint8_t *out, size_t value) {
    out[0] = (uint8_t)value;
    out[1] = (uint8_t)(value >> 8);
    out[2] = (uint8_t)(value >> 16);
}

bytes encode(method how, int level, const uint8_t *data, size_t len, size_t block) {
    size_t blocks = (len + block - 1) / block;
    size_t cap = len + len / 8 + blocks * 1024 + 1024;
    uint8_t *out = malloc(cap);
    CHECK(out, "out of memory");
    size_t used = 0;
    for (size_t from = 0; from < len; from += block) {
        size_t part = len - from < block ? len - from : block;
        uint8_t *envelope = out + used;
        size_t made = encode_payload(how, level, data + from, part, envelope + ENVELOPE,
                                     cap - used - ENVELOPE);
        CHECK(made < 1 << 24 && part < 1 << 24);
        memcpy(envelope, METHOD_TAGS[how], 2);
        envelope[2] = how == ZLIB || how == DEFLATE ? 8 : how == XZ ? 0 : 1;
        put_le24(envelope + 3, made);
        put_le24(envelope + 6, part);
        used += ENVELOPE + made;
    }
    bytes exact = copy_of(out, used);
    free(out);
    return exact;
}
