#include "shape.h"

#include "../streamer/swap.h"

enum { MAX_HOLES = 160, NONE = -1 };

/* A place in which objects of a shape differ. */
typedef struct {
    xy_written_part part;
    int32_t end;  /* of a COUNT: the first hole behind what it counts */
    bool of_axis; /* two objects are only added if they have the same there */
} hole;

struct xw_shape {
    xy_file *file;
    xy_buffer class_name;
    xy_buffer object; /* the first one */
    hole holes[MAX_HOLES];
    int32_t count;
    int32_t members[XY_BIN_MEMBERS]; /* holes of the numbers that are added, or NONE */
    int32_t limits[3][2];            /* holes of fXmin and fXmax of the axes */
    int dimensions, dtype;
    bool profile;
};

/* ---- making ---- */

static int by_place(const void *a, const void *b) {
    uint32_t x = ((const hole *)a)->part.at, y = ((const hole *)b)->part.at;
    return (x > y) - (x < y);
}

static int32_t hole_of(const xw_shape *s, size_t value) {
    for (int32_t i = 0; value && i < s->count; i++)
        if (s->holes[i].part.kind == XY_PART_NUMBERS && s->holes[i].part.value == value) return i;
    return NONE;
}

/* Takes the parts in which objects may differ: texts, byte counts, doubles and the contents. */
static bool take_parts(xw_shape *s, const xy_buffer *parts, size_t contents) {
    size_t n = parts->len / sizeof(xy_written_part);
    for (size_t i = 0; i < n; i++) {
        hole h = {.end = NONE};
        memcpy(&h.part, parts->data + i * sizeof h.part, sizeof h.part);
        if (h.part.kind == XY_PART_NUMBERS && h.part.dtype != XY_F64 && h.part.value != contents)
            continue;
        if (s->count == MAX_HOLES) return false;
        s->holes[s->count++] = h;
    }
    qsort(s->holes, (size_t)s->count, sizeof *s->holes, by_place);
    for (int32_t i = 0; i < s->count; i++) {
        const xy_written_part *part = &s->holes[i].part;
        if (part->kind != XY_PART_COUNT) continue;
        int32_t end = i + 1;
        while (end < s->count && s->holes[end].part.at < part->at + part->len)
            end++;
        s->holes[i].end = end;
    }
    return true;
}

static bool take_axis(xw_shape *s, const xy_tape_view *tape, size_t axis, int32_t *limits) {
    size_t end = xy_tape_skip(tape, axis);
    for (int32_t i = 0; i < s->count; i++) {
        const xy_written_part *part = &s->holes[i].part;
        s->holes[i].of_axis |=
            part->kind != XY_PART_COUNT && part->value >= axis && part->value < end;
    }
    limits[0] = hole_of(s, xy_tape_member(tape, axis, "fXmin"));
    limits[1] = hole_of(s, xy_tape_member(tape, axis, "fXmax"));
    return limits[0] >= 0 && limits[1] >= 0;
}

/* Finds the numbers that are added among the holes. */
static bool take_members(xw_shape *s, const xy_tape_view *tape, const xy_bins *bins) {
    for (int i = 0; i < XY_BIN_MEMBERS; i++) {
        int dtype = XY_F64;
        const uint8_t *data;
        s->members[i] = NONE;
        bool scalar = i >= XY_BIN_ENTRIES && i < XY_BIN_SQUARES && bins->at[i];
        bool array = i >= XY_BIN_SQUARES && xy_tape_numbers(tape, bins->at[i], &dtype, &data);
        if (!scalar && !array) continue;
        s->members[i] = hole_of(s, bins->at[i]);
        if (s->members[i] < 0) return false;
        if (i == XY_BIN_CONTENTS) s->dtype = dtype;
        uint32_t wanted = scalar ? 8 : (uint32_t)(bins->cells * xy_dtype_size(dtype));
        if (s->holes[s->members[i]].part.len != wanted) return false;
    }
    return s->members[XY_BIN_CONTENTS] >= 0 && xy_is_addable(s->dtype);
}

