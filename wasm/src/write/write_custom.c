/* Classes with a format of their own: see custom.c, which reads them. */
#include "object_writer.h"

#include "../streamer/custom.h"

static xy_status integer_member(xy_writer *w, xy_members *m, const char *name, int64_t low,
                                int64_t high, int64_t *out) {
    size_t value;
    xy_status s = xy_take_member(w, m, name, &value);
    return s ? s : xy_get_integer(w, value, name, low, high, out);
}

static xy_status text_member(xy_writer *w, xy_members *m, const char *name) {
    size_t value;
    xy_status s = xy_take_member(w, m, name, &value);
    return s ? s : xy_write_text(w, value, false);
}

/* fUniqueID, fBits and, where the bits say so, $pid; `bits` may be NULL. */
static xy_status tobject(xy_writer *w, xy_members *m, int64_t *bits) {
    int64_t id, flags, pid;
    xy_status s = integer_member(w, m, "fUniqueID", 0, UINT32_MAX, &id);
    if (!s) s = integer_member(w, m, "fBits", 0, UINT32_MAX, &flags);
    if (s) return s;
    xy_put_u16(w, 1);
    xy_put_u32(w, (uint32_t)id);
    xy_put_u32(w, (uint32_t)flags);
    if (bits) *bits = flags;
    if (!(flags & XY_IS_REFERENCED)) return XY_OK;
    s = integer_member(w, m, "$pid", 0, UINT16_MAX, &pid);
    if (!s) xy_put_u16(w, (uint16_t)pid);
    return s;
}

xy_status xy_write_tobject(xy_writer *w, xy_members *m) {
    return tobject(w, m, NULL);
}

/* The list of a collection and how many values it has. */
static xy_status list_member(xy_writer *w, xy_members *m, const char *name, size_t *list,
                             uint32_t *n) {
    xy_status s = xy_take_member(w, m, name, list);
    if (s) return s;
    if (xy_tape_tag_at(&w->tape, *list) != XY_TAPE_LIST)
        return xy_refuse(w, "%s is not a list", name);
    *n = xy_tape_list_count(&w->tape, *list);
    return XY_OK;
}

/* TObject, name and count, as far as the version has them: see xy_read_collection. */
static xy_status begin_collection(xy_writer *w, xy_members *m, int32_t version, int32_t named_from,
                                  int32_t tobject_from, size_t *list, uint32_t *n) {
    xy_status s = version > tobject_from ? tobject(w, m, NULL) : XY_OK;
    size_t name = 0;
    if (!s) s = xy_take_member(w, m, "name", &name);
    if (!s && version > named_from) s = xy_write_text(w, name, false);
    if (!s) s = list_member(w, m, "arr", list, n);
    if (!s) xy_put_u32(w, *n);
    return s;
}

static xy_status lower_bound(xy_writer *w, xy_members *m) {
    int64_t lower;
    xy_status s = integer_member(w, m, "fLowerBound", INT32_MIN, INT32_MAX, &lower);
    if (!s) xy_put_u32(w, (uint32_t)lower);
    return s;
}

static xy_status write_objarray(xy_writer *w, xy_members *m, int32_t version) {
    size_t list;
    uint32_t n;
    xy_status s = begin_collection(w, m, version, 1, 2, &list, &n);
    if (!s) s = lower_bound(w, m);
    size_t at = s ? 0 : xy_tape_list_first(&w->tape, list);
    for (uint32_t i = 0; i < n && !s; i++, at = xy_tape_skip(&w->tape, at))
        s = xy_write_pointer(w, at);
    return s;
}

static xy_status write_option(xy_writer *w, size_t value, int32_t version) {
    xy_str text = xy_tape_text(&w->tape, value);
    if (version > 4) return xy_write_text(w, value, false);
    if (text.len > 255 || xy_tape_tag_at(&w->tape, value) != XY_TAPE_STRING)
        return xy_refuse(w, "an option of a list is not a text of at most 255 bytes");
    xy_put_u8(w, (uint8_t)text.len);
    xy_append(w->out, text.text, text.len);
    return XY_OK;
}

