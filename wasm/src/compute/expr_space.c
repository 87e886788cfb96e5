/* Which instances an expression is evaluated for, and where their elements lie. */
#include "expr_index.h"
#include "numbers.h"

static xy_status no_memory(xy_error *err) {
    return xy_fail(err, XY_E_MEMORY, 0, "no memory for the values of an expression");
}

int32_t *xy_positions(xy_query *q, xy_error *err, xy_buffer *buffer, size_t n) {
    (void)q;
    buffer->len = 0;
    if (!xy_extend_items(buffer, (uint64_t)n + 1, 4)) {
        no_memory(err);
        return NULL;
    }
    return (int32_t *)(void *)buffer->data;
}

static inline int32_t elements(const xy_leaf_ref *l, const xy_leaf_data *d, int level, int32_t at) {
    if (l->level[level].kind == XY_LEVEL_FIXED) return l->level[level].value;
    if (at < 0) return 0;
    if (l->level[level].kind == XY_LEVEL_ROWS) return d->offsets[level][at] >= 0;
    return d->offsets[level][at + 1] - d->offsets[level][at];
}

/* ---- instances --------------------------------------------------------------------------------
 */

/* A driver on its way down its levels. */
typedef struct {
    const xy_access *access;
    const xy_leaf_ref *leaf;
    const xy_leaf_data *data;
    int level[XY_X_DIMS + 1];  /* of free dimension k */
    int32_t at[XY_X_DIMS + 1]; /* where that level starts; -1: where a slot decides */
} driver;

/* Steps over subscripts that do not loop; false when there is no such element. */
static bool descend(const xy_query *q, driver *d, int32_t entry, int depth, int level, int32_t at,
                    bool known) {
    for (; level < d->leaf->levels; level++) {
        xy_expr_pair s = d->access->sub[level];
        if (s.kind == XY_SUB_FREE || s.kind == XY_SUB_STOP || s.kind == XY_SUB_LIST) break;
        if (s.kind == XY_SUB_PICK) {
            int64_t index = xy_whole_index(q->slot[s.value].values[entry]);
            at = known ? xy_element_at(d->leaf, d->data, level, at, index) : -1;
            known = at >= 0;
            continue;
        }
        if (s.kind == XY_SUB_SLOT || !known) {
            known = false;
            at = -1;
            continue;
        }
        /* A negative constant is out of bounds, not a condition. */
        if (s.value < 0) {
            known = false;
            at = -1;
            continue;
        }
        at = xy_element_at(d->leaf, d->data, level, at, s.value);
        if (at < 0) return false;
    }
    d->level[depth] = level;
    d->at[depth] = at;
    return true;
}

typedef struct {
    xy_query *q;
    xy_space *set;
    const xy_space_ref *ref;
    driver *drivers;
    int32_t idx[XY_X_DIMS];
    int32_t entry, iter;
} walk;

static bool push(xy_buffer *b, int32_t v) {
    return xy_append(b, &v, 4);
}

static bool visit(walk *w, int depth) {
    if (depth == w->ref->dims) {
        bool ok = push(&w->set->entry, w->entry) && push(&w->set->iter, w->iter++);
        for (int k = 0; k < depth && ok; k++)
            ok = push(&w->set->idx[k], w->idx[k]);
        w->set->count++;
        return ok;
    }
    int32_t n = INT32_MAX;
    for (int32_t k = 0; k < w->ref->drivers; k++) {
        driver *d = &w->drivers[k];
        if (d->access->free <= depth) continue;
        xy_expr_pair s = d->access->sub[d->level[depth]];
        int32_t m = s.kind == XY_SUB_LIST
                        ? xy_listed(w->q, s.value, w->entry)
                        : elements(d->leaf, d->data, d->level[depth], d->at[depth]);
        if (m < n) n = m;
    }
    if (n == INT32_MAX) n = 0;
    for (int32_t i = 0; i < n; i++) {
        w->idx[depth] = i;
        bool there = true;
        for (int32_t k = 0; k < w->ref->drivers && there; k++) {
            driver *d = &w->drivers[k];
            if (d->access->free <= depth) continue;
            int level = d->level[depth];
            xy_expr_pair s = d->access->sub[level];
            int64_t index = s.kind == XY_SUB_LIST ? xy_list_index(w->q, s.value, w->entry, i) : i;
            int32_t at = xy_element_at(d->leaf, d->data, level, d->at[depth], index);
            /* An index that is out of bounds leaves the instance, without a value. */
            bool known = d->at[depth] >= 0 && (s.kind != XY_SUB_LIST || at >= 0);
            there = descend(w->q, d, w->entry, depth + 1, level + 1, at, known);
        }
        if (there && !visit(w, depth + 1)) return false;
    }
    return true;
}

