/* RNTuples of the fixtures, with bytes of their anchor, envelopes and pages changed and the
 * checksums made to fit again: nothing is read or written where it should not be (ASan, UBSan),
 * and what fails says why. Without changes, all is read. The same holds where the metadata of a
 * copy are made of them. */
#include "xylem-write.h"

#include "../src/abi/ctx.h"
#include "../src/ntuple/checksum.h"
#include "../src/ntuple/pages.h"
#include "../src/ntuple/pieces.h"
#include "support/check.h"
#include "support/encode.h"

static bytes read_fixture(const char *name) {
    char path[200];
    snprintf(path, sizeof path, "../tests/fixtures/files/%s.root", name);
    FILE *f = fopen(path, "rb");
    CHECK(f, "%s", path);
    fseek(f, 0, SEEK_END);
    bytes b = {NULL, (size_t)ftell(f)};
    rewind(f);
    b.data = malloc(b.len);
    CHECK(fread(b.data, 1, b.len, f) == b.len);
    fclose(f);
    return b;
}

/* The anchor's record: a key of the class that knows its own place. */
static size_t find_anchor(const bytes *file) {
    static const char text[] = "\x0dROOT::RNTuple\x01n";
    for (size_t at = 26; at + sizeof text < file->len; at++) {
        if (memcmp(file->data + at, text, sizeof text - 1) != 0) continue;
        if (xy_be32(file->data + at - 26 + 18) == at - 26) return at - 26;
    }
    CHECK(false, "there is no anchor");
    return 0;
}

static void put_le64(uint8_t *p, uint64_t v) {
    memcpy(p, &v, 8);
}

static void seal(uint8_t *envelope, uint64_t size) {
    if (size >= 16) put_le64(envelope + size - 8, xy_xxh3(envelope, (size_t)size - 8));
}

/* Reads a part of the file as the host does: a copy of its own, or nothing outside of the file. */
static bytes part_of(const bytes *file, uint64_t offset, uint64_t size) {
    if (offset > file->len || size > file->len - offset || size == 0) return (bytes){NULL, 0};
    return copy_of(file->data + offset, (size_t)size);
}

static xy_status read_schema(xy_ntuple *nt, xy_error *err, const bytes *file, size_t anchor) {
    uint32_t size = xy_be32(file->data + anchor);
    bytes part = part_of(file, anchor, size);
    if (!part.data) return xy_fail(err, XY_E_CORRUPT, 0, "no anchor");
    xy_status s = xy_nt_read_anchor(nt, err, part.data, part.len);
    free(part.data);
    const struct {
        uint64_t seek, size;
        xy_status (*read)(xy_ntuple *, xy_error *, const uint8_t *, size_t);
    } parts[] = {{nt->anchor.header_seek, nt->anchor.header_size, xy_nt_read_header},
                 {nt->anchor.footer_seek, nt->anchor.footer_size, xy_nt_read_footer}};
    for (int i = 0; i < 2 && !s; i++) {
        part = part_of(file, parts[i].seek, parts[i].size);
        if (!part.data) return xy_fail(err, XY_E_CORRUPT, 0, "no envelope");
        s = parts[i].read(nt, err, part.data, part.len);
        free(part.data);
    }
    /* In no order: from the last group to the first. */
    for (int32_t i = nt->group_count - 1; i >= 0 && !s; i--) {
        part = part_of(file, nt->groups[i].link.offset, nt->groups[i].link.size);
        if (!part.data) return xy_fail(err, XY_E_CORRUPT, 0, "no page list");
        s = xy_nt_read_page_list(nt, err, i, part.data, part.len);
        free(part.data);
    }
    return s;
}

typedef struct {
    int fields, failed;
    int64_t rows;
} outcome;

/* The pieces of a field, each an allocation of exactly its bytes. */
static xy_status decode_pieces(xy_decoder *d, xy_error *err, const bytes *file,
                               const xy_nt_pieces *pieces) {
    const double *from = (const double *)(const void *)pieces->from.data;
    const double *to = (const double *)(const void *)pieces->to.data;
    const uint32_t *heads = (const uint32_t *)(const void *)pieces->head_ends.data;
    const uint32_t *ranges = (const uint32_t *)(const void *)pieces->range_ends.data;
    const double *seeks = (const double *)(const void *)pieces->seeks.data;
    const double *sizes = (const double *)(const void *)pieces->sizes.data;
    for (int32_t i = 0; i < pieces->count; i++) {
        uint32_t head = i ? heads[i - 1] : 0, range = i ? ranges[i - 1] : 0;
        xy_buffer piece = {0};
        xy_append(&piece, pieces->heads.data + head, heads[i] - head);
        bool there = true;
        for (; range < ranges[i] && there; range++) {
            bytes part = part_of(file, (uint64_t)seeks[range], (uint64_t)sizes[range]);
            there = part.data != NULL;
            if (there) xy_append(&piece, part.data, part.len);
            free(part.data);
        }
        bytes exact = copy_of(piece.data, piece.len);
        xy_buffer_free(&piece);
        xy_status s = there ? xy_decoder_basket(d, err, exact.data, exact.len, (int64_t)from[i],
                                                (int64_t)to[i], NULL, 0)
                            : xy_fail(err, XY_E_TRUNCATED, 0, "pages outside of the file");
        free(exact.data);
        if (s) return s;
    }
    return XY_OK;
}

