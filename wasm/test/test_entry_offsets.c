/* Elements of entries in nested collections, by hand: which pages of offsets are requested, what
 * they tell, and what they spare.
 *
 *   entry          0    1  2      3  4  5
 *   outer offsets  2    2  5      5  6  9                one list of each entry
 *   inner offsets  1 1     3 4 4     6  6 7 10           one list of each element of the outer
 *   numbers        three for each element of the inner lists
 */
#include "../src/ntuple/entry_offsets.h"
#include "../src/ntuple/pages.h"
#include "support/check.h"
#include "support/encode.h"

static const uint64_t OUTER[] = {2, 2, 5, 5, 6, 9};
static const uint32_t INNER[] = {1, 1, 3, 4, 4, 6, 6, 7, 10};
enum { OUTER_COLUMN, INNER_COLUMN, NUMBERS, COLUMNS };

/* The pages: two of the outer offsets, three of the inner ones, five of numbers. */
static const xy_nt_page PAGES[] = {
    {1000, 32, 4}, {1032, 16, 2}, {2000, 12, 3}, {2012, 12, 3}, {2024, 12, 3},
    {3000, 24, 6}, {3024, 24, 6}, {3048, 24, 6}, {3072, 24, 6}, {3096, 24, 6},
};

static const xy_nt_cluster FIRST = {.entries = 6, .range_count = 3};
/* Its outer column has two leading entries that are not stored; the others are not there. */
static const xy_nt_cluster LATE = {
    .first_entry = 6, .entries = 4, .first_range = 3, .range_count = 1, .number = 1};
/* Written before there were columns. */
static const xy_nt_cluster NONE = {.first_entry = 10, .entries = 3, .number = 2};

static xy_ntuple make(void) {
    xy_ntuple nt = {.file = xy_file_create(64000), .field_count = COLUMNS, .column_count = COLUMNS};
    nt.fields = xy_new(COLUMNS, sizeof *nt.fields);
    nt.columns = xy_new(COLUMNS, sizeof *nt.columns);
    nt.attached = xy_new(COLUMNS, sizeof *nt.attached);
    nt.ranges = xy_new(4, sizeof *nt.ranges);
    nt.pages = xy_copy(PAGES, 10, sizeof *PAGES);
    CHECK(nt.file && nt.fields && nt.columns && nt.attached && nt.ranges && nt.pages);
    for (int32_t i = 0; i < COLUMNS; i++) {
        nt.fields[i] = (xy_nt_field){.first_column = i, .column_count = 1};
        nt.attached[i] = i;
    }
    nt.columns[OUTER_COLUMN] = (xy_nt_column){.type = XY_COL_INDEX64, .deferred = true};
    nt.columns[INNER_COLUMN] = (xy_nt_column){.type = XY_COL_INDEX32};
    nt.columns[NUMBERS] = (xy_nt_column){.type = XY_COL_REAL32};
    nt.ranges[0] = (xy_nt_range){.first_page = 0, .page_count = 2, .elements = 6};
    nt.ranges[1] = (xy_nt_range){.first_page = 2, .page_count = 3, .elements = 9};
    nt.ranges[2] = (xy_nt_range){.first_page = 5, .page_count = 5, .elements = 30};
    nt.ranges[3] = (xy_nt_range){.first_page = 1, .page_count = 1, .elements = 2};
    return nt;
}

static void destroy(xy_ntuple *nt) {
    xy_file *owner = nt->file;
    xy_nt_free(nt);
    xy_file_destroy(owner);
}

static xy_nt_need NEEDS[] = {
    {.field = OUTER_COLUMN, .repetition = 1, .offsets = true, .above = -1, .factor = 1},
    {.field = INNER_COLUMN, .offsets = true, .above = 0, .factor = 1},
    {.field = NUMBERS, .above = 1, .factor = 3},
};
static const xy_nt_needs ALL = {.list = NEEDS, .count = COLUMNS};

