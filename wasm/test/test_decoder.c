/* Baskets by hand: all entries, one span of them, or several, of every form that a basket has; and
 * baskets that are not what they say. */
#include "support/check.h"
#include "support/fixture.h"

#include "../src/decode/decoder.h"

#include <string.h>

enum { KEY = 29, HEAD = 48 };

/* A plan of a REST node (`child` values of `size` bytes), of strings, or of numbers alone. */
typedef struct {
    int op, wire, dtype;
    int32_t size;
    bool counted; /* by another branch */
    uint16_t flags;
} form;

static const form NUMBERS = {XY_OP_NUMBER, XY_W_32, XY_I32, 0, false, 0},
                  LISTS = {XY_OP_REST, XY_W_16, XY_U16, 2, false, 0},
                  EVEN = {XY_OP_REST, XY_W_U8, XY_U8, 1, false, XY_F_EVEN},
                  STRINGS = {XY_OP_TSTRING, 0, 0, 0, false, 0},
                  COUNTED = {XY_OP_REST, XY_W_16, XY_U16, 2, true, XY_F_BARE},
                  LED = {XY_OP_REST, XY_W_16, XY_U16, 2, true, 0};

static xy_buffer plan_of(const form *f) {
    xy_program p;
    xy_program_init(&p);
    if (f->op == XY_OP_NUMBER) {
        p.root = xy_node_number(&p, f->wire, f->dtype);
    } else {
        p.root = xy_node_new(&p, (xy_op)f->op);
        int32_t number = f->op == XY_OP_REST ? xy_node_number(&p, f->wire, f->dtype) : -1;
        xy_node *root = &p.nodes[p.root];
        root->first = number;
        root->size = f->size;
        root->flags = f->flags;
        if (f->counted) {
            root->counter = XY_COUNTED_OUTSIDE;
            uint32_t name = xy_program_intern(&p, "n", 1);
            p.nodes[p.root].count_name = name;
        }
    }
    xy_assign_columns(&p);
    CHECK(!p.failed);
    xy_buffer plan = {0};
    xy_plan_write(&p, &plan);
    xy_program_free(&p);
    return plan;
}

static xy_decoder *make(const form *f, xy_scratch *scratch) {
    xy_buffer plan = plan_of(f);
    xy_error err = {0};
    xy_decoder *d = xy_decoder_new(&err, plan.data, plan.len, scratch);
    CHECK(d, "%s", err.message);
    xy_buffer_free(&plan);
    return d;
}

typedef struct {
    uint32_t entries, size, offset_count;
    const uint8_t *data; /* NULL: 0, 1, 2, ... */
    const uint32_t *offsets;
} content;

static bytes basket_of(const content *c) {
    bytes b = stored_basket(c->entries, c->size, c->offsets, c->offset_count);
    if (c->data) memcpy(b.data + HEAD, c->data, c->size);
    return b;
}

typedef struct {
    const int32_t *list;
    size_t count;
} counts;

static xy_status decode(xy_decoder *d, const content *c, const xy_entry_span *spans, size_t n,
                        counts k) {
    bytes b = basket_of(c);
    xy_error err = {0};
    xy_status s = xy_decoder_spans(d, &err, b.data, b.len, spans, n, k.list, k.count);
    CHECK(s == (xy_status)err.status && (!s || err.message[0]));
    free(b.data);
    return s;
}

static void is_column(int line, const xy_decoder *d, int column, const void *want, size_t len) {
    const xy_buffer *b = &d->run.columns.buffers[column];
    CHECK(b->len == len && memcmp(b->data, want, len) == 0, "line %d: column %d of %zu bytes", line,
          column, b->len);
}

#define COLUMN(d, column, type, ...)                                                               \
    is_column(__LINE__, d, column, (const type[]){__VA_ARGS__}, sizeof((const type[]){__VA_ARGS__}))
#define SPANS(...)                                                                                 \
    (const xy_entry_span[]){__VA_ARGS__},                                                          \
        sizeof((const xy_entry_span[]){__VA_ARGS__}) / sizeof(xy_entry_span)
#define NO_COUNTS ((counts){NULL, 0})

/* 0, 1, 2, ... as big-endian numbers of 4 and of 2 bytes. */
#define I32(k) (0x00010203 + (k)*0x04040404)
#define U16(k) (uint16_t)(0x0001 + (k)*0x0202)

