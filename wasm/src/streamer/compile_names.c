/* Nodes of a program, and the names that stand at them. */
#include "compile.h"

int32_t xy_compile_wrap(xy_compiler *c, xy_op op, int32_t child) {
    int32_t i = xy_node_new(c->program, op);
    if (!c->program->failed) xy_compile_node(c, i)->first = child;
    return i;
}

void xy_compile_set_name(xy_compiler *c, int32_t node, const char *name) {
    uint32_t text = xy_program_intern(c->program, name, strlen(name));
    if (!c->program->failed) xy_compile_node(c, node)->name = text;
}

/* The name of a member in the decoded object. Names that begin with "$" and "_typename" are
 * marks of this core ($id, $ref, $error), so a member with such a name gets "_" before it. */
uint32_t xy_compile_member_name(xy_program *p, const char *name) {
    bool mark = *name == '$' || strcmp(name, "_typename") == 0;
    if (!mark) return xy_program_intern(p, name, strlen(name));
    char renamed[300];
    size_t n = xy_format(renamed, sizeof renamed, "_%s", name);
    return xy_program_intern(p, renamed, n);
}

void xy_compile_set_type(xy_compiler *c, int32_t node, const char *type, size_t len) {
    uint32_t text = xy_program_intern(c->program, type, len);
    if (!c->program->failed) xy_compile_node(c, node)->type_name = text;
}

int32_t xy_compile_taped(xy_compiler *c, int32_t child) {
    return c->columnar ? xy_compile_wrap(c, XY_OP_TAPE, child) : child;
}

/* The name under which the table knows a class: spaces, "std::" and number types (Int_t, int) are
 * written differently in different versions of ROOT. */
xy_span xy_compile_table_name(xy_compiler *c, xy_span t) {
    if (xy_class_find(c->classes, t.s, t.n, XY_ANY_VERSION, 0)) return t;
    const char *other = xy_class_like(c->classes, t.s, t.n);
    return other ? (xy_span){other, strlen(other)} : t;
}
