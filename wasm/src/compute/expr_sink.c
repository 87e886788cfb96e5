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
static double entries_of(const xy_space *set, const double *w, size_t rows) {
    double some = 0;
    const int32_t *start = int32s(&set->start);
    for (size_t e = 0; e < rows; e++) {
        size_t from = (size_t)start[e], to = (size_t)start[e + 1];
        some += w ? any(w + from, to - from) : to > from;
    }
    return some;
}

/* The values of a block that pass, of any number. */
typedef struct {
    double *x[XY_H_DIMS + 1];
    size_t count;
    double entries;
} block_values;

/* Evaluates the block. All outputs are numbers in the space of the weight. */
static xy_status evaluate(xy_query *q, xy_error *err, block_values *p) {
    *p = (block_values){.count = 0};
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
    const xy_space *set = &q->set[space];
    p->entries = set->same ? (double)p->count : entries_of(set, w, q->rows);
    return XY_OK;
}

/* Whether the outputs are numbers in the space of the weight. */
static xy_status check_outputs(const xy_query *q, xy_error *err, int dims) {
    bool fit = q->n_output == dims && dims <= XY_H_DIMS;
    for (int32_t i = 0; fit && i < q->n_output; i++)
        fit = q->output[i].kind == 0 && q->output[i].space == q->output[0].space;
    if (fit && q->weight >= 0 && q->n_output > 0) fit = q->weight_space == q->output[0].space;
    if (fit) return XY_OK;
    return xy_fail(err, XY_E_ARGUMENT, 0,
                   "the outputs of an expression program do not fit its use");
}

static void add_range(const xy_sink *sink, const xy_points *p, bool weighted) {
    xy_range *r = sink->range;
    *sink->entries += p->entries;
    for (int k = 0; k < r->dims; k++) {
        xy_coordinate *c = &sink->coordinates[k];
        xy_summary_merge(&c->all, &p->all[k]);
        xy_range_add(r, k, c, &p->all[k], p->x[k], p->count);
    }
    xy_range_count(r, weighted ? p->x[r->dims] : NULL, p->count);
}

xy_status xy_query_take(xy_query *q, xy_error *err, const xy_sink *sinks, size_t count, int dims) {
    xy_status s = check_outputs(q, err, dims);
    block_values all;
    /* Most weights are cuts: as long as all are 1, cells are counted before they are added. */
    bool ones = true;
    while (!s && xy_query_next(q)) {
        s = evaluate(q, err, &all);
        for (size_t from = 0; from < all.count && !s; from += XY_H_POINTS) {
            size_t left = all.count - from;
            xy_points p = {.count = left < XY_H_POINTS ? left : XY_H_POINTS,
                           .entries = from ? 0 : all.entries};
            for (int k = 0; k <= dims; k++)
                p.x[k] = all.x[k] + from;
            xy_points_count(&p, dims);
            ones &= p.plain;
            for (size_t i = 0; i < count; i++) {
                const xy_sink *sink = &sinks[i];
                if (sink->range)
                    add_range(sink, &p, q->weight >= 0);
                else if (!sink->exact)
                    xy_histogram_add(&sink->grid, &p, ones, sink->sums, sink->squares, sink->stats);
                else
                    xy_histogram_add_exactly(&sink->grid, &p, sink->exact, sink->stats);
                if (sink->exact && sink->exact->rest->failed) s = no_memory(err);
            }
        }
    }
    return s;
}

xy_status xy_query_every_weight(xy_query *q, xy_error *err) {
    xy_buffer *all = &q->out[0];
    xy_status s = XY_OK;
    if (q->weight < 0 || q->space[q->weight_space].drivers)
        s = xy_fail(err, XY_E_ARGUMENT, 0, "these weights are not one for each entry");
    while (!s && xy_query_next(q)) {
        s = xy_query_cut(q, err);
        if (!s && !xy_append(all, xy_query_weights(q), xy_bytes_of(q->rows, sizeof(double))))
            s = no_memory(err);
    }
    return s;
}

/* Where the values of an entry stand among those of a block in a space. */
typedef struct {
    size_t from, to;
} value_run;

