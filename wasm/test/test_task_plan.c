/* Tasks by hand: which units are decoded together, which reads bring them, and where their bytes
 * are in a task's input. */
#include "support/check.h"

#include "../src/decode/task_plan.h"

#include <math.h>
#include <string.h>

/* Limits of tasks by their place. */
#define PLACES(least, most, parts, units, over)                                                    \
    {                                                                                              \
        .min_bytes = (least), .max_bytes = (most), .shares = (parts), .max_units = (units),        \
        .gap = (over)                                                                              \
    }

static const xy_plan_limits WHOLE = PLACES(0, 1e18, 1, 1000, 0);

static xy_status make(const double *packed, size_t count, const double *chosen, size_t some,
                      const xy_plan_limits *limits, xy_task_plan *out) {
    xy_error err = {0};
    memset(out, 0, sizeof *out);
    /* An allocation of exactly the list, so that ASan sees one number beyond. */
    double *copy = malloc(count * sizeof *copy + 1);
    CHECK(copy);
    memcpy(copy, packed, count * sizeof *copy);
    xy_status s = xy_task_plan_make(&err, copy, count, chosen, some, limits, out);
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

static void counts_are(int line, const xy_buffer *b, const uint32_t *want, size_t n) {
    CHECK(b->len == n * sizeof *want, "line %d: %zu numbers, not %zu", line, b->len / 4, n);
    for (size_t i = 0; i < n; i++) {
        uint32_t got;
        memcpy(&got, b->data + 4 * i, 4);
        CHECK(got == want[i], "line %d: number %zu is %u, not %u", line, i, got, want[i]);
    }
}

#define ARE(compare, type, buffer, ...)                                                            \
    compare(__LINE__, &(buffer), (const type[]){__VA_ARGS__},                                      \
            sizeof((const type[]){__VA_ARGS__}) / sizeof(type))
#define DOUBLES(buffer, ...) ARE(doubles_are, double, buffer, __VA_ARGS__)
#define COUNTS(buffer, ...) ARE(counts_are, uint32_t, buffer, __VA_ARGS__)
#define MAKE(packed, limits, plan)                                                                 \
    CHECK(make(packed, sizeof(packed) / sizeof(double), NULL, 0, limits, plan) == XY_OK)

/* Baskets of two branches by turns: the first of both, the second of both, and so on. */
static const double TURNS[] = {
    3, 3, 1, 0, 0, 1, 0, 10, 20, 0, 0, 2, 10, 10, 9, 1000, 3000, 5000, 100, 100, 100,
    3, 3, 1, 0, 0, 1, 0, 10, 20, 0, 0, 0, 10, 10, 8, 1100, 3100, 5100, 50,  50,  50};

static void by_place(void) {
    xy_task_plan p;
    const xy_plan_limits thirds = PLACES(0, 1e18, 3, 1000, 0);
    MAKE(TURNS, &thirds, &p);
    COUNTS(p.unit_end, 2, 4, 6);
    DOUBLES(p.units, 0, 100, 0, 10, 100, 50, 0, 10, 0, 100, 0, 10, 100, 50, 0, 10, 0, 100, 2, 9,
            100, 50, 0, 8);
    COUNTS(p.part_list, 0, 1, 0, 1, 0, 1);
    COUNTS(p.part_first, 0, 0, 1, 1, 2, 2);
    COUNTS(p.part_count, 1, 1, 1, 1, 1, 1);
    COUNTS(p.part_end, 2, 4, 6);
    DOUBLES(p.reads, 0, 1000, 150, 0, 0, 3000, 150, 0, 0, 5000, 150, 0);
    COUNTS(p.read_end, 1, 2, 3);
    DOUBLES(p.input, 150, 150, 150);
    DOUBLES(p.bytes, 150, 150, 150);
    DOUBLES(p.place, 1000, 3000, 5000);
    DOUBLES(p.first_entry, 0, 10, 20);
    DOUBLES(p.last_entry, 10, 20, 29);
    CHECK(p.head_list.len == 0 && p.bad_list.len == 0);
    COUNTS(p.head_end, 0, 0, 0);
    xy_task_plan_free(&p);

    MAKE(TURNS, &WHOLE, &p);
    COUNTS(p.unit_end, 6);
    DOUBLES(p.units, 0, 100, 0, 10, 150, 100, 0, 10, 300, 100, 2, 9, 100, 50, 0, 10, 250, 50, 0, 10,
            400, 50, 0, 8);
    COUNTS(p.part_list, 0, 1);
    COUNTS(p.part_first, 0, 0);
    COUNTS(p.part_count, 3, 3);
    COUNTS(p.part_end, 2);
    DOUBLES(p.reads, 0, 1000, 150, 0, 0, 3000, 150, 150, 0, 5000, 150, 300);
    COUNTS(p.read_end, 3);
    DOUBLES(p.first_entry, 0);
    DOUBLES(p.last_entry, 29);
    xy_task_plan_free(&p);
}

/* A first entry that is not that of the first unit, and an end that is not that of the last. */
static void entries_of_a_task(void) {
    static const double packed[] = {2, 2, 1, 0, 0, 1, 40, 10, 3, 1, 5, 4, 500, 600, 10, 10};
    xy_task_plan p;
    MAKE(packed, &WHOLE, &p);
    DOUBLES(p.first_entry, 11);
    DOUBLES(p.last_entry, 45);
    DOUBLES(p.units, 0, 10, 3, 5, 10, 10, 1, 4);
    xy_task_plan_free(&p);
    static const double later[] = {2, 2, 1, 0, 0, 1, 10, 12, 1, 3, 5, 4, 500, 600, 10, 10};
    MAKE(later, &WHOLE, &p);
    DOUBLES(p.first_entry, 11);
    DOUBLES(p.last_entry, 16);
    xy_task_plan_free(&p);
}

/* Full are tasks with their share, at least `min_bytes`, at most `max_bytes` or `max_units`. */
static void full_tasks(void) {
    xy_task_plan p;
    const xy_plan_limits least = PLACES(200, 1e18, 6, 1000, 0), most = PLACES(0, 100, 1, 1000, 0),
                         few = PLACES(0, 1e18, 1, 4, 0), alone = PLACES(0, 0, 1, 1, 0);
    MAKE(TURNS, &least, &p);
    COUNTS(p.unit_end, 3, 6);
    DOUBLES(p.bytes, 250, 200);
    DOUBLES(p.place, 1000, 3100);
    DOUBLES(p.input, 250, 200);
    DOUBLES(p.reads, 0, 1000, 150, 0, 0, 3000, 100, 150, 0, 3100, 50, 0, 0, 5000, 150, 50);
    COUNTS(p.read_end, 2, 4);
    COUNTS(p.part_list, 0, 1, 0, 1);
    COUNTS(p.part_first, 0, 0, 2, 1);
    COUNTS(p.part_count, 2, 1, 1, 2);
    COUNTS(p.part_end, 2, 4);
    xy_task_plan_free(&p);
    MAKE(TURNS, &most, &p);
    COUNTS(p.unit_end, 1, 3, 5, 6);
    DOUBLES(p.bytes, 100, 150, 150, 50);
    xy_task_plan_free(&p);
    MAKE(TURNS, &few, &p);
    COUNTS(p.unit_end, 4, 6);
    xy_task_plan_free(&p);
    MAKE(TURNS, &alone, &p);
    COUNTS(p.unit_end, 1, 2, 3, 4, 5, 6);
    xy_task_plan_free(&p);
    /* No task has more decoded bytes, except for one unit that has more. */
    xy_plan_limits decoded = PLACES(0, 1e18, 1, 1000, 0);
    decoded.max_decoded = 200;
    MAKE(TURNS, &decoded, &p);
    COUNTS(p.unit_end, 2, 4, 6);
    xy_task_plan_free(&p);
    double larger[sizeof TURNS / sizeof(double)];
    memcpy(larger, TURNS, sizeof larger);
    larger[5] = 3;
    MAKE(larger, &decoded, &p);
    COUNTS(p.unit_end, 1, 2, 3, 4, 5, 6);
    xy_task_plan_free(&p);
}

/* Where it is asked, the first tasks are full with 4 KiB, 8 KiB, 16 KiB …, also where tasks are
 * divided by entries. */
static void small_tasks_first(void) {
    enum { UNITS = 14 };
    double packed[6 + 5 * UNITS] = {UNITS, UNITS, 1, 0, 0, 1};
    for (int i = 0; i < UNITS; i++) {
        double own[] = {10.0 * i, 0, 10, 1000 + 3000.0 * i, 3000};
        for (int k = 0; k < 5; k++)
            packed[6 + k * UNITS + i] = own[k];
    }
    xy_task_plan p;
    xy_plan_limits large = PLACES(1e6, 1e6, 6, 1000, 0), some = PLACES(7000, 1e6, 6, 1000, 0);
    MAKE(packed, &large, &p);
    COUNTS(p.unit_end, UNITS);
    xy_task_plan_free(&p);
    large.first_bytes = some.first_bytes = 4096;
    MAKE(packed, &large, &p);
    COUNTS(p.unit_end, 2, 5, 11, 14);
    xy_task_plan_free(&p);
    MAKE(packed, &some, &p);
    COUNTS(p.unit_end, 2, 5, 8, 11, 14);
    xy_task_plan_free(&p);
    const xy_plan_limits entries = {.how = XY_PLAN_ENTRIES,
                                    .min_bytes = 1e6,
                                    .max_bytes = 1e6,
                                    .max_entries = 1e6,
                                    .to = 10 * UNITS,
                                    .first_bytes = 4096};
    MAKE(packed, &entries, &p);
    COUNTS(p.unit_end, 2, 5, 11, 14);
    xy_task_plan_free(&p);
}

/* A read goes on over a gap of at most `gap` bytes between two units, and over none in a unit. */
static void gaps(void) {
    static const double simple[] = {2, 2, 1, 0, 0, 1, 0, 10, 0, 0, 10, 10, 1000, 1110, 100, 50};
    const xy_plan_limits ten = PLACES(0, 1e18, 1, 1000, 10), nine = PLACES(0, 1e18, 1, 1000, 9);
    xy_task_plan p;
    MAKE(simple, &ten, &p);
    DOUBLES(p.reads, 0, 1000, 160, 0);
    DOUBLES(p.units, 0, 100, 0, 10, 110, 50, 0, 10);
    DOUBLES(p.input, 160);
    DOUBLES(p.bytes, 150);
    xy_task_plan_free(&p);
    MAKE(simple, &nine, &p);
    DOUBLES(p.reads, 0, 1000, 100, 0, 0, 1110, 50, 100);
    DOUBLES(p.input, 150);
    xy_task_plan_free(&p);
    /* Three ranges of one unit, the last two adjacent; then a unit five bytes behind. */
    static const double clusters[] = {2, 4, 0, 0, 0,    1,    0,    10,   0,  0,  10, 10,
                                      3, 4, 0, 0, 1000, 1020, 1030, 1045, 10, 10, 10, 7};
    MAKE(clusters, &ten, &p);
    DOUBLES(p.reads, 0, 1000, 10, 0, 0, 1020, 32, 10);
    DOUBLES(p.units, 0, 30, 0, 10, 35, 7, 0, 10);
    DOUBLES(p.bytes, 37);
    DOUBLES(p.input, 42);
    xy_task_plan_free(&p);
    /* Ranges that lie before the last one begin a read of their own. */
    static const double back[] = {1, 2, 0, 0, 0, 1, 0, 0, 10, 2, 0, 1020, 1000, 10, 10};
    MAKE(back, &ten, &p);
    DOUBLES(p.reads, 0, 1020, 10, 0, 0, 1000, 10, 10);
    DOUBLES(p.place, 1020);
    xy_task_plan_free(&p);
}

/* Heads are bytes that the host has; they lie in the input before the ranges of their unit. */
static void heads(void) {
    /* A basket without a place in the file, between two that have one. */
    static const double simple[] = {3, 3,  1,  0,  0,   1, 0,   10, 20, 0, 0,
                                    0, 10, 10, 10, 900, 0, 910, 10, 30, 5};
    xy_task_plan p;
    MAKE(simple, &WHOLE, &p);
    DOUBLES(p.reads, 0, 900, 15, 30);
    COUNTS(p.head_list, 0);
    COUNTS(p.head_unit, 1);
    DOUBLES(p.head_at, 0);
    COUNTS(p.head_end, 1);
    DOUBLES(p.units, 30, 10, 0, 10, 0, 30, 0, 10, 40, 5, 0, 10);
    DOUBLES(p.input, 45);
    DOUBLES(p.bytes, 15);
    DOUBLES(p.place, 0);
    COUNTS(p.part_count, 3);
    xy_task_plan_free(&p);
    /* A head between two ranges that are adjacent in the file separates their reads. */
    static const double clusters[] = {2,  2,  0, 0, 0, 1,  0,   10,  0,  0,
                                      10, 10, 1, 2, 0, 20, 900, 910, 10, 5};
    const xy_plan_limits gap = PLACES(0, 1e18, 1, 1000, 4096);
    MAKE(clusters, &gap, &p);
    DOUBLES(p.reads, 0, 900, 10, 0, 0, 910, 5, 30);
    COUNTS(p.head_unit, 1);
    DOUBLES(p.head_at, 10);
    DOUBLES(p.units, 0, 10, 0, 10, 10, 25, 0, 10);
    xy_task_plan_free(&p);
    /* Two heads and nothing to read, in tasks of their own; the second head has 3 bytes. */
    static const double two[] = {2, 0, 0, 0, 0, 1, 0, 10, 0, 0, 10, 10, 0, 0, 4, 7};
    const xy_plan_limits alone = PLACES(0, 1e18, 1, 1, 0);
    MAKE(two, &alone, &p);
    COUNTS(p.head_unit, 0, 1);
    DOUBLES(p.head_at, 0, 0);
    COUNTS(p.head_end, 1, 2);
    DOUBLES(p.input, 4, 3);
    DOUBLES(p.bytes, 0, 0);
    DOUBLES(p.units, 0, 4, 0, 10, 0, 3, 0, 10);
    CHECK(p.reads.len == 0);
    xy_task_plan_free(&p);
    /* A basket of 0 bytes without a place has neither a head nor a read. */
    static const double nothing[] = {1, 1, 1, 0, 0, 1, 0, 0, 10, 0, 0};
    MAKE(nothing, &WHOLE, &p);
    CHECK(p.reads.len == 0 && p.head_unit.len == 0);
    COUNTS(p.unit_end, 1);
    DOUBLES(p.input, 0);
    xy_task_plan_free(&p);
}

static void chosen_units(void) {
    xy_task_plan p;
    static const double some[] = {1, 2, 4};
    CHECK(make(TURNS, sizeof TURNS / 8, some, 3, &WHOLE, &p) == XY_OK);
    COUNTS(p.part_list, 0, 1);
    COUNTS(p.part_first, 1, 1);
    COUNTS(p.part_count, 2, 1);
    DOUBLES(p.reads, 0, 3000, 150, 0, 0, 5000, 100, 150);
    xy_task_plan_free(&p);
    CHECK(make(TURNS, sizeof TURNS / 8, some, 0, &WHOLE, &p) == XY_OK);
    CHECK(p.units.len == 0 && p.bytes.len == 0 && p.part_end.len == 0);
    xy_task_plan_free(&p);
    /* Numbers that do not follow each other make parts of their own. */
    static const double apart[] = {0, 2};
    CHECK(make(TURNS, sizeof TURNS / 8, apart, 2, &WHOLE, &p) == XY_OK);
    COUNTS(p.part_first, 0, 2);
    COUNTS(p.part_count, 1, 1);
    COUNTS(p.part_end, 2);
    xy_task_plan_free(&p);
}

static void impossible_units(void) {
    static const double simple[] = {5, 5,          1,          0,   0,  1, 0, 1, 2, 3, 4,
                                    0, 0,          0,          0,   0,  1, 1, 1, 1, 1, -7,
                                    5, 0x1p53 - 4, 0x1p53 - 4, NAN, 10, 0, 6, 4, 4};
    xy_task_plan p;
    MAKE(simple, &WHOLE, &p);
    COUNTS(p.bad_list, 0, 0, 0, 0);
    COUNTS(p.bad_unit, 0, 1, 2, 4);
    DOUBLES(p.reads, 0, 0x1p53 - 4, 4, 0);
    COUNTS(p.part_first, 3);
    xy_task_plan_free(&p);
    /* One impossible range of a unit is enough; a range at byte 0 is one that can be read. */
    static const double clusters[] = {2, 3, 0, 0, 0, 1,  0,  1, 0, 0,  1,
                                      1, 2, 3, 0, 0, 10, 20, 0, 5, -1, 6};
    MAKE(clusters, &WHOLE, &p);
    COUNTS(p.bad_unit, 0);
    DOUBLES(p.reads, 0, 0, 6, 0);
    xy_task_plan_free(&p);
    /* Heads of less than 0 bytes, or of 2^31. */
    static const double sizes[] = {3, 3, 1, 0, 0, 1, 0, 1,  2,      0,         0,
                                   0, 1, 1, 1, 0, 0, 0, -1, 0x1p31, 0x1p31 - 1};
    MAKE(sizes, &WHOLE, &p);
    COUNTS(p.bad_unit, 0, 1);
    DOUBLES(p.input, 0x1p31 - 1);
    xy_task_plan_free(&p);
}

/* Lists that do not have the form that they promise. */
static void refused(void) {
    static const struct {
        size_t count;
        double packed[18];
    } cases[] = {
        {1, {0}},
        {5, {0, 0, 0, 0, 0}},
        {6, {0, 0, 1, 0, 0, -1}},
        {6, {0, 0, 1, 0, 0, NAN}},
        {10, {1, 1, 1, 0, 0, 1, 0, 0, 1, 900}},
        {11, {1, 1, 0, 0, 0, 1, 0, 0, 1, 900, 5}},
        {11, {-1, 1, 0, 0, 0, 1, 0, 0, 1, 900, 5}},
        {11, {1, 0.5, 0, 0, 0, 1, 0, 0, 1, 900, 5}},
        {6, {0x1p31, 0x1p31, 1, 0, 0, 1}},
        {6, {NAN, 0, 0, 0, 0, 1}},
        {6, {0, 0, 1, -1, 0, 1}},
        {6, {0, 0, 1, 0, 0.5, 1}},
        {13, {1, 2, 1, 0, 0, 1, 0, 0, 1, 900, 950, 5, 5}},
        {13, {1, 1, 0, 0, 0, 1, 0, 0, 1, 2, 0, 900, 5}},
        {13, {1, 1, 0, 0, 0, 1, 0, 0, 1, 0.5, 0, 900, 5}},
        {13, {1, 1, 0, 0, 0, 1, 0, 0, 1, 1, -1, 900, 5}},
        {13, {1, 1, 0, 0, 0, 1, 0, 0, 1, 1, 0x1p31, 900, 5}},
        {16, {2, 0, 0, 0, 0, 1, 0, 1, 0, 0, 1, 1, 0, 0, 5, 4}},
        {18, {2, 1, 0, 0, 0, 1, 0, 1, 0, 0, 1, 1, 1, 0, 0, 0, 900, 5}},
        {14, {1, 1, 1, 0, 0, 1, 0, 0, 1, 900, 5, 1, 1, 1}},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        xy_task_plan p;
        xy_status s = make(cases[i].packed, cases[i].count, NULL, 0, &WHOLE, &p);
        CHECK(s == XY_E_ARGUMENT, "case %zu", i);
        xy_task_plan_free(&p);
    }
    xy_task_plan p;
    CHECK(make(TURNS, 0, NULL, 0, &WHOLE, &p) == XY_OK && p.units.len == 0);
    xy_task_plan_free(&p);
    static const double empty[] = {0, 0, 1, 0, 0, 1, 0, 0, 0, 0, 0, 1};
    MAKE(empty, &WHOLE, &p);
    CHECK(p.units.len == 0);
    xy_task_plan_free(&p);
}

/* Places that differ only in some of their digits, also above 2^32; equal places stay in order. */
static void sorted(void) {
    enum { N = 64 };
    enum { HEAD = 6 };
    static double packed[HEAD + 5 * N];
    for (int shift = 0; shift < 53; shift++) {
        packed[0] = packed[1] = N;
        packed[2] = 1;
        for (int i = 0; i < N; i++) {
            int rank = (i * 37 + shift) % 4;
            packed[HEAD + 2 * N + i] = 1;
            packed[HEAD + 3 * N + i] = ldexp(rank, shift);
            packed[HEAD + 4 * N + i] = rank == 0 ? 8 : 1;
        }
        if (ldexp(3, shift) + 1 > 0x1p53) break;
        const xy_plan_limits alone = PLACES(0, 0, 1, 1, 0);
        xy_task_plan p;
        MAKE(packed, &alone, &p);
        CHECK(p.part_first.len == N * sizeof(uint32_t));
        uint32_t before = 0;
        for (int t = 0; t < N; t++) {
            uint32_t unit;
            double place;
            memcpy(&unit, p.part_first.data + 4 * t, 4);
            memcpy(&place, p.place.data + 8 * t, 8);
            double want = ldexp(t * 4 / N, shift);
            CHECK(place == want, "task %d is at %.17g, not %.17g", t, place, want);
            CHECK(t % (N / 4) == 0 || unit > before, "equal places change their order");
            before = unit;
        }
        xy_task_plan_free(&p);
    }
}

/* Units of two columns, the second of which is in two files; the borders that they have in common.
 */
static const double COLUMNS[] = {3,    3,    1,    0,  0,  1,  0, 10, 20, 0, 0, 0,   10, 10, 10,
                                 1000, 2000, 3000, 40, 40, 40, 1, 1,  1,  0, 1, 1,   0,  0,  20,
                                 1500, 80,   1,    1,  1,  1,  1, 1,  22, 0, 8, 500, 30};

static void by_entries(void) {
    xy_plan_limits limits = {.how = XY_PLAN_ENTRIES,
                             .min_bytes = 100,
                             .max_bytes = 1000,
                             .max_entries = 1000,
                             .from = 0,
                             .to = 30};
    xy_task_plan p;
    MAKE(COLUMNS, &limits, &p);
    DOUBLES(p.first_entry, 0, 20);
    DOUBLES(p.last_entry, 20, 30);
    COUNTS(p.part_list, 0, 1, 0, 2);
    COUNTS(p.part_first, 0, 0, 2, 0);
    COUNTS(p.part_count, 2, 1, 1, 1);
    COUNTS(p.part_end, 2, 4);
    /* Reads of one file come before those of the next, whatever their places. */
    DOUBLES(p.reads, 0, 1000, 40, 0, 0, 1500, 80, 40, 0, 2000, 40, 120, 0, 3000, 40, 0, 1, 500, 30,
            40);
    DOUBLES(p.bytes, 160, 70);
    /* No unit of the second column has entries 20 and 21. */
    DOUBLES(p.lost, 1, 20, 22);
    COUNTS(p.lost_end, 0, 1);
    xy_task_plan_free(&p);
    /* A task that has become too large ends where a unit of the other column goes on. */
    limits.max_bytes = 110;
    MAKE(COLUMNS, &limits, &p);
    DOUBLES(p.last_entry, 10, 20, 30);
    COUNTS(p.part_list, 0, 1, 0, 1, 0, 2);
    COUNTS(p.part_first, 0, 0, 1, 0, 2, 0);
    xy_task_plan_free(&p);
    /* As many entries make a task, too; and there are tasks without units. */
    limits.max_bytes = 1000, limits.min_bytes = 1e9, limits.max_entries = 5, limits.to = 45;
    MAKE(COLUMNS, &limits, &p);
    DOUBLES(p.last_entry, 20, 30, 45);
    COUNTS(p.part_end, 2, 4, 4);
    DOUBLES(p.input, 160, 70, 0);
    DOUBLES(p.lost, 1, 20, 22, 0, 30, 45, 1, 30, 45);
    xy_task_plan_free(&p);
    limits.from = limits.to;
    MAKE(COLUMNS, &limits, &p);
    CHECK(p.bytes.len == 0 && p.lost.len == 0);
    xy_task_plan_free(&p);
}

static void given_tasks(void) {
    const xy_plan_limits limits = {.how = XY_PLAN_GIVEN};
    xy_task_plan p;
    /* A unit may be in two tasks, and a task may have none. */
    static const double tasks[] = {2, 0, 3, 0, 3, 0, 1, 4};
    CHECK(make(COLUMNS, sizeof COLUMNS / 8, tasks, 8, &limits, &p) == XY_OK);
    COUNTS(p.unit_end, 2, 2, 5);
    COUNTS(p.part_list, 0, 1, 0, 2);
    COUNTS(p.part_count, 1, 1, 2, 1);
    COUNTS(p.part_end, 2, 2, 4);
    DOUBLES(p.input, 120, 0, 110);
    xy_task_plan_free(&p);
    static const struct {
        size_t count;
        double tasks[3];
    } bad[] = {{2, {2, 0}}, {2, {1, 5}}, {2, {1, -1}}, {2, {1, NAN}}, {1, {-1}}, {3, {2, 3, 0}}};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        CHECK(make(COLUMNS, sizeof COLUMNS / 8, bad[i].tasks, bad[i].count, &limits, &p) ==
                  XY_E_ARGUMENT,
              "case %zu", i);
        xy_task_plan_free(&p);
    }
}

int main(void) {
    by_entries();
    given_tasks();
    by_place();
    entries_of_a_task();
    full_tasks();
    small_tasks_first();
    gaps();
    heads();
    chosen_units();
    impossible_units();
    refused();
    sorted();
    return 0;
}
