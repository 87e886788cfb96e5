#include "histogram.h"

#include "fill.h"

#include <math.h>

/* Adds a block's moments to those so far. */
static void merge_stats(xy_fill_stats *s, const xy_fill_stats *b, int dims) {
    s->fills += b->fills;
    s->nans += b->nans;
    s->entries += b->entries;
    double w = s->weight + b->weight;
    if (b->weight != 0 && w != 0) {
        double share = b->weight / w, both = s->weight * share, d[XY_H_DIMS] = {0};
        for (int k = 0; k < dims; k++) {
            d[k] = b->axis[k].mean - s->axis[k].mean;
            s->axis[k].deviation += b->axis[k].deviation + d[k] * d[k] * both;
            s->axis[k].mean += d[k] * share;
        }
        s->codeviation += b->codeviation + d[0] * d[1] * both;
    }
    s->weight = w;
    s->weight2 += b->weight2;
    for (int k = 0; k < dims; k++) {
        if (b->axis[k].finite == 0) continue;
        bool first = s->axis[k].finite == 0;
        if (first || b->axis[k].min < s->axis[k].min) s->axis[k].min = b->axis[k].min;
        if (first || b->axis[k].max > s->axis[k].max) s->axis[k].max = b->axis[k].max;
        s->axis[k].finite += b->axis[k].finite;
    }
}

/* Counts the finite values of a coordinate and finds their ends. */
static void add_ends(xy_fill_stats *b, int k, const double *x, size_t n) {
    double finite = 0, min = INFINITY, max = -INFINITY;
    for (size_t i = 0; i < n; i++) {
        bool is = isfinite(x[i]);
        finite += is;
        min = is && x[i] < min ? x[i] : min;
        max = is && x[i] > max ? x[i] : max;
    }
    b->axis[k].finite = finite;
    b->axis[k].min = finite > 0 ? min : 0;
    b->axis[k].max = finite > 0 ? max : 0;
}

/* Adds the moments of the `n` points whose index is listed to those of a block without any. */
static void add_moments(xy_fill_stats *b, const xy_points *p, const int32_t *list, size_t n,
                        int dims) {
    const double *w = p->x[dims];
    for (size_t i = 0; i < n; i++) {
        b->weight += w[list[i]];
        b->weight2 += w[list[i]] * w[list[i]];
    }
    for (int k = 0; k < dims && b->weight != 0; k++) {
        double sum = 0, mean, deviation = 0;
        for (size_t i = 0; i < n; i++)
            sum += w[list[i]] * p->x[k][list[i]];
        mean = sum / b->weight;
        for (size_t i = 0; i < n; i++) {
            double d = p->x[k][list[i]] - mean;
            deviation += w[list[i]] * d * d;
        }
        b->axis[k].mean = mean;
        b->axis[k].deviation = deviation;
    }
    for (size_t i = 0; i < n && dims > 1; i++)
        b->codeviation += w[list[i]] * (p->x[0][list[i]] - b->axis[0].mean) *
                          (p->x[1][list[i]] - b->axis[1].mean);
}

/* Counts the points of a block: all that its statistics have beside moments. */
static xy_fill_stats count_block(const xy_points *p, int dims) {
    xy_fill_stats b = {.fills = (double)p->count, .entries = p->entries};
    for (size_t i = 0; i < p->count; i++) {
        bool nan = false;
        for (int k = 0; k < dims; k++)
            nan |= isnan(p->x[k][i]);
        b.nans += nan;
    }
    for (int k = 0; k < dims; k++)
        add_ends(&b, k, p->x[k], p->count);
    return b;
}

xy_status xy_grid_make(xy_error *err, int dims, bool profile, const xy_axis *axes, xy_grid *g) {
    enum { MAX_CELLS = 1 << 28 };
    if (dims < 1 || dims > XY_H_DIMS || (profile && dims < 2))
        return xy_fail(err, XY_E_ARGUMENT, 0, "%d dimensions", dims);
    *g = (xy_grid){.axes = axes,
                   .dims = dims,
                   .binned = profile ? dims - 1 : dims,
                   .profile = profile,
                   .cells = 1};
    for (int k = 0; k < g->binned; k++) {
        if (!(axes[k].bins >= 1 && axes[k].bins <= 1e8 && axes[k].low < axes[k].high) ||
            !isfinite(axes[k].high - axes[k].low))
            return xy_fail(err, XY_E_ARGUMENT, 0, "%g bins from %g to %g", axes[k].bins,
                           axes[k].low, axes[k].high);
        g->stride[k] = g->cells;
        g->width[k] = (axes[k].high - axes[k].low) / axes[k].bins;
        g->cells = xy_bytes_of(g->cells, (size_t)axes[k].bins + 2);
        if (g->cells > MAX_CELLS) return xy_fail(err, XY_E_BUDGET, 0, "too many bins");
    }
    return XY_OK;
}

