#include "task_plan.h"

#include <math.h>

typedef struct {
    uint64_t place; /* offset of its first range in the file; 0 when nothing is read */
    uint32_t list, index;
    uint32_t task;
    double start, bytes; /* in the task's input */
} unit;

typedef struct {
    double file, offset, length, at;
} file_read;

typedef struct {
    const xy_unit_list *lists;
    uint32_t list_count;
    unit *units; /* in `store`: by task (where they are known first), list and index */
    uint32_t count;
    xy_buffer store;
    uint32_t *order, *spare;
    uint32_t tasks;
    const xy_plan_limits *limits;
    xy_task_plan *out;
    xy_error *err;
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

static double bytes_of(const planner *c, const unit *p) {
    const xy_unit_list *s = &c->lists[p->list];
    double bytes = 0;
    for (uint32_t r = first_range(s, p->index); r < last_range(s, p->index); r++)
        bytes += s->size[r];
    return bytes;
}

static double entry_of(const planner *c, const unit *p) {
    const xy_unit_list *s = &c->lists[p->list];
    return s->first[p->index] + s->from[p->index];
}

static double end_of(const planner *c, const unit *p) {
    const xy_unit_list *s = &c->lists[p->list];
    return s->first[p->index] + s->to[p->index];
}

/* Adds a unit; false without memory. */
static bool add_unit(planner *c, uint32_t list, uint32_t index, uint32_t task) {
    const xy_unit_list *s = &c->lists[list];
    uint32_t range = first_range(s, index);
    unit own = {.list = list, .index = index, .task = task};
    own.place = range < last_range(s, index) ? (uint64_t)s->offset[range] : 0;
    bool added = c->count < UINT32_MAX && xy_append(&c->store, &own, sizeof own);
    c->units = (unit *)(void *)c->store.data;
    c->count += added;
    return added;
}

/* Lists the chosen units that can be read. */
static bool list_units(planner *c, const double *chosen, size_t chosen_count) {
    size_t at = 0;
    double number = 0;
    for (uint32_t k = 0; k < c->list_count; k++) {
        const xy_unit_list *s = &c->lists[k];
        for (uint32_t i = 0; i < s->units; i++, number++) {
            if (chosen) {
                if (at == chosen_count || chosen[at] != number) continue;
                at++;
            }
            if (is_possible(s, i)) {
                if (!add_unit(c, k, i, 0)) return false;
                continue;
            }
            add_u32(&c->out->bad_list, k);
            add_u32(&c->out->bad_unit, i);
        }
    }
    return true;
}

static bool bad_units(planner *c) {
    xy_fail(c->err, XY_E_ARGUMENT, 0, "tasks of units that are not there, or not ascending");
    return false;
}

/* Lists the units of each task that is given; false without memory, or where there are no such
 * units. */
static bool list_given(planner *c, const double *given, size_t count) {
    for (size_t at = 0; at < count; c->tasks++) {
        double n = given[at++], before = 0;
        uint32_t list = 0;
        if (!(n >= 0 && n <= (double)(count - at))) return bad_units(c);
        for (; n > 0; n--, at++) {
            while (list < c->list_count && given[at] >= before + c->lists[list].units)
                before += c->lists[list++].units;
            if (list == c->list_count || !(given[at] >= before)) return bad_units(c);
            uint32_t index = (uint32_t)(given[at] - before);
            if (is_possible(&c->lists[list], index) && !add_unit(c, list, index, c->tasks))
                return false;
        }
    }
    return true;
}

/* ---- sorted ---- */

/* Sorts `order` by the keys of units: a stable sort by digits. Digits that all keys share are
 * skipped. */
static void sort_by(planner *c, uint64_t (*key)(const planner *, const unit *)) {
    enum { BITS = 11, DIGITS = 1 << BITS };
    uint32_t starts[DIGITS];
    uint64_t differ = 0;
    for (uint32_t i = 0; i < c->count; i++)
        differ |= key(c, &c->units[i]) ^ key(c, &c->units[0]);
    for (int shift = 0; shift < 64 && differ >> shift; shift += BITS) {
        if (!(differ >> shift & (DIGITS - 1))) continue;
        memset(starts, 0, sizeof starts);
        for (uint32_t i = 0; i < c->count; i++)
            starts[key(c, &c->units[i]) >> shift & (DIGITS - 1)]++;
        for (uint32_t d = 0, sum = 0; d < DIGITS; d++) {
            uint32_t own = starts[d];
            starts[d] = sum;
            sum += own;
        }
        for (uint32_t i = 0; i < c->count; i++) {
            uint64_t digit = key(c, &c->units[c->order[i]]) >> shift & (DIGITS - 1);
            c->spare[starts[digit]++] = c->order[i];
        }
        uint32_t *sorted = c->spare;
        c->spare = c->order;
        c->order = sorted;
    }
}

static uint64_t place_key(const planner *c, const unit *p) {
    (void)c;
    return p->place;
}
static uint64_t file_key(const planner *c, const unit *p) {
    return c->lists[p->list].file;
}
static uint64_t task_key(const planner *c, const unit *p) {
    (void)c;
    return p->task;
}
static uint64_t entry_key(const planner *c, const unit *p) {
    return (uint64_t)entry_of(c, p);
}
static uint64_t end_key(const planner *c, const unit *p) {
    return (uint64_t)end_of(c, p);
}

static bool start_order(planner *c) {
    free(c->order);
    free(c->spare);
    c->order = xy_new((uint64_t)c->count + 1, sizeof *c->order);
    c->spare = xy_new((uint64_t)c->count + 1, sizeof *c->spare);
    if (!c->order || !c->spare) return false;
    for (uint32_t i = 0; i < c->count; i++)
        c->order[i] = i;
    return true;
}

/* ---- small tasks first ---- */

/* The bytes with which the task of this number is full, where later ones are with `full`. */
static double grown(const planner *c, double full, uint32_t task) {
    double first = c->limits->first_bytes;
    return first > 0 && task < 30 ? fmin(full, first * (double)(1u << task)) : full;
}

/* ---- divided by entries ---- */

/* The next border after `start`, and the bytes of the task before it. A border is where a unit
 * ends. `by_start` and `by_end` are the units in these orders; `opened` of them begin before the
 * border, `closed` end at it or before. */
typedef struct {
    const uint32_t *by_start, *by_end;
    uint32_t opened, closed;
    double opened_bytes, closed_bytes;
} sweep;

static void close_until(const planner *c, sweep *at, double entry) {
    for (; at->closed < c->count; at->closed++) {
        const unit *own = &c->units[at->by_end[at->closed]];
        if (end_of(c, own) > entry) break;
        at->closed_bytes += bytes_of(c, own);
    }
}

static void open_until(const planner *c, sweep *at, double entry) {
    for (; at->opened < c->count; at->opened++) {
        const unit *own = &c->units[at->by_start[at->opened]];
        if (entry_of(c, own) >= entry) break;
        at->opened_bytes += bytes_of(c, own);
    }
}

static double next_border(const planner *c, sweep *at, double begin, uint32_t task) {
    const xy_plan_limits *limits = c->limits;
    double least = grown(c, limits->min_bytes, task);
    close_until(c, at, begin);
    double before = at->closed_bytes;
    for (;;) {
        double border = limits->to;
        if (at->closed < c->count)
            border = fmin(border, end_of(c, &c->units[at->by_end[at->closed]]));
        open_until(c, at, border);
        close_until(c, at, border);
        double bytes = at->opened_bytes - before, entries = border - begin;
        bool aligned = at->opened == at->closed;
        bool full = aligned ? bytes >= least || entries >= limits->max_entries
                            : bytes >= limits->max_bytes || entries >= 4 * limits->max_entries;
        if (full || border >= limits->to) return border;
    }
}

static void add_lost(planner *c, uint32_t list, double from, double to) {
    double lost[3] = {c->lists[list].column, from, to};
    xy_append(&c->out->lost, lost, sizeof lost);
}

/* Adds the units of a column's list that have entries of the task; `next` is the first of the list
 * that may have some. Returns the entry up to which the column is there. */
static double add_list(planner *c, uint32_t list, uint32_t *next, double start, double end,
                       double covered, bool *ok) {
    for (; *next < c->lists[list].units; ++*next) {
        const unit own = {.list = list, .index = *next};
        double from = entry_of(c, &own), to = end_of(c, &own);
        if (from >= end) break;
        if (to > start && is_possible(&c->lists[list], *next)) {
            if (from > covered) add_lost(c, list, covered, from);
            covered = fmax(covered, to);
            *ok = *ok && add_unit(c, list, *next, c->tasks);
        }
        if (to > end) break;
    }
    return covered;
}

/* Divides the entries into tasks, and lists the units of each. */
static bool divide_by_entries(planner *c) {
    const xy_plan_limits *limits = c->limits;
    bool ok = start_order(c);
    uint32_t *by_start = xy_new((uint64_t)c->count + 1, sizeof *by_start);
    uint32_t *next = xy_new((uint64_t)c->list_count + 1, sizeof *next);
    xy_buffer borders = {0};
    if (ok && by_start && next) {
        sort_by(c, entry_key);
        memcpy(by_start, c->order, c->count * sizeof *by_start);
        sort_by(c, end_key);
        sweep at = {.by_start = by_start, .by_end = c->order};
        double start = limits->from;
        for (uint32_t task = 0; start < limits->to; task++) {
            start = next_border(c, &at, start, task);
            add_double(&borders, start);
        }
    }
    ok = ok && by_start && next && !borders.failed;
    double start = limits->from;
    c->count = 0;
    c->store.len = 0;
    for (size_t i = 0; ok && i < borders.len / sizeof(double); i++, c->tasks++) {
        double end, covered = start;
        memcpy(&end, borders.data + i * sizeof end, sizeof end);
        for (uint32_t k = 0; k < c->list_count; k++) {
            covered = add_list(c, k, &next[k], start, end, covered, &ok);
            if (k + 1 < c->list_count && c->lists[k + 1].column == c->lists[k].column) continue;
            if (covered < end) add_lost(c, k, covered, end);
            covered = start;
        }
        add_u32(&c->out->lost_end, (uint32_t)(c->out->lost.len / 24));
        add_double(&c->out->first_entry, start);
        add_double(&c->out->last_entry, end);
        start = end;
    }
    free(by_start);
    free(next);
    xy_buffer_free(&borders);
    return ok;
}

/* ---- laid out: reads, and the places of bytes ---- */

/* Adds a range to the last read of the task, or as a new read; returns where its bytes begin. */
static double add_range(file_read *last, xy_buffer *reads, size_t task_start, file_read range,
                        double max_gap, double *size) {
    double gap = range.offset - (last->offset + last->length);
    bool behind = reads->len > task_start && last->file == range.file &&
                  last->at + last->length == *size && gap >= 0;
    if (behind && gap <= max_gap) {
        last->length += gap + range.length;
        *size += gap + range.length;
        memcpy(reads->data + reads->len - sizeof *last, last, sizeof *last);
    } else {
        *last = range;
        last->at = *size;
        *size += range.length;
        xy_append(reads, last, sizeof *last);
    }
    return *size - range.length;
}

/* Lays out a task of the units `from` to `to` by place. */
static void lay_out(planner *c, uint32_t from, uint32_t to) {
    xy_task_plan *out = c->out;
    uint32_t task = (uint32_t)(out->bytes.len / sizeof(double));
    size_t task_start = out->reads.len;
    file_read last = {0};
    double size = 0, wanted = 0, first = INFINITY, end = 0;
    for (uint32_t k = from; k < to; k++) {
        unit *p = &c->units[c->order[k]];
        const xy_unit_list *s = &c->lists[p->list];
        bool head = has_head(s, p->index);
        p->task = task;
        p->start = size;
        if (head && head_bytes(s, p->index) > 0) {
            add_u32(&out->head_list, p->list);
            add_u32(&out->head_unit, p->index);
            add_double(&out->head_at, size);
            size += head_bytes(s, p->index);
        }
        for (uint32_t r = first_range(s, p->index); r < last_range(s, p->index); r++) {
            bool leads = !head && r == first_range(s, p->index);
            file_read range = {.file = s->file, .offset = s->offset[r], .length = s->size[r]};
            double at =
                add_range(&last, &out->reads, task_start, range, leads ? c->limits->gap : 0, &size);
            if (leads) p->start = at;
            wanted += range.length;
        }
        p->bytes = size - p->start;
        first = fmin(first, entry_of(c, p));
        end = fmax(end, end_of(c, p));
    }
    add_u32(&out->unit_end, to);
    add_u32(&out->read_end, (uint32_t)(out->reads.len / sizeof last));
    add_u32(&out->head_end, (uint32_t)(out->head_at.len / sizeof(double)));
    add_double(&out->input, size);
    add_double(&out->bytes, wanted);
    add_double(&out->place, from < to ? (double)c->units[c->order[from]].place : 0);
    if (c->limits->how == XY_PLAN_ENTRIES) return;
    add_double(&out->first_entry, first);
    add_double(&out->last_entry, end);
}

/* Divides units into tasks by their place. */
static void divide_by_place(planner *c) {
    const xy_plan_limits *limits = c->limits;
    uint32_t from = 0, task = 0;
    double bytes = 0, decoded = 0, all = 0;
    double most = limits->max_decoded > 0 ? limits->max_decoded : INFINITY;
    for (uint32_t i = 0; i < c->count; i++)
        all += bytes_of(c, &c->units[i]);
    double full = fmin(limits->max_bytes, fmax(limits->min_bytes, all / limits->shares));
    for (uint32_t k = 0; k < c->count; k++) {
        const unit *own = &c->units[c->order[k]];
        double next = bytes_of(c, own), grows = next * c->lists[own->list].growth;
        bool is_full = bytes >= grown(c, full, task) || k - from >= limits->max_units;
        if (k > from && (is_full || decoded + grows > most)) {
            lay_out(c, from, k);
            task++;
            from = k;
            bytes = decoded = 0;
        }
        bytes += next;
        decoded += grows;
    }
    if (c->count > from) lay_out(c, from, c->count);
}

/* Lays out tasks whose units are known; some may have none. */
static void lay_out_all(planner *c) {
    uint32_t from = 0;
    for (uint32_t task = 0; task < c->tasks; task++) {
        uint32_t to = from;
        while (to < c->count && c->units[c->order[to]].task == task)
            to++;
        lay_out(c, from, to);
        from = to;
    }
}

/* Lists the units by list and index within each task, and their runs. */
static void put_units(planner *c) {
    xy_task_plan *out = c->out;
    uint32_t tasks = (uint32_t)(out->unit_end.len / sizeof(uint32_t)), before = 0;
    xy_buffer starts = {0};
    uint32_t *next = (uint32_t *)(void *)xy_extend_items(&starts, (uint64_t)tasks + 1, 4);
    out->units.failed |= !next;
    for (uint32_t t = 0; next && t < tasks; t++) {
        next[t] = before;
        memcpy(&before, out->unit_end.data + t * sizeof before, sizeof before);
    }
    for (uint32_t i = 0; next && i < c->count; i++)
        c->order[next[c->units[i].task]++] = i;
    xy_buffer_free(&starts);
    uint32_t parts = 0;
    for (uint32_t task = 0, k = 0; task < tasks; task++) {
        uint32_t end;
        memcpy(&end, out->unit_end.data + task * sizeof end, sizeof end);
        const unit *last = NULL;
        for (uint32_t length = 0; k < end; k++) {
            const unit *p = &c->units[c->order[k]];
            const xy_unit_list *s = &c->lists[p->list];
            double numbers[4] = {p->start, p->bytes, s->from[p->index], s->to[p->index]};
            xy_append(&out->units, numbers, sizeof numbers);
            length++;
            bool goes_on = k + 1 < end && c->units[c->order[k + 1]].list == p->list &&
                           c->units[c->order[k + 1]].index == p->index + 1;
            if (!last) last = p;
            if (goes_on) continue;
            add_u32(&out->part_list, last->list);
            add_u32(&out->part_first, last->index);
            add_u32(&out->part_count, length);
            parts++;
            length = 0;
            last = NULL;
        }
        add_u32(&out->part_end, parts);
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
    xy_unit_list *lists = xy_new((uint64_t)n + 1, sizeof *lists);
    planner c = {
        .lists = lists, .list_count = (uint32_t)n, .limits = limits, .out = out, .err = err};
    const double *at = packed;
    for (int64_t k = 0; lists && k < n; k++)
        xy_take_unit_list(&at, packed + packed_count, &lists[k]);
    bool given = limits->how == XY_PLAN_GIVEN, entries = limits->how == XY_PLAN_ENTRIES;
    bool here = lists && (given ? list_given(&c, chosen, chosen_count)
                                : list_units(&c, chosen, chosen_count));
    here = here && (!entries || divide_by_entries(&c)) && start_order(&c);
    if (here) {
        sort_by(&c, place_key);
        sort_by(&c, file_key);
        if (given || entries) {
            sort_by(&c, task_key);
            lay_out_all(&c);
        } else {
            divide_by_place(&c);
        }
        put_units(&c);
        for (size_t i = 0; i < sizeof *out / sizeof(xy_buffer); i++)
            here = here && !list_of(out, i)->failed;
    }
    free(lists);
    xy_buffer_free(&c.store);
    free(c.order);
    free(c.spare);
    if (here || err->status) return (xy_status)err->status;
    return xy_fail(err, XY_E_MEMORY, 0, "no memory for a plan of reading");
}
