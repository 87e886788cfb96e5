/* Cutting what is to be read into tasks: which pieces are decoded together, and by what reads. */
#ifndef XY_CUT_H
#define XY_CUT_H

#include "../buffer.h"
#include "../status.h"

typedef struct {
    double least_bytes, most_bytes; /* a task with its share of all bytes is full, within these */
    double shares;
    uint32_t most_pieces;
    double gap; /* so many bytes between two pieces are read over */
} xy_cut_limits;

/* Tasks in the order of their place in the file; within a task pieces by scan and index. All lists
 * that end with `_end` hold one number a task (uint32): how many there are up to it. */
typedef struct {
    /* four doubles a piece: start in the task's input, bytes, first entry, entry behind the last */
    xy_buffer pieces, piece_end;
    /* uint32: runs of pieces of one scan whose numbers follow each other: scan, first number, how
     * many */
    xy_buffer part_scan, part_first, part_count, part_end;
    /* three doubles a read: offset in the file, length, where it goes in the task's input */
    xy_buffer reads, read_end;
    /* pieces with a head, and where it goes in the input (double) */
    xy_buffer head_scan, head_piece, head_at, head_end;
    /* doubles, one a task: bytes of the input, bytes in the file that are wanted, first of them,
     * end of the last, first entry, and the one behind the last */
    xy_buffer input, bytes, place, file_end, first_entry, last_entry;
    /* pieces whose ranges are impossible (uint32); they are in no task */
    xy_buffer bad_scan, bad_piece;
} xy_cut;

/*
 * `packed` describes the pieces of all scans as doubles, each scan as
 *
 *   pieces, ranges, first[pieces], from[pieces], to[pieces],
 *   (range_end[pieces], head_end[pieces] unless pieces = ranges and simple = 1), offset[ranges],
 * size[ranges]
 *
 * after three numbers: pieces, ranges, simple. A simple scan has one range a piece; where its
 * offset is 0, its size are bytes of a head and nothing is read. `chosen` are the pieces to cut,
 * counted over all scans and ascending; NULL for all.
 */
xy_status xy_cut_tasks(xy_error *err, const double *packed, size_t packed_count,
                       const double *chosen, size_t chosen_count, const xy_cut_limits *limits,
                       xy_cut *out);
void xy_cut_free(xy_cut *cut);

#endif
