/* An RNTuple: anchor, envelopes, page lists, plans of all fields, and their pages; then the
 * metadata of a copy that stands twice in a merged file. 4 bytes (little-endian) say where in the
 * file that follows the anchor's record lies.
 *
 * Checksums are made to fit where a part is stored uncompressed, so that what is behind them is
 * reached; the checksums themselves are damaged by tests. */
#include "input.h"
#include "xylem-write.h"

#include "../src/ntuple/checksum.h"
#include "../src/ntuple/ntuple.h"

enum { MAX_FIELDS = 64, MAX_PIECES = 16 };

static void put_le64(uint8_t *p, uint64_t v) {
    memcpy(p, &v, 8);
}

static bool within(const part *file, uint64_t offset, uint64_t size) {
    return offset <= file->len && size <= file->len - offset;
}

/* The anchor's object: byte count, version, members, checksum, behind a key whose length stands at
 * byte 14. */
static void seal_anchor(const part *file, size_t at) {
    if (!within(file, at, 16)) return;
    size_t start = at + xy_be16(file->data + at + 14);
    if (!within(file, start, 6)) return;
    size_t count = xy_be32(file->data + start) & 0x3fffffffu;
    if (count < 2 || !within(file, start + 4, count + 8)) return;
    put_le64(file->data + start + 4 + count,
             __builtin_bswap64(xy_xxh3(file->data + start + 6, count - 2)));
}

/* Gives an envelope its checksum, and before that, at `header_at`, the one of the header. */
static uint64_t seal(const part *file, uint64_t offset, uint64_t size, uint64_t length,
                     size_t header_at, uint64_t header) {
    if (size != length || size < 16 || !within(file, offset, size)) return 0;
    uint8_t *envelope = file->data + offset;
    if (header_at && header_at + 16 <= size) put_le64(envelope + header_at, header);
    uint64_t sum = xy_xxh3(envelope, (size_t)size - 8);
    put_le64(envelope + size - 8, sum);
    return sum;
}

static void seal_pages(const part *file, const xy_ntuple *nt) {
    for (int32_t i = 0; i < nt->page_count; i++) {
        const xy_nt_page *page = &nt->pages[i];
        if (page->elements >> 31 && within(file, page->offset, (uint64_t)page->size + 8))
            put_le64(file->data + page->offset + page->size,
                     xy_xxh3(file->data + page->offset, page->size));
    }
}

typedef int32_t take(xy_ctx *ctx, xy_ntuple *nt, const uint8_t *src, size_t len);

/* Hands over a part as the host does: nothing outside of the file, no byte beyond its end. */
static bool bring(xy_ctx *ctx, xy_ntuple *nt, const part *file, uint64_t offset, uint64_t size,
                  take *read) {
    if (size == 0 || !within(file, offset, size)) return false;
    part p = part_of(file->data + offset, (size_t)size);
    bool ok = checked(ctx, read(ctx, nt, p.data, p.len));
    free(p.data);
    return ok;
}

static bool open_ntuple(xy_ctx *ctx, xy_ntuple *nt, const part *file) {
    const xy_nt_anchor *a = &nt->anchor;
    uint64_t header = seal(file, a->header_seek, a->header_size, a->header_length, 0, 0);
    if (!bring(ctx, nt, file, a->header_seek, a->header_size, xy_ntuple_header)) return false;
    header = nt->header_checksum;
    seal(file, a->footer_seek, a->footer_size, a->footer_length, 16, header);
    if (!bring(ctx, nt, file, a->footer_seek, a->footer_size, xy_ntuple_footer)) return false;
    if (!checked(ctx, xy_ntuple_links(ctx, nt))) return false;
    /* In no order: the last group first. */
    for (int32_t i = 0; i < nt->group_count; i++) {
        int32_t at = i ? i - 1 : nt->group_count - 1;
        const xy_nt_group *g = &nt->groups[at];
        seal(file, g->link.offset, g->link.size, g->length, 8, header);
        if (g->link.size == 0 || !within(file, g->link.offset, g->link.size)) continue;
        part p = part_of(file->data + g->link.offset, (size_t)g->link.size);
        checked(ctx, xy_ntuple_page_list(ctx, nt, at, p.data, p.len));
        free(p.data);
    }
    return true;
}

static const uint8_t *numbers(const xy_buffer *tape, const char *name, uint32_t *count) {
    xy_tape_view view = {tape->data, tape->len};
    int dtype;
    const uint8_t *data = NULL;
    *count = xy_tape_numbers(&view, xy_tape_member(&view, 0, name), &dtype, &data);
    return data;
}

