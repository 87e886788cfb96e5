/* Histograms that are added on their bytes: with every byte of one changed, the sum is that of the
 * tapes, and no byte outside of an object is read. */
#include "support/check.h"
#include "support/fixture.h"

#include "../src/write/shape.h"
#include "xylem-write.h"

#include <string.h>

typedef struct {
    xy_ctx *ctx;
    xy_file *file;
    xy_key key;
    bytes record, object;
    xw_shape *shape;
} first_one;

/* Reads an object by its tape; false if it is not a histogram that is added. */
static bool read_tape(const first_one *f, const bytes *object, xy_buffer *tape, xy_bins *bins) {
    xy_error err = {0};
    tape->len = 0;
    if (xy_read_exact_object(f->file, &err, f->key.class_name, object->data, object->len, 64, tape))
        return false;
    xy_tape_view view = {tape->data, tape->len};
    return xy_find_bins(&view, bins);
}

static bytes write_tape(const first_one *f, const xy_buffer *tape) {
    xy_error err = {0};
    xy_buffer out = {0};
    int32_t node = -1;
    xy_tape_view view = {tape->data, tape->len};
    CHECK(!xy_file_node(f->file, &err, false, f->key.class_name, &node));
    CHECK(!xy_write_object(&err, &f->file->objects, node, &view, 64, &out));
    bytes made = copy_of(out.data, out.len);
    xy_buffer_free(&out);
    return made;
}

static first_one open_first(const char *fixture, const char *class_name, const char *name) {
    bytes all = read_fixture(fixture), streamers = streamer_record(&all);
    first_one f = {.ctx = xy_ctx_create(),
                   .file = xy_file_create(64000),
                   .record = find_record(&all, class_name, name)};
    CHECK(!xy_streamers(f.ctx, f.file, streamers.data, streamers.len), "%s", message(f.ctx));
    xy_error err = {0};
    CHECK(!xy_file_unpack(f.file, &err, f.record.data, f.record.len, &f.key));
    f.object = copy_of(f.file->scratch.data, f.file->scratch.len);
    xy_buffer tape = {0};
    xy_bins bins;
    CHECK(read_tape(&f, &f.object, &tape, &bins));
    xy_tape_view view = {tape.data, tape.len};
    f.shape = xw_shape_of(f.file, f.key.class_name, f.object.data, f.object.len, &view, &bins);
    xy_buffer_free(&tape);
    free(streamers.data);
    free(all.data);
    return f;
}

static void close_first(first_one *f) {
    xw_shape_free(f->shape);
    xy_file_destroy(f->file);
    xy_ctx_destroy(f->ctx);
    free(f->record.data);
    free(f->object.data);
}

/* Adds an object to another by both ways. Returns whether its bytes were added. */
static bool same_sum(const first_one *f, const bytes *into, const bytes *other, bool summed) {
    bytes sum = copy_of(into->data, into->len);
    bool added = xw_shape_add(f->shape, sum.data, sum.len, summed, other->data, other->len);
    xy_buffer own = {0}, more = {0};
    xy_bins own_bins, more_bins;
    if (added) {
        CHECK(read_tape(f, into, &own, &own_bins) && read_tape(f, other, &more, &more_bins));
        xy_tape_view view = {more.data, more.len};
        CHECK(xy_add_bins(own.data, &own_bins, summed, &view, &more_bins));
        bytes made = write_tape(f, &own);
        CHECK(made.len == sum.len && memcmp(made.data, sum.data, sum.len) == 0);
        free(made.data);
    } else {
        CHECK(memcmp(sum.data, into->data, into->len) == 0);
    }
    xy_buffer_free(&own);
    xy_buffer_free(&more);
    free(sum.data);
    return added;
}

static void changed(const char *fixture, const char *class_name, const char *name) {
    first_one f = open_first(fixture, class_name, name);
    CHECK(f.shape, "%s %s", class_name, name);
    CHECK(same_sum(&f, &f.object, &f.object, true));
    static const uint8_t changes[] = {0x01, 0x80, 0xff};
    size_t fitting = 0, added = 0;
    for (size_t i = 0; i < f.object.len; i++)
        for (size_t c = 0; c < sizeof changes; c++) {
            bytes one = copy_of(f.object.data, f.object.len);
            one.data[i] ^= changes[c];
            bool fits = xw_shape_fits(f.shape, one.data, one.len);
            fitting += fits;
            added += same_sum(&f, &f.object, &one, true);
            if (fits) same_sum(&f, &one, &f.object, false);
            free(one.data);
        }
    CHECK(fitting > 100 && added > 100 && fitting < 3 * f.object.len);
    for (size_t n = 0; n < f.object.len; n++) {
        bytes cut = copy_of(f.object.data, n);
        CHECK(!xw_shape_fits(f.shape, cut.data, n));
        CHECK(!same_sum(&f, &f.object, &cut, true));
        free(cut.data);
    }
    close_first(&f);
}

/* A title of another length, also of one that has its length in four more bytes. */
static void titles(void) {
    first_one f = open_first("histograms", "TH1F", NULL);
    xy_buffer tape = {0};
    xy_bins bins;
    CHECK(f.shape && read_tape(&f, &f.object, &tape, &bins));
    xy_tape_view view = {tape.data, tape.len};
    size_t title = xy_tape_member(&view, 0, "fTitle");
    size_t behind = xy_tape_skip(&view, title);
    for (uint32_t n = 0; n <= 600; n += n == 254 ? 1 : 127) {
        xy_buffer other = {0};
        uint32_t size = (uint32_t)(tape.len - 9 - (behind - title) + n + 5);
        xy_append(&other, tape.data, title);
        memcpy(other.data + 1, &size, 4);
        xy_append_u8(&other, XY_TAPE_STRING);
        xy_append_u32(&other, n);
        for (uint32_t i = 0; i < n; i++)
            xy_append_u8(&other, 't');
        xy_append(&other, tape.data + behind, tape.len - behind);
        bytes made = write_tape(&f, &other);
        CHECK(xw_shape_fits(f.shape, made.data, made.len), "%u", (unsigned)n);
        CHECK(same_sum(&f, &f.object, &made, true) && same_sum(&f, &made, &f.object, true));
        free(made.data);
        xy_buffer_free(&other);
    }
    xy_buffer_free(&tape);
    close_first(&f);
}

int main(void) {
    changed("histograms", "TH1F", NULL);
    changed("histograms", "TProfile", NULL);
    changed("histograms", "TH2D", NULL);
    titles();
    return 0;
}
