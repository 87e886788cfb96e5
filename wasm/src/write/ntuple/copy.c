/* The exported functions for RNTuples whose pages are copied: header, page lists, footer and
 * anchor are made anew from those that were read. Frames of fields and columns are copied with
 * what later versions of the format may have appended; ids in them change when fields are left
 * out. */
#include "xylem-write.h"

#include "../../abi/ctx.h"
#include "../../ntuple/checksum.h"
#include "../../ntuple/ntuple.h"
#include "../envelope_writer.h"
#include "copy.h"

#include <inttypes.h>

/* ---- the choice of fields ---- */

/* A record without a type, whose members can be left out. The name of a type says its parts. */
static bool is_loose(const xy_nt_field *f) {
    return f->role == XY_NT_RECORD && !f->type.len;
}

/* Fields that are kept, of which those from `done` on have not been looked at. */
typedef struct {
    int32_t *list, count, done;
} queue;

static void keep(xw_ntuple *w, queue *q, int32_t field) {
    if (w->fields[field] >= 0) return;
    w->fields[field] = 0;
    q->list[q->count++] = field;
}

static void keep_members(xw_ntuple *w, queue *q, const xy_nt_field *f) {
    bool all = !is_loose(f), some = false;
    for (int32_t i = f->first_child; i >= 0; i = w->nt->fields[i].next) {
        if (all) keep(w, q, i);
        some |= w->fields[i] >= 0;
    }
    /* A record has at least one member. */
    if (!some && f->first_child >= 0) keep(w, q, f->first_child);
}

/* Keeps all that a kept field needs: what holds it, its parts, and what it projects. */
static void keep_needed(xw_ntuple *w, queue *q, const xy_nt_field *f) {
    const xy_ntuple *nt = w->nt;
    if (f->parent >= 0) keep(w, q, f->parent);
    if (f->source >= 0 && f->source < nt->field_count) keep(w, q, f->source);
    for (int32_t i = 0; i < f->column_count; i++)
        keep(w, q, nt->columns[nt->attached[f->first_column + i]].field);
    keep_members(w, q, f);
}

static bool choose(xw_ntuple *w, const uint8_t *wanted) {
    const xy_ntuple *nt = w->nt;
    queue q = {xy_new((uint64_t)nt->field_count + 1, sizeof *q.list), 0, 0};
    if (!q.list) return false;
    for (int32_t i = 0; i < nt->field_count; i++)
        w->fields[i] = -1;
    for (int32_t i = 0; i < nt->field_count; i++) {
        int32_t field = nt->order[i], parent = nt->fields[field].parent;
        /* Depth first, so that parents come before their parts. */
        if (!wanted || wanted[i] || (parent >= 0 && w->fields[parent] >= 0)) keep(w, &q, field);
    }
    while (q.done < q.count)
        keep_needed(w, &q, &nt->fields[q.list[q.done++]]);
    free(q.list);
    int32_t id = 0;
    for (int32_t i = 0; i < nt->field_count; i++)
        if (w->fields[i] >= 0) w->fields[i] = id++;
    id = 0;
    for (int32_t i = 0; i < nt->column_count; i++) {
        w->columns[i] = w->fields[nt->columns[i].field] >= 0 ? id++ : -1;
        if (w->columns[i] >= 0) w->listed[w->columns[i]] = i;
    }
    w->listed_count = id;
    return true;
}

void xw_ntuple_destroy(xw_ntuple *w) {
    if (!w) return;
    free(w->fields);
    free(w->columns);
    free(w->listed);
    free(w->elements);
    free(w->next_elements);
    free(w->zeros);
    free(w->left_out);
    free(w->late);
    free(w);
}

xw_ntuple *xw_ntuple_create(xy_ctx *ctx, const xy_ntuple *nt, const uint8_t *wanted) {
    if (!xy_ctx_expect(ctx, nt->order && nt->groups_read == nt->group_count)) return NULL;
    xw_ntuple *w = xy_new(1, sizeof *w);
    if (w) {
        uint64_t columns = (uint64_t)nt->column_count + 1;
        w->nt = nt;
        w->fields = xy_new((uint64_t)nt->field_count + 1, sizeof *w->fields);
        w->columns = xy_new(columns, sizeof *w->columns);
        w->listed = xy_new(columns, sizeof *w->listed);
        w->elements = xy_new(columns, sizeof *w->elements);
        w->next_elements = xy_new(columns, sizeof *w->next_elements);
    }
    if (!w || !w->fields || !w->columns || !w->listed || !w->elements || !w->next_elements ||
        !choose(w, wanted)) {
        xy_fail(&ctx->err, XY_E_MEMORY, 0, "no memory for an RNTuple");
        xw_ntuple_destroy(w);
        return NULL;
    }
    return w;
}

