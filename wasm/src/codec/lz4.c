/* L4 blocks: 8 bytes (big-endian) of xxh64 with seed 0 over what follows, then one LZ4 block. */
#include "../bytes.h"
#include "method.h"

#include <common/xxhash.h> /* zstd's, which is linked anyway */
#include <lz4.h>

enum { CHECKSUM = 8 };

xy_status xy_method_lz4(xy_codec *codec, xy_error *err, uint64_t at, const uint8_t *src,
                        size_t src_len, uint8_t *dst, size_t dst_len) {
    (void)codec; /* LZ4 needs no state */
    if (src_len < CHECKSUM) {
        return xy_fail(err, XY_E_COMPRESSION, at,
                       "an LZ4 block holds %zu bytes, fewer than its checksum needs", src_len);
    }
    const uint8_t *data = src + CHECKSUM;
    size_t data_len = src_len - CHECKSUM;
    uint64_t stored = xy_be64(src);
    uint64_t computed = XXH64(data, data_len, 0);
    if (stored != computed) {
        return xy_fail(err, XY_E_CHECKSUM, at,
                       "LZ4 data is damaged: its xxh64 is %016llx, stored is %016llx",
                       (unsigned long long)computed, (unsigned long long)stored);
    }
    /* Both lengths are below 2^24. */
    int made = LZ4_decompress_safe((const char *)data, (char *)dst, (int)data_len, (int)dst_len);
    if (made < 0) {
        return xy_fail(err, XY_E_COMPRESSION, at + CHECKSUM,
                       "%zu bytes of LZ4 data do not decompress into %zu bytes", data_len, dst_len);
    }
    if ((size_t)made != dst_len) {
        return xy_fail(err, XY_E_COMPRESSION, at + CHECKSUM,
                       "LZ4 data decompresses to %d bytes, its block names %zu", made, dst_len);
    }
    return XY_OK;
}
