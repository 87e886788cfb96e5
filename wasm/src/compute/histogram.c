#include "histogram.h"

#include "../streamer/tape.h"
#include "numbers.h"

#include <math.h>
#include <string.h>

/* The moments around another mean, which lies `d` above. */
static void move_moments(xy_fill_stats *s, const double *d, int dims) {
    s->codeviation += s->weight * d[0] * d[1] - d[0] * s->axis[1].first - d[1] * s->axis[0].first;
    for (int k = 0; k < dims; k++) {
        s->axis[k].deviation += d[k] * (s->weight * d[k] - 2 * s->axis[k].first);
        s->axis[k].first -= s->weight * d[k];
        s->axis[k].mean += d[k];
    }
}

static void merge_moments(xy_fill_stats *s, const xy_fill_stats *block, int dims) {
    xy_fill_stats b = *block;
    if (s->size != 0 && b.size != 0) {
        double share = b.size / (s->size + b.size), up[XY_H_DIMS] = {0}, down[XY_H_DIMS] = {0};
        for (int k = 0; k < dims; k++) {
            double d = b.axis[k].mean - s->axis[k].mean;
            up[k] = d * share;
            down[k] = up[k] - d;
        }
        move_moments(s, up, dims);
        move_moments(&b, down, dims);
    }
    for (int k = 0; k < dims; k++) {
        if (s->size == 0) s->axis[k].mean = b.axis[k].mean;
        s->axis[k].first += b.axis[k].first;
        s->axis[k].deviation += b.axis[k].deviation;
    }
    s->codeviation += b.codeviation;
    s->weight += b.weight;
    s->weight2 += b.weight2;
    s->size += b.size;
}

/* Adds a block's statistics to those so far. */
static void merge_stats(xy_fill_stats *s, const xy_fill_stats *b, int dims) {
    s->fills += b->fills;
    s->nans += b->nans;
    s->entries += b->entries;
    merge_moments(s, b, dims);
    for (int k = 0; k < dims; k++) {
        if (b->axis[k].finite == 0) continue;
        bool first = s->axis[k].finite == 0;
        if (first || b->axis[k].min < s->axis[k].min) s->axis[k].min = b->axis[k].min;
        if (first || b->axis[k].max > s->axis[k].max) s->axis[k].max = b->axis[k].max;
        s->axis[k].finite += b->axis[k].finite;
    }
}

static void add_weighted_moments(xy_fill_stats *b, const xy_points *p, const int32_t *list,
                                 size_t n, int dims) {
    const double *w = p->x[dims];
    b->weight = b->weight2 = b->size = 0;
    for (size_t i = 0; i < n; i++) {
        b->weight += w[list[i]];
        b->weight2 += w[list[i]] * w[list[i]];
        b->size += fabs(w[list[i]]);
    }
    for (int k = 0; k < dims && b->size != 0; k++) {
        double sum = 0, mean, first = 0, deviation = 0;
        for (size_t i = 0; i < n; i++)
            sum += fabs(w[list[i]]) * p->x[k][list[i]];
        mean = sum / b->size;
        for (size_t i = 0; i < n; i++) {
            double d = p->x[k][list[i]] - mean;
            first += w[list[i]] * d;
            deviation += w[list[i]] * d * d;
        }
        b->axis[k].mean = mean;
        /* Around an infinite mean there are no distances. */
        b->axis[k].first = isinf(mean) ? 0 : first;
        b->axis[k].deviation = deviation;
    }
}

/* The same where all weights are 1: the summaries of the coordinates have the moments. False where
 * a value is not finite. */
static bool add_plain_moments(xy_fill_stats *b, const xy_points *p, const int32_t *list, size_t n,
                              int dims) {
    b->weight = b->weight2 = b->size = (double)n;
    for (int k = 0; k < dims && n > 0; k++) {
        xy_summary s = p->all[k];
        if (n < p->count) {
            double x[XY_H_POINTS];
            for (size_t i = 0; i < n; i++)
                x[i] = p->x[k][list[i]];
            s = xy_summary_of(x, n);
        }
        if (s.values != (double)n) return false;
        b->axis[k].mean = s.sum / (double)n;
        b->axis[k].deviation = s.deviation;
    }
    return true;
}

