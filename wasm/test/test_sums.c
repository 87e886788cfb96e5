/* Sums of objects of several files: histograms are added on their tapes, other objects are left to
 * the host, and what is not alone any more is written anew. */
#include "support/check.h"
#include "support/fixture.h"

#include "../src/abi/ctx.h"
#include "../src/write/add_bins.h"
#include "../src/write/records.h"
#include "xylem-write.h"

#include <math.h>
#include <string.h>

enum { NUMBERS = XW_SUM_NUMBERS };

static bytes result_of(const xy_ctx *ctx) {
    return copy_of(xy_ctx_result(ctx), xy_ctx_result_size(ctx));
}

typedef struct {
    xy_ctx *ctx;
    xy_file *file;
    xw_sums *sums;
    bytes record;
} one_sum;

static one_sum open_sum(const char *fixture, const char *class_name, const char *name) {
    bytes all = read_fixture(fixture), streamers = streamer_record(&all);
    one_sum t = {xy_ctx_create(), xy_file_create(64000), xw_sums_create(),
                 find_record(&all, class_name, name)};
    CHECK(xw_sums_allow(t.sums, 1e9) == 1e9);
    CHECK(!xy_streamers(t.ctx, t.file, streamers.data, streamers.len), "%s", message(t.ctx));
    free(streamers.data);
    free(all.data);
    return t;
}

static void close_sum(one_sum *t) {
    xw_sums_destroy(t->sums);
    xy_file_destroy(t->file);
    xy_ctx_destroy(t->ctx);
    free(t->record.data);
}

/* Adds the record; the byte that says whether the host has to add it. */
static int add(one_sum *t, uint32_t sum) {
    const uint32_t list[] = {(uint32_t)t->record.len, sum};
    CHECK(!xw_sums_add(t->ctx, t->sums, t->file, t->record.data, t->record.len, list, 1), "%s",
          message(t->ctx));
    CHECK(xy_ctx_result_size(t->ctx) == 1);
    return *(const uint8_t *)xy_ctx_result(t->ctx);
}

static double entries_of(one_sum *t, uint32_t sum) {
    CHECK(!xw_sums_object(t->ctx, t->sums, sum), "%s", message(t->ctx));
    bytes tape = result_of(t->ctx);
    xy_tape_view view = {tape.data, tape.len};
    double entries = xy_tape_member_double(&view, 0, "fEntries", -1);
    free(tape.data);
    return entries;
}

/* The record of a sum behind `seek`; its length is 0 when the host has to write it. */
static bytes write(one_sum *t, uint32_t sum, double seek, double pid) {
    xw_packer *packer = xw_packer_create();
    double numbers[NUMBERS] = {sum, (double)t->record.len, 3, 100, pid, 0};
    CHECK(
        !xw_sums_write(t->ctx, t->sums, packer, 1, 1, seek, 7, 1 << 20, t->record.data, numbers, 1),
        "%s", message(t->ctx));
    CHECK((size_t)numbers[XW_SUM_BYTES] == xy_ctx_result_size(t->ctx));
    xw_packer_destroy(packer);
    return result_of(t->ctx);
}

static void three_of(const char *fixture, const char *class_name, const char *name) {
    one_sum t = open_sum(fixture, class_name, name);
    CHECK(add(&t, 0) == 0);
    double once = entries_of(&t, 0);
    CHECK(once > 0 && add(&t, 0) == 0 && add(&t, 0) == 0, "%s", name);
    CHECK(xw_sums_added(t.sums, 0) == 2);
    CHECK(entries_of(&t, 0) == 3 * once);
    for (uint32_t wide = 0; wide < 2; wide++) {
        CHECK(!wide || add(&t, wide) + add(&t, wide) == 0);
        bytes made = write(&t, wide, wide ? 3e9 : 1000, 0);
        double key[XW_KEY_NUMBERS];
        CHECK(made.len > 0 && !xw_key_read(made.data, made.len, key));
        CHECK(key[XW_KEY_NBYTES] == (double)made.len && key[XW_KEY_CYCLE] == 3);
        CHECK(key[XW_KEY_SEEK] == (wide ? 3e9 : 1000) && key[XW_KEY_WIDE] == wide);
        CHECK(!xw_object(t.ctx, t.file, made.data, made.len), "%s", message(t.ctx));
        free(made.data);
    }
    /* What was written is gone. */
    CHECK(xw_sums_object(t.ctx, t.sums, 0) == XY_E_ARGUMENT);
    CHECK(add(&t, 0) == 1);
    close_sum(&t);
}

