/* Whatever the libraries that ROOT uses write, every method gives back: all contents and levels,
 * sizes around the limits of the formats and of the SIMD loops, one block and many, one decoder
 * reused. */
#include "../src/codec/codec.h"
#include "support/check.h"
#include "support/encode.h"

#include <string.h>

static void roundtrip(xy_codec *codec, method how, int level, int kind, size_t len, size_t block) {
    bytes content = make_content(kind, len);
    bytes stored = encode(how, level, content.data, len, block);
    bytes result = make_content(0, len);
    if (stored.len != len) { /* else it counts as not compressed */
        memset(result.data, 0xA5, len);
        xy_error err = {0};
        CHECK(xy_decompress(codec, &err, stored.data, stored.len, result.data, len) == XY_OK,
              "%s level %d kind %d length %zu: %s", METHOD_TAGS[how], level, kind, len,
              err.message);
        CHECK(memcmp(result.data, content.data, len) == 0, "%s level %d kind %d length %zu",
              METHOD_TAGS[how], level, kind, len);
    }
    free(content.data);
    free(stored.data);
    free(result.data);
}

int main(void) {
    static const size_t LENGTHS[] = {1,     2,     15,    16,     17,    31,   32,
                                     100,   255,   1000,  5551,   5552,  5553, 32768,
                                     65535, 65536, 70001, 131073, 300007};
    xy_codec *codec = xy_codec_create();
    CHECK(codec);
    for (int how = 0; how < METHODS; how++) {
        for (int kind = 0; kind < KINDS; kind++) {
            for (size_t i = 0; i < sizeof LENGTHS / sizeof LENGTHS[0]; i++) {
                roundtrip(codec, (method)how, 1 + (int)i % 6, kind, LENGTHS[i], 1 << 20);
            }
            roundtrip(codec, (method)how, 1, kind, 10007, 1000);
        }
    }
    /* Over one block of 2^24-1 bytes, as ROOT splits. */
    roundtrip(codec, ZLIB, 1, 0, (1 << 24) + 5, (1 << 24) - 1);
    roundtrip(codec, LZ4, 1, 1, (1 << 24) + 5, (1 << 24) - 1);

    /* A stored object is copied; an empty one is nothing. */
    xy_error err = {0};
    uint8_t copy[4] = {0};
    CHECK(xy_decompress(codec, &err, (const uint8_t *)"ZL\x08!", 4, copy, 4) == XY_OK);
    CHECK(memcmp(copy, "ZL\x08!", 4) == 0);
    CHECK(xy_decompress(codec, &err, NULL, 0, NULL, 0) == XY_OK);
    CHECK(err.status == XY_OK);
    xy_codec_destroy(codec);
    xy_codec_destroy(NULL);
    return 0;
}
