#include "expr_sink.h"

#include <math.h>

static xy_status no_memory(xy_error *err) {
    return xy_fail(err, XY_E_MEMORY, 0, "no memory for the values of an expression");
}

static const int32_t *int32s(const xy_buffer *b) {
    return (const int32_t *)(const void *)b->data;
}

static bool any(const double *w, size_t n) {
    for (size_t i = 0; i < n; i++)
        if (w[i] != 0) return true;
    return false;
}

/* Number of entries of a block in which at least one value passed. */
static double entries_of(const xy_space *set, const double *w, size_t rows, size_t n) {
    double passed = 0;
    if (set->same) {
        for (size_t i = 0; i < n; i++)
            passed += !w || w[i] != 0;
        return passed;
    }
    const int32_t *start = int32s(&set->start);
    for (size_t e = 0; e < rows; e++) {
        size_t from = (size_t)start[e], to = (size_t)start[e + 1];
        passed += w ? any(w + from, to - from) : to > from;
    }
    return passed;
}

/* A block whose values are in one space; `x` has the values of the outputs that pass, moved
 * together, then the weights. */
typedef struct {
    double *x[XY_H_DIMS + 2];
    size_t count;
    double entries;
} passing;

/* Evaluates the block. All outputs are numbers in the space of the weight. */
static xy_status evaluate(xy_query *q, xy_error *err, passing *p) {
    p->count = 0;
    p->entries = 0;
    xy_status s = xy_query_cut(q, err);
    if (s) return s;
    int32_t space = q->n_output > 0 ? q->output[0].space : q->weight < 0 ? 0 : q->weight_space;
    s = xy_space_fill(q, err, space);
    if (s) return s;
    size_t n = xy_space_count(q, space);
    const double *w = xy_query_weights(q);
    if (n == 0 || (w && !any(w, n))) return XY_OK;
    s = xy_query_rest(q, err);
    if (s) return s;
    p->entries = entries_of(&q->set[space], w, q->rows, n);
    size_t columns = (size_t)q->n_output + 1;
    q->block.len = 0;
    if (!xy_extend_items(&q->block, n, xy_bytes_of(columns, 8))) return no_memory(err);
    double *to = (double *)(void *)q->block.data;
    for (size_t k = 0; k < columns; k++) {
        bool last = k + 1 == columns;
        const double *from = last ? w : q->slot[q->output[k].slot].values;
        p->x[k] = to + k * n;
        size_t m = 0;
        if (!from) {
            for (size_t i = 0; i < n; i++)
                p->x[k][i] = 1;
            m = n;
        } else if (!w) {
            memcpy(p->x[k], from, n * 8);
            m = n;
        } else {
            for (size_t i = 0; i < n; i++) {
                p->x[k][m] = from[i];
                m += w[i] != 0;
            }
        }
        p->count = m;
    }
    return XY_OK;
}

static bool fit_for_sums(const xy_query *q, int dims) {
    if (q->n_output != dims || dims > XY_H_DIMS) return false;
    for (int32_t i = 0; i < q->n_output; i++)
        if (q->output[i].kind != 0 || q->output[i].space != q->output[0].space) return false;
    return q->weight < 0 || q->n_output == 0 || q->weight_space == q->output[0].space;
}

static xy_status unfit(xy_error *err) {
    return xy_fail(err, XY_E_ARGUMENT, 0,
                   "the outputs of an expression program do not fit its use");
}

xy_status xy_query_range(xy_query *q, xy_error *err, xy_summary *summaries, double *entries) {
    if (!fit_for_sums(q, q->n_output)) return unfit(err);
    passing p;
    while (xy_query_next(q)) {
        xy_status s = evaluate(q, err, &p);
        if (s) return s;
        *entries += p.entries;
        for (int32_t k = 0; k < q->n_output; k++)
            xy_summary_add(&summaries[k], XY_F64, (const uint8_t *)p.x[k], p.count * 8);
    }
    return XY_OK;
}

