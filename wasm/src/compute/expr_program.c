/* Reads and checks an expression program: after that, every index in it is valid. */
#include "expr.h"

static void *table(const uint8_t **at, const uint8_t *end, int32_t n, size_t size, bool *ok) {
    size_t bytes = xy_bytes_of((uint32_t)n, size);
    void *copy = *ok && bytes <= (size_t)(end - *at) ? xy_copy(*at, bytes, 1) : NULL;
    *ok = copy != NULL;
    if (copy) *at += bytes;
    return copy;
}

static bool within(int32_t v, int32_t end) {
    return v >= 0 && v < end;
}

static bool good_leaf(const xy_query *q, const xy_leaf_ref *l) {
    if (!within(l->column, q->n_column) || !within(l->kind, 3)) return false;
    if (!within(l->dtype, XY_F64 + 1) || l->data < 0 || l->offsets < 0) return false;
    if (l->kind == 2 && (l->dtype != XY_I8 || l->offsets == 0)) return false;
    if (l->levels < 0 || l->levels > XY_X_LEVELS) return false;
    for (int i = 0; i < l->levels; i++)
        if (!within(l->level[i].kind, i == 0 ? XY_LEVEL_ROWS + 1 : XY_LEVEL_ROWS) ||
            l->level[i].value < 0)
            return false;
    return true;
}

static bool good_access(const xy_query *q, const xy_access *a) {
    if (!within(a->leaf, q->n_leaf)) return false;
    const xy_leaf_ref *l = &q->leaf[a->leaf];
    int32_t free_dims = 0;
    bool stopped = false; /* the levels after this one are not read */
    for (int i = 0; i < l->levels && !stopped; i++) {
        xy_expr_pair s = a->sub[i];
        if (!within(s.kind, XY_SUB_PICK + 1)) return false;
        if (s.kind == XY_SUB_FREE && s.value != free_dims++) return false;
        if (s.kind == XY_SUB_LIST && (s.value < 0 || xy_list_dim(s.value) != free_dims++ ||
                                      !within(xy_list_slot(s.value), q->n_slot) ||
                                      !within(xy_list_space(s.value), q->n_space)))
            return false;
        if (s.kind == XY_SUB_PICK && !within(s.value, q->n_slot)) return false;
        if (s.kind == XY_SUB_CONST && s.value < -1) return false;
        if (s.kind == XY_SUB_SLOT && !within(s.value, q->n_slot)) return false;
        stopped = s.kind == XY_SUB_STOP;
    }
    return free_dims == a->free && free_dims <= XY_X_DIMS;
}

static bool good_space(const xy_query *q, const xy_space_ref *s) {
    if (s->dims < 0 || s->dims > XY_X_DIMS || s->drivers < 0 || s->drivers > XY_X_DRIVERS)
        return false;
    for (int i = 0; i < s->drivers; i++)
        if (!within(s->driver[i], q->n_access) || q->access[s->driver[i]].free > s->dims)
            return false;
    return true;
}

static bool good_slot(const xy_query *q, int32_t slot) {
    return within(slot, q->n_slot);
}

/* An access that stops gives a size, any other a place in the leaf's data. */
static bool stops(const xy_query *q, int32_t access) {
    const xy_access *a = &q->access[access];
    for (int i = 0; i < q->leaf[a->leaf].levels; i++)
        if (a->sub[i].kind == XY_SUB_STOP) return true;
    return false;
}

static bool whole_access(const xy_query *q, int32_t access) {
    return within(access, q->n_access) && !stops(q, access);
}

static bool number_leaf(const xy_query *q, int32_t access) {
    return whole_access(q, access) && q->leaf[q->access[access].leaf].kind == 0;
}

static bool string_leaf(const xy_query *q, int32_t access) {
    return whole_access(q, access) && q->leaf[q->access[access].leaf].kind != 0;
}

static bool good_text(const xy_query *q, const xy_instruction *i) {
    return i->imm2 >= 0 && i->b >= 0 && i->imm2 <= q->n_text && i->b <= q->n_text - i->imm2;
}

