/* A plan that decodes nothing: each entry's bytes as they stand in the uncompressed basket. */
#include "tree.h"

/* Whether baskets without an offset table hold entries of one size: ROOT leaves the table out
 * for them. It also does so when another branch counts, and when the table can be computed from
 * the data; then the bytes alone do not tell where an entry ends. */
static bool is_even(xy_compiler *c, const xy_tree *t, int32_t branch) {
    if (xy_part_int(t->branches[branch].part, XY_N_ENTRY_OFFSET_LEN, 0) > 0) return false;
    xy_program p;
    xy_program_init(&p);
    xy_compiler inner = {.classes = c->classes, .program = &p};
    xy_plan_branch(&inner, t, branch);
    c->program->failed |= p.failed;
    bool even = !p.failed && (xy_program_error(&p, p.root) || xy_fixed_size(&p, p.root));
    xy_program_free(&p);
    return even;
}

void xy_plan_raw(xy_compiler *c, const xy_tree *t, int32_t branch) {
    xy_program *p = c->program;
    int32_t rest = xy_node_new(p, XY_OP_REST);
    int32_t byte = xy_node_number(p, XY_W_U8, XY_U8);
    bool even = is_even(c, t, branch);
    if (p->failed) return;
    p->nodes[rest].first = byte;
    p->nodes[rest].size = 1;
    if (even) p->nodes[rest].flags |= XY_F_EVEN;
    p->root = rest;
    xy_assign_columns(p);
}
