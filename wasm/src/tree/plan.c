/* From a branch to a program: leaves of a TBranch, the streamer element of a TBranchElement, the
 * class of a TBranchObject. */
#include "tree.h"

#include "../streamer/cxx_type.h"

#include <stdio.h>
#include <stdlib.h>

typedef struct {
    const xy_part *part;
    xy_str cls, name, title;
    const xy_part *count; /* the counting leaf, NULL none */
    int64_t len;          /* fixed number of values of an entry (or of a counted element) */
    bool is_unsigned;
} leaf;

/* Ends the text with a zero, and cuts what is too long. */
static void copy_text(char *out, size_t size, xy_str s) {
    size_t n = s.len < size - 1 ? s.len : size - 1;
    memcpy(out, s.text, n);
    out[n] = 0;
}

static leaf read_leaf(const xy_tree *t, const xy_part *part) {
    return (leaf){.part = part,
                  .cls = part->cls,
                  .name = part->texts[XY_S_NAME],
                  .title = part->texts[XY_S_TITLE],
                  .count = xy_tree_part(t, part->counter),
                  .len = xy_part_int(part, XY_N_LEN, 1),
                  .is_unsigned = xy_part_int(part, XY_N_IS_UNSIGNED, 0) != 0};
}

static int leaf_type(const leaf *l) {
    static const struct {
        const char *cls;
        int type, unsigned_type;
    } known[] = {
        {"TLeafB", XY_T_CHAR, XY_T_UCHAR},        {"TLeafS", XY_T_SHORT, XY_T_USHORT},
        {"TLeafI", XY_T_INT, XY_T_UINT},          {"TLeafL", XY_T_LONG64, XY_T_ULONG64},
        {"TLeafG", XY_T_LONG, XY_T_ULONG},        {"TLeafF", XY_T_FLOAT, XY_T_FLOAT},
        {"TLeafD", XY_T_DOUBLE, XY_T_DOUBLE},     {"TLeafO", XY_T_BOOL, XY_T_BOOL},
        {"TLeafF16", XY_T_FLOAT16, XY_T_FLOAT16}, {"TLeafD32", XY_T_DOUBLE32, XY_T_DOUBLE32},
        {"TLeafC", XY_T_CHARSTAR, XY_T_CHARSTAR},
    };
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (xy_str_is(l->cls, known[i].cls))
            return l->is_unsigned ? known[i].unsigned_type : known[i].type;
    return -1;
}

/* The fixed dimensions in a title like "x[n][3][2]": those in digits. Returns how many. */
static int title_dimensions(xy_str title, int64_t *dims, int cap) {
    int n = 0;
    for (size_t i = 0; i < title.len && n < cap; i++) {
        if (title.text[i] != '[') continue;
        size_t k = i + 1;
        int64_t value = 0;
        while (k < title.len && title.text[k] >= '0' && title.text[k] <= '9' && value < 1 << 28)
            value = value * 10 + title.text[k++] - '0';
        if (k > i + 1 && k < title.len && title.text[k] == ']') dims[n++] = value;
    }
    return n;
}

static int32_t wrap_fixed(xy_program *p, int32_t child, int64_t size) {
    int32_t i = xy_node_new(p, XY_OP_FIXED);
    if (p->failed) return i;
    p->nodes[i].first = child;
    p->nodes[i].size = (int32_t)size;
    return i;
}

/* Wraps a value in the dimensions that the leaf's title gives, as far as they agree with fLen. */
static int32_t with_leaf_dimensions(xy_program *p, const leaf *l, int32_t child) {
    int64_t dims[8];
    int n = title_dimensions(l->title, dims, 8);
    int64_t product = 1;
    for (int i = 0; i < n && product <= 1 << 28; i++)
        product *= dims[i];
    if (l->len < 0 || l->len > 1 << 28)
        return xy_node_error(p, "leaf %.*s claims %lld values", (int)l->name.len, l->name.text,
                             (long long)l->len);
    if (n == 0 || product != l->len) {
        if (l->len == 1) return child;
        return wrap_fixed(p, child, l->len);
    }
    for (int i = n - 1; i >= 0; i--)
        child = wrap_fixed(p, child, dims[i]);
    return child;
}

