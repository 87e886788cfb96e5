/* The exported functions for the metadata of an RNTuple that is made of columns. */
#include "xylem-write.h"

#include "../../abi/ctx.h"
#include "../../ntuple/ntuple.h"
#include "../envelope_writer.h"

#include <math.h>

struct xw_new_ntuple {
    xy_buffer texts;           /* name and description, as they stand in a header */
    xy_buffer fields, columns; /* frames of the schema */
    uint32_t field_count, column_count;
    uint64_t checksum;  /* of the header */
    uint64_t *elements; /* of each column in the clusters whose page list was made */
};

static void put_u16(xy_buffer *out, uint32_t v) {
    uint16_t low = (uint16_t)v;
    xy_append(out, &low, 2);
}

static void put_string(xy_buffer *out, const uint8_t *text, uint32_t len) {
    xy_append_u32(out, len);
    xy_append(out, text, len);
}

xw_new_ntuple *xw_new_ntuple_create(xy_ctx *ctx, const uint8_t *texts, uint32_t name_len,
                                    uint32_t title_len) {
    static const char WRITER[] = "xylem";
    xy_ctx_begin(ctx);
    xw_new_ntuple *w = xy_new(1, sizeof *w);
    if (w) {
        put_string(&w->texts, texts, name_len);
        put_string(&w->texts, texts + name_len, title_len);
        put_string(&w->texts, (const uint8_t *)WRITER, sizeof WRITER - 1);
    }
    if (w && !w->texts.failed) return w;
    xw_new_ntuple_destroy(w);
    xy_fail(&ctx->err, XY_E_MEMORY, 0, "no memory for an RNTuple");
    return NULL;
}

void xw_new_ntuple_destroy(xw_new_ntuple *w) {
    if (!w) return;
    xy_buffer_free(&w->texts);
    xy_buffer_free(&w->fields);
    xy_buffer_free(&w->columns);
    free(w->elements);
    free(w);
}

/* ---- the schema ---- */

static bool still_open(xy_ctx *ctx, const xw_new_ntuple *w, bool known) {
    return xy_ctx_expect(ctx, known && !w->elements);
}

int32_t xw_new_ntuple_field(xy_ctx *ctx, xw_new_ntuple *w, int32_t parent, uint32_t role,
                            uint32_t array_size, const uint8_t *texts, uint32_t name_len,
                            uint32_t type_len, uint32_t about_len) {
    bool known = parent == -1 || (parent >= 0 && (uint32_t)parent < w->field_count);
    if (!still_open(ctx, w, known && role <= XY_NT_RECORD)) return xy_ctx_end(ctx);
    xy_buffer *out = &w->fields;
    size_t record = xw_record_begin(out);
    xy_append_u32(out, 0); /* versions of the field and of its type */
    xy_append_u32(out, 0);
    xy_append_u32(out, parent < 0 ? w->field_count : (uint32_t)parent);
    put_u16(out, role);
    put_u16(out, array_size ? XY_NT_REPETITIVE : 0);
    put_string(out, texts, name_len);
    put_string(out, texts + name_len, type_len);
    put_string(out, texts, 0); /* no alias */
    put_string(out, texts + name_len + type_len, about_len);
    if (array_size) xw_put_u64(out, array_size);
    xw_record_end(out, record);
    w->field_count++;
    ctx->out.failed |= out->failed;
    return xy_ctx_end(ctx);
}

int32_t xw_new_ntuple_column(xy_ctx *ctx, xw_new_ntuple *w, int32_t field, uint32_t type) {
    xy_nt_column column = {.type = (uint16_t)type};
    int bits = type <= UINT16_MAX ? xy_nt_bits(&column) : 0;
    bool known = field >= 0 && (uint32_t)field < w->field_count && bits > 0;
    if (!still_open(ctx, w, known)) return xy_ctx_end(ctx);
    xy_buffer *out = &w->columns;
    size_t record = xw_record_begin(out);
    put_u16(out, type);
    put_u16(out, (uint32_t)bits);
    xy_append_u32(out, (uint32_t)field);
    xy_append_u32(out, 0); /* flags, and the number of the representation */
    xw_record_end(out, record);
    w->column_count++;
    ctx->out.failed |= out->failed;
    return xy_ctx_end(ctx);
}

static void put_list(xy_buffer *out, const xy_buffer *frames, uint32_t items) {
    size_t list = xw_list_begin(out);
    xy_append(out, frames->data, frames->len);
    xw_list_end(out, list, items);
}

static void put_empty_list(xy_buffer *out) {
    xw_list_end(out, xw_list_begin(out), 0);
}

