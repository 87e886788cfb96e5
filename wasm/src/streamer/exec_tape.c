/* The tape sink: every run appends exactly one value, or, for a flattened base class, its members.
 *
 * A part that cannot be decoded but whose byte count tells where it ends becomes an ERROR value
 * and the rest goes on; without a byte count the whole run fails. */
#include "custom.h"
#include "exact.h"

static xy_status run_node(xy_run *run, int32_t node, uint16_t flags, uint32_t id);

static const xy_node *node_at(const xy_run *run, int32_t i) {
    return &run->program->nodes[i];
}

static void put_name(xy_run *run, uint32_t name) {
    xy_tape_key(run->tape, xy_program_text(run->program, name));
}

static xy_status put_numbers(xy_run *run, const xy_node *number, size_t n) {
    if (n > xy_left(&run->in) / xy_wire_size(number->wire))
        return xy_truncated(run, "an array of numbers");
    uint8_t *out = xy_tape_array(run->tape, number->dtype, (uint32_t)n);
    if (!out) return xy_no_memory(run);
    return xy_take_numbers(run, number, out, n);
}

/* n values as one: an array of numbers or a list. */
static xy_status put_values(xy_run *run, int32_t child, size_t n) {
    const xy_node *c = node_at(run, child);
    if (c->op == XY_OP_NUMBER) return put_numbers(run, c, n);
    size_t mark = xy_tape_list(run->tape);
    xy_status s = xy_enter(run);
    for (size_t i = 0; i < n && !s; i++) {
        size_t element = run->tape->len;
        s = run_node(run, child, c->flags, 0);
        xy_forget(run, element);
    }
    xy_leave(run);
    if (s) return s;
    xy_tape_list_end(run->tape, mark, (uint32_t)n);
    return run->tape->failed ? xy_no_memory(run) : XY_OK;
}

/* The value of an integer member of the object being written, or -1; and the number of members
 * that were looked at. */
static int64_t counter_value(const xy_run *run, const char *name, uint64_t *steps) {
    const xy_buffer *tape = run->scope_tape;
    xy_tape_view view = {tape->data, tape->len};
    for (size_t at = run->scope; at < run->scope_end; (*steps)++) {
        uint16_t len;
        memcpy(&len, tape->data + at, 2);
        size_t value = at + 2 + len;
        xy_str key = {(const char *)tape->data + at + 2, len};
        if (xy_str_is(key, name) && xy_tape_tag_at(&view, value) == XY_TAPE_SCALAR)
            return xy_tape_integer(&view, value);
        at = xy_tape_skip(&view, value);
    }
    return -1;
}

xy_status xy_read_counter(xy_run *run, const xy_node *node, size_t *count) {
    const char *name = xy_program_text(run->program, node->count_name);
    uint64_t steps = 0;
    int64_t n = counter_value(run, name, &steps);
    if (n < 0 || (uint64_t)n > xy_left(&run->in))
        return xy_fail(run->err, XY_E_CORRUPT, run->in.pos + run->origin,
                       "an array counted by %s has %lld elements where %zu bytes are left", name,
                       (long long)n, xy_left(&run->in));
    *count = (size_t)n;
    enum { STEPS_AT_ONCE = 16 };
    xy_status s = xy_spend(run, steps / STEPS_AT_ONCE);
    return s ? s : xy_charge(run, node->first, *count);
}

static xy_status run_counted(xy_run *run, const xy_node *node) {
    size_t n = 0;
    uint8_t present = (node->flags & XY_F_BARE) ? 1 : xy_u8(&run->in);
    if (present) {
        xy_status s = xy_read_counter(run, node, &n);
        if (s) return s;
    }
    if (run->in.bad) return xy_truncated(run, "a counted array");
    if ((node->flags & XY_F_OLD_SEEK) && present != 2) {
        xy_node narrow = {.op = XY_OP_NUMBER, .wire = XY_W_32, .dtype = XY_I32};
        return put_numbers(run, &narrow, n);
    }
    return put_values(run, node->first, n);
}

static xy_status run_triangle(xy_run *run, const xy_node *node) {
    size_t n = 0;
    xy_status s = xy_read_counter(run, node, &n);
    if (s) return s;
    if (n > 60000) return xy_truncated(run, "a symmetric matrix");
    return put_values(run, node->first, n * (n + 1) / 2);
}

