/* The exported functions that decode baskets and pages, and take the values to goals. */
#include "ctx.h"

#include "../clock.h"
#include "../compute/distinct_sketch.h"
#include "../compute/expr_sink.h"
#include "../tree/tree.h"

#include <math.h>
#include <stdlib.h>

_Static_assert(sizeof(xy_axis) == XY_AXIS_DOUBLES * sizeof(double), "XY_AXIS_DOUBLES");
_Static_assert(sizeof(xy_fill_stats) == XY_STATS_DOUBLES * sizeof(double), "XY_STATS_DOUBLES");
_Static_assert(sizeof(xy_summary) == XY_SUMMARY_DOUBLES * sizeof(double), "XY_SUMMARY_DOUBLES");
_Static_assert(sizeof(xy_coordinate) == XY_RANGE_DOUBLES * sizeof(double), "XY_RANGE_DOUBLES");

/* ---- decoders ---- */

xy_decoder *xy_decoder_create(xy_ctx *ctx, const uint8_t *plan, size_t len) {
    xy_ctx_begin(ctx);
    return xy_decoder_new(&ctx->err, plan, len, &ctx->scratch);
}

int32_t xy_decode(xy_ctx *ctx, xy_decoder *d, const uint8_t *src, size_t len, double from,
                  double to, const int32_t *counts, size_t count_len) {
    xy_ctx_begin(ctx);
    xy_decoder_basket(d, &ctx->err, src, len, (int64_t)from, (int64_t)to, counts, count_len);
    return xy_ctx_end(ctx);
}

int32_t xy_decode_spans(xy_ctx *ctx, xy_decoder *d, const uint8_t *src, size_t len,
                        const double *spans, size_t span_count, const int32_t *counts,
                        size_t count_len) {
    xy_ctx_begin(ctx);
    xy_entry_span *list = xy_new((uint64_t)span_count + 1, sizeof *list);
    if (!list) xy_fail(&ctx->err, XY_E_MEMORY, 0, "no memory for %zu spans of entries", span_count);
    for (size_t i = 0; i < span_count && !ctx->err.status; i++) {
        double from = spans[2 * i], to = spans[2 * i + 1];
        if (from >= 0 && from < to && to <= 0x1p53)
            list[i] = (xy_entry_span){(int64_t)from, (int64_t)to};
        else
            xy_fail(&ctx->err, XY_E_ARGUMENT, 0, "a span of entries from %g to %g", from, to);
    }
    if (!ctx->err.status)
        xy_decoder_spans(d, &ctx->err, src, len, list, span_count, counts, count_len);
    free(list);
    return xy_ctx_end(ctx);
}

int32_t xy_decoder_buffers(const xy_decoder *d) {
    return d->run.columns.count;
}

double xy_decoder_rows(const xy_decoder *d) {
    return (double)(d->taken + d->rows);
}

double xy_decoder_opened(const xy_decoder *d) {
    return (double)d->opened;
}

const uint8_t *xy_decoder_buffer(const xy_decoder *d, int32_t index) {
    return index >= 0 && index < d->run.columns.count ? d->run.columns.buffers[index].data : NULL;
}

size_t xy_decoder_buffer_size(const xy_decoder *d, int32_t index) {
    return index >= 0 && index < d->run.columns.count ? d->run.columns.buffers[index].len : 0;
}

int32_t xy_decoder_put(xy_ctx *ctx, xy_decoder *d, const uint8_t *src, size_t len) {
    xy_ctx_begin(ctx);
    xy_columns *c = &d->run.columns;
    int32_t cap = c->count;
    if (xy_grow((void **)&c->buffers, &cap, c->count, sizeof *c->buffers)) {
        memset(&c->buffers[c->count], 0, sizeof *c->buffers);
        if (xy_append(&c->buffers[c->count++], src, len)) return xy_ctx_end(ctx);
    }
    xy_fail(&ctx->err, XY_E_MEMORY, 0, "no memory for a decoder");
    return xy_ctx_end(ctx);
}

/* ---- what goals need besides their numbers ---- */

xy_sketch *xy_sketch_create(void) {
    return xy_new(1, sizeof(xy_sketch));
}

