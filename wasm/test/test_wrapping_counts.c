/* Counts of a file whose products with a size are a multiple of 2^32, where size_t has 32 bits:
 * each is refused with a typed failure, and nothing is written behind a buffer (ASan). Most of them
 * are harmless in 64 bits, so `make native-test-32` is what judges them. */
#include "../src/compute/expr.h"
#include "../src/ntuple/entry_offsets.h"
#include "../src/ntuple/pages.h"
#include "../src/ntuple/pieces.h"
#include "support/check.h"
#include "support/fixture.h"

#include <string.h>

static const uint32_t COUNTS[] = {0x10000000, 0x20000000, 0x3fffffff, 0x40000000,
                                  0x40000001, 0x7ffffffe, 0x7fffffff, 0x80000000};
enum { COUNT_OF_COUNTS = sizeof COUNTS / sizeof *COUNTS };

/* A failure that is told, and no row of it stays. */
static void refused(xy_decoder *d, const uint8_t *src, size_t len, int64_t from, int64_t to) {
    xy_error err = {0};
    xy_status s = xy_decoder_basket(d, &err, src, len, from, to, NULL, 0);
    CHECK(s == XY_E_CORRUPT || s == XY_E_TRUNCATED || s == XY_E_BUDGET || s == XY_E_MEMORY,
          "status %d of entries %lld to %lld", (int)s, (long long)from, (long long)to);
    CHECK((xy_status)err.status == s && strlen(err.message) > 10, "'%s'", err.message);
    CHECK(d->rows == 0);
}

/* The bytes of a file at the place of a basket, which begin with zeros: once those of a basket of
 * the core's own, with the number of entries and of their offsets behind them. */
static void heads_of_zeros(void) {
    enum { WORDS = 4096 };
    xy_decoder *d = decoder_of_lists(XY_W_32, XY_I32, 4, 0);
    for (size_t i = 0; i < COUNT_OF_COUNTS; i++) {
        uint32_t *words = calloc(WORDS, 4);
        uint32_t offsets = COUNTS[i], held = (uint32_t)(offsets * 4u);
        words[2] = words[4] = COUNTS[i];
        words[3] = (WORDS - 5) * 4 - held;
        for (uint32_t k = 5; k < WORDS; k++)
            words[k] = 4 * (k - 5);
        bytes record = copy_of((const uint8_t *)words, (size_t)WORDS * 4);
        refused(d, record.data, record.len, 0, COUNTS[i] & 0x7fffffff);
        refused(d, record.data, record.len, 0, -1);
        refused(d, record.data, record.len, (COUNTS[i] & 0x7fffffff) - 2, COUNTS[i] & 0x7fffffff);
        free(record.data);
        free(words);
    }
    xy_decoder_destroy(d);
}

static void entries_in_no_bytes(void) {
    xy_decoder *even = decoder_of_lists(XY_W_U8, XY_U8, 1, XY_F_EVEN);
    xy_decoder *plain = decoder_of_lists(XY_W_32, XY_I32, 4, 0);
    for (size_t i = 0; i < COUNT_OF_COUNTS; i++) {
        const uint32_t offsets[3] = {0, 0, 0};
        bytes empty = stored_basket(COUNTS[i], 0, NULL, 0);
        bytes some = stored_basket(COUNTS[i], 8, NULL, 0);
        bytes few = stored_basket(COUNTS[i], 0, offsets, 3);
        int64_t all = COUNTS[i];
        for (int k = 0; k < 2; k++) {
            xy_decoder *d = k ? plain : even;
            xy_error err = {0};
            CHECK(xy_decoder_basket(d, &err, some.data, some.len, 0, -1, NULL, 0), "8 bytes");
            CHECK(d->rows == 0);
            xy_error other = {0};
            CHECK(xy_decoder_basket(d, &other, empty.data, empty.len, 0, -1, NULL, 0), "no bytes");
            CHECK(d->rows == 0 && other.status != XY_OK && strlen(other.message) > 10);
        }
        refused(even, empty.data, empty.len, 0, all);
        refused(even, few.data, few.len, 0, all);
        free(empty.data);
        free(some.data);
        free(few.data);
    }
    /* As many as there may be without bytes. */
    bytes fits = stored_basket(1000, 0, NULL, 0);
    xy_error err = {0};
    CHECK(!xy_decoder_basket(even, &err, fits.data, fits.len, 0, -1, NULL, 0), "%s", err.message);
    CHECK(even->rows == 1000);
    free(fits.data);
    xy_decoder_destroy(even);
    xy_decoder_destroy(plain);
}

/* A list of arrays of objects without members: as many loops as there are objects, for no byte. */
static void arrays_of_nothing(void) {
    const int32_t sizes[][2] = {
        {4, 1 << 30}, {1 << 16, 1 << 16}, {1 << 19, 1 << 13}, {1 << 18, 64}};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
        for (int members = 0; members < 2; members++) {
            xy_program p;
            xy_program_init(&p);
            int32_t list = xy_node_new(&p, XY_OP_LIST), array = xy_node_new(&p, XY_OP_FIXED);
            int32_t none = xy_node_new(&p, XY_OP_STRUCT), within = xy_node_new(&p, XY_OP_STRUCT);
            p.nodes[list].first = array;
            p.nodes[array].size = sizes[i][1];
            p.nodes[array].first = none;
            if (members) p.nodes[none].first = within;
            p.root = list;
            xy_assign_columns(&p);
            xy_buffer plan = {0};
            xy_plan_write(&p, &plan);
            xy_error err = {0};
            xy_decoder *d = xy_decoder_new(&err, plan.data, plan.len, NULL);
            bytes record = stored_basket(1, 4, NULL, 0);
            uint32_t count = __builtin_bswap32((uint32_t)sizes[i][0]);
            memcpy(record.data + record.len - 4, &count, 4);
            CHECK(xy_decoder_basket(d, &err, record.data, record.len, 0, -1, NULL, 0), "%d x %d",
                  (int)sizes[i][0], (int)sizes[i][1]);
            CHECK(err.status == XY_E_BUDGET || err.status == XY_E_CORRUPT, "%s", err.message);
            free(record.data);
            xy_decoder_destroy(d);
            xy_buffer_free(&plan);
            xy_program_free(&p);
        }
}

