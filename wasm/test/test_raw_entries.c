/* The bytes of entries: by the borders of the basket, or divided evenly where the plan allows it;
 * refused where neither tells. */
#include "support/check.h"
#include "support/fixture.h"

#include "../src/decode/decoder.h"

static xy_decoder *make(bool even) {
    return decoder_of_lists(XY_W_U8, XY_U8, 1, even ? XY_F_EVEN : 0);
}

/* Decodes entries from..to of a basket of `entries` in `size` bytes 0, 1, 2, … */
static int32_t run(xy_decoder *d, uint32_t entries, uint32_t size, const uint32_t *borders,
                   int64_t from, int64_t to) {
    bytes basket = stored_basket(entries, size, borders, entries);
    xy_error err = {0};
    xy_decoder_basket(d, &err, basket.data, basket.len, from, to, NULL, 0);
    free(basket.data);
    return err.status;
}

static void expect(const xy_decoder *d, size_t rows, const int32_t *offsets, size_t first_byte) {
    CHECK((size_t)d->rows == rows, "%lld rows", (long long)d->rows);
    const xy_buffer *at = &d->run.columns.buffers[0], *bytes = &d->run.columns.buffers[1];
    CHECK(at->len == 4 * (rows + 1) && memcmp(at->data, offsets, at->len) == 0, "offsets");
    CHECK(bytes->len == (size_t)offsets[rows], "%zu bytes", bytes->len);
    for (size_t i = 0; i < bytes->len; i++)
        CHECK(bytes->data[i] == first_byte + i, "byte %zu is %d", i, bytes->data[i]);
}

int main(void) {
    xy_decoder *even = make(true);
    CHECK(run(even, 3, 12, NULL, 1, 3) == XY_OK);
    expect(even, 2, (const int32_t[]){0, 4, 8}, 4);
    CHECK(run(even, 3, 11, NULL, 0, 3) == XY_E_UNSUPPORTED, "11 bytes are not 3 entries");
    expect(even, 2, (const int32_t[]){0, 4, 8}, 4);
    xy_decoder_reset(even);
    CHECK(run(even, 2, 0, NULL, 0, -1) == XY_OK, "entries may be empty");
    expect(even, 2, (const int32_t[]){0, 0, 0}, 0);
    xy_decoder_reset(even);
    CHECK(run(even, 0, 5, NULL, 0, -1) == XY_OK, "no entries, nothing to divide");
    CHECK(even->rows == 0);
    CHECK(run(even, 3, 12, NULL, 1, 4) == XY_E_CORRUPT, "there is no fourth entry");
    CHECK(run(even, 2000000000, 0, NULL, 0, -1) != XY_OK, "as many as claimed are not believed");
    xy_decoder_reset(even);
    /* Borders come first, and may be uneven. */
    CHECK(run(even, 3, 12, (const uint32_t[]){0, 1, 9}, 0, -1) == XY_OK);
    expect(even, 3, (const int32_t[]){0, 1, 9, 12}, 0);
    xy_decoder_destroy(even);

    xy_decoder *uneven = make(false);
    CHECK(run(uneven, 3, 12, NULL, 0, -1) == XY_E_UNSUPPORTED, "the plan does not allow it");
    CHECK(run(uneven, 3, 12, (const uint32_t[]){0, 9, 1}, 0, -1) == XY_E_CORRUPT, "backwards");
    CHECK(run(uneven, 3, 12, (const uint32_t[]){0, 9, 13}, 0, -1) == XY_E_CORRUPT, "outside");
    CHECK(run(uneven, 3, 12, (const uint32_t[]){0, 5, 5}, 1, 3) == XY_OK);
    expect(uneven, 2, (const int32_t[]){0, 0, 7}, 5);
    xy_decoder_destroy(uneven);
    return 0;
}
