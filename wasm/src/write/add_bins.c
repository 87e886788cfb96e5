#include "add_bins.h"

#include <limits.h>

/* TH1::kIsAverage and kAutoBinPTwo, TAxis::kAxisRange in fBits. */
enum { IS_AVERAGE = 1 << 18, AUTO_BINS = 1 << 20, AXIS_RANGE = 1 << 11 };
enum { OUTSIDE = 2, MAX_CELLS = 1 << 27 };

#define NAME(text)                                                                                 \
    { text, sizeof(text) - 1 }
static const xy_str NAMES[XY_BIN_MEMBERS] = {
    [XY_BIN_BITS] = NAME("fBits"),
    [XY_BIN_X] = NAME("fXaxis"),
    [XY_BIN_Y] = NAME("fYaxis"),
    [XY_BIN_Z] = NAME("fZaxis"),
    [XY_BIN_ENTRIES] = NAME("fEntries"),
    [XY_BIN_SUMS] = NAME("fTsumw"),
    NAME("fTsumw2"),
    NAME("fTsumwx"),
    NAME("fTsumwx2"),
    [XY_BIN_SQUARES] = NAME("fSumw2"),
    [XY_BIN_BUFFER] = NAME("fBuffer"),
    [XY_BIN_SUMS + 4] = NAME("fTsumwy"),
    NAME("fTsumwy2"),
    NAME("fTsumwxy"),
    NAME("fTsumwz"),
    NAME("fTsumwz2"),
    NAME("fTsumwxz"),
    NAME("fTsumwyz"),
    NAME("fTsumwt"),
    NAME("fTsumwt2"),
    [XY_BIN_CONTENTS] = NAME("fArray"),
    [XY_BIN_COUNTS] = NAME("fBinEntries"),
    [XY_BIN_COUNT_SQUARES] = NAME("fBinSumw2"),
};

/* The kind of a class: TH1F, TProfile, TProfile2D and so on. */
static bool kind_of(xy_str name, xy_bins *bins) {
    static const char profile[] = "TProfile";
    size_t n = sizeof profile - 1;
    bins->profile = name.len >= n && memcmp(name.text, profile, n) == 0;
    if (bins->profile) {
        bins->dimensions = name.len == n ? 1 : name.text[n] - '0';
        return name.len == n || (name.len == n + 2 && name.text[n + 1] == 'D' &&
                                 (name.text[n] == '2' || name.text[n] == '3'));
    }
    if (name.len != 4 || memcmp(name.text, "TH", 2) != 0) return false;
    bins->dimensions = name.text[2] - '0';
    return name.text[2] >= '1' && name.text[2] <= '3' && strchr("CSILFD", name.text[3]);
}

static uint32_t numbers_at(const xy_tape_view *t, uint32_t at, int dtype, const uint8_t **data) {
    int found = -1;
    uint32_t n = xy_tape_numbers(t, at, &found, data);
    return n && found != dtype ? UINT32_MAX : n;
}

/* Bins of an axis with those outside of it, which has limits, no names and no chosen range; 0 for
 * others. */
static uint64_t axis_bins(const xy_tape_view *t, uint32_t axis) {
    static const xy_str names[] = {NAME("fBits"), NAME("fNbins"), NAME("fXmin"), NAME("fXmax"),
                                   NAME("fLabels")};
    size_t at[5];
    if (!axis || xy_tape_tag_at(t, axis) != XY_TAPE_OBJECT) return 0;
    xy_tape_members(t, axis, names, 5, at);
    if (!at[0] || !at[1] || !at[2] || !at[3]) return 0;
    if (at[4] && xy_tape_tag_at(t, at[4]) != XY_TAPE_NULL) return 0;
    if (xy_tape_integer(t, at[0]) & AXIS_RANGE) return 0;
    int64_t bins = xy_tape_integer(t, at[1]);
    bool limits = xy_tape_number(t, at[2]) < xy_tape_number(t, at[3]);
    return limits && bins >= 1 && bins < MAX_CELLS ? (uint64_t)bins + OUTSIDE : 0;
}

static bool is_double(const xy_tape_view *t, uint32_t at) {
    return xy_tape_tag_at(t, at) == XY_TAPE_SCALAR && t->data[at + 1] == XY_F64;
}

