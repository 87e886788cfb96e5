/* The column sink: every run appends n rows to the node's buffers. */
#include "custom.h"
#include "run.h"

static const xy_node *node_at(const xy_run *run, int32_t i) {
    return &run->program->nodes[i];
}

static xy_buffer *column_of(xy_run *run, const xy_node *node) {
    return &run->columns.buffers[node->column];
}

/* Appends the end of one more row to a buffer of offsets, `count` elements after the last. */
static xy_status push_offset(xy_run *run, const xy_node *node, size_t count) {
    xy_buffer *b = column_of(run, node);
    int32_t last = 0;
    if (b->len == 0)
        xy_append(b, &last, 4);
    else
        memcpy(&last, b->data + b->len - 4, 4);
    if (count > (size_t)(INT32_MAX - last))
        return xy_fail(run->err, XY_E_BUDGET, run->in.pos + run->origin,
                       "more than 2^31 elements in one piece of a column");
    last += (int32_t)count;
    return xy_append(b, &last, 4) ? XY_OK : xy_no_memory(run);
}

static xy_status push_text(xy_run *run, const xy_node *node, size_t len) {
    const uint8_t *text = xy_take(&run->in, len);
    if (!text) return xy_truncated(run, "a string");
    xy_buffer *bytes = column_of(run, node) + 1;
    if (!xy_append(bytes, text, len)) return xy_no_memory(run);
    return push_offset(run, node, len);
}

static xy_status run_numbers(xy_run *run, const xy_node *node, size_t n) {
    if (n > xy_left(&run->in) / xy_wire_size(node->wire))
        return xy_truncated(run, "an array of numbers");
    uint8_t *out = xy_extend_items(column_of(run, node), n, xy_dtype_size(node->dtype));
    if (!out) return xy_no_memory(run);
    return xy_take_numbers(run, node, out, n);
}

/* The counter that belongs to row `i` of the last `n` rows; 0 of an array that is absent. */
static xy_status counter_at(xy_run *run, const xy_node *node, size_t i, size_t n, bool present,
                            size_t *count) {
    int64_t v = -1;
    if (node->counter == XY_COUNTED_OUTSIDE) {
        if (run->count_pos < run->count_len) v = run->counts[run->count_pos++];
    } else if (node->counter < 0) {
        return xy_fail(run->err, XY_E_UNSUPPORTED, run->in.pos + run->origin,
                       "member %s is counted by %s, which is not beside it",
                       xy_program_text(run->program, node->name),
                       xy_program_text(run->program, node->count_name));
    } else {
        const xy_node *counter = node_at(run, node->counter);
        const xy_buffer *b = column_of(run, counter);
        size_t rows = b->len / xy_dtype_size(counter->dtype);
        if (rows >= n) v = xy_number_at(counter->dtype, b->data, rows - n + i);
    }
    if (v < 0 || (present && (uint64_t)v > xy_left(&run->in)))
        return xy_fail(run->err, XY_E_CORRUPT, run->in.pos + run->origin,
                       "member %s has %lld elements by its counter %s where %zu bytes are left",
                       xy_program_text(run->program, node->name), (long long)v,
                       xy_program_text(run->program, node->count_name), xy_left(&run->in));
    *count = present ? (size_t)v : 0;
    return XY_OK;
}

/* As counter_at, for a node whose child is not a number and may take no bytes. */
static xy_status loops_at(xy_run *run, const xy_node *node, size_t i, size_t n, size_t *count) {
    xy_status s = counter_at(run, node, i, n, true, count);
    return s ? s : xy_charge(run, node->first, *count);
}

static xy_status run_counted(xy_run *run, const xy_node *node, size_t n) {
    for (size_t i = 0; i < n; i++) {
        size_t count = 0;
        bool present = (node->flags & XY_F_BARE) || xy_u8(&run->in);
        if (run->in.bad) return xy_truncated(run, "a counted array");
        xy_status s = counter_at(run, node, i, n, present, &count);
        if (s) return s;
        s = push_offset(run, node, count);
        if (!s) s = xy_run_columns(run, node->first, count);
        if (s) return s;
    }
    return XY_OK;
}

static xy_status run_triangles(xy_run *run, const xy_node *node, size_t n) {
    xy_status s = XY_OK;
    for (size_t i = 0; i < n && !s; i++) {
        size_t rows = 0;
        s = counter_at(run, node, i, n, true, &rows);
        if (!s && rows > 60000) s = xy_truncated(run, "a symmetric matrix");
        if (!s) s = push_offset(run, node, rows * (rows + 1) / 2);
        if (!s) s = xy_run_columns(run, node->first, rows * (rows + 1) / 2);
    }
    return s;
}

