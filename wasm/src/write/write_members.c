/* The members of objects on the tape, headers, and the bytes that everything is made of. */
#include "object_writer.h"

#include "../text.h"

enum { MAX_COUNT = 0x3ffffffe, MARK_NAME = 600 };

xy_status xy_refuse(xy_writer *w, const char *format, ...) {
    char text[400];
    va_list args;
    va_start(args, format);
    xy_format_list(text, sizeof text, format, args);
    va_end(args);
    return xy_fail(w->err, XY_E_ARGUMENT, w->out->len, "%s", text);
}

xy_status xy_write_failed(xy_writer *w) {
    return xy_fail(w->err, XY_E_MEMORY, w->out->len, "no memory for the bytes of an object");
}

void xy_put_u8(xy_writer *w, uint8_t v) {
    xy_append_u8(w->out, v);
}

void xy_put_u16(xy_writer *w, uint16_t v) {
    const uint8_t bytes[] = {(uint8_t)(v >> 8), (uint8_t)v};
    xy_append(w->out, bytes, sizeof bytes);
}

void xy_put_u32(xy_writer *w, uint32_t v) {
    xy_append_u32(w->out, __builtin_bswap32(v));
}

void xy_put_string(xy_writer *w, xy_str text) {
    if (text.len < 255) {
        xy_put_u8(w, (uint8_t)text.len);
    } else {
        xy_put_u8(w, 255);
        xy_put_u32(w, (uint32_t)text.len);
    }
    xy_append(w->out, text.text, text.len);
}

void xy_note_part(xy_writer *w, int kind, int dtype, size_t value, size_t at) {
    const xy_written_part part = {.kind = kind,
                                  .dtype = dtype,
                                  .value = (uint32_t)value,
                                  .at = (uint32_t)at,
                                  .len = (uint32_t)(w->out->len - at)};
    if (w->parts && part.len) xy_append(w->parts, &part, sizeof part);
}

size_t xy_begin_count(xy_writer *w) {
    size_t mark = w->out->len;
    xy_put_u32(w, 0);
    return mark;
}

xy_status xy_end_count(xy_writer *w, size_t mark) {
    if (w->out->failed) return xy_write_failed(w);
    size_t count = w->out->len - mark - 4;
    if (count > MAX_COUNT) return xy_refuse(w, "an object has more than 1 GiB");
    uint32_t word = __builtin_bswap32((uint32_t)count | 0x40000000u);
    memcpy(w->out->data + mark, &word, 4);
    xy_note_part(w, XY_PART_COUNT, 0, 0, mark);
    return XY_OK;
}

/* ---- members ---- */

static bool is_mark(xy_str name) {
    return name.len && *name.text == '$';
}

/* Moves on to the next member that is no mark. */
static void pass_marks(const xy_writer *w, xy_members *m) {
    while (m->next && is_mark(m->next_name)) {
        m->next = xy_tape_next_member(&w->tape, m->object, m->next, &m->next_name);
        m->index++;
    }
}

xy_status xy_open_members(xy_writer *w, size_t object, xy_members *m) {
    if (xy_tape_tag_at(&w->tape, object) != XY_TAPE_OBJECT)
        return xy_refuse(w, "a value that should be an object is none");
    *m = (xy_members){.object = object, .taken = w->taken.len};
    uint32_t count = 0;
    xy_str name;
    for (size_t at = xy_tape_first_member(&w->tape, object, &name); at;
         at = xy_tape_next_member(&w->tape, object, at, &name))
        count++;
    uint8_t *flags = xy_extend(&w->taken, count);
    if (!flags && count) return xy_write_failed(w);
    if (count) memset(flags, 0, count);
    m->next = xy_tape_first_member(&w->tape, object, &m->next_name);
    return XY_OK;
}

xy_status xy_close_members(xy_writer *w, xy_members *m) {
    xy_str name;
    const uint8_t *taken = w->taken.data + m->taken;
    uint32_t i = 0;
    for (size_t at = xy_tape_first_member(&w->tape, m->object, &name); at;
         at = xy_tape_next_member(&w->tape, m->object, at, &name), i++) {
        if (taken[i] || is_mark(name)) continue;
        xy_str cls = xy_tape_class(&w->tape, m->object);
        return xy_refuse(w, "class %.*s has no member %.*s", (int)cls.len, cls.text, (int)name.len,
                         name.text);
    }
    w->taken.len = m->taken;
    return XY_OK;
}

static bool same(xy_str a, const char *b, size_t len) {
    return a.len == len && memcmp(a.text, b, len) == 0;
}

xy_status xy_take_member(xy_writer *w, xy_members *m, const char *name, size_t *value) {
    size_t len = strlen(name);
    if (*name != '$') pass_marks(w, m);
    if (m->next && same(m->next_name, name, len) && !w->taken.data[m->taken + m->index]) {
        *value = m->next;
        w->taken.data[m->taken + m->index++] = 1;
        m->next = xy_tape_next_member(&w->tape, m->object, m->next, &m->next_name);
        return XY_OK;
    }
    xy_str key;
    uint32_t i = 0;
    for (size_t at = xy_tape_first_member(&w->tape, m->object, &key); at;
         at = xy_tape_next_member(&w->tape, m->object, at, &key), i++) {
        if (!same(key, name, len) || w->taken.data[m->taken + i]) continue;
        *value = at;
        w->taken.data[m->taken + i] = 1;
        return XY_OK;
    }
    xy_str cls = xy_tape_class(&w->tape, m->object);
    return xy_refuse(w, "an object of class %.*s has no member %s", (int)cls.len, cls.text, name);
}

size_t xy_find_mark(const xy_writer *w, const xy_members *m, const char *kind, const char *name) {
    char text[MARK_NAME];
    if (kind) xy_mark_name(text, sizeof text, kind, name);
    return xy_tape_member(&w->tape, m->object, kind ? text : name);
}

/* ---- headers ---- */

xy_status xy_begin_head(xy_writer *w, const xy_members *m, const char *base, int32_t usual,
                        xy_written_head *head) {
    *head = (xy_written_head){.counted = true, .version = usual};
    size_t mark = xy_find_mark(w, m, "version", base);
    int64_t word = 0, checksum = 0;
    if (mark) {
        xy_status s = xy_get_integer(w, mark, "$version", INT16_MIN,
                                     UINT16_MAX | XY_NO_COUNT | XY_MEMBERWISE, &word);
        if (s) return s;
        head->counted = !(word > 0 && (word & XY_NO_COUNT));
        head->memberwise = word > 0 && (word & XY_MEMBERWISE);
        head->version = (int16_t)(uint16_t)(word & UINT16_MAX);
    }
    size_t sum = mark ? xy_find_mark(w, m, "checksum", base) : 0;
    if (sum) {
        xy_status s = xy_get_integer(w, sum, "$checksum", 0, UINT32_MAX, &checksum);
        if (s) return s;
        head->summed = true;
        head->checksum = (uint32_t)checksum;
    }
    if (head->version == INT32_MIN) return XY_OK; /* the caller says that it is missing */
    if (head->counted) head->count = xy_begin_count(w);
    xy_put_u16(w, (uint16_t)((uint32_t)head->version | (head->memberwise ? 0x4000u : 0)));
    if (head->summed) xy_put_u32(w, head->checksum);
    return XY_OK;
}

xy_status xy_end_head(xy_writer *w, const xy_written_head *head) {
    return head->counted ? xy_end_count(w, head->count) : XY_OK;
}