static int32_t wrap_rest(xy_program *p, int32_t child) {
    int32_t i = xy_node_new(p, XY_OP_REST);
    if (p->failed) return i;
    p->nodes[i].first = child;
    p->nodes[i].size = (int32_t)xy_fixed_size(p, child);
    return i;
}

static int32_t compile_leaf(xy_compiler *c, const leaf *l, const char *branch) {
    xy_program *p = c->program;
    int type = leaf_type(l);
    if (type == XY_T_CHARSTAR) return xy_node_new(p, XY_OP_TSTRING);
    if (type < 0)
        return xy_node_error(p, "branch %s has a leaf of class %.*s, which is not known", branch,
                             (int)l->cls.len, l->cls.text);
    xy_element range = {0};
    bool packed = type == XY_T_FLOAT16 || type == XY_T_DOUBLE32;
    if (packed) {
        char title[256];
        copy_text(title, sizeof title, l->title);
        xy_parse_range(title, type == XY_T_FLOAT16, &range);
    }
    int32_t number = xy_compile_basic(p, type, packed ? &range : NULL);
    return with_leaf_dimensions(p, l, number);
}

/* Marks a node whose count lies in another branch. */
static int32_t counted_outside(xy_program *p, int32_t node) {
    if (!p->failed) p->nodes[node].counter = XY_COUNTED_OUTSIDE;
    return node;
}

/* Leaves of a plain TBranch: one value, or several side by side. */
static int32_t compile_leaves(xy_compiler *c, const xy_tree *t, const xy_part *branch,
                              const char *name) {
    xy_program *p = c->program;
    uint32_t n = branch->lists[XY_L_LEAVES].count;
    if (n == 0) return xy_node_error(p, "branch %s has no leaf", name);
    if (n == 1) {
        const xy_part *only = xy_tree_leaf(t, branch, 0);
        if (!only) return xy_node_error(p, "the leaf of branch %s is missing", name);
        leaf l = read_leaf(t, only);
        int32_t node = compile_leaf(c, &l, name);
        return l.count ? counted_outside(p, wrap_rest(p, node)) : node;
    }
    int32_t group = xy_node_new(p, XY_OP_STRUCT);
    int32_t last = -1;
    leaf *leaves = xy_new(n, sizeof *leaves);
    int32_t *nodes = xy_new(n, sizeof *nodes);
    if (!leaves || !nodes) p->failed = true;
    for (uint32_t i = 0; i < n && !p->failed; i++) {
        const xy_part *part = xy_tree_leaf(t, branch, i);
        if (!part) continue;
        leaves[i] = read_leaf(t, part);
        int32_t node = compile_leaf(c, &leaves[i], name);
        nodes[i] = node;
        if (leaves[i].count) {
            int32_t counter = -1;
            for (uint32_t k = 0; k < i; k++)
                if (leaves[k].part == leaves[i].count) counter = nodes[k];
            int32_t counted =
                counter >= 0 ? xy_node_new(p, XY_OP_COUNTED)
                : i + 1 == n ? wrap_rest(p, node)
                             : xy_node_error(p,
                                             "branch %s: the count of leaf %.*s "
                                             "lies in another branch",
                                             name, (int)leaves[i].name.len, leaves[i].name.text);
            if (p->failed) break;
            if (counter >= 0) {
                p->nodes[counted].first = node;
                p->nodes[counted].counter = counter;
                p->nodes[counted].flags |= XY_F_BARE;
            }
            node = counted;
        }
        uint32_t text = xy_program_intern(p, leaves[i].name.text, leaves[i].name.len);
        if (p->failed) break;
        p->nodes[node].name = text;
        if (last < 0)
            p->nodes[group].first = node;
        else
            p->nodes[last].next = node;
        last = node;
    }
    free(leaves);
    free(nodes);
    return group;
}