/* One value of a REST's child: below a header that was read for all of them. */
static xy_status run_rest_value(xy_run *run, int32_t child) {
    const xy_node *node = node_at(run, child);
    if (node->op != XY_OP_LOOP) return xy_run_columns(run, child, 1);
    size_t count = 0;
    xy_status s = loops_at(run, node, 0, 1, &count);
    if (!s) s = push_offset(run, node, count);
    return s ? s : xy_run_columns(run, node->first, count);
}

/* Values of varying size up to the end of the entry. */
static xy_status run_rest_values(xy_run *run, const xy_node *node, size_t *count) {
    xy_cursor *in = &run->in;
    int32_t child = node->first;
    xy_head head = {0};
    xy_status s = XY_OK;
    bool header = (node->flags & XY_F_HEADERS) && xy_left(in) > 0;
    if (header) {
        s = xy_read_collection_head(run, &head);
        if (s) return s;
    }
    if (node_at(run, child)->op == XY_OP_HEADER) child = node_at(run, child)->first;
    s = xy_left(in) > 0 ? xy_refuse_ints(run, node_at(run, child)) : XY_OK;
    bool memberwise = header && head.memberwise;
    int32_t version = run->value_version;
    uint32_t checksum = run->value_checksum;
    while (xy_left(in) > 0 && !s) {
        size_t before = in->pos;
        run->memberwise = memberwise;
        run->value_version = version;
        run->value_checksum = checksum;
        s = run_rest_value(run, child);
        (*count)++;
        if (!s && in->pos == before)
            s = xy_fail(run->err, XY_E_UNSUPPORTED, in->pos + run->origin,
                        "elements without size cannot be counted");
    }
    run->memberwise = false;
    if (!s && header) s = xy_check_end(run, &head, 0);
    return s;
}

/* All values of the child up to the end of the entry, or as many as another branch says, as one
 * row. A member that is a counted pointer has a leading byte. */
static xy_status run_rest(xy_run *run, const xy_node *node) {
    xy_cursor *in = &run->in;
    bool marked = node->count_name && !(node->flags & XY_F_BARE) && xy_left(in) > 0;
    bool present = !marked || xy_u8(in);
    size_t count = 0;
    xy_status s = XY_OK;
    if (run->counts && node->counter == XY_COUNTED_OUTSIDE) {
        s = counter_at(run, node, 0, 1, present, &count);
        if (!s) s = xy_run_columns(run, node->first, count);
    } else if (node->size > 0) {
        count = xy_left(in) / (size_t)node->size;
        if (count * (size_t)node->size != xy_left(in))
            return xy_fail(run->err, XY_E_CORRUPT, in->pos + run->origin,
                           "an entry of %zu bytes is no multiple of its element's %d", xy_left(in),
                           node->size);
        s = xy_run_columns(run, node->first, count);
    } else {
        s = run_rest_values(run, node, &count);
    }
    return s ? s : push_offset(run, node, count);
}

/* Members of one object after another, n objects. */
static xy_status run_struct(xy_run *run, const xy_node *node, size_t n) {
    xy_status s = XY_OK;
    for (size_t k = 0; k < n && !s; k++)
        for (int32_t i = node->first; i >= 0 && !s; i = node_at(run, i)->next)
            s = xy_run_columns(run, i, 1);
    return s;
}

static xy_status push_enums(xy_run *run, const xy_node *list, size_t n) {
    const xy_node *number = node_at(run, list->first);
    uint8_t *out = xy_extend_items(column_of(run, number), n, xy_dtype_size(number->dtype));
    if (!out && n) return xy_no_memory(run);
    xy_read_enums(run, number, out, n);
    return push_offset(run, list, n);
}

/* One version header, then n values of the collection `content`; `alone`: the header is that of one
 * value, not of a member of several elements. */
static xy_status run_headed(xy_run *run, int32_t content, size_t n, bool alone) {
    if (n == 0) return XY_OK;
    xy_head head;
    xy_status s = xy_read_collection_head(run, &head);
    bool memberwise = run->memberwise;
    int32_t version = run->value_version;
    uint32_t checksum = run->value_checksum;
    size_t ints = 0;
    if (!s && alone && n == 1 && xy_take_ints(run, node_at(run, content), &head, &ints)) {
        s = push_enums(run, node_at(run, content), ints);
        return s ? s : xy_check_end(run, &head, 0);
    }
    if (!s && !alone) s = xy_refuse_ints(run, node_at(run, content));
    for (size_t i = 0; i < n && !s; i++) {
        run->memberwise = memberwise;
        run->value_version = version;
        run->value_checksum = checksum;
        s = xy_run_columns(run, content, 1);
    }
    run->memberwise = false;
    return s ? s : xy_check_end(run, &head, 0);
}

/* All first members of n objects, then all second ones; bases are dissolved into their members,
 * and collections that have no header elsewhere have one for all n. */