static xy_status run_members(xy_run *run, int32_t layout) {
    for (int32_t i = node_at(run, layout)->first; i >= 0; i = node_at(run, i)->next) {
        const xy_node *m = node_at(run, i);
        run->scope_end = run->tape->len;
        if (!(m->flags & XY_F_FLATTEN)) put_name(run, m->name);
        xy_status s = run_node(run, i, m->flags, 0);
        if (s) {
            run->stopped = m->name; /* the outermost member sets it last */
            return s;
        }
        if (XY_EXACT(run)) xy_put_mark(run, xy_program_text(run->program, m->name));
    }
    return run->tape->failed ? xy_no_memory(run) : XY_OK;
}

/* Replaces everything written since `mark` by the reason of the failure, and steps over the
 * object. Does nothing when memory ran out. */
static xy_status replace_by_error(xy_run *run, const xy_head *head, size_t mark, const char *base) {
    xy_status why = (xy_status)run->err->status;
    if (!head->counted || why == XY_E_MEMORY || why == XY_E_BUDGET || run->tape->failed ||
        XY_EXACT(run))
        return why;
    run->tape->len = mark;
    if (base)
        xy_tape_key(run->tape, *base == '$' || strcmp(base, "_typename") == 0 ? "base" : base);
    xy_tape_error(run->tape, run->err->message);
    xy_skip_object(run, head);
    return XY_OK;
}

static xy_status run_object(xy_run *run, const xy_node *node, uint16_t flags, uint32_t id) {
    const char *name = xy_program_text(run->program, node->type_name);
    bool base = flags & XY_F_FLATTEN;
    size_t mark = run->tape->len;
    size_t scope = run->scope, scope_end = run->scope_end;
    const xy_buffer *scope_tape = run->scope_tape;
    xy_open_object open;
    xy_status s = xy_begin_object(run, node, &open);
    if (s) return s;
    size_t object = 0;
    if (open.layout >= 0) {
        if (!base) {
            object = xy_tape_object(run->tape, id, name, strlen(name));
            run->scope = run->tape->len;
            run->scope_tape = run->tape;
        }
        if (XY_EXACT(run)) {
            int32_t newest = xy_newest_layout(run->program, node);
            const xy_node *layout = node_at(run, newest);
            bool usual = newest == open.layout && !(layout->flags & XY_F_ANY_VERSION);
            xy_put_version(run, &open.head, usual ? layout->version : INT32_MIN,
                           base ? name : NULL);
        }
        s = run_members(run, open.layout);
        if (!s) s = xy_check_end(run, &open.head, node->type_name);
    }
    /* The members before a class that is not known are right; those before data that do not fit
     * are not. */
    if (s && !XY_EXACT(run) && id == 1 && object == 0 &&
        (s == XY_E_NO_STREAMER || s == XY_E_UNSUPPORTED))
        run->kept = run->scope_end;
    else if (open.layout < 0 || s)
        s = replace_by_error(run, &open.head, mark, base ? name : NULL);
    else if (!base)
        xy_tape_object_end(run->tape, object);
    xy_end_object(run, &open);
    run->scope = scope;
    run->scope_end = scope_end;
    run->scope_tape = scope_tape;
    return s;
}

/* ---- member-wise collections: all first members, then all second ones ---- */

/* Values of one member of all elements, each a slice of `values`. */
typedef struct {
    xy_buffer values;
    uint32_t *slices; /* (members) x (n + 1) offsets */
    int32_t members;
    size_t n;
} transposed;

/* Makes the counter of element i findable: members are not yet together on the tape. */
static void counter_scope(xy_run *run, const transposed *t, int32_t layout, int32_t member,
                          size_t i, const char *name, xy_buffer *scratch) {
    scratch->len = 0;
    int32_t k = 0;
    for (int32_t m = node_at(run, layout)->first; m >= 0 && k < member;
         m = node_at(run, m)->next, k++) {
        const xy_node *node = node_at(run, m);
        const uint32_t *slice = t->slices + (size_t)k * (t->n + 1) + i;
        if (node->flags & XY_F_FLATTEN) {
            xy_append(scratch, t->values.data + slice[0], slice[1] - slice[0]);
        } else if (strcmp(xy_program_text(run->program, node->name), name) == 0) {
            xy_tape_key(scratch, name);
            xy_append(scratch, t->values.data + slice[0], slice[1] - slice[0]);
        }
    }
    run->scope = 0;
    run->scope_end = scratch->failed ? 0 : scratch->len;
    run->scope_tape = scratch;
}