static uint32_t u32_at(const uint8_t *data, uint32_t i) {
    uint32_t v;
    memcpy(&v, data + 4 * (size_t)i, 4);
    return v;
}

static double f64_at(const uint8_t *data, uint32_t i) {
    double v;
    memcpy(&v, data + 8 * (size_t)i, 8);
    return v;
}

/* Decodes the pieces on `tape`: each head, and behind it the bytes of its ranges. */
static void decode_pieces(xy_ctx *ctx, xy_decoder *decoder, const part *file,
                          const xy_buffer *tape) {
    uint32_t pieces, n, head = 0, range = 0;
    const uint8_t *head_ends = numbers(tape, "headEnds", &pieces);
    const uint8_t *range_ends = numbers(tape, "rangeEnds", &n);
    const uint8_t *heads = numbers(tape, "heads", &n), *seeks = numbers(tape, "seeks", &n);
    const uint8_t *sizes = numbers(tape, "sizes", &n);
    const uint8_t *from = numbers(tape, "from", &n), *to = numbers(tape, "to", &n);
    for (uint32_t i = 0; i < pieces && i < MAX_PIECES; i++) {
        xy_buffer bytes = {0};
        uint32_t head_end = u32_at(head_ends, i), range_end = u32_at(range_ends, i);
        bool there = true;
        xy_append(&bytes, heads + head, head_end - head);
        for (; range < range_end; range++) {
            double seek = f64_at(seeks, range), size = f64_at(sizes, range);
            there = there && seek < 0x1p40 && size < 0x1p40 &&
                    within(file, (uint64_t)seek, (uint64_t)size);
            if (there) xy_append(&bytes, file->data + (size_t)seek, (size_t)size);
        }
        head = head_end;
        double first = f64_at(from, i), end = f64_at(to, i);
        if (there && !bytes.failed) {
            part p = part_of(bytes.data, bytes.len);
            checked(ctx, xy_decode(ctx, decoder, p.data, p.len, first, end, NULL, 0));
            free(p.data);
        }
        xy_buffer_free(&bytes);
    }
}

/* Reads the offsets that the core asks for. */
static void answer_requests(xy_ctx *ctx, xy_ntuple *nt, const part *file, int32_t field,
                            const double *spans, size_t span_count) {
    if (!checked(ctx, xy_ntuple_offset_pages(ctx, nt, field, spans, span_count))) return;
    xy_buffer tape = {0};
    xy_append(&tape, xy_ctx_result(ctx), xy_ctx_result_size(ctx));
    uint32_t asks, n, head = 0;
    const uint8_t *head_ends = numbers(&tape, "headEnds", &asks);
    const uint8_t *heads = numbers(&tape, "heads", &n), *seeks = numbers(&tape, "seeks", &n);
    const uint8_t *sizes = numbers(&tape, "sizes", &n);
    for (uint32_t i = 0; i < asks && i < MAX_PIECES; i++) {
        xy_buffer bytes = {0};
        uint32_t head_end = u32_at(head_ends, i);
        double seek = f64_at(seeks, i), size = f64_at(sizes, i);
        xy_append(&bytes, heads + head, head_end - head);
        head = head_end;
        bool there = seek < 0x1p40 && size < 0x1p40 && within(file, (uint64_t)seek, (uint64_t)size);
        if (there) xy_append(&bytes, file->data + (size_t)seek, (size_t)size);
        if (there && !bytes.failed) {
            part p = part_of(bytes.data, bytes.len);
            checked(ctx, xy_ntuple_add_offset_page(ctx, nt, p.data, p.len));
            free(p.data);
        }
        xy_buffer_free(&bytes);
    }
    xy_buffer_free(&tape);
}

static void read_field(xy_ctx *ctx, xy_ntuple *nt, const part *file, int32_t field) {
    if (!checked(ctx, xy_ntuple_plan(ctx, nt, field))) return;
    uint32_t n;
    xy_buffer tape = {0};
    xy_append(&tape, xy_ctx_result(ctx), xy_ctx_result_size(ctx));
    const uint8_t *plan = numbers(&tape, "plan", &n);
    part copy = part_of(plan, n);
    xy_decoder *decoder = xy_decoder_create(ctx, copy.data, copy.len);
    if (!decoder) abort(); /* the core's own plan */
    double most = nt->entries < 1u << 20 ? (double)nt->entries : 0x1p20,
           half = (double)(int)(most / 2);
    const double spans[2][4] = {{0, most, most, most},
                                {0, half, half < most ? half + 1 : half, most}};
    for (int k = 0; k < 2; k++) {
        if (k) answer_requests(ctx, nt, file, field, spans[k], 1);
        if (!checked(ctx, xy_ntuple_pieces(ctx, nt, field, spans[k], (size_t)k + 1))) continue;
        tape.len = 0;
        xy_append(&tape, xy_ctx_result(ctx), xy_ctx_result_size(ctx));
        if (!tape.failed) decode_pieces(ctx, decoder, file, &tape);
    }
    xy_decoder_destroy(decoder);
    xy_buffer_free(&tape);
    free(copy.data);
}

