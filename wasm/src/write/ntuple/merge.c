/* RNTuples behind each other: which field of one is which field of another, and how many elements
 * of each column lie before an RNTuple. */
#include "xylem-write.h"

#include "../../abi/ctx.h"
#include "../../ntuple/checksum.h"
#include "../../ntuple/pages.h"
#include "copy.h"

#include <inttypes.h>

#define MAX_ELEMENTS ((uint64_t)1 << 60)
#define MAX_ENTRIES ((uint64_t)1 << 52)
/* Zeros that are written for one column in one cluster. */
#define MAX_MISSING ((uint64_t)1 << 31)
/* Pages of zeros that page lists name, and different lengths of these, because a page list is
 * longer by each, and lengths are looked up one by one. */
#define MAX_ZERO_PAGES ((uint64_t)1 << 19)
#define MAX_ZERO_LENGTHS (1 << 13)

/* ---- elements of clusters ---- */

/* The place of a column among those of one representation of its field. */
static int32_t place_of(const xy_ntuple *nt, const xy_nt_field *field, int32_t column) {
    int32_t i = 0;
    while (nt->attached[field->first_column + i] != column)
        i++;
    return i % xy_nt_arity(nt, field);
}

static bool varies(const xy_nt_field *f) {
    return f->role == XY_NT_COLLECTION || f->role == XY_NT_VARIANT || f->role == XY_NT_STREAMER;
}

/* The field whose columns say how many elements there are of the `place`-th column of a field; NULL
 * where each entry has `*each` of them. */
static const xy_nt_field *counter_of(const xy_ntuple *nt, const xy_nt_field *f, int32_t place,
                                     uint64_t *each) {
    *each = 1;
    if (place > 0) return f;
    for (;; f = &nt->fields[f->parent]) {
        if (f->flags & XY_NT_REPETITIVE) {
            bool fits = *each == 0 || f->array_size <= MAX_ELEMENTS / *each;
            *each = fits ? *each * f->array_size : MAX_ELEMENTS;
        }
        if (f->parent < 0) return NULL;
        if (varies(&nt->fields[f->parent])) return &nt->fields[f->parent];
    }
}

static xy_status fail_at(const xy_ntuple *nt, xy_error *err, xy_status status, int32_t field,
                         const char *what) {
    xy_buffer path = {0};
    xy_nt_put_path(nt, &nt->fields[field], &path);
    xy_fail(err, path.failed ? XY_E_MEMORY : status, 0, "the field %.*s %s",
            (int)(path.len < 200 ? path.len : 200), (const char *)path.data, what);
    xy_buffer_free(&path);
    return (xy_status)err->status;
}

xy_status xw_share_of(const xy_ntuple *nt, xy_error *err, const xy_nt_cluster *cluster,
                      int32_t column, bool left_out, xw_share *out) {
    int32_t id = nt->columns[column].field;
    const xy_nt_field *field = &nt->fields[id];
    int32_t place = place_of(nt, field, column);
    int32_t active = xy_nt_active(nt, field, place, cluster);
    if (active < 0) return fail_at(nt, err, XY_E_CORRUPT, id, "has a cluster without its columns");
    const xy_nt_range *range = xy_nt_range_of(nt, cluster, active);
    *out = (xw_share){range, active != column, 0, 0, 0, 0};
    if (range) {
        out->elements = range->elements;
        out->first = (uint64_t)range->first;
        out->compression = range->compression;
    } else if (cluster->range_count > 0) {
        out->compression = nt->ranges[cluster->first_range].compression;
    }
    uint64_t each;
    const xy_nt_field *counter = counter_of(nt, field, place, &each);
    if (counter) {
        int32_t offsets = xy_nt_active(nt, counter, 0, cluster);
        if (!range && (offsets < 0 || xy_nt_range_of(nt, cluster, offsets)))
            return fail_at(nt, err, XY_E_UNSUPPORTED, id, "came later than what it is a part of");
        return XY_OK;
    }
    if (each > 0 &&
        (cluster->entries > MAX_ELEMENTS / each || cluster->first_entry > MAX_ELEMENTS / each))
        return fail_at(nt, err, XY_E_CORRUPT, id, "claims an impossible number of elements");
    uint64_t all = cluster->entries * each;
    bool may_lack = !range || nt->columns[active].deferred;
    bool fits = out->elements == all || (out->elements < all && may_lack);
    if (!fits && !left_out)
        return fail_at(nt, err, XY_E_CORRUPT, id, "has a number of elements that does not fit");
    out->missing = fits ? all - out->elements : 0;
    out->elements = all;
    out->first = cluster->first_entry * each;
    return XY_OK;
}

/* ---- zeros ---- */

