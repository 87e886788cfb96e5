/* Plans tasks: which units are decoded together, and by which reads. */
#ifndef XY_TASK_PLAN_H
#define XY_TASK_PLAN_H

#include "../buffer.h"
#include "../status.h"
#include "packed_units.h"

/* How units are divided into tasks. */
enum {
    /* By position in the file, for columns that are not combined. A task is full when it has its
     * share of all bytes, at least `min_bytes` and at most `max_bytes`. */
    XY_PLAN_PLACES = 0,
    /* By entries, all columns together. A task ends where units of all columns end, when it has
     * `min_bytes` or `max_entries`; otherwise when it has `max_bytes`, or four times as many
     * entries. A unit that two tasks share is in both. */
    XY_PLAN_ENTRIES = 1,
    /* As given by the caller. */
    XY_PLAN_GIVEN = 2
};

typedef struct {
    double how; /* XY_PLAN_* */
    double min_bytes, max_bytes;
    double shares;      /* PLACES */
    double max_units;   /* PLACES */
    double max_entries; /* ENTRIES */
    double gap;         /* a read goes on over at most this many bytes between two units */
    double from, to;    /* ENTRIES: the first entry, and the one after the last */
    double first_bytes; /* PLACES, ENTRIES: the first task is full with these, each of the next with
                           twice as many; 0 where all tasks are as large */
} xy_plan_limits;

/* Tasks, by PLACES in the order of their place in the file; within a task units by list and index.
 * A list whose name ends with `_end` holds one number for each task (uint32): the length of the
 * other list up to the end of this task. */
typedef struct {
    /* four doubles for each unit: start in the task's input, bytes, first entry, entry after
     * the last */
    xy_buffer units, unit_end;
    /* uint32: runs of units of one list with consecutive numbers: list, first number, how many */
    xy_buffer part_list, part_first, part_count, part_end;
    /* four doubles for each read: file, offset in it, length, position in the task's input */
    xy_buffer reads, read_end;
    /* units with a head, and its position in the input (double) */
    xy_buffer head_list, head_unit, head_at, head_end;
    /* doubles, one for each task: bytes of the input, bytes that are wanted from files, offset of
     * the first of them, first entry, and the entry after the last */
    xy_buffer input, bytes, place, first_entry, last_entry;
    /* ENTRIES: three doubles each: a column, and the entries, from and to, that none of its units
     * has */
    xy_buffer lost, lost_end;
    /* units whose ranges are impossible (uint32); they are in no task */
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