/* Adds the moments of the `n` points whose index is listed to those of a block without any. */
static void add_moments(xy_fill_stats *b, const xy_points *p, const int32_t *list, size_t n,
                        int dims) {
    if (!p->plain || !add_plain_moments(b, p, list, n, dims))
        add_weighted_moments(b, p, list, n, dims);
    for (size_t i = 0; i < n && dims > 1; i++)
        b->codeviation += p->x[dims][list[i]] * (p->x[0][list[i]] - b->axis[0].mean) *
                          (p->x[1][list[i]] - b->axis[1].mean);
}

static bool all_one(const double *w, size_t n) {
    for (size_t i = 0; i < n; i++)
        if (w[i] != 1) return false;
    return true;
}

void xy_points_count(xy_points *p, int dims) {
    for (int k = 0; k < dims; k++) {
        p->all[k] = (xy_summary){0};
        xy_summary_add(&p->all[k], XY_F64, (const uint8_t *)p->x[k], p->count * sizeof(double));
    }
    p->nans = dims == 1 ? p->all[0].nans : 0;
    for (size_t i = 0; i < p->count && dims > 1; i++) {
        bool nan = false;
        for (int k = 0; k < dims; k++)
            nan |= isnan(p->x[k][i]);
        p->nans += nan;
    }
    p->plain = all_one(p->x[dims], p->count);
}

/* All that the statistics of points have beside moments. */
static xy_fill_stats count_block(const xy_points *p, int dims) {
    xy_fill_stats b = {.fills = (double)p->count, .entries = p->entries, .nans = p->nans};
    for (int k = 0; k < dims; k++) {
        b.axis[k].finite = p->all[k].values;
        b.axis[k].min = p->all[k].min;
        b.axis[k].max = p->all[k].max;
    }
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
            !isfinite(axes[k].low) || !isfinite(axes[k].high))
            return xy_fail(err, XY_E_ARGUMENT, 0, "%g bins from %g to %g", axes[k].bins,
                           axes[k].low, axes[k].high);
        g->stride[k] = g->cells;
        g->width[k] = (axes[k].high - axes[k].low) / axes[k].bins;
        g->ordinary[k] = xy_is_ordinary(axes[k].bins, axes[k].low, axes[k].high);
        g->cells = xy_bytes_of(g->cells, (size_t)axes[k].bins + 2);
        if (g->cells > MAX_CELLS) return xy_fail(err, XY_E_BUDGET, 0, "too many bins");
    }
    return XY_OK;
}

/* xy_find_bin for many values; moving to the right side of an edge makes up for what multiplying by
 * a reciprocal rounds. */
static void find_bins(const xy_grid *g, int k, const double *x, double *out, size_t n) {
    double bins = g->axes[k].bins, low = g->axes[k].low, high = g->axes[k].high;
    double width = g->width[k], scale = bins / (high - low);
    for (size_t i = 0; i < n && !g->ordinary[k]; i++)
        out[i] = xy_find_bin(bins, low, high, width, x[i]);
    for (size_t i = 0; i < n && g->ordinary[k]; i++) {
        double v = x[i], bin = trunc((v - low) * scale);
        double below = v < low + bin * width ? 1.0 : 0.0;
        double above = v >= low + (bin + 1) * width ? 1.0 : 0.0;
        double found = v < low ? 0.0 : bin + 1 - below + above;
        out[i] = v < high ? found : bins + 1;
    }
}

/* Converts numbers of bins to integers. The sum of 2^52 and an integer, as a double, has the
 * integer in its last bits. */
static void to_cells(const double *bin, int32_t *cell, size_t n) {
    for (size_t i = 0; i < n; i++) {
        double shifted = bin[i] + 0x1p52;
        uint64_t bits;
        memcpy(&bits, &shifted, sizeof bits);
        cell[i] = (int32_t)bits;
    }
}

/* Whether all points lie in the range of the first axis, as find_bins decides at its ends. */
static bool all_inside(const xy_grid *g, const xy_points *p) {
    const xy_axis *axis = &g->axes[0];
    const xy_summary *all = &p->all[0];
    return g->ordinary[0] && all->values == (double)p->count && all->min >= axis->low &&
           all->max < axis->high && all->max < axis->low + axis->bins * g->width[0];
}

/* The cells of points, and the indices of those that lie in the range of all axes; returns how many
 * do. */
