/* C++ type names as in streamer infos and branches. */
#ifndef XY_CXX_TYPE_H
#define XY_CXX_TYPE_H

#include "classes.h"

/* A part of a text, not terminated by a zero. */
typedef struct {
    const char *s;
    size_t n;
} xy_span;

typedef enum {
    XY_NOT_CONTAINER,
    XY_SEQUENCE,
    XY_UNORDERED,
    XY_MAP,
    XY_UNORDERED_MAP,
    XY_BITSET,
    XY_ARRAY
} xy_container;

xy_span xy_span_trim(xy_span t);
bool xy_span_starts(xy_span t, const char *prefix);
bool xy_span_is(xy_span t, const char *text);
/* Returns the type without "const", "std::" and its inline namespaces. */
xy_span xy_type_bare(xy_span t);
/* Returns the k-th template argument; empty if there is none. */
xy_span xy_type_argument(xy_span t, int k);
/* Returns the kind of an STL container, from the name of a bare type. */
xy_container xy_container_of(xy_span t);
/* Returns the TStreamerElement type of a basic type; -1 for other types. */
int xy_basic_type(xy_span t);
/* Whether the type is an STL collection or std::string, which is stored with its own header. */
bool xy_is_collection(const char *type, size_t len);
bool xy_is_std_string(const char *type, size_t len);
/* Whether two names mean the same type: spaces, "std::" and number types (Int_t, int) are written
 * differently by different versions of ROOT. Names of the same type have the same hash. */
bool xy_type_same(xy_span a, xy_span b);
uint32_t xy_type_hash(xy_span name);

#endif
