#include "object_writer.h"

#include "../text.h"

#include <stdarg.h>

/* As deep as exec_tape.c reads. */
enum { MAX_DEPTH = 600, COLLECTION_HEAD_VERSION = 8 };

static const xy_node *node_at(const xy_writer *w, int32_t i) {
    return &w->program->nodes[i];
}

static const char *text_of(const xy_writer *w, uint32_t offset) {
    return xy_program_text(w->program, offset);
}

static const xy_node *used(const xy_writer *w, const xy_node *node) {
    return node->op == XY_OP_USE ? node_at(w, w->program->classes[node->size].node) : node;
}

static xy_status enter(xy_writer *w) {
    return ++w->depth > MAX_DEPTH ? xy_refuse(w, "objects nest deeper than %d levels", MAX_DEPTH)
                                  : XY_OK;
}

/* ---- arrays, lists and counts ---- */

/* n values of a node from an array or a list. */
static xy_status write_values(xy_writer *w, int32_t child, size_t value, size_t n,
                              xy_members *members) {
    const xy_node *c = node_at(w, child);
    if (c->op == XY_OP_NUMBER) return xy_write_numbers(w, c, value, n);
    uint32_t count;
    xy_status s = xy_count_values(w, value, "a list", &count);
    if (s) return s;
    if (count != n)
        return xy_refuse(w, "a list has %u values where %zu are wanted", (unsigned)count, n);
    if (n && xy_tape_tag_at(&w->tape, value) != XY_TAPE_LIST)
        return xy_refuse(w, "an array of numbers stands where a list of objects is wanted");
    s = enter(w);
    size_t at = n ? xy_tape_list_first(&w->tape, value) : 0;
    for (size_t i = 0; i < n && !s; i++, at = xy_tape_skip(&w->tape, at))
        s = xy_write_value(w, child, at, members);
    w->depth--;
    return s;
}

/* The counter of an array, which is a member of the same object. */
static xy_status counter_of(xy_writer *w, const xy_node *node, const xy_members *members,
                            int64_t *n) {
    const char *name = text_of(w, node->count_name);
    size_t value = members ? xy_find_mark(w, members, NULL, name) : 0;
    if (!value) return xy_refuse(w, "the member %s, which counts an array, is missing", name);
    return xy_get_integer(w, value, name, 0, INT32_MAX, n);
}

static xy_status write_counted(xy_writer *w, const xy_node *node, size_t value,
                               xy_members *members) {
    int64_t counter;
    uint32_t n;
    xy_status s = counter_of(w, node, members, &counter);
    if (!s) s = xy_count_values(w, value, text_of(w, node->name), &n);
    if (s) return s;
    bool bare = node->flags & XY_F_BARE;
    if (n != counter && (n || bare))
        return xy_refuse(w, "%s has %u values where %s says %d", text_of(w, node->name),
                         (unsigned)n, text_of(w, node->count_name), (int)counter);
    const xy_node *child = node_at(w, node->first);
    xy_node narrow = {.op = XY_OP_NUMBER, .wire = XY_W_32, .dtype = XY_I32};
    int dtype = XY_I64;
    const uint8_t *data;
    bool old = node->flags & XY_F_OLD_SEEK;
    if (old) xy_tape_numbers(&w->tape, value, &dtype, &data);
    bool wide = old && xy_dtype_size(dtype) == 8;
    if (bare && wide) return xy_refuse(w, "%s has no place for 64 bits", text_of(w, node->name));
    if (!bare) xy_put_u8(w, n ? (uint8_t)(wide ? 2 : 1) : 0);
    if (old && !wide) return xy_write_numbers(w, &narrow, value, n);
    if (child->op == XY_OP_NUMBER) return xy_write_numbers(w, child, value, n);
    return write_values(w, node->first, value, n, members);
}