static bool good_instruction(const xy_query *q, const xy_instruction *i) {
    if (!good_slot(q, i->dst) || !within(i->space, q->n_space)) return false;
    if (i->op >= XY_X_BINARY && i->op < XY_X_BINARY_END)
        return good_slot(q, i->a) && good_slot(q, i->b);
    if (i->op >= XY_X_UNARY && i->op < XY_X_UNARY_END) return good_slot(q, i->a);
    switch (i->op) {
    case XY_X_CONST: return within(i->imm, q->n_const);
    case XY_X_LOAD: return number_leaf(q, i->imm);
    case XY_X_VALID: return whole_access(q, i->imm);
    case XY_X_SIZE: return within(i->imm, q->n_access) && stops(q, i->imm);
    case XY_X_EXPAND: return good_slot(q, i->a) && i->a != i->dst;
    case XY_X_ENTRY:
    case XY_X_ITERATION: return true;
    case XY_X_GIVEN: return i->space == 0;
    case XY_X_LENGTH: return i->space == 0 && within(i->imm, q->n_space);
    case XY_X_SUM:
    case XY_X_MIN:
    case XY_X_MAX:
    case XY_X_ANY:
        return i->space == 0 && within(i->imm, q->n_space) && good_slot(q, i->a) && i->a != i->dst;
    case XY_X_MIN_IF:
    case XY_X_MAX_IF:
        return i->space == 0 && within(i->imm, q->n_space) && good_slot(q, i->a) &&
               good_slot(q, i->b) && i->a != i->dst && i->b != i->dst;
    case XY_X_STRING_EQ:
    case XY_X_STRING_IN: return string_leaf(q, i->imm) && good_text(q, i);
    case XY_X_STRING_FIND: return string_leaf(q, i->imm) && good_text(q, i);
    case XY_X_STRING_ORDER:
        return string_leaf(q, i->imm) && (i->c ? string_leaf(q, i->imm2) : good_text(q, i));
    case XY_X_STRING_LENGTH:
    case XY_X_STRING_CODE: return string_leaf(q, i->imm);
    case XY_X_STRING_SAME: return string_leaf(q, i->imm) && string_leaf(q, i->imm2);
    case XY_X_SELECT: return good_slot(q, i->a) && good_slot(q, i->b) && good_slot(q, i->c);
    case XY_X_CALL:
        return good_slot(q, i->a) && good_slot(q, i->b) && good_slot(q, i->c) &&
               good_slot(q, i->imm2);
    default: return false;
    }
}

static bool good_output(const xy_query *q, const xy_output *o) {
    if (!within(o->space, q->n_space)) return false;
    switch (o->kind) {
    case 0: return good_slot(q, o->slot);
    case 1:
        return number_leaf(q, o->slot) &&
               xy_dtype_size(q->leaf[q->access[o->slot].leaf].dtype) == 8;
    case 2: return string_leaf(q, o->slot);
    default: return false;
    }
}

static bool good_program(const xy_query *q) {
    if (q->n_space < 1 || q->space[0].dims != 0 || q->space[0].drivers != 0) return false;
    if (!within(q->cut, q->n_code + 1) || q->n_slot > XY_X_SLOTS) return false;
    if (q->weight >= 0 && !(good_slot(q, q->weight) && within(q->weight_space, q->n_space)))
        return false;
    for (int32_t i = 0; i < q->n_leaf; i++)
        if (!good_leaf(q, &q->leaf[i])) return false;
    for (int32_t i = 0; i < q->n_access; i++)
        if (!good_access(q, &q->access[i])) return false;
    for (int32_t i = 0; i < q->n_space; i++)
        if (!good_space(q, &q->space[i])) return false;
    for (int32_t i = 0; i < q->n_code; i++)
        if (!good_instruction(q, &q->code[i])) return false;
    for (int32_t i = 0; i < q->n_output; i++)
        if (!good_output(q, &q->output[i])) return false;
    return true;
}