/* Whether the elements of a need are known, and which. */
static bool elements(const xy_ntuple *nt, int32_t need, const xy_nt_cluster *cluster, uint64_t from,
                     uint64_t to, uint64_t want_lo, uint64_t want_hi) {
    uint64_t lo, hi;
    if (!xy_nt_elements(nt, &ALL, need, cluster, from, to, &lo, &hi)) return false;
    CHECK(lo == want_lo && hi == want_hi, "need %d of %d..%d: %d..%d", (int)need, (int)from,
          (int)to, (int)lo, (int)hi);
    return true;
}

/* Requests pages; `want` are their offsets in the file. Answers them when `answer` is set. */
static void request(xy_ntuple *nt, const xy_nt_cluster *cluster, uint64_t from, uint64_t to,
                    const double *want, size_t count, double spared, bool answer) {
    xy_nt_offset_pages r = {0};
    xy_nt_request_offset_pages(nt, &ALL, cluster, from, to, &r);
    CHECK(r.seeks.len == 8 * count && r.sizes.len == 8 * count && r.head_ends.len == 4 * count,
          "%zu requests, not %zu", r.seeks.len / 8, count);
    CHECK(r.spared == spared, "%g bytes are spared, not %g", r.spared, spared);
    uint32_t from_byte = 0;
    for (size_t i = 0; i < count; i++) {
        double seek, size;
        uint32_t end;
        memcpy(&seek, r.seeks.data + 8 * i, 8);
        memcpy(&size, r.sizes.data + 8 * i, 8);
        memcpy(&end, r.head_ends.data + 4 * i, 4);
        CHECK(seek == want[i], "request %zu at %g, not at %g", i, seek, want[i]);
        const uint8_t *page = seek < 2000 ? (const uint8_t *)OUTER + (size_t)(seek - 1000)
                                          : (const uint8_t *)INNER + (size_t)(seek - 2000);
        CHECK(size == (seek == 1000 ? 32 : seek == 1032 ? 16 : 12));
        xy_buffer all = {0};
        xy_append(&all, r.heads.data + from_byte, end - from_byte);
        xy_append(&all, page, (size_t)size);
        bytes exact = copy_of(all.data, all.len);
        xy_error err = {0};
        if (answer)
            CHECK(!xy_nt_add_offset_page(nt, &err, exact.data, exact.len), "%s", err.message);
        free(exact.data);
        xy_buffer_free(&all);
        from_byte = end;
    }
    CHECK(r.heads.len == from_byte);
    xy_nt_offset_pages_free(&r);
}

#define REQUEST(nt, cluster, from, to, spared, ...)                                                \
    request(nt, cluster, from, to, (const double[]){__VA_ARGS__},                                  \
            sizeof((const double[]){__VA_ARGS__}) / 8, spared, true)

static void steps_down(void) {
    xy_ntuple nt = make();
    CHECK(elements(&nt, 0, &FIRST, 1, 3, 1, 3));
    CHECK(!elements(&nt, 1, &FIRST, 1, 3, 0, 0) && !elements(&nt, 2, &FIRST, 1, 3, 0, 0));
    /* Below lie one page of 12 bytes and three of 24 that are not at an end: two of six entries. */
    REQUEST(&nt, &FIRST, 1, 3, 84 * (1 - 2.0 / 6), 1000, 1000);
    CHECK(nt.known_count == 2);
    CHECK(elements(&nt, 1, &FIRST, 1, 3, 2, 5) && !elements(&nt, 2, &FIRST, 1, 3, 0, 0));
    REQUEST(&nt, &FIRST, 1, 3, 72 * (1 - 3.0 / 9), 2000, 2012);
    CHECK(elements(&nt, 2, &FIRST, 1, 3, 3, 12));
    request(&nt, &FIRST, 1, 3, NULL, 0, 0, true);
    CHECK(nt.known_count == 4);
    /* From the first entry on nothing before it has to be known. */
    CHECK(elements(&nt, 1, &FIRST, 0, 1, 0, 2) && elements(&nt, 2, &FIRST, 0, 1, 0, 3));
    CHECK(elements(&nt, 1, &FIRST, 0, 3, 0, 5) && elements(&nt, 2, &FIRST, 0, 3, 0, 12));
    /* No entries, and an entry without elements. */
    CHECK(elements(&nt, 1, &FIRST, 2, 2, 0, 0) && elements(&nt, 2, &FIRST, 2, 2, 0, 0));
    request(&nt, &FIRST, 4, 4, NULL, 0, 0, true);
    CHECK(!elements(&nt, 1, &FIRST, 1, 2, 0, 0));
    REQUEST(&nt, &FIRST, 1, 2, 84 * (1 - 1.0 / 6), 1000);
    CHECK(elements(&nt, 1, &FIRST, 1, 2, 2, 2) && elements(&nt, 2, &FIRST, 1, 2, 0, 0));
    /* The last entry lies in the second page. */
    REQUEST(&nt, &FIRST, 5, 6, 84 * (1 - 1.0 / 6), 1032, 1032);
    CHECK(elements(&nt, 1, &FIRST, 5, 6, 6, 9));
    REQUEST(&nt, &FIRST, 5, 6, 72 * (1 - 3.0 / 9), 2012, 2024);
    CHECK(elements(&nt, 2, &FIRST, 5, 6, 18, 30));
    /* What one request brings may end in a page, and begin in the next. */
    REQUEST(&nt, &FIRST, 4, 5, 84 * (1 - 1.0 / 6), 1000);
    CHECK(elements(&nt, 1, &FIRST, 4, 5, 5, 6));
    /* Entries behind the last one. */
    request(&nt, &FIRST, 5, 7, NULL, 0, 0, true);
    destroy(&nt);
}