/* The payload of an envelope that was read. */
static xy_cursor payload_of(const xy_buffer *envelope) {
    xy_cursor c = xy_cursor_of(envelope->data, envelope->len - 8);
    c.pos = 8;
    return c;
}

static bool is_left_out(const xw_ntuple *w, const xy_nt_cluster *cluster) {
    return w->left_out && w->left_out[cluster - w->nt->clusters];
}

/* Entries and clusters of the groups, as XW_GROUP_* begins. */
static void put_group_list(const xw_ntuple *w, xy_buffer *out) {
    xy_tape_key(out, "groups");
    const xy_ntuple *nt = w->nt;
    uint8_t *data = xy_tape_array(out, XY_F64, 3 * (uint32_t)nt->group_count);
    uint64_t before = w->entries;
    for (int32_t i = 0; data && i < nt->group_count; i++) {
        const xy_nt_group *g = &nt->groups[i];
        uint64_t entries = g->entries;
        uint32_t clusters = g->clusters;
        for (uint32_t k = 0; k < g->clusters; k++) {
            const xy_nt_cluster *cluster = &nt->clusters[g->first_number + (int32_t)k];
            if (!is_left_out(w, cluster)) continue;
            entries -= cluster->entries;
            clusters--;
        }
        double numbers[] = {(double)(g->first_entry + before), (double)entries, clusters};
        memcpy(data + sizeof numbers * (size_t)i, numbers, sizeof numbers);
        before -= g->entries - entries;
    }
}

static int32_t columns_of(const xy_ntuple *nt, const xy_nt_cluster *cluster) {
    return cluster->range_count < (uint32_t)nt->column_count ? (int32_t)cluster->range_count
                                                             : nt->column_count;
}

/* Places and stored bytes of the pages that are kept; 0 for others. */
static bool find_pages(const xw_ntuple *w, xy_error *err, double *offset, double *bytes) {
    const xy_ntuple *nt = w->nt;
    uint64_t most = nt->anchor.max_key_size ? nt->anchor.max_key_size : UINT64_MAX;
    for (int32_t i = 0; i < nt->cluster_count; i++) {
        if (is_left_out(w, &nt->clusters[i])) continue;
        for (int32_t k = 0; k < columns_of(nt, &nt->clusters[i]); k++) {
            const xy_nt_range *range = xy_nt_range_of(nt, &nt->clusters[i], k);
            if (w->columns[k] < 0) continue;
            for (uint32_t p = range->first_page; p < range->first_page + range->page_count; p++) {
                uint64_t stored = xy_nt_stored_bytes(&nt->pages[p]);
                if (stored > most) {
                    xy_fail(err, XY_E_UNSUPPORTED, (size_t)nt->pages[p].offset,
                            "a page of %" PRIu64 " bytes is stored in several keys", stored);
                    return false;
                }
                offset[p] = (double)nt->pages[p].offset;
                bytes[p] = (double)stored;
            }
        }
    }
    return true;
}

int32_t xw_ntuple_pages(xy_ctx *ctx, const xw_ntuple *w) {
    xy_ctx_begin(ctx);
    const xy_ntuple *nt = w->nt;
    xy_buffer *out = &ctx->out;
    size_t mark = xy_tape_object(out, 0, "", 0);
    xy_tape_key(out, "kept");
    uint8_t *kept = xy_tape_array(out, XY_U8, (uint32_t)nt->field_count);
    for (int32_t i = 0; kept && i < nt->field_count; i++)
        kept[i] = w->fields[nt->order[i]] >= 0;
    put_group_list(w, out);
    xy_tape_key(out, "attributes");
    xy_nt_put_attribute_sets(nt, out);
    xy_tape_key(out, "zeros");
    uint8_t *zeros = xy_tape_array(out, XY_U32, (uint32_t)w->zero_count);
    if (zeros && w->zero_count) memcpy(zeros, w->zeros, xy_bytes_of((uint64_t)w->zero_count, 4));
    uint32_t pages = (uint32_t)nt->page_count;
    double *offset = xy_new((uint64_t)pages + 1, sizeof *offset);
    double *bytes = xy_new((uint64_t)pages + 1, sizeof *bytes);
    if (!offset || !bytes) {
        xy_fail(&ctx->err, XY_E_MEMORY, 0, "no memory for the places of pages");
    } else if (find_pages(w, &ctx->err, offset, bytes)) {
        static const char *const names[] = {"offset", "bytes"};
        const double *lists[] = {offset, bytes};
        for (int k = 0; k < 2; k++) {
            xy_tape_key(out, names[k]);
            uint8_t *data = xy_tape_array(out, XY_F64, pages);
            if (data) memcpy(data, lists[k], xy_bytes_of(pages, 8));
        }
    }
    xy_tape_object_end(out, mark);
    free(offset);
    free(bytes);
    return xy_ctx_end(ctx);
}