static void fixed_entries(void) {
    xy_decoder *d = make(&NUMBERS, NULL);
    const content five = {5, 20, 0, NULL, NULL};
    CHECK(!decode(d, &five, SPANS({0, -1}), NO_COUNTS));
    COLUMN(d, 0, int32_t, I32(0), I32(1), I32(2), I32(3), I32(4));
    CHECK(d->rows == 5 && d->opened == 1);
    CHECK(!decode(d, &five, SPANS({1, 3}), NO_COUNTS) &&
          !decode(d, &five, SPANS({4, 5}), NO_COUNTS));
    CHECK(!decode(d, &five, SPANS({3, -1}), NO_COUNTS));
    COLUMN(d, 0, int32_t, I32(0), I32(1), I32(2), I32(3), I32(4), I32(1), I32(2), I32(4), I32(3),
           I32(4));
    CHECK(d->rows == 10 && d->opened == 4);
    xy_decoder_reset(d);
    CHECK(d->rows == 0 && d->run.columns.buffers[0].len == 0);
    CHECK(!decode(d, &five, SPANS({0, 1}, {2, 3}, {3, 5}), NO_COUNTS));
    COLUMN(d, 0, int32_t, I32(0), I32(2), I32(3), I32(4));
    CHECK(d->rows == 4);
    /* Nothing is asked for. */
    CHECK(!decode(d, &five, NULL, 0, NO_COUNTS) && !decode(d, &five, SPANS({2, 2}), NO_COUNTS));
    CHECK(!decode(d, &five, SPANS({0, 0}), NO_COUNTS));
    CHECK(d->rows == 4);
    static const uint32_t sizes[] = {0, 4, 19, 21, 24};
    for (size_t i = 0; i < 5; i++) {
        const content other = {5, sizes[i], 0, NULL, NULL};
        CHECK(decode(d, &other, SPANS({0, 1}), NO_COUNTS) == XY_E_CORRUPT, "%u bytes", sizes[i]);
    }
    static const struct {
        size_t n;
        xy_entry_span spans[3];
    } wrong[] = {{1, {{0, 6}}},         {1, {{3, 2}}},         {1, {{6, -1}}},
                 {1, {{-1, 2}}},        {2, {{0, 2}, {1, 3}}}, {2, {{2, 3}, {0, 1}}},
                 {2, {{0, 1}, {2, 2}}}, {2, {{1, 1}, {2, 3}}}, {2, {{0, 1}, {4, 6}}},
                 {2, {{0, 1}, {3, -1}}}};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        CHECK(decode(d, &five, wrong[i].spans, wrong[i].n, NO_COUNTS) == XY_E_CORRUPT, "case %zu",
              i);
    COLUMN(d, 0, int32_t, I32(0), I32(2), I32(3), I32(4));
    xy_decoder_destroy(d);
}

static const uint32_t AT[] = {0, 4, 4, 10};
static const content FOUR = {4, 12, 4, NULL, AT};

