/* Running expression programs over the rows of decoded columns, in blocks. */
#include "expr.h"

#include <math.h>

enum { BLOCK_ROWS = 1024, BLOCK_ELEMENTS = 16 * 1024 };

static xy_status no_memory(xy_error *err) {
    return xy_fail(err, XY_E_MEMORY, 0, "no memory for the values of an expression");
}

static xy_status misfit(xy_error *err, int32_t leaf) {
    return xy_fail(err, XY_E_ARGUMENT, 0, "leaf %d of an expression does not fit its column",
                   (int)leaf);
}

static const xy_buffer *buffer_of(const xy_decoder *d, int32_t index) {
    return index < d->run.columns.count ? &d->run.columns.buffers[index] : NULL;
}

/* Offsets of n rows, and how many elements they have; a column without rows has none. */
static const int32_t *offsets_of(const xy_decoder *d, int32_t index, size_t n, size_t *elements) {
    static const int32_t none[1] = {0};
    const xy_buffer *b = buffer_of(d, index);
    *elements = 0;
    if (!b) return NULL;
    if (n == 0) return none;
    if (b->len / 4 <= n) return NULL;
    const int32_t *o = (const int32_t *)(const void *)b->data;
    if (o[n] < 0) return NULL;
    *elements = (size_t)o[n];
    return o;
}

/* Offsets of the elements of a column in which some rows have one and some have none. */
static const int32_t *count_valid(xy_leaf_data *data, int level, const xy_buffer *validity,
                                  size_t n, size_t *elements) {
    if (!validity || validity->len < n) return NULL;
    xy_buffer *made = &data->made[level];
    made->len = 0;
    int32_t *o = (int32_t *)(void *)xy_extend_items(made, (uint64_t)n + 1, 4);
    if (!o) return NULL;
    o[0] = 0;
    for (size_t i = 0; i < n; i++)
        o[i + 1] = o[i] + (validity->data[i] != 0);
    *elements = (size_t)o[n];
    return o;
}

static bool prepare_leaf(xy_query *q, int32_t leaf, size_t rows) {
    const xy_leaf_ref *l = &q->leaf[leaf];
    xy_leaf_data *data = &q->data[leaf];
    const xy_decoder *d = q->column[l->column];
    bool mapped = l->levels && l->level[0].kind == XY_LEVEL_ROWS;
    const xy_buffer *map = &q->map[l->column];
    if (!d || (mapped ? map->len / 4 != rows : d->rows != (int64_t)rows)) return false;
    size_t n = (size_t)d->rows;
    if (mapped) data->offsets[0] = (const int32_t *)(const void *)map->data;
    for (int k = mapped; k < l->levels; k++) {
        int32_t value = l->level[k].value;
        if (l->level[k].kind == XY_LEVEL_FIXED) {
            if (value && n > (size_t)INT32_MAX / (size_t)value) return false;
            n *= (size_t)value;
            continue;
        }
        size_t elements = 0;
        data->offsets[k] = l->level[k].kind == XY_LEVEL_LIST
                               ? offsets_of(d, value, n, &elements)
                               : count_valid(data, k, buffer_of(d, value), n, &elements);
        if (!data->offsets[k]) return false;
        n = elements;
    }
    size_t size = xy_dtype_size(l->dtype);
    if (l->kind == 1) {
        data->texts = offsets_of(d, l->offsets, n, &n);
        if (!data->texts) return false;
        size = 1;
    }
    if (l->kind == 2) size = data->characters = (size_t)l->offsets;
    const xy_buffer *b = buffer_of(d, l->data);
    if (!b || b->len / size < n) return false;
    data->data = b->data;
    return true;
}

xy_status xy_query_prepare(xy_query *q, xy_error *err, size_t rows) {
    q->row = q->rows = 0;
    q->end = rows;
    if (rows > INT32_MAX / 2) return xy_fail(err, XY_E_BUDGET, 0, "too many entries at once");
    for (int32_t i = 0; i < q->n_leaf; i++)
        if (!prepare_leaf(q, i, rows)) return misfit(err, i);
    return XY_OK;
}

/* Elements of a leaf in rows from..to of its column, below a level. */
static size_t elements_below(const xy_query *q, int32_t leaf, int level, size_t from, size_t to) {
    const xy_leaf_ref *l = &q->leaf[leaf];
    for (int k = level; k < l->levels; k++) {
        if (l->level[k].kind == XY_LEVEL_FIXED) {
            from *= (size_t)l->level[k].value;
            to *= (size_t)l->level[k].value;
        } else {
            from = (size_t)q->data[leaf].offsets[k][from];
            to = (size_t)q->data[leaf].offsets[k][to];
        }
    }
    return to - from;
}