/* ---- the schema: lists of fields, columns, alias columns, extra type information ---- */

/* Numbers of the items that were copied before, in header and footer. */
typedef struct {
    int32_t fields, columns;
} seen;

static void put_id(xy_buffer *out, size_t at, int32_t id) {
    if (!out->failed) memcpy(out->data + at, &id, 4);
}

/* The place of the source field's id in the frame of a projected field. */
static size_t source_place(const uint8_t *frame, size_t len, uint16_t flags) {
    xy_cursor c = xy_cursor_of(frame, len);
    xy_take(&c, 8 + 4 + 4 + 4 + 2 + 2);
    for (int i = 0; i < 4; i++)
        xy_le_string(&c);
    if (flags & XY_NT_REPETITIVE) xy_le64(&c);
    return c.pos;
}

static bool copy_field(const xw_ntuple *w, int32_t old, const uint8_t *frame, size_t len,
                       xy_buffer *out) {
    const xy_nt_field *f = &w->nt->fields[old];
    int32_t id = w->fields[old];
    if (id < 0) return false;
    size_t start = out->len;
    xy_append(out, frame, len);
    put_id(out, start + 8 + 8, f->parent < 0 ? id : w->fields[f->parent]);
    if (f->source >= 0 && f->source < w->nt->field_count)
        put_id(out, start + source_place(frame, len, f->flags), w->fields[f->source]);
    return true;
}

static bool copy_column(const xw_ntuple *w, int32_t old, const uint8_t *frame, size_t len,
                        xy_buffer *out) {
    if (w->columns[old] < 0) return false;
    size_t start = out->len;
    xy_append(out, frame, len);
    const xy_nt_column *column = &w->nt->columns[old];
    put_id(out, start + 8 + 4, w->fields[column->field]);
    uint64_t first = column->first - (w->late ? w->late[w->columns[old]] : 0);
    if (column->deferred && !out->failed) memcpy(out->data + start + 8 + 12, &first, 8);
    return true;
}

static bool copy_alias(const xw_ntuple *w, const uint8_t *frame, size_t len, xy_buffer *out) {
    xy_cursor c = xy_cursor_of(frame, len);
    xy_take(&c, 8);
    uint32_t column = xy_le32(&c), field = xy_le32(&c);
    if (w->fields[field] < 0) return false;
    size_t start = out->len;
    xy_append(out, frame, len);
    put_id(out, start + 8, w->columns[column]);
    put_id(out, start + 12, w->fields[field]);
    return true;
}

/* Copies the four lists. They were read before, so ids are those of what is known. */
static xy_status copy_schema(const xw_ntuple *w, xy_error *err, xy_cursor *c, seen *before,
                             xy_buffer *out) {
    enum { FIELDS, COLUMNS, ALIASES, LISTS = 4 };
    for (int k = 0; k < LISTS; k++) {
        xy_frame list, item;
        xy_status s = xy_frame_open(err, c, 8, &list);
        size_t mark = xw_list_begin(out);
        uint32_t kept = 0;
        for (uint32_t i = 0; !s && i < list.items; i++) {
            size_t start = c->pos;
            s = xy_frame_open(err, c, 0, &item);
            if (!s) s = xy_frame_close(err, c, &item, "the schema");
            if (s) break;
            const uint8_t *frame = c->base + start;
            size_t len = c->pos - start;
            if (k == FIELDS)
                kept += copy_field(w, before->fields++, frame, len, out);
            else if (k == COLUMNS)
                kept += copy_column(w, before->columns++, frame, len, out);
            else if (k == ALIASES)
                kept += copy_alias(w, frame, len, out);
            else
                kept += xy_append(out, frame, len);
        }
        if (s) return s;
        xy_append(out, c->base + c->pos, xy_left(c));
        xw_list_end(out, mark, kept);
        s = xy_frame_close(err, c, &list, "the schema");
        if (s) return s;
    }
    return XY_OK;
}

