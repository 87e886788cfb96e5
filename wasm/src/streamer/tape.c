#include "tape.h"

void xy_tape_u8(xy_buffer *t, uint8_t tag) {
    xy_append_u8(t, tag);
}

void xy_tape_scalar(xy_buffer *t, int dtype, const void *data) {
    if (dtype == XY_BOOL) {
        uint8_t v = *(const uint8_t *)data;
        xy_append_u8(t, v ? XY_TAPE_TRUE : XY_TAPE_FALSE);
        return;
    }
    size_t n = xy_dtype_size(dtype);
    uint8_t *p = xy_extend(t, 2 + n);
    if (!p) return;
    p[0] = XY_TAPE_SCALAR;
    p[1] = (uint8_t)dtype;
    memcpy(p + 2, data, n);
}

void xy_tape_i32(xy_buffer *t, int32_t v) {
    xy_tape_scalar(t, XY_I32, &v);
}
void xy_tape_u32(xy_buffer *t, uint32_t v) {
    xy_tape_scalar(t, XY_U32, &v);
}
void xy_tape_i64(xy_buffer *t, int64_t v) {
    xy_tape_scalar(t, XY_I64, &v);
}
void xy_tape_f64(xy_buffer *t, double v) {
    xy_tape_scalar(t, XY_F64, &v);
}

static void tape_text(xy_buffer *t, uint8_t tag, const char *text, size_t len) {
    uint8_t *p = xy_extend(t, 5 + len);
    if (!p) return;
    uint32_t n = (uint32_t)len;
    p[0] = tag;
    memcpy(p + 1, &n, 4);
    if (len) memcpy(p + 5, text, len);
}

void xy_tape_string(xy_buffer *t, const char *text, size_t len) {
    tape_text(t, XY_TAPE_STRING, text, len);
}

void xy_tape_cstring(xy_buffer *t, const char *text) {
    xy_tape_string(t, text, strlen(text));
}
void xy_tape_error(xy_buffer *t, const char *text) {
    tape_text(t, XY_TAPE_ERROR, text, strlen(text));
}

void xy_tape_name(xy_buffer *t, const char *text, size_t len) {
    if (len > UINT16_MAX) len = UINT16_MAX;
    uint8_t *p = xy_extend(t, 2 + len);
    if (!p) return;
    uint16_t n = (uint16_t)len;
    memcpy(p, &n, 2);
    if (len) memcpy(p + 2, text, len);
}

void xy_tape_key(xy_buffer *t, const char *name) {
    xy_tape_name(t, name, strlen(name));
}

uint8_t *xy_tape_array(xy_buffer *t, int dtype, uint32_t n) {
    uint8_t *p = xy_extend_items(t, 6 + (uint64_t)n * xy_dtype_size(dtype), 1);
    if (!p) return NULL;
    p[0] = XY_TAPE_ARRAY;
    p[1] = (uint8_t)dtype;
    memcpy(p + 2, &n, 4);
    return p + 6;
}

size_t xy_tape_list(xy_buffer *t) {
    size_t mark = t->len;
    uint8_t *p = xy_extend(t, 9);
    if (p) p[0] = XY_TAPE_LIST;
    return mark;
}

void xy_tape_list_end(xy_buffer *t, size_t mark, uint32_t count) {
    if (t->failed) return;
    uint32_t size = (uint32_t)(t->len - mark - 9);
    memcpy(t->data + mark + 1, &size, 4);
    memcpy(t->data + mark + 5, &count, 4);
}

size_t xy_tape_object(xy_buffer *t, uint32_t id, const char *class_name, size_t len) {
    size_t mark = t->len;
    uint8_t *p = xy_extend(t, 9);
    if (p) {
        p[0] = XY_TAPE_OBJECT;
        memcpy(p + 5, &id, 4);
    }
    xy_tape_name(t, class_name, len);
    return mark;
}

void xy_tape_object_end(xy_buffer *t, size_t mark) {
    if (t->failed) return;
    uint32_t size = (uint32_t)(t->len - mark - 9);
    memcpy(t->data + mark + 1, &size, 4);
}

void xy_texts_add(xy_texts *texts, xy_str text) {
    xy_append(&texts->text, text.text, text.len);
    xy_append_u32(&texts->ends, (uint32_t)texts->text.len);
}

