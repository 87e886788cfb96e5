#include "exact.h"

#include "../text.h"

enum { MARK_NAME = 600 };

int32_t xy_newest_layout(const xy_program *p, const xy_node *object) {
    int32_t newest = -1;
    for (int32_t i = object->first; i >= 0; i = p->nodes[i].next)
        if (newest < 0 || p->nodes[i].version > p->nodes[newest].version) newest = i;
    return newest;
}

size_t xy_mark_name(char *text, size_t size, const char *kind, const char *name) {
    return name ? xy_format(text, size, "$%s:%s", kind, name) : xy_format(text, size, "$%s", kind);
}

static void put_key(xy_run *run, const char *kind, const char *name) {
    char text[MARK_NAME];
    xy_mark_name(text, sizeof text, kind, name);
    xy_tape_key(run->tape, text);
}

void xy_put_version(xy_run *run, const xy_head *head, int32_t usual, const char *base) {
    if (head->counted && !head->summed && !head->memberwise && head->version == usual) return;
    put_key(run, "version", base);
    int32_t flags = (head->counted ? 0 : XY_NO_COUNT) | (head->memberwise ? XY_MEMBERWISE : 0);
    xy_tape_i32(run->tape, (head->version & UINT16_MAX) | flags);
    if (!head->summed) return;
    put_key(run, "checksum", base);
    xy_tape_u32(run->tape, head->checksum);
}

void xy_put_mark(xy_run *run, const char *member) {
    xy_mark mark = run->mark;
    run->mark.kind = XY_MARK_NONE;
    if (mark.kind == XY_MARK_PID) {
        put_key(run, "pid", member);
        xy_tape_u32(run->tape, mark.pid);
    }
    if (mark.kind != XY_MARK_HEAD) return;
    if (mark.head.counted && !mark.head.memberwise && mark.head.version == XY_COLLECTION_VERSION)
        return;
    int flags = (mark.head.counted ? 0 : XY_HEAD_NO_COUNT) |
                (mark.head.memberwise ? XY_HEAD_MEMBERWISE : 0);
    const double values[] = {(double)flags, (double)mark.head.version, (double)mark.value_version,
                             (double)mark.value_checksum};
    put_key(run, "head", member);
    uint8_t *out = xy_tape_array(run->tape, XY_F64, 4);
    if (out) memcpy(out, values, sizeof values);
}

void xy_put_tobject(xy_run *run, uint32_t id, uint32_t bits, uint16_t pid) {
    xy_tape_key(run->tape, "fUniqueID");
    xy_tape_u32(run->tape, id);
    xy_tape_key(run->tape, "fBits");
    xy_tape_u32(run->tape, bits);
    if (!XY_EXACT(run) || !(bits & XY_IS_REFERENCED)) return;
    xy_tape_key(run->tape, "$pid");
    xy_tape_u32(run->tape, pid);
}

bool xy_names_itself(const xy_program *p, int32_t node, xy_str name) {
    const xy_node *n = &p->nodes[node];
    if (n->op == XY_OP_USE) n = &p->nodes[p->classes[n->size].node];
    switch (n->op) {
    case XY_OP_OBJECT:
    case XY_OP_CUSTOM:
    case XY_OP_STRUCT:
    case XY_OP_TOBJECT:
    case XY_OP_TREF: return xy_str_is(name, xy_program_text(p, n->type_name));
    default: return false;
    }
}