static xy_status put_header(xw_ntuple *w, xy_error *err, xy_buffer *out, seen *done) {
    xy_cursor c = payload_of(&w->nt->header);
    size_t mark = xw_envelope_begin(out);
    xy_status s = xy_read_features(err, &c);
    for (int i = 0; i < 3; i++)
        xy_le_string(&c);
    xy_append(out, c.base + 8, c.pos - 8);
    if (!s) s = copy_schema(w, err, &c, done, out);
    xy_append(out, c.base + c.pos, xy_left(&c));
    w->checksum = xw_envelope_end(out, mark, XY_ENVELOPE_HEADER);
    return s;
}

int32_t xw_ntuple_header(xy_ctx *ctx, xw_ntuple *w) {
    xy_ctx_begin(ctx);
    seen done = {0};
    put_header(w, &ctx->err, &ctx->out, &done);
    return xy_ctx_end(ctx);
}

/* ---- page lists ---- */

static void put_page(const xy_nt_page *page, double place, xy_buffer *out) {
    int32_t count = (int32_t)xy_nt_page_elements(page);
    xy_append_u32(out, (uint32_t)(xy_nt_has_checksum(page) ? -count : count));
    xw_put_locator(out, page->size, (uint64_t)place);
}

/* Pages of zeros, whose places and stored bytes follow those of the pages that are copied. */
static uint32_t put_zeros(const xw_ntuple *w, int32_t column, uint64_t missing,
                          const double *places, xy_buffer *out) {
    const xy_nt_column *col = &w->nt->columns[column];
    uint32_t pages = 0;
    while (missing > 0) {
        uint64_t most = xw_zero_elements(col), count = missing < most ? missing : most;
        uint32_t bytes = xw_zero_bytes(col, count);
        int32_t k = 0;
        while (k < w->zero_count - 1 && w->zeros[k] != bytes)
            k++;
        const double *zero = places + w->nt->page_count + 2 * (size_t)k;
        xy_append_u32(out, (uint32_t)count);
        xw_put_locator(out, (uint64_t)zero[1], (uint64_t)zero[0]);
        missing -= count;
        pages++;
    }
    return pages;
}

static void put_share(const xw_ntuple *w, int32_t column, const xw_share *share,
                      const double *places, xy_buffer *out) {
    const xy_nt_range *range = share->suppressed ? NULL : share->range;
    size_t mark = xw_list_begin(out);
    uint32_t pages = share->suppressed ? 0 : put_zeros(w, column, share->missing, places, out);
    for (uint32_t i = 0; range && i < range->page_count; i++, pages++)
        put_page(&w->nt->pages[range->first_page + i], places[range->first_page + i], out);
    if (share->suppressed) {
        xw_put_u64(out, (uint64_t)INT64_MIN);
    } else {
        xw_put_u64(out, share->first + w->elements[w->columns[column]]);
        xy_append_u32(out, share->compression);
    }
    xw_list_end(out, mark, pages);
}

static xy_status put_columns(const xw_ntuple *w, xy_error *err, const xy_nt_cluster *cluster,
                             const double *places, xy_buffer *out) {
    size_t mark = xw_list_begin(out);
    uint32_t kept = 0;
    for (int32_t i = 0; i < w->listed_count; i++, kept++) {
        int32_t column = w->listed[i];
        const xy_nt_range *range = xy_nt_range_of(w->nt, cluster, column);
        xw_share share = {range, false, 0, 0, 0, 0};
        if (w->follows) {
            xy_status s = xw_share_of(w->nt, err, cluster, column, false, &share);
            if (s) return s;
        } else if (range) {
            share.suppressed = range->suppressed;
            share.first = (uint64_t)range->first;
            share.compression = range->compression;
        } else {
            break; /* nor are those that came later */
        }
        put_share(w, column, &share, places, out);
    }
    xw_list_end(out, mark, kept);
    return XY_OK;
}

int32_t xw_ntuple_page_list(xy_ctx *ctx, xw_ntuple *w, int32_t group, const double *places) {
    const xy_ntuple *nt = w->nt;
    if (!xy_ctx_expect(ctx, group >= 0 && group < nt->group_count)) return xy_ctx_end(ctx);
    const xy_nt_cluster *clusters = nt->clusters + nt->groups[group].first_number;
    uint32_t count = nt->groups[group].clusters, kept = 0;
    xy_buffer *out = &ctx->out;
    size_t envelope = xw_envelope_begin(out);
    xw_put_u64(out, w->checksum);
    size_t list = xw_list_begin(out);
    uint64_t before = w->entries;
    for (uint32_t i = 0; i < count; i++) {
        if (is_left_out(w, &clusters[i])) {
            before -= clusters[i].entries;
            continue;
        }
        size_t record = xw_record_begin(out);
        xw_put_u64(out, clusters[i].first_entry + before);
        xw_put_u64(out, clusters[i].entries);
        xw_record_end(out, record);
        kept++;
    }
    xw_list_end(out, list, kept);
    list = xw_list_begin(out);
    xy_status s = XY_OK;
    for (uint32_t i = 0; i < count && !s; i++)
        s = is_left_out(w, &clusters[i]) ? xw_pass_cluster(w, &ctx->err, &clusters[i])
                                         : put_columns(w, &ctx->err, &clusters[i], places, out);
    xw_list_end(out, list, kept);
    xw_envelope_end(out, envelope, XY_ENVELOPE_PAGE_LIST);
    return xy_ctx_end(ctx);
}

