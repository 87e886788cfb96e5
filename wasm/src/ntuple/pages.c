#include "pages.h"

#include "../clock.h"
#include "../streamer/custom.h"
#include "checksum.h"
#include "encoding.h"
#include "envelope.h"
#include "ntuple.h"
#include "plan.h"

#include <inttypes.h>

/* No buffer gets longer than MAX_BYTES, and at most MAX_ZEROS zeros are made at once for
 * elements that are not stored. Pages longer than MAX_KEPT are not kept. */
enum { MAX_BYTES = 1 << 30, MAX_ZEROS = 1 << 26, MAX_KEPT = 1 << 24 };
enum { SWITCH_BYTES = 12 };

/* Reads a column page by page. The current page is `page`, whose first element is `start` and
 * whose bytes are at `data`. It returns to the first page when earlier elements are needed. */
typedef struct {
    xy_piece_column info;
    const uint8_t *pages; /* xy_nt_page each, not aligned */
    size_t first_data;
    uint32_t page;
    uint64_t start;
    size_t data;
    /* The elements of page `kept_page`, decoded; empty for none. */
    xy_buffer kept;
    uint32_t kept_page;
} column;

typedef struct {
    xy_decoder *d;
    xy_error *err;
    const uint8_t *src;
    size_t len;
    uint32_t cluster;
    column *columns;
    int32_t count;
    xy_buffer native; /* decoded elements before they are converted */
    bool keep;        /* pages are decoded whole and kept, because several spans will use them */
} pages;

static const xy_node *node_at(const pages *r, int32_t node) {
    return &r->d->program.nodes[node];
}

static const char *path_of(const pages *r, const xy_node *node) {
    return xy_program_text(&r->d->program, node->count_name);
}

static xy_buffer *buffer_of(const pages *r, const xy_node *node) {
    return &r->d->run.columns.buffers[node->column];
}

static xy_status no_memory(pages *r, const xy_node *node) {
    return xy_fail(r->err, XY_E_MEMORY, 0, "no memory for the values of field %s",
                   path_of(r, node));
}

static xy_nt_page page_at(const column *c, uint32_t i) {
    xy_nt_page page;
    memcpy(&page, c->pages + (size_t)i * sizeof page, sizeof page);
    return page;
}

xy_status xy_page_open(xy_codec *codec, xy_error *err, const xy_nt_page *page, int bits,
                       const uint8_t *stored, const char *field, uint32_t cluster,
                       xy_buffer *object, const uint8_t **out) {
    if (xy_nt_has_checksum(page)) {
        uint64_t expected, computed = xy_xxh3(stored, page->size);
        memcpy(&expected, stored + page->size, XY_NT_CHECKSUM_BYTES);
        if (expected != computed)
            return xy_fail(err, XY_E_CHECKSUM, page->offset,
                           "a page of field %s in cluster %" PRIu32 " is damaged: its xxh3 is "
                           "%016" PRIx64 ", stored is %016" PRIx64,
                           field, cluster, computed, expected);
    }
    uint64_t wanted = xy_page_bytes(bits, xy_nt_page_elements(page));
    if (wanted == page->size) {
        *out = stored;
        return XY_OK;
    }
    object->len = 0;
    if (wanted / XY_NT_MAX_RATIO > page->size || wanted > MAX_BYTES)
        return xy_fail(err, XY_E_CORRUPT, page->offset,
                       "a page of field %s in cluster %" PRIu32 " claims %" PRIu64
                       " bytes from %" PRIu32 " stored ones",
                       field, cluster, wanted, page->size);
    uint8_t *dst = xy_extend(object, (size_t)wanted);
    if (!dst) return xy_fail(err, XY_E_MEMORY, 0, "no memory for a page of field %s", field);
    xy_error inner = {0};
    xy_status s = xy_decompress(codec, &inner, stored, page->size, dst, (size_t)wanted);
    if (s)
        return xy_fail(err, s, page->offset + inner.offset,
                       "a page of field %s in cluster %" PRIu32 " cannot be decompressed: %s",
                       field, cluster, inner.message);
    *out = dst;
    return XY_OK;
}