static xy_status run_members(xy_run *run, const xy_node *layout, size_t n) {
    xy_status s = XY_OK;
    for (int32_t i = layout->first; i >= 0 && !s; i = node_at(run, i)->next) {
        const xy_node *m = node_at(run, i);
        if (xy_is_dissolved(run->program, m) && m->first >= 0)
            s = run_members(run, node_at(run, m->first), n);
        else if (m->flags & XY_F_COLLECTION)
            s = run_headed(run, i, n, false);
        else if (m->op == XY_OP_HEADER)
            s = run_headed(run, m->first, n, false);
        else
            s = xy_run_columns(run, i, n);
    }
    return s;
}

static xy_status run_object(xy_run *run, const xy_node *node) {
    xy_head head;
    xy_status s = xy_read_head(run, node, &head);
    if (s) return s;
    size_t whole_end = run->in.end;
    run->in.end = head.end;
    int32_t layout = xy_layout_of(run, node, &head);
    s = layout < 0 ? (xy_status)run->err->status : run_struct(run, node_at(run, layout), 1);
    if (!s) s = xy_check_end(run, &head, node->type_name);
    run->in.end = whole_end;
    return s;
}

/* Whether a version header at the cursor belongs to the entry's own object: it spans the entry and
 * names the layout exactly. What looks like one may be that of a base class or a member. */
static bool entry_has_header(xy_run *run, const xy_node *node) {
    size_t start = run->in.pos;
    xy_head head;
    bool spans = xy_read_head(run, node, &head) == XY_OK && head.counted && head.end == run->in.end;
    memset(run->err, 0, sizeof *run->err);
    run->in.pos = start;
    run->in.bad = false;
    const xy_node *layout = node_at(run, node->first);
    return spans &&
           (head.checksum ? head.checksum == layout->checksum || head.version == layout->version
                          : head.version == layout->version);
}

/* The object of an entry of its own. Most writers put a version header before it; ROOT leaves it
 * out of branches that it could have split. Where both are possible, the form that uses up the
 * entry is right. */
static xy_status run_entry_object(xy_run *run, const xy_node *node) {
    if (!entry_has_header(run, node)) return run_struct(run, node_at(run, node->first), 1);
    size_t start = run->in.pos;
    size_t *marks = xy_new((uint64_t)run->columns.count + 1, sizeof *marks);
    if (!marks) return xy_no_memory(run);
    for (int32_t i = 0; i < run->columns.count; i++)
        marks[i] = run->columns.buffers[i].len;
    size_t tags = run->tags ? run->tags->len : 0;
    xy_status s = run_object(run, node);
    if (s) {
        xy_error first = *run->err;
        memset(run->err, 0, sizeof *run->err);
        for (int32_t i = 0; i < run->columns.count; i++)
            run->columns.buffers[i].len = marks[i];
        size_t end = run->in.end;
        run->in.pos = start;
        run->in.bad = false;
        run->ref_count = 0;
        if (run->tags) run->tags->len = tags;
        s = run_struct(run, node_at(run, node->first), 1);
        if (s || run->in.pos != end) {
            *run->err = first;
            s = (xy_status)first.status;
        }
    }
    free(marks);
    return s;
}

/* The node that a TAPE runs. */
static const xy_node *taped(const xy_run *run, const xy_node *tape) {
    const xy_node *node = node_at(run, tape->first);
    return node->op == XY_OP_USE ? node_at(run, run->program->classes[node->size].node) : node;
}

/* Elements of a member-wise collection that have a tape each. */
static xy_status run_tapes(xy_run *run, const xy_node *tape, size_t n) {
    xy_buffer *bytes = column_of(run, tape) + 1;
    size_t before = bytes->len;
    size_t *ends = xy_new(n, sizeof *ends);
    if (!ends) return xy_no_memory(run);
    run->tape = bytes;
    xy_status s = xy_run_tapes(run, taped(run, tape), n, ends);
    run->tape = NULL;
    if (!s && bytes->failed) s = xy_no_memory(run);
    for (size_t i = 0; i < n && !s; i++) {
        s = push_offset(run, tape, ends[i] - before);
        before = ends[i];
    }
    free(ends);
    return s;
}

static xy_status run_list(xy_run *run, const xy_node *node) {
    bool memberwise = run->memberwise;
    run->memberwise = false;
    const xy_node *child = node_at(run, node->first);
    bool tapes = memberwise && child->op == XY_OP_TAPE;
    size_t n = 0;
    xy_status s = xy_read_count(run, tapes ? taped(run, child) : child, memberwise, &n);
    if (!s) s = push_offset(run, node, n);
    if (s) return s;
    if (!memberwise) return xy_run_columns(run, node->first, n);
    if (n == 0) return XY_OK; /* of a class that need not be known, then */
    if (tapes) return run_tapes(run, child, n);
    int32_t layout = node->first;
    if (child->op == XY_OP_OBJECT) {
        layout = xy_choose_layout(run, child, run->value_version, run->value_checksum);
        if (layout < 0) return (xy_status)run->err->status;
    } else if (child->op != XY_OP_STRUCT) {
        return xy_fail(run->err, XY_E_UNSUPPORTED, run->in.pos + run->origin,
                       "a member-wise collection of elements that cannot be read: %s",
                       child->op == XY_OP_ERROR ? xy_program_text(run->program, child->type_name)
                                                : "they are no objects");
    }
    return run_members(run, node_at(run, layout), n);
}

