/* From a branch to a program: leaves of a TBranch, the streamer element of a TBranchElement, the
 * class of a TBranchObject. */
#include "tree.h"

#include "../streamer/cxx_type.h"

#include <stdio.h>
#include <stdlib.h>

typedef struct {
    size_t object;
    xy_str cls, name, title;
    size_t count; /* the counting leaf's object, 0 none */
    int64_t len;  /* fixed number of values of an entry (or of a counted element) */
    bool is_unsigned;
} leaf;

/* Ends the text with a zero, and cuts what is too long. */
static void copy_text(char *out, size_t size, xy_str s) {
    size_t n = s.len < size - 1 ? s.len : size - 1;
    memcpy(out, s.text, n);
    out[n] = 0;
}

static leaf read_leaf(const xy_tree *t, size_t object) {
    const xy_tape_view *v = &t->view;
    leaf l = {.object = object};
    l.cls = xy_tape_class(v, object);
    l.name = xy_tape_member_text(v, object, "fName");
    l.title = xy_tape_member_text(v, object, "fTitle");
    l.count = xy_tree_pointer(t, object, "fLeafCount");
    l.len = xy_tape_member_int(v, object, "fLen", 1);
    l.is_unsigned = xy_tape_member_int(v, object, "fIsUnsigned", 0) != 0;
    return l;
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
static int32_t compile_leaves(xy_compiler *c, const xy_tree *t, size_t branch, const char *name) {
    xy_program *p = c->program;
    size_t at = 0;
    uint32_t n = xy_tree_array(t, branch, "fLeaves", &at);
    if (n == 0) return xy_node_error(p, "branch %s has no leaf", name);
    if (n == 1) {
        size_t object = xy_tree_follow(t, at);
        if (!object) return xy_node_error(p, "the leaf of branch %s is missing", name);
        leaf l = read_leaf(t, object);
        int32_t node = compile_leaf(c, &l, name);
        return l.count ? counted_outside(p, wrap_rest(p, node)) : node;
    }
    int32_t group = xy_node_new(p, XY_OP_STRUCT);
    int32_t last = -1;
    leaf *leaves = calloc(n, sizeof *leaves);
    int32_t *nodes = calloc(n, sizeof *nodes);
    if (!leaves || !nodes) p->failed = true;
    for (uint32_t i = 0; i < n && !p->failed; i++, at = xy_tape_skip(&t->view, at)) {
        size_t object = xy_tree_follow(t, at);
        if (!object) continue;
        leaves[i] = read_leaf(t, object);
        int32_t node = compile_leaf(c, &leaves[i], name);
        nodes[i] = node;
        if (leaves[i].count) {
            int32_t counter = -1;
            for (uint32_t k = 0; k < i; k++)
                if (leaves[k].object == leaves[i].count) counter = nodes[k];
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

static const xy_element *find_element(const xy_tree *t, size_t branch, const xy_class **cls) {
    const xy_tape_view *v = &t->view;
    xy_str name = xy_tape_member_text(v, branch, "fClassName");
    int32_t version = (int32_t)xy_tape_member_int(v, branch, "fClassVersion", 0);
    uint32_t checksum = (uint32_t)xy_tape_member_int(v, branch, "fCheckSum", 0);
    int64_t id = xy_tape_member_int(v, branch, "fID", -1);
    xy_classes *classes = t->file->classes;
    *cls = NULL;
    if (checksum) *cls = xy_class_find(classes, name.text, name.len, version, checksum);
    if (!*cls) *cls = xy_class_find(classes, name.text, name.len, version, 0);
    if (!*cls && xy_class_versions(classes, name.text, name.len) == 1)
        *cls = xy_class_find(classes, name.text, name.len, XY_ANY_VERSION, 0);
    if (!*cls) return NULL;
    xy_str wanted = member_name(xy_tape_member_text(v, branch, "fName"));
    if (id >= 0 && id < (*cls)->element_count && xy_str_is(wanted, (*cls)->elements[id].name))
        return &(*cls)->elements[id];
    for (int i = 0; i < (*cls)->element_count; i++)
        if (xy_str_is(wanted, (*cls)->elements[i].name)) return &(*cls)->elements[i];
    return id >= 0 && id < (*cls)->element_count ? &(*cls)->elements[id] : NULL;
}

/* A member whose class is not described: the branch itself tells simple types. */
static int32_t compile_undescribed(xy_compiler *c, const xy_tree *t, size_t branch,
                                   const char *name) {
    xy_program *p = c->program;
    int type = (int)xy_tape_member_int(&t->view, branch, "fStreamerType", -1);
    size_t at = 0;
    leaf l = {.len = 1};
    if (xy_tree_array(t, branch, "fLeaves", &at) == 1 && xy_tree_follow(t, at))
        l = read_leaf(t, xy_tree_follow(t, at));
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
    xy_str cls = xy_tape_member_text(&t->view, branch, "fClassName");
    return xy_node_error(p,
                         "branch %s is a member of class %.*s, which has no streamer info in "
                         "this file",
                         name, (int)cls.len, cls.text);
}

static int32_t compile_whole(xy_compiler *c, const xy_tree *t, size_t branch) {
    const xy_tape_view *v = &t->view;
    xy_str cls = xy_tape_member_text(v, branch, "fClassName");
    if (xy_is_collection(cls.text, cls.len)) {
        int32_t content = xy_compile_type(c, cls.text, cls.len);
        int32_t header = xy_node_new(c->program, XY_OP_HEADER);
        if (!c->program->failed) c->program->nodes[header].first = content;
        return header;
    }
    int32_t version = (int32_t)xy_tape_member_int(v, branch, "fClassVersion", XY_ANY_VERSION);
    uint32_t checksum = (uint32_t)xy_tape_member_int(v, branch, "fCheckSum", 0);
    int32_t node = xy_compile_object(c, cls.text, cls.len, version, checksum);
    if (!c->program->failed && c->program->nodes[node].op == XY_OP_OBJECT)
        c->program->nodes[node].flags |= XY_F_BARE_OBJECT;
    return node;
}

enum { T_CLONES = 3, T_STL = 4, T_CLONES_MEMBER = 31, T_STL_MEMBER = 41 };

static int32_t compile_branch_element(xy_compiler *c, const xy_tree *t, size_t branch,
                                      const char *name) {
    const xy_tape_view *v = &t->view;
    xy_program *p = c->program;
    int64_t kind = xy_tape_member_int(v, branch, "fType", 0);
    int64_t id = xy_tape_member_int(v, branch, "fID", -1);
    if (kind == T_CLONES || kind == T_STL) return xy_compile_basic(p, XY_T_INT, NULL);
    bool member_of_many = kind == T_CLONES_MEMBER || kind == T_STL_MEMBER;
    int32_t node;
    if (id < 0 && !member_of_many) {
        node = compile_whole(c, t, branch);
    } else {
        const xy_class *cls = NULL;
        const xy_element *e = find_element(t, branch, &cls);
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

static int32_t compile_branch_object(xy_compiler *c, const xy_tree *t, size_t branch) {
    xy_program *p = c->program;
    xy_str cls = xy_tape_member_text(&t->view, branch, "fClassName");
    size_t at = 0;
    bool named = true;
    if (xy_tree_array(t, branch, "fLeaves", &at) >= 1)
        named = xy_tape_member_int(&t->view, xy_tree_follow(t, at), "fVirtual", 1) != 0;
    if (!named) return xy_compile_object(c, cls.text, cls.len, XY_ANY_VERSION, 0);
    p->dynamic = true;
    int32_t leaf_node = xy_node_new(p, XY_OP_LEAFOBJECT);
    if (p->failed) return leaf_node;
    p->nodes[leaf_node].flags |= XY_F_POINTERS;
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
    size_t object = t->branches[branch].object;
    xy_str cls = xy_tape_class(&t->view, object);
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
    if (!p->failed && !xy_program_error(p, root)) xy_assign_columns(p);
}

/* The branch that counts the arrays of `branch`: that of the counting leaf, or the sibling that
 * holds the counting member. -1 when there is none. */
static int32_t branch_of_leaf(const xy_tree *t, size_t leaf_object) {
    for (int32_t i = 0; i < t->count; i++) {
        size_t at = 0;
        uint32_t n = xy_tree_array(t, t->branches[i].object, "fLeaves", &at);
        for (uint32_t k = 0; k < n; k++, at = xy_tape_skip(&t->view, at))
            if (xy_tree_follow(t, at) == leaf_object) return i;
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
    size_t object = t->branches[branch].object;
    if (p->nodes[node].op == XY_OP_REST) { /* the borders of entries tell, if there are any */
        enum { GENERATE_OFFSET_MAP = 1 };
        size_t features = xy_tree_pointer(t, object, "fIOFeatures");
        int64_t bits = features ? xy_tape_member_int(&t->view, features, "fIOBits", 0) : 0;
        bool borders = xy_tape_member_int(&t->view, object, "fEntryOffsetLen", 0) > 0;
        if (borders && !(bits & GENERATE_OFFSET_MAP)) return -1;
        size_t at = 0;
        uint32_t n = xy_tree_array(t, object, "fLeaves", &at);
        for (uint32_t k = 0; k < n; k++, at = xy_tape_skip(&t->view, at)) {
            size_t leaf_object = xy_tree_follow(t, at);
            size_t counter = leaf_object ? xy_tree_pointer(t, leaf_object, "fLeafCount") : 0;
            if (counter) return branch_of_leaf(t, counter);
        }
    }
    return branch_of_member(t, branch, xy_program_text(p, p->nodes[node].count_name));
}

/* ---- for people and for the host ---- */

static void put(xy_buffer *out, const char *text) {
    xy_append(out, text, strlen(text));
}

static void type_of(const xy_program *p, int32_t node, xy_buffer *out) {
    static const char *const names[] = {"bool",     "int8_t",  "uint8_t",  "int16_t",
                                        "uint16_t", "int32_t", "uint32_t", "int64_t",
                                        "uint64_t", "float",   "double"};
    const xy_node *n = &p->nodes[node];
    const char *type = xy_program_text(p, n->type_name);
    switch (n->op) {
    case XY_OP_NUMBER:
        if (n->flags & XY_F_APPROX)
            put(out, n->dtype == XY_F64 ? "Double32_t" : "Float16_t");
        else
            put(out, names[n->dtype]);
        break;
    case XY_OP_BITS: put(out, "uint32_t"); break;
    case XY_OP_TSTRING:
    case XY_OP_CHARS: put(out, "string"); break;
    case XY_OP_FIXED: {
        int32_t inner = node;
        while (p->nodes[inner].op == XY_OP_FIXED)
            inner = p->nodes[inner].first;
        type_of(p, inner, out);
        for (int32_t i = node; p->nodes[i].op == XY_OP_FIXED; i = p->nodes[i].first) {
            char text[24];
            snprintf(text, sizeof text, "[%d]", (int)p->nodes[i].size);
            put(out, text);
        }
        break;
    }
    case XY_OP_REST:
    case XY_OP_COUNTED: {
        int32_t inner = n->first;
        while (p->nodes[inner].op == XY_OP_FIXED)
            inner = p->nodes[inner].first;
        type_of(p, inner, out);
        put(out, "[]");
        for (int32_t i = n->first; p->nodes[i].op == XY_OP_FIXED; i = p->nodes[i].first) {
            char text[24];
            snprintf(text, sizeof text, "[%d]", (int)p->nodes[i].size);
            put(out, text);
        }
        break;
    }
    case XY_OP_HEADER:
    case XY_OP_TAPE: type_of(p, n->first, out); break;
    case XY_OP_USE: put(out, xy_program_text(p, p->classes[n->size].name)); break;
    case XY_OP_STRUCT:
        if (*type) {
            put(out, type);
            break;
        }
        put(out, "struct{");
        for (int32_t i = n->first; i >= 0; i = p->nodes[i].next) {
            if (out->len > 200) {
                put(out, "...");
                break;
            }
            type_of(p, i, out);
            put(out, " ");
            put(out, xy_program_text(p, p->nodes[i].name));
            if (p->nodes[i].next >= 0) put(out, "; ");
        }
        put(out, "}");
        break;
    default: put(out, *type ? type : "object"); break;
    }
}

void xy_branch_type(const xy_tree *t, int32_t branch, const xy_program *p, xy_buffer *out) {
    const xy_tape_view *v = &t->view;
    size_t object = t->branches[branch].object;
    xy_str cls = xy_tape_member_text(v, object, "fClassName");
    int64_t kind = xy_tape_member_int(v, object, "fType", 0);
    int64_t id = xy_tape_member_int(v, object, "fID", -1);
    if (cls.len && kind != T_CLONES_MEMBER && kind != T_STL_MEMBER && id < 0) {
        xy_append(out, cls.text, cls.len);
        return;
    }
    if (kind == T_CLONES || kind == T_STL) {
        xy_str clones = xy_tape_member_text(v, object, "fClonesName");
        if (kind == T_STL && id < 0) {
            xy_append(out, cls.text, cls.len);
        } else {
            put(out, kind == T_CLONES ? "TClonesArray<" : "collection<");
            xy_append(out, clones.text, clones.len);
            put(out, ">");
        }
        return;
    }
    const xy_class *owner = NULL;
    const xy_element *e = id >= 0 ? find_element(t, object, &owner) : NULL;
    if (e && *e->type_name && (e->is_stl || e->type >= 60)) {
        put(out, e->type_name);
        if (kind == T_CLONES_MEMBER || kind == T_STL_MEMBER) put(out, "[]");
        return;
    }
    if (e && e->type == XY_T_BASE) {
        put(out, e->name);
        return;
    }
    if (p->root >= 0) type_of(p, p->root, out);
}

typedef struct {
    int numbers, strings, others;
    int32_t number;
} leaf_count;

static void count_leaves(const xy_program *p, int32_t node, leaf_count *n) {
    switch (p->nodes[node].op) {
    case XY_OP_NUMBER:
    case XY_OP_BITS:
        n->numbers++;
        n->number = node;
        break;
    case XY_OP_TSTRING:
    case XY_OP_CHARS: n->strings++; break;
    case XY_OP_TAPE:
    case XY_OP_ERROR: n->others++; break;
    default:
        for (int32_t i = p->nodes[node].first; i >= 0; i = p->nodes[i].next)
            count_leaves(p, i, n);
    }
}

int xy_program_kind(const xy_program *p) {
    leaf_count n = {0};
    count_leaves(p, p->root, &n);
    if (n.numbers == 1 && !n.strings && !n.others) return 0;
    if (n.strings == 1 && !n.numbers && !n.others) return 1;
    return 2;
}

int32_t xy_program_number(const xy_program *p) {
    leaf_count n = {0};
    count_leaves(p, p->root, &n);
    return n.numbers == 1 ? n.number : -1;
}

void xy_plan_schema(const xy_program *p, int32_t node, xy_buffer *out) {
    const xy_node *n = &p->nodes[node];
    size_t mark;
    const char *kind = "struct";
    switch (n->op) {
    case XY_OP_NUMBER:
    case XY_OP_BITS: kind = "primitive"; break;
    case XY_OP_FIXED: kind = "fixed"; break;
    case XY_OP_COUNTED:
    case XY_OP_TRIANGLE:
    case XY_OP_REST:
    case XY_OP_LOOP:
    case XY_OP_LIST: kind = "list"; break;
    case XY_OP_TSTRING:
    case XY_OP_CHARS: kind = "string"; break;
    case XY_OP_TAPE: kind = "tape"; break;
    case XY_OP_OPTIONAL: kind = "optional"; break;
    case XY_OP_VARIANT: kind = "variant"; break;
    case XY_OP_ENTRIES:
    case XY_OP_HEADER:
    case XY_OP_OBJECT: /* only formats: their child is the column */
        if (n->first >= 0)
            xy_plan_schema(p, n->first, out);
        else
            xy_tape_u8(out, XY_TAPE_NULL);
        return;
    default: break;
    }
    mark = xy_tape_object(out, 0, kind, strlen(kind));
    if (n->op == XY_OP_NUMBER || n->op == XY_OP_BITS) {
        xy_tape_key(out, "dtype");
        xy_tape_i32(out, n->op == XY_OP_BITS ? XY_U32 : n->dtype);
        xy_tape_key(out, "approximate");
        xy_tape_u8(out, n->flags & XY_F_APPROX ? XY_TAPE_TRUE : XY_TAPE_FALSE);
    }
    if (n->op == XY_OP_FIXED) {
        xy_tape_key(out, "size");
        xy_tape_i32(out, n->size);
    }
    if (n->flags & XY_F_UNORDERED && n->op == XY_OP_LIST) {
        xy_tape_key(out, "unordered");
        xy_tape_u8(out, XY_TAPE_TRUE);
    }
    if (n->op == XY_OP_VARIANT) {
        xy_tape_key(out, "children");
        size_t list = xy_tape_list(out);
        uint32_t count = 0;
        for (int32_t i = n->first; i >= 0; i = p->nodes[i].next, count++)
            xy_plan_schema(p, i, out);
        xy_tape_list_end(out, list, count);
    } else if (strcmp(kind, "struct") == 0) {
        xy_tape_key(out, "typeName");
        xy_tape_cstring(out, xy_program_text(p, n->type_name));
        xy_tape_key(out, "names");
        size_t list = xy_tape_list(out);
        uint32_t count = 0;
        for (int32_t i = n->first; i >= 0; i = p->nodes[i].next, count++)
            xy_tape_cstring(out, xy_program_text(p, p->nodes[i].name));
        xy_tape_list_end(out, list, count);
        xy_tape_key(out, "flat");
        list = xy_tape_list(out);
        for (int32_t i = n->first; i >= 0; i = p->nodes[i].next)
            xy_tape_u8(out, p->nodes[i].flags & XY_F_FLATTEN ? XY_TAPE_TRUE : XY_TAPE_FALSE);
        xy_tape_list_end(out, list, count);
        xy_tape_key(out, "children");
        list = xy_tape_list(out);
        for (int32_t i = n->first; i >= 0; i = p->nodes[i].next)
            xy_plan_schema(p, i, out);
        xy_tape_list_end(out, list, count);
    } else if (n->op != XY_OP_TAPE && n->first >= 0) {
        xy_tape_key(out, "child");
        xy_plan_schema(p, n->first, out);
    }
    xy_tape_object_end(out, mark);
}