/* The cell of a value, and whether it lies in the range of all axes. */
static size_t cell_of(const xy_grid *g, const xy_points *p, size_t i, bool *in) {
    size_t cell = 0;
    *in = true;
    for (int k = 0; k < g->binned; k++) {
        const xy_axis *a = &g->axes[k];
        size_t bin = (size_t)xy_find_bin(a->bins, a->low, a->high, g->width[k], p->x[k][i]);
        cell += g->stride[k] * bin;
        *in &= bin != 0 && bin != (size_t)a->bins + 1;
    }
    return cell;
}

void xy_histogram_add(const xy_grid *g, const xy_points *p, int32_t *inside, double *sums,
                      double *squares, xy_fill_stats *stats) {
    const double *w = p->x[g->dims], *y = g->profile ? p->x[g->dims - 1] : NULL;
    size_t kept = 0, cells = g->cells;
    for (size_t i = 0; i < p->count; i++) {
        bool in;
        size_t cell = cell_of(g, p, i, &in);
        if (y) {
            sums[cell] += w[i] * y[i];
            squares[cell] += w[i] * y[i] * y[i];
            squares[cells + cell] += w[i];
            squares[2 * cells + cell] += w[i] * w[i];
        } else {
            sums[cell] += w[i];
            squares[cell] += w[i] * w[i];
        }
        inside[kept] = (int32_t)i;
        kept += in;
    }
    xy_fill_stats b = count_block(p, g->dims);
    add_moments(&b, p, inside, kept, g->dims);
    merge_stats(stats, &b, g->dims);
}

static bool all_one(const double *w, size_t n) {
    for (size_t i = 0; i < n; i++)
        if (w[i] != 1) return false;
    return true;
}

void xy_histogram_add_exactly(const xy_grid *g, const xy_points *p, xy_exact *sums,
                              xy_fill_stats *stats) {
    size_t cells = g->cells, moments = (g->profile ? 4 : 2) * cells;
    double centre[XY_H_DIMS] = {0};
    for (int k = 0; k < g->binned; k++)
        centre[k] = g->axes[k].low / 2 + g->axes[k].high / 2;
    const double *w = p->x[g->dims], *y = g->profile ? p->x[g->dims - 1] : NULL;
    bool plain = all_one(w, p->count);
    double inside = 0;
    for (size_t i = 0; i < p->count; i++) {
        bool in;
        size_t cell = cell_of(g, p, i, &in);
        if (y) {
            xy_exact_add(sums, cell, w[i] * y[i]);
            xy_exact_add(sums, cells + cell, w[i] * y[i] * y[i]);
            cell += 2 * cells;
        }
        xy_exact_add(sums, cell, w[i]);
        xy_exact_add(sums, cells + cell, w[i] * w[i]);
        if (!in) continue;
        double d[XY_H_DIMS] = {0};
        inside += 1;
        if (!plain) {
            xy_exact_add(sums, moments, w[i]);
            xy_exact_add(sums, moments + 1, w[i] * w[i]);
        }
        for (int k = 0; k < g->dims; k++) {
            d[k] = p->x[k][i] - centre[k];
            xy_exact_add(sums, moments + 2 + 2 * (size_t)k, w[i] * d[k]);
            xy_exact_add(sums, moments + 3 + 2 * (size_t)k, w[i] * d[k] * d[k]);
        }
        if (g->dims > 1) xy_exact_add(sums, moments + 8, w[i] * d[0] * d[1]);
    }
    if (plain) {
        xy_exact_add(sums, moments, inside);
        xy_exact_add(sums, moments + 1, inside);
    }
    xy_fill_stats b = count_block(p, g->dims);
    merge_stats(stats, &b, g->dims);
}

void xy_histogram_of_values(const xy_grid *g, const double *values, size_t count, bool weighted,
                            double *sums, double *squares, xy_exact *exact, xy_fill_stats *stats) {
    enum { BLOCK = 1024 };
    double block[XY_H_DIMS + 1][BLOCK];
    int32_t inside[BLOCK];
    xy_points p = {.x = {block[0], block[1], block[2], block[3]}};
    p.x[g->dims] = block[g->dims];
    for (size_t i = 0; i < BLOCK; i++)
        p.x[g->dims][i] = 1;
    for (size_t from = 0; from < count; from += p.count) {
        p.count = count - from < BLOCK ? count - from : BLOCK;
        for (int k = 0; k < g->dims + weighted; k++)
            memcpy(p.x[k], values + (size_t)k * count + from, p.count * sizeof(double));
        if (exact)
            xy_histogram_add_exactly(g, &p, exact, stats);
        else
            xy_histogram_add(g, &p, inside, sums, squares, stats);
    }
}