static xy_status run_loop(xy_run *run, const xy_node *node, size_t n) {
    xy_head head;
    xy_status s = xy_read_head(run, NULL, &head);
    for (size_t i = 0; i < n && !s; i++) {
        size_t count = 0;
        s = loops_at(run, node, i, n, &count);
        if (!s) s = push_offset(run, node, count);
        if (!s) s = xy_run_columns(run, node->first, count);
    }
    return s ? s : xy_check_end(run, &head, 0);
}

static xy_status run_taped(xy_run *run, const xy_node *node) {
    xy_buffer *bytes = column_of(run, node) + 1;
    size_t before = bytes->len;
    run->tape = bytes;
    xy_status s = xy_run_tape(run, node->first);
    run->tape = NULL;
    if (!s && bytes->failed) s = xy_no_memory(run);
    return s ? s : push_offset(run, node, bytes->len - before);
}

static xy_status put_tobject(xy_run *run, const xy_node *node) {
    uint32_t id = 0, bits = 0;
    uint16_t pid = 0;
    xy_status s = node->op == XY_OP_TREF ? xy_read_tref(run, &id, &bits, &pid, NULL)
                                         : xy_read_tobject(run, &id, &bits, &pid);
    if (s) return s;
    const xy_node *first = node_at(run, node->first);
    const xy_node *second = node_at(run, first->next);
    bool ok =
        xy_append_u32(column_of(run, first), id) && xy_append_u32(column_of(run, second), bits);
    if (node->op == XY_OP_TREF)
        ok = ok && xy_append(column_of(run, node_at(run, second->next)), &pid, 2);
    return ok ? XY_OK : xy_no_memory(run);
}

/* Nodes whose rows have to be read one by one. */
static xy_status run_row(xy_run *run, const xy_node *node) {
    switch (node->op) {
    case XY_OP_BITS: {
        uint32_t bits = xy_u32(&run->in);
        if (bits & 0x10) xy_u16(&run->in);
        if (run->in.bad) return xy_truncated(run, "fBits");
        return xy_append_u32(column_of(run, node), bits) ? XY_OK : xy_no_memory(run);
    }
    case XY_OP_TSTRING: {
        size_t len = xy_u8(&run->in);
        if (len == 255) len = xy_u32(&run->in);
        return push_text(run, node, len);
    }
    case XY_OP_CHARS: {
        size_t len = xy_u32(&run->in);
        return push_text(run, node, len);
    }
    case XY_OP_REST: return run_rest(run, node);
    case XY_OP_OBJECT:
        return node->flags & XY_F_BARE_OBJECT ? run_entry_object(run, node) : run_object(run, node);
    case XY_OP_LIST: {
        bool memberwise = run->memberwise;
        xy_status s = run_list(run, node);
        run->memberwise = memberwise;
        return s;
    }
    case XY_OP_TOBJECT:
    case XY_OP_TREF: return put_tobject(run, node);
    case XY_OP_TAPE: return run_taped(run, node);
    case XY_OP_ERROR:
        return xy_fail(run->err, XY_E_UNSUPPORTED, run->in.pos + run->origin, "%s",
                       xy_program_text(run->program, node->type_name));
    default:
        return xy_fail(run->err, XY_E_UNSUPPORTED, run->in.pos + run->origin,
                       "operation %d has no place in a column", node->op);
    }
}

xy_status xy_run_columns(xy_run *run, int32_t index, size_t n) {
    const xy_node *node = node_at(run, index);
    xy_status s = XY_OK;
    switch (node->op) {
    case XY_OP_NUMBER: return run_numbers(run, node, n);
    case XY_OP_FIXED:
        s = xy_afford(run, node->first, (int64_t)n * node->size);
        return s ? s : xy_run_columns(run, node->first, n * (size_t)node->size);
    case XY_OP_STRUCT: return run_struct(run, node, n);
    case XY_OP_COUNTED: return run_counted(run, node, n);
    case XY_OP_TRIANGLE: return run_triangles(run, node, n);
    case XY_OP_HEADER: return run_headed(run, node->first, n, true);
    case XY_OP_LOOP: return n ? run_loop(run, node, n) : XY_OK;
    default:
        for (size_t i = 0; i < n && !s; i++)
            s = run_row(run, node);
        return s;
    }
}