/* The borders of each page: its first and its last element. */
static void page_borders(void) {
    for (uint64_t entry = 1; entry < 6; entry++) {
        xy_ntuple nt = make();
        double seeks[] = {entry - 1 < 4 ? 1000 : 1032, entry < 4 ? 1000 : 1032};
        request(&nt, &FIRST, entry, entry + 1, seeks, 2, 84 * (1 - 1.0 / 6), true);
        CHECK(elements(&nt, 1, &FIRST, entry, entry + 1, OUTER[entry - 1], OUTER[entry]));
        destroy(&nt);
    }
}

/* Elements that are not stored are zero, and nothing is read for them. */
static void late_columns(void) {
    xy_ntuple nt = make();
    CHECK(elements(&nt, 1, &LATE, 0, 2, 0, 0));
    request(&nt, &LATE, 0, 2, NULL, 0, 0, true);
    xy_nt_source s = xy_nt_source_of(&nt, &NEEDS[0], &LATE);
    CHECK(s.id == 0 && s.lead == 2 && s.range == &nt.ranges[3] && s.column == &nt.columns[0]);
    /* Elements 2 and 3 are the first and the second of the stored page: 6 and 9. */
    CHECK(!elements(&nt, 1, &LATE, 1, 4, 0, 0));
    REQUEST(&nt, &LATE, 1, 4, 0, 1032);
    CHECK(elements(&nt, 1, &LATE, 1, 4, 0, 9));
    REQUEST(&nt, &LATE, 2, 3, 0, 1032);
    CHECK(elements(&nt, 1, &LATE, 2, 3, 0, 6) && elements(&nt, 1, &LATE, 3, 4, 6, 9));
    CHECK(elements(&nt, 1, &NONE, 1, 3, 0, 0) && elements(&nt, 2, &NONE, 1, 3, 0, 0));
    request(&nt, &NONE, 0, 3, NULL, 0, 0, true);
    s = xy_nt_source_of(&nt, &NEEDS[0], &NONE);
    CHECK(s.id == 0 && s.lead == 3 && !s.range);
    /* Not deferred, or with all its elements stored: nothing leads. */
    CHECK(xy_nt_source_of(&nt, &NEEDS[0], &FIRST).lead == 0);
    nt.columns[0].deferred = false;
    CHECK(xy_nt_source_of(&nt, &NEEDS[0], &LATE).lead == 0);
    nt.ranges[3].suppressed = true;
    CHECK(xy_nt_source_of(&nt, &NEEDS[0], &LATE).id == -1);
    CHECK(!elements(&nt, 1, &LATE, 1, 4, 0, 0));
    request(&nt, &LATE, 1, 4, NULL, 0, 0, true);
    destroy(&nt);
}

