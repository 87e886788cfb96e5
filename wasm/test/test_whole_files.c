/* Files that ROOT wrote, decoded natively from the header to the values. */
#include "support/check.h"
#include "support/fixture.h"

#include <math.h>
#include <string.h>

/* All entries of a branch; the caller destroys the decoder. */
static xy_decoder *decode_all(const fixture_tree *t, const char *branch) {
    int32_t index = branch_index(t, branch);
    xy_decoder *decoder = branch_decoder(t, index);
    int32_t n = xy_tree_baskets(t->tree, index, NULL, 0);
    CHECK(n > 0);
    for (int32_t i = 0; i < n; i++) {
        bytes record = basket_record(t, index, i);
        CHECK(!xy_decode(t->ctx, decoder, record.data, record.len, 0, -1, NULL, 0), "%s: %s",
              branch, message(t->ctx));
        free(record.data);
    }
    return decoder;
}

#define VALUE(type, decoder, buffer, i)                                                            \
    (((const type *)(const void *)xy_decoder_buffer(decoder, buffer))[i])

static void clusters(const char *fixture, const char *tree, int entries) {
    fixture_tree t = open_tree(fixture, tree);
    CHECK(t.tree->entries == entries);
    xy_decoder *x = decode_all(&t, "x"), *n = decode_all(&t, "n"), *v = decode_all(&t, "v"),
               *s = decode_all(&t, "s");
    CHECK(xy_decoder_rows(x) == entries && xy_decoder_rows(v) == entries);
    for (int i = 0; i < entries; i++) {
        CHECK(VALUE(float, x, 0, i) == (float)i / 2, "x of entry %d", i);
        CHECK(VALUE(int32_t, n, 0, i) == i % 5, "n of entry %d", i);
        int32_t from = VALUE(int32_t, v, 0, i), to = VALUE(int32_t, v, 0, i + 1);
        CHECK(to - from == i % 5, "v of entry %d has %d elements", i, to - from);
        for (int32_t k = from; k < to; k++)
            CHECK(VALUE(int16_t, v, 1, k) == i + k - from, "v[%d] of entry %d", k - from, i);
        from = VALUE(int32_t, s, 0, i), to = VALUE(int32_t, s, 0, i + 1);
        CHECK(to - from == i % 3, "s of entry %d has %d elements", i, to - from);
        for (int32_t k = from; k < to; k++)
            CHECK(VALUE(int32_t, s, 1, k) == 10 * i + k - from, "s[%d] of entry %d", k - from, i);
    }
    double summary[XY_SUMMARY_DOUBLES] = {0};
    xy_goal sum = {.kind = XY_GOAL_SUMMARY, .numbers = summary};
    CHECK(!xy_goal_take(t.ctx, &sum, 1, x));
    CHECK(summary[0] == entries && summary[3] == (entries - 1) / 2.0);
    const double axes[][XY_AXIS_DOUBLES] = {{0, 0, 1}, {10, 1, 1}, {10, -INFINITY, 1}};
    for (size_t i = 0; i < sizeof axes / sizeof *axes; i++) {
        double numbers[XY_STATS_DOUBLES + 2 * 12] = {0};
        xy_goal fill = {.kind = XY_GOAL_FILL, .dims = 1, .axes = axes[i], .numbers = numbers};
        CHECK(xy_goal_take(t.ctx, &fill, 1, x) == XY_E_ARGUMENT, "axis %zu", i);
    }
    xy_decoder_destroy(x);
    xy_decoder_destroy(n);
    xy_decoder_destroy(v);
    xy_decoder_destroy(s);
    close_tree(&t);
}

static void leaves(void) {
    fixture_tree t = open_tree("leaves", "t");
    xy_decoder *l = decode_all(&t, "leaf_L"), *ul = decode_all(&t, "leaf_ul"),
               *f = decode_all(&t, "leaf_F"), *o = decode_all(&t, "leaf_O"),
               *c = decode_all(&t, "leaf_C");
    CHECK(VALUE(int64_t, l, 0, 0) == INT64_MIN && VALUE(int64_t, l, 0, 1) == INT64_MAX);
    CHECK(VALUE(uint64_t, ul, 0, 1) == UINT64_MAX && VALUE(uint64_t, ul, 0, 4) == 31676);
    CHECK(signbit(VALUE(float, f, 0, 1)) && isnan(VALUE(float, f, 0, 2)));
    CHECK(VALUE(float, f, 0, 5) == 3.40282346638528859812e38f);
    CHECK(VALUE(uint8_t, o, 0, 0) == 1 && VALUE(uint8_t, o, 0, 1) == 0);
    CHECK(VALUE(int32_t, c, 0, 1) == 0 && VALUE(int32_t, c, 0, 2) == 1);
    CHECK(memcmp(xy_decoder_buffer(c, 1), "atwo words", 10) == 0);
    xy_decoder *all[] = {l, ul, f, o, c};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        xy_decoder_destroy(all[i]);
    close_tree(&t);
}

static void member_wise(void) {
    fixture_tree t = open_tree("stl_member_wise", "t");
    xy_decoder *p = decode_all(&t, "vector_pair"); /* offsets, firsts, seconds */
    CHECK(VALUE(int32_t, p, 0, 1) == 0 && VALUE(int32_t, p, 0, 4) == 6);
    CHECK(VALUE(int32_t, p, 1, 2) == 1 && VALUE(float, p, 2, 2) == 0.5f);
    CHECK(VALUE(int32_t, p, 1, 5) == 2 && VALUE(float, p, 2, 5) == 0.75f);
    xy_decoder_destroy(p);
    close_tree(&t);
}

int main(void) {
    clusters("clusters", "t", 180);
    clusters("embedded", "small", 40);
    clusters("embedded", "large", 250);
    leaves();
    member_wise();
    return 0;
}