static xy_status write_triangle(xy_writer *w, const xy_node *node, size_t value,
                                xy_members *members) {
    int64_t n;
    xy_status s = counter_of(w, node, members, &n);
    if (s) return s;
    if (n > 60000) return xy_refuse(w, "a symmetric matrix of %d rows", (int)n);
    return write_values(w, node->first, value, (size_t)(n * (n + 1) / 2), members);
}

/* ---- objects ---- */

static xy_status write_members(xy_writer *w, int32_t layout, xy_members *members) {
    xy_status s = XY_OK;
    for (int32_t i = node_at(w, layout)->first; i >= 0 && !s; i = node_at(w, i)->next) {
        const xy_node *m = node_at(w, i);
        size_t value = 0;
        if (!(m->flags & XY_F_FLATTEN)) s = xy_take_member(w, members, text_of(w, m->name), &value);
        if (!s) s = xy_write_value(w, i, value, members);
    }
    return s;
}

static xy_status find_object_layout(xy_writer *w, const xy_node *object, int32_t version,
                                    uint32_t checksum, int32_t *layout) {
    xy_run chooser;
    xy_run_init(&chooser, w->err, w->program);
    *layout = xy_object_layout(&chooser, object, version, checksum);
    return *layout < 0 ? (xy_status)w->err->status : XY_OK;
}

xy_status xy_find_layout(xy_writer *w, const xy_node *object, int32_t version, uint32_t checksum,
                         int32_t *layout) {
    xy_run chooser;
    xy_run_init(&chooser, w->err, w->program);
    *layout = xy_choose_layout(&chooser, object, version, checksum);
    return *layout < 0 ? (xy_status)w->err->status : XY_OK;
}

static xy_status write_class(xy_writer *w, const xy_node *node, xy_members *members, bool base) {
    int32_t newest = xy_newest_layout(w->program, node);
    bool any = newest >= 0 && (node_at(w, newest)->flags & XY_F_ANY_VERSION);
    int32_t usual = newest < 0 || any ? INT32_MIN : node_at(w, newest)->version, layout = newest;
    const char *name = text_of(w, node->type_name);
    xy_written_head head;
    xy_status s = xy_begin_head(w, members, base ? name : NULL, usual, &head);
    if (!s && head.version == INT32_MIN)
        return xy_refuse(w, "the version of class %s is not known: the member $version%s%s says it",
                         name, base ? ":" : "", base ? name : "");
    if (!s && (head.version != usual || head.summed))
        s = find_object_layout(w, node, head.version, head.checksum, &layout);
    if (!s) s = enter(w);
    if (!s) s = write_members(w, layout, members);
    w->depth--;
    return s ? s : xy_end_head(w, &head);
}

static xy_status write_tref(xy_writer *w, xy_members *members) {
    size_t id = 0, bits = 0, last = 0;
    int64_t number = 0, flags = 0, pid = 0;
    xy_status s = xy_take_member(w, members, "fUniqueID", &id);
    if (!s) s = xy_take_member(w, members, "fBits", &bits);
    if (!s) s = xy_get_integer(w, id, "fUniqueID", 0, UINT32_MAX, &number);
    if (!s) s = xy_get_integer(w, bits, "fBits", 0, UINT32_MAX, &flags);
    if (s) return s;
    if (flags & XY_IS_REFERENCED)
        return xy_refuse(w, "a TRef that other TRefs refer to cannot be written");
    xy_put_u16(w, 1);
    xy_put_u32(w, (uint32_t)number);
    xy_put_u32(w, (uint32_t)flags);
    if (flags & XY_HAS_UUID) {
        s = xy_take_member(w, members, "$uuid", &last);
        return s ? s : xy_write_text(w, last, false);
    }
    s = xy_take_member(w, members, "fPID", &last);
    if (!s) s = xy_get_integer(w, last, "fPID", 0, UINT16_MAX, &pid);
    xy_put_u16(w, (uint16_t)pid);
    return s;
}

/* An object whose members are those of the object at `value`, or, as a base class, those of the
 * object around it. */