/* Decompresses the current page of the column; the bytes are valid until the next call. */
static xy_status open_page(pages *r, const xy_node *node, const column *c, const xy_nt_page *page,
                           const uint8_t **out) {
    xy_scratch *scratch = r->d->scratch;
    r->d->opened++;
    double began = xy_clock();
    xy_status s = xy_page_open(scratch->codec, r->err, page, c->info.bits, r->src + c->data,
                               path_of(r, node), r->cluster, &scratch->object, out);
    r->d->unpack_ms += xy_clock() - began;
    return s;
}

/* Calls `take` with each stretch of pages that holds elements of from..to, which come after the
 * lead. */
typedef xy_status take_page(pages *r, const xy_node *node, const column *c, const uint8_t *data,
                            size_t n, size_t from, size_t to, uint8_t *out);

static take_page take_native, take_converted;

/* Takes elements from..to of the current page, which is decoded and kept. */
static xy_status take_kept(pages *r, const xy_node *node, column *c, const xy_nt_page *page,
                           size_t from, size_t to, uint8_t *out, take_page *take) {
    bool switches = c->info.type == XY_COL_SWITCH;
    int native = xy_nt_native(c->info.type);
    size_t element = switches ? SWITCH_BYTES : xy_dtype_size(native),
           n = (size_t)xy_nt_page_elements(page);
    if (c->kept.len == 0 || c->kept_page != c->page) {
        c->kept.len = 0;
        const uint8_t *data = NULL;
        xy_status s = open_page(r, node, c, page, &data);
        if (s) return s;
        uint8_t *kept = xy_extend_items(&c->kept, n, element);
        if (!kept) return no_memory(r, node);
        if (switches)
            memcpy(kept, data, n * element);
        else
            take_native(r, node, c, data, n, 0, n, kept);
        c->kept_page = c->page;
    }
    const uint8_t *at = c->kept.data + from * element;
    if (take == take_converted)
        xy_convert_dtype(native, at, node->dtype, out, to - from);
    else
        memcpy(out, at, (to - from) * element);
    return XY_OK;
}

static xy_status read_pages(pages *r, const xy_node *node, column *c, uint64_t from, uint64_t to,
                            size_t element, uint8_t *out, take_page *take) {
    if (from < c->start) {
        c->page = 0;
        c->start = c->info.first;
        c->data = c->first_data;
    }
    while (from < to) {
        if (c->page >= c->info.pages || from < c->start)
            return xy_fail(r->err, XY_E_CORRUPT, 0,
                           "field %s has no element %" PRIu64 " in cluster %" PRIu32
                           ": its pages end before",
                           path_of(r, node), from, r->cluster);
        xy_nt_page page = page_at(c, c->page);
        uint64_t n = xy_nt_page_elements(&page);
        if (from >= c->start + n) {
            c->start += n;
            c->data += (size_t)xy_nt_stored_bytes(&page);
            c->page++;
            continue;
        }
        uint64_t end = to < c->start + n ? to : c->start + n;
        size_t first = (size_t)(from - c->start), last = (size_t)(end - c->start);
        const uint8_t *data = NULL;
        xy_status s;
        if (r->keep && n <= MAX_KEPT / SWITCH_BYTES)
            s = take_kept(r, node, c, &page, first, last, out, take);
        else if (!(s = open_page(r, node, c, &page, &data)))
            s = take(r, node, c, data, (size_t)n, first, last, out);
        if (s) return s;
        out += (size_t)(end - from) * element;
        from = end;
    }
    return XY_OK;
}

/* Whether the column has the elements, and `out` may take them, so that nothing is allocated for
 * elements that do not exist. */
