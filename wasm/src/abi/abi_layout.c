/* The exported function that tells where a tree's baskets lie. The arrays of all branches follow
 * each other in one array, so that hundreds of thousands of places are one result. */
#include "places.h"

#include "../tree/tree.h"

#include <stdlib.h>

void xy_put_places(xy_buffer *out, const xy_places *p) {
    xy_put_array(out, "basketStart", XY_U32, &p->start);
    xy_put_array(out, "offset", XY_F64, &p->offset);
    xy_put_array(out, "stored", XY_F64, &p->stored);
    xy_put_array(out, "first", XY_F64, &p->first);
    xy_put_array(out, "entries", XY_F64, &p->count);
}

void xy_free_places(xy_places *p) {
    xy_buffer *all[] = {&p->start, &p->offset, &p->stored, &p->first,
                        &p->count, &p->length, &p->type,   &p->column};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        xy_buffer_free(all[i]);
}

static bool add_branch(const xy_tree *t, int32_t branch, xy_places *p) {
    int32_t n = t->branches[branch].baskets;
    xy_basket *list = xy_new((uint64_t)n + 1, sizeof *list);
    if (!list) return false;
    xy_tree_baskets(t, branch, list, n);
    for (int32_t i = 0; i < n; i++) {
        xy_add_double(&p->offset, (double)list[i].seek);
        xy_add_double(&p->stored, list[i].seek ? (double)list[i].nbytes : 0);
        xy_add_double(&p->first, (double)list[i].first_entry);
        xy_add_double(&p->count, (double)(list[i].end_entry - list[i].first_entry));
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
    xy_places p = {0};
    bool good = true;
    for (int32_t i = 0; good && i < t->count; i++) {
        xy_append_u32(&p.start, (uint32_t)(p.offset.len / 8));
        good = add_branch(t, i, &p);
    }
    xy_append_u32(&p.start, (uint32_t)(p.offset.len / 8));
    xy_buffer *out = &ctx->out;
    size_t mark = xy_tape_object(out, 0, "", 0);
    xy_put_places(out, &p);
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
    xy_free_places(&p);
    return xy_ctx_end(ctx);
}