static xy_status write_object(xy_writer *w, const xy_node *node, size_t value, xy_members *around) {
    bool base = around != NULL;
    xy_members own;
    xy_status s = XY_OK;
    if (!base) s = xy_open_members(w, value, &own);
    if (s) return s;
    xy_members *members = base ? around : &own;
    switch (node->op) {
    case XY_OP_TOBJECT: s = xy_write_tobject(w, members); break;
    case XY_OP_TREF: s = write_tref(w, members); break;
    case XY_OP_CUSTOM: s = xy_write_custom(w, node, members, base); break;
    case XY_OP_OBJECT: s = write_class(w, node, members, base); break;
    default: s = write_members(w, (int32_t)(node - w->program->nodes), members); break;
    }
    return s || base ? s : xy_close_members(w, &own);
}

/* ---- collections ---- */

static xy_status begin_collection(xy_writer *w, const xy_members *members, const char *name,
                                  bool of_list, size_t *count, bool *counted) {
    double head[4] = {0, (double)XY_COLLECTION_VERSION, 0, 0};
    int dtype = 0;
    const uint8_t *data = NULL;
    size_t mark = members ? xy_find_mark(w, members, "head", name) : 0;
    if (mark && (xy_tape_numbers(&w->tape, mark, &dtype, &data) != 4 || dtype != XY_F64))
        return xy_refuse(w, "$head:%s is not an array of four doubles", name);
    if (mark) memcpy(head, data, sizeof head);
    for (int i = 0; i < 4; i++)
        if (!(head[i] >= INT16_MIN && head[i] <= (double)UINT32_MAX))
            return xy_refuse(w, "$head:%s is out of range", name);
    int flags = (int)(uint32_t)(int64_t)head[0], version = (int)(uint32_t)(int64_t)head[1];
    *counted = !(flags & XY_HEAD_NO_COUNT);
    w->memberwise = of_list && (flags & XY_HEAD_MEMBERWISE);
    if (*counted) *count = xy_begin_count(w);
    xy_put_u16(w, (uint16_t)((uint32_t)version | (flags & XY_HEAD_MEMBERWISE ? 0x4000u : 0)));
    w->value_version = 0;
    w->value_checksum = 0;
    if (!w->memberwise || version < COLLECTION_HEAD_VERSION) return XY_OK;
    w->value_version = (int16_t)(int64_t)head[2];
    xy_put_u16(w, (uint16_t)w->value_version);
    if (w->value_version > 0) return XY_OK;
    w->value_checksum = (uint32_t)(int64_t)head[3];
    xy_put_u32(w, w->value_checksum);
    return XY_OK;
}

static xy_status write_header(xy_writer *w, const xy_node *node, size_t value,
                              xy_members *members) {
    size_t count = 0;
    bool counted;
    xy_status s = begin_collection(w, members, text_of(w, node->name), true, &count, &counted);
    if (!s) s = xy_write_value(w, node->first, value, members);
    w->memberwise = false;
    return !s && counted ? xy_end_count(w, count) : s;
}

static xy_status write_loop(xy_writer *w, const xy_node *node, size_t value, xy_members *members) {
    int64_t n;
    size_t count = 0;
    bool counted;
    xy_status s = counter_of(w, node, members, &n);
    if (!s) s = begin_collection(w, members, text_of(w, node->name), false, &count, &counted);
    if (!s) s = write_values(w, node->first, value, (size_t)n, members);
    return !s && counted ? xy_end_count(w, count) : s;
}