static xy_status check_elements(pages *r, const xy_node *node, const column *c, uint64_t from,
                                uint64_t to, size_t element, const xy_buffer *out) {
    size_t have = out->len < MAX_BYTES ? out->len : MAX_BYTES;
    uint64_t end = c->info.first;
    for (uint32_t i = 0; i < c->info.pages && c->info.lead + end < to; i++) {
        xy_nt_page page = page_at(c, i);
        end += xy_nt_page_elements(&page);
    }
    if (from > to || to > c->info.lead + end || c->info.bits < 0)
        return xy_fail(r->err, XY_E_CORRUPT, 0,
                       "field %s should have elements %" PRIu64 " to %" PRIu64
                       " in cluster %" PRIu32 ", but has %" PRIu64,
                       path_of(r, node), from, to, r->cluster, c->info.lead + end);
    uint64_t zeros = from < c->info.lead ? (to < c->info.lead ? to : c->info.lead) - from : 0;
    if (to - from > (MAX_BYTES - have) / element || zeros > MAX_ZEROS / element)
        return xy_fail(r->err, XY_E_BUDGET, 0,
                       "field %s has %" PRIu64 " elements in cluster %" PRIu32
                       ", more than can be read at once",
                       path_of(r, node), to - from, r->cluster);
    return XY_OK;
}

static xy_status take_native(pages *r, const xy_node *node, const column *c, const uint8_t *data,
                             size_t n, size_t from, size_t to, uint8_t *out) {
    (void)r, (void)node;
    xy_encoding e = {c->info.type, c->info.bits, c->info.min, c->info.max};
    xy_decode_page(&e, data, n, from, to, out);
    return XY_OK;
}

static xy_status take_converted(pages *r, const xy_node *node, const column *c, const uint8_t *data,
                                size_t n, size_t from, size_t to, uint8_t *out) {
    int native = xy_nt_native(c->info.type);
    r->native.len = 0;
    uint8_t *wide = xy_extend_items(&r->native, to - from, xy_dtype_size(native));
    if (!wide) return no_memory(r, node);
    take_native(r, node, c, data, n, from, to, wide);
    xy_convert_dtype(native, wide, node->dtype, out, to - from);
    return XY_OK;
}

static xy_status take_switches(pages *r, const xy_node *node, const column *c, const uint8_t *data,
                               size_t n, size_t from, size_t to, uint8_t *out) {
    (void)r, (void)node, (void)c, (void)n;
    memcpy(out, data + SWITCH_BYTES * from, SWITCH_BYTES * (to - from));
    return XY_OK;
}

/* Elements from..to of a column, counted in the cluster, to `out`. */
static xy_status read_elements(pages *r, const xy_node *node, column *c, uint64_t from, uint64_t to,
                               size_t element, uint8_t *out, take_page *take) {
    uint64_t lead = c->info.lead;
    if (from < lead) {
        uint64_t end = to < lead ? to : lead;
        memset(out, 0, (size_t)(end - from) * element);
        out += (size_t)(end - from) * element;
        from = end;
    }
    return from < to ? read_pages(r, node, c, from - lead, to - lead, element, out, take) : XY_OK;
}

/* Appends elements to a buffer as they are in the column, or converted to `node`'s dtype. */
static xy_status append_elements(pages *r, const xy_node *node, column *c, uint64_t from,
                                 uint64_t to, xy_buffer *out, bool convert) {
    if (from == to) from = to = 0; /* an empty range needs no page */
    int native = xy_nt_native(c->info.type);
    if (native < 0)
        return xy_fail(r->err, XY_E_UNSUPPORTED, 0, "field %s has a column of an unexpected type",
                       path_of(r, node));
    bool same = !convert || native == node->dtype;
    size_t element = xy_dtype_size(same ? native : node->dtype);
    xy_status s = check_elements(r, node, c, from, to, element, out);
    if (s) return s;
    uint8_t *dst = xy_extend_items(out, to - from, element);
    if (!dst) return no_memory(r, node);
    return read_elements(r, node, c, from, to, element, dst, same ? take_native : take_converted);
}