void xy_texts_put(xy_buffer *t, const char *key, xy_texts *texts) {
    xy_tape_key(t, key);
    size_t mark = xy_tape_object(t, 0, "", 0);
    xy_tape_key(t, "text");
    uint8_t *text = xy_tape_array(t, XY_U8, (uint32_t)texts->text.len);
    if (text && texts->text.len) memcpy(text, texts->text.data, texts->text.len);
    xy_tape_key(t, "ends");
    uint8_t *ends = xy_tape_array(t, XY_I32, (uint32_t)(texts->ends.len / 4));
    if (ends && texts->ends.len) memcpy(ends, texts->ends.data, texts->ends.len);
    xy_tape_object_end(t, mark);
    t->failed |= texts->text.failed || texts->ends.failed;
    xy_buffer_free(&texts->text);
    xy_buffer_free(&texts->ends);
}

static uint32_t get32(const xy_tape_view *t, size_t at) {
    uint32_t v;
    memcpy(&v, t->data + at, 4);
    return v;
}

static uint16_t get16(const xy_tape_view *t, size_t at) {
    uint16_t v;
    memcpy(&v, t->data + at, 2);
    return v;
}

int xy_tape_tag_at(const xy_tape_view *t, size_t at) {
    return t->data[at];
}

size_t xy_tape_skip(const xy_tape_view *t, size_t at) {
    switch (t->data[at]) {
    case XY_TAPE_SCALAR: return at + 2 + xy_dtype_size(t->data[at + 1]);
    case XY_TAPE_STRING:
    case XY_TAPE_ERROR: return at + 5 + get32(t, at + 1);
    case XY_TAPE_ARRAY: return at + 6 + get32(t, at + 2) * xy_dtype_size(t->data[at + 1]);
    case XY_TAPE_LIST:
    case XY_TAPE_OBJECT: return at + 9 + get32(t, at + 1);
    case XY_TAPE_REF: return at + 5;
    default: return at + 1;
    }
}

xy_str xy_tape_class(const xy_tape_view *t, size_t object) {
    xy_str s = {(const char *)t->data + object + 11, get16(t, object + 9)};
    return s;
}

static size_t member_at(const xy_tape_view *t, size_t object, size_t at, xy_str *name) {
    if (at >= object + 9 + get32(t, object + 1)) return 0;
    name->len = get16(t, at);
    name->text = (const char *)t->data + at + 2;
    return at + 2 + name->len;
}

size_t xy_tape_first_member(const xy_tape_view *t, size_t object, xy_str *name) {
    if (t->data[object] != XY_TAPE_OBJECT) return 0;
    return member_at(t, object, object + 11 + get16(t, object + 9), name);
}

size_t xy_tape_next_member(const xy_tape_view *t, size_t object, size_t value, xy_str *name) {
    return member_at(t, object, xy_tape_skip(t, value), name);
}

size_t xy_tape_member(const xy_tape_view *t, size_t object, const char *name) {
    if (t->data[object] != XY_TAPE_OBJECT) return 0;
    size_t len = strlen(name);
    size_t end = object + 9 + get32(t, object + 1);
    for (size_t at = object + 11 + get16(t, object + 9); at < end;) {
        size_t n = get16(t, at);
        size_t value = at + 2 + n;
        if (n == len && memcmp(t->data + at + 2, name, n) == 0) return value;
        at = xy_tape_skip(t, value);
    }
    return 0;
}

void xy_tape_members(const xy_tape_view *t, size_t object, const xy_str *names, int count,
                     size_t *values) {
    memset(values, 0, (size_t)count * sizeof *values);
    xy_str key;
    int next = 0; /* members mostly come in the order asked for */
    for (size_t at = xy_tape_first_member(t, object, &key); at;
         at = xy_tape_next_member(t, object, at, &key))
        for (int k = 0; k < count; k++) {
            int i = (next + k) % count;
            if (names[i].len != key.len || memcmp(names[i].text, key.text, key.len) != 0) continue;
            if (!values[i]) values[i] = at;
            next = i + 1;
            break;
        }
}

uint32_t xy_tape_list_count(const xy_tape_view *t, size_t list) {
    return t->data[list] == XY_TAPE_LIST ? get32(t, list + 5) : 0;
}

size_t xy_tape_list_first(const xy_tape_view *t, size_t list) {
    (void)t;
    return list + 9;
}

uint32_t xy_tape_object_id(const xy_tape_view *t, size_t object) {
    return get32(t, object + 5);
}

