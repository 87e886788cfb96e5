#include "packed_units.h"

#include <math.h>

static bool take(const double **at, const double *end, uint32_t n, const double **list) {
    if ((size_t)(end - *at) < n) return false;
    *list = *at;
    *at += n;
    return true;
}

static bool is_count(double v) {
    return v >= 0 && v < 0x1p31 && v == floor(v);
}

static bool ends_rise(const double *ends, uint32_t n, double most) {
    double before = 0;
    for (uint32_t i = 0; i < n; i++) {
        if (!is_count(ends[i]) || ends[i] < before || ends[i] > most) return false;
        before = ends[i];
    }
    return true;
}

bool xy_take_unit_list(const double **at, const double *end, xy_unit_list *s) {
    const double *head;
    if (!take(at, end, 6, &head) || !is_count(head[0]) || !is_count(head[1]) ||
        !is_count(head[3]) || !is_count(head[4]) || !(head[5] >= 0))
        return false;
    *s = (xy_unit_list){.units = (uint32_t)head[0],
                        .ranges = (uint32_t)head[1],
                        .simple = head[2] == 1,
                        .file = (uint32_t)head[3],
                        .column = (uint32_t)head[4],
                        .growth = head[5]};
    if (s->simple && s->units != s->ranges) return false;
    if (!take(at, end, s->units, &s->first) || !take(at, end, s->units, &s->from) ||
        !take(at, end, s->units, &s->to))
        return false;
    if (!s->simple &&
        (!take(at, end, s->units, &s->range_end) || !take(at, end, s->units, &s->head_end) ||
         !ends_rise(s->range_end, s->units, s->ranges) ||
         !ends_rise(s->head_end, s->units, 0x1p31)))
        return false;
    return take(at, end, s->ranges, &s->offset) && take(at, end, s->ranges, &s->size);
}

int64_t xy_count_unit_lists(const double *packed, size_t count, uint64_t *units) {
    int64_t n = 0;
    *units = 0;
    for (const double *at = packed, *end = packed + count; at < end; n++) {
        xy_unit_list list;
        if (!xy_take_unit_list(&at, end, &list)) return -1;
        *units += list.units;
    }
    return *units < UINT32_MAX && n < UINT32_MAX ? n : -1;
}
