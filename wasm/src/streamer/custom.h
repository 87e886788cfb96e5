/* Formats that no streamer info describes: pointers, and classes whose streamers are written by
 * hand in ROOT (collections, baskets). All of them write to the tape. */
#ifndef XY_CUSTOM_H
#define XY_CUSTOM_H

#include "run.h"

/* Reads a pointer: null, a reference, or an object after the name of its class. */
xy_status xy_run_pointer(xy_run *run);

/* The data in front of the object that a pointer refers to. */
typedef struct {
    uint32_t start; /* offset in the record */
    uint32_t id;    /* id of the object; 0: null or a reference to an object that was not read */
    bool fresh;     /* whether the object follows, because it was not read before */
    bool lost;      /* a reference to an object that was not read */
    xy_str name;    /* class of what follows */
    int32_t cls;    /* index among the program's classes; -1: none */
    size_t end;     /* its end in the input; 0 if it is unknown */
} xy_pointer;
xy_status xy_read_pointer(xy_run *run, xy_pointer *pointer);
/* Reads TObject, name and count, with which a TObjArray (after its version header) and similar
 * classes begin. */
xy_status xy_read_collection(xy_run *run, int32_t version, int32_t named_from, int32_t tobject_from,
                             xy_str *name, uint32_t *count);
/* Bit of a TClonesArray whose objects are stored member by member. */
enum { XY_BYPASS_STREAMER = 0x1000 };
/* Returns the number after the byte at `from` in "Class;version". */
int32_t xy_version_in(xy_str text, size_t from);
xy_status xy_run_custom(xy_run *run, const xy_node *node, uint16_t flags, uint32_t id);
/* Reads the entry of a TBranchObject: possibly a class name, then the object. */
xy_status xy_run_leafobject(xy_run *run, const xy_node *node);
/* Runs `node` as the object `id` of the tape. */
xy_status xy_run_tape_as(xy_run *run, int32_t node, uint32_t id);
/* As xy_run_tape_as, for an object of the class `name`, which is always named on an exact tape. */
xy_status xy_run_named(xy_run *run, int32_t node, uint32_t id, xy_str name);
/* Reads n objects of the OBJECT or STRUCT `element`, streamed member-wise with `layout`, as a list.
 */
xy_status xy_run_memberwise(xy_run *run, const xy_node *element, int32_t layout, size_t n);
/* Reads the header of an STL collection. If it is member-wise, sets what the LIST below needs. */
xy_status xy_read_collection_head(xy_run *run, xy_head *head);

#endif
