#include "program.h"

enum { PLAN_HEAD = 24 };

void xy_plan_write(const xy_program *p, xy_buffer *out) {
    int32_t head[5] = {p->count, p->class_count, (int32_t)p->pool.len, p->root, p->column_count};
    xy_append(out, "XYP1", 4);
    xy_append(out, head, sizeof head);
    xy_append(out, p->nodes, xy_bytes_of((uint32_t)p->count, sizeof *p->nodes));
    xy_append(out, p->classes, xy_bytes_of((uint32_t)p->class_count, sizeof *p->classes));
    xy_append(out, p->pool.data, p->pool.len);
}

bool xy_plan_read(xy_program *p, const uint8_t *plan, size_t len) {
    int32_t head[5];
    if (len < PLAN_HEAD || memcmp(plan, "XYP1", 4) != 0) return false;
    memcpy(head, plan + 4, sizeof head);
    for (int i = 0; i < 5; i++)
        if (head[i] < 0) return false;
    size_t nodes = xy_bytes_of((uint32_t)head[0], sizeof *p->nodes);
    size_t classes = xy_bytes_of((uint32_t)head[1], sizeof *p->classes);
    size_t pool = (size_t)head[2];
    if (len != (uint64_t)PLAN_HEAD + nodes + classes + pool || head[3] >= head[0]) return false;
    memset(p, 0, sizeof *p);
    p->nodes = xy_copy(plan + PLAN_HEAD, nodes, 1);
    p->classes = xy_copy(plan + PLAN_HEAD + nodes, classes, 1);
    if (!p->nodes || !p->classes) return false;
    xy_append(&p->pool, plan + PLAN_HEAD + nodes + classes, pool);
    p->count = p->cap = head[0];
    p->class_count = p->class_cap = head[1];
    p->root = head[3];
    p->column_count = head[4];
    return !p->pool.failed && (!p->class_count || xy_program_index_classes(p));
}
