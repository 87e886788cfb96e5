/* Flipped bits. Where the format has a checksum (ZL, L4, XZ), no damage of a payload passes;
 * without one (ZS, CS), damage may pass but never reads or writes outside (ASan watches). */
#include "../src/codec/codec.h"
#include "support/check.h"
#include "support/encode.h"

#include <string.h>

static void flip_every_bit(xy_codec *codec, method how, int kind, size_t len) {
    bytes content = make_content(kind, len);
    bytes whole = encode(how, 5, content.data, len, len);
    bytes result = make_content(0, len);
    size_t passed = 0;
    for (size_t at = ENVELOPE; at < whole.len; at++) {
        for (int bit = 0; bit < 8; bit++) {
            whole.data[at] ^= (uint8_t)(1 << bit);
            xy_error err = {0};
            xy_status status = xy_decompress(codec, &err, whole.data, whole.len, result.data, len);
            if (status == XY_OK && memcmp(result.data, content.data, len) != 0) passed++;
            CHECK(status == XY_OK || (err.message[0] && err.offset <= whole.len));
            whole.data[at] ^= (uint8_t)(1 << bit);
        }
    }
    if (how == ZLIB || how == LZ4 || how == XZ) {
        CHECK(passed == 0, "%s: %zu of %zu flips give other bytes", METHOD_TAGS[how], passed,
              8 * (whole.len - ENVELOPE));
    }
    xy_error err = {0};
    CHECK(xy_decompress(codec, &err, whole.data, whole.len, result.data, len) == XY_OK,
          "%s: the decoder does not work after damage: %s", METHOD_TAGS[how], err.message);
    free(content.data);
    free(whole.data);
    free(result.data);
}

/* Several bytes at once, in larger data, where the fast loops run. */
static void scramble(xy_codec *codec, method how, int kind, size_t len, int rounds) {
    bytes content = make_content(kind, len);
    bytes whole = encode(how, 9, content.data, len, len);
    bytes result = make_content(0, len);
    uint32_t seed = (uint32_t)how + 7;
    for (int round = 0; round < rounds; round++) {
        bytes damaged = copy_of(whole.data, whole.len);
        for (uint32_t n = 1 + next_random(&seed) % 4; n > 0; n--) {
            size_t at = ENVELOPE + next_random(&seed) % (whole.len - ENVELOPE);
            damaged.data[at] = (uint8_t)next_random(&seed);
        }
        xy_error err = {0};
        xy_status status = xy_decompress(codec, &err, damaged.data, damaged.len, result.data, len);
        CHECK(status == (xy_status)err.status);
        free(damaged.data);
    }
    free(content.data);
    free(whole.data);
    free(result.data);
}

static void checksums(xy_codec *codec) {
    bytes content = make_content(2, 500);
    uint8_t result[500];
    bytes zlib = encode(ZLIB, 5, content.data, 500, 500);
    zlib.data[zlib.len - 1] ^= 1;
    xy_error err = {0};
    CHECK(xy_decompress(codec, &err, zlib.data, zlib.len, result, 500) == XY_E_CHECKSUM);
    CHECK(err.offset == zlib.len - 4 && strstr(err.message, "adler32"), "%s", err.message);
    bytes lz4 = encode(LZ4, 5, content.data, 500, 500);
    lz4.data[lz4.len - 1] ^= 1;
    err = (xy_error){0};
    CHECK(xy_decompress(codec, &err, lz4.data, lz4.len, result, 500) == XY_E_CHECKSUM);
    CHECK(err.offset == ENVELOPE && strstr(err.message, "xxh64"), "%s", err.message);
    free(content.data);
    free(zlib.data);
    free(lz4.data);
}

int main(void) {
    xy_codec *codec = xy_codec_create();
    CHECK(codec);
    checksums(codec);
    for (int how = 0; how < METHODS; how++) {
        flip_every_bit(codec, (method)how, 2, 400);
        scramble(codec, (method)how, 3, 20000, 300);
        scramble(codec, (method)how, 2, 70000, 100);
    }
    xy_codec_destroy(codec);
    return 0;
}