static xy_status run_transposed(xy_run *run, int32_t layout, transposed *t);

static void drop_transposed(transposed *t) {
    xy_buffer_free(&t->values);
    free(t->slices);
}

static xy_status make_transposed(xy_run *run, int32_t layout, size_t n, transposed *t) {
    memset(t, 0, sizeof *t);
    t->values.limit = run->tape->limit;
    t->n = n;
    for (int32_t m = node_at(run, layout)->first; m >= 0; m = node_at(run, m)->next)
        t->members++;
    /* Nearly every member takes at least one byte (an empty base class takes none), so the size
     * of all nested tables in use is bounded by the input. */
    enum { EACH_BYTE = 4, ALWAYS = 65536 };
    uint64_t cells = (uint64_t)(t->members ? t->members : 1) * ((uint64_t)n + 1);
    if (run->cells + cells > (uint64_t)EACH_BYTE * run->in.end + ALWAYS)
        return xy_fail(run->err, XY_E_BUDGET, run->in.pos + run->origin,
                       "a member-wise collection of %zu objects of %d members cannot lie in %zu "
                       "bytes",
                       n, (int)t->members, xy_left(&run->in));
    t->slices = xy_new(cells, sizeof *t->slices);
    if (!t->slices) return xy_no_memory(run);
    run->cells += cells;
    xy_status s = xy_enter(run);
    if (!s) s = run_transposed(run, layout, t);
    xy_leave(run);
    run->cells -= cells;
    if (!s && t->values.failed) s = xy_no_memory(run);
    return s;
}

/* The members of element i, each with its name. */
static void put_element(xy_run *run, int32_t layout, const transposed *t, size_t i,
                        xy_buffer *out) {
    int32_t k = 0;
    for (int32_t m = node_at(run, layout)->first; m >= 0; m = node_at(run, m)->next, k++) {
        const xy_node *node = node_at(run, m);
        const uint32_t *slice = t->slices + (size_t)k * (t->n + 1) + i;
        if (!(node->flags & XY_F_FLATTEN))
            xy_tape_key(out, xy_program_text(run->program, node->name));
        xy_append(out, t->values.data + slice[0], slice[1] - slice[0]);
    }
}

static xy_status run_base_members(xy_run *run, const xy_node *node, transposed *t,
                                  uint32_t *slices) {
    transposed inner;
    int32_t base = xy_base_layout(run, node);
    if (base < 0) return (xy_status)run->err->status;
    xy_status s = make_transposed(run, base, t->n, &inner);
    for (size_t i = 0; i < t->n && !s; i++) {
        slices[i] = (uint32_t)t->values.len;
        put_element(run, base, &inner, i, &t->values);
    }
    drop_transposed(&inner);
    return s;
}

/* One member of all elements. A header comes once, before all of its values. */
static xy_status run_member(xy_run *run, int32_t layout, int32_t m, int32_t k, transposed *t,
                            xy_buffer *scratch) {
    const xy_node *node = node_at(run, m);
    uint32_t *slices = t->slices + (size_t)k * (t->n + 1);
    if (xy_is_dissolved(run->program, node)) return run_base_members(run, node, t, slices);
    const xy_node *whole =
        node->op == XY_OP_USE ? node_at(run, run->program->classes[node->size].node) : node;
    if ((node->flags & XY_F_FLATTEN) && t->n && whole->op == XY_OP_LIST) /* TArrayF … */
        return xy_fail(run->err, XY_E_UNSUPPORTED, run->in.pos + run->origin,
                       "objects with the base class %s that are stored member by member cannot be "
                       "decoded",
                       xy_program_text(run->program, whole->type_name));
    bool own_header = node->op == XY_OP_HEADER || node->op == XY_OP_LOOP;
    bool header = own_header || (node->flags & XY_F_COLLECTION);
    int32_t inner = own_header ? node->first : m;
    xy_head head = {0};
    xy_status s = header && t->n ? xy_refuse_ints(run, node_at(run, inner)) : XY_OK;
    if (!s && header && t->n) s = xy_read_collection_head(run, &head);
    int32_t version = run->value_version;
    uint32_t checksum = run->value_checksum;
    for (size_t i = 0; i < t->n && !s; i++) {
        slices[i] = (uint32_t)t->values.len;
        run->memberwise = head.memberwise;
        run->value_version = version;
        run->value_checksum = checksum;
        if (node->op == XY_OP_COUNTED || node->op == XY_OP_LOOP)
            counter_scope(run, t, layout, k, i, xy_program_text(run->program, node->count_name),
                          scratch);
        if (node->op == XY_OP_LOOP) {
            size_t count = 0;
            s = xy_read_counter(run, node, &count);
            if (!s) s = put_values(run, inner, count);
        } else {
            s = run_node(run, inner, node_at(run, inner)->flags, 0);
        }
        if (XY_EXACT(run)) {
            if (header && i == 0) run->mark = (xy_mark){XY_MARK_HEAD, head, version, checksum, 0};
            xy_put_mark(run, xy_program_text(run->program, node->name));
        }
    }
    run->memberwise = false;
    return !s && header && t->n ? xy_check_end(run, &head, 0) : s;
}