static size_t elements_in(const xy_query *q, int32_t leaf, size_t from, size_t to) {
    const xy_leaf_ref *l = &q->leaf[leaf];
    if (!l->levels || l->level[0].kind != XY_LEVEL_ROWS)
        return elements_below(q, leaf, 0, from, to);
    const int32_t *map = q->data[leaf].offsets[0];
    size_t sum = 0;
    for (size_t i = from; i < to; i++)
        if (map[i] >= 0) sum += elements_below(q, leaf, 1, (size_t)map[i], (size_t)map[i] + 1);
    return sum;
}

bool xy_query_next(xy_query *q) {
    q->row += q->rows;
    if (q->row >= q->end) return false;
    size_t rows = q->end - q->row < BLOCK_ROWS ? q->end - q->row : BLOCK_ROWS;
    for (int32_t i = 0; i < q->n_leaf; i++)
        while (rows > 1 && elements_in(q, i, q->row, q->row + rows) > BLOCK_ELEMENTS)
            rows = (rows + 1) / 2;
    q->rows = rows;
    for (int32_t i = 0; i < q->n_space; i++)
        q->set[i].filled = false;
    return true;
}

static double *slot_of(xy_query *q, int32_t slot, size_t n) {
    xy_slot *s = &q->slot[slot];
    if (n > s->cap || !s->values) {
        size_t cap = n < BLOCK_ROWS ? BLOCK_ROWS : n + n / 2;
        free(s->values);
        s->cap = 0;
        s->values = xy_new(cap, sizeof *s->values);
        if (!s->values) return NULL;
        s->cap = cap;
    }
    return s->values;
}

/* ---- instructions -----------------------------------------------------------------------------
 */

static const int32_t *int32s(const xy_buffer *b) {
    return (const int32_t *)(const void *)b->data;
}

static void expand(const xy_space *set, double *out, const double *a, size_t n) {
    if (set->same) {
        memcpy(out, a, n * sizeof *out);
        return;
    }
    const int32_t *entry = int32s(&set->entry);
    for (size_t i = 0; i < n; i++)
        out[i] = a[entry[i]];
}

static void iterations(const xy_space *set, double *out, size_t n) {
    const int32_t *iter = int32s(&set->iter);
    for (size_t i = 0; i < n; i++)
        out[i] = set->same ? 0 : iter[i];
}

static void lengths(const xy_space *set, double *out, size_t rows) {
    const int32_t *start = int32s(&set->start);
    for (size_t e = 0; e < rows; e++)
        out[e] = set->same ? 1 : start[e + 1] - start[e];
}

/* Makes one number from the instances of each entry. */
static void reduce(int32_t op, const xy_space *set, double *out, const double *a, const double *b,
                   size_t rows) {
    const int32_t *start = int32s(&set->start);
    for (size_t e = 0; e < rows; e++) {
        size_t from = set->same ? e : (size_t)start[e];
        size_t to = set->same ? e + 1 : (size_t)start[e + 1];
        double v = 0;
        bool some = false;
        for (size_t i = from; i < to; i++) {
            if (op == XY_X_SUM) {
                v += a[i];
                continue;
            }
            if (op == XY_X_ANY) {
                if (a[i] != 0) v = 1;
                continue;
            }
            if ((op == XY_X_MIN_IF || op == XY_X_MAX_IF) && b[i] == 0) continue;
            bool least = op == XY_X_MIN || op == XY_X_MIN_IF;
            if (!some || (least ? a[i] < v : a[i] > v)) v = a[i];
            some = true;
        }
        out[e] = v;
    }
}

bool xy_text_at(const xy_leaf_data *d, int32_t at, const char **text, size_t *len) {
    if (at < 0) return false;
    if (d->characters) {
        *text = (const char *)d->data + d->characters * (size_t)at;
        const char *end = memchr(*text, 0, d->characters);
        *len = end ? (size_t)(end - *text) : d->characters;
        return true;
    }
    *text = (const char *)d->data + d->texts[at];
    *len = (size_t)(d->texts[at + 1] - d->texts[at]);
    return true;
}

/* Position at which `part` begins in `text`, the first or the last time; -1 when it does not
 * occur. */