void xy_sketch_destroy(xy_sketch *sketch) {
    free(sketch);
}

xy_range *xy_range_create(int32_t dims, double first, double keep) {
    xy_range *r = dims >= 1 && dims <= XY_H_DIMS ? xy_new(1, sizeof *r) : NULL;
    if (!r) return NULL;
    *r = (xy_range){.dims = dims, .first = first, .keep = keep};
    for (int k = 0; k < dims; k++) {
        r->axis[k].low = INFINITY;
        r->axis[k].high = -INFINITY;
    }
    return r;
}

void xy_range_destroy(xy_range *r) {
    for (int k = 0; r && k < XY_H_DIMS; k++) {
        xy_buffer_free(&r->axis[k].steps);
        xy_buffer_free(&r->axis[k].kept);
    }
    if (r) xy_buffer_free(&r->weights);
    free(r);
}

static const xy_buffer *range_buffer(const xy_range *r, int32_t index) {
    if (index >= 0 && index < r->dims) return &r->axis[index].steps;
    if (index >= r->dims && index < 2 * r->dims) return &r->axis[index - r->dims].kept;
    return index == 2 * r->dims ? &r->weights : NULL;
}

int32_t xy_range_floats(xy_range *r, int32_t index) {
    xy_buffer *b = (xy_buffer *)range_buffer(r, index);
    return b && xy_make_floats(b);
}

const uint8_t *xy_range_buffer(const xy_range *r, int32_t index) {
    const xy_buffer *b = range_buffer(r, index);
    return b ? b->data : NULL;
}

size_t xy_range_buffer_size(const xy_range *r, int32_t index) {
    const xy_buffer *b = range_buffer(r, index);
    return b ? b->len : 0;
}

/* ---- goals ---- */

static const xy_buffer *number_column(xy_ctx *ctx, const xy_decoder *d, int *dtype) {
    int32_t node = xy_program_number(&d->program);
    if (node < 0) {
        xy_fail(&ctx->err, XY_E_UNSUPPORTED, 0, "this branch does not hold numbers of one kind");
        return NULL;
    }
    const xy_node *n = &d->program.nodes[node];
    *dtype = n->op == XY_OP_BITS ? XY_U32 : n->dtype;
    return &d->run.columns.buffers[n->column];
}

/* Lists that offsets stand for; there are none before the first row. */
static size_t count_of(const xy_buffer *offsets) {
    return offsets->len < 8 ? 0 : offsets->len / 4 - 1;
}

/* The buffers of a column: offsets of lists, one for each level, then the numbers, or the offsets
 * and the bytes of texts. */
static void take_sketch(xy_ctx *ctx, const xy_goal *g, const xy_decoder *d) {
    bool texts = g->dtype < 0;
    if (g->lists < 0 || g->dtype > XY_F64 || g->lists + texts >= d->program.column_count) {
        xy_fail(&ctx->err, XY_E_ARGUMENT, 0, "a sketch of other columns");
        return;
    }
    const xy_buffer *b = d->run.columns.buffers, *values = b + g->lists;
    for (int32_t i = 0; i < g->lists; i++)
        xy_sketch_add_lengths(g->sketch, b[i].data, count_of(&b[i]));
    if (texts)
        xy_sketch_add_texts(g->sketch, values->data, count_of(values), values[1].data,
                            values[1].len);
    else
        xy_sketch_add_numbers(g->sketch, g->dtype, values->data, values->len);
}

/* Where the values of a goal go: those of a FILL, or of the RANGE of a program. */
static bool open_sink(xy_ctx *ctx, const xy_goal *g, xy_exact *exact, xy_sink *sink) {
    if (g->kind == XY_GOAL_RANGE) {
        *sink = (xy_sink){.range = g->range,
                          .entries = g->numbers,
                          .coordinates = (xy_coordinate *)(void *)(g->numbers + 1)};
        return true;
    }
    double *sums = g->numbers + XY_STATS_DOUBLES;
    *sink = (xy_sink){.sums = sums, .stats = (xy_fill_stats *)(void *)g->numbers};
    const xy_axis *axes = (const xy_axis *)(const void *)g->axes;
    if (xy_grid_make(&ctx->err, g->dims, g->profile, axes, &sink->grid)) return false;
    size_t cells = sink->grid.cells, count = (g->profile ? 4 : 2) * cells + XY_H_MOMENTS;
    sink->squares = sums + cells;
    *exact = (xy_exact){sums, sums + count, &ctx->out};
    if (g->exact) sink->exact = exact;
    return true;
}

