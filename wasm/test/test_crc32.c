/* The CRC-32 given to liblzma against zlib's, at every length around its turns, and continued. */
#include "support/check.h"
#include "support/encode.h"

#include <lzma.h>
#include <zlib.h>

int main(void) {
    enum { MAX_LENGTH = 300 };
    for (int kind = 0; kind < KINDS; kind++) {
        bytes content = make_content(kind, MAX_LENGTH);
        for (size_t start = 0; start < 9; start++)
            for (size_t len = 0; start + len <= MAX_LENGTH; len++) {
                const uint8_t *data = content.data + start;
                uint32_t expected = (uint32_t)crc32(0, data, (uInt)len);
                size_t half = len / 2;
                uint32_t whole = lzma_crc32(data, len, 0);
                uint32_t parts = lzma_crc32(data + half, len - half, lzma_crc32(data, half, 0));
                CHECK(whole == expected && parts == expected, "kind %d length %zu", kind, len);
            }
        free(content.data);
    }
    return 0;
}