static double find(const char *text, size_t len, const char *part, size_t part_len, bool last) {
    double found = -1;
    for (size_t i = 0; i + part_len <= len && (last || found < 0); i++)
        if (memcmp(text + i, part, part_len) == 0) found = (double)i;
    return found;
}

/* As std::string::compare: the difference of the first bytes that differ, or of the lengths. */
static double order(const char *a, size_t a_len, const char *b, size_t b_len) {
    for (size_t i = 0; i < a_len && i < b_len; i++)
        if (a[i] != b[i]) return (double)(uint8_t)a[i] - (double)(uint8_t)b[i];
    return (double)a_len - (double)b_len;
}

static xy_status strings(xy_query *q, xy_error *err, const xy_instruction *c, double *out,
                         size_t n) {
    int32_t *at = xy_positions(q, err, &q->positions, n);
    if (!at) return (xy_status)err->status;
    xy_status s = xy_access_positions(q, err, c->imm, c->space, at);
    if (s) return s;
    const xy_leaf_data *d = &q->data[q->access[c->imm].leaf];
    const xy_leaf_data *other = NULL;
    int32_t *there = NULL;
    bool truth = c->op <= XY_X_STRING_SAME;
    if (c->op == XY_X_STRING_SAME || (c->op == XY_X_STRING_ORDER && c->c)) {
        there = xy_positions(q, err, &q->more_positions, n);
        if (!there) return (xy_status)err->status;
        s = xy_access_positions(q, err, c->imm2, c->space, there);
        if (s) return s;
        other = &q->data[q->access[c->imm2].leaf];
    }
    for (size_t i = 0; i < n; i++) {
        const char *text = "", *part = "";
        size_t len = 0, part_len = 0;
        bool some = xy_text_at(d, at[i], &text, &len);
        if (there) {
            some = some && xy_text_at(other, there[i], &part, &part_len);
        } else if (c->op < XY_X_STRING_LENGTH) {
            part = q->text + c->imm2;
            part_len = (size_t)c->b;
        }
        if (!some) {
            out[i] = truth ? 0 : NAN;
            continue;
        }
        switch (c->op) {
        case XY_X_STRING_IN: out[i] = find(text, len, part, part_len, false) >= 0; break;
        case XY_X_STRING_FIND: out[i] = find(text, len, part, part_len, c->c != 0); break;
        case XY_X_STRING_ORDER: out[i] = order(text, len, part, part_len); break;
        case XY_X_STRING_LENGTH: out[i] = (double)len; break;
        case XY_X_STRING_CODE: out[i] = len ? (double)(int8_t)text[0] : 0; break;
        default: out[i] = len == part_len && memcmp(text, part, len) == 0;
        }
    }
    return XY_OK;
}

static xy_status positions_to(xy_query *q, xy_error *err, const xy_instruction *c, double *out,
                              size_t n) {
    int32_t *at = xy_positions(q, err, &q->positions, n);
    if (!at) return (xy_status)err->status;
    xy_status s = xy_access_positions(q, err, c->imm, c->space, at);
    if (s) return s;
    for (size_t i = 0; i < n; i++)
        out[i] = c->op == XY_X_VALID ? (at[i] >= 0) : at[i];
    return XY_OK;
}

/* Calls a function of the other module: see src/math. Its arguments are slots of the same space. */
static xy_status call(xy_query *q, xy_error *err, const xy_instruction *c, double *out, size_t n) {
    if (!q->math)
        return xy_fail(err, XY_E_ARGUMENT, 0, "the mathematical functions are not linked");
    const int32_t slots[] = {c->a, c->b, c->c, c->imm2};
    const double *v[4];
    for (int k = 0; k < 4; k++) {
        if (q->slot[slots[k]].cap < n) return no_memory(err);
        v[k] = q->slot[slots[k]].values;
    }
    for (size_t i = 0; i < n; i++)
        out[i] = q->math(c->imm, v[0][i], v[1][i], v[2][i], v[3][i]);
    return XY_OK;
}