int32_t xw_new_ntuple_header(xy_ctx *ctx, xw_new_ntuple *w) {
    if (!still_open(ctx, w, true)) return xy_ctx_end(ctx);
    w->elements = xy_new((uint64_t)w->column_count + 1, sizeof *w->elements);
    if (!w->elements) xy_fail(&ctx->err, XY_E_MEMORY, 0, "no memory for an RNTuple");
    xy_buffer *out = &ctx->out;
    size_t envelope = xw_envelope_begin(out);
    xw_put_u64(out, 0); /* no features */
    xy_append(out, w->texts.data, w->texts.len);
    put_list(out, &w->fields, w->field_count);
    put_list(out, &w->columns, w->column_count);
    put_empty_list(out); /* alias columns */
    put_empty_list(out); /* extra type information */
    w->checksum = xw_envelope_end(out, envelope, XY_ENVELOPE_HEADER);
    return xy_ctx_end(ctx);
}

/* ---- clusters ---- */

/* Numbers that are read from the front; all that are missing or are no counts are 0 and `bad`. */
typedef struct {
    const double *next, *end;
    bool bad;
} counts;

static uint64_t take(counts *in) {
    double v = in->next < in->end ? *in->next++ : -1;
    if (v >= 0 && v < 0x1p53 && trunc(v) == v) return (uint64_t)v;
    in->bad = true;
    return 0;
}

/* The pages of a column in a cluster. */
static void put_pages(xw_new_ntuple *w, uint32_t column, uint32_t compression, counts *in,
                      xy_buffer *out) {
    size_t list = xw_list_begin(out);
    uint64_t pages = take(in), sum = 0;
    for (uint64_t i = 0; i < pages && !in->bad; i++) {
        uint64_t elements = take(in), bytes = take(in), place = take(in);
        in->bad |= elements == 0 || elements > INT32_MAX || bytes <= XY_NT_CHECKSUM_BYTES;
        if (in->bad) break;
        xy_append_u32(out, 0u - (uint32_t)elements); /* a checksum follows the page */
        xw_put_locator(out, bytes - XY_NT_CHECKSUM_BYTES, place);
        sum += elements;
    }
    xw_put_u64(out, w->elements[column]);
    xy_append_u32(out, compression);
    xw_list_end(out, list, (uint32_t)pages);
    w->elements[column] += sum;
}

int32_t xw_new_ntuple_page_list(xy_ctx *ctx, xw_new_ntuple *w, uint32_t compression,
                                const double *numbers, uint32_t count) {
    if (!xy_ctx_expect(ctx, w->elements != NULL)) return xy_ctx_end(ctx);
    xy_buffer *out = &ctx->out;
    counts in = {numbers, numbers + count, false};
    size_t envelope = xw_envelope_begin(out);
    xw_put_u64(out, w->checksum);
    uint64_t clusters = take(&in);
    size_t list = xw_list_begin(out);
    for (uint64_t i = 0; i < clusters && !in.bad; i++) {
        size_t record = xw_record_begin(out);
        xw_put_u64(out, take(&in)); /* first entry, and entries */
        xw_put_u64(out, take(&in));
        xw_record_end(out, record);
    }
    xw_list_end(out, list, (uint32_t)clusters);
    list = xw_list_begin(out);
    for (uint64_t i = 0; i < clusters && !in.bad; i++) {
        size_t columns = xw_list_begin(out);
        for (uint32_t k = 0; k < w->column_count && !in.bad; k++)
            put_pages(w, k, compression, &in, out);
        xw_list_end(out, columns, w->column_count);
    }
    xw_list_end(out, list, (uint32_t)clusters);
    xw_envelope_end(out, envelope, XY_ENVELOPE_PAGE_LIST);
    if (in.bad || in.next != in.end)
        xy_fail(&ctx->err, XY_E_ARGUMENT, 0,
                "the pages of an RNTuple are not those of its columns");
    return xy_ctx_end(ctx);
}

int32_t xw_new_ntuple_footer(xy_ctx *ctx, const xw_new_ntuple *w, const double *groups,
                             uint32_t count) {
    if (!xy_ctx_expect(ctx, w->elements != NULL)) return xy_ctx_end(ctx);
    xy_buffer *out = &ctx->out;
    size_t envelope = xw_envelope_begin(out);
    xw_put_u64(out, 0); /* no features */
    xw_put_u64(out, w->checksum);
    size_t extension = xw_record_begin(out);
    for (int k = 0; k < 4; k++)
        put_empty_list(out);
    xw_record_end(out, extension);
    xw_put_groups(out, groups, count);
    xw_envelope_end(out, envelope, XY_ENVELOPE_FOOTER);
    return xy_ctx_end(ctx);
}
