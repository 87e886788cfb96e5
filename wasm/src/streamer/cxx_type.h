/* C++ type names, as streamer infos and branches spell them. */
#ifndef XY_CXX_TYPE_H
#define XY_CXX_TYPE_H

#include "classes.h"

/* A piece of text that is not ended by a zero. */
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
/* Without "const", "std::" and inline namespaces of it. */
xy_span xy_type_bare(xy_span t);
/* The k-th template argument; empty when there is none. */
xy_span xy_type_argument(xy_span t, int k);
/* The kind of an STL container, by the name of a bare type. */
xy_container xy_container_of(xy_span t);
/* The TStreamerElement type of a basic type; -1 when it is none. */
int xy_basic_type(xy_span t);
/* Whether the type is an STL collection or std::string, which streams with a header of its own. */
bool xy_is_collection(const char *type, size_t len);
bool xy_is_std_string(const char *type, size_t len);
/* Whether two names are of one type: spaces, "std::" and number types (Int_t, int) are written
 * differently in different versions of ROOT. Names of one type have one hash. */
bool xy_type_same(xy_span a, xy_span b);
uint32_t xy_type_hash(xy_span name);

#endif
