#include "task_plan.h"

#include <math.h>

typedef struct {
    uint64_t place; /* offset of its first range in the file; 0 when nothing is read */
    uint32_t plan, index;
    uint32_t task;
    double start, bytes; /* in the task's input */
} unit;

typedef struct {
    double offset, length, at;
} file_read;

typedef struct {
    const xy_unit_list *plans;
    unit *units; /* sorted by branch plan and index */
    uint32_t *order, *spare;
    uint32_t count;
    const xy_plan_limits *limits;
    xy_task_plan *out;
} planner;

static void add_u32(xy_buffer *b, uint32_t v) {
    xy_append(b, &v, sizeof v);
}
static void add_double(xy_buffer *b, double v) {
    xy_append(b, &v, sizeof v);
}

/* ---- the units ---- */

static uint32_t first_range(const xy_unit_list *s, uint32_t i) {
    return s->simple ? i : i == 0 ? 0 : (uint32_t)s->range_end[i - 1];
}

static uint32_t last_range(const xy_unit_list *s, uint32_t i) {
    return s->simple ? i + (s->offset[i] != 0) : (uint32_t)s->range_end[i];
}

static bool has_head(const xy_unit_list *s, uint32_t i) {
    return s->simple ? s->offset[i] == 0 : s->head_end[i] > (i ? s->head_end[i - 1] : 0);
}

static double head_bytes(const xy_unit_list *s, uint32_t i) {
    if (s->simple) return s->offset[i] == 0 ? s->size[i] : 0;
    return s->head_end[i] - (i ? s->head_end[i - 1] : 0);
}

static bool is_possible(const xy_unit_list *s, uint32_t i) {
    for (uint32_t r = first_range(s, i); r < last_range(s, i); r++)
        if (!(s->offset[r] >= 0 && s->size[r] > 0 && s->offset[r] + s->size[r] <= 0x1p53))
            return false;
    return head_bytes(s, i) >= 0 && head_bytes(s, i) < 0x1p31;
}

/* Lists the chosen units that can be read. */
static void list_units(planner *c, uint32_t plan_count, const double *chosen, size_t chosen_count) {
    size_t at = 0;
    double number = 0;
    for (uint32_t k = 0; k < plan_count; k++) {
        const xy_unit_list *s = &c->plans[k];
        for (uint32_t i = 0; i < s->units; i++, number++) {
            if (chosen) {
                if (at == chosen_count || chosen[at] != number) continue;
                at++;
            }
            if (!is_possible(s, i)) {
                add_u32(&c->out->bad_plan, k);
                add_u32(&c->out->bad_unit, i);
                continue;
            }
            uint32_t range = first_range(s, i);
            uint64_t place = range < last_range(s, i) ? (uint64_t)s->offset[range] : 0;
            c->units[c->count++] = (unit){.place = place, .plan = k, .index = i};
        }
    }
}

/* ---- sorted by place, then divided into tasks ---- */

/* Sorts units by place: a stable sort by digits. Digits that all places share are skipped. */
static void sort_by_place(planner *c) {
    enum { BITS = 11, DIGITS = 1 << BITS };
    uint32_t starts[DIGITS];
    uint64_t differ = 0;
    for (uint32_t i = 0; i < c->count; i++) {
        c->order[i] = i;
        differ |= c->units[i].place ^ c->units[0].place;
    }
    for (int shift = 0; shift < 64 && differ >> shift; shift += BITS) {
        if (!(differ >> shift & (DIGITS - 1))) continue;
        memset(starts, 0, sizeof starts);
        for (uint32_t i = 0; i < c->count; i++)
            starts[c->units[i].place >> shift & (DIGITS - 1)]++;
        for (uint32_t d = 0, sum = 0; d < DIGITS; d++) {
            uint32_t own = starts[d];
            starts[d] = sum;
            sum += own;
        }
        for (uint32_t i = 0; i < c->count; i++) {
            uint64_t digit = c->units[c->order[i]].place >> shift & (DIGITS - 1);
            c->spare[starts[digit]++] = c->order[i];
        }
        uint32_t *sorted = c->spare;
        c->spare = c->order;
        c->order = sorted;
    }
}

/* Adds a range to the last read of the task, or as a new read; returns where its bytes begin. */
static double add_range(file_read *last, xy_buffer *reads, size_t task_start, double offset,
                        double length, double max_gap, double *size) {
    double gap = offset - (last->offset + last->length);
    bool behind = reads->len > task_start && last->at + last->length == *size && gap >= 0;
    if (behind && gap <= max_gap) {
        last->length += gap + length;
        *size += gap + length;
        memcpy(reads->data + reads->len - sizeof *last, last, sizeof *last);
    } else {
        *last = (file_read){offset, length, *size};
        *size += length;
        xy_append(reads, last, sizeof *last);
    }
    return *size - length;
}

