/* The adler32 of the zlib decoder against zlib's own, at every length around its runs and groups,
 * at every alignment, and where its sums are largest. */
#include "../src/codec/adler32.h"
#include "support/check.h"
#include "support/encode.h"

#include <zlib.h>

int main(void) {
    enum { MAX_LENGTH = 3 * 5552 + 40 };
    for (int kind = 0; kind < KINDS; kind++) {
        bytes content = make_content(kind, MAX_LENGTH);
        for (size_t len = 0; len + 16 <= MAX_LENGTH;
             len += len < 100 || len % 5552 > 5530 ? 1 : 13) {
            const uint8_t *data = content.data + len % 16;
            uint32_t expected = (uint32_t)adler32(1, data, (uInt)len);
            CHECK(xy_adler32(data, len) == expected, "kind %d length %zu", kind, len);
        }
        free(content.data);
    }
    return 0;
}