/* The last part of a branch name, without dimensions and trailing dot: the member's name. */
static xy_str member_name(xy_str branch) {
    for (size_t i = 0; i < branch.len; i++)
        if (branch.text[i] == '[') branch.len = i;
    while (branch.len && branch.text[branch.len - 1] == '.')
        branch.len--;
    size_t depth = 0;
    for (size_t i = branch.len; i > 0; i--) {
        char ch = branch.text[i - 1];
        if (ch == '>') depth++;
        if (ch == '<' && depth) depth--;
        if (ch == '.' && depth == 0) {
            branch.text += i;
            branch.len -= i;
            break;
        }
    }
    return branch;
}

const xy_element *xy_branch_element(const xy_tree *t, const xy_part *branch, const xy_class **cls) {
    xy_str name = branch->texts[XY_S_CLASS_NAME];
    int32_t version = (int32_t)xy_part_int(branch, XY_N_CLASS_VERSION, 0);
    uint32_t checksum = (uint32_t)xy_part_int(branch, XY_N_CHECKSUM, 0);
    int64_t id = xy_part_int(branch, XY_N_ID, -1);
    xy_classes *classes = t->file->classes;
    *cls = NULL;
    if (checksum) *cls = xy_class_find(classes, name.text, name.len, version, checksum);
    if (!*cls) *cls = xy_class_find(classes, name.text, name.len, version, 0);
    if (!*cls && xy_class_versions(classes, name.text, name.len) == 1)
        *cls = xy_class_find(classes, name.text, name.len, XY_ANY_VERSION, 0);
    if (!*cls) return NULL;
    xy_str wanted = member_name(branch->texts[XY_S_NAME]);
    if (id >= 0 && id < (*cls)->element_count && xy_str_is(wanted, (*cls)->elements[id].name))
        return &(*cls)->elements[id];
    for (int i = 0; i < (*cls)->element_count; i++)
        if (xy_str_is(wanted, (*cls)->elements[i].name)) return &(*cls)->elements[i];
    return id >= 0 && id < (*cls)->element_count ? &(*cls)->elements[id] : NULL;
}

/* A member whose class is not described: the branch itself tells simple types. */
static int32_t compile_undescribed(xy_compiler *c, const xy_tree *t, const xy_part *branch,
                                   const char *name) {
    xy_program *p = c->program;
    int type = (int)xy_part_int(branch, XY_N_STREAMER_TYPE, -1);
    leaf l = {.title = {"", 0}, .len = 1};
    if (branch->lists[XY_L_LEAVES].count == 1 && xy_tree_leaf(t, branch, 0))
        l = read_leaf(t, xy_tree_leaf(t, branch, 0));
    int basic = type % XY_T_ARRAY;
    bool packed = basic == XY_T_DOUBLE32 || basic == XY_T_FLOAT16;
    if (type > 0 && type < 60 && !packed && basic != XY_T_CHARSTAR) {
        int32_t number = xy_compile_basic(p, basic, NULL);
        if (number >= 0 && type < XY_T_ARRAY) return number;
        if (number >= 0 && type < XY_T_POINTER) return with_leaf_dimensions(p, &l, number);
        if (number >= 0) {
            int32_t rest = wrap_rest(p, number);
            uint32_t counted = xy_program_intern(p, "?", 1);
            if (!p->failed) p->nodes[rest].count_name = counted;
            return rest;
        }
    }
    if (type == XY_T_TSTRING || type == XY_T_CHARSTAR)
        return xy_node_new(p, type == XY_T_TSTRING ? XY_OP_TSTRING : XY_OP_CHARS);
    xy_str cls = branch->texts[XY_S_CLASS_NAME];
    return xy_node_error(p,
                         "branch %s is a member of class %.*s, which has no streamer info in "
                         "this file",
                         name, (int)cls.len, cls.text);
}

