/* The exported functions for RNTuples whose pages are copied: header, page lists, footer and
 * anchor are made anew from those that were read. Frames of fields and columns are copied with
 * what later versions of the format may have appended; ids in them change when fields are left
 * out. */
#include "xylem-write.h"

#include "../abi/ctx.h"
#include "../ntuple/checksum.h"
#include "../ntuple/ntuple.h"
#include "envelope_writer.h"

#include <inttypes.h>

struct xw_ntuple {
    const xy_ntuple *nt;
    int32_t *fields, *columns; /* new ids; -1: left out */
    uint64_t checksum;         /* of the new header */
    /* Entries, and elements of each column, that lie before it in a merged RNTuple. */
    uint64_t entries;
    uint64_t *elements;
};

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
    for (int32_t i = 0; i < nt->column_count; i++)
        w->columns[i] = w->fields[nt->columns[i].field] >= 0 ? id++ : -1;
    return true;
}

void xw_ntuple_destroy(xw_ntuple *w) {
    if (!w) return;
    free(w->fields);
    free(w->columns);
    free(w->elements);
    free(w);
}

xw_ntuple *xw_ntuple_create(xy_ctx *ctx, const xy_ntuple *nt, const uint8_t *wanted) {
    if (!xy_ctx_expect(ctx, nt->order && nt->groups_read == nt->group_count)) return NULL;
    xw_ntuple *w = xy_new(1, sizeof *w);
    if (w) {
        w->nt = nt;
        w->fields = xy_new((uint64_t)nt->field_count + 1, sizeof *w->fields);
        w->columns = xy_new((uint64_t)nt->column_count + 1, sizeof *w->columns);
        w->elements = xy_new((uint64_t)nt->column_count + 1, sizeof *w->elements);
    }
    if (!w || !w->fields || !w->columns || !w->elements || !choose(w, wanted)) {
        xy_fail(&ctx->err, XY_E_MEMORY, 0, "no memory for an RNTuple");
        xw_ntuple_destroy(w);
        return NULL;
    }
    return w;
}

/* Entries and clusters of the groups, as XW_GROUP_* begins. */
static void put_group_list(const xw_ntuple *w, xy_buffer *out) {
    xy_tape_key(out, "groups");
    const xy_ntuple *nt = w->nt;
    uint8_t *data = xy_tape_array(out, XY_F64, 3 * (uint32_t)nt->group_count);
    for (int32_t i = 0; data && i < nt->group_count; i++) {
        const xy_nt_group *g = &nt->groups[i];
        double numbers[] = {(double)(g->first_entry + w->entries), (double)g->entries, g->clusters};
        memcpy(data + sizeof numbers * (size_t)i, numbers, sizeof numbers);
    }
}

/* Columns that a cluster has. */
static int32_t columns_of(const xy_ntuple *nt, const xy_nt_cluster *cluster) {
    return cluster->range_count < (uint32_t)nt->column_count ? (int32_t)cluster->range_count
                                                             : nt->column_count;
}