uint64_t xw_zero_elements(const xy_nt_column *column) {
    enum { BYTES = 512 * 1024 };
    return BYTES * 8 / (uint64_t)xy_nt_bits(column);
}

uint32_t xw_zero_bytes(const xy_nt_column *column, uint64_t elements) {
    return (uint32_t)((elements * (uint64_t)xy_nt_bits(column) + 7) / 8);
}

static bool need_zeros(xw_ntuple *w, uint32_t bytes) {
    for (int32_t i = 0; i < w->zero_count; i++)
        if (w->zeros[i] == bytes) return true;
    if (w->zero_count == MAX_ZERO_LENGTHS) return false;
    if (!xy_grow((void **)&w->zeros, &w->zero_cap, w->zero_count, sizeof *w->zeros)) return false;
    w->zeros[w->zero_count++] = bytes;
    return true;
}

/* Notes the pages of zeros that a column needs in a cluster. */
static xy_status add_zeros(xw_ntuple *w, xy_error *err, int32_t column, uint64_t missing) {
    const xy_nt_column *col = &w->nt->columns[column];
    if (xy_nt_bits(col) == 0 || col->type == XY_COL_REAL32_QUANT)
        return fail_at(w->nt, err, XY_E_UNSUPPORTED, col->field,
                       "came late, and is stored in a way in which zeros are not known");
    if (missing > MAX_MISSING) return fail_at(w->nt, err, XY_E_BUDGET, col->field, "came too late");
    uint64_t most = xw_zero_elements(col);
    w->zero_pages += missing / most + 1;
    if (w->zero_pages > MAX_ZERO_PAGES)
        return fail_at(w->nt, err, XY_E_BUDGET, col->field, "needs too many pages of zeros");
    bool there = missing < most || need_zeros(w, xw_zero_bytes(col, most));
    if (there && missing % most) there = need_zeros(w, xw_zero_bytes(col, missing % most));
    return there ? XY_OK
                 : fail_at(w->nt, err, XY_E_BUDGET, col->field, "needs too many pages of zeros");
}

/* ---- fields of two RNTuples ---- */

static bool same_text(xy_str a, xy_str b) {
    return a.len == b.len && memcmp(a.text, b.text, a.len) == 0;
}

static bool is_field(const xy_nt_field *f, int32_t parent, xy_str name) {
    return f->parent == parent && same_text(f->name, name);
}

/* The field with this parent and name; -1: none. It often has the number `guess`. */
static int32_t find_field(const xy_ntuple *nt, int32_t parent, xy_str name, int32_t guess) {
    if (guess < nt->field_count && is_field(&nt->fields[guess], parent, name)) return guess;
    for (int32_t i = 0; i < nt->field_count; i++)
        if (is_field(&nt->fields[i], parent, name)) return i;
    return -1;
}

static bool same_type(const xy_nt_field *a, const xy_nt_field *b) {
    return same_text(a->type, b->type) && a->version == b->version &&
           a->type_version == b->type_version && a->checksum == b->checksum && a->role == b->role &&
           a->flags == b->flags && a->array_size == b->array_size &&
           (a->source < 0) == (b->source < 0);
}

static bool same_encoding(const xy_nt_column *a, const xy_nt_column *b) {
    return a->type == b->type && a->bits == b->bits && a->representation == b->representation &&
           memcmp(&a->min, &b->min, 8) == 0 && memcmp(&a->max, &b->max, 8) == 0;
}

/* Finds the kept fields of `first` among those of `w`: `own` gets their numbers there. */
static xy_status match_fields(xw_ntuple *w, const xw_ntuple *first, int32_t *own, xy_error *err) {
    enum { UNMATCHED = -2 };
    const xy_ntuple *nt = w->nt, *before = first->nt;
    for (int32_t i = 0; i < nt->field_count; i++)
        if (w->fields[i] >= 0) w->fields[i] = UNMATCHED;
    for (int32_t i = 0; i < before->field_count; i++) {
        const xy_nt_field *f = &before->fields[i];
        if (first->fields[i] < 0) continue;
        int32_t k = find_field(nt, f->parent < 0 ? -1 : own[f->parent], f->name, i);
        if (k < 0 || w->fields[k] != UNMATCHED)
            return fail_at(before, err, XY_E_UNSUPPORTED, i, "is missing in it");
        if (!same_type(f, &nt->fields[k]))
            return fail_at(before, err, XY_E_UNSUPPORTED, i, "is of another type or version in it");
        own[i] = k;
        w->fields[k] = first->fields[i];
    }
    for (int32_t k = 0; k < nt->field_count; k++)
        if (w->fields[k] == UNMATCHED)
            return fail_at(nt, err, XY_E_UNSUPPORTED, k, "is only in it");
    return XY_OK;
}