/* The numbers of entries, which a query with two spans keeps: 8 bytes each. */
static void numbers_of_entries(void) {
    struct {
        char magic[4];
        int32_t head[12];
        xy_space_ref space;
        xy_instruction code;
        xy_output output;
    } program = {.magic = {'X', 'Y', 'Q', '1'},
                 .head = {0, 0, 1, 1, 1, 0, 0, 0, 1, 0, -1, 0},
                 .code = {.op = XY_X_ENTRY}};
    xy_ctx *ctx = xy_ctx_create();
    xy_query *q = xy_query_create(ctx, (const uint8_t *)&program, sizeof program);
    CHECK(q, "%s", message(ctx));
    for (size_t i = 0; i < COUNT_OF_COUNTS; i++) {
        const double spans[4] = {0, 1, 2, 2 + (double)COUNTS[i]};
        int32_t status = xy_query_start(ctx, q, spans, 2);
        CHECK(status == XY_E_BUDGET || status == XY_E_MEMORY, "%u entries: %d", COUNTS[i],
              (int)status);
        CHECK(told(ctx, status));
    }
    const double few[4] = {0, 1, 5, 7};
    CHECK(!xy_query_start(ctx, q, few, 2), "%s", message(ctx));
    xy_query_destroy(q);
    xy_ctx_destroy(ctx);
}

/* Arrays of arrays of arrays of an RNTuple below a collection: the elements of each are a product
 * that wraps around 2^64 to 0, by which is divided. */
static void factors_of_arrays(void) {
    enum { LIST, FIRST, SECOND, THIRD, LEAF, FIELDS };
    const xy_str number = {"float", 5}, list = {"std::vector<x>", 14},
                 array = {"std::array<x>", 13};
    const uint64_t sizes[][3] = {{1 << 20, 1 << 20, 1 << 24},
                                 {1 << 30, 1 << 10, 1 << 24},
                                 {1 << 20, 1 << 20, 1 << 30},
                                 {1 << 30, 1 << 30, 16}};
    for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++)
        for (int below = 0; below < 2; below++) {
            xy_nt_field fields[FIELDS] = {0};
            for (int i = 0; i < FIELDS; i++) {
                xy_nt_field *f = &fields[i];
                bool is_list = i == LIST && below;
                f->name = (xy_str){"x", 1};
                f->type = is_list ? list : i == LIST ? (xy_str){"", 0} : i == LEAF ? number : array;
                f->role = is_list ? XY_NT_COLLECTION : i == LIST ? XY_NT_RECORD : XY_NT_LEAF;
                f->flags = i > LIST && i < LEAF ? XY_NT_REPETITIVE : 0;
                f->array_size = i > LIST && i < LEAF ? sizes[k][i - 1] : 0;
                f->parent = i - 1;
                f->first_child = f->last_child = i == LEAF ? -1 : i + 1;
                f->next = -1;
                f->position = f->depth = i;
            }
            xy_nt_column columns[2] = {{.type = XY_COL_INDEX64, .bits = 64, .field = LIST},
                                       {.type = 0x0c, .bits = 32, .field = LEAF}};
            int32_t attached[2] = {0, 1}, order[FIELDS] = {0, 1, 2, 3, 4};
            if (below) fields[LIST].column_count = 1;
            fields[LEAF].first_column = 1;
            fields[LEAF].column_count = 1;
            xy_nt_page pages[2] = {{.elements = 2, .size = 16}, {.elements = 4, .size = 16}};
            xy_nt_range ranges[2] = {{.elements = 2, .page_count = 1},
                                     {.elements = 4, .first_page = 1, .page_count = 1}};
            xy_nt_cluster cluster = {.entries = 2, .range_count = 2};
            xy_nt_group group = {.entries = 2, .clusters = 1, .read = true};
            xy_ntuple nt = {.file = xy_file_create(64000),
                            .fields = fields,
                            .field_count = FIELDS,
                            .columns = columns,
                            .column_count = 2,
                            .attached = attached,
                            .order = order,
                            .entries = 2,
                            .groups = &group,
                            .group_count = 1,
                            .groups_read = 1,
                            .clusters = &cluster,
                            .cluster_count = 1,
                            .ranges = ranges,
                            .range_count = 2,
                            .pages = pages,
                            .page_count = 2};
            xy_program p;
            xy_program_init(&p);
            xy_compiler c = {.classes = nt.file->classes, .program = &p, .columnar = true};
            xy_nt_needs needs = {0};
            CHECK(xy_nt_plan(&c, &nt, LIST, &needs));
            const char *why = xy_program_error(&p, p.root);
            CHECK(why && strstr(why, "impossible size"), "%s", why ? why : "it is compiled");
            xy_error err = {0};
            xy_nt_pieces pieces = {0};
            const double span[2] = {0, 1};
            xy_nt_list_pieces(&nt, &err, &needs, span, 1, &pieces);
            xy_nt_pieces_free(&pieces);
            free(needs.list);
            xy_program_free(&p);
            xy_file_destroy(nt.file);
            free(nt.known_offsets);
        }
}

int main(void) {
    heads_of_zeros();
    entries_in_no_bytes();
    numbers_of_entries();
    factors_of_arrays();
    arrays_of_nothing();
    return 0;
}