static xy_status read_field(const xy_ntuple *nt, xy_error *err, const bytes *file, int32_t field,
                            outcome *out) {
    xy_program p;
    xy_program_init(&p);
    xy_compiler c = {.classes = nt->file->classes, .program = &p, .columnar = true};
    xy_nt_needs needs = {0};
    CHECK(xy_nt_plan(&c, nt, field, &needs));
    const char *why = xy_program_error(&p, p.root);
    xy_status s = why ? xy_fail(err, XY_E_UNSUPPORTED, 0, "%s", why) : XY_OK;
    xy_nt_pieces pieces = {0};
    const double span[2] = {0, nt->entries < 200 ? (double)nt->entries : 200};
    if (!s) s = xy_nt_list_pieces(nt, err, &needs, span, 1, &pieces);
    if (!s) {
        xy_buffer plan = {0};
        xy_plan_write(&p, &plan);
        xy_decoder *d = xy_decoder_new(err, plan.data, plan.len, NULL);
        CHECK(d);
        s = decode_pieces(d, err, file, &pieces);
        out->rows += d->rows;
        xy_decoder_destroy(d);
        xy_buffer_free(&plan);
    }
    xy_nt_pieces_free(&pieces);
    free(needs.list);
    xy_program_free(&p);
    return s;
}

/* Puts an RNTuple behind itself. */
static void append_both(xy_ctx *ctx, const xy_ntuple *nt, xw_ntuple *first, xw_ntuple *next) {
    if (xw_ntuple_append(ctx, first, first) || xw_ntuple_append(ctx, first, next)) return;
    CHECK(xw_ntuple_pages(ctx, next) == XY_OK);
    /* Places and sizes of more pages of zeros than there are kinds of columns and clusters. */
    uint64_t kinds = 4 * (uint64_t)nt->column_count * (uint64_t)nt->cluster_count;
    double *places = calloc((size_t)nt->page_count + (size_t)kinds + 1, sizeof *places);
    for (int32_t i = 0; i < nt->group_count; i++)
        CHECK(xw_ntuple_page_list(ctx, next, i, places) == XY_OK);
    free(places);
}

/* Makes the metadata of a copy without some of the clusters. */
static void write_part(xy_ctx *ctx, const xy_ntuple *nt, double from, double to) {
    const double range[] = {from, to};
    xw_ntuple *part = xw_ntuple_create(ctx, nt, NULL);
    CHECK(part);
    double *places = calloc((size_t)nt->page_count + 1, sizeof *places);
    double *groups = calloc((size_t)nt->group_count * XW_GROUP_NUMBERS + 1, sizeof *groups);
    if (!xw_ntuple_leave_out(ctx, part, range, 1) && !xw_ntuple_pages(ctx, part) &&
        !xw_ntuple_header(ctx, part)) {
        for (int32_t i = 0; i < nt->group_count; i++)
            CHECK(xw_ntuple_page_list(ctx, part, i, places) == XY_OK);
        CHECK(xw_ntuple_footer(ctx, part, groups, (uint32_t)nt->group_count) == XY_OK);
    }
    xw_ntuple_destroy(part);
    free(places);
    free(groups);
}

/* Makes the metadata of a copy with all fields, or with every third. A copy of all has the header
 * that was read. */
static xy_status write_again(const xy_ntuple *nt, bool all) {
    xy_ctx *ctx = xy_ctx_create();
    uint8_t *wanted = calloc((size_t)nt->field_count + 1, 1);
    for (int32_t i = 0; i < nt->field_count; i += 3)
        wanted[i] = 1;
    xw_ntuple *copy = xw_ntuple_create(ctx, nt, all ? NULL : wanted);
    CHECK(copy);
    xy_status s = (xy_status)xw_ntuple_pages(ctx, copy);
    if (!s) s = (xy_status)xw_ntuple_header(ctx, copy);
    if (!s && all)
        CHECK(ctx->out.len == nt->header.len &&
              !memcmp(ctx->out.data, nt->header.data, nt->header.len));
    double *places = calloc((size_t)nt->page_count + 1, sizeof *places);
    double *groups = calloc((size_t)nt->group_count * XW_GROUP_NUMBERS + 1, sizeof *groups);
    for (int32_t i = 0; i < nt->group_count && !s; i++)
        s = (xy_status)xw_ntuple_page_list(ctx, copy, i, places);
    if (!s) s = (xy_status)xw_ntuple_footer(ctx, copy, groups, (uint32_t)nt->group_count);
    if (!s && all && nt->group_count) CHECK(ctx->out.len == nt->footer.len);
    CHECK(xw_ntuple_structure(ctx, nt) == XY_OK);
    xw_ntuple *next = xw_ntuple_create(ctx, nt, all ? NULL : wanted);
    CHECK(next);
    if (!s) append_both(ctx, nt, copy, next);
    if (!s && all) write_part(ctx, nt, (double)nt->entries / 4, (double)nt->entries / 3);
    xw_ntuple_destroy(next);
    xw_ntuple_destroy(copy);
    free(places);
    free(groups);
    free(wanted);
    xy_ctx_destroy(ctx);
    return s;
}