/* The offsets of rows from..to: to - from + 1 of them, the first is where row `from` starts. */
static xy_status read_offsets(pages *r, const xy_node *node, uint64_t from, uint64_t to,
                              xy_buffer *out) {
    column *c = &r->columns[node->counter];
    uint64_t zero = 0;
    if (from == 0 && !xy_append(out, &zero, 8)) return no_memory(r, node);
    xy_status s = append_elements(r, node, c, from == 0 ? 0 : from - 1, to, out, false);
    if (s) return s;
    const uint64_t *offsets = (const uint64_t *)(const void *)out->data;
    for (size_t i = 0; i < to - from; i++)
        if (offsets[i] > offsets[i + 1] || offsets[i + 1] > (uint64_t)1 << 60)
            return xy_fail(r->err, XY_E_CORRUPT, 0,
                           "the offsets of field %s in cluster %" PRIu32 " go back at row %" PRIu64
                           ", from %" PRIu64 " to %" PRIu64,
                           path_of(r, node), r->cluster, from + i, offsets[i], offsets[i + 1]);
    return XY_OK;
}

/* Appends the ends of rows to a column of int32 offsets. */
static xy_status push_offsets(pages *r, const xy_node *node, xy_buffer *b, const uint64_t *offsets,
                              size_t rows) {
    int32_t last = 0;
    if (b->len == 0)
        xy_append(b, &last, 4);
    else
        memcpy(&last, b->data + b->len - 4, 4);
    if (offsets[rows] - offsets[0] > (uint64_t)(INT32_MAX - last))
        return xy_fail(r->err, XY_E_BUDGET, 0,
                       "field %s has more than 2^31 elements in one piece of a column",
                       path_of(r, node));
    uint8_t *out = xy_extend_items(b, rows, 4);
    if (!out) return no_memory(r, node);
    for (size_t i = 0; i < rows; i++) {
        int32_t end = last + (int32_t)(offsets[i + 1] - offsets[0]);
        memcpy(out + 4 * i, &end, 4);
    }
    return XY_OK;
}

static xy_status run(pages *r, int32_t index, uint64_t from, uint64_t to);

static xy_status run_number(pages *r, const xy_node *node, uint64_t from, uint64_t to) {
    xy_buffer *b = buffer_of(r, node);
    if (node->size == XY_PAGED_VALUES)
        return append_elements(r, node, &r->columns[node->counter], from, to, b, true);
    xy_buffer offsets = {0};
    xy_status s = read_offsets(r, node, from, to, &offsets);
    uint8_t *out = s ? NULL : xy_extend_items(b, to - from, 8);
    if (!s && !out) s = no_memory(r, node);
    const uint64_t *o = (const uint64_t *)(const void *)offsets.data;
    for (size_t i = 0; !s && i < to - from; i++) {
        uint64_t size = o[i + 1] - o[i];
        memcpy(out + 8 * i, &size, 8);
    }
    xy_buffer_free(&offsets);
    return s;
}

static xy_status run_list(pages *r, const xy_node *node, uint64_t from, uint64_t to) {
    xy_buffer offsets = {0};
    xy_status s = read_offsets(r, node, from, to, &offsets);
    const uint64_t *o = (const uint64_t *)(const void *)offsets.data;
    if (!s) s = push_offsets(r, node, buffer_of(r, node), o, (size_t)(to - from));
    uint64_t first = s ? 0 : o[0], end = s ? 0 : o[to - from];
    xy_buffer_free(&offsets);
    return s ? s : run(r, node->first, first, end);
}

static xy_status run_string(pages *r, const xy_node *node, uint64_t from, uint64_t to) {
    xy_buffer offsets = {0};
    xy_status s = read_offsets(r, node, from, to, &offsets);
    const uint64_t *o = (const uint64_t *)(const void *)offsets.data;
    xy_buffer *b = buffer_of(r, node);
    if (!s) s = push_offsets(r, node, b, o, (size_t)(to - from));
    if (!s) s = append_elements(r, node, &r->columns[node->size], o[0], o[to - from], b + 1, false);
    xy_buffer_free(&offsets);
    return s;
}