static void lists(void) {
    xy_decoder *d = make(&LISTS, NULL);
    CHECK(!decode(d, &FOUR, SPANS({0, -1}), NO_COUNTS));
    COLUMN(d, 0, int32_t, 0, 2, 2, 5, 6);
    COLUMN(d, 1, uint16_t, U16(0), U16(1), U16(2), U16(3), U16(4), U16(5));
    CHECK(!decode(d, &FOUR, SPANS({1, 3}), NO_COUNTS));
    COLUMN(d, 0, int32_t, 0, 2, 2, 5, 6, 6, 9);
    CHECK(!decode(d, &FOUR, SPANS({0, 1}, {2, 4}), NO_COUNTS));
    COLUMN(d, 0, int32_t, 0, 2, 2, 5, 6, 6, 9, 11, 14, 15);
    COLUMN(d, 1, uint16_t, U16(0), U16(1), U16(2), U16(3), U16(4), U16(5), U16(2), U16(3), U16(4),
           U16(0), U16(1), U16(2), U16(3), U16(4), U16(5));
    CHECK(d->rows == 9);
    xy_decoder_reset(d);
    CHECK(!decode(d, &FOUR, SPANS({1, 2}, {3, 4}), NO_COUNTS));
    COLUMN(d, 0, int32_t, 0, 0, 1);
    COLUMN(d, 1, uint16_t, U16(5));
    /* Borders that fall, lie outside, or divide a number. */
    static const uint32_t wrong[][4] = {{0, 4, 2, 10}, {0, 4, 4, 14},  {0, 3, 4, 10},
                                        {0, 4, 4, 11}, {12, 4, 4, 10}, {0, 4, 0x80000000, 10}};
    for (size_t i = 0; i < 6; i++) {
        const content c = {4, 12, 4, NULL, wrong[i]};
        CHECK(decode(d, &c, SPANS({0, -1}), NO_COUNTS) == XY_E_CORRUPT, "case %zu", i);
    }
    COLUMN(d, 0, int32_t, 0, 0, 1);
    COLUMN(d, 1, uint16_t, U16(5));
    CHECK(d->rows == 2);
    /* A table with more offsets than entries is one; with fewer it is none. */
    const content fewer = {3, 12, 4, NULL, AT}, more = {5, 12, 4, NULL, AT};
    CHECK(!decode(d, &fewer, SPANS({2, 3}), NO_COUNTS));
    COLUMN(d, 0, int32_t, 0, 0, 1, 5);
    CHECK(decode(d, &more, SPANS({0, -1}), NO_COUNTS) == XY_E_UNSUPPORTED);
    /* One entry alone needs no table. */
    xy_decoder_reset(d);
    const content one = {1, 6, 0, NULL, NULL}, two = {2, 6, 0, NULL, NULL};
    CHECK(!decode(d, &one, SPANS({0, 1}), NO_COUNTS));
    COLUMN(d, 0, int32_t, 0, 3);
    CHECK(decode(d, &two, SPANS({0, 1}), NO_COUNTS) == XY_E_UNSUPPORTED);
    xy_decoder_destroy(d);
}

/* The table's own length is behind the data, and must fit into what is left of the basket. */
static void tables_of_offsets(void) {
    for (uint32_t missing = 0; missing < 20; missing++) {
        xy_decoder *d = make(&LISTS, NULL);
        bytes b = basket_of(&FOUR);
        uint32_t objlen = 12 + 20 - missing;
        b.data[3] = (uint8_t)(HEAD + objlen);
        b.data[9] = (uint8_t)objlen;
        bytes exact = copy_of(b.data, HEAD + objlen);
        xy_error err = {0};
        xy_status s = xy_decoder_basket(d, &err, exact.data, exact.len, 0, 2, NULL, 0);
        CHECK(s == (missing == 0 ? XY_OK : XY_E_UNSUPPORTED), "%u bytes less: %s", missing,
              err.message);
        free(b.data);
        free(exact.data);
        xy_decoder_destroy(d);
    }
}

static void even_entries(void) {
    xy_decoder *d = make(&EVEN, NULL);
    const content four = {4, 8, 0, NULL, NULL};
    CHECK(!decode(d, &four, SPANS({0, 1}, {2, 4}), NO_COUNTS));
    COLUMN(d, 0, int32_t, 0, 2, 4, 6);
    COLUMN(d, 1, uint8_t, 0, 1, 4, 5, 6, 7);
    CHECK(!decode(d, &four, SPANS({1, 2}), NO_COUNTS));
    COLUMN(d, 0, int32_t, 0, 2, 4, 6, 8);
    COLUMN(d, 1, uint8_t, 0, 1, 4, 5, 6, 7, 2, 3);
    CHECK(d->rows == 4);
    xy_decoder_reset(d);
    /* As many empty entries as are believed, and one more; as many as there are bytes. */
    enum { MOST = 1 << 20 };
    const content empty = {MOST, 0, 0, NULL, NULL}, more = {MOST + 1, 0, 0, NULL, NULL},
                  full = {MOST + 1, MOST + 1, 0, NULL, NULL};
    CHECK(!decode(d, &empty, SPANS({0, 2}), NO_COUNTS));
    CHECK(decode(d, &more, SPANS({0, 2}), NO_COUNTS) == XY_E_CORRUPT);
    CHECK(!decode(d, &full, SPANS({1, 3}), NO_COUNTS));
    COLUMN(d, 0, int32_t, 0, 0, 0, 1, 2);
    COLUMN(d, 1, uint8_t, 1, 2);
    xy_decoder_destroy(d);
}

static const uint8_t TEXT[] = {1, 'a', 0, 3, 'b', 'c', 'd', 2, 'e', 'f'};
static const uint32_t TEXT_AT[] = {0, 2, 3, 7};