static xy_status run_transposed(xy_run *run, int32_t layout, transposed *t) {
    xy_buffer scratch = {0};
    xy_buffer *tape = run->tape;
    xy_status s = XY_OK;
    run->tape = &t->values;
    int32_t k = 0;
    for (int32_t m = node_at(run, layout)->first; m >= 0 && !s; m = node_at(run, m)->next, k++) {
        s = run_member(run, layout, m, k, t, &scratch);
        run->tape = &t->values;
        t->slices[(size_t)k * (t->n + 1) + t->n] = (uint32_t)t->values.len;
    }
    run->tape = tape;
    xy_buffer_free(&scratch);
    return s;
}

/* The elements one after another; `ends`, unless it is NULL, says where each ends. */
static xy_status put_elements(xy_run *run, const xy_node *element, int32_t layout, size_t n,
                              size_t *ends) {
    transposed t;
    size_t scope = run->scope, scope_end = run->scope_end;
    const xy_buffer *scope_tape = run->scope_tape;
    xy_status s = make_transposed(run, layout, n, &t);
    run->scope = scope;
    run->scope_end = scope_end;
    run->scope_tape = scope_tape;
    const char *name = xy_program_text(run->program, element->type_name);
    for (size_t i = 0; i < n && !s; i++) {
        size_t object = xy_tape_object(run->tape, 0, name, strlen(name));
        put_element(run, layout, &t, i, run->tape);
        xy_tape_object_end(run->tape, object);
        xy_forget(run, object);
        if (ends) ends[i] = run->tape->len;
    }
    drop_transposed(&t);
    return s;
}

xy_status xy_run_memberwise(xy_run *run, const xy_node *element, int32_t layout, size_t n) {
    size_t list = xy_tape_list(run->tape);
    xy_status s = put_elements(run, element, layout, n, NULL);
    xy_tape_list_end(run->tape, list, (uint32_t)n);
    if (!s && run->tape->failed) s = xy_no_memory(run);
    return s;
}

/* The layout of the elements of a member-wise collection; -1 after recording why there is none. */
static int32_t element_layout(xy_run *run, const xy_node *child) {
    if (child->op == XY_OP_STRUCT) return (int32_t)(child - run->program->nodes);
    if (child->op == XY_OP_OBJECT)
        return xy_choose_layout(run, child, run->value_version, run->value_checksum);
    xy_fail(run->err, XY_E_UNSUPPORTED, run->in.pos + run->origin,
            "a member-wise collection of %s cannot be read",
            xy_program_text(run->program, child->type_name));
    return -1;
}

xy_status xy_run_tapes(xy_run *run, const xy_node *element, size_t n, size_t *ends) {
    int32_t layout = element_layout(run, element);
    return layout < 0 ? (xy_status)run->err->status : put_elements(run, element, layout, n, ends);
}

