/* Plans tasks: which units are decoded together, and with which reads. */
#ifndef XY_TASK_PLAN_H
#define XY_TASK_PLAN_H

#include "../buffer.h"
#include "../status.h"
#include "packed_units.h"

typedef struct {
    double min_bytes, max_bytes; /* a task is full when it has its share of all bytes, but not
                                  * below or above these */
    double shares;
    uint32_t max_units;
    double gap; /* a read goes on over at most this many bytes between two units */
} xy_plan_limits;

/* Tasks in the order of their place in the file; within a task units by branch plan and index.
 * A list whose name ends with `_end` holds one number for each task (uint32): the length of the
 * other list up to the end of this task. */
typedef struct {
    /* four doubles for each unit: start in the task's input, bytes, first entry, entry after
     * the last */
    xy_buffer units, unit_end;
    /* uint32: runs of units of one branch plan with consecutive numbers: plan, first number,
     * how many */
    xy_buffer part_plan, part_first, part_count, part_end;
    /* three doubles for each read: offset in the file, length, position in the task's input */
    xy_buffer reads, read_end;
    /* units with a head, and its position in the input (double) */
    xy_buffer head_plan, head_unit, head_at, head_end;
    /* doubles, one for each task: bytes of the input, bytes that are wanted from the file,
     * offset of the first of them, end of the last, first entry, and the entry after the last */
    xy_buffer input, bytes, place, file_end, first_entry, last_entry;
    /* units whose ranges are impossible (uint32); they are in no task */
    xy_buffer bad_plan, bad_unit;
} xy_task_plan;

/* `packed` are the units of all branch plans (packed_units.h). `chosen` are the units to plan,
 * counted over all plans and ascending; NULL for all. */
xy_status xy_task_plan_make(xy_error *err, const double *packed, size_t packed_count,
                            const double *chosen, size_t chosen_count, const xy_plan_limits *limits,
                            xy_task_plan *out);
void xy_task_plan_free(xy_task_plan *tasks);

#endif