static size_t find_cells(const xy_grid *g, const xy_points *p, int32_t *cell, int32_t *inside) {
    double bin[XY_H_POINTS];
    if (g->binned == 1) {
        find_bins(g, 0, p->x[0], bin, p->count);
        to_cells(bin, cell, p->count);
        if (all_inside(g, p)) {
            for (size_t i = 0; i < p->count; i++)
                inside[i] = (int32_t)i;
            return p->count;
        }
        uint32_t bins = (uint32_t)g->axes[0].bins;
        size_t kept = 0;
        for (size_t i = 0; i < p->count; i++) {
            inside[kept] = (int32_t)i;
            kept += (uint32_t)cell[i] - 1 < bins;
        }
        return kept;
    }
    bool out[XY_H_POINTS] = {false};
    for (int k = 0; k < g->binned; k++) {
        double end = g->axes[k].bins + 1;
        find_bins(g, k, p->x[k], bin, p->count);
        for (size_t i = 0; i < p->count; i++) {
            cell[i] = (k ? cell[i] : 0) + (int32_t)g->stride[k] * (int32_t)bin[i];
            out[i] |= bin[i] == 0 || bin[i] == end;
        }
    }
    size_t kept = 0;
    for (size_t i = 0; i < p->count; i++) {
        inside[kept] = (int32_t)i;
        kept += !out[i];
    }
    return kept;
}

/* Points of weight 1 are counted before they are added, in a grid of at most this many cells. */
enum { COUNTED = 512 };

/* Counts the points in each cell; false where there are too many cells, or more of them than
 * points, so that adding one point after another is faster. Two points in turn have counts of their
 * own, because adding to the count of the point before has to wait. */
static bool count_cells(const xy_grid *g, const int32_t *cell, size_t n, uint32_t *counts) {
    uint32_t others[COUNTED];
    if (g->cells > COUNTED || g->cells > n) return false;
    memset(counts, 0, g->cells * sizeof(*counts));
    memset(others, 0, g->cells * sizeof(*others));
    size_t i = 0;
    for (; i + 2 <= n; i += 2) {
        counts[cell[i]]++;
        others[cell[i + 1]]++;
    }
    if (i < n) counts[cell[i]]++;
    for (size_t c = 0; c < g->cells; c++)
        counts[c] += others[c];
    return true;
}

void xy_histogram_add(const xy_grid *g, const xy_points *p, bool ones, double *sums,
                      double *squares, xy_fill_stats *stats) {
    const double *w = p->x[g->dims], *y = g->profile ? p->x[g->dims - 1] : NULL;
    int32_t cells[XY_H_POINTS], inside[XY_H_POINTS];
    uint32_t counts[COUNTED];
    size_t kept = find_cells(g, p, cells, inside), run = g->cells;
    bool counted = ones && !y && count_cells(g, cells, p->count, counts);
    for (size_t c = 0; c < run && counted; c++) {
        sums[c] += counts[c];
        squares[c] += counts[c];
    }
    for (size_t i = 0; i < p->count && !counted; i++) {
        size_t cell = (size_t)cells[i];
        if (y) {
            sums[cell] += w[i] * y[i];
            squares[cell] += w[i] * y[i] * y[i];
            squares[run + cell] += w[i];
            squares[2 * run + cell] += w[i] * w[i];
        } else if (p->plain) {
            sums[cell] += 1;
            squares[cell] += 1;
        } else {
            sums[cell] += w[i];
            squares[cell] += w[i] * w[i];
        }
    }
    xy_fill_stats b = count_block(p, g->dims);
    add_moments(&b, p, inside, kept, g->dims);
    merge_stats(stats, &b, g->dims);
}

/* Adds the moments of the points whose index is listed, of coordinates from the middle of the axis.
 */
