/* Makes decode plans for fields. The root of a plan is an ENTRIES node. Below it, LIST, TSTRING,
 * OPTIONAL, VARIANT, TAPE and NUMBER nodes take their elements from the pages of plan columns. */
#ifndef XY_NT_PLAN_H
#define XY_NT_PLAN_H

#include "ntuple.h"

/* A column that a plan needs. The physical column depends on the cluster. */
typedef struct {
    int32_t field, k; /* the k-th column of the field's stored representation */
    /* Number of elements in one entry; 0 if it varies, below a collection. */
    uint64_t repetition;
    bool offsets; /* whether each element is relative to the previous one */
    int32_t
        above; /* the need whose offsets enclose its elements; -1: none, or not one of offsets */
    uint64_t factor; /* number of elements of this need for each element that the offsets enclose */
} xy_nt_need;

typedef struct {
    xy_nt_need *list;
    int32_t count, cap;
} xy_nt_needs;

/* Compiles the field at a position in depth-first order. A field that cannot be decoded gives an
 * ERROR node. Returns false if memory is exhausted. The caller frees `needs`. */
bool xy_nt_plan(xy_compiler *c, const xy_ntuple *nt, int32_t position, xy_nt_needs *needs);

/* Returns the element type that a column's pages are decoded to; -1 if the column does not contain
 * numbers. */
int xy_nt_native(int type);

#endif
