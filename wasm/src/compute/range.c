#include "range.h"

#include "../streamer/tape.h"

#include <math.h>

enum { BLOCK = 1024 };

/* A finite value outside of all before. */
static void add_step(xy_range *r, int k, double v) {
    double *low = &r->axis[k].low, *high = &r->axis[k].high;
    int direction = v > *high ? (v < *low ? 0 : 1) : v < *low ? -1 : 2;
    if (direction == 2) return;
    xy_buffer *steps = &r->axis[k].steps;
    if (direction && direction == r->axis[k].direction) steps->len -= sizeof v;
    xy_append(steps, &v, sizeof v);
    r->axis[k].direction = direction;
    if (v < *low) *low = v;
    if (v > *high) *high = v;
}

/* The ends of the first values, of which the block may have more than are left of them. */
static size_t add_first(xy_range *r, int k, xy_coordinate *c, const double *x, size_t n) {
    double left = r->first - r->count;
    size_t m = left < (double)n ? (size_t)left : n;
    for (size_t i = 0; i < m; i++) {
        if (!isfinite(x[i])) continue;
        if (c->values == 0 || x[i] < c->min) c->min = x[i];
        if (c->values == 0 || x[i] > c->max) c->max = x[i];
        c->values++;
    }
    if (c->values > 0) {
        r->axis[k].low = c->min;
        r->axis[k].high = c->max;
    }
    return m;
}

void xy_range_add(xy_range *r, int k, xy_coordinate *c, const xy_summary *b, const double *x,
                  size_t n) {
    size_t i = r->count < r->first ? add_first(r, k, c, x, n) : 0;
    bool outside = b->values > 0 && (b->min < r->axis[k].low || b->max > r->axis[k].high);
    for (; outside && i < n; i++)
        if (isfinite(x[i])) add_step(r, k, x[i]);
    if (r->count + (double)n <= r->keep) xy_append(&r->axis[k].kept, x, xy_bytes_of(n, sizeof *x));
}

void xy_range_count(xy_range *r, const double *weights, size_t n) {
    r->count += (double)n;
    if (weights && r->count <= r->keep)
        xy_append(&r->weights, weights, xy_bytes_of(n, sizeof *weights));
    if (r->count <= r->keep || r->keep < 0) return;
    for (int k = 0; k < XY_H_DIMS; k++)
        xy_buffer_free(&r->axis[k].kept);
    xy_buffer_free(&r->weights);
    r->keep = -1;
}

void xy_range_add_column(xy_range *r, xy_coordinate *c, int dtype, const uint8_t *data,
                         size_t bytes) {
    double x[BLOCK];
    size_t size = xy_dtype_size(dtype), n = bytes / size;
    for (size_t i = 0; i < n; i += BLOCK) {
        size_t m = n - i < BLOCK ? n - i : BLOCK;
        xy_summary b = xy_summary_take(&c->all, x, dtype, data + i * size, m);
        xy_range_add(r, 0, c, &b, x, m);
        xy_range_count(r, NULL, m);
    }
}

bool xy_make_floats(xy_buffer *doubles) {
    size_t n = doubles->len / sizeof(double);
    const double *x = (const double *)(const void *)doubles->data;
    for (size_t from = 0; from < n; from += BLOCK) {
        bool other = false;
        for (size_t i = from; i < n && i < from + BLOCK; i++)
            other |= x[i] == x[i] && (double)(float)x[i] != x[i];
        if (other) return false;
    }
    for (size_t i = 0; i < n; i++) {
        float f = (float)x[i];
        memcpy(doubles->data + i * sizeof f, &f, sizeof f);
    }
    doubles->len = n * sizeof(float);
    return true;
}