static xy_status write_list(xy_writer *w, const xy_node *node, size_t value, xy_members *members) {
    bool memberwise = w->memberwise;
    w->memberwise = false;
    uint32_t n;
    xy_status s = XY_OK;
    if (node->flags & XY_F_FLATTEN) { /* a base class TArrayX */
        size_t count = 0;
        int64_t said = 0;
        s = xy_take_member(w, members, "fN", &count);
        if (!s) s = xy_get_integer(w, count, "fN", 0, INT32_MAX, &said);
        if (!s) s = xy_take_member(w, members, "fArray", &value);
        if (!s) s = xy_count_values(w, value, "fArray", &n);
        if (!s && n != said)
            s = xy_refuse(w, "fArray has %u values where fN says %d", (unsigned)n, (int)said);
    } else {
        s = xy_count_values(w, value, text_of(w, node->type_name), &n);
    }
    if (s) return s;
    xy_put_u32(w, n);
    if (!memberwise || n == 0) return write_values(w, node->first, value, n, members);
    const xy_node *child = used(w, node_at(w, node->first));
    int32_t layout = child->op == XY_OP_STRUCT ? node->first : -1;
    if (child->op == XY_OP_OBJECT)
        s = xy_find_layout(w, child, w->value_version, w->value_checksum, &layout);
    else if (layout < 0)
        s = xy_refuse(w, "a member-wise collection of %s cannot be written",
                      text_of(w, child->type_name));
    return s ? s : xy_write_memberwise(w, layout, value);
}

static xy_status write_members_of_all(xy_writer *w, int32_t layout, xy_members *elements, size_t n);

static xy_status write_member_of_all(xy_writer *w, int32_t m, xy_members *elements, size_t n) {
    const xy_node *node = node_at(w, m);
    if (xy_is_dissolved(w->program, node)) {
        xy_run chooser;
        xy_run_init(&chooser, w->err, w->program);
        int32_t base = xy_base_layout(&chooser, node);
        return base < 0 ? (xy_status)w->err->status : write_members_of_all(w, base, elements, n);
    }
    bool own_header = node->op == XY_OP_HEADER || node->op == XY_OP_LOOP;
    bool header = n && (own_header || (node->flags & XY_F_COLLECTION));
    size_t count = 0;
    bool counted = false;
    xy_status s = XY_OK;
    if (header) s = begin_collection(w, elements, text_of(w, node->name), true, &count, &counted);
    bool memberwise = header && w->memberwise;
    int32_t version = w->value_version;
    uint32_t checksum = w->value_checksum;
    for (size_t i = 0; i < n && !s; i++) {
        size_t value = 0;
        if (!(node->flags & XY_F_FLATTEN))
            s = xy_take_member(w, &elements[i], text_of(w, node->name), &value);
        w->memberwise = memberwise;
        w->value_version = version;
        w->value_checksum = checksum;
        int64_t loops = 0;
        if (!s && node->op == XY_OP_LOOP) {
            s = counter_of(w, node, &elements[i], &loops);
            if (!s) s = write_values(w, node->first, value, (size_t)loops, &elements[i]);
        } else if (!s) {
            s = xy_write_value(w, own_header ? node->first : m, value, &elements[i]);
        }
    }
    w->memberwise = false;
    return !s && counted ? xy_end_count(w, count) : s;
}

static xy_status write_members_of_all(xy_writer *w, int32_t layout, xy_members *elements,
                                      size_t n) {
    xy_status s = enter(w);
    for (int32_t m = node_at(w, layout)->first; m >= 0 && !s; m = node_at(w, m)->next)
        s = write_member_of_all(w, m, elements, n);
    w->depth--;
    return s;
}

xy_status xy_write_memberwise(xy_writer *w, int32_t layout, size_t list) {
    if (xy_tape_tag_at(&w->tape, list) != XY_TAPE_LIST)
        return xy_refuse(w, "the elements of a member-wise collection are not objects");
    uint32_t n = xy_tape_list_count(&w->tape, list);
    xy_members *elements = xy_new(n, sizeof *elements);
    if (!elements) return xy_write_failed(w);
    size_t taken = w->taken.len, at = xy_tape_list_first(&w->tape, list);
    xy_status s = XY_OK;
    for (uint32_t i = 0; i < n && !s; i++, at = xy_tape_skip(&w->tape, at))
        s = xy_open_members(w, at, &elements[i]);
    if (!s) s = write_members_of_all(w, layout, elements, n);
    for (uint32_t i = n; i > 0 && !s; i--)
        s = xy_close_members(w, &elements[i - 1]);
    w->taken.len = taken;
    free(elements);
    return s;
}

