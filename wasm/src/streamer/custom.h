/* Formats that no streamer info describes: pointers, and classes whose streamers are written by
 * hand in ROOT (collections, baskets). All of them write to the tape. */
#ifndef XY_CUSTOM_H
#define XY_CUSTOM_H

#include "run.h"

/* A pointer: null, a reference, or an object that names its class. */
xy_status xy_run_pointer(xy_run *run);
xy_status xy_run_custom(xy_run *run, const xy_node *node, uint16_t flags, uint32_t id);
/* The entry of a TBranchObject: possibly a class name, then the object. */
xy_status xy_run_leafobject(xy_run *run, const xy_node *node);
/* Runs `node` as the object `id` of the tape. */
xy_status xy_run_tape_as(xy_run *run, int32_t node, uint32_t id);
/* n objects of the OBJECT or STRUCT `element` streamed member-wise with `layout`, as a list. */
xy_status xy_run_memberwise(xy_run *run, const xy_node *element, int32_t layout, size_t n);
/* The header of an STL collection; sets what the LIST below needs when it is member-wise. */
xy_status xy_read_collection_head(xy_run *run, xy_head *head);

#endif