/* Strings, whose length stands before them, with and without a table of offsets. */
static void strings(void) {
    for (int table = 0; table < 2; table++) {
        const content c = {4, 10, table ? 4 : 0, TEXT, table ? TEXT_AT : NULL};
        xy_decoder *d = make(&STRINGS, NULL);
        CHECK(!decode(d, &c, SPANS({0, -1}), NO_COUNTS));
        COLUMN(d, 0, int32_t, 0, 1, 1, 4, 6);
        COLUMN(d, 1, char, 'a', 'b', 'c', 'd', 'e', 'f');
        CHECK(!decode(d, &c, SPANS({0, 1}, {2, 3}), NO_COUNTS));
        COLUMN(d, 0, int32_t, 0, 1, 1, 4, 6, 7, 10);
        COLUMN(d, 1, char, 'a', 'b', 'c', 'd', 'e', 'f', 'a', 'b', 'c', 'd');
        CHECK(d->rows == 6);
        xy_decoder_reset(d);
        CHECK(!decode(d, &c, SPANS({1, 2}, {3, 4}), NO_COUNTS));
        COLUMN(d, 0, int32_t, 0, 0, 2);
        COLUMN(d, 1, char, 'e', 'f');
        CHECK(!decode(d, &c, SPANS({2, 3}), NO_COUNTS));
        COLUMN(d, 0, int32_t, 0, 0, 2, 5);
        CHECK(!decode(d, &c, SPANS({0, 2}, {2, 3}), NO_COUNTS));
        COLUMN(d, 0, int32_t, 0, 0, 2, 5, 6, 6, 9);
        COLUMN(d, 1, char, 'e', 'f', 'b', 'c', 'd', 'a', 'b', 'c', 'd');
        CHECK(d->rows == 6);
        /* Three bytes are left over, or one is missing; what was decoded before it goes away again.
         */
        content wrong = c;
        wrong.entries = 3;
        wrong.offset_count = table ? 3 : 0;
        bytes three = basket_of(&wrong);
        xy_error err = {0};
        CHECK(xy_decoder_basket(d, &err, three.data, three.len, 0, -1, NULL, 0) == XY_E_CORRUPT);
        CHECK(err.offset == HEAD + 7 && strstr(err.message, "3 bytes are left over"), "%s",
              err.message);
        free(three.data);
        wrong = c;
        wrong.size = 9;
        CHECK(decode(d, &wrong, SPANS({0, -1}), NO_COUNTS) == XY_E_CORRUPT);
        COLUMN(d, 0, int32_t, 0, 0, 2, 5, 6, 6, 9);
        COLUMN(d, 1, char, 'e', 'f', 'b', 'c', 'd', 'a', 'b', 'c', 'd');
        CHECK(d->rows == 6 && !decode(d, &wrong, SPANS({0, 2}), NO_COUNTS));
        xy_decoder_destroy(d);
    }
    xy_decoder *d = make(&STRINGS, NULL);
    static const uint32_t wrong[][4] = {{0, 3, 3, 7}, {0, 2, 1, 7}, {0, 2, 3, 11}, {11, 2, 3, 7}};
    for (size_t i = 0; i < 4; i++) {
        const content c = {4, 10, 4, TEXT, wrong[i]};
        CHECK(decode(d, &c, SPANS({0, -1}), NO_COUNTS) == XY_E_CORRUPT, "case %zu", i);
    }
    CHECK(d->rows == 0 && d->run.columns.buffers[1].len == 0);
    xy_decoder_destroy(d);
}