/* Whether the object is written as it was, wherever it stands. Lists the parts of its bytes. */
static bool is_written_so(xy_file *file, xy_str class_name, const uint8_t *object, size_t len,
                          const xy_tape_view *tape, xy_buffer *parts) {
    xy_error ignored = {0};
    int32_t node = -1;
    if (xy_file_node(file, &ignored, false, class_name, &node)) return false;
    bool same = true;
    for (size_t origin = 64; origin <= 128 && same; origin += 64) {
        xy_buffer out = {0};
        xy_buffer *list = origin == 64 ? parts : NULL;
        same = !xy_write_parts(&ignored, &file->objects, node, tape, origin, &out, list) &&
               out.len == len && memcmp(out.data, object, len) == 0;
        xy_buffer_free(&out);
    }
    return same && !parts->failed;
}

xw_shape *xw_shape_of(xy_file *file, xy_str class_name, const uint8_t *object, size_t len,
                      const xy_tape_view *tape, const xy_bins *bins) {
    xw_shape *s = xy_new(1, sizeof *s);
    if (!s) return NULL;
    xy_buffer parts = {0};
    s->file = file;
    s->dimensions = bins->dimensions;
    s->profile = bins->profile;
    bool good = is_written_so(file, class_name, object, len, tape, &parts) &&
                take_parts(s, &parts, bins->at[XY_BIN_CONTENTS]);
    for (int i = 0; i < bins->dimensions && good; i++)
        good = take_axis(s, tape, bins->at[XY_BIN_X + i], s->limits[i]);
    good = good && take_members(s, tape, bins) && xy_append(&s->object, object, len) &&
           xy_append(&s->class_name, class_name.text, class_name.len);
    xy_buffer_free(&parts);
    if (good && xw_shape_fits(s, object, len)) return s;
    xw_shape_free(s);
    return NULL;
}

void xw_shape_free(xw_shape *shape) {
    if (!shape) return;
    xy_buffer_free(&shape->object);
    xy_buffer_free(&shape->class_name);
    free(shape);
}

const xy_file *xw_shape_file(const xw_shape *shape) {
    return shape->file;
}

xy_str xw_shape_class(const xw_shape *shape) {
    return (xy_str){(const char *)shape->class_name.data, shape->class_name.len};
}

/* ---- comparing ---- */

static uint32_t word_at(const uint8_t *p) {
    uint32_t v;
    memcpy(&v, p, 4);
    return __builtin_bswap32(v);
}

static double double_at(const uint8_t *p) {
    uint64_t v;
    double d;
    memcpy(&v, p, 8);
    v = __builtin_bswap64(v);
    memcpy(&d, &v, 8);
    return d;
}

/* In wasm memcmp compares byte by byte. */
static bool same_bytes(const uint8_t *a, const uint8_t *b, size_t n) {
    uint64_t x, y;
    for (; n >= sizeof x; a += sizeof x, b += sizeof y, n -= sizeof x) {
        memcpy(&x, a, sizeof x);
        memcpy(&y, b, sizeof y);
        if (x != y) return false;
    }
    for (size_t i = 0; i < n; i++)
        if (a[i] != b[i]) return false;
    return true;
}

/* Length of the text at the start of `left` bytes, in the form in which it is written; 0 if it does
 * not end within them, or has another form. */
static size_t text_length(const uint8_t *p, size_t left) {
    if (left == 0) return 0;
    if (*p < 255) return *p < left ? (size_t)*p + 1 : 0;
    if (left < 5) return 0;
    uint32_t n = word_at(p + 1);
    return n >= 255 && n <= left - 5 ? (size_t)n + 5 : 0;
}

/* Finds the holes in an object: for each where it begins, and at last where the object ends.
 * Returns false if it has another shape. */
static bool find_holes(const xw_shape *s, const uint8_t *object, size_t len, size_t *at) {
    const uint8_t *first = s->object.data;
    size_t from = 0, to = 0; /* in the first object, and in this one */
    for (int32_t i = 0; i < s->count; i++) {
        const xy_written_part *part = &s->holes[i].part;
        size_t same = part->at - from, n = part->kind == XY_PART_COUNT ? 4 : part->len;
        if (same > len - to || !same_bytes(first + from, object + to, same)) return false;
        to += same;
        at[i] = to;
        size_t own = part->kind == XY_PART_TEXT ? text_length(object + to, len - to) : n;
        if (own == 0 || own > len - to) return false;
        from = part->at + n;
        to += own;
    }
    size_t rest = s->object.len - from;
    if (rest != len - to || !same_bytes(first + from, object + to, rest)) return false;
    at[s->count] = len;
    for (int32_t i = 0; i < s->count; i++) {
        const hole *h = &s->holes[i];
        if (h->part.kind != XY_PART_COUNT) continue;
        /* The counted bytes end as far before the next hole as in the first object. */
        size_t next = h->end < s->count ? s->holes[h->end].part.at : s->object.len;
        size_t end = at[h->end] - (next - (h->part.at + h->part.len));
        if (word_at(object + at[i]) != (uint32_t)((end - at[i] - 4) | 0x40000000u)) return false;
    }
    return true;
}

