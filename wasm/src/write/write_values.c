/* Numbers and texts of a tape in their form on file. A number that its type cannot hold is refused.
 */
#include "object_writer.h"

#include "../streamer/swap.h"

xy_status xy_count_values(xy_writer *w, size_t value, const char *what, uint32_t *n) {
    int dtype;
    const uint8_t *data;
    int tag = xy_tape_tag_at(&w->tape, value);
    if (tag == XY_TAPE_ARRAY)
        *n = xy_tape_numbers(&w->tape, value, &dtype, &data);
    else if (tag == XY_TAPE_LIST)
        *n = xy_tape_list_count(&w->tape, value);
    else
        return xy_refuse(w, "%s is not an array", what);
    return XY_OK;
}

/* A number on its way from one type to another: an integer where it is one. */
typedef struct {
    bool whole;
    bool negative; /* of an integer: `integer` is an int64_t, else a uint64_t */
    uint64_t integer;
    double number;
} any_number;

static any_number of_int(int64_t v) {
    return (any_number){true, v < 0, (uint64_t)v, (double)v};
}

static any_number of_double(double v) {
    any_number n = {.number = v};
    if (v >= -9223372036854775808.0 && v < 0 && (double)(int64_t)v == v)
        n = (any_number){true, true, (uint64_t)(int64_t)v, v};
    else if (v >= 0 && v < 18446744073709551616.0 && (double)(uint64_t)v == v)
        n = (any_number){true, false, (uint64_t)v, v};
    return n;
}

static any_number load(int dtype, const uint8_t *data, size_t i) {
    if (dtype == XY_F64) {
        double v;
        memcpy(&v, data + 8 * i, 8);
        return of_double(v);
    }
    if (dtype == XY_F32) {
        float v;
        memcpy(&v, data + 4 * i, 4);
        return of_double((double)v);
    }
    int64_t v = xy_number_at(dtype, data, i);
    if (dtype == XY_U64) return (any_number){true, false, (uint64_t)v, (double)(uint64_t)v};
    return of_int(v);
}

static bool fits(const any_number *n, int dtype) {
    static const int64_t low[] = {0, INT8_MIN, 0, INT16_MIN, 0, INT32_MIN, 0, INT64_MIN, 0};
    static const uint64_t high[] = {1,         INT8_MAX,   UINT8_MAX, INT16_MAX, UINT16_MAX,
                                    INT32_MAX, UINT32_MAX, INT64_MAX, UINT64_MAX};
    if (dtype >= XY_F32) return true;
    if (!n->whole) return false;
    return n->negative ? (int64_t)n->integer >= low[dtype] : n->integer <= high[dtype];
}

/* Converts to `dtype`; false when the number does not fit. */
static bool store(const any_number *n, int dtype, uint8_t *out) {
    if (!fits(n, dtype)) return false;
    if (dtype == XY_F64) {
        memcpy(out, &n->number, 8);
    } else if (dtype == XY_F32) {
        float v = (float)n->number;
        memcpy(out, &v, 4);
    } else {
        memcpy(out, &n->integer, xy_dtype_size(dtype)); /* little-endian: the low bytes */
    }
    return true;
}

/* An exponent byte and 16 bits: sign above `bits` bits of mantissa, rounded as ROOT does. */
static void put_truncated(float v, int bits, uint8_t *out) {
    uint32_t word;
    memcpy(&word, &v, 4);
    uint32_t mantissa = (word >> (22 - bits)) & ((1u << (bits + 1)) - 1);
    mantissa = (mantissa + 1) >> 1;
    if (mantissa & (1u << bits)) mantissa = (1u << bits) - 1;
    if (word >> 31) mantissa |= 1u << (bits + 1);
    out[0] = (uint8_t)(word >> 23);
    out[1] = (uint8_t)(mantissa >> 8);
    out[2] = (uint8_t)mantissa;
}

/* The values of a NUMBER, in its own type, as its wire has them; false for one without a form. */
static bool put_wire(const xy_node *node, const uint8_t *src, uint8_t *out, size_t n) {
    switch (node->wire) {
    case XY_W_U8:
    case XY_W_BOOL: memcpy(out, src, n); return true;
    case XY_W_16: xy_swap16(src, out, n); return true;
    case XY_W_32: xy_swap32(src, out, n); return true;
    case XY_W_64: xy_swap64(src, out, n); return true;
    default: break;
    }
    for (size_t i = 0; i < n; i++) {
        double v = load(node->dtype, src, i).number;
        if (node->wire == XY_W_TRUNCATED) {
            put_truncated((float)v, node->bits, out + 3 * i);
            continue;
        }
        uint32_t word;
        if (node->wire == XY_W_SCALED) {
            double steps = 0.5 + node->factor * (v - node->low);
            if (!(steps >= 0 && steps < 4294967296.5)) return false;
            word = steps >= 4294967295.0 ? UINT32_MAX : (uint32_t)steps;
        } else {
            float f = (float)v;
            memcpy(&word, &f, 4);
        }
        word = __builtin_bswap32(word);
        memcpy(out + 4 * i, &word, 4);
    }
    return true;
}

