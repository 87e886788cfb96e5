/* Indices that are computed before the instances are made. */
#include "expr_index.h"

/* Number of indices that a LIST has for an entry of the block. */
int32_t xy_listed(const xy_query *q, int32_t list, int32_t entry) {
    const xy_space *set = &q->set[xy_list_space(list)];
    const int32_t *start = (const int32_t *)(const void *)set->start.data;
    return set->same ? 1 : start[entry + 1] - start[entry];
}

/* One of these indices; -1 when the value is not an index. */
int64_t xy_list_index(const xy_query *q, int32_t list, int32_t entry, int32_t i) {
    const xy_space *set = &q->set[xy_list_space(list)];
    const int32_t *start = (const int32_t *)(const void *)set->start.data;
    if (i >= xy_listed(q, list, entry)) return -1;
    return xy_whole_index(q->slot[xy_list_slot(list)].values[set->same ? entry : start[entry] + i]);
}

/* Whether the lists of an access have been made for this block. */
bool xy_has_lists(const xy_query *q, const xy_access *a) {
    for (int level = 0; level < q->leaf[a->leaf].levels; level++) {
        xy_expr_pair s = a->sub[level];
        if (s.kind == XY_SUB_STOP) break;
        if (s.kind != XY_SUB_LIST && s.kind != XY_SUB_PICK) continue;
        int32_t space = s.kind == XY_SUB_LIST ? xy_list_space(s.value) : 0;
        const xy_slot *slot = &q->slot[s.kind == XY_SUB_LIST ? xy_list_slot(s.value) : s.value];
        if ((space != 0 && !q->set[space].filled) || slot->cap < xy_space_count(q, space))
            return false;
    }
    return true;
}

/* The next element of each instance by a LIST or a PICK. */
void xy_step_listed(const xy_query *q, xy_expr_pair s, const xy_leaf_ref *l, const xy_leaf_data *d,
                    int level, const xy_space *set, bool looped, int32_t *at, size_t n) {
    const int32_t *entry = (const int32_t *)(const void *)set->entry.data;
    const int32_t *idx = NULL;
    if (looped) idx = (const int32_t *)(const void *)set->idx[xy_list_dim(s.value)].data;
    for (size_t i = 0; i < n; i++) {
        int32_t e = set->same ? (int32_t)i : entry[i];
        int64_t index = s.kind == XY_SUB_PICK ? xy_whole_index(q->slot[s.value].values[e])
                                              : xy_list_index(q, s.value, e, idx ? idx[i] : 0);
        at[i] = xy_element_at(l, d, level, at[i], index);
    }
}