/* Streamed objects: each row's bytes through the program of its class onto a tape. */
static xy_status run_taped(pages *r, const xy_node *node, uint64_t from, uint64_t to) {
    xy_buffer offsets = {0}, bytes = {0};
    xy_status s = read_offsets(r, node, from, to, &offsets);
    const uint64_t *o = (const uint64_t *)(const void *)offsets.data;
    if (!s)
        s = append_elements(r, node, &r->columns[node->size], o[0], o[to - from], &bytes, false);
    xy_buffer *ends = buffer_of(r, node), *tape = ends + 1;
    xy_run *object = &r->d->run;
    object->err = r->err;
    for (uint64_t i = 0; !s && i < to - from; i++) {
        size_t start = (size_t)(o[i] - o[0]), length = (size_t)(o[i + 1] - o[i]);
        uint64_t offset_pair[2] = {tape->len, 0};
        xy_run_input(object, bytes.data + start, length, 0);
        object->tape = tape;
        s = xy_run_tape(object, node->first);
        object->tape = NULL;
        if (!s && tape->failed) s = no_memory(r, node);
        offset_pair[1] = tape->len;
        if (!s) s = push_offsets(r, node, ends, offset_pair, 1);
    }
    xy_buffer_free(&offsets);
    xy_buffer_free(&bytes);
    return s;
}

/* Rows from..to of a variant: for each an index into the alternative's rows, and which one. */
typedef struct {
    uint64_t index;
    uint32_t tag;
} choice;

static choice choice_at(const xy_buffer *switches, size_t i) {
    choice c;
    memcpy(&c.index, switches->data + SWITCH_BYTES * i, 8);
    memcpy(&c.tag, switches->data + SWITCH_BYTES * i + 8, 4);
    return c;
}

static xy_status read_switches(pages *r, const xy_node *node, uint64_t from, uint64_t to,
                               xy_buffer *out) {
    column *c = &r->columns[node->counter];
    if (c->info.type != XY_COL_SWITCH)
        return xy_fail(r->err, XY_E_UNSUPPORTED, 0, "field %s has no column of switches",
                       path_of(r, node));
    xy_status s = check_elements(r, node, c, from, to, SWITCH_BYTES, out);
    if (s) return s;
    uint8_t *dst = xy_extend_items(out, to - from, SWITCH_BYTES);
    if (!dst) return no_memory(r, node);
    return read_elements(r, node, c, from, to, SWITCH_BYTES, dst, take_switches);
}

/* The rows of one alternative follow each other; finds the first and how many. */
static xy_status rows_of(pages *r, const xy_node *node, const xy_buffer *switches, size_t rows,
                         uint32_t tag, uint64_t *first, uint64_t *count) {
    *first = *count = 0;
    for (size_t i = 0; i < rows; i++) {
        choice c = choice_at(switches, i);
        if (c.tag != tag) continue;
        if (*count == 0) *first = c.index;
        if (c.index != *first + *count)
            return xy_fail(r->err, XY_E_CORRUPT, 0,
                           "the variant %s in cluster %" PRIu32 " has rows out of order",
                           path_of(r, node), r->cluster);
        (*count)++;
    }
    return XY_OK;
}

static xy_status run_variant(pages *r, const xy_node *node, uint64_t from, uint64_t to) {
    size_t rows = (size_t)(to - from);
    xy_buffer switches = {0};
    xy_status s = read_switches(r, node, from, to, &switches);
    xy_buffer *tags = buffer_of(r, node), *indices = tags + 1;
    /* Rows of an alternative continue after those of the pieces before. */
    uint32_t counts[256] = {0}, alternatives = 0;
    for (int32_t i = node->first; i >= 0; i = node_at(r, i)->next)
        alternatives++;
    if (!s && alternatives > 125)
        s = xy_fail(r->err, XY_E_CORRUPT, 0, "the variant %s has %" PRIu32 " alternatives",
                    path_of(r, node), alternatives);
    for (size_t i = 0; !s && i < tags->len; i++)
        counts[tags->data[i]]++;
    if (!s && (!xy_reserve(tags, rows) || !xy_reserve(indices, xy_bytes_of(rows, 4))))
        s = no_memory(r, node);
    for (size_t i = 0; !s && i < rows; i++) {
        choice c = choice_at(&switches, i);
        if (c.tag > alternatives) {
            s = xy_fail(r->err, XY_E_CORRUPT, 0,
                        "the variant %s in cluster %" PRIu32 " has alternative %" PRIu32
                        " of %" PRIu32,
                        path_of(r, node), r->cluster, c.tag, alternatives);
            break;
        }
        uint8_t tag = (uint8_t)(c.tag - 1); /* none: 255 */
        xy_append_u8(tags, tag);
        xy_append_u32(indices, c.tag ? counts[tag]++ : 0);
    }
    uint32_t tag = 1;
    for (int32_t i = node->first; i >= 0 && !s; i = node_at(r, i)->next, tag++) {
        uint64_t first, count;
        s = rows_of(r, node, &switches, rows, tag, &first, &count);
        if (!s && first > (uint64_t)1 << 60)
            s = xy_fail(r->err, XY_E_CORRUPT, 0, "the variant %s has an impossible index",
                        path_of(r, node));
        if (!s && count) s = run(r, i, first, first + count);
    }
    xy_buffer_free(&switches);
    return s;
}