/* Offsets that fall, or that count more elements than there can be, are not believed. */
static void impossible_offsets(void) {
    static const struct {
        uint64_t first, last, factor;
        bool known;
    } cases[] = {{5, 4, 1, false},
                 {4, 4, 1, true},
                 {4, (uint64_t)1 << 60, 1, true},
                 {4, ((uint64_t)1 << 60) + 1, 1, false},
                 {4, (uint64_t)1 << 58, 4, true},
                 {4, ((uint64_t)1 << 58) + 1, 4, false}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        xy_ntuple nt = make();
        xy_nt_known_offset *known = xy_new(2, sizeof *known);
        CHECK(known);
        known[0] = (xy_nt_known_offset){0, 0, 0, cases[i].first};
        known[1] = (xy_nt_known_offset){0, 0, 1, cases[i].last};
        nt.known_offsets = known;
        nt.known_count = nt.known_cap = 2;
        NEEDS[1].factor = cases[i].factor;
        uint64_t lo = cases[i].first * cases[i].factor, hi = cases[i].last * cases[i].factor;
        CHECK(elements(&nt, 1, &FIRST, 1, 2, lo, hi) == cases[i].known, "case %zu", i);
        NEEDS[1].factor = 1;
        destroy(&nt);
    }
    /* A need that is not below a collection has so many elements an entry; 0 are not known. */
    xy_ntuple nt = make();
    uint64_t lo, hi;
    NEEDS[0].repetition = 5;
    CHECK(xy_nt_elements(&nt, &ALL, 0, &FIRST, 2, 4, &lo, &hi) && lo == 10 && hi == 20);
    CHECK(!xy_nt_elements(&nt, &ALL, 0, &FIRST, 2, UINT64_MAX / 5 + 1, &lo, &hi));
    NEEDS[0].repetition = 0;
    CHECK(!xy_nt_elements(&nt, &ALL, 0, &FIRST, 2, 4, &lo, &hi));
    NEEDS[0].repetition = 1;
    destroy(&nt);
}

typedef struct {
    uint32_t magic;
    int32_t cluster, column;
    uint32_t count;
    uint64_t first;
    xy_nt_page page;
    uint64_t element[2];
} sent;

static xy_status add(xy_ntuple *nt, const sent *head, size_t head_bytes, size_t page_bytes) {
    xy_buffer all = {0};
    xy_append(&all, head, head_bytes);
    xy_append(&all, OUTER, page_bytes);
    bytes exact = copy_of(all.data, all.len);
    xy_error err = {0};
    xy_status s = xy_nt_add_offset_page(nt, &err, exact.data, exact.len);
    CHECK(s == (xy_status)err.status);
    free(exact.data);
    xy_buffer_free(&all);
    return s;
}

/* Only what was requested is taken, and each element once. */
static void answers(void) {
    enum { ONE = sizeof(sent) - 8, TWO = sizeof(sent), HEAD = sizeof(sent) - 16 };
    const sent good = {0x3142584e, 0, 0, 2, 0, {1000, 32, 4}, {3, 0}};
    xy_ntuple nt = make();
    CHECK(add(&nt, &good, TWO, 32) == XY_OK && nt.known_count == 2);
    CHECK(elements(&nt, 1, &FIRST, 1, 4, 2, 5));
    CHECK(add(&nt, &good, TWO, 32) == XY_OK && nt.known_count == 2);
    sent s = good;
    s.magic++;
    CHECK(add(&nt, &s, TWO, 32) == XY_E_ARGUMENT);
    const int32_t columns[] = {-1, COLUMNS, 1000};
    for (int i = 0; i < 3; i++) {
        s = good;
        s.column = columns[i];
        CHECK(add(&nt, &s, TWO, 32) == XY_E_ARGUMENT);
    }
    const uint32_t counts[] = {7, 8, 0x20000000, 0xffffffff};
    for (int i = 0; i < 4; i++) {
        s = good;
        s.count = counts[i];
        CHECK(add(&nt, &s, TWO, 32) == XY_E_ARGUMENT, "%u elements", counts[i]);
    }
    CHECK(add(&nt, &good, TWO, 31) == XY_E_ARGUMENT, "a page without its last byte");
    CHECK(add(&nt, &good, ONE, 32) == XY_E_ARGUMENT);
    CHECK(add(&nt, &good, HEAD, 0) == XY_E_ARGUMENT);
    for (size_t n = 0; n < HEAD; n++)
        CHECK(add(&nt, &good, n, 0) == XY_E_ARGUMENT);
    s = good;
    s.page.elements |= 0x80000000u;
    CHECK(add(&nt, &s, TWO, 39) == XY_E_ARGUMENT, "a checksum needs 8 bytes more");
    CHECK(add(&nt, &s, TWO, 40) == XY_E_CHECKSUM);
    s = good;
    s.element[0] = 4;
    CHECK(add(&nt, &s, TWO, 32) == XY_E_ARGUMENT, "an element behind the page");
    s = good;
    s.first = 1;
    CHECK(add(&nt, &s, TWO, 32) == XY_E_ARGUMENT, "an element before the page");
    s = good;
    s.column = NUMBERS;
    s.page.elements = 8;
    CHECK(add(&nt, &s, TWO, 32) == XY_E_ARGUMENT, "a column of numbers has no offsets");
    CHECK(nt.known_count == 2);
    destroy(&nt);
}

