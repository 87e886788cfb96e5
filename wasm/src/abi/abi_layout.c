/* The exported functions that tell where a tree's baskets or pages lie. The arrays of all
 * branches follow each other in one array, so that hundreds of thousands of places are one
 * result. */
#include "ctx.h"

#include "../ntuple/encoding.h"
#include "../ntuple/ntuple.h"
#include "../tree/tree.h"

#include <stdlib.h>

typedef struct {
    xy_buffer start;                        /* uint32 */
    xy_buffer offset, stored, first, count; /* doubles */
    xy_buffer length, type, column;         /* double, uint8 and uint32, of pages */
} places;

static void add_double(xy_buffer *b, double v) {
    xy_append(b, &v, sizeof v);
}

static void put_places(xy_buffer *out, const places *p) {
    xy_put_array(out, "basketStart", XY_U32, &p->start);
    xy_put_array(out, "offset", XY_F64, &p->offset);
    xy_put_array(out, "stored", XY_F64, &p->stored);
    xy_put_array(out, "first", XY_F64, &p->first);
    xy_put_array(out, "entries", XY_F64, &p->count);
}

static void free_places(places *p) {
    xy_buffer *all[] = {&p->start, &p->offset, &p->stored, &p->first,
                        &p->count, &p->length, &p->type,   &p->column};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        xy_buffer_free(all[i]);
}

/* ---- TTree ---- */

static bool add_branch(const xy_tree *t, int32_t branch, places *p) {
    int32_t n = t->branches[branch].baskets;
    xy_basket *list = xy_new((uint64_t)n + 1, sizeof *list);
    if (!list) return false;
    xy_tree_baskets(t, branch, list, n);
    for (int32_t i = 0; i < n; i++) {
        add_double(&p->offset, (double)list[i].seek);
        add_double(&p->stored, list[i].seek ? (double)list[i].nbytes : 0);
        add_double(&p->first, (double)list[i].first_entry);
        add_double(&p->count, (double)(list[i].end_entry - list[i].first_entry));
    }
    free(list);
    return true;
}

/* An array of the tree's, at most `most` of its numbers. */
static void put_stored(xy_buffer *out, const xy_tree *t, const char *key, xy_part_array which,
                       uint32_t most) {
    const xy_stored *array = &xy_tree_part_at(t, 0)->arrays[which];
    uint32_t n = array->count < most ? array->count : most;
    xy_tape_key(out, key);
    uint8_t *to = xy_tape_array(out, XY_F64, n);
    for (uint32_t i = 0; to && i < n; i++) {
        double v = (double)xy_tree_stored(t, array, i);
        memcpy(to + 8 * (size_t)i, &v, 8);
    }
}

/* A number of each branch. */
static void put_numbers(xy_buffer *out, const xy_tree *t, const char *key, xy_part_number which,
                        int64_t fallback) {
    xy_tape_key(out, key);
    uint8_t *to = xy_tape_array(out, XY_F64, (uint32_t)t->count);
    for (int32_t i = 0; to && i < t->count; i++) {
        double v = (double)xy_part_int(t->branches[i].part, which, fallback);
        memcpy(to + 8 * (size_t)i, &v, 8);
    }
}

/* How many leaves in the tree's own list each branch has, and how many the list has. */
static bool put_leaves(xy_buffer *out, const xy_tree *t) {
    int32_t *owner = xy_new((uint64_t)t->part_count + 1, sizeof *owner);
    double *counts = xy_new((uint64_t)t->count + 1, sizeof *counts);
    bool good = owner && counts;
    for (int32_t i = 0; good && i < t->count; i++) {
        const xy_part *branch = t->branches[i].part;
        for (uint32_t k = 0; k < branch->lists[XY_L_LEAVES].count; k++) {
            int32_t leaf = xy_tree_made(t, xy_tree_link(t, branch, XY_L_LEAVES, k)).part;
            if (leaf >= 0) owner[leaf] = i + 1;
        }
    }
    const xy_part *top = xy_tree_part_at(t, 0);
    double all = 0;
    for (uint32_t k = 0; good && k < top->lists[XY_L_LEAVES].count; k++) {
        uint32_t id = xy_tree_link(t, top, XY_L_LEAVES, k);
        int32_t leaf = xy_tree_made(t, id).part;
        if (id) all++;
        if (leaf >= 0 && owner[leaf] > 0) counts[owner[leaf] - 1]++;
    }
    if (good) {
        xy_tape_key(out, "leaves");
        xy_tape_f64(out, all);
        xy_tape_key(out, "leafCount");
        uint8_t *to = xy_tape_array(out, XY_F64, (uint32_t)t->count);
        if (to && t->count) memcpy(to, counts, (size_t)t->count * sizeof *counts);
    }
    free(owner);
    free(counts);
    return good;
}

/* TBranchElement::fType and fStreamerType of a branch of another class. */
enum { NO_TYPE = -100 };