/* ---- pointers ---- */

static xy_status write_reference(xy_writer *w, uint32_t id) {
    uint32_t offset = id == 1;
    if (id > 1 && (size_t)id < w->objects.len / 4)
        memcpy(&offset, w->objects.data + 4 * (size_t)id, 4);
    if (!offset)
        return xy_refuse(w, "object %u is referred to before a pointer to it was written",
                         (unsigned)id);
    xy_put_u32(w, offset);
    return XY_OK;
}

static bool remember(xy_writer *w, uint32_t id, uint32_t offset) {
    enum { MAX_OBJECTS = 1 << 28 };
    if (id < 2) return true;
    if (id > MAX_OBJECTS) return false;
    size_t wanted = 4 * ((size_t)id + 1), len = w->objects.len;
    if (wanted > len) {
        uint8_t *p = xy_extend(&w->objects, wanted - len);
        if (!p) return false;
        memset(p, 0, wanted - len);
    }
    memcpy(w->objects.data + 4 * (size_t)id, &offset, 4);
    return true;
}

xy_status xy_write_named(xy_writer *w, int32_t node, size_t value) {
    size_t inner = xy_tape_member(&w->tape, value, "$value");
    if (!inner) return xy_write_value(w, node, value, NULL);
    xy_str name;
    size_t first = xy_tape_first_member(&w->tape, value, &name);
    if (first != inner || xy_tape_next_member(&w->tape, value, first, &name))
        return xy_refuse(w, "an object has other members besides $value");
    return xy_write_value(w, node, inner, NULL);
}

xy_status xy_write_pointer(xy_writer *w, size_t value) {
    enum { MAP_OFFSET = 2, NEW_CLASS = -1 };
    int tag = xy_tape_tag_at(&w->tape, value);
    if (tag == XY_TAPE_NULL) {
        xy_put_u32(w, 0);
        return XY_OK;
    }
    if (tag == XY_TAPE_REF) {
        uint32_t id;
        memcpy(&id, w->tape.data + value + 1, 4);
        return write_reference(w, id);
    }
    if (tag != XY_TAPE_OBJECT)
        return xy_refuse(w, "a pointer is neither null nor an object with _typename");
    xy_str name = xy_tape_class(&w->tape, value);
    int32_t cls = xy_program_class_index(w->program, name.text, name.len);
    if (cls < 0 || w->program->classes[cls].node < 0)
        return xy_fail(w->err, XY_E_NO_STREAMER, w->out->len,
                       "class %.*s has no streamer info in this file", (int)name.len, name.text);
    xy_status s = enter(w);
    size_t start = w->out->len + w->origin;
    size_t count = xy_begin_count(w);
    if (w->class_tags[cls]) {
        xy_put_u32(w, w->class_tags[cls] | 0x80000000u);
    } else {
        w->class_tags[cls] = (uint32_t)(w->out->len + w->origin + MAP_OFFSET);
        xy_put_u32(w, (uint32_t)NEW_CLASS);
        if (memchr(name.text, 0, name.len)) return xy_refuse(w, "a class name has a zero byte");
        xy_append(w->out, name.text, name.len);
        xy_put_u8(w, 0);
    }
    if (!s && !remember(w, xy_tape_object_id(&w->tape, value), (uint32_t)(start + MAP_OFFSET)))
        s = xy_write_failed(w);
    if (!s) s = xy_write_named(w, w->program->classes[cls].node, value);
    w->depth--;
    return s ? s : xy_end_count(w, count);
}

/* ---- values ---- */

static xy_status write_bits(xy_writer *w, const xy_node *node, size_t value,
                            const xy_members *members) {
    int64_t bits, pid = 0;
    xy_status s = xy_get_integer(w, value, "fBits", 0, UINT32_MAX, &bits);
    if (s) return s;
    xy_put_u32(w, (uint32_t)bits);
    if (!(bits & XY_IS_REFERENCED)) return XY_OK;
    const char *name = text_of(w, node->name);
    size_t mark = members ? xy_find_mark(w, members, "pid", name) : 0;
    if (!mark)
        return xy_refuse(w, "$pid:%s, the process id of a referenced object, is missing", name);
    s = xy_get_integer(w, mark, "$pid", 0, UINT16_MAX, &pid);
    xy_put_u16(w, (uint16_t)pid);
    return s;
}