static xy_status run_one(xy_query *q, xy_error *err, const xy_instruction *c) {
    bool lists = c->op == XY_X_EXPAND || c->op == XY_X_ENTRY || c->op == XY_X_ITERATION;
    xy_status s = lists ? xy_space_list(q, err, c->space) : xy_space_fill(q, err, c->space);
    if (s) return s;
    size_t n = xy_space_count(q, c->space);
    const xy_space *set = &q->set[c->space];
    double *out = slot_of(q, c->dst, n);
    if (!out) return no_memory(err);
    bool binary = c->op >= XY_X_BINARY && c->op < XY_X_BINARY_END;
    bool unary = c->op >= XY_X_UNARY && c->op < XY_X_UNARY_END;
    bool reducing = c->op >= XY_X_LENGTH && c->op <= XY_X_ANY;
    if (reducing) {
        s = xy_space_fill(q, err, c->imm);
        if (s) return s;
    }
    /* A slot that was never written may be shorter than the reads from it. */
    size_t read = reducing ? xy_space_count(q, c->imm) : c->op == XY_X_EXPAND ? q->rows : n;
    bool reads_a = binary || unary || c->op == XY_X_EXPAND || c->op == XY_X_SELECT ||
                   (reducing && c->op != XY_X_LENGTH);
    bool reads_b = binary || c->op == XY_X_SELECT || c->op == XY_X_MIN_IF || c->op == XY_X_MAX_IF;
    if (reads_a && q->slot[c->a].cap < read) return no_memory(err);
    if (reads_b && q->slot[c->b].cap < read) return no_memory(err);
    if (c->op == XY_X_SELECT && q->slot[c->c].cap < read) return no_memory(err);
    const double *a = reads_a ? q->slot[c->a].values : NULL;
    const double *b = reads_b ? q->slot[c->b].values : NULL;
    if (binary) {
        xy_binary(c->op, out, a, b, n);
        return XY_OK;
    }
    if (unary) {
        xy_unary(c->op, out, a, n);
        return XY_OK;
    }
    switch (c->op) {
    case XY_X_CONST:
        for (size_t i = 0; i < n; i++)
            out[i] = q->constant[c->imm];
        return XY_OK;
    case XY_X_LOAD: return xy_load(q, err, c->imm, c->space, out);
    case XY_X_VALID:
    case XY_X_SIZE: return positions_to(q, err, c, out, n);
    case XY_X_EXPAND: expand(set, out, a, n); return XY_OK;
    case XY_X_ENTRY:
        for (size_t i = 0; i < n; i++)
            out[i] = xy_entry_of(q, q->row + (set->same ? i : (size_t)int32s(&set->entry)[i]));
        return XY_OK;
    case XY_X_ITERATION: iterations(set, out, n); return XY_OK;
    case XY_X_LENGTH: lengths(&q->set[c->imm], out, n); return XY_OK;
    case XY_X_GIVEN:
        if (!q->given) return xy_fail(err, XY_E_ARGUMENT, 0, "the weights are not given");
        memcpy(out, q->given + q->row, n * sizeof *out);
        return XY_OK;
    case XY_X_SELECT: {
        const double *no = q->slot[c->c].values;
        for (size_t i = 0; i < n; i++)
            out[i] = a[i] != 0 ? b[i] : no[i];
        return XY_OK;
    }
    case XY_X_CALL: return call(q, err, c, out, n);
    case XY_X_STRING_EQ:
    case XY_X_STRING_IN:
    case XY_X_STRING_SAME:
    case XY_X_STRING_ORDER:
    case XY_X_STRING_FIND:
    case XY_X_STRING_LENGTH:
    case XY_X_STRING_CODE: return strings(q, err, c, out, n);
    default: reduce(c->op, &q->set[c->imm], out, a, b, n); return XY_OK;
    }
}

static xy_status run_code(xy_query *q, xy_error *err, int32_t from, int32_t to) {
    for (int32_t i = from; i < to; i++) {
        xy_status s = run_one(q, err, &q->code[i]);
        if (s) return s;
    }
    return XY_OK;
}

xy_status xy_query_cut(xy_query *q, xy_error *err) {
    xy_status s = run_code(q, err, 0, q->cut);
    if (s || q->weight < 0) return s;
    s = xy_space_fill(q, err, q->weight_space);
    if (s) return s;
    return q->slot[q->weight].cap < xy_space_count(q, q->weight_space) ? no_memory(err) : XY_OK;
}

xy_status xy_query_rest(xy_query *q, xy_error *err) {
    xy_status s = run_code(q, err, q->cut, q->n_code);
    for (int32_t i = 0; i < q->n_output && !s; i++) {
        s = xy_space_fill(q, err, q->output[i].space);
        if (!s && q->output[i].kind == 0 &&
            q->slot[q->output[i].slot].cap < xy_space_count(q, q->output[i].space))
            s = no_memory(err);
    }
    return s;
}

const double *xy_query_weights(const xy_query *q) {
    return q->weight < 0 ? NULL : q->slot[q->weight].values;
}