/* Offsets of many columns and clusters, added in no order, are found again. */
static void many_known(void) {
    xy_ntuple nt = make();
    uint32_t seed = 5;
    for (int i = 0; i < 400; i++) {
        uint32_t r = next_random(&seed);
        sent s = {0x3142584e, (int32_t)(r % 3), (int32_t)(r / 3 % 2), 1, 0, {1000, 48, 6}, {0}};
        if (s.column == 1) s.page = (xy_nt_page){1000, 48, 12};
        s.element[0] = r / 6 % 6;
        CHECK(add(&nt, &s, sizeof s - 8, 48) == XY_OK);
    }
    CHECK(nt.known_count == 36);
    for (int32_t i = 0; i < 36; i++) {
        const xy_nt_known_offset *k = &nt.known_offsets[i];
        CHECK(k->cluster == i / 12 && k->column == i / 6 % 2 && k->element == (uint64_t)i % 6);
        if (k->column == 0) CHECK(k->value == OUTER[i % 6]);
    }
    const xy_nt_cluster other = {.entries = 6, .range_count = 3, .number = 2};
    CHECK(elements(&nt, 1, &other, 3, 6, 5, 9));
    /* Without one of them it is not found, whatever lies in its place. */
    for (int32_t gone = 0; gone < 36; gone++) {
        xy_ntuple less = nt;
        xy_nt_known_offset rest[35];
        memcpy(rest, nt.known_offsets, (size_t)gone * sizeof *rest);
        memcpy(rest + gone, nt.known_offsets + gone + 1, (size_t)(35 - gone) * sizeof *rest);
        less.known_offsets = rest;
        less.known_count = 35;
        int32_t cluster = gone / 12;
        const xy_nt_cluster c = {.entries = 6, .range_count = 3, .number = cluster};
        uint64_t end = (uint64_t)gone % 6 + 1;
        if (gone / 6 % 2 == 0) CHECK(!elements(&less, 1, &c, 0, end, 0, 0));
    }
    destroy(&nt);
}

/* A full list of known offsets is emptied. */
static void full_list(void) {
    enum { MOST = 1 << 20 };
    xy_ntuple nt = make();
    nt.known_offsets = xy_new(MOST, sizeof *nt.known_offsets);
    CHECK(nt.known_offsets);
    for (int32_t i = 0; i < MOST; i++)
        nt.known_offsets[i] = (xy_nt_known_offset){-1, 0, (uint64_t)i, 0};
    nt.known_count = MOST - 1;
    nt.known_cap = MOST;
    const sent good = {0x3142584e, 0, 0, 1, 0, {1000, 32, 4}, {3, 0}};
    CHECK(add(&nt, &good, sizeof good - 8, 32) == XY_OK && nt.known_count == MOST);
    sent next = good;
    next.element[0] = 2;
    CHECK(add(&nt, &next, sizeof good - 8, 32) == XY_OK && nt.known_count == 1);
    destroy(&nt);
}

int main(void) {
    steps_down();
    page_borders();
    late_columns();
    impossible_offsets();
    answers();
    many_known();
    full_list();
    return 0;
}