static const char *name_of(const xy_writer *w, const xy_node *node) {
    const char *name = xy_program_text(w->program, node->name);
    return *name ? name : "a number";
}

/* The number of a scalar of the tape; false for other values. */
static bool load_scalar(const xy_tape_view *t, size_t value, any_number *n) {
    int tag = xy_tape_tag_at(t, value);
    if (tag == XY_TAPE_TRUE || tag == XY_TAPE_FALSE)
        *n = of_int(tag == XY_TAPE_TRUE);
    else if (tag == XY_TAPE_SCALAR)
        *n = load(t->data[value + 1], t->data + value + 2, 0);
    else
        return false;
    return true;
}

/* Converts n numbers of an array or list, or a scalar, to the type of a node. */
static xy_status convert(xy_writer *w, const xy_node *node, size_t value, size_t n, uint8_t *out) {
    size_t size = xy_dtype_size(node->dtype);
    const uint8_t *data = NULL;
    int dtype = 0;
    bool array = xy_tape_tag_at(&w->tape, value) == XY_TAPE_ARRAY;
    bool list = xy_tape_tag_at(&w->tape, value) == XY_TAPE_LIST;
    if (array) xy_tape_numbers(&w->tape, value, &dtype, &data);
    size_t at = list ? xy_tape_list_first(&w->tape, value) : value;
    for (size_t i = 0; i < n; i++) {
        any_number number;
        if (array)
            number = load(dtype, data, i);
        else if (!load_scalar(&w->tape, at, &number))
            return xy_refuse(w, "%s is not a number", name_of(w, node));
        if (!store(&number, node->dtype, out + size * i))
            return xy_refuse(w, "%s cannot hold the number %g", name_of(w, node), number.number);
        if (list) at = xy_tape_skip(&w->tape, at);
    }
    return XY_OK;
}

xy_status xy_write_numbers(xy_writer *w, const xy_node *node, size_t value, size_t n) {
    int tag = xy_tape_tag_at(&w->tape, value), dtype = -1;
    const uint8_t *data = NULL;
    uint32_t count = 1;
    xy_status s = XY_OK;
    if (tag == XY_TAPE_ARRAY || tag == XY_TAPE_LIST)
        s = xy_count_values(w, value, name_of(w, node), &count);
    if (s) return s;
    if (count != n)
        return xy_refuse(w, "%s has %u values where %zu are wanted", name_of(w, node),
                         (unsigned)count, n);
    if (tag == XY_TAPE_ARRAY) xy_tape_numbers(&w->tape, value, &dtype, &data);
    uint8_t *made = NULL;
    if (dtype != node->dtype) {
        made = xy_new(n, 8);
        if (!made) return xy_write_failed(w);
        s = convert(w, node, value, n, made);
        data = made;
    }
    size_t start = w->out->len;
    uint8_t *out = s ? NULL : xy_extend_items(w->out, n, xy_wire_size(node->wire));
    if (!s && !out)
        s = xy_write_failed(w);
    else if (!s && n && !put_wire(node, data, out, n))
        s = xy_refuse(w, "%s has a number outside of the range of its type", name_of(w, node));
    bool plain = node->wire <= XY_W_64 && xy_wire_size(node->wire) == xy_dtype_size(node->dtype);
    if (!s && plain) xy_note_part(w, XY_PART_NUMBERS, node->dtype, value, start);
    free(made);
    return s;
}

xy_status xy_get_integer(xy_writer *w, size_t value, const char *name, int64_t low, int64_t high,
                         int64_t *out) {
    any_number n;
    if (!load_scalar(&w->tape, value, &n)) return xy_refuse(w, "%s is not a number", name);
    if (!fits(&n, XY_I64) || (int64_t)n.integer < low || (int64_t)n.integer > high)
        return xy_refuse(w, "%s cannot be %g", name, n.number);
    *out = (int64_t)n.integer;
    return XY_OK;
}

xy_status xy_write_text(xy_writer *w, size_t value, bool long_count) {
    xy_str text = xy_tape_text(&w->tape, value);
    int tag = xy_tape_tag_at(&w->tape, value), dtype = 0;
    const uint8_t *data = NULL;
    uint32_t n = xy_tape_numbers(&w->tape, value, &dtype, &data);
    if (tag == XY_TAPE_ARRAY && dtype == XY_U8)
        text = (xy_str){(const char *)data, n}; /* a text that is not UTF-8 */
    else if (tag != XY_TAPE_STRING)
        return xy_refuse(w, "a value that should be a text is none");
    if (long_count) {
        xy_put_u32(w, (uint32_t)text.len);
        xy_append(w->out, text.text, text.len);
    } else {
        size_t start = w->out->len;
        xy_put_string(w, text);
        xy_note_part(w, XY_PART_TEXT, 0, value, start);
    }
    return w->out->failed ? xy_write_failed(w) : XY_OK;
}