static xy_status write_tlist(xy_writer *w, xy_members *m, int32_t version) {
    size_t list, options;
    uint32_t n, count = 0;
    xy_status s =
        begin_collection(w, m, version, version > 3 ? 3 : 1, version > 3 ? 3 : 2, &list, &n);
    if (!s) s = list_member(w, m, "opt", &options, &count);
    if (s) return s;
    if (count != n)
        return xy_refuse(w, "a list of %u objects has %u options", (unsigned)n, (unsigned)count);
    size_t at = xy_tape_list_first(&w->tape, list), opt = xy_tape_list_first(&w->tape, options);
    for (uint32_t i = 0; i < n && !s; i++) {
        s = xy_write_pointer(w, at);
        if (!s && version > 3) s = write_option(w, opt, version);
        at = xy_tape_skip(&w->tape, at);
        opt = xy_tape_skip(&w->tape, opt);
    }
    return s;
}

static xy_status write_tmap(xy_writer *w, xy_members *m, int32_t version) {
    size_t list;
    uint32_t n;
    xy_status s = begin_collection(w, m, version, 1, 2, &list, &n);
    size_t at = s ? 0 : xy_tape_list_first(&w->tape, list);
    for (uint32_t i = 0; i < n && !s; i++, at = xy_tape_skip(&w->tape, at)) {
        xy_members pair;
        size_t first = 0, second = 0;
        s = xy_open_members(w, at, &pair);
        if (!s) s = xy_take_member(w, &pair, "first", &first);
        if (!s) s = xy_write_pointer(w, first);
        if (!s) s = xy_take_member(w, &pair, "second", &second);
        if (!s) s = xy_write_pointer(w, second);
        if (!s) s = xy_close_members(w, &pair);
    }
    return s;
}

static xy_status write_clonesarray(xy_writer *w, xy_members *m, int32_t version) {
    int64_t bits = 0;
    size_t name = 0, cls = 0, list = 0;
    uint32_t n = 0;
    xy_status s = version > 2 ? tobject(w, m, &bits) : XY_OK;
    if (!s) s = xy_take_member(w, m, "name", &name);
    if (!s && version > 1) s = xy_write_text(w, name, false);
    if (!s) s = xy_take_member(w, m, "$class", &cls);
    if (!s) s = xy_write_text(w, cls, false);
    if (!s) s = list_member(w, m, "arr", &list, &n);
    if (s) return s;
    xy_put_u32(w, n);
    s = lower_bound(w, m);
    if (s) return s;
    if (n == 0) {
        size_t rest = xy_find_mark(w, m, "rest", NULL);
        int dtype = XY_U8;
        const uint8_t *data = NULL;
        uint32_t size = xy_tape_numbers(&w->tape, rest, &dtype, &data);
        if (rest && dtype != XY_U8) return xy_refuse(w, "$rest is not an array of bytes");
        if (size) xy_append(w->out, data, size);
        return XY_OK;
    }
    xy_str text = xy_tape_text(&w->tape, cls);
    const char *semicolon = memchr(text.text, ';', text.len);
    size_t len = semicolon ? (size_t)(semicolon - text.text) : text.len;
    int32_t index = xy_program_class_index(w->program, text.text, len);
    if (index < 0)
        return xy_fail(w->err, XY_E_NO_STREAMER, w->out->len,
                       "class %.*s has no streamer info in this file", (int)len, text.text);
    int32_t node = w->program->classes[index].node;
    const xy_node *object = &w->program->nodes[node];
    if ((bits & XY_BYPASS_STREAMER) && object->op == XY_OP_OBJECT) {
        int32_t layout = -1;
        s = xy_find_layout(w, object, xy_version_in(text, len), 0, &layout);
        return s ? s : xy_write_memberwise(w, layout, list);
    }
    size_t at = xy_tape_list_first(&w->tape, list);
    for (uint32_t i = 0; i < n && !s; i++, at = xy_tape_skip(&w->tape, at)) {
        bool there = xy_tape_tag_at(&w->tape, at) != XY_TAPE_NULL;
        xy_put_u8(w, there);
        if (there) s = xy_write_value(w, node, at, NULL);
    }
    return s;
}