/* Arrays that another branch counts: 2, 0, 3 and 1 numbers. `led` ones have a byte before them. */
static void counted_lists(bool led, bool table) {
    static const int32_t counts_of[] = {2, 0, 3, 1};
    const counts all = {counts_of, 4}, three = {counts_of, 3};
    static const uint8_t led_data[] = {9, 0, 1, 0, 2, 9, 9, 0, 3, 0, 4, 0, 5, 9, 0, 6};
    static const uint8_t data[] = {0, 1, 0, 2, 0, 3, 0, 4, 0, 5, 0, 6};
    static const uint32_t led_at[] = {0, 5, 6, 13}, at[] = {0, 4, 4, 10};
    content c = {4, led ? 16 : 12, table ? 4 : 0, led ? led_data : data, NULL};
    if (table) c.offsets = led ? led_at : at;
    xy_decoder *d = make(led ? &LED : &COUNTED, NULL);
    CHECK(!decode(d, &c, SPANS({0, -1}), all));
    COLUMN(d, 0, int32_t, 0, 2, 2, 5, 6);
    COLUMN(d, 1, uint16_t, 1, 2, 3, 4, 5, 6);
    CHECK(!decode(d, &c, SPANS({0, 1}, {2, 3}), three));
    COLUMN(d, 0, int32_t, 0, 2, 2, 5, 6, 8, 11);
    COLUMN(d, 1, uint16_t, 1, 2, 3, 4, 5, 6, 1, 2, 3, 4, 5);
    CHECK(!decode(d, &c, SPANS({1, 2}, {3, 4}), all));
    COLUMN(d, 0, int32_t, 0, 2, 2, 5, 6, 8, 11, 11, 12);
    CHECK(d->rows == 8);
    xy_decoder_reset(d);
    CHECK(!decode(d, &c, SPANS({2, 4}), all));
    COLUMN(d, 0, int32_t, 0, 3, 4);
    COLUMN(d, 1, uint16_t, 3, 4, 5, 6);
    xy_status without = decode(d, &c, SPANS({2, 3}), NO_COUNTS);
    CHECK(without == (table ? XY_OK : XY_E_UNSUPPORTED));
    if (table) COLUMN(d, 0, int32_t, 0, 3, 4, 7);
    if (!table || led) CHECK(decode(d, &c, SPANS({0, 4}), three) == XY_E_CORRUPT);
    if (!table) {
        static const int32_t fewer[] = {2, 0, 2, 1}, more[] = {2, 0, 3, 2};
        CHECK(decode(d, &c, SPANS({0, 4}), (counts){fewer, 4}) == XY_E_CORRUPT,
              "bytes are left over");
        CHECK(decode(d, &c, SPANS({0, 4}), (counts){more, 4}) != XY_OK);
        CHECK(!decode(d, &c, SPANS({0, 2}), (counts){fewer, 4}), "only at the end is that known");
    }
    xy_decoder_destroy(d);
}

/* The head of a basket: a byte more where it has I/O features; entries and an end that can be. */
static void heads(void) {
    xy_decoder *d = make(&NUMBERS, NULL);
    const content two = {2, 8, 0, NULL, NULL};
    bytes b = basket_of(&two);
    memset(b.data + KEY + 6, 0xff, 4);
    memmove(b.data + KEY + 11, b.data + KEY + 10, 8);
    b.data[KEY + 10] = 1;
    xy_error err = {0};
    CHECK(!xy_decoder_basket(d, &err, b.data, b.len, 0, -1, NULL, 0), "%s", err.message);
    COLUMN(d, 0, int32_t, I32(0), I32(1));
    free(b.data);
    static const struct {
        size_t at;
        uint32_t value;
    } wrong[] = {{10, 0xffffffff}, {14, HEAD - 1}, {14, HEAD + 9}, {14, 0x80000000}, {14, 0}};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        b = basket_of(&two);
        uint32_t value = __builtin_bswap32(wrong[i].value);
        memcpy(b.data + KEY + wrong[i].at, &value, 4);
        err = (xy_error){0};
        CHECK(xy_decoder_basket(d, &err, b.data, b.len, 0, -1, NULL, 0) == XY_E_CORRUPT, "case %zu",
              i);
        CHECK(strstr(err.message, "no basket"), "%s", err.message);
        free(b.data);
    }
    const content none = {0, 0, 0, NULL, NULL};
    CHECK(!decode(d, &none, SPANS({0, -1}), NO_COUNTS) && d->rows == 2);
    xy_decoder_destroy(d);
}