/* ---- footer and anchor ---- */

int32_t xw_ntuple_footer(xy_ctx *ctx, xw_ntuple *w, const double *groups, uint32_t count) {
    xy_ctx_begin(ctx);
    xy_error *err = &ctx->err;
    xy_buffer *out = &ctx->out;
    seen done = {0};
    /* The schema of the footer goes on where that of the header ends. */
    xy_status s = put_header(w, err, out, &done);
    out->len = 0;
    xy_cursor c = payload_of(&w->nt->footer);
    size_t envelope = xw_envelope_begin(out);
    if (!s) s = xy_read_features(err, &c);
    xy_append(out, c.base + 8, c.pos - 8);
    xy_take(&c, 8);
    xw_put_u64(out, w->checksum);
    xy_frame extension, list;
    if (!s) s = xy_frame_open(err, &c, 0, &extension);
    if (s) return xy_ctx_end(ctx);
    size_t record = xw_record_begin(out);
    if (xy_left(&c) > 0) s = copy_schema(w, err, &c, &done, out);
    xy_append(out, c.base + c.pos, xy_left(&c));
    xw_record_end(out, record);
    if (!s) s = xy_frame_close(err, &c, &extension, "the schema extension");
    if (!s) s = xy_frame_open(err, &c, 8, &list);
    if (s) return xy_ctx_end(ctx);
    xw_put_groups(out, groups, count);
    c.pos = list.end;
    c.end = list.outer_end;
    if (xy_left(&c) > 0) {
        /* The attribute sets: their anchors are places in the file, so that a copy has none. */
        s = xy_frame_open(err, &c, 8, &list);
        if (s) return xy_ctx_end(ctx);
        xw_list_end(out, xw_list_begin(out), 0);
        c.pos = list.end;
        c.end = list.outer_end;
    }
    xy_append(out, c.base + c.pos, xy_left(&c));
    xw_envelope_end(out, envelope, XY_ENVELOPE_FOOTER);
    return xy_ctx_end(ctx);
}

int32_t xw_ntuple_anchor(xy_ctx *ctx, const uint8_t *src, size_t len, const double *numbers) {
    enum {
        COUNT = 4,
        VERSIONS = 2 + 8,
        MEMBERS = 56,
        CHECKSUM = 8,
        NEW_COUNT = VERSIONS + MEMBERS
    };
    /* Version 2 of the class, and version 1.0.0.0 of the format. */
    static const uint8_t fresh[COUNT + NEW_COUNT + CHECKSUM] = {0x40, 0, 0, NEW_COUNT, 0, 2, 0, 1};
    xy_ctx_begin(ctx);
    if (!src) {
        src = fresh;
        len = sizeof fresh;
    }
    xy_cursor c = xy_cursor_of(src, len);
    size_t end = (size_t)(xy_u32(&c) & 0x3fffffffu) + COUNT;
    if (c.bad || end < COUNT + VERSIONS + MEMBERS || len < 8 || end > len - 8) {
        xy_fail(&ctx->err, XY_E_CORRUPT, 0, "the anchor of an RNTuple has %zu bytes", len);
        return xy_ctx_end(ctx);
    }
    if (!xy_append(&ctx->out, src, len)) return xy_ctx_end(ctx);
    uint8_t *object = ctx->out.data;
    for (int i = 0; i < XW_ANCHOR_NUMBERS; i++) {
        uint64_t v = __builtin_bswap64((uint64_t)numbers[i]);
        memcpy(object + COUNT + VERSIONS + 8 * i, &v, 8);
    }
    uint64_t checksum = xy_xxh3(object + COUNT + 2, end - COUNT - 2);
    checksum = __builtin_bswap64(checksum);
    memcpy(object + end, &checksum, 8);
    return xy_ctx_end(ctx);
}