static bool load(xy_query *q, const uint8_t *program, size_t len) {
    enum { TABLES = 9, HEAD = 12, MAX_TABLE = 1 << 20 };
    _Static_assert(offsetof(xy_query, weight_space) == (HEAD - 1) * sizeof(int32_t),
                   "a query begins with the head of its program");
    if (len < 4 + HEAD * sizeof(int32_t) || memcmp(program, "XYQ1", 4) != 0) return false;
    memcpy(q, program + 4, HEAD * sizeof(int32_t));
    const int32_t *sizes = (const int32_t *)q;
    for (int i = 0; i < TABLES; i++)
        if (sizes[i] < 0 || sizes[i] > MAX_TABLE) return false;
    const uint8_t *at = program + 4 + HEAD * sizeof(int32_t), *end = program + len;
    bool ok = true;
    q->leaf = table(&at, end, q->n_leaf, sizeof *q->leaf, &ok);
    q->access = table(&at, end, q->n_access, sizeof *q->access, &ok);
    q->space = table(&at, end, q->n_space, sizeof *q->space, &ok);
    q->code = table(&at, end, q->n_code, sizeof *q->code, &ok);
    q->output = table(&at, end, q->n_output, sizeof *q->output, &ok);
    q->constant = table(&at, end, q->n_const, sizeof *q->constant, &ok);
    q->text = table(&at, end, q->n_text, 1, &ok);
    return ok && at == end && good_program(q);
}

xy_query *xy_query_new(xy_error *err, const uint8_t *program, size_t len) {
    xy_query *q = xy_new(1, sizeof *q);
    bool ok = q && load(q, program, len);
    if (ok) {
        q->n_out = 2 + 2 * q->n_output;
        q->column = xy_new((uint64_t)q->n_column + 1, sizeof *q->column);
        q->map = xy_new((uint64_t)q->n_column + 1, sizeof *q->map);
        q->data = xy_new((uint64_t)q->n_leaf + 1, sizeof *q->data);
        q->set = xy_new((uint64_t)q->n_space, sizeof *q->set);
        q->slot = xy_new((uint64_t)q->n_slot + 1, sizeof *q->slot);
        q->out = xy_new((uint64_t)q->n_out, sizeof *q->out);
        ok = q->column && q->map && q->data && q->set && q->slot && q->out;
    }
    if (ok) return q;
    xy_fail(err, XY_E_ARGUMENT, 0, "this is no expression program, or memory is out");
    xy_query_free(q);
    return NULL;
}

void xy_query_free(xy_query *q) {
    if (!q) return;
    for (int32_t i = 0; q->data && i < q->n_leaf; i++)
        for (int k = 0; k < XY_X_LEVELS; k++)
            xy_buffer_free(&q->data[i].made[k]);
    for (int32_t i = 0; q->set && i < q->n_space; i++) {
        xy_space *s = &q->set[i];
        xy_buffer_free(&s->entry);
        xy_buffer_free(&s->iter);
        xy_buffer_free(&s->start);
        for (int k = 0; k < XY_X_DIMS; k++)
            xy_buffer_free(&s->idx[k]);
    }
    for (int32_t i = 0; q->slot && i < q->n_slot; i++)
        free(q->slot[i].values);
    for (int32_t i = 0; q->out && i < q->n_out; i++)
        xy_buffer_free(&q->out[i]);
    for (int32_t i = 0; q->map && i < q->n_column; i++)
        xy_buffer_free(&q->map[i]);
    xy_buffer_free(&q->positions);
    xy_buffer_free(&q->more_positions);
    xy_buffer_free(&q->block);
    xy_buffer_free(&q->numbers);
    free(q->leaf);
    free(q->access);
    free(q->space);
    free(q->code);
    free(q->output);
    free(q->constant);
    free(q->text);
    free((void *)q->column);
    free(q->map);
    free(q->data);
    free(q->set);
    free(q->slot);
    free(q->out);
    free(q);
}