/* Puts an RNTuple behind itself. */
static void merge(xy_ctx *ctx, const xy_ntuple *nt, xw_ntuple *first, xw_ntuple *next) {
    if (!checked(ctx, xw_ntuple_pages(ctx, first)) || !checked(ctx, xw_ntuple_header(ctx, first)) ||
        !checked(ctx, xw_ntuple_append(ctx, first, first)) ||
        !checked(ctx, xw_ntuple_append(ctx, first, next)) ||
        !checked(ctx, xw_ntuple_pages(ctx, next)))
        return;
    xy_buffer tape = {0};
    xy_append(&tape, xy_ctx_result(ctx), xy_ctx_result_size(ctx));
    uint32_t zeros;
    numbers(&tape, "zeros", &zeros);
    size_t count = (size_t)nt->page_count + 2 * (size_t)zeros,
           groups = XW_GROUP_NUMBERS * (size_t)nt->group_count;
    double *places = calloc(count ? count : 1, 8), *links = calloc(groups ? groups : 1, 8);
    if (!places || !links) abort();
    for (int32_t i = 0; i < nt->group_count; i++)
        checked(ctx, xw_ntuple_page_list(ctx, next, i, places));
    checked(ctx, xw_ntuple_footer(ctx, first, links, (uint32_t)nt->group_count));
    free(places);
    free(links);
    xy_buffer_free(&tape);
}

/* Writes the metadata without the clusters around a third of the entries. */
static void write_part(xy_ctx *ctx, const xy_ntuple *nt) {
    const double range[] = {(double)nt->entries / 4, (double)nt->entries / 3};
    xw_ntuple *part = xw_ntuple_create(ctx, nt, NULL);
    if (!part) return;
    double *places = calloc((size_t)nt->page_count + 1, 8);
    if (!places) abort();
    if (checked(ctx, xw_ntuple_leave_out(ctx, part, range, 1)) &&
        checked(ctx, xw_ntuple_pages(ctx, part)) && checked(ctx, xw_ntuple_header(ctx, part)))
        for (int32_t i = 0; i < nt->group_count; i++)
            checked(ctx, xw_ntuple_page_list(ctx, part, i, places));
    free(places);
    xw_ntuple_destroy(part);
}

static void write_twice(xy_ctx *ctx, const xy_ntuple *nt) {
    if (nt->groups_read != nt->group_count) return;
    xw_ntuple *first = xw_ntuple_create(ctx, nt, NULL), *next = xw_ntuple_create(ctx, nt, NULL);
    if (first && next) merge(ctx, nt, first, next);
    xw_ntuple_destroy(first);
    xw_ntuple_destroy(next);
    write_part(ctx, nt);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    if (size < 4) return 0;
    size_t at = (size_t)data[0] | (size_t)data[1] << 8 | (size_t)data[2] << 16;
    part file = part_of(data + 4, size - 4);
    xy_ctx *ctx = xy_ctx_create();
    xy_file *core = xy_file_create(64000);
    seal_anchor(&file, at);
    size_t left = at < file.len ? file.len - at : 0;
    part record = part_of(file.data + (left ? at : 0), left < 4096 ? left : 4096);
    xy_ntuple *nt = xy_ntuple_create(ctx, core, record.data, record.len);
    if (nt && open_ntuple(ctx, nt, &file)) {
        checked(ctx, xy_ntuple_describe(ctx, nt));
        checked(ctx, xy_ntuple_layout(ctx, nt));
        seal_pages(&file, nt);
        for (int32_t i = 0; i < nt->field_count && i < MAX_FIELDS; i++)
            read_field(ctx, nt, &file, i);
        write_twice(ctx, nt);
    }
    xy_ntuple_destroy(nt);
    xy_file_destroy(core);
    xy_ctx_destroy(ctx);
    free(record.data);
    free(file.data);
    return 0;
}