xy_status xy_write_value(xy_writer *w, int32_t index, size_t value, xy_members *members) {
    const xy_node *node = node_at(w, index);
    bool flatten = node->flags & XY_F_FLATTEN;
    if (flatten && !members) return xy_refuse(w, "a base class stands outside of an object");
    if (!flatten && xy_tape_tag_at(&w->tape, value) == XY_TAPE_ERROR)
        return xy_refuse(w, "a member was not read and cannot be written");
    switch (node->op) {
    case XY_OP_NUMBER: return xy_write_numbers(w, node, value, 1);
    case XY_OP_BITS: return write_bits(w, node, value, members);
    case XY_OP_FIXED: return write_values(w, node->first, value, (size_t)node->size, members);
    case XY_OP_COUNTED: return write_counted(w, node, value, members);
    case XY_OP_TRIANGLE: return write_triangle(w, node, value, members);
    case XY_OP_TSTRING: return xy_write_text(w, value, false);
    case XY_OP_CHARS: return xy_write_text(w, value, true);
    case XY_OP_HEADER: return write_header(w, node, value, members);
    case XY_OP_LIST: return write_list(w, node, value, members);
    case XY_OP_LOOP: return write_loop(w, node, value, members);
    case XY_OP_POINTER: return xy_write_pointer(w, value);
    case XY_OP_USE:
    case XY_OP_STRUCT:
    case XY_OP_OBJECT:
    case XY_OP_TOBJECT:
    case XY_OP_TREF:
    case XY_OP_CUSTOM: {
        const xy_node *object = used(w, node);
        switch (object->op) {
        case XY_OP_STRUCT:
        case XY_OP_OBJECT:
        case XY_OP_TOBJECT:
        case XY_OP_TREF:
        case XY_OP_CUSTOM: return write_object(w, object, value, flatten ? members : NULL);
        case XY_OP_LIST:
            if (flatten) { /* a base class TArrayX: the use has the flag */
                xy_node base = *object;
                base.flags |= XY_F_FLATTEN;
                return write_list(w, &base, value, members);
            }
            break;
        default: break;
        }
        return xy_write_value(w, (int32_t)(object - w->program->nodes), value, members);
    }
    case XY_OP_ERROR: return xy_refuse(w, "%s", text_of(w, node->type_name));
    default: return xy_refuse(w, "operation %d has no place in an object", node->op);
    }
}

xy_status xy_write_parts(xy_error *err, const xy_program *program, int32_t node,
                         const xy_tape_view *tape, size_t key_length, xy_buffer *out,
                         xy_buffer *parts) {
    xy_writer w = {.err = err,
                   .program = program,
                   .tape = *tape,
                   .out = out,
                   .origin = key_length,
                   .parts = parts};
    w.class_tags = xy_new((uint64_t)program->class_count, sizeof *w.class_tags);
    xy_status s = XY_OK;
    if (!w.class_tags || key_length > INT16_MAX)
        s = xy_write_failed(&w);
    else if (tape->len == 0 || xy_tape_tag_at(tape, 0) != XY_TAPE_OBJECT)
        s = xy_refuse(&w, "what is written is not an object");
    else
        s = xy_write_named(&w, node, 0);
    if (!s && (out->failed || w.taken.failed)) s = xy_write_failed(&w);
    free(w.class_tags);
    xy_buffer_free(&w.objects);
    xy_buffer_free(&w.taken);
    return s;
}

xy_status xy_write_object(xy_error *err, const xy_program *program, int32_t node,
                          const xy_tape_view *tape, size_t key_length, xy_buffer *out) {
    return xy_write_parts(err, program, node, tape, key_length, out, NULL);
}