static void add_exact_moments(const xy_grid *g, const xy_points *p, const int32_t *list, size_t n,
                              size_t at, xy_exact *sums) {
    double w[XY_H_POINTS], d[XY_H_DIMS][XY_H_POINTS], term[XY_H_POINTS];
    for (size_t i = 0; i < n; i++)
        w[i] = p->x[g->dims][list[i]];
    if (p->plain) {
        xy_exact_add(sums, at, (double)n);
        xy_exact_add(sums, at + 1, (double)n);
    } else {
        xy_exact_add_all(sums, at, w, n);
        for (size_t i = 0; i < n; i++)
            term[i] = w[i] * w[i];
        xy_exact_add_all(sums, at + 1, term, n);
    }
    for (int c = 0; c < g->dims; c++) {
        double centre = c < g->binned ? g->axes[c].low / 2 + g->axes[c].high / 2 : 0;
        for (size_t i = 0; i < n; i++) {
            d[c][i] = p->x[c][list[i]] - centre;
            term[i] = w[i] * d[c][i];
        }
        xy_exact_add_all(sums, at + 2 + 2 * (size_t)c, term, n);
        for (size_t i = 0; i < n; i++)
            term[i] = w[i] * d[c][i] * d[c][i];
        xy_exact_add_all(sums, at + 3 + 2 * (size_t)c, term, n);
    }
    if (g->dims < 2) return;
    for (size_t i = 0; i < n; i++)
        term[i] = w[i] * d[0][i] * d[1][i];
    xy_exact_add_all(sums, at + 8, term, n);
}

void xy_histogram_add_exactly(const xy_grid *g, const xy_points *p, xy_exact *sums,
                              xy_fill_stats *stats) {
    size_t run = g->cells, moments = (g->profile ? 4 : 2) * run;
    const double *w = p->x[g->dims], *y = g->profile ? p->x[g->dims - 1] : NULL;
    int32_t cells[XY_H_POINTS], inside[XY_H_POINTS];
    size_t kept = find_cells(g, p, cells, inside);
    for (size_t i = 0; i < p->count && y; i++) {
        xy_exact_add(sums, (size_t)cells[i], w[i] * y[i]);
        xy_exact_add(sums, run + (size_t)cells[i], w[i] * y[i] * y[i]);
    }
    size_t first = y ? 2 * run : 0;
    uint32_t counts[COUNTED];
    bool counted = p->plain && count_cells(g, cells, p->count, counts);
    for (size_t c = 0; c < run && counted; c++) {
        if (counts[c] == 0) continue;
        xy_exact_add(sums, first + c, counts[c]);
        xy_exact_add(sums, first + run + c, counts[c]);
    }
    for (size_t i = 0; i < p->count && !counted; i++) {
        size_t cell = first + (size_t)cells[i];
        if (p->plain) {
            xy_exact_add_one(sums, cell);
            xy_exact_add_one(sums, run + cell);
        } else {
            xy_exact_add(sums, cell, w[i]);
            xy_exact_add(sums, run + cell, w[i] * w[i]);
        }
    }
    add_exact_moments(g, p, inside, kept, moments, sums);
    xy_fill_stats b = count_block(p, g->dims);
    merge_stats(stats, &b, g->dims);
}

static void fill_ones(double *ones) {
    for (size_t i = 0; i < XY_H_POINTS; i++)
        ones[i] = 1;
}

void xy_histogram_of_values(const xy_grid *g, const double *values, size_t count, bool weighted,
                            double *sums, double *squares, xy_exact *exact, xy_fill_stats *stats) {
    double ones[XY_H_POINTS];
    fill_ones(ones);
    xy_points p = {0};
    for (size_t from = 0; from < count; from += p.count) {
        p.count = count - from < XY_H_POINTS ? count - from : XY_H_POINTS;
        for (int k = 0; k <= g->dims; k++)
            p.x[k] = k < g->dims || weighted ? values + (size_t)k * count + from : ones;
        xy_points_count(&p, g->dims);
        if (exact)
            xy_histogram_add_exactly(g, &p, exact, stats);
        else
            xy_histogram_add(g, &p, !weighted, sums, squares, stats);
    }
}

void xy_histogram_of_column(const xy_grid *g, int dtype, const uint8_t *data, size_t bytes,
                            double *sums, double *squares, xy_fill_stats *stats) {
    double x[XY_H_POINTS], ones[XY_H_POINTS];
    fill_ones(ones);
    xy_points p = {.x = {x, ones}};
    size_t size = xy_dtype_size(dtype), count = bytes / size;
    for (size_t from = 0; from < count; from += p.count) {
        p.count = count - from < XY_H_POINTS ? count - from : XY_H_POINTS;
        xy_widen(x, dtype, data + from * size, p.count);
        xy_points_count(&p, 1);
        xy_histogram_add(g, &p, true, sums, squares, stats);
    }
}