/* Finds the columns, once the fields are known. Those of projected fields are compared, too. */
static xy_status match_columns(xw_ntuple *w, const xw_ntuple *merged, const int32_t *own,
                               xy_error *err) {
    static const char other[] = "is stored or projected in another way in it";
    const xy_ntuple *nt = w->nt, *first = merged->nt;
    for (int32_t i = 0; i < nt->column_count; i++)
        w->columns[i] = -1;
    for (int32_t i = 0; i < first->field_count; i++) {
        if (merged->fields[i] < 0) continue;
        const xy_nt_field *a = &first->fields[i], *b = &nt->fields[own[i]];
        bool same = a->column_count == b->column_count;
        if (same && a->source >= 0)
            same = a->source < first->field_count && b->source == own[a->source];
        for (int32_t c = 0; same && c < a->column_count; c++) {
            int32_t p = first->attached[a->first_column + c], q = nt->attached[b->first_column + c];
            same = same_encoding(&first->columns[p], &nt->columns[q]) &&
                   own[first->columns[p].field] == nt->columns[q].field;
            if (first->columns[p].field == i) {
                int32_t id = merged->columns[p];
                same = same && w->columns[q] < 0;
                w->listed[id] = q;
                w->columns[q] = id;
            }
        }
        if (!same) return fail_at(first, err, XY_E_UNSUPPORTED, i, other);
    }
    return XY_OK;
}

/* Whether all that one says about the classes of streamed objects is said by the other one. */
static bool describes(const xy_ntuple *a, const xy_ntuple *b) {
    for (int32_t i = 0; i < b->extra_count; i++) {
        int32_t k = 0;
        while (k < a->extra_count && !same_text(a->extra[k], b->extra[i]))
            k++;
        if (k == a->extra_count) return false;
    }
    return true;
}

static xy_status match(xw_ntuple *w, const xw_ntuple *first, xy_error *err) {
    const xy_ntuple *before = first->nt;
    int32_t *own = xy_new((uint64_t)before->field_count + 1, sizeof *own);
    if (!own) return xy_fail(err, XY_E_MEMORY, 0, "no memory for the fields of an RNTuple");
    xy_status s = match_fields(w, first, own, err);
    if (!s && first->listed_count != w->listed_count)
        s = xy_fail(err, XY_E_UNSUPPORTED, 0, "it has another number of columns");
    if (!s) s = match_columns(w, first, own, err);
    if (!s && !describes(before, w->nt))
        s = xy_fail(err, XY_E_UNSUPPORTED, 0,
                    "classes in its fields of streamed objects are described otherwise");
    free(own);
    return s;
}

/* ---- the structure of top-level fields ---- */

static void put_path(const xy_ntuple *nt, int32_t field, xy_buffer *out) {
    xy_nt_put_path(nt, &nt->fields[field], out);
    xy_append_u8(out, 0);
}

/* All that two fields must have alike to follow each other, as bytes: those that differ have other
 * bytes, unless names have zeros in them, and fields are compared again when they are appended. */
static void put_structure(const xy_ntuple *nt, int32_t field, xy_buffer *out) {
    const xy_nt_field *f = &nt->fields[field];
    put_path(nt, field, out);
    xy_append(out, f->type.text, f->type.len);
    xy_append_u8(out, 0);
    const uint64_t numbers[] = {
        f->version, f->type_version, f->checksum,    f->role,
        f->flags,   f->array_size,   f->source >= 0, (uint64_t)f->column_count};
    xy_append(out, numbers, sizeof numbers);
    if (f->source >= 0 && f->source < nt->field_count) put_path(nt, f->source, out);
    for (int32_t i = 0; i < f->column_count; i++) {
        const xy_nt_column *c = &nt->columns[nt->attached[f->first_column + i]];
        put_path(nt, c->field, out);
        const uint64_t encoding[] = {c->type, c->bits, c->representation};
        xy_append(out, encoding, sizeof encoding);
        xy_append(out, &c->min, 8);
        xy_append(out, &c->max, 8);
    }
}

static int32_t top_of(const xy_ntuple *nt, int32_t field) {
    while (nt->fields[field].parent >= 0)
        field = nt->fields[field].parent;
    return field;
}

/* Notes the top-level fields that those of `field` are projected from. */
static void put_needs(const xy_ntuple *nt, int32_t field, xy_buffer *needs) {
    const xy_nt_field *f = &nt->fields[field];
    int32_t top = top_of(nt, field);
    for (int32_t i = -1; i < f->column_count; i++) {
        int32_t from = i < 0 ? f->source : nt->columns[nt->attached[f->first_column + i]].field;
        int32_t other = from >= 0 && from < nt->field_count ? top_of(nt, from) : top;
        if (other == top) continue;
        xy_append_u32(needs, (uint32_t)nt->fields[top].position);
        xy_append_u32(needs, (uint32_t)nt->fields[other].position);
    }
}

