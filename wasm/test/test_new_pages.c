/* Pages that are made of values decode to these values, and what is no page is refused. */
#include "support/check.h"
#include "support/fixture.h"

#include "../src/abi/ctx.h"
#include "../src/ntuple/checksum.h"
#include "../src/ntuple/encoding.h"
#include "../src/ntuple/pages.h"
#include "xylem-write.h"

#include <string.h>

enum { MOST = 300 };

/* Types of columns, bytes of a value as it is given, and bytes of one that was decoded. */
static const struct {
    uint8_t type, bits, given, decoded;
} TYPES[] = {{0x00, 1, 1, 1},  {0x01, 8, 1, 1},  {0x02, 8, 1, 1},  {0x03, 8, 1, 1},
             {0x04, 8, 1, 1},  {0x05, 16, 2, 2}, {0x06, 16, 2, 2}, {0x07, 32, 4, 4},
             {0x08, 32, 4, 4}, {0x09, 64, 8, 8}, {0x0a, 64, 8, 8}, {0x0c, 32, 4, 4},
             {0x0d, 64, 8, 8}, {0x0f, 64, 4, 8}, {0x11, 16, 2, 2}, {0x12, 16, 2, 2},
             {0x13, 32, 4, 4}, {0x14, 32, 4, 4}, {0x15, 64, 8, 8}, {0x16, 64, 8, 8},
             {0x18, 32, 4, 4}, {0x19, 64, 8, 8}, {0x1b, 64, 4, 8}};

/* Random bytes; of bits 0 or 1, and of offsets ascending numbers. */
static bytes values_of(int type, size_t given, size_t n, uint32_t *seed) {
    uint8_t values[MOST * 8];
    uint32_t end = 0;
    for (size_t i = 0; i < n * given; i++) {
        *seed = *seed * 1664525u + 1013904223u;
        values[i] = (uint8_t)(*seed >> 24);
        if (type == XY_COL_BIT) values[i] &= 1;
        if ((type != XY_COL_INDEX64 && type != XY_COL_SPLIT_INDEX64) || i % 4 != 3) continue;
        end += *seed >> 9;
        memcpy(values + i - 3, &end, 4);
    }
    return copy_of(values, n * given);
}

static void check_page(xy_ctx *ctx, xw_packer *packer, size_t kind, size_t n, uint32_t *seed) {
    int type = TYPES[kind].type, bits = TYPES[kind].bits;
    size_t given = TYPES[kind].given, width = TYPES[kind].decoded;
    bytes src = values_of(type, given, n, seed);
    CHECK(!xw_page(ctx, packer, 0, 0, (uint32_t)type, (uint32_t)n, src.data, src.len));
    size_t len = (size_t)xy_page_bytes(bits, n);
    const uint8_t *page = xy_ctx_result(ctx);
    CHECK(xy_ctx_result_size(ctx) == len + 8, "%#x", type);
    uint64_t checksum = xy_xxh3(page, len);
    CHECK(memcmp(page + len, &checksum, 8) == 0);
    uint8_t out[MOST * 8];
    bytes exact = copy_of(page, len);
    xy_decode_page(&(xy_encoding){.type = type, .bits = bits}, exact.data, n, 0, n, out);
    for (size_t i = 0; i < n; i++) {
        uint64_t was = 0, is = 0;
        memcpy(&was, src.data + i * given, given);
        memcpy(&is, out + i * width, width);
        CHECK(was == is, "type %#x, element %zu of %zu", type, i, n);
    }
    free(exact.data);
    free(src.data);
}

static void refuse_what_is_no_page(xy_ctx *ctx, xw_packer *packer) {
    static const uint8_t values[8];
    const struct {
        uint32_t type, elements;
        size_t len;
    } wrong[] = {{0x0d, 1, 7}, {0x0d, 0, 0},   {0x0b, 1, 2},          {0x0e, 1, 4},
                 {0x10, 1, 8}, {0x17, 1, 2},   {0x1a, 1, 4},          {0x1c, 1, 4},
                 {0x1d, 1, 4}, {0xffff, 1, 8}, {0x0d, 0x20000001, 8}, {0x00, 0xffffffff, 8}};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        CHECK(xw_page(ctx, packer, 0, 0, wrong[i].type, wrong[i].elements, values, wrong[i].len) ==
                  XY_E_ARGUMENT,
              "%zu", i);
}

/* Page lists whose numbers are not those of the columns, in any order of calls. */
static void refuse_wrong_metadata(xy_ctx *ctx) {
    xw_new_ntuple *w = xw_new_ntuple_create(ctx, (const uint8_t *)"nt", 1, 1);
    const uint8_t *texts = (const uint8_t *)"xfloat";
    const double numbers[] = {1, 0, 3, 1, 3, 20, 1000};
    CHECK(xw_new_ntuple_page_list(ctx, w, 0, numbers, 7) == XY_E_ARGUMENT);
    CHECK(xw_new_ntuple_column(ctx, w, 0, 0x0c) == XY_E_ARGUMENT);
    CHECK(xw_new_ntuple_field(ctx, w, 0, 0, 0, texts, 1, 5, 0) == XY_E_ARGUMENT);
    CHECK(xw_new_ntuple_field(ctx, w, -1, 3, 0, texts, 1, 5, 0) == XY_E_ARGUMENT);
    CHECK(!xw_new_ntuple_field(ctx, w, -1, 0, 0, texts, 1, 5, 0));
    CHECK(xw_new_ntuple_column(ctx, w, 0, 0x1c) == XY_E_ARGUMENT);
    CHECK(xw_new_ntuple_column(ctx, w, 1, 0x0c) == XY_E_ARGUMENT);
    CHECK(!xw_new_ntuple_column(ctx, w, 0, 0x0c));
    CHECK(!xw_new_ntuple_header(ctx, w));
    CHECK(xw_new_ntuple_header(ctx, w) == XY_E_ARGUMENT);
    CHECK(xw_new_ntuple_field(ctx, w, -1, 0, 0, texts, 1, 5, 0) == XY_E_ARGUMENT);
    for (uint32_t count = 0; count < 7; count++)
        CHECK(xw_new_ntuple_page_list(ctx, w, 0, numbers, count) == XY_E_ARGUMENT);
    for (int i = 0; i < 7; i++) {
        double changed[7];
        memcpy(changed, numbers, sizeof numbers);
        changed[i] = i == 0 || i == 3 ? 1e15 : 0.5;
        CHECK(xw_new_ntuple_page_list(ctx, w, 0, changed, 7) == XY_E_ARGUMENT, "%d", i);
    }
    CHECK(!xw_new_ntuple_page_list(ctx, w, 0, numbers, 7));
    CHECK(!xw_new_ntuple_footer(ctx, w, NULL, 0));
    xw_new_ntuple_destroy(w);
}

int main(void) {
    xy_ctx *ctx = xy_ctx_create();
    xw_packer *packer = xw_packer_create();
    uint32_t seed = 1;
    for (size_t kind = 0; kind < sizeof TYPES / sizeof *TYPES; kind++)
        for (size_t n = 1; n <= MOST; n = 3 * n / 2 + 1)
            check_page(ctx, packer, kind, n, &seed);
    refuse_what_is_no_page(ctx, packer);
    refuse_wrong_metadata(ctx);
    xw_packer_destroy(packer);
    xy_ctx_destroy(ctx);
    return 0;
}