static void take_column(xy_ctx *ctx, const xy_goal *g, const xy_decoder *d) {
    if (g->kind == XY_GOAL_SKETCH) {
        take_sketch(ctx, g, d);
        return;
    }
    int dtype = 0;
    xy_exact exact;
    xy_sink s;
    const xy_buffer *b = number_column(ctx, d, &dtype);
    if (!b) return;
    if (g->kind == XY_GOAL_SUMMARY)
        xy_summary_add((xy_summary *)(void *)g->numbers, dtype, b->data, b->len);
    else if (g->kind == XY_GOAL_RANGE)
        xy_range_add_column(g->range, (xy_coordinate *)(void *)(g->numbers + 1), dtype, b->data,
                            b->len);
    else if (open_sink(ctx, g, &exact, &s))
        xy_histogram_of_column(&s.grid, dtype, b->data, b->len, s.sums, s.squares, s.stats);
}

static void take_program(xy_ctx *ctx, const xy_goal *goals, size_t count) {
    xy_exact exact;
    xy_sink *sinks = xy_new(count, sizeof *sinks);
    if (!sinks) xy_fail(&ctx->err, XY_E_MEMORY, 0, "no memory for %zu goals", count);
    int dims = goals->kind == XY_GOAL_RANGE ? goals->range->dims : goals->dims;
    for (size_t i = 0; i < count && !ctx->err.status; i++) {
        const xy_goal *g = &goals[i];
        if (!open_sink(ctx, g, &exact, &sinks[i])) break;
        /* Exact sums have one result. */
        if ((g->kind == XY_GOAL_RANGE ? g->range->dims : g->dims) != dims ||
            (g->exact && count > 1))
            xy_fail(&ctx->err, XY_E_ARGUMENT, 0, "these goals cannot be taken together");
    }
    if (!ctx->err.status) xy_query_take(goals->query, &ctx->err, sinks, count, dims);
    free(sinks);
}

static void take_values(xy_ctx *ctx, const xy_goal *g) {
    xy_exact exact;
    xy_sink s;
    if (open_sink(ctx, g, &exact, &s))
        xy_histogram_of_values(&s.grid, g->values, g->count, g->weighted, s.sums, s.squares,
                               s.exact, s.stats);
}

int32_t xy_goal_take(xy_ctx *ctx, const xy_goal *goals, uint32_t count, const xy_decoder *decoder) {
    xy_ctx_begin(ctx);
    if (decoder)
        take_column(ctx, goals, decoder);
    else if (goals->kind == XY_GOAL_ROWS)
        xy_query_table(goals->query, &ctx->err);
    else if (goals->query)
        take_program(ctx, goals, count);
    else
        take_values(ctx, goals);
    return xy_ctx_end(ctx);
}

/* ---- tasks ---- */

static void decode_unit(xy_ctx *ctx, xy_decoder *d, const xy_task *t, int32_t index) {
    const double *p = &t->units[4 * (size_t)index];
    const double none[4] = {0, 0, -1, 0};
    const double *more = t->more ? &t->more[4 * (size_t)index] : none;
    const uint8_t *src = t->input + (size_t)p[0];
    size_t len = (size_t)p[1], count = (size_t)more[3];
    const int32_t *counts = more[2] >= 0 ? t->counts + (size_t)more[2] : NULL;
    if (more[1] > 0)
        xy_decode_spans(ctx, d, src, len, t->spans + 2 * (size_t)more[0], (size_t)more[1], counts,
                        count);
    else
        xy_decode(ctx, d, src, len, p[2], p[3], counts, count);
}

enum { ALL_UNITS = -1 };

/* The column that a task is at. */
typedef struct {
    int32_t parts, units;
    int32_t common, own, own_end; /* its goals: before `common`, and from `own` to `own_end` */
    size_t doubles;               /* numbers of all results */
    bool keep;
} task_column;