static xy_status write_refarray(xy_writer *w, xy_members *m, int32_t version) {
    (void)version;
    xy_status s = tobject(w, m, NULL);
    size_t ids = 0, last = 0;
    uint32_t n = 0;
    int64_t lower, pid;
    if (!s) s = text_member(w, m, "name");
    if (!s) s = xy_take_member(w, m, "fLast", &last); /* follows from the numbers */
    if (!s) s = integer_member(w, m, "fLowerBound", INT32_MIN, INT32_MAX, &lower);
    if (!s) s = xy_take_member(w, m, "fUIDs", &ids);
    if (!s) s = xy_count_values(w, ids, "fUIDs", &n);
    if (!s) s = integer_member(w, m, "fPID", 0, UINT16_MAX, &pid);
    if (s) return s;
    const xy_node number = {.op = XY_OP_NUMBER, .wire = XY_W_32, .dtype = XY_U32};
    xy_put_u32(w, n);
    xy_put_u32(w, (uint32_t)lower);
    xy_put_u16(w, (uint16_t)pid);
    return xy_write_numbers(w, &number, ids, n);
}

static xy_status write_roolinkedlist(xy_writer *w, xy_members *m, int32_t version) {
    size_t list = 0, name = 0;
    uint32_t n = 0;
    int64_t size = 0;
    xy_status s = tobject(w, m, NULL);
    if (!s) s = integer_member(w, m, "_size", 0, INT32_MAX, &size);
    if (!s) s = list_member(w, m, "arr", &list, &n);
    if (s) return s;
    if (size != n) return xy_refuse(w, "_size is not the length of a RooLinkedList");
    xy_put_u32(w, n);
    size_t at = xy_tape_list_first(&w->tape, list);
    for (uint32_t i = 0; i < n && !s; i++, at = xy_tape_skip(&w->tape, at))
        s = xy_write_pointer(w, at);
    if (!s) s = xy_take_member(w, m, "_name", &name);
    return !s && version > 1 ? xy_write_text(w, name, false) : s;
}

/* A basket travels as it was. */
static xy_status write_basket(xy_writer *w, xy_members *m, int32_t version) {
    (void)version;
    static const char *const members[] = {"fKeylen", "fNevBuf", "fLast", "fEntryOffset", "buffer"};
    size_t whole = xy_find_mark(w, m, "basket", NULL), ignored;
    int dtype = 0;
    const uint8_t *data = NULL;
    uint32_t n = xy_tape_numbers(&w->tape, whole, &dtype, &data);
    if (!n || dtype != XY_U8) return xy_refuse(w, "a TBasket without $basket cannot be written");
    xy_append(w->out, data, n);
    for (size_t i = 0; i < sizeof members / sizeof *members; i++)
        if (xy_find_mark(w, m, NULL, members[i]) && xy_take_member(w, m, members[i], &ignored))
            return (xy_status)w->err->status;
    return XY_OK;
}

static xy_status write_format(xy_writer *w, int custom, xy_members *m, int32_t version) {
    switch (custom) {
#define WRITE(kind, function, usual, pointers)                                                     \
    case XY_CUSTOM_##kind: return write_##function(w, m, version);
        XY_CUSTOM_FORMATS(WRITE)
#undef WRITE
    }
    return XY_OK;
}

xy_status xy_write_custom(xy_writer *w, const xy_node *node, xy_members *m, bool base) {
    int32_t usual = xy_custom_format_of(node->size)->version;
    if (usual < 0) return write_format(w, node->size, m, 0);
    const char *name = xy_program_text(w->program, node->type_name);
    xy_written_head head;
    xy_status s = xy_begin_head(w, m, base ? name : NULL, usual ? usual : INT32_MIN, &head);
    if (s) return s;
    if (head.version == INT32_MIN)
        return xy_refuse(w, "the version of class %s is not known: the member $version says it",
                         name);
    s = write_format(w, node->size, m, head.version);
    return s ? s : xy_end_head(w, &head);
}