xy_str xy_tape_text(const xy_tape_view *t, size_t at) {
    xy_str s = {"", 0};
    if (at && (t->data[at] == XY_TAPE_STRING || t->data[at] == XY_TAPE_ERROR)) {
        s.text = (const char *)t->data + at + 5;
        s.len = get32(t, at + 1);
    }
    return s;
}

/* A case of a switch: the number of a C type at `p`, as VALUE says. */
#define NUMBER_AT(dtype, type, value)                                                              \
    case dtype: {                                                                                  \
        type v;                                                                                    \
        memcpy(&v, p, sizeof v);                                                                   \
        return value;                                                                              \
    }

int64_t xy_number_at(int dtype, const uint8_t *data, size_t index) {
    const uint8_t *p = data + index * xy_dtype_size(dtype);
    switch (dtype) {
        NUMBER_AT(XY_I8, int8_t, v)
        NUMBER_AT(XY_I16, int16_t, v)
        NUMBER_AT(XY_U16, uint16_t, v)
        NUMBER_AT(XY_I32, int32_t, v)
        NUMBER_AT(XY_U32, uint32_t, v)
        NUMBER_AT(XY_I64, int64_t, v)
        NUMBER_AT(XY_U64, int64_t, v)
        NUMBER_AT(XY_F32, float, v > -9e18f && v < 9e18f ? (int64_t)v : 0)
        NUMBER_AT(XY_F64, double, v > -9e18 && v < 9e18 ? (int64_t)v : 0)
    default: return *p;
    }
}

int64_t xy_tape_integer(const xy_tape_view *t, size_t at) {
    if (t->data[at] == XY_TAPE_TRUE) return 1;
    if (t->data[at] != XY_TAPE_SCALAR) return 0;
    return xy_number_at(t->data[at + 1], t->data + at + 2, 0);
}

double xy_tape_number(const xy_tape_view *t, size_t at) {
    if (t->data[at] == XY_TAPE_SCALAR && t->data[at + 1] == XY_F64) {
        double v;
        memcpy(&v, t->data + at + 2, 8);
        return v;
    }
    if (t->data[at] == XY_TAPE_SCALAR && t->data[at + 1] == XY_F32) {
        float v;
        memcpy(&v, t->data + at + 2, 4);
        return (double)v;
    }
    return (double)xy_tape_integer(t, at);
}

uint32_t xy_tape_numbers(const xy_tape_view *t, size_t at, int *dtype, const uint8_t **data) {
    if (!at || t->data[at] != XY_TAPE_ARRAY) return 0;
    *dtype = t->data[at + 1];
    *data = t->data + at + 6;
    return get32(t, at + 2);
}

/* Containers nest as deep as the writer's limit allows, so recursion is bounded. */
static void index_value(const xy_tape_view *t, size_t at, size_t *offsets, uint32_t count) {
    if (t->data[at] == XY_TAPE_LIST) {
        uint32_t n = xy_tape_list_count(t, at);
        size_t item = xy_tape_list_first(t, at);
        for (uint32_t i = 0; i < n; i++, item = xy_tape_skip(t, item))
            index_value(t, item, offsets, count);
    } else if (t->data[at] == XY_TAPE_OBJECT) {
        uint32_t id = xy_tape_object_id(t, at);
        if (id && id < count) offsets[id] = at;
        xy_str name;
        for (size_t m = xy_tape_first_member(t, at, &name); m;
             m = xy_tape_next_member(t, at, m, &name))
            if (t->data[m] == XY_TAPE_LIST || t->data[m] == XY_TAPE_OBJECT)
                index_value(t, m, offsets, count);
    }
}

void xy_tape_index(const xy_tape_view *t, size_t *offsets, uint32_t count) {
    if (t->len) index_value(t, 0, offsets, count);
}

xy_str xy_tape_member_text(const xy_tape_view *t, size_t object, const char *name) {
    return xy_tape_text(t, xy_tape_member(t, object, name));
}

int64_t xy_tape_member_int(const xy_tape_view *t, size_t object, const char *name,
                           int64_t fallback) {
    size_t at = xy_tape_member(t, object, name);
    return at ? xy_tape_integer(t, at) : fallback;
}

double xy_tape_member_double(const xy_tape_view *t, size_t object, const char *name,
                             double fallback) {
    size_t at = xy_tape_member(t, object, name);
    return at ? xy_tape_number(t, at) : fallback;
}