static bool fill_any(xy_query *q, xy_space *set, const xy_space_ref *ref) {
    driver drivers[XY_X_DRIVERS];
    walk w = {.q = q, .set = set, .ref = ref, .drivers = drivers};
    for (int32_t k = 0; k < ref->drivers; k++) {
        const xy_access *a = &q->access[ref->driver[k]];
        drivers[k] = (driver){.access = a, .leaf = &q->leaf[a->leaf], .data = &q->data[a->leaf]};
    }
    for (size_t e = 0; e < q->rows; e++) {
        if (!push(&set->start, (int32_t)set->count)) return false;
        bool there = true;
        w.entry = (int32_t)e;
        w.iter = 0;
        for (int32_t k = 0; k < ref->drivers && there; k++)
            there = descend(q, &drivers[k], w.entry, 0, 0, (int32_t)(q->row + e), true);
        if (there && !visit(&w, 0)) return false;
    }
    return push(&set->start, (int32_t)set->count);
}

/* Whether all drivers are plain lists. */
static bool all_lists(const xy_query *q, const xy_space_ref *ref) {
    if (ref->dims != 1) return false;
    for (int32_t k = 0; k < ref->drivers; k++) {
        const xy_access *a = &q->access[ref->driver[k]];
        const xy_leaf_ref *l = &q->leaf[a->leaf];
        if (l->levels != 1 || a->free != 1 || a->sub[0].kind != XY_SUB_FREE) return false;
        if (l->level[0].kind == XY_LEVEL_FIXED || l->level[0].kind == XY_LEVEL_ROWS) return false;
    }
    return true;
}

static int32_t *extend_words(xy_buffer *b, uint64_t n) {
    return (int32_t *)(void *)xy_extend_items(b, n, 4);
}

static bool count_lists(xy_query *q, xy_space *set, const xy_space_ref *ref) {
    int32_t *start = extend_words(&set->start, q->rows + 1);
    if (!start) return false;
    for (int32_t k = 0; k < ref->drivers; k++) {
        const int32_t *o = q->data[q->access[ref->driver[k]].leaf].offsets[0] + q->row;
        for (size_t e = 0; e < q->rows; e++) {
            int32_t n = o[e + 1] - o[e];
            if (k == 0 || n < start[e + 1]) start[e + 1] = n;
        }
    }
    start[0] = 0;
    for (size_t e = 0; e < q->rows; e++)
        start[e + 1] += start[e];
    set->count = (size_t)start[q->rows];
    return true;
}

/* Lists the instances that count_lists counted. */
static bool list_counted(xy_space *set, size_t rows) {
    const int32_t *start = (const int32_t *)(const void *)set->start.data;
    size_t n = set->count;
    int32_t *entry = extend_words(&set->entry, n + 1);
    int32_t *idx = extend_words(&set->idx[0], n + 1);
    int32_t *iter = extend_words(&set->iter, n + 1);
    if (!entry || !idx || !iter) return false;
    for (size_t e = 0; e < rows; e++) {
        int32_t from = start[e], to = start[e + 1];
        for (int32_t i = from; i < to; i++) {
            entry[i] = (int32_t)e;
            idx[i] = iter[i] = i - from;
        }
    }
    return true;
}

xy_status xy_space_fill(xy_query *q, xy_error *err, int32_t space) {
    xy_space *set = &q->set[space];
    if (set->filled) return XY_OK;
    const xy_space_ref *ref = &q->space[space];
    set->count = 0;
    set->same = ref->drivers == 0;
    set->entry.len = set->iter.len = set->start.len = 0;
    for (int k = 0; k < XY_X_DIMS; k++)
        set->idx[k].len = 0;
    for (int32_t k = 0; k < ref->drivers; k++)
        if (!xy_has_lists(q, &q->access[ref->driver[k]])) return no_memory(err);
    if (!set->same) {
        bool plain = all_lists(q, ref);
        bool ok = plain ? count_lists(q, set, ref) : fill_any(q, set, ref);
        set->listed = !plain;
        if (!ok) return no_memory(err);
        set->same = ref->dims == 0 && set->count == q->rows;
    }
    set->filled = true;
    return XY_OK;
}

xy_status xy_space_list(xy_query *q, xy_error *err, int32_t space) {
    xy_status s = xy_space_fill(q, err, space);
    xy_space *set = &q->set[space];
    if (s || set->same || set->listed) return s;
    if (!list_counted(set, q->rows)) return no_memory(err);
    set->listed = true;
    return XY_OK;
}

/* ---- elements ---------------------------------------------------------------------------------
 */