/* A plan comes back as it was written: nodes, classes and texts. */
static void plan_and_back(void) {
    xy_program p;
    xy_program_init(&p);
    p.root = xy_node_new(&p, XY_OP_TSTRING);
    xy_assign_columns(&p);
    static const char *const names[] = {"TNamed", "TObject"};
    for (int i = 0; i < 2; i++)
        CHECK(xy_program_add_class(&p, names[i], strlen(names[i])) == i);
    xy_buffer plan = {0};
    xy_plan_write(&p, &plan);
    xy_error err = {0};
    xy_decoder *d = xy_decoder_new(&err, plan.data, plan.len, NULL);
    CHECK(d, "%s", err.message);
    const xy_program *q = &d->program;
    CHECK(q->count == p.count && q->root == p.root && q->column_count == p.column_count);
    CHECK(q->nodes[0].op == XY_OP_TSTRING && q->class_count == 2 && q->pool.len == p.pool.len);
    CHECK(memcmp(q->pool.data, p.pool.data, p.pool.len) == 0);
    for (int i = 0; i < 2; i++) {
        CHECK(strcmp(xy_program_text(q, q->classes[i].name), names[i]) == 0);
        CHECK(xy_program_class_index(q, names[i], strlen(names[i])) == i);
    }
    xy_decoder_destroy(d);
    xy_program_free(&p);
    xy_buffer_free(&plan);
}

/* Plans that were cut, that name a root or a number of nodes that they do not have. */
static void plans(void) {
    xy_buffer plan = plan_of(&LISTS);
    for (size_t n = 0; n < plan.len; n++) {
        bytes cut = copy_of(plan.data, n);
        xy_error err = {0};
        CHECK(!xy_decoder_new(&err, cut.data, cut.len, NULL) && err.status == XY_E_ARGUMENT);
        free(cut.data);
    }
    static const struct {
        size_t at;
        int32_t value;
    } wrong[] = {{4, -1},  {4, 1},  {4, 3},  {8, -1},  {8, 1},
                 {12, -1}, {12, 9}, {16, 2}, {16, -1}, {20, -1}};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        bytes copy = copy_of(plan.data, plan.len);
        memcpy(copy.data + wrong[i].at, &wrong[i].value, 4);
        xy_error err = {0};
        CHECK(!xy_decoder_new(&err, copy.data, copy.len, NULL), "case %zu", i);
        CHECK(err.status == XY_E_ARGUMENT);
        free(copy.data);
    }
    plan.data[3]++;
    xy_error err = {0};
    CHECK(!xy_decoder_new(&err, plan.data, plan.len, NULL) && err.status == XY_E_ARGUMENT);
    xy_buffer_free(&plan);
}

/* How many spare buffers are left when a decoder has taken its own. */
static int make_and_count(const form *f, xy_scratch *scratch) {
    xy_decoder *d = make(f, scratch);
    int left = scratch->spare_count;
    xy_decoder_destroy(d);
    return left;
}

/* Buffers of a decoder that is gone serve the next one, unless they are large or many. */
static void shared_buffers(void) {
    xy_scratch scratch = {0};
    enum { LARGE = 1 << 20 };
    xy_decoder *d = make(&LISTS, &scratch);
    CHECK(!decode(d, &FOUR, SPANS({0, -1}), NO_COUNTS));
    const uint8_t *first = d->run.columns.buffers[0].data, *second = d->run.columns.buffers[1].data;
    xy_decoder_destroy(d);
    CHECK(scratch.spare_count == 2);
    d = make(&LISTS, &scratch);
    CHECK(scratch.spare_count == 0);
    CHECK(d->run.columns.buffers[0].data == second && d->run.columns.buffers[1].data == first);
    CHECK(!decode(d, &FOUR, SPANS({0, -1}), NO_COUNTS));
    COLUMN(d, 0, int32_t, 0, 2, 2, 5, 6);
    CHECK(xy_extend(&d->run.columns.buffers[1], LARGE));
    xy_decoder_destroy(d);
    CHECK(scratch.spare_count == 1);
    xy_decoder *many[XY_SPARES];
    for (int i = 0; i < XY_SPARES; i++) {
        many[i] = make(&LISTS, &scratch);
        CHECK(!decode(many[i], &FOUR, SPANS({0, -1}), NO_COUNTS));
    }
    for (int i = 0; i < XY_SPARES; i++)
        xy_decoder_destroy(many[i]);
    CHECK(scratch.spare_count == XY_SPARES);
    CHECK(make_and_count(&LISTS, &scratch) == XY_SPARES - 2);
    xy_scratch_free(&scratch);
}

int main(void) {
    fixed_entries();
    lists();
    tables_of_offsets();
    even_entries();
    strings();
    for (int i = 0; i < 4; i++)
        counted_lists(i & 1, i & 2);
    heads();
    plan_and_back();
    plans();
    shared_buffers();
    return 0;
}