int32_t xy_tree_layout(xy_ctx *ctx, const xy_tree *t) {
    xy_ctx_begin(ctx);
    places p = {0};
    bool good = true;
    for (int32_t i = 0; good && i < t->count; i++) {
        xy_append_u32(&p.start, (uint32_t)(p.offset.len / 8));
        good = add_branch(t, i, &p);
    }
    xy_append_u32(&p.start, (uint32_t)(p.offset.len / 8));
    xy_buffer *out = &ctx->out;
    size_t mark = xy_tape_object(out, 0, "", 0);
    put_places(out, &p);
    put_numbers(out, t, "basketSize", XY_N_BASKET_SIZE, 0);
    put_numbers(out, t, "offsetLength", XY_N_ENTRY_OFFSET_LEN, 0);
    put_numbers(out, t, "splitLevel", XY_N_SPLIT_LEVEL, 0);
    put_numbers(out, t, "elementType", XY_N_TYPE, NO_TYPE);
    put_numbers(out, t, "streamerType", XY_N_STREAMER_TYPE, NO_TYPE);
    if (!good || !put_leaves(out, t))
        xy_fail(&ctx->err, XY_E_MEMORY, 0, "no memory for the lists of baskets and leaves");
    static const struct {
        const char *key;
        xy_part_number number;
    } numbers[] = {{"autoFlush", XY_N_AUTO_FLUSH},
                   {"autoSave", XY_N_AUTO_SAVE},
                   {"flushedBytes", XY_N_FLUSHED_BYTES},
                   {"totBytes", XY_N_TOTAL_BYTES},
                   {"zipBytes", XY_N_STORED_BYTES}};
    for (size_t k = 0; k < sizeof numbers / sizeof *numbers; k++) {
        xy_tape_key(out, numbers[k].key);
        xy_tape_f64(out, (double)xy_part_int(xy_tree_part_at(t, 0), numbers[k].number, 0));
    }
    int64_t ranges = xy_part_int(xy_tree_part_at(t, 0), XY_N_CLUSTER_RANGES, 0);
    uint32_t most = ranges < 0 ? 0 : ranges > UINT32_MAX ? UINT32_MAX : (uint32_t)ranges;
    put_stored(out, t, "clusterRangeEnd", XY_A_CLUSTER_RANGE_END, most);
    put_stored(out, t, "clusterSize", XY_A_CLUSTER_SIZE, most);
    xy_tape_object_end(out, mark);
    free_places(&p);
    return xy_ctx_end(ctx);
}

/* ---- RNTuple ---- */

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
                      uint64_t repetition, places *p) {
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
        add_double(&p->offset, (double)page->offset);
        add_double(&p->stored, (double)xy_nt_stored_bytes(page));
        add_double(&p->first, (double)(cluster->first_entry + first));
        add_double(&p->count, (double)(end - first));
        add_double(&p->length, (double)xy_page_bytes(bits, elements));
        xy_append_u8(&p->type, (uint8_t)nt->columns[column].type);
        xy_append_u32(&p->column, (uint32_t)column);
    }
    return exact;
}

static bool add_field(const xy_ntuple *nt, int32_t index, places *p) {
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
    places p = {0};
    xy_buffer exact = {0}, starts = {0}, source = {0}, lacking = {0};
    for (int32_t i = 0; i < nt->field_count; i++) {
        xy_append_u32(&p.start, (uint32_t)(p.offset.len / 8));
        xy_append_u8(&exact, add_field(nt, nt->order[i], &p) ? 1 : 0);
        add_double(&lacking, (double)lacking_of(nt, nt->order[i]));
        int32_t of = source_of(nt, nt->order[i]);
        xy_append_u32(&source, (uint32_t)(of < 0 ? -1 : position[of]));
    }
    free(position);
    xy_append_u32(&p.start, (uint32_t)(p.offset.len / 8));
    for (int32_t c = 0; c < nt->cluster_count; c++)
        add_double(&starts, (double)nt->clusters[c].first_entry);
    xy_buffer *out = &ctx->out;
    size_t mark = xy_tape_object(out, 0, "", 0);
    put_places(out, &p);
    xy_put_array(out, "length", XY_F64, &p.length);
    xy_put_array(out, "type", XY_U8, &p.type);
    xy_put_array(out, "column", XY_U32, &p.column);
    xy_put_array(out, "exact", XY_U8, &exact);
    xy_put_array(out, "source", XY_I32, &source);
    xy_put_array(out, "lacking", XY_F64, &lacking);
    xy_put_array(out, "clusterStart", XY_F64, &starts);
    xy_tape_object_end(out, mark);
    free_places(&p);
    xy_buffer_free(&exact);
    xy_buffer_free(&starts);
    xy_buffer_free(&source);
    xy_buffer_free(&lacking);
    return xy_ctx_end(ctx);
}