/* Makes a task of the units `from` to `to` by place. */
static void cut_task(planner *c, uint32_t from, uint32_t to, double bytes) {
    xy_task_plan *out = c->out;
    uint32_t task = (uint32_t)(out->bytes.len / sizeof(double));
    size_t task_start = out->reads.len;
    file_read last = {0};
    double size = 0, file_end = 0, first = INFINITY, end = 0;
    for (uint32_t k = from; k < to; k++) {
        unit *p = &c->units[c->order[k]];
        const xy_unit_list *s = &c->plans[p->plan];
        bool head = has_head(s, p->index);
        p->task = task;
        p->start = size;
        if (head && head_bytes(s, p->index) > 0) {
            add_u32(&out->head_plan, p->plan);
            add_u32(&out->head_unit, p->index);
            add_double(&out->head_at, size);
            size += head_bytes(s, p->index);
        }
        for (uint32_t r = first_range(s, p->index); r < last_range(s, p->index); r++) {
            bool leads = !head && r == first_range(s, p->index);
            double at = add_range(&last, &out->reads, task_start, s->offset[r], s->size[r],
                                  leads ? c->limits->gap : 0, &size);
            if (leads) p->start = at;
            if (s->offset[r] + s->size[r] > file_end) file_end = s->offset[r] + s->size[r];
        }
        p->bytes = size - p->start;
        double entry = s->first[p->index];
        if (entry + s->from[p->index] < first) first = entry + s->from[p->index];
        if (entry + s->to[p->index] > end) end = entry + s->to[p->index];
    }
    add_u32(&out->unit_end, to);
    add_u32(&out->read_end, (uint32_t)(out->reads.len / sizeof last));
    add_u32(&out->head_end, (uint32_t)(out->head_at.len / sizeof(double)));
    add_double(&out->input, size);
    add_double(&out->bytes, bytes);
    add_double(&out->place, (double)c->units[c->order[from]].place);
    add_double(&out->file_end, file_end);
    add_double(&out->first_entry, first);
    add_double(&out->last_entry, end);
}

static double bytes_of(const planner *c, uint32_t unit_index) {
    const unit *p = &c->units[unit_index];
    const xy_unit_list *s = &c->plans[p->plan];
    double bytes = 0;
    for (uint32_t r = first_range(s, p->index); r < last_range(s, p->index); r++)
        bytes += s->size[r];
    return bytes;
}

static void cut_by_place(planner *c) {
    const xy_plan_limits *limits = c->limits;
    uint32_t from = 0;
    double bytes = 0, all = 0;
    for (uint32_t i = 0; i < c->count; i++)
        all += bytes_of(c, i);
    double full = fmin(limits->max_bytes, fmax(limits->min_bytes, all / limits->shares));
    for (uint32_t k = 0; k < c->count; k++) {
        if (k > from && (bytes >= full || k - from >= limits->max_units)) {
            cut_task(c, from, k, bytes);
            from = k;
            bytes = 0;
        }
        bytes += bytes_of(c, c->order[k]);
    }
    if (c->count > from) cut_task(c, from, c->count, bytes);
}

/* ---- sorted by branch plan and index within each task ---- */

static void put_units(planner *c) {
    xy_task_plan *out = c->out;
    uint32_t tasks = (uint32_t)(out->unit_end.len / sizeof(uint32_t)), before = 0;
    uint32_t *next = c->spare; /* not more tasks than units */
    for (uint32_t t = 0; t < tasks; t++) {
        next[t] = before;
        memcpy(&before, out->unit_end.data + t * sizeof before, sizeof before);
    }
    for (uint32_t i = 0; i < c->count; i++)
        c->order[next[c->units[i].task]++] = i;
    const unit *last = NULL;
    uint32_t part = 0, length = 0;
    for (uint32_t k = 0, task = UINT32_MAX; k < c->count; k++) {
        const unit *p = &c->units[c->order[k]];
        const xy_unit_list *s = &c->plans[p->plan];
        double numbers[4] = {p->start, p->bytes, s->from[p->index], s->to[p->index]};
        xy_append(&out->units, numbers, sizeof numbers);
        bool same_task = p->task == task;
        if (!same_task || last->plan != p->plan || last->index + 1 != p->index) {
            if (last) add_u32(&out->part_count, length);
            if (last && !same_task) add_u32(&out->part_end, part);
            add_u32(&out->part_plan, p->plan);
            add_u32(&out->part_first, p->index);
            part++;
            length = 0;
        }
        length++;
        last = p;
        task = p->task;
    }
    if (last) {
        add_u32(&out->part_count, length);
        add_u32(&out->part_end, part);
    }
}

static xy_buffer *list_of(xy_task_plan *tasks, size_t i) {
    return (xy_buffer *)tasks + i;
}

void xy_task_plan_free(xy_task_plan *tasks) {
    for (size_t i = 0; i < sizeof *tasks / sizeof(xy_buffer); i++)
        xy_buffer_free(list_of(tasks, i));
}

xy_status xy_task_plan_make(xy_error *err, const double *packed, size_t packed_count,
                            const double *chosen, size_t chosen_count, const xy_plan_limits *limits,
                            xy_task_plan *out) {
    uint64_t units;
    int64_t n = xy_count_unit_lists(packed, packed_count, &units);
    if (n < 0) return xy_fail(err, XY_E_ARGUMENT, 0, "units that are not packed as they should be");
    xy_unit_list *plans = xy_new((uint64_t)n + 1, sizeof *plans);
    planner c = {.plans = plans, .limits = limits, .out = out};
    c.units = xy_new((uint64_t)units + 1, sizeof *c.units);
    c.order = xy_new((uint64_t)units + 1, sizeof *c.order);
    c.spare = xy_new((uint64_t)units + 1, sizeof *c.spare);
    bool here = plans && c.units && c.order && c.spare;
    if (here) {
        const double *at = packed;
        for (int64_t k = 0; k < n; k++)
            xy_take_unit_list(&at, packed + packed_count, &plans[k]);
        list_units(&c, (uint32_t)n, chosen, chosen_count);
        sort_by_place(&c);
        cut_by_place(&c);
        put_units(&c);
        for (size_t i = 0; i < sizeof *out / sizeof(xy_buffer); i++)
            here = here && !list_of(out, i)->failed;
    }
    free(plans);
    free(c.units);
    free(c.order);
    free(c.spare);
    return here ? XY_OK : xy_fail(err, XY_E_MEMORY, 0, "no memory for a plan of reading");
}
