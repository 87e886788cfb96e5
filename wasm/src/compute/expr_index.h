/* Elements of arrays by an index, and subscripts with computed indices: LIST and PICK. */
#ifndef XY_EXPR_INDEX_H
#define XY_EXPR_INDEX_H

#include "expr.h"

/* Returns the element `index` of a level below `at`; -1 if there is none. */
static inline int32_t xy_element_at(const xy_leaf_ref *l, const xy_leaf_data *d, int level,
                                    int32_t at, int64_t index) {
    if (at < 0 || index < 0) return -1;
    if (l->level[level].kind == XY_LEVEL_FIXED) {
        int32_t size = l->level[level].value;
        return index < size ? at * size + (int32_t)index : -1;
    }
    const int32_t *o = d->offsets[level];
    if (l->level[level].kind == XY_LEVEL_ROWS) return index == 0 ? o[at] : -1;
    return index < o[at + 1] - o[at] ? o[at] + (int32_t)index : -1;
}

/* Converts a number to an index, truncated; -1 if it is not an index. */
static inline int64_t xy_whole_index(double v) {
    return v > -1 && v < 0x1p31 ? (int64_t)v : -1;
}

/* Returns the number of indices of a LIST for an entry of the block. */
int32_t xy_listed(const xy_query *q, int32_t list, int32_t entry);
/* Returns one of these indices; -1 if the value is not an index. */
int64_t xy_list_index(const xy_query *q, int32_t list, int32_t entry, int32_t i);
/* Whether the lists of an access have been computed for this block. */
bool xy_has_lists(const xy_query *q, const xy_access *a);
/* Selects the next element of each instance by a LIST or a PICK. */
void xy_step_listed(const xy_query *q, xy_expr_pair s, const xy_leaf_ref *l, const xy_leaf_data *d,
                    int level, const xy_space *set, bool looped, int32_t *at, size_t n);

#endif