static int32_t compile_whole(xy_compiler *c, const xy_part *branch) {
    xy_str cls = branch->texts[XY_S_CLASS_NAME];
    if (xy_is_collection(cls.text, cls.len)) {
        int32_t content = xy_compile_type(c, cls.text, cls.len);
        int32_t header = xy_node_new(c->program, XY_OP_HEADER);
        if (!c->program->failed) c->program->nodes[header].first = content;
        return header;
    }
    int32_t version = (int32_t)xy_part_int(branch, XY_N_CLASS_VERSION, XY_ANY_VERSION);
    uint32_t checksum = (uint32_t)xy_part_int(branch, XY_N_CHECKSUM, 0);
    int32_t node = xy_compile_object(c, cls.text, cls.len, version, checksum);
    if (!c->program->failed && c->program->nodes[node].op == XY_OP_OBJECT)
        c->program->nodes[node].flags |= XY_F_BARE_OBJECT;
    return node;
}

static int32_t compile_branch_element(xy_compiler *c, const xy_tree *t, const xy_part *branch,
                                      const char *name) {
    xy_program *p = c->program;
    int64_t kind = xy_part_int(branch, XY_N_TYPE, 0);
    int64_t id = xy_part_int(branch, XY_N_ID, -1);
    if (kind == XY_B_CLONES || kind == XY_B_STL) return xy_compile_basic(p, XY_T_INT, NULL);
    bool member_of_many = kind == XY_B_CLONES_MEMBER || kind == XY_B_STL_MEMBER;
    int32_t node;
    if (id < 0 && !member_of_many) {
        node = compile_whole(c, branch);
    } else {
        const xy_class *cls = NULL;
        const xy_element *e = xy_branch_element(t, branch, &cls);
        node = e ? xy_compile_element(c, cls, e) : compile_undescribed(c, t, branch, name);
    }
    if (p->failed) return node;
    int op = p->nodes[node].op;
    p->nodes[node].flags &= (uint16_t)~XY_F_FLATTEN;
    if (!member_of_many) {
        if (op == XY_OP_COUNTED) p->nodes[node].op = XY_OP_REST;
        return op == XY_OP_COUNTED || op == XY_OP_LOOP ? counted_outside(p, node) : node;
    }
    if (op == XY_OP_COUNTED || op == XY_OP_LOOP) counted_outside(p, node);
    int32_t rest = wrap_rest(p, node);
    if (!p->failed && (op == XY_OP_HEADER || op == XY_OP_LOOP))
        p->nodes[rest].flags |= XY_F_HEADERS;
    return rest;
}

static int32_t compile_branch_object(xy_compiler *c, const xy_tree *t, const xy_part *branch) {
    xy_program *p = c->program;
    xy_str cls = branch->texts[XY_S_CLASS_NAME];
    const xy_part *first = xy_tree_leaf(t, branch, 0);
    bool named = !first || xy_part_int(first, XY_N_VIRTUAL, 1) != 0;
    if (!named) return xy_compile_object(c, cls.text, cls.len, XY_ANY_VERSION, 0);
    p->dynamic = true;
    int32_t leaf_node = xy_node_new(p, XY_OP_LEAFOBJECT);
    if (p->failed) return leaf_node;
    p->nodes[leaf_node].flags |= XY_F_POINTERS;
    uint32_t type = xy_program_intern(p, cls.text, cls.len);
    if (!p->failed) p->nodes[leaf_node].type_name = type;
    return xy_compile_taped(c, leaf_node);
}

/* A branch that is nothing but an object of a class that the file does not describe. */
static bool lacks_streamer(const xy_program *p, int32_t root) {
    if (p->nodes[root].op != XY_OP_TAPE) return false;
    const xy_node *use = &p->nodes[p->nodes[root].first];
    if (use->op != XY_OP_USE) return false;
    const xy_node *object = &p->nodes[p->classes[use->size].node];
    return object->op == XY_OP_OBJECT && object->first < 0;
}