static xy_status run_list(xy_run *run, const xy_node *node, uint16_t flags) {
    bool memberwise = run->memberwise;
    run->memberwise = false;
    size_t n = 0;
    const xy_node *child = node_at(run, node->first);
    if (child->op == XY_OP_USE) child = node_at(run, run->program->classes[child->size].node);
    xy_status s = xy_read_count(run, child, memberwise, &n);
    if (s) return s;
    if (flags & XY_F_FLATTEN) { /* a base class TArrayX */
        xy_tape_key(run->tape, "fN");
        xy_tape_i32(run->tape, (int32_t)n);
        xy_tape_key(run->tape, "fArray");
    }
    if (!memberwise || n == 0) return put_values(run, node->first, n);
    int32_t layout = element_layout(run, child);
    if (layout < 0) return (xy_status)run->err->status;
    return xy_run_memberwise(run, child, layout, n);
}

static xy_status put_enums(xy_run *run, const xy_node *number, size_t n) {
    /* An exact tape has no place for the size that they had. */
    if (XY_EXACT(run) && n)
        return xy_fail(run->err, XY_E_UNSUPPORTED, run->in.pos + run->origin,
                       "a collection of enums that are not int cannot be written again");
    uint8_t *out = xy_tape_array(run->tape, number->dtype, (uint32_t)n);
    if (!out) return xy_no_memory(run);
    xy_read_enums(run, number, out, n);
    return XY_OK;
}

static xy_status run_header(xy_run *run, const xy_node *node) {
    xy_head head;
    size_t mark = run->tape->len;
    xy_status s = xy_read_collection_head(run, &head);
    int32_t version = run->value_version;
    uint32_t checksum = run->value_checksum;
    size_t ints = 0;
    if (!s && xy_take_ints(run, node_at(run, node->first), &head, &ints))
        s = put_enums(run, node_at(run, node_at(run, node->first)->first), ints);
    else if (!s)
        s = run_node(run, node->first, node_at(run, node->first)->flags, 0);
    run->memberwise = false;
    if (XY_EXACT(run)) run->mark = (xy_mark){XY_MARK_HEAD, head, version, checksum, 0};
    if (!s) s = xy_check_end(run, &head, 0);
    return s ? replace_by_error(run, &head, mark, NULL) : XY_OK;
}

static xy_status put_text(xy_run *run, size_t len) {
    const uint8_t *p = xy_take(&run->in, len);
    if (!p) return xy_truncated(run, "a string");
    xy_tape_string(run->tape, (const char *)p, len);
    return XY_OK;
}

static xy_status put_tobject(xy_run *run, const xy_node *node, uint16_t flags,
                             uint32_t id_on_tape) {
    uint32_t id = 0, bits = 0;
    uint16_t pid = 0;
    bool is_ref = node->op == XY_OP_TREF;
    xy_str uuid = {"", 0};
    /* An exact tape has no place for other versions, which ROOT never wrote. */
    if (XY_EXACT(run) && xy_left(&run->in) >= 2 && xy_be16(run->in.base + run->in.pos) != 1)
        return xy_fail(run->err, XY_E_UNSUPPORTED, run->in.pos + run->origin,
                       "a TObject of another version than 1 cannot be written again");
    xy_status s = is_ref ? xy_read_tref(run, &id, &bits, &pid, &uuid)
                         : xy_read_tobject(run, &id, &bits, &pid);
    if (s) return s;
    size_t mark = 0;
    if (!(flags & XY_F_FLATTEN))
        mark = xy_tape_object(run->tape, id_on_tape, is_ref ? "TRef" : "TObject", is_ref ? 4 : 7);
    xy_tape_key(run->tape, "fUniqueID");
    xy_tape_u32(run->tape, id);
    xy_tape_key(run->tape, "fBits");
    xy_tape_u32(run->tape, bits);
    if (is_ref && (bits & XY_HAS_UUID)) {
        xy_tape_key(run->tape, "$uuid");
        xy_tape_string(run->tape, uuid.text, uuid.len);
    } else if (is_ref || (bits & XY_IS_REFERENCED)) {
        /* A class may have a member fPID of its own. */
        xy_tape_key(run->tape, is_ref ? "fPID" : "$pid");
        xy_tape_u32(run->tape, pid);
    }
    if (!(flags & XY_F_FLATTEN)) xy_tape_object_end(run->tape, mark);
    return XY_OK;
}