static inline value_run run_of(const xy_space *set, size_t e) {
    if (set->same) return (value_run){e, e + 1};
    return (value_run){(size_t)int32s(&set->start)[e], (size_t)int32s(&set->start)[e + 1]};
}

/* Most bytes that are reserved for one output. */
enum { RESERVED = 32 << 20 };

/* Makes space for about `n` values of each block that follows: the buffers of many outputs grow in
 * turns, so that each is copied whenever it does. Without the space they grow as they are filled.
 */
static void reserve(const xy_query *q, xy_buffer *b, size_t n, size_t size) {
    uint64_t blocks = (q->end - q->row + q->rows - 1) / q->rows;
    size_t bytes = xy_bytes_of(n * blocks, size);
    if (b->len == 0 && bytes <= RESERVED) xy_reserve(b, bytes);
}

/* The values of an output of numbers for the entries that pass; entries that stand side by side are
 * copied together. */
static xy_status append_numbers(xy_query *q, xy_error *err, int32_t output, const uint8_t *passed,
                                size_t some) {
    const xy_output *o = &q->output[output];
    const xy_space *set = &q->set[o->space];
    const double *v = q->slot[o->slot].values;
    xy_buffer *counts = &q->out[1 + 2 * output], *values = &q->out[2 + 2 * output];
    size_t each = (xy_space_count(q, o->space) + q->rows - 1) / q->rows;
    reserve(q, counts, some, 4);
    reserve(q, values, some * each, 8);
    int32_t *count = (int32_t *)(void *)xy_extend_items(counts, some, 4);
    if (!count) return no_memory(err);
    for (size_t e = 0; e < q->rows;) {
        if (!passed[e]) {
            e++;
            continue;
        }
        size_t from = run_of(set, e).from, to = from;
        for (; e < q->rows && passed[e]; e++) {
            value_run run = run_of(set, e);
            *count++ = (int32_t)(run.to - run.from);
            to = run.to;
        }
        if (to > from && !xy_append(values, v + from, xy_bytes_of(to - from, 8)))
            return no_memory(err);
    }
    return XY_OK;
}

/* The values of an output of whole numbers of 64 bits or of texts for the entries that pass. */
static xy_status append_others(xy_query *q, xy_error *err, int32_t output, const uint8_t *passed) {
    const xy_output *o = &q->output[output];
    xy_buffer *counts = &q->out[1 + 2 * output], *values = &q->out[2 + 2 * output];
    const xy_space *set = &q->set[o->space];
    int32_t *at = xy_positions(q, err, &q->positions, xy_space_count(q, o->space));
    if (!at) return (xy_status)err->status;
    xy_status s = xy_access_positions(q, err, o->slot, o->space, at);
    if (s) return s;
    const xy_leaf_data *data = &q->data[q->access[o->slot].leaf];
    for (size_t e = 0; e < q->rows; e++) {
        if (!passed[e]) continue;
        value_run run = run_of(set, e);
        int32_t count = 0;
        bool ok = true;
        for (size_t i = run.from; i < run.to && ok; i++) {
            if (at[i] < 0 && o->kind == 1) {
                continue;
            } else if (at[i] < 0) {
                int32_t none = -1;
                ok = xy_append(values, &none, 4);
            } else if (o->kind == 1) {
                ok = xy_append(values, &data->data[8 * (size_t)at[i]], 8);
            } else {
                const char *text = "";
                size_t bytes = 0;
                xy_text_at(data, at[i], &text, &bytes);
                int32_t len = (int32_t)bytes;
                ok = xy_append(values, &len, 4) && xy_append(values, text, bytes);
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
            value_run run = w ? run_of(set, e) : (value_run){0, 0};
            passed[e] = !w || any(w + run.from, run.to - run.from);
            double entry = xy_entry_of(q, q->row + e);
            if (passed[e] && !xy_append(&q->out[0], &entry, 8)) return no_memory(err);
            some += passed[e];
        }
        if (some == 0 || q->n_output == 0) continue;
        s = xy_query_rest(q, err);
        for (int32_t k = 0; k < q->n_output && !s; k++)
            s = q->output[k].kind ? append_others(q, err, k, passed)
                                  : append_numbers(q, err, k, passed, some);
        if (s) return s;
    }
    return XY_OK;
}
