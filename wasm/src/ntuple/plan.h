/* From fields to decode plans. A plan's root is an ENTRIES node; below it LIST, TSTRING, OPTIONAL,
 * VARIANT, TAPE and NUMBER nodes take their elements from the pages of plan columns. */
#ifndef XY_NT_PLAN_H
#define XY_NT_PLAN_H

#include "ntuple.h"

/* A column that a plan needs. Which physical column it is depends on the cluster. */
typedef struct {
    int32_t field, k; /* the k-th column of the field's stored representation */
    /* Elements of one entry; 0 where that varies, below a collection. */
    uint64_t repetition;
    bool offsets; /* an element counts from the one before it */
    int32_t
        above; /* the need whose offsets enclose its elements; -1: none, or not one of offsets */
    uint64_t factor; /* elements of this need for each element that the offsets enclose */
} xy_nt_need;

typedef struct {
    xy_nt_need *list;
    int32_t count, cap;
} xy_nt_needs;

/* Compiles the field at a position of the depth-first order. A field that cannot be decoded gives
 * an ERROR node. False when memory is out. `needs` is for the caller to free. */
bool xy_nt_plan(xy_compiler *c, const xy_ntuple *nt, int32_t position, xy_nt_needs *needs);

/* The element type that a column's pages decode to; -1 for one that holds no numbers. */
int xy_nt_native(int type);

#endif