static outcome read_all(const bytes *file, size_t anchor) {
    outcome out = {0};
    xy_error err = {0};
    xy_ntuple nt = {.file = xy_file_create(64000)};
    xy_status s = read_schema(&nt, &err, file, anchor);
    CHECK(s == (xy_status)err.status && (!s || err.message[0]));
    for (int32_t i = 0; i < nt.field_count && !s; i++) {
        xy_error why = {0};
        xy_status f = read_field(&nt, &why, file, i, &out);
        CHECK(f == (xy_status)why.status && (!f || why.message[0]));
        out.fields++;
        out.failed += f != XY_OK;
    }
    if (!s) s = write_again(&nt, true);
    if (!s) s = write_again(&nt, false);
    if (s) out.failed = 1;
    xy_file *owner = nt.file;
    xy_nt_free(&nt);
    xy_file_destroy(owner);
    return out;
}

/* Where what can be changed lies, from the file as it was. */
typedef struct {
    uint64_t header, header_size, footer, footer_size, list, list_size;
    xy_nt_page *pages;
    int32_t page_count;
} layout;

static void mutate(bytes *file, const layout *l, uint32_t *seed) {
    uint32_t what = next_random(seed) % 4;
    const uint64_t seeks[] = {l->header, l->footer, l->list},
                   sizes[] = {l->header_size, l->footer_size, l->list_size};
    uint32_t changes = 1 + next_random(seed) % 3;
    if (what == 3) {
        const xy_nt_page *page = &l->pages[next_random(seed) % (uint32_t)l->page_count];
        uint8_t *data = file->data + page->offset;
        for (; page->size && changes; changes--)
            data[next_random(seed) % page->size] = (uint8_t)next_random(seed);
        if (page->elements >> 31) put_le64(data + page->size, xy_xxh3(data, page->size));
        return;
    }
    uint8_t *envelope = file->data + seeks[what];
    for (; changes; changes--) {
        uint64_t at = 8 + next_random(seed) % (sizes[what] - 16);
        switch (next_random(seed) % 4) {
        case 0: envelope[at] ^= (uint8_t)(1u << next_random(seed) % 8); break;
        case 1: envelope[at] = 0xff; break;
        case 2: envelope[at] = (uint8_t)(envelope[at] + 1); break;
        default: envelope[at] = (uint8_t)next_random(seed);
        }
    }
    seal(file->data + l->header, l->header_size);
    uint64_t checksum;
    memcpy(&checksum, file->data + l->header + l->header_size - 8, 8);
    if (what == 0) {
        put_le64(file->data + l->footer + 16, checksum);
        put_le64(file->data + l->list + 8, checksum);
    }
    seal(file->data + l->footer, l->footer_size);
    seal(file->data + l->list, l->list_size);
}

static void check_fixture(const char *name, int rounds) {
    bytes file = read_fixture(name);
    size_t anchor = find_anchor(&file);
    outcome whole = read_all(&file, anchor);
    CHECK(whole.failed == 0 && whole.fields > 0 && whole.rows == 60 * whole.fields, "%s: %d of %d",
          name, whole.failed, whole.fields);
    xy_error err = {0};
    xy_ntuple nt = {.file = xy_file_create(64000)};
    CHECK(read_schema(&nt, &err, &file, anchor) == XY_OK);
    const xy_nt_group *group = &nt.groups[nt.group_count - 1];
    layout l = {nt.anchor.header_seek,
                nt.anchor.header_size,
                nt.anchor.footer_seek,
                nt.anchor.footer_size,
                group->link.offset,
                group->link.size,
                nt.pages,
                nt.page_count};
    uint32_t seed = 11;
    int failing = 0;
    bytes copy = copy_of(file.data, file.len);
    for (int i = 0; i < rounds; i++) {
        memcpy(copy.data, file.data, file.len);
        mutate(&copy, &l, &seed);
        failing += read_all(&copy, anchor).failed > 0;
    }
    CHECK(failing > rounds / 4, "only %d of %d changes were seen", failing, rounds);
    /* Without a fitting checksum, every change of an envelope is seen. */
    const uint64_t seeks[] = {l.header, l.footer, l.list};
    for (int k = 0; k < 3; k++) {
        memcpy(copy.data, file.data, file.len);
        copy.data[seeks[k] + 20] ^= 1;
        CHECK(read_all(&copy, anchor).failed > 0);
    }
    free(copy.data);
    free(file.data);
    xy_file *owner = nt.file;
    xy_nt_free(&nt);
    xy_file_destroy(owner);
}

int main(int argc, char **argv) {
    int rounds = argc > 1 ? atoi(argv[1]) : 400;
    /* Stored without compression, so that changes reach what is behind the envelopes' codecs. */
    check_fixture("ntuple_fields_stored", rounds);
    check_fixture("ntuple_encodings_stored", rounds);
    check_fixture("ntuple_late_stored", rounds);
    return 0;
}