bool xy_find_bins(const xy_tape_view *t, xy_bins *bins) {
    memset(bins, 0, sizeof *bins);
    if (!t->len || xy_tape_tag_at(t, 0) != XY_TAPE_OBJECT) return false;
    if (!kind_of(xy_tape_class(t, 0), bins)) return false;
    size_t at[XY_BIN_MEMBERS];
    xy_tape_members(t, 0, NAMES, XY_BIN_MEMBERS, at);
    for (int i = 0; i < XY_BIN_MEMBERS; i++)
        bins->at[i] = (uint32_t)at[i];
    if (!at[XY_BIN_BITS] || !at[XY_BIN_ENTRIES] || !at[XY_BIN_SUMS] || !at[XY_BIN_CONTENTS])
        return false;
    if (xy_tape_integer(t, at[XY_BIN_BITS]) & (IS_AVERAGE | AUTO_BINS)) return false;
    for (int i = XY_BIN_ENTRIES; i < XY_BIN_SQUARES; i++)
        if (at[i] && !is_double(t, bins->at[i])) return false;
    const uint8_t *data = NULL;
    if (numbers_at(t, bins->at[XY_BIN_BUFFER], XY_F64, &data)) return false;
    uint64_t cells = 1;
    for (int i = 0; i < bins->dimensions; i++) {
        uint64_t own = axis_bins(t, bins->at[XY_BIN_X + i]);
        if (!own) return false;
        cells *= own;
        if (cells > MAX_CELLS) return false;
    }
    int dtype;
    bins->cells = (uint32_t)cells;
    if (xy_tape_numbers(t, at[XY_BIN_CONTENTS], &dtype, &data) != cells) return false;
    static const int others[] = {XY_BIN_SQUARES, XY_BIN_COUNTS, XY_BIN_COUNT_SQUARES};
    for (int i = 0; i < 3; i++) {
        uint32_t n = numbers_at(t, bins->at[others[i]], XY_F64, &data);
        bool needed = bins->profile && others[i] != XY_BIN_COUNT_SQUARES;
        if (n != cells && (n || needed)) return false;
    }
    return true;
}

static double double_at(const uint8_t *p) {
    double v;
    memcpy(&v, p, 8);
    return v;
}

static void put_double(uint8_t *p, double v) {
    memcpy(p, &v, 8);
}

/* Adds n numbers; integers stop at the largest of their type, as TH1C::AddBinContent and so on do.
 */
#define ADD(type, wide, most)                                                                      \
    for (size_t i = 0; i < n; i++) {                                                               \
        type a, b;                                                                                 \
        memcpy(&a, into + i * sizeof a, sizeof a);                                                 \
        memcpy(&b, from + i * sizeof b, sizeof b);                                                 \
        wide sum = (wide)a + (wide)b;                                                              \
        a = (type)(sum > (most) ? (most) : sum < -(most) ? -(most) : sum);                         \
        memcpy(into + i * sizeof a, &a, sizeof a);                                                 \
    }

static void add_int64(uint8_t *into, const uint8_t *from, size_t n) {
    for (size_t i = 0; i < n; i++) {
        int64_t a, b, sum;
        memcpy(&a, into + 8 * i, 8);
        memcpy(&b, from + 8 * i, 8);
        if (__builtin_add_overflow(a, b, &sum)) sum = a > 0 ? INT64_MAX : -INT64_MAX;
        if (sum < -INT64_MAX) sum = -INT64_MAX;
        memcpy(into + 8 * i, &sum, 8);
    }
}

static void add_floats(uint8_t *into, const uint8_t *from, size_t n) {
    for (size_t i = 0; i < n; i++) {
        float a, b;
        memcpy(&a, into + 4 * i, 4);
        memcpy(&b, from + 4 * i, 4);
        a += b;
        memcpy(into + 4 * i, &a, 4);
    }
}

static void add_doubles(uint8_t *into, const uint8_t *from, size_t n) {
    for (size_t i = 0; i < n; i++)
        put_double(into + 8 * i, double_at(into + 8 * i) + double_at(from + 8 * i));
}

bool xy_is_addable(int dtype) {
    return dtype == XY_I8 || dtype == XY_I16 || dtype == XY_I32 || dtype == XY_I64 ||
           dtype == XY_F32 || dtype == XY_F64;
}

void xy_add_numbers(int dtype, uint8_t *into, const uint8_t *from, size_t n) {
    switch (dtype) {
    case XY_I8: ADD(int8_t, int32_t, INT8_MAX) break;
    case XY_I16: ADD(int16_t, int32_t, INT16_MAX) break;
    case XY_I32: ADD(int32_t, int64_t, INT32_MAX) break;
    case XY_I64: add_int64(into, from, n); break;
    case XY_F32: add_floats(into, from, n); break;
    default: add_doubles(into, from, n); break;
    }
}