xy_status xy_query_flat(xy_query *q, xy_error *err, double *entries) {
    if (!fit_for_sums(q, q->n_output)) return unfit(err);
    passing p;
    while (xy_query_next(q)) {
        xy_status s = evaluate(q, err, &p);
        if (s) return s;
        *entries += p.entries;
        for (int32_t k = 0; k <= q->n_output; k++)
            if (!xy_append(&q->out[k], p.count ? p.x[k] : NULL, xy_bytes_of(p.count, 8)))
                return no_memory(err);
    }
    return XY_OK;
}

/* ---- histograms -------------------------------------------------------------------------------
 */

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
static void add_moments(xy_fill_stats *b, const passing *p, const int32_t *list, size_t n,
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
static xy_fill_stats count_block(const passing *p, int dims) {
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

/* The cells of a histogram. */
typedef struct {
    const xy_axis *axes;
    int binned;
    size_t stride[XY_H_DIMS], cells;
    double width[XY_H_DIMS];
} grid;

static xy_status make_grid(const xy_query *q, xy_error *err, int dims, bool profile,
                           const xy_axis *axes, grid *g) {
    if (!fit_for_sums(q, dims) || dims < 1 || (profile && dims < 2)) return unfit(err);
    enum { MAX_CELLS = 1 << 28 };
    *g = (grid){.axes = axes, .binned = profile ? dims - 1 : dims, .cells = 1};
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
static size_t cell_of(const grid *g, const passing *p, size_t i, bool *in) {
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

xy_status xy_query_histogram(xy_query *q, xy_error *err, int dims, bool profile,
                             const xy_axis *axes, double *sums, double *squares,
                             xy_fill_stats *stats) {
    grid g;
    xy_status s = make_grid(q, err, dims, profile, axes, &g);
    if (s) return s;
    size_t cells = g.cells;
    passing p;
    while (xy_query_next(q)) {
        s = evaluate(q, err, &p);
        if (s) return s;
        int32_t *inside = xy_positions(q, err, &q->positions, p.count);
        if (!inside) return (xy_status)err->status;
        const double *w = p.x[dims], *y = profile ? p.x[dims - 1] : NULL;
        size_t kept = 0;
        for (size_t i = 0; i < p.count; i++) {
            bool in;
            size_t cell = cell_of(&g, &p, i, &in);
            if (profile) {
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
        xy_fill_stats b = count_block(&p, dims);
        add_moments(&b, &p, inside, kept, dims);
        merge_stats(stats, &b, dims);
    }
    return XY_OK;
}

xy_status xy_query_exact(xy_query *q, xy_error *err, int dims, bool profile, const xy_axis *axes,
                         xy_exact *sums, xy_fill_stats *stats) {
    grid g;
    xy_status s = make_grid(q, err, dims, profile, axes, &g);
    if (s) return s;
    size_t cells = g.cells, moments = (profile ? 4 : 2) * cells;
    double centre[XY_H_DIMS] = {0};
    for (int k = 0; k < g.binned; k++)
        centre[k] = axes[k].low / 2 + axes[k].high / 2;
    passing p;
    while (xy_query_next(q)) {
        s = evaluate(q, err, &p);
        if (s) return s;
        const double *w = p.x[dims], *y = profile ? p.x[dims - 1] : NULL;
        for (size_t i = 0; i < p.count; i++) {
            bool in;
            size_t cell = cell_of(&g, &p, i, &in);
            if (profile) {
                xy_exact_add(sums, cell, w[i] * y[i]);
                xy_exact_add(sums, cells + cell, w[i] * y[i] * y[i]);
                cell += 2 * cells;
            }
            xy_exact_add(sums, cell, w[i]);
            xy_exact_add(sums, cells + cell, w[i] * w[i]);
            if (!in) continue;
            double d[XY_H_DIMS] = {0};
            xy_exact_add(sums, moments, w[i]);
            xy_exact_add(sums, moments + 1, w[i] * w[i]);
            for (int k = 0; k < dims; k++) {
                d[k] = p.x[k][i] - centre[k];
                xy_exact_add(sums, moments + 2 + 2 * (size_t)k, w[i] * d[k]);
                xy_exact_add(sums, moments + 3 + 2 * (size_t)k, w[i] * d[k] * d[k]);
            }
            if (dims > 1) xy_exact_add(sums, moments + 8, w[i] * d[0] * d[1]);
        }
        if (sums->rest->failed) return no_memory(err);
        xy_fill_stats b = count_block(&p, dims);
        merge_stats(stats, &b, dims);
    }
    return XY_OK;
}

/* ---- tables -----------------------------------------------------------------------------------
 */

/* The values of an output for the entries that pass. */
static xy_status append(xy_query *q, xy_error *err, int32_t output, const uint8_t *passed) {
    const xy_output *o = &q->output[output];
    xy_buffer *counts = &q->out[1 + 2 * output], *values = &q->out[2 + 2 * output];
    const xy_space *set = &q->set[o->space];
    size_t n = xy_space_count(q, o->space);
    int32_t *at = NULL;
    if (o->kind != 0) {
        at = xy_positions(q, err, &q->positions, n);
        if (!at) return (xy_status)err->status;
        xy_status s = xy_access_positions(q, err, o->slot, o->space, at);
        if (s) return s;
    }
    const xy_leaf_data *data = o->kind ? &q->data[q->access[o->slot].leaf] : NULL;
    const double *v = o->kind ? NULL : q->slot[o->slot].values;
    const int32_t *start = int32s(&set->start);
    for (size_t e = 0; e < q->rows; e++) {
        if (!passed[e]) continue;
        size_t from = set->same ? e : (size_t)start[e];
        size_t to = set->same ? e + 1 : (size_t)start[e + 1];
        int32_t count = 0;
        bool ok = true;
        for (size_t i = from; i < to && ok; i++) {
            if (!o->kind) {
                ok = xy_append(values, &v[i], 8);
            } else if (at[i] < 0 && o->kind == 1) {
                continue;
            } else if (at[i] < 0) {
                int32_t none = -1;
                ok = xy_append(values, &none, 4);
            } else if (o->kind == 1) {
                ok = xy_append(values, &data->data[8 * (size_t)at[i]], 8);
            } else {
                int32_t len = data->texts[at[i] + 1] - data->texts[at[i]];
                ok = xy_append(values, &len, 4) &&
                     xy_append(values, data->data + data->texts[at[i]], (size_t)len);
            }
            count++;
        }
        if (!ok || !xy_append(counts, &count, 4)) return no_memory(err);
    }
    return XY_OK;
}

xy_status xy_query_table(xy_query *q, xy_error *err) {
    while (xy_query_next(q)) {
        xy_status s = xy_query_cut(q, err);
        if (s) return s;
        uint8_t *passed = (q->block.len = 0, xy_extend(&q->block, q->rows));
        if (!passed) return no_memory(err);
        const double *w = xy_query_weights(q);
        const xy_space *set = w ? &q->set[q->weight_space] : NULL;
        size_t some = 0;
        for (size_t e = 0; e < q->rows; e++) {
            size_t from = e, to = e + 1;
            if (set && !set->same) {
                from = (size_t)int32s(&set->start)[e];
                to = (size_t)int32s(&set->start)[e + 1];
            }
            passed[e] = !w || any(w + from, to - from);
            double entry = xy_entry_of(q, q->row + e);
            if (passed[e] && !xy_append(&q->out[0], &entry, 8)) return no_memory(err);
            some += passed[e];
        }
        if (some == 0 || q->n_output == 0) continue;
        s = xy_query_rest(q, err);
        for (int32_t k = 0; k < q->n_output && !s; k++)
            s = append(q, err, k, passed);
        if (s) return s;
    }
    return XY_OK;
}