static void step(const xy_query *q, const xy_access *a, const xy_leaf_ref *l, const xy_leaf_data *d,
                 int level, const xy_space *set, bool looped, int32_t *at, size_t n) {
    xy_expr_pair s = a->sub[level];
    if (s.kind == XY_SUB_LIST || s.kind == XY_SUB_PICK) {
        xy_step_listed(q, s, l, d, level, set, looped, at, n);
        return;
    }
    if (s.kind == XY_SUB_STOP) {
        for (size_t i = 0; i < n; i++)
            at[i] = elements(l, d, level, at[i]);
    } else if (s.kind == XY_SUB_CONST || (s.kind == XY_SUB_FREE && !looped)) {
        int32_t index = s.kind == XY_SUB_CONST ? s.value : 0;
        for (size_t i = 0; i < n; i++)
            at[i] = xy_element_at(l, d, level, at[i], index);
    } else if (s.kind == XY_SUB_FREE) {
        const int32_t *idx = (const int32_t *)(const void *)set->idx[s.value].data;
        for (size_t i = 0; i < n; i++)
            at[i] = xy_element_at(l, d, level, at[i], idx[i]);
    } else {
        const double *v = q->slot[s.value].values;
        for (size_t i = 0; i < n; i++)
            at[i] = xy_element_at(l, d, level, at[i], xy_whole_index(v[i]));
    }
}

xy_status xy_access_positions(xy_query *q, xy_error *err, int32_t access, int32_t space,
                              int32_t *out) {
    xy_status s = xy_space_list(q, err, space);
    if (s) return s;
    const xy_access *a = &q->access[access];
    const xy_leaf_ref *l = &q->leaf[a->leaf];
    const xy_leaf_data *d = &q->data[a->leaf];
    const xy_space *set = &q->set[space];
    size_t n = xy_space_count(q, space);
    if (!xy_has_lists(q, a)) return no_memory(err);
    if (set->same) {
        for (size_t i = 0; i < n; i++)
            out[i] = (int32_t)(q->row + i);
    } else {
        const int32_t *entry = (const int32_t *)(const void *)set->entry.data;
        for (size_t i = 0; i < n; i++)
            out[i] = (int32_t)q->row + entry[i];
    }
    for (int level = 0; level < l->levels; level++) {
        xy_expr_pair sub = a->sub[level];
        int32_t dim = sub.kind == XY_SUB_LIST ? xy_list_dim(sub.value) : sub.value;
        bool looped = !set->same && (sub.kind == XY_SUB_FREE || sub.kind == XY_SUB_LIST) &&
                      dim < q->space[space].dims;
        step(q, a, l, d, level, set, looped, out, n);
        if (a->sub[level].kind == XY_SUB_STOP) break;
    }
    return XY_OK;
}

/* Whether the space has every element of the block once, in order: it has no more than that of an
 * array that drives it, so counting is enough. */
static bool contiguous(const xy_query *q, int32_t access, int32_t space, size_t *from) {
    const xy_access *a = &q->access[access];
    const xy_leaf_ref *l = &q->leaf[a->leaf];
    const xy_leaf_data *d = &q->data[a->leaf];
    const xy_space_ref *ref = &q->space[space];
    if (l->levels != a->free || a->free != ref->dims) return false;
    if (l->levels && l->level[0].kind == XY_LEVEL_ROWS) return false;
    if (a->free == 0 && !q->set[space].same) return false;
    for (int level = 0; level < l->levels; level++)
        if (a->sub[level].kind != XY_SUB_FREE) return false;
    bool drives = a->free == 0;
    for (int32_t k = 0; k < ref->drivers && !drives; k++)
        drives = ref->driver[k] == access;
    if (!drives) return false;
    size_t start = q->row, end = q->row + q->rows;
    for (int level = 0; level < l->levels; level++) {
        if (l->level[level].kind == XY_LEVEL_FIXED) {
            start *= (size_t)l->level[level].value;
            end *= (size_t)l->level[level].value;
        } else {
            start = (size_t)d->offsets[level][start];
            end = (size_t)d->offsets[level][end];
        }
    }
    *from = start;
    return end - start == xy_space_count(q, space);
}

xy_status xy_load(xy_query *q, xy_error *err, int32_t access, int32_t space, double *out) {
    xy_status s = xy_space_fill(q, err, space);
    if (s) return s;
    const xy_access *a = &q->access[access];
    const xy_leaf_ref *l = &q->leaf[a->leaf];
    const xy_leaf_data *d = &q->data[a->leaf];
    size_t n = xy_space_count(q, space), from = 0;
    if (contiguous(q, access, space, &from)) {
        xy_widen(out, l->dtype, d->data + from * xy_dtype_size(l->dtype), n);
        return XY_OK;
    }
    int32_t *at = xy_positions(q, err, &q->positions, n);
    if (!at) return (xy_status)err->status;
    s = xy_access_positions(q, err, access, space, at);
    if (s) return s;
    xy_gather(out, l->dtype, d->data, at, n);
    return XY_OK;
}