static xy_status run_node(xy_run *run, int32_t index, uint16_t flags, uint32_t id) {
    const xy_node *node = node_at(run, index);
    switch (node->op) {
    case XY_OP_NUMBER: {
        uint8_t value[8];
        xy_status s = xy_take_numbers(run, node, value, 1);
        if (!s) xy_tape_scalar(run->tape, node->dtype, value);
        return s;
    }
    case XY_OP_BITS: {
        uint32_t bits = xy_u32(&run->in);
        if (bits & XY_IS_REFERENCED) {
            uint16_t pid = xy_u16(&run->in);
            if (XY_EXACT(run)) run->mark = (xy_mark){.kind = XY_MARK_PID, .pid = pid};
        }
        xy_tape_u32(run->tape, bits);
        return run->in.bad ? xy_truncated(run, "fBits") : XY_OK;
    }
    case XY_OP_FIXED: {
        xy_status s = xy_afford(run, node->first, node->size);
        return s ? s : put_values(run, node->first, (size_t)node->size);
    }
    case XY_OP_COUNTED: return run_counted(run, node);
    case XY_OP_TRIANGLE: return run_triangle(run, node);
    case XY_OP_TSTRING: {
        size_t len = xy_u8(&run->in);
        if (len == 255) len = xy_u32(&run->in);
        return put_text(run, len);
    }
    case XY_OP_CHARS: {
        size_t len = xy_u32(&run->in);
        return put_text(run, len);
    }
    case XY_OP_STRUCT: {
        if (flags & XY_F_FLATTEN) return run_members(run, index);
        const char *name = xy_program_text(run->program, node->type_name);
        size_t mark = xy_tape_object(run->tape, id, name, strlen(name));
        size_t scope = run->scope, scope_end = run->scope_end;
        const xy_buffer *scope_tape = run->scope_tape;
        run->scope = run->tape->len;
        run->scope_tape = run->tape;
        xy_status s = run_members(run, index);
        if (!s) xy_tape_object_end(run->tape, mark);
        run->scope = scope;
        run->scope_end = scope_end;
        run->scope_tape = scope_tape;
        return s;
    }
    case XY_OP_USE: return run_node(run, run->program->classes[node->size].node, flags, id);
    case XY_OP_OBJECT: return run_object(run, node, flags, id);
    case XY_OP_HEADER: return run_header(run, node);
    case XY_OP_LIST: return run_list(run, node, flags);
    case XY_OP_LOOP: {
        xy_head head;
        size_t n = 0;
        size_t mark = run->tape->len;
        xy_status s = xy_read_head(run, NULL, &head);
        if (!s) s = xy_read_counter(run, node, &n);
        if (!s) s = put_values(run, node->first, n);
        if (!s) s = xy_check_end(run, &head, 0);
        if (XY_EXACT(run)) run->mark = (xy_mark){.kind = XY_MARK_HEAD, .head = head};
        return s ? replace_by_error(run, &head, mark, NULL) : XY_OK;
    }
    case XY_OP_TOBJECT:
    case XY_OP_TREF: return put_tobject(run, node, flags, id);
    case XY_OP_POINTER: return xy_run_pointer(run);
    case XY_OP_CUSTOM: return xy_run_custom(run, node, flags, id);
    case XY_OP_LEAFOBJECT: return xy_run_leafobject(run, node);
    case XY_OP_ERROR:
        return xy_fail(run->err, XY_E_UNSUPPORTED, run->in.pos + run->origin, "%s",
                       xy_program_text(run->program, node->type_name));
    default:
        return xy_fail(run->err, XY_E_UNSUPPORTED, run->in.pos + run->origin,
                       "operation %d has no place on a tape", node->op);
    }
}

xy_status xy_run_named(xy_run *run, int32_t node, uint32_t id, xy_str name) {
    bool wrapped = XY_EXACT(run) && !xy_names_itself(run->program, node, name);
    size_t mark = 0;
    if (wrapped) {
        mark = xy_tape_object(run->tape, id, name.text, name.len);
        xy_tape_key(run->tape, "$value");
    }
    xy_status s = xy_run_tape_as(run, node, id);
    if (wrapped) xy_tape_object_end(run->tape, mark);
    return s;
}

xy_status xy_run_tape_as(xy_run *run, int32_t node, uint32_t id) {
    return run_node(run, node, node_at(run, node)->flags, id);
}

xy_status xy_run_tape(xy_run *run, int32_t node) {
    return xy_run_tape_as(run, node, 0);
}