bool xw_shape_fits(const xw_shape *s, const uint8_t *object, size_t len) {
    size_t at[MAX_HOLES + 1];
    if (!find_holes(s, object, len, at)) return false;
    for (int i = 0; i < s->dimensions; i++)
        if (!(double_at(object + at[s->limits[i][0]]) < double_at(object + at[s->limits[i][1]])))
            return false;
    return true;
}

/* ---- adding ---- */

/* The numbers of an object of a shape. */
typedef struct {
    const xw_shape *shape;
    const uint8_t *object;
    size_t at[MAX_HOLES + 1];
} numbers;

static const uint8_t *member(const numbers *n, int which, size_t *bytes) {
    int32_t i = n->shape->members[which];
    *bytes = i < 0 ? 0 : n->shape->holes[i].part.len;
    return i < 0 ? NULL : n->object + n->at[i];
}

static bool same_axes(const numbers *own, const numbers *other) {
    const xw_shape *s = own->shape;
    for (int32_t i = 0; i < s->count; i++) {
        if (!s->holes[i].of_axis) continue;
        const uint8_t *a = own->object + own->at[i], *b = other->object + other->at[i];
        size_t n = s->holes[i].part.len;
        if (s->holes[i].part.kind == XY_PART_TEXT) {
            n = text_length(a, SIZE_MAX);
            if (n != text_length(b, SIZE_MAX)) return false;
        }
        if (!same_bytes(a, b, n)) return false;
    }
    return true;
}

static bool is_empty(const numbers *n) {
    size_t bytes;
    if (double_at(member(n, XY_BIN_ENTRIES, &bytes)) != 0) return false;
    const uint8_t *cells = member(n, XY_BIN_CONTENTS, &bytes);
    for (size_t i = 0; i < bytes; i++)
        if (cells[i]) return false;
    return true;
}

static void swap_numbers(size_t size, const uint8_t *src, uint8_t *dst, size_t n) {
    switch (size) {
    case 2: xy_swap16(src, dst, n); break;
    case 4: xy_swap32(src, dst, n); break;
    case 8: xy_swap64(src, dst, n); break;
    default: memcpy(dst, src, n); break;
    }
}

/* Adds the numbers of a member, in the order of bytes of the file. */
static void add_member(uint8_t *into, const numbers *own, const numbers *other, int which) {
    enum { CHUNK = 512 };
    uint8_t a[8 * CHUNK], b[8 * CHUNK];
    size_t bytes;
    const uint8_t *from = member(other, which, &bytes);
    if (!from) return;
    int dtype = which == XY_BIN_CONTENTS ? own->shape->dtype : XY_F64;
    size_t size = xy_dtype_size(dtype), n = bytes / size;
    uint8_t *to = into + own->at[own->shape->members[which]];
    for (size_t i = 0; i < n; i += CHUNK) {
        size_t m = n - i < CHUNK ? n - i : CHUNK;
        swap_numbers(size, to + i * size, a, m);
        swap_numbers(size, from + i * size, b, m);
        xy_add_numbers(dtype, a, b, m);
        swap_numbers(size, a, to + i * size, m);
    }
}

bool xw_shape_add(const xw_shape *s, uint8_t *into, size_t len, bool summed, const uint8_t *other,
                  size_t other_len) {
    numbers own = {.shape = s, .object = into}, more = {.shape = s, .object = other};
    if (!find_holes(s, into, len, own.at) || !find_holes(s, other, other_len, more.at))
        return false;
    if (!same_axes(&own, &more)) return false;
    size_t bytes;
    if (double_at(member(&more, XY_BIN_SUMS, &bytes)) == 0) return is_empty(&more);
    if (!summed && double_at(member(&own, XY_BIN_SUMS, &bytes)) == 0 && !is_empty(&own))
        return false;
    for (int i = XY_BIN_ENTRIES; i < XY_BIN_MEMBERS; i++)
        if (i != XY_BIN_BUFFER) add_member(into, &own, &more, i);
    return true;
}
