/* Blocks by hand: where they end, and which units are read for them. */
#include "support/check.h"

#include "../src/decode/block_plan.h"

#include <math.h>
#include <string.h>

static xy_status make(const double *packed, size_t count, const double *starts, size_t lists,
                      const xy_block_limits *limits, xy_block_plan *out) {
    xy_error err = {0};
    memset(out, 0, sizeof *out);
    /* An allocation of exactly the list, so that ASan sees one number beyond. */
    double *copy = malloc(count * sizeof *copy + 1);
    CHECK(copy);
    memcpy(copy, packed, count * sizeof *copy);
    xy_status s = xy_block_plan_make(&err, copy, count, starts, lists, limits, out);
    CHECK(s == (xy_status)err.status);
    free(copy);
    return s;
}

static void doubles_are(int line, const xy_buffer *b, const double *want, size_t n) {
    CHECK(b->len == n * sizeof *want, "line %d: %zu numbers, not %zu", line, b->len / 8, n);
    for (size_t i = 0; i < n; i++) {
        double got;
        memcpy(&got, b->data + 8 * i, 8);
        CHECK(got == want[i], "line %d: number %zu is %.17g, not %.17g", line, i, got, want[i]);
    }
}

#define DOUBLES(buffer, ...)                                                                       \
    doubles_are(__LINE__, &(buffer), (const double[]){__VA_ARGS__},                                \
                sizeof((const double[]){__VA_ARGS__}) / sizeof(double))
#define COUNT(list) (sizeof(list) / sizeof(double))

/* Two branches with a basket for each ten entries, and one with a single basket of all forty. */
static const double EVEN[] = {4,  4,  1,   0,   0,   1,   0, 10, 20, 30, 0,  0,  0,   0,   10,  10,
                              10, 10, 100, 200, 300, 400, 9, 9,  9,  9,  4,  4,  1,   0,   0,   1,
                              0,  10, 20,  30,  0,   0,   0, 0,  10, 10, 10, 10, 109, 209, 309, 409,
                              9,  9,  9,   9,   1,   1,   1, 0,  0,  1,  0,  0,  40,  500, 9};

/* Clusters end at 20; one branch has a basket more in between. */
static const double UNEVEN[] = {2, 2, 1, 0,  0, 1,  0,   20,  0,   0,   20, 20, 100, 200,
                                9, 9, 4, 4,  1, 0,  0,   1,   0,   7,   20, 27, 0,   0,
                                0, 0, 7, 13, 7, 13, 109, 120, 209, 220, 9,  9,  9,   9};

static void with_all_baskets(void) {
    xy_block_plan p;
    const double none[] = {0, 0, 0};
    const xy_block_limits at_25 = {0, 40, 25, 4};
    CHECK(make(EVEN, COUNT(EVEN), none, 3, &at_25, &p) == XY_OK);
    DOUBLES(p.ends, 20, 20, 40);
    DOUBLES(p.chosen, 0, 1, 4, 5, 8);
    /* The single basket is the last of its list. */
    CHECK(p.cut);
    xy_block_plan_free(&p);
    /* What a branch has already is not chosen again. */
    const double some[] = {20, 30, 40};
    const xy_block_limits next = {20, 40, 10, 4};
    CHECK(make(EVEN, COUNT(EVEN), some, 3, &next, &p) == XY_OK);
    DOUBLES(p.ends, 30, 30, 40);
    DOUBLES(p.chosen, 2);
    xy_block_plan_free(&p);
    const xy_block_limits whole = {0, 40, 1000, 4};
    CHECK(make(EVEN, COUNT(EVEN), none, 3, &whole, &p) == XY_OK);
    DOUBLES(p.ends, 40, 40, 40);
    DOUBLES(p.chosen, 0, 1, 2, 3, 4, 5, 6, 7, 8);
    xy_block_plan_free(&p);
}

static void grows_to_a_cluster(void) {
    xy_block_plan p;
    const double none[] = {0, 0};
    const xy_block_limits grows = {0, 40, 8, 4}, stays = {0, 40, 8, 2};
    CHECK(make(UNEVEN, COUNT(UNEVEN), none, 2, &grows, &p) == XY_OK);
    DOUBLES(p.ends, 20, 20);
    DOUBLES(p.chosen, 0, 2, 3);
    CHECK(!p.cut);
    xy_block_plan_free(&p);
    CHECK(make(UNEVEN, COUNT(UNEVEN), none, 2, &stays, &p) == XY_OK);
    DOUBLES(p.ends, 20, 7);
    DOUBLES(p.chosen, 0, 2);
    xy_block_plan_free(&p);
}

static void refuses(void) {
    xy_block_plan p;
    const double starts[] = {0, 0, 0};
    const xy_block_limits limits = {0, 40, 25, 4};
    for (size_t n = 1; n < COUNT(EVEN); n++)
        CHECK(make(EVEN, n, starts, 3, &limits, &p) == XY_E_ARGUMENT, "%zu numbers", n);
    CHECK(make(EVEN, COUNT(EVEN), starts, 2, &limits, &p) == XY_E_ARGUMENT);
    const double lost[] = {NAN, 4, 1};
    CHECK(make(lost, 3, starts, 1, &limits, &p) == XY_E_ARGUMENT);
    CHECK(make(EVEN, 0, starts, 0, &limits, &p) == XY_OK);
    CHECK(p.chosen.len == 0 && p.ends.len == 0);
    xy_block_plan_free(&p);
}

int main(void) {
    with_all_baskets();
    grows_to_a_cluster();
    refuses();
    return 0;
}