int32_t xw_ntuple_structure(xy_ctx *ctx, const xy_ntuple *nt) {
    if (!xy_ctx_expect(ctx, nt->order != NULL)) return xy_ctx_end(ctx);
    xy_buffer *out = &ctx->out, structure = {0}, tops = {0}, sums = {0}, needs = {0};
    size_t mark = xy_tape_object(out, 0, "", 0);
    xy_put_number(out, "entries", (double)nt->entries);
    xy_tape_key(out, "names");
    size_t list = xy_tape_list(out);
    uint32_t count = 0;
    for (int32_t i = 0; i < nt->field_count; i++) {
        int32_t field = nt->order[i], top = top_of(nt, field);
        if (top == field) {
            xy_tape_string(out, nt->fields[top].name.text, nt->fields[top].name.len);
            structure.len = 0;
            count++;
        }
        xy_append_u32(&tops, (uint32_t)nt->fields[top].position);
        put_structure(nt, field, &structure);
        put_needs(nt, field, &needs);
        bool last = i + 1 == nt->field_count || nt->fields[nt->order[i + 1]].parent < 0;
        uint64_t sum = last ? xy_xxh3(structure.data, structure.len) : 0;
        if (last) xy_append(&sums, &sum, sizeof sum);
    }
    xy_tape_list_end(out, list, count);
    out->failed |= structure.failed;
    xy_put_array(out, "tops", XY_U32, &tops);
    xy_put_array(out, "structures", XY_U64, &sums);
    xy_put_array(out, "needs", XY_U32, &needs);
    xy_tape_object_end(out, mark);
    xy_buffer_free(&structure);
    xy_buffer_free(&tops);
    xy_buffer_free(&sums);
    xy_buffer_free(&needs);
    return xy_ctx_end(ctx);
}

/* ---- appending ---- */

/* Adds the elements of a cluster to those before it. */
static xy_status add_cluster(xw_ntuple *w, const xy_nt_cluster *cluster, uint64_t *sums,
                             const uint64_t *before, xy_error *err) {
    for (int32_t i = 0; i < w->listed_count; i++) {
        int32_t column = w->listed[i];
        xw_share share;
        xy_status s = xw_share_of(w->nt, err, cluster, column, false, &share);
        if (s) return s;
        int32_t field = w->nt->columns[column].field;
        uint64_t stored = share.range ? (uint64_t)share.range->first - share.missing : share.first;
        if (share.first != sums[i] - before[i] || share.first != stored)
            return fail_at(w->nt, err, XY_E_CORRUPT, field,
                           "has elements that do not follow each other");
        if (share.elements > MAX_ELEMENTS - sums[i])
            return fail_at(w->nt, err, XY_E_CORRUPT, field,
                           "claims an impossible number of elements");
        sums[i] += share.elements;
        if (w->follows && !share.suppressed && share.missing)
            s = add_zeros(w, err, column, share.missing);
        if (s) return s;
    }
    return XY_OK;
}

int32_t xw_ntuple_append(xy_ctx *ctx, xw_ntuple *first, xw_ntuple *w) {
    if (!xy_ctx_expect(ctx, !w->follows && !w->left_out)) return xy_ctx_end(ctx);
    xy_error *err = &ctx->err;
    if (w->nt->entries > MAX_ENTRIES - first->next_entries)
        xy_fail(err, XY_E_UNSUPPORTED, 0, "the entries become more than 2^52");
    if (!err->status && w != first) match(w, first, err);
    if (err->status) return xy_ctx_end(ctx);
    w->follows = w != first;
    uint64_t count = (uint64_t)w->listed_count + 1;
    uint64_t *sums = xy_copy(first->next_elements, count, sizeof *sums);
    if (!sums) xy_fail(err, XY_E_MEMORY, 0, "no memory for the columns of an RNTuple");
    for (int32_t i = 0; !err->status && i < w->nt->cluster_count; i++)
        add_cluster(w, &w->nt->clusters[i], sums, first->next_elements, err);
    if (!err->status) {
        memcpy(w->elements, first->next_elements, xy_bytes_of(count, sizeof *sums));
        memcpy(first->next_elements, sums, xy_bytes_of(count, sizeof *sums));
        w->entries = first->next_entries;
        w->checksum = first->checksum;
        first->next_entries += w->nt->entries;
    }
    free(sums);
    return xy_ctx_end(ctx);
}
