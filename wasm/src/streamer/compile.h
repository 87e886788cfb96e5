/* Shared by the three parts of the compiler. compile_names.c: nodes and their names;
 * compile_class.c: classes; compile_type.c: numbers, C++ types and the members of classes. */
#ifndef XY_STREAMER_COMPILE_H
#define XY_STREAMER_COMPILE_H

#include "../text.h"
#include "cxx_type.h"
#include "program.h"

/* Maximum nesting of classes and types. */
enum { XY_MAX_COMPILE_DEPTH = 48 };

/* Returns the node with this index. The pointer is valid until the next node is created. */
static inline xy_node *xy_compile_node(xy_compiler *c, int32_t i) {
    return &c->program->nodes[i];
}

/* Creates a node whose first child is `child`. */
int32_t xy_compile_wrap(xy_compiler *c, xy_op op, int32_t child);
void xy_compile_set_name(xy_compiler *c, int32_t node, const char *name);
void xy_compile_set_type(xy_compiler *c, int32_t node, const char *type, size_t len);
/* Returns the name of a member in the decoded object, as an offset in the pool. */
uint32_t xy_compile_member_name(xy_program *p, const char *name);
/* Returns the name under which the table knows a class; `t` itself if it is unknown. */
xy_span xy_compile_table_name(xy_compiler *c, xy_span t);

/* Compiles std::pair as a struct of `first` and `second`, without a header. */
int32_t xy_compile_pair(xy_compiler *c, xy_span t);

#endif
