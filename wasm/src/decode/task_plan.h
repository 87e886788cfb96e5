/* Plans tasks: which units are decoded together, and by which reads. */
#ifndef XY_TASK_PLAN_H
#define XY_TASK_PLAN_H

#include "../buffer.h"
#include "../status.h"
#include "packed_units.h"

/* Ways to divide units into tasks. */
enum {
    /* By position in the file, for columns that are not combined. A task is full when it has its
     * share of all bytes, at least `min_bytes` and at most `max_bytes`, or `max_decoded` bytes
     * after decoding. */
    XY_PLAN_PLACES = 0,
    /* By entries, with all columns together. A task ends where units of all columns end, as soon as
     * it has `min_bytes` or `max_entries`; if there is no such entry, when it has `max_bytes` or
     * four times as many entries. A unit that two tasks share is in both. */
    XY_PLAN_ENTRIES = 1,
    /* As given by the caller. */
    XY_PLAN_GIVEN = 2
};

typedef struct {
    double how; /* XY_PLAN_* */
    double min_bytes, max_bytes;
    double shares;      /* PLACES */
    double max_units;   /* PLACES */
    double max_decoded; /* PLACES; 0 for any number */
    double max_entries; /* ENTRIES */
    double gap;         /* maximum number of bytes between two units in one read */
    double from, to;    /* ENTRIES: the first entry, and the one after the last */
    double first_bytes; /* PLACES, ENTRIES: the first task is full with these, each of the next with
                           twice as many; 0 where all tasks are as large */
} xy_plan_limits;

/* A list of tasks; with PLACES in the order of their positions in the file. Within a task, units
 * are ordered by list and index. A list whose name ends with `_end` has one number for each task
 * (uint32): the length of the other list up to the end of this task. */
typedef struct {
    /* four doubles for each unit: offset in the task's input, number of bytes, first entry, entry
     * after the last */
    xy_buffer units, unit_end;
    /* uint32: consecutive units of one list: list, index of the first, their number */
    xy_buffer part_list, part_first, part_count, part_end;
    /* four doubles for each read: file, offset in it, length, offset in the task's input */
    xy_buffer reads, read_end;
    /* units with a head, and the offset of the head in the input (double) */
    xy_buffer head_list, head_unit, head_at, head_end;
    /* doubles, one for each task: bytes of the input, bytes that are read from files, offset of the
     * first of them, first entry, and the entry after the last */
    xy_buffer input, bytes, place, first_entry, last_entry;
    /* ENTRIES: three doubles each: a column, and a range of entries, from and to, that its units do
     * not contain */
    xy_buffer lost, lost_end;
    /* units with impossible ranges (uint32); they are not in any task */
    xy_buffer bad_list, bad_unit;
} xy_task_plan;

/* Makes a plan. `packed` are lists of units (packed_units.h). `chosen` are the indices of the units
 * to plan, counted over all lists and ascending; NULL for all. For GIVEN it has for each task the
 * number of its units, followed by these. */
xy_status xy_task_plan_make(xy_error *err, const double *packed, size_t packed_count,
                            const double *chosen, size_t chosen_count, const xy_plan_limits *limits,
                            xy_task_plan *out);
void xy_task_plan_free(xy_task_plan *tasks);

#endif
