/* Baskets that are made of rows, and rows that do not fit the form of their branch. */
#include "support/check.h"
#include "support/fixture.h"

#include "../src/abi/ctx.h"
#include "xylem-write.h"

#include <string.h>

enum { KEY = 40, HEAD = 19 };

static xw_column *column_of(xy_ctx *ctx, int32_t vector, uint32_t width, uint32_t count,
                            uint32_t levels) {
    static const uint8_t key[KEY];
    return xw_column_create(ctx, key, KEY, vector, width, count, levels);
}

/* Rows of two lists, [1, 2] and [], of numbers of 2 bytes; `change` damages them. */
static int32_t add_lists(xy_ctx *ctx, xw_column *column, int change) {
    uint32_t words[] = {2, 0, 2, 2};
    if (change == 1) words[0] = 3;
    if (change == 2) words[1] = 1;
    if (change == 3) words[2] = 4;
    if (change == 4) words[3] = 0xffffffff;
    if (change == 5) words[0] = 0xffffffff;
    uint16_t values[] = {1, 2};
    uint8_t rows[sizeof words + sizeof values];
    memcpy(rows, words, sizeof words);
    memcpy(rows + sizeof words, values, sizeof values);
    bytes exact = copy_of(rows, sizeof rows - (change == 6) - (change == 7 ? 17 : 0));
    int32_t status = xw_column_add(ctx, column, exact.data, exact.len);
    free(exact.data);
    return status;
}

static void make_lists(int32_t vector) {
    xy_ctx *ctx = xy_ctx_create();
    xw_column *column = column_of(ctx, vector, 2, 1, 1);
    CHECK(xw_column_finish(ctx, column) == XY_E_ARGUMENT);
    CHECK(!add_lists(ctx, column, 0));
    size_t data = vector ? 2 * 10 + 4 : 4;
    CHECK(xw_column_bytes(column) == data);
    CHECK(!xw_column_finish(ctx, column));
    const uint8_t *record = xy_ctx_result(ctx);
    size_t len = xy_ctx_result_size(ctx);
    CHECK(len == KEY + HEAD + data + 16);
    CHECK(xy_be32(record) == len);
    CHECK(xy_be32(record + 6) == len - KEY - HEAD);
    CHECK(xy_be16(record + 14) == KEY + HEAD);
    CHECK(xy_be32(record + KEY + 10) == 2);                 /* fNevBuf */
    CHECK(xy_be32(record + KEY + 14) == KEY + HEAD + data); /* fLast */
    const uint8_t *object = record + KEY + HEAD;
    static const uint8_t in_vector[] = {0x40, 0, 0,    10, 0, 10, 0, 0,  0, 2, 0, 1,
                                        0,    2, 0x40, 0,  0, 6,  0, 10, 0, 0, 0, 0};
    static const uint8_t in_array[] = {0, 1, 0, 2};
    CHECK(memcmp(object, vector ? in_vector : in_array, data) == 0);
    CHECK(xy_be32(object + data) == 3);
    CHECK(xy_be32(object + data + 4) == KEY + HEAD);
    CHECK(xy_be32(object + data + 8) == KEY + HEAD + (vector ? 14 : 4));
    CHECK(xw_column_bytes(column) == 0);
    xw_column_destroy(column);
    xy_ctx_destroy(ctx);
}

static void refuse_what_does_not_fit(void) {
    xy_ctx *ctx = xy_ctx_create();
    for (int change = 1; change <= 7; change++) {
        xw_column *column = column_of(ctx, 0, 2, 1, 1);
        CHECK(add_lists(ctx, column, change) == XY_E_ARGUMENT, "%d", change);
        xw_column_destroy(column);
    }
    CHECK(!column_of(ctx, 0, 3, 1, 0));
    CHECK(!column_of(ctx, 0, 8, 0, 0));
    CHECK(!column_of(ctx, 0, 8, 0xffffffff, 0));
    CHECK(!column_of(ctx, 1, 8, 1, 9));
    CHECK(!xw_column_create(ctx, NULL, 4, 0, 8, 1, 0));
    xy_ctx_destroy(ctx);
}

static void texts_have_their_lengths(void) {
    xy_ctx *ctx = xy_ctx_create();
    xw_column *column = column_of(ctx, 0, 0, 1, 0);
    uint8_t rows[12 + 300];
    const uint32_t words[] = {1, 0, 300};
    memcpy(rows, words, sizeof words);
    memset(rows + sizeof words, 'x', 300);
    CHECK(!xw_column_add(ctx, column, rows, sizeof rows));
    CHECK(!xw_column_finish(ctx, column));
    const uint8_t *object = (const uint8_t *)xy_ctx_result(ctx) + KEY + HEAD;
    CHECK(object[0] == 255 && xy_be32(object + 1) == 300 && object[5] == 'x');
    xw_column_destroy(column);
    xy_ctx_destroy(ctx);
}

int main(void) {
    make_lists(0);
    make_lists(1);
    refuse_what_does_not_fit();
    texts_have_their_lengths();
    return 0;
}