void xy_plan_branch(xy_compiler *c, const xy_tree *t, int32_t branch) {
    xy_program *p = c->program;
    const xy_part *object = t->branches[branch].part;
    xy_str cls = object->cls;
    char name[200];
    copy_text(name, sizeof name, t->branches[branch].name);
    c->columnar = true;
    int32_t root;
    if (xy_str_is(cls, "TBranchElement"))
        root = compile_branch_element(c, t, object, name);
    else if (xy_str_is(cls, "TBranchObject"))
        root = compile_branch_object(c, t, object);
    else if (xy_str_is(cls, "TBranch") || xy_str_is(cls, "TBranchRef"))
        root = compile_leaves(c, t, object, name);
    else
        root = xy_node_error(p, "branch %s is a %.*s, which is not known", name, (int)cls.len,
                             cls.text);
    if (!p->failed && lacks_streamer(p, root))
        root =
            xy_node_error(p, "class %s has no streamer info in this file",
                          xy_program_text(p, p->classes[p->nodes[p->nodes[root].first].size].name));
    p->root = root;
    enum { GENERATE_OFFSET_MAP = 1 };
    bool offsets = xy_part_int(object, XY_N_ENTRY_OFFSET_LEN, 0) > 0 &&
                   !(xy_part_int(object, XY_N_IO_BITS, 0) & GENERATE_OFFSET_MAP);
    if (!p->failed && offsets) p->nodes[root].flags |= XY_F_OFFSETS;
    if (!p->failed && !xy_program_error(p, root)) xy_assign_columns(p);
}

/* The branch that counts the arrays of `branch`: that of the counting leaf, or the sibling that
 * holds the counting member. -1 when there is none. */
static int32_t branch_of_leaf(const xy_tree *t, const xy_part *wanted) {
    for (int32_t i = 0; i < t->count; i++) {
        const xy_part *part = t->branches[i].part;
        for (uint32_t k = 0; k < part->lists[XY_L_LEAVES].count; k++)
            if (xy_tree_leaf(t, part, k) == wanted) return i;
    }
    return -1;
}

static int32_t branch_of_member(const xy_tree *t, int32_t branch, const char *member) {
    for (int32_t up = t->branches[branch].parent;; up = t->branches[up].parent) {
        for (int32_t i = up + 1;
             i < t->count && (up < 0 || t->branches[i].depth > t->branches[up].depth); i++)
            if (xy_str_is(member_name(t->branches[i].name), member)) return i;
        if (up < 0) return -1;
    }
}

int32_t xy_count_branch(const xy_tree *t, const xy_program *p, int32_t branch) {
    int32_t node = -1;
    for (int32_t i = 0; i < p->count && node < 0; i++)
        if (p->nodes[i].counter == XY_COUNTED_OUTSIDE) node = i;
    if (node < 0) return -1;
    const xy_part *part = t->branches[branch].part;
    if (p->nodes[node].op == XY_OP_REST) { /* the entry offsets tell, if there are any */
        enum { GENERATE_OFFSET_MAP = 1 };
        int64_t bits = xy_part_int(part, XY_N_IO_BITS, 0);
        bool entry_offsets = xy_part_int(part, XY_N_ENTRY_OFFSET_LEN, 0) > 0;
        if (entry_offsets && !(bits & GENERATE_OFFSET_MAP)) return -1;
        for (uint32_t k = 0; k < part->lists[XY_L_LEAVES].count; k++) {
            const xy_part *one = xy_tree_leaf(t, part, k);
            const xy_part *counter = one ? xy_tree_part(t, one->counter) : NULL;
            if (counter) return branch_of_leaf(t, counter);
        }
    }
    return branch_of_member(t, branch, xy_program_text(p, p->nodes[node].count_name));
}