/* Zero or one element of the child for each row; the child has the rows that are there only. */
static xy_status run_optional(pages *r, const xy_node *node, uint64_t from, uint64_t to) {
    size_t rows = (size_t)(to - from);
    xy_buffer from_column = {0};
    bool alternative = node->size > 0;
    xy_status s = alternative ? read_switches(r, node, from, to, &from_column)
                              : read_offsets(r, node, from, to, &from_column);
    uint8_t *valid = s ? NULL : xy_extend(buffer_of(r, node), rows);
    if (!s && !valid) s = no_memory(r, node);
    const uint64_t *o = (const uint64_t *)(const void *)from_column.data;
    uint64_t first = 0, count = 0;
    if (!s && alternative)
        s = rows_of(r, node, &from_column, rows, (uint32_t)node->size, &first, &count);
    else if (!s)
        first = o[0], count = o[rows] - o[0];
    for (size_t i = 0; !s && i < rows; i++) {
        if (alternative) {
            valid[i] = choice_at(&from_column, i).tag == (uint32_t)node->size;
        } else if (o[i + 1] - o[i] <= 1) {
            valid[i] = o[i + 1] > o[i];
        } else {
            s = xy_fail(r->err, XY_E_CORRUPT, 0,
                        "the optional %s in cluster %" PRIu32 " has %" PRIu64 " values in one row",
                        path_of(r, node), r->cluster, o[i + 1] - o[i]);
        }
    }
    xy_buffer_free(&from_column);
    if (!s && first > (uint64_t)1 << 60)
        s = xy_fail(r->err, XY_E_CORRUPT, 0, "%s has an impossible index", path_of(r, node));
    return s ? s : run(r, node->first, first, first + count);
}

/* Appends the rows from..to of a node, counted in the cluster. */
static xy_status run(pages *r, int32_t index, uint64_t from, uint64_t to) {
    if (from == to) from = to = 0;
    const xy_node *node = node_at(r, index);
    xy_status s = XY_OK;
    switch (node->op) {
    case XY_OP_NUMBER: return run_number(r, node, from, to);
    case XY_OP_LIST: return run_list(r, node, from, to);
    case XY_OP_TSTRING: return run_string(r, node, from, to);
    case XY_OP_OPTIONAL: return run_optional(r, node, from, to);
    case XY_OP_VARIANT: return run_variant(r, node, from, to);
    case XY_OP_TAPE: return run_taped(r, node, from, to);
    case XY_OP_FIXED: {
        uint64_t size = (uint64_t)node->size;
        if (to > UINT64_MAX / 4 / (size ? size : 1))
            return xy_fail(r->err, XY_E_CORRUPT, 0, "field %s has too many elements",
                           path_of(r, node));
        return run(r, node->first, from * size, to * size);
    }
    case XY_OP_STRUCT:
        for (int32_t i = node->first; i >= 0 && !s; i = node_at(r, i)->next)
            s = run(r, i, from, to);
        return s;
    default:
        return xy_fail(r->err, XY_E_UNSUPPORTED, 0, "%s",
                       xy_program_text(&r->d->program, node->type_name));
    }
}