static size_t doubles_of(const xy_goal *g, int32_t units) {
    return g->doubles + (size_t)g->unit_doubles * (size_t)units;
}

static void add_goal(task_column *c, const xy_goal *g) {
    c->doubles += doubles_of(g, c->units);
    if (g->kind == XY_GOAL_COLUMNS) c->keep = true;
}

static task_column column_of(const xy_task *t) {
    const int32_t *part = &t->parts[2 * (size_t)t->part];
    task_column c = {.parts = 1, .units = part[1], .keep = t->keep};
    for (; c.parts < t->part_count - t->part && part[2 * c.parts] == 0; c.parts++)
        c.units += part[2 * c.parts + 1];
    for (; c.common < t->goal_count && t->goals[c.common].column < 0; c.common++)
        add_goal(&c, &t->goals[c.common]);
    c.own = t->own > c.common ? t->own : c.common;
    for (c.own_end = c.own; c.own_end < t->goal_count; c.own_end++) {
        if (t->goals[c.own_end].column != t->column) break;
        add_goal(&c, &t->goals[c.own_end]);
    }
    return c;
}

/* Counters of a column, see xy_task. */
enum { ROWS, OPENED, UNPACK_MS, GOALS_MS, ALL_MS, COUNTERS };

static double *counters_of(const xy_task *t) {
    return &t->counters[COUNTERS * (size_t)t->column];
}

static void take_goals(xy_ctx *ctx, const xy_task *t, const task_column *c, int32_t unit) {
    const xy_decoder *d = t->decoders[t->column];
    double *numbers = t->numbers, began = xy_clock();
    for (int32_t i = 0; i < c->common + c->own_end - c->own; i++) {
        xy_goal g = t->goals[i < c->common ? i : c->own + i - c->common];
        g.numbers = numbers;
        numbers += doubles_of(&g, c->units);
        if (g.kind == XY_GOAL_VERIFY && unit != ALL_UNITS) {
            g.numbers[2 * (size_t)unit] = (double)d->rows;
            g.numbers[2 * (size_t)unit + 1] = (double)d->seek;
        } else if (g.kind != XY_GOAL_COLUMNS) {
            take_column(ctx, &g, d);
        }
    }
    counters_of(t)[GOALS_MS] += xy_clock() - began;
}

static void run_units(xy_ctx *ctx, xy_task *t, const task_column *c) {
    xy_decoder *d = t->decoders[t->column];
    for (; t->unit < c->units && !ctx->err.status; t->unit++) {
        t->failed = t->first + t->unit;
        decode_unit(ctx, d, t, t->failed);
        if (c->keep) continue;
        if (!ctx->err.status) take_goals(ctx, t, c, t->unit);
        xy_decoder_reset(d);
    }
}

static void run_column(xy_ctx *ctx, xy_task *t, const task_column *c) {
    xy_decoder **d = &t->decoders[t->column];
    if (!*d) *d = xy_decoder_create(ctx, t->plans, (size_t)t->parts[2 * (size_t)t->part]);
    double *counters = counters_of(t), began = xy_clock();
    if (*d) run_units(ctx, t, c);
    if (!ctx->err.status) {
        t->failed = -1;
        if (c->keep) take_goals(ctx, t, c, ALL_UNITS);
    }
    counters[ALL_MS] += xy_clock() - began;
    if (ctx->err.status) return;
    counters[ROWS] = xy_decoder_rows(*d);
    counters[OPENED] = xy_decoder_opened(*d);
    counters[UNPACK_MS] = (*d)->unpack_ms;
    if (c->keep) return;
    xy_decoder_destroy(*d);
    *d = NULL;
}

int32_t xy_task_run(xy_ctx *ctx, xy_task *t) {
    t->failed = -1;
    xy_ctx_begin(ctx);
    while (t->part < t->part_count) {
        task_column c = column_of(t);
        run_column(ctx, t, &c);
        if (ctx->err.status) break;
        t->numbers += c.doubles;
        t->plans += t->parts[2 * (size_t)t->part];
        t->first += c.units;
        t->part += c.parts;
        t->own = c.own_end;
        t->unit = 0;
        t->column++;
    }
    return xy_ctx_end(ctx);
}