/* Adds numbers of any type to doubles. */
static void add_as_doubles(uint8_t *into, int dtype, const uint8_t *from, size_t n) {
    for (size_t i = 0; i < n; i++) {
        double v;
        if (dtype == XY_F64) {
            v = double_at(from + 8 * i);
        } else if (dtype == XY_F32) {
            float f;
            memcpy(&f, from + 4 * i, 4);
            v = (double)f;
        } else {
            v = (double)xy_number_at(dtype, from, i);
        }
        put_double(into + 8 * i, double_at(into + 8 * i) + v);
    }
}

static bool all_zero(int dtype, const uint8_t *data, size_t n) {
    size_t bytes = n * xy_dtype_size(dtype);
    for (size_t i = 0; i < bytes; i++)
        if (data[i]) return false;
    return true;
}

/* Whether nothing was filled or set, so that all sums are those that were filled. */
static bool is_empty(const xy_tape_view *t, const xy_bins *bins, int dtype, const uint8_t *cells) {
    return xy_tape_number(t, bins->at[XY_BIN_ENTRIES]) == 0 && all_zero(dtype, cells, bins->cells);
}

static bool same_axes(const xy_tape_view *t, const xy_bins *own, const xy_tape_view *other,
                      const xy_bins *more) {
    for (int i = XY_BIN_X; i < XY_BIN_X + own->dimensions; i++) {
        size_t a = own->at[i], b = more->at[i];
        size_t n = xy_tape_skip(t, a) - a;
        if (n != xy_tape_skip(other, b) - b || memcmp(t->data + a, other->data + b, n) != 0)
            return false;
    }
    return true;
}

/* Adds the values of a member to those of the same member, or of another one where it has none. */
static void add_member(uint8_t *into, const xy_tape_view *t, uint32_t own,
                       const xy_tape_view *other, uint32_t member, uint32_t instead) {
    int dtype = XY_F64, from = XY_F64;
    const uint8_t *to = NULL, *data = NULL;
    uint32_t n = xy_tape_numbers(t, own, &dtype, &to);
    if (!n) return;
    if (!xy_tape_numbers(other, member, &from, &data))
        xy_tape_numbers(other, instead, &from, &data);
    uint8_t *target = into + (to - t->data);
    if (dtype == from)
        xy_add_numbers(dtype, target, data, n);
    else
        add_as_doubles(target, from, data, n);
}

bool xy_add_bins(uint8_t *into, const xy_bins *own, bool summed, const xy_tape_view *other,
                 const xy_bins *more) {
    /* The members of the first were found on it. */
    xy_tape_view t = {into, SIZE_MAX};
    xy_str name = xy_tape_class(&t, 0), given = xy_tape_class(other, 0);
    if (name.len != given.len || memcmp(name.text, given.text, name.len) != 0) return false;
    if (own->cells != more->cells || !same_axes(&t, own, other, more)) return false;
    int dtype = 0, from = 0;
    const uint8_t *to = NULL, *data = NULL;
    xy_tape_numbers(&t, own->at[XY_BIN_CONTENTS], &dtype, &to);
    xy_tape_numbers(other, more->at[XY_BIN_CONTENTS], &from, &data);
    if (dtype != from || !xy_is_addable(dtype)) return false;
    /* Squares for which the first has no place. */
    const uint8_t *ignored;
    int squares = own->profile ? XY_BIN_COUNT_SQUARES : XY_BIN_SQUARES;
    if (numbers_at(other, more->at[squares], XY_F64, &ignored) &&
        !numbers_at(&t, own->at[squares], XY_F64, &ignored))
        return false;
    if (xy_tape_number(other, more->at[XY_BIN_SUMS]) == 0) return is_empty(other, more, from, data);
    if (!summed && xy_tape_number(&t, own->at[XY_BIN_SUMS]) == 0 && !is_empty(&t, own, dtype, to))
        return false;
    if (own->profile) {
        add_member(into, &t, own->at[XY_BIN_COUNT_SQUARES], other, more->at[XY_BIN_COUNT_SQUARES],
                   more->at[XY_BIN_COUNTS]);
        add_member(into, &t, own->at[XY_BIN_SQUARES], other, more->at[XY_BIN_SQUARES], 0);
        add_member(into, &t, own->at[XY_BIN_COUNTS], other, more->at[XY_BIN_COUNTS], 0);
    } else {
        add_member(into, &t, own->at[XY_BIN_SQUARES], other, more->at[XY_BIN_SQUARES],
                   more->at[XY_BIN_CONTENTS]);
    }
    add_member(into, &t, own->at[XY_BIN_CONTENTS], other, more->at[XY_BIN_CONTENTS], 0);
    for (int i = XY_BIN_ENTRIES; i < XY_BIN_SQUARES; i++)
        if (own->at[i] && more->at[i])
            put_double(into + own->at[i] + 2,
                       double_at(into + own->at[i] + 2) + double_at(other->data + more->at[i] + 2));
    return true;
}