/* Finds the columns and checks that all of their pages lie in the piece. */
static xy_status open_piece(pages *r, xy_piece_head *head) {
    if (r->len < sizeof *head) return xy_fail(r->err, XY_E_TRUNCATED, 0, "a piece is cut off");
    memcpy(head, r->src, sizeof *head);
    uint64_t columns_end = sizeof *head + (uint64_t)head->columns * sizeof(xy_piece_column);
    size_t at = (size_t)columns_end;
    if (head->magic != XY_PIECE_MAGIC || head->bytes > r->len || columns_end > head->bytes)
        return xy_fail(r->err, XY_E_ARGUMENT, 0, "this is no piece of an RNTuple");
    r->cluster = head->cluster;
    r->count = (int32_t)head->columns;
    r->columns = xy_new((uint64_t)r->count + 1, sizeof *r->columns);
    if (!r->columns) return xy_fail(r->err, XY_E_MEMORY, 0, "no memory for a piece");
    size_t data = head->bytes;
    for (int32_t i = 0; i < r->count; i++) {
        column *c = &r->columns[i];
        memcpy(&c->info, r->src + sizeof *head + (size_t)i * sizeof c->info, sizeof c->info);
        c->pages = r->src + at;
        c->start = c->info.first;
        c->data = c->first_data = data;
        if (c->info.pages > (head->bytes - at) / sizeof(xy_nt_page))
            return xy_fail(r->err, XY_E_ARGUMENT, 0, "a piece lists more pages than it can hold");
        at += c->info.pages * sizeof(xy_nt_page);
        for (uint32_t k = 0; k < c->info.pages; k++) {
            xy_nt_page page = page_at(c, k);
            uint64_t stored = xy_nt_stored_bytes(&page);
            if (stored > r->len - data)
                return xy_fail(r->err, XY_E_TRUNCATED, page.offset,
                               "a page of %" PRIu64 " bytes is cut off: %zu are there", stored,
                               r->len - data);
            data += (size_t)stored;
        }
    }
    return XY_OK;
}

/* Every plan column that a node names is in the piece. */
static bool fits(const pages *r) {
    const xy_program *p = &r->d->program;
    for (int32_t i = 0; i < p->count; i++) {
        const xy_node *n = &p->nodes[i];
        bool paged = n->op == XY_OP_OPTIONAL || n->op == XY_OP_VARIANT ||
                     (n->count_name && (n->op == XY_OP_NUMBER || n->op == XY_OP_LIST));
        bool bytes = n->count_name && (n->op == XY_OP_TSTRING || n->op == XY_OP_TAPE);
        if ((paged || bytes) && (n->counter < 0 || n->counter >= r->count)) return false;
        if (bytes && (n->size < 0 || n->size >= r->count)) return false;
    }
    return true;
}

xy_status xy_pages_entries(xy_error *err, const uint8_t *src, size_t len, int64_t *entries) {
    xy_piece_head head;
    if (len < sizeof head) return xy_fail(err, XY_E_TRUNCATED, 0, "a piece is cut off");
    memcpy(&head, src, sizeof head);
    if (head.magic != XY_PIECE_MAGIC || head.entries > INT64_MAX)
        return xy_fail(err, XY_E_ARGUMENT, 0, "this is no piece of an RNTuple");
    *entries = (int64_t)head.entries;
    return XY_OK;
}

xy_status xy_pages_run(xy_decoder *d, xy_error *err, const uint8_t *src, size_t len,
                       const xy_entry_spans *spans) {
    pages r = {.d = d, .err = err, .src = src, .len = len, .keep = spans->count > 1};
    xy_piece_head head = {0};
    xy_status s = open_piece(&r, &head);
    if (!s && !fits(&r)) s = xy_fail(err, XY_E_ARGUMENT, 0, "a piece and a plan do not fit");
    int32_t root = d->program.nodes[d->program.root].first;
    for (size_t i = 0; !s && i < spans->count; i++)
        s = run(&r, root, (uint64_t)spans->list[i].from, (uint64_t)spans->list[i].to);
    for (int32_t i = 0; r.columns && i < r.count; i++)
        xy_buffer_free(&r.columns[i].kept);
    free(r.columns);
    xy_buffer_free(&r.native);
    return s;
}
