/* As abi_layout.c, where an RNTuple's pages lie. */
#include "places.h"

#include "../ntuple/encoding.h"
#include "../ntuple/ntuple.h"

#include <stdlib.h>

/* Number of elements of the k-th column of a field in each entry; 0 when it varies. */
static uint64_t repetition_of(const xy_ntuple *nt, const xy_nt_field *field, int32_t k) {
    if (k > 0) return 0;
    uint64_t n = 1;
    for (const xy_nt_field *f = field;; f = &nt->fields[f->parent]) {
        if (f != field && (f->role == XY_NT_COLLECTION || f->role == XY_NT_VARIANT)) return 0;
        if (f->flags & XY_NT_REPETITIVE) {
            if (f->array_size == 0 || n > UINT32_MAX / f->array_size) return 0;
            n *= f->array_size;
        }
        if (f->parent < 0) return n;
    }
}

/* Adds the pages of the k-th column of a field in a cluster; false when only the cluster's
 * entries are known. */
static bool add_pages(const xy_ntuple *nt, const xy_nt_cluster *cluster, int32_t column,
                      uint64_t repetition, xy_places *p) {
    const xy_nt_range *range = xy_nt_range_of(nt, cluster, column);
    if (!range || range->suppressed || range->page_count == 0) return true;
    bool known = repetition > 0 && cluster->entries <= UINT64_MAX / repetition;
    uint64_t all = known ? cluster->entries * repetition : 0;
    bool exact =
        known && range->elements <= all && (range->elements == all || nt->columns[column].deferred);
    uint64_t at = exact ? all - range->elements : 0;
    int bits = xy_nt_bits(&nt->columns[column]);
    for (uint32_t i = 0; i < range->page_count; i++) {
        const xy_nt_page *page = &nt->pages[range->first_page + i];
        uint64_t elements = xy_nt_page_elements(page);
        uint64_t first = 0, end = cluster->entries;
        if (exact) {
            first = at / repetition;
            at += elements;
            end = (at + repetition - 1) / repetition;
        }
        xy_add_double(&p->offset, (double)page->offset);
        xy_add_double(&p->stored, (double)xy_nt_stored_bytes(page));
        xy_add_double(&p->first, (double)(cluster->first_entry + first));
        xy_add_double(&p->count, (double)(end - first));
        xy_add_double(&p->length, (double)xy_page_bytes(bits, elements));
        xy_append_u8(&p->type, (uint8_t)nt->columns[column].type);
        xy_append_u32(&p->column, (uint32_t)column);
    }
    return exact;
}

static bool add_field(const xy_ntuple *nt, int32_t index, xy_places *p) {
    const xy_nt_field *f = &nt->fields[index];
    int32_t arity = xy_nt_arity(nt, f);
    bool exact = true;
    for (int32_t c = 0; c < nt->cluster_count; c++) {
        for (int32_t k = 0; k < f->column_count; k++) {
            int32_t column = nt->attached[f->first_column + k];
            if (nt->columns[column].field != index) continue; /* the pages of another field */
            uint64_t repetition = repetition_of(nt, f, arity ? k % arity : k);
            exact = add_pages(nt, &nt->clusters[c], column, repetition, p) && exact;
        }
    }
    return exact;
}

/* Entries that the clusters claim and of which the pages of a field of its own columns have none.
 */
static uint64_t lacking_of(const xy_ntuple *nt, int32_t index) {
    const xy_nt_field *f = &nt->fields[index];
    uint64_t repetition = repetition_of(nt, f, 0), lacking = 0;
    if (f->column_count == 0 || repetition == 0) return 0;
    for (int32_t c = 0; c < nt->cluster_count; c++) {
        const xy_nt_cluster *cluster = &nt->clusters[c];
        int32_t id = xy_nt_active(nt, f, 0, cluster);
        if (id < 0 || nt->columns[id].field != index || nt->columns[id].deferred) continue;
        const xy_nt_range *range = xy_nt_range_of(nt, cluster, id);
        if (!range) continue; /* the cluster is older than the field */
        uint64_t have = range->elements / repetition;
        if (have < cluster->entries) lacking += cluster->entries - have;
    }
    return lacking;
}

/* The field whose columns a projected field shows; -1 for others. */
static int32_t source_of(const xy_ntuple *nt, int32_t index) {
    const xy_nt_field *f = &nt->fields[index];
    for (int32_t k = 0; k < f->column_count; k++) {
        int32_t of = nt->columns[nt->attached[f->first_column + k]].field;
        if (of != index) return of;
    }
    return -1;
}

int32_t xy_ntuple_layout(xy_ctx *ctx, const xy_ntuple *nt) {
    xy_ctx_begin(ctx);
    bool unread = false;
    for (int32_t i = 0; i < nt->group_count; i++)
        unread = unread || (!nt->groups[i].read && nt->groups[i].entries > 0);
    if (!nt->order || unread) {
        xy_fail(&ctx->err, XY_E_ARGUMENT, 0, "not every page list of the RNTuple was read");
        return xy_ctx_end(ctx);
    }
    int32_t *position = xy_new((uint64_t)nt->field_count + 1, sizeof *position);
    if (!position) {
        xy_fail(&ctx->err, XY_E_MEMORY, 0, "no memory for the list of fields");
        return xy_ctx_end(ctx);
    }
    for (int32_t i = 0; i < nt->field_count; i++)
        position[nt->order[i]] = i;
    xy_places p = {0};
    xy_buffer exact = {0}, starts = {0}, source = {0}, lacking = {0};
    for (int32_t i = 0; i < nt->field_count; i++) {
        xy_append_u32(&p.start, (uint32_t)(p.offset.len / 8));
        xy_append_u8(&exact, add_field(nt, nt->order[i], &p) ? 1 : 0);
        xy_add_double(&lacking, (double)lacking_of(nt, nt->order[i]));
        int32_t of = source_of(nt, nt->order[i]);
        xy_append_u32(&source, (uint32_t)(of < 0 ? -1 : position[of]));
    }
    free(position);
    xy_append_u32(&p.start, (uint32_t)(p.offset.len / 8));
    for (int32_t c = 0; c < nt->cluster_count; c++)
        xy_add_double(&starts, (double)nt->clusters[c].first_entry);
    xy_buffer *out = &ctx->out;
    size_t mark = xy_tape_object(out, 0, "", 0);
    xy_put_places(out, &p);
    xy_put_array(out, "length", XY_F64, &p.length);
    xy_put_array(out, "type", XY_U8, &p.type);
    xy_put_array(out, "column", XY_U32, &p.column);
    xy_put_array(out, "exact", XY_U8, &exact);
    xy_put_array(out, "source", XY_I32, &source);
    xy_put_array(out, "lacking", XY_F64, &lacking);
    xy_put_array(out, "clusterStart", XY_F64, &starts);
    xy_tape_object_end(out, mark);
    xy_free_places(&p);
    xy_buffer_free(&exact);
    xy_buffer_free(&starts);
    xy_buffer_free(&source);
    xy_buffer_free(&lacking);
    return xy_ctx_end(ctx);
}
