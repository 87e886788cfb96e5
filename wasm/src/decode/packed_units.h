/* Lists of units, packed into doubles by the caller. */
#ifndef XY_PACKED_UNITS_H
#define XY_PACKED_UNITS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * The units of one branch in one file, in the caller's memory. They are packed as
 *
 *   units, ranges, simple, file, column, growth,
 *   first[units], from[units], to[units],
 *   (range_end[units], head_end[units] unless simple = 1), offset[ranges], size[ranges]
 *
 * In a simple list each unit has one range; where its offset is 0, its size are bytes of a head and
 * nothing is read. `growth` is the number of decoded bytes for each byte of the file, about. Lists
 * of one column follow each other, in the order of their entries.
 */
typedef struct {
    uint32_t units, ranges;
    bool simple;
    uint32_t file, column;
    double growth;
    const double *first, *from, *to, *range_end, *head_end, *offset, *size;
} xy_unit_list;

/* Reads the list at *at, and moves *at after it. Returns false if it does not have the documented
 * form. */
bool xy_take_unit_list(const double **at, const double *end, xy_unit_list *list);

/* Returns the number of lists and of all their units; -1 if they do not have the documented form.
 */
int64_t xy_count_unit_lists(const double *packed, size_t count, uint64_t *units);

#endif
