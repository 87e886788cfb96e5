/* Envelopes that lie: unknown tags, sizes too large, too small or zero, bytes left over. */
#include "../src/codec/codec.h"
#include "support/check.h"
#include "support/encode.h"

#include <lzma.h>
#include <string.h>

enum { LENGTH = 600 };

static xy_codec *codec;

/* Decodes a copy of `whole` with one 3-byte size replaced. */
static xy_error with_size(bytes whole, size_t at, size_t size, size_t dst_len) {
    bytes changed = copy_of(whole.data, whole.len);
    changed.data[at] = (uint8_t)size;
    changed.data[at + 1] = (uint8_t)(size >> 8);
    changed.data[at + 2] = (uint8_t)(size >> 16);
    bytes result = make_content(0, dst_len);
    xy_error err = {0};
    xy_status status =
        xy_decompress(codec, &err, changed.data, changed.len, result.data, result.len);
    CHECK((int32_t)status == err.status);
    free(changed.data);
    free(result.data);
    return err;
}

static void sizes_of(method how) {
    bytes content = make_content(2, LENGTH);
    bytes whole = encode(how, 3, content.data, LENGTH, LENGTH);
    size_t payload = whole.len - ENVELOPE;

    CHECK(with_size(whole, 3, payload, LENGTH).status == XY_OK);
    CHECK(with_size(whole, 3, payload + 1, LENGTH).status == XY_E_TRUNCATED);
    CHECK(with_size(whole, 3, 0xFFFFFF, LENGTH).status == XY_E_TRUNCATED);
    for (size_t less = 0; less < payload; less++) {
        CHECK(with_size(whole, 3, less, LENGTH).status != XY_OK, "%s %zu", METHOD_TAGS[how], less);
    }
    /* The block says another uncompressed size than it has; the object agrees with the block. */
    for (size_t claim = 1; claim < 2 * LENGTH; claim++) {
        if (claim == whole.len) continue;
        int32_t status = with_size(whole, 6, claim, claim).status;
        CHECK((status == XY_OK) == (claim == LENGTH), "%s %zu", METHOD_TAGS[how], claim);
    }
    CHECK(with_size(whole, 6, 0, LENGTH).status == XY_E_CORRUPT);
    CHECK(with_size(whole, 6, LENGTH + 1, LENGTH).status == XY_E_CORRUPT);
    CHECK(with_size(whole, 6, 0xFFFFFF, LENGTH).status == XY_E_CORRUPT);
    /* The object is longer or shorter than its blocks. */
    CHECK(with_size(whole, 6, LENGTH, LENGTH + 1).status == XY_E_TRUNCATED);
    CHECK(with_size(whole, 6, LENGTH, LENGTH - 1).status == XY_E_CORRUPT);

    /* Bytes behind the last block, and inside of it behind the stream. */
    bytes longer = {malloc(whole.len + 1), whole.len + 1};
    CHECK(longer.data);
    memcpy(longer.data, whole.data, whole.len);
    longer.data[whole.len] = 0;
    xy_error err = with_size(longer, 3, payload, LENGTH);
    CHECK(err.status == XY_E_CORRUPT && err.offset == whole.len, "%s", err.message);
    if (how != LZ4) { /* there the checksum covers it */
        int32_t status = with_size(longer, 3, payload + 1, LENGTH).status;
        CHECK(status == XY_E_COMPRESSION || status == XY_E_CHECKSUM, "%s %d", METHOD_TAGS[how],
              status);
    }
    free(longer.data);

    for (unsigned first = 0; first < 256; first++) {
        bytes changed = copy_of(whole.data, whole.len);
        changed.data[0] = (uint8_t)first;
        bytes result = make_content(0, LENGTH);
        xy_error other = {0};
        xy_status status =
            xy_decompress(codec, &other, changed.data, changed.len, result.data, LENGTH);
        if ((char)first == METHOD_TAGS[how][0])
            CHECK(status == XY_OK);
        else
            CHECK(status == XY_E_CODEC || (first == 'Z' || first == 'C' || first == 'X'));
        free(changed.data);
        free(result.data);
    }
    free(content.data);
    free(whole.data);
}

/* An .xz stream may claim a window of 4 GiB; the claim is refused, not allocated. */
static void giant_window(void) {
    bytes content = make_content(2, LENGTH);
    bytes whole = encode(XZ, 9, content.data, LENGTH, LENGTH);
    /* The block header, behind 12 bytes of stream header: its size, flags, perhaps the lengths,
     * filter id 0x21, 1 byte of properties (the window's size), padding, CRC32 over it. */
    uint8_t *header = whole.data + ENVELOPE + 12;
    size_t covered = ((size_t)header[0] + 1) * 4 - 4;
    size_t filter = 2;
    while (filter + 2 < covered && !(header[filter] == 0x21 && header[filter + 1] == 1))
        filter++;
    CHECK(filter + 2 < covered);
    header[filter + 2] = 40; /* 4 GiB - 1 */
    uint32_t crc = lzma_crc32(header, covered, 0);
    memcpy(header + covered, &crc, 4);
    bytes result = make_content(0, LENGTH);
    xy_error err = {0};
    CHECK(xy_decompress(codec, &err, whole.data, whole.len, result.data, LENGTH) == XY_E_BUDGET,
          "%s", err.message);
    free(content.data);
    free(whole.data);
    free(result.data);
}

int main(void) {
    codec = xy_codec_create();
    CHECK(codec);
    for (int how = 0; how < METHODS; how++)
        sizes_of((method)how);
    giant_window();
    xy_codec_destroy(codec);
    return 0;
}