/* An object that is alone is written as it is stored, also one whose class does not add. */
static void alone(const char *fixture, const char *class_name, const char *name) {
    one_sum t = open_sum(fixture, class_name, name);
    CHECK(add(&t, 0) == 0);
    bytes made = write(&t, 0, 1000, 5);
    double key[XW_KEY_NUMBERS], old[XW_KEY_NUMBERS];
    CHECK(made.len > 0 && !xw_key_read(made.data, made.len, key));
    CHECK(!xw_key_read(t.record.data, t.record.len, old));
    size_t content = t.record.len - (size_t)old[XW_KEY_KEYLEN];
    CHECK(made.len - (size_t)key[XW_KEY_KEYLEN] == content &&
          memcmp(made.data + made.len - content, t.record.data + t.record.len - content, content) ==
              0);
    CHECK(key[XW_KEY_PID] == 0);
    free(made.data);
    CHECK(add(&t, 1) == 0);
    made = write(&t, 1, 3e9, 0);
    CHECK(made.len > 0 && !xw_object(t.ctx, t.file, made.data, made.len), "%s", message(t.ctx));
    free(made.data);
    if (strncmp(class_name, "TH", 2) != 0 && strncmp(class_name, "TPr", 3) != 0)
        CHECK(add(&t, 2) == 0 && add(&t, 2) == 1);
    close_sum(&t);
}

/* The host keeps its own sum here, which is neither added nor written. Nothing is unpacked when
 * that is not allowed. */
static void kept(void) {
    one_sum t = open_sum("histograms", "TH1F", NULL);
    CHECK(add(&t, 0) == 0 && add(&t, 0) == 0);
    CHECK(!xw_sums_object(t.ctx, t.sums, 0));
    bytes tape = result_of(t.ctx);
    CHECK(!xw_sums_keep(t.ctx, t.sums, 0, tape.data, tape.len), "%s", message(t.ctx));
    xw_sums_drop(t.sums, 0);
    CHECK(!xw_sums_keep(t.ctx, t.sums, 0, tape.data, tape.len), "%s", message(t.ctx));
    CHECK(!xw_sums_object(t.ctx, t.sums, 0));
    bytes again = result_of(t.ctx);
    CHECK(again.len == tape.len && memcmp(again.data, tape.data, tape.len) == 0);
    CHECK(add(&t, 0) == 1);
    bytes none = write(&t, 0, 1000, 0);
    CHECK(none.len == 0);
    CHECK(xw_sums_keep(t.ctx, t.sums, 9, tape.data, tape.len) == XY_E_ARGUMENT);
    CHECK(add(&t, 1) == 0 && add(&t, 1) == 0);
    CHECK(xw_sums_allow(t.sums, -2e9) < 0 && add(&t, 1) == 1);
    CHECK(xw_sums_allow(t.sums, 3e9) > 0 && add(&t, 1) == 0);
    free(tape.data);
    free(again.data);
    free(none.data);
    close_sum(&t);
}

/* Lengths that lie, numbers of no sums, and records that are cut off. */
static void lies(void) {
    one_sum t = open_sum("histograms", "TH1F", NULL);
    const uint32_t list[] = {(uint32_t)t.record.len + 1, 0}, far[] = {(uint32_t)t.record.len, 7};
    CHECK(xw_sums_add(t.ctx, t.sums, t.file, t.record.data, t.record.len, list, 1) ==
          XY_E_ARGUMENT);
    CHECK(!xw_sums_add(t.ctx, t.sums, t.file, t.record.data, t.record.len, far, 1));
    CHECK(*(const uint8_t *)xy_ctx_result(t.ctx) == 1);
    CHECK(add(&t, 0) == 0 && add(&t, 0) == 0);
    for (size_t n = 0; n < t.record.len; n += 7) {
        bytes cut = copy_of(t.record.data, n);
        const uint32_t own[] = {(uint32_t)n, 0, (uint32_t)0, 1};
        CHECK(!xw_sums_add(t.ctx, t.sums, t.file, cut.data, n, own, 1));
        CHECK(*(const uint8_t *)xy_ctx_result(t.ctx) == 1);
        free(cut.data);
    }
    CHECK(xw_sums_object(t.ctx, t.sums, 9) == XY_E_ARGUMENT);
    CHECK(xw_sums_added(t.sums, 9) == 0 && xw_sums_pid(t.sums, 9) == 0);
    xw_sums_drop(t.sums, 9);
    bytes none = write(&t, 9, 1000, 0);
    CHECK(none.len == 0);
    free(none.data);
    close_sum(&t);
    xw_sums_destroy(NULL);
}

/* Every byte of an uncompressed histogram is changed: what is added has the bins of the first. */
static void mutated(void) {
    one_sum t = open_sum("histograms", "TH1F", NULL);
    bytes plain = plain_record(&t.record);
    free(t.record.data);
    t.record = plain;
    CHECK(add(&t, 0) == 0 && add(&t, 0) == 0);
    for (size_t i = 26; i < plain.len; i++) {
        uint8_t old = plain.data[i];
        plain.data[i] = (uint8_t)(old + 1 + i % 254);
        add(&t, 0);
        plain.data[i] = old;
    }
    CHECK(isnan(entries_of(&t, 0)) || entries_of(&t, 0) != 0);
    close_sum(&t);
}

int main(void) {
    three_of("histograms", "TH1F", NULL);
    three_of("histograms", "TH2D", NULL);
    three_of("histograms", "TProfile", NULL);
    alone("histograms", "TH1F", NULL);
    alone("histograms", "TProfile", NULL);
    alone("cycles", "TNamed", NULL);
    kept();
    lies();
    mutated();
    return 0;
}