/* Places and stored bytes of the pages that are kept; 0 for others. */
static bool find_pages(const xw_ntuple *w, xy_error *err, double *offset, double *bytes) {
    const xy_ntuple *nt = w->nt;
    uint64_t most = nt->anchor.max_key_size ? nt->anchor.max_key_size : UINT64_MAX;
    for (int32_t i = 0; i < nt->cluster_count; i++) {
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
    put_id(out, start + 8 + 4, w->fields[w->nt->columns[old].field]);
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

/* The payload of an envelope that was read. */
static xy_cursor payload_of(const xy_buffer *envelope) {
    xy_cursor c = xy_cursor_of(envelope->data, envelope->len - 8);
    c.pos = 8;
    return c;
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

static void put_range(const xw_ntuple *w, int32_t column, const xy_nt_range *range,
                      const double *places, xy_buffer *out) {
    size_t mark = xw_list_begin(out);
    for (uint32_t i = 0; i < range->page_count; i++) {
        const xy_nt_page *page = &w->nt->pages[range->first_page + i];
        int32_t count = (int32_t)xy_nt_page_elements(page);
        xy_append_u32(out, (uint32_t)(xy_nt_has_checksum(page) ? -count : count));
        xw_put_locator(out, page->size, (uint64_t)places[range->first_page + i]);
    }
    if (range->suppressed) {
        xw_put_u64(out, (uint64_t)INT64_MIN);
    } else {
        xw_put_u64(out, (uint64_t)range->first + w->elements[column]);
        xy_append_u32(out, range->compression);
    }
    xw_list_end(out, mark, range->page_count);
}

static void put_columns(const xw_ntuple *w, const xy_nt_cluster *cluster, const double *places,
                        xy_buffer *out) {
    size_t mark = xw_list_begin(out);
    uint32_t kept = 0;
    for (int32_t k = 0; k < columns_of(w->nt, cluster); k++) {
        if (w->columns[k] < 0) continue;
        put_range(w, k, xy_nt_range_of(w->nt, cluster, k), places, out);
        kept++;
    }
    xw_list_end(out, mark, kept);
}

int32_t xw_ntuple_page_list(xy_ctx *ctx, const xw_ntuple *w, int32_t group, const double *places) {
    const xy_ntuple *nt = w->nt;
    if (!xy_ctx_expect(ctx, group >= 0 && group < nt->group_count)) return xy_ctx_end(ctx);
    const xy_nt_cluster *clusters = nt->clusters + nt->groups[group].first_number;
    uint32_t count = nt->groups[group].clusters;
    xy_buffer *out = &ctx->out;
    size_t envelope = xw_envelope_begin(out);
    xw_put_u64(out, w->checksum);
    size_t list = xw_list_begin(out);
    for (uint32_t i = 0; i < count; i++) {
        size_t record = xw_record_begin(out);
        xw_put_u64(out, clusters[i].first_entry + w->entries);
        xw_put_u64(out, clusters[i].entries);
        xw_record_end(out, record);
    }
    xw_list_end(out, list, count);
    list = xw_list_begin(out);
    for (uint32_t i = 0; i < count; i++)
        put_columns(w, &clusters[i], places, out);
    xw_list_end(out, list, count);
    xw_envelope_end(out, envelope, XY_ENVELOPE_PAGE_LIST);
    return xy_ctx_end(ctx);
}

/* ---- footer and anchor ---- */

static void put_groups(const double *groups, uint32_t count, xy_buffer *out) {
    size_t list = xw_list_begin(out);
    for (uint32_t i = 0; i < count; i++, groups += XW_GROUP_NUMBERS) {
        size_t record = xw_record_begin(out);
        xw_put_u64(out, (uint64_t)groups[XW_GROUP_FIRST]);
        xw_put_u64(out, (uint64_t)groups[XW_GROUP_ENTRIES]);
        xy_append_u32(out, (uint32_t)groups[XW_GROUP_CLUSTERS]);
        xw_put_u64(out, (uint64_t)groups[XW_GROUP_LENGTH]);
        xw_put_locator(out, (uint64_t)groups[XW_GROUP_BYTES], (uint64_t)groups[XW_GROUP_SEEK]);
        xw_record_end(out, record);
    }
    xw_list_end(out, list, count);
}

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
    put_groups(groups, count, out);
    c.pos = list.end;
    c.end = list.outer_end;
    xy_append(out, c.base + c.pos, xy_left(&c));
    xw_envelope_end(out, envelope, XY_ENVELOPE_FOOTER);
    return xy_ctx_end(ctx);
}

int32_t xw_ntuple_anchor(xy_ctx *ctx, const uint8_t *src, size_t len, const double *numbers) {
    enum { COUNT = 4, VERSIONS = 2 + 8, MEMBERS = 56 };
    xy_ctx_begin(ctx);
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

/* ---- merging ---- */

static bool same_text(xy_str a, xy_str b) {
    return a.len == b.len && memcmp(a.text, b.text, a.len) == 0;
}

static bool same_field(const xy_nt_field *a, const xy_nt_field *b) {
    return same_text(a->name, b->name) && same_text(a->type, b->type) && a->version == b->version &&
           a->type_version == b->type_version && a->checksum == b->checksum &&
           a->parent == b->parent && a->role == b->role && a->flags == b->flags &&
           a->array_size == b->array_size;
}

static bool same_column(const xy_nt_column *a, const xy_nt_column *b) {
    return a->type == b->type && a->bits == b->bits && a->representation == b->representation &&
           a->field == b->field && memcmp(&a->min, &b->min, 8) == 0 &&
           memcmp(&a->max, &b->max, 8) == 0;
}

static xy_status differs(xy_error *err, const char *what, xy_str name) {
    return xy_fail(err, XY_E_UNSUPPORTED, 0, "%s of the field %.*s", what,
                   (int)(name.len < 200 ? name.len : 200), name.text);
}

static xy_status compare(const xy_ntuple *a, const xy_ntuple *b, xy_error *err) {
    int32_t fields = a->field_count < b->field_count ? a->field_count : b->field_count;
    for (int32_t i = 0; i < fields; i++)
        if (!same_field(&a->fields[i], &b->fields[i]))
            return differs(err, "name, type or version", b->fields[i].name);
    if (a->field_count != b->field_count) {
        const xy_ntuple *longer = a->field_count > b->field_count ? a : b;
        return differs(err, "presence", longer->fields[fields].name);
    }
    int32_t columns = a->column_count < b->column_count ? a->column_count : b->column_count;
    for (int32_t i = 0; i < columns; i++)
        if (!same_column(&a->columns[i], &b->columns[i]))
            return differs(err, "encoding, bits or range", b->fields[b->columns[i].field].name);
    if (a->column_count != b->column_count) {
        const xy_ntuple *longer = a->column_count > b->column_count ? a : b;
        return differs(err, "encoding", longer->fields[longer->columns[columns].field].name);
    }
    bool same = a->alias_count == b->alias_count;
    for (int32_t i = 0; same && i < a->alias_count; i++)
        same = a->aliases[i].column == b->aliases[i].column &&
               a->aliases[i].field == b->aliases[i].field;
    return same ? XY_OK : xy_fail(err, XY_E_UNSUPPORTED, 0, "projected fields");
}

#define MAX_ELEMENTS ((uint64_t)1 << 60)

/* Elements of a column up to the end of the last cluster; -1 where that has none of it. */
static int64_t end_of(const xy_ntuple *nt, int32_t column) {
    if (nt->cluster_count == 0) return 0;
    const xy_nt_cluster *last = &nt->clusters[nt->cluster_count - 1];
    const xy_nt_field *field = &nt->fields[nt->columns[column].field];
    int32_t arity = xy_nt_arity(nt, field), k = 0;
    for (int32_t i = 0; i < field->column_count; i++)
        if (nt->attached[field->first_column + i] == column) k = i % arity;
    int32_t active = xy_nt_active(nt, field, k, last);
    const xy_nt_range *range = active < 0 ? NULL : xy_nt_range_of(nt, last, active);
    bool known = range && range->first >= 0 && range->elements <= MAX_ELEMENTS &&
                 (uint64_t)range->first <= MAX_ELEMENTS;
    return known ? range->first + (int64_t)range->elements : -1;
}

int32_t xw_ntuple_follow(xy_ctx *ctx, xw_ntuple *w, const xw_ntuple *before) {
    xy_ctx_begin(ctx);
    const xy_ntuple *nt = w->nt;
    if (compare(before->nt, nt, &ctx->err)) return xy_ctx_end(ctx);
    for (int32_t i = 0; i < nt->column_count; i++) {
        int64_t end = end_of(before->nt, i);
        if (end < 0 || nt->columns[i].deferred) {
            differs(&ctx->err, "first entry", nt->fields[nt->columns[i].field].name);
            return xy_ctx_end(ctx);
        }
        w->elements[i] = before->elements[i] + (uint64_t)end;
    }
    w->entries = before->entries + before->nt->entries;
    w->checksum = before->checksum;
    return xy_ctx_end(ctx);
}
