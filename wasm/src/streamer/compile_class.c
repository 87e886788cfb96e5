/* From the class table to programs: the layouts of each class.
 * The rules are those of ROOT's TStreamerInfo: FORMAT notes stand at each case. */
#include "builtin.h"
#include "compile.h"

#include <stdlib.h>

enum { MAX_COLUMN_NODES = 1 << 16 };

static const struct {
    const char *name;
    int type;
} arrays[] = {
    {"TArrayC", XY_T_CHAR},   {"TArrayS", XY_T_SHORT},    {"TArrayI", XY_T_INT},
    {"TArrayL", XY_T_LONG},   {"TArrayL64", XY_T_LONG64}, {"TArrayF", XY_T_FLOAT},
    {"TArrayD", XY_T_DOUBLE},
};

static int32_t named_number(xy_compiler *c, int type, const char *name) {
    int32_t i = xy_compile_basic(c->program, type, NULL);
    xy_compile_set_name(c, i, name);
    return i;
}

/* A member node called `name` among the children of a struct and of its bases. */
static int32_t find_member(const xy_program *p, int32_t node, const char *name) {
    for (int32_t i = p->nodes[node].first; i >= 0; i = p->nodes[i].next) {
        if (p->nodes[i].op == XY_OP_NUMBER &&
            strcmp(xy_program_text(p, p->nodes[i].name), name) == 0)
            return i;
        if ((p->nodes[i].flags & XY_F_FLATTEN) || p->nodes[i].op == XY_OP_STRUCT) {
            int32_t found = find_member(p, i, name);
            if (found >= 0) return found;
        }
    }
    return -1;
}

/* TMatrixTSym<T>: a TMatrixTBase<T> and the upper right triangle, without a header of its own. */
static int32_t compile_symmetric_matrix(xy_compiler *c, xy_span t) {
    xy_span element = xy_type_argument(t, 0);
    char base_name[64];
    xy_format(base_name, sizeof base_name, "TMatrixTBase<%.*s>", (int)element.n, element.s);
    int32_t node = xy_node_new(c->program, XY_OP_STRUCT);
    xy_compile_set_type(c, node, t.s, t.n);
    int32_t base = xy_compile_object(c, base_name, strlen(base_name), XY_ANY_VERSION, 0);
    int32_t number =
        xy_compile_basic(c->program, xy_span_is(element, "float") ? XY_T_FLOAT : XY_T_DOUBLE, NULL);
    int32_t triangle = xy_compile_wrap(c, XY_OP_TRIANGLE, number);
    xy_compile_set_name(c, triangle, "fElements");
    uint32_t counter = xy_program_intern(c->program, "fNrows", 6);
    if (c->program->failed) return node;
    xy_compile_node(c, base)->flags |= XY_F_FLATTEN;
    xy_compile_node(c, base)->next = triangle;
    xy_compile_node(c, node)->first = base;
    xy_compile_node(c, node)->flags |= XY_F_ANY_VERSION;
    xy_compile_node(c, triangle)->count_name = counter;
    if (c->columnar)
        xy_compile_node(c, triangle)->counter = find_member(c->program, node, "fNrows");
    if (c->columnar && xy_compile_node(c, triangle)->counter < 0)
        return xy_node_error(c->program, "class %s has no streamer info in this file", base_name);
    return node;
}

/* RooWorkspace::CodeRepo: sources of classes, as lists of texts: name, extension of the header,
 * header and code; of a class, the names of its base class and of its file; and from version 2 on
 * of further headers, name and text. */
static int32_t compile_code(xy_compiler *c, xy_span t) {
    static const struct {
        const char *name;
        int texts;
    } lists[] = {{"_fmap", 4}, {"_c2fmap", 3}, {"_ehmap", 3}};
    xy_program *p = c->program;
    int32_t object = xy_node_new(p, XY_OP_OBJECT), before = -1;
    xy_compile_set_type(c, object, t.s, t.n);
    for (int version = 1; version <= 2 && !p->failed; version++) {
        int32_t layout = xy_node_new(p, XY_OP_STRUCT), last = -1;
        xy_compile_set_type(c, layout, t.s, t.n);
        for (int i = 0; i <= version && !p->failed; i++) {
            int32_t texts = xy_compile_wrap(c, XY_OP_FIXED, xy_node_new(p, XY_OP_TSTRING));
            int32_t list = xy_compile_wrap(c, XY_OP_LIST, texts);
            xy_compile_set_name(c, list, lists[i].name);
            if (p->failed) break;
            xy_compile_node(c, texts)->size = lists[i].texts;
            *(last < 0 ? &xy_compile_node(c, layout)->first : &xy_compile_node(c, last)->next) =
                list;
            last = list;
        }
        if (p->failed) break;
        xy_compile_node(c, layout)->version = version;
        *(before < 0 ? &xy_compile_node(c, object)->first : &xy_compile_node(c, before)->next) =
            layout;
        before = layout;
    }
    return xy_compile_taped(c, object);
}

/* Compiles a class whose format is not the one that a streamer info says; -1 when `t` is not one
 * of them. */
static int32_t compile_special(xy_compiler *c, xy_span t) {
    /* The base of TTreePerfStats has no version and so no header: only its own base is written. */
    if (xy_span_is(t, "TVirtualPerfStats")) t = (xy_span){"TObject", 7};
    if (xy_span_is(t, "TObject") || xy_span_is(t, "TRef")) {
        int32_t id = named_number(c, XY_T_UINT, "fUniqueID");
        int32_t bits = named_number(c, XY_T_UINT, "fBits");
        int32_t i = xy_compile_wrap(c, xy_span_is(t, "TRef") ? XY_OP_TREF : XY_OP_TOBJECT, id);
        xy_compile_set_type(c, i, t.s, t.n);
        if (!c->program->failed) xy_compile_node(c, id)->next = bits;
        if (xy_span_is(t, "TRef")) {
            int32_t pid = named_number(c, XY_T_USHORT, "fPID");
            if (!c->program->failed) xy_compile_node(c, bits)->next = pid;
        }
        return i;
    }
    if (xy_span_is(t, "TString")) return xy_node_new(c->program, XY_OP_TSTRING);
    if (xy_span_starts(t, "TMatrixTSym<")) return compile_symmetric_matrix(c, t);
    if (xy_span_is(t, "RooWorkspace::CodeRepo")) return compile_code(c, t);
    if (xy_span_is(t, "TDatime")) return xy_compile_basic(c->program, XY_T_UINT, NULL);
    if (xy_span_is(t, "TQObject"))
        return xy_node_new(c->program, XY_OP_STRUCT); /* writes nothing */
    for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++) {
        if (!xy_span_is(t, arrays[i].name)) continue;
        int32_t list =
            xy_compile_wrap(c, XY_OP_LIST, xy_compile_basic(c->program, arrays[i].type, NULL));
        xy_compile_set_type(c, list, t.s, t.n);
        return list;
    }
    for (size_t i = 0; i < XY_CUSTOM_COUNT; i++) {
        if (!xy_span_is(t, xy_custom_classes[i].name)) continue;
        int32_t node = xy_node_new(c->program, XY_OP_CUSTOM);
        xy_compile_set_type(c, node, t.s, t.n);
        if (!c->program->failed) xy_compile_node(c, node)->size = xy_custom_classes[i].custom;
        c->program->dynamic = true;
        return xy_compile_taped(c, node);
    }
    return -1;
}

static int32_t compile_described(xy_compiler *c, const xy_class *cls) {
    xy_program *p = c->program;
    int32_t node = xy_node_new(p, XY_OP_STRUCT);
    xy_compile_set_type(c, node, cls->name, strlen(cls->name));
    if (p->failed) return node;
    xy_compile_node(c, node)->version = cls->version;
    xy_compile_node(c, node)->checksum = cls->checksum;
    if (cls->built_in && cls->version == XY_ANY_VERSION)
        xy_compile_node(c, node)->flags |= XY_F_ANY_VERSION;
    int32_t last = -1;
    for (int i = 0; i < cls->element_count && !p->failed; i++) {
        const xy_element *e = &cls->elements[i];
        int32_t m = xy_compile_element(c, cls, e);
        if (p->failed) break;
        int op = xy_compile_node(c, m)->op;
        bool array_base =
            op == XY_OP_LIST && (xy_compile_node(c, m)->flags & XY_F_FLATTEN); /* TArrayF … */
        uint32_t name = xy_compile_member_name(p, array_base ? "fArray" : e->name);
        if (p->failed) break;
        xy_compile_node(c, m)->name = name;
        if (op == XY_OP_COUNTED && cls->version < 10 && strcmp(cls->name, "TBranch") == 0 &&
            strcmp(e->name, "fBasketSeek") == 0)
            xy_compile_node(c, m)->flags |= XY_F_OLD_SEEK;
        if ((op == XY_OP_COUNTED || op == XY_OP_LOOP) && c->columnar) {
            int32_t counter =
                find_member(p, node, xy_program_text(p, xy_compile_node(c, m)->count_name));
            xy_compile_node(c, m)->counter = counter < 0 ? XY_COUNTED_OUTSIDE : counter;
        }
        if (last < 0)
            xy_compile_node(c, node)->first = m;
        else
            xy_compile_node(c, last)->next = m;
        last = m;
    }
    return node;
}

static int32_t compile_struct(xy_compiler *c, const xy_class *cls) {
    xy_class real;
    if (!xy_by_hand(c->classes, cls, &real)) return compile_described(c, cls);
    int32_t node = compile_described(c, &real);
    free(real.elements);
    return node;
}

/* A user's class that streams as a collection: its one element, "This", has the only header. */
static bool is_collection_class(const xy_class *cls) {
    return cls->element_count == 1 && cls->elements[0].is_stl &&
           strcmp(cls->elements[0].name, "This") == 0;
}

/* Notes at a layout what the others of its version have otherwise. */
static void note_others(xy_compiler *c, int32_t layout, const xy_class *cls, xy_span t) {
    uint16_t *flags = &xy_compile_node(c, layout)->flags;
    enum { MOST = 64 }; /* only a file that is made for it has more */
    const xy_class *other = xy_class_next(c->classes, t.s, t.n, NULL);
    for (int k = 0; other && k < MOST; k++, other = xy_class_next(c->classes, t.s, t.n, other)) {
        if (other == cls || other->version != cls->version) continue;
        if (!xy_class_same(other, cls, false))
            *flags |= XY_F_OTHER_MEMBERS;
        else if (!xy_class_same(other, cls, true))
            *flags |= XY_F_OTHER_BASES;
    }
}

/* The layouts of a class that the table knows, as children of `object`. */
static void compile_layouts(xy_compiler *c, int32_t object, xy_span t) {
    xy_program *p = c->program;
    int32_t last = -1;
    const xy_class *cls = xy_class_next(c->classes, t.s, t.n, NULL);
    bool own = cls != NULL;
    /* Version -1 stands for the built-in layout that fits all; 0 to 20 for numbered ones. */
    for (int i = -1; (own ? cls != NULL : i < 21) && !p->failed; i++) {
        if (!own) {
            cls = xy_class_find(c->classes, t.s, t.n, i < 0 ? XY_ANY_VERSION : i, 0);
            if (!cls || !cls->built_in || (i < 0 && cls->version != XY_ANY_VERSION)) continue;
        }
        int32_t s = compile_struct(c, cls);
        if (p->failed) return;
        if (last < 0)
            xy_compile_node(c, object)->first = s;
        else
            xy_compile_node(c, last)->next = s;
        last = s;
        if (!own && i < 0) return;
        if (!own) continue;
        note_others(c, s, cls, t);
        cls = xy_class_next(c->classes, t.s, t.n, cls);
    }
}

/* The use of a class by the tape; the class itself is compiled once, with all known layouts, one
 * of which is chosen by the header of each object. */
static void compile_class_tape(xy_compiler *c, int32_t index);

static int32_t compile_object_tape(xy_compiler *c, xy_span t) {
    xy_program *p = c->program;
    int32_t use = xy_node_new(p, XY_OP_USE);
    int32_t index = xy_program_class_index(p, t.s, t.n);
    if (p->failed) return use;
    if (index >= 0) {
        xy_compile_node(c, use)->size = index;
        return use;
    }
    index = xy_program_add_class(p, t.s, t.n);
    if (p->failed) return use;
    xy_compile_node(c, use)->size = index;
    if (c->draining) return use;
    /* The outermost use compiles what was named meanwhile, so that a chain of classes, however
     * long, takes no stack. */
    int depth = c->depth;
    c->draining = true;
    for (; index < p->class_count && !p->failed; index++) {
        c->depth = 0;
        compile_class_tape(c, index);
    }
    c->draining = false;
    c->depth = depth;
    return use;
}

static void compile_class_tape(xy_compiler *c, int32_t index) {
    xy_program *p = c->program;
    const char *text = xy_program_text(p, p->classes[index].name);
    size_t len = strlen(text);
    xy_span t = {xy_classes_intern(c->classes, text, len),
                 len}; /* the program's own strings move */
    int32_t node = compile_special(c, t);
    p->classes[index].node = node;
    if (node >= 0) return;
    node = xy_span_starts(t, "pair<") && !xy_class_find(c->classes, t.s, t.n, XY_ANY_VERSION, 0)
               ? xy_compile_wrap(c, XY_OP_OBJECT, xy_compile_pair(c, t))
               : xy_node_new(p, XY_OP_OBJECT);
    xy_compile_set_type(c, node, t.s, t.n);
    if (p->failed) return;
    p->classes[index].node = node;
    if (xy_compile_node(c, node)->first < 0) compile_layouts(c, node, t);
}

/* The type of a pair: of a map the class of its elements, as ROOT writes it. */
static void set_pair_type(xy_compiler *c, int32_t node, xy_span t) {
    char name[600];
    xy_span a = xy_type_argument(t, 0), b = xy_type_argument(t, 1);
    const char *space = b.n && b.s[b.n - 1] == '>' ? " " : "";
    size_t n =
        xy_format(name, sizeof name, "pair<%.*s,%.*s%s>", (int)a.n, a.s, (int)b.n, b.s, space);
    bool whole = a.n + b.n < sizeof name - 10;
    if (xy_span_starts(t, "pair<") || !whole)
        xy_compile_set_type(c, node, t.s, t.n);
    else
        xy_compile_set_type(c, node, name, n);
}

int32_t xy_compile_pair(xy_compiler *c, xy_span t) {
    int32_t node = xy_node_new(c->program, XY_OP_STRUCT);
    set_pair_type(c, node, t);
    int32_t last = -1;
    for (int k = 0; k < 2; k++) {
        xy_span a = xy_type_argument(t, k);
        int32_t m = xy_compile_type(c, a.s, a.n);
        xy_compile_set_name(c, m, k ? "second" : "first");
        if (c->program->failed) return node;
        if (last < 0)
            xy_compile_node(c, node)->first = m;
        else
            xy_compile_node(c, last)->next = m;
        last = m;
    }
    xy_compile_node(c, node)->flags |= XY_F_ANY_VERSION;
    return node;
}

/* Base classes, and theirs, that are looked at; only a file that is made for it has more. */
enum { MAX_BASES = 200 };

/* Whether the data can have no other layouts of the base classes than those that the class names.
 * A base class has a header of its own in objects, and a class keeps its version when only its base
 * class changes; its checksum it does not keep. `summed`: the data name the class by checksum. */
static bool has_sure_bases(xy_compiler *c, const xy_class *cls, bool summed, int *steps) {
    for (int i = 0; i < cls->element_count; i++) {
        const xy_element *e = &cls->elements[i];
        if (e->type != XY_T_BASE || e->is_stl) continue;
        if (--*steps < 0) return false;
        xy_span name = xy_compile_table_name(c, (xy_span){e->name, strlen(e->name)});
        const xy_class *base = NULL;
        if (e->base_checksum)
            base = xy_class_find(c->classes, name.s, name.n, e->base_version, e->base_checksum);
        bool exact = summed && base && base->checksum == e->base_checksum;
        if (!exact && xy_class_versions(c->classes, name.s, name.n) > 1) return false;
        if (!base) base = xy_class_find(c->classes, name.s, name.n, e->base_version, 0);
        if (!base) base = xy_class_find(c->classes, name.s, name.n, XY_ANY_VERSION, 0);
        if (base && !has_sure_bases(c, base, exact, steps)) return false;
    }
    return true;
}

int32_t xy_compile_object(xy_compiler *c, const char *name, size_t len, int32_t version,
                          uint32_t checksum) {
    xy_span t = xy_type_bare((xy_span){name, len});
    if (c->depth > XY_MAX_COMPILE_DEPTH)
        return xy_node_error(c->program, "classes nest too deeply at %.*s", (int)t.n, t.s);
    if (xy_is_std_string(t.s, t.n)) return xy_node_new(c->program, XY_OP_TSTRING);
    if (!c->columnar) return compile_object_tape(c, xy_compile_table_name(c, t));
    int32_t special = compile_special(c, t);
    if (special >= 0) return special;

    t = xy_compile_table_name(c, t);
    const xy_class *cls = NULL;
    if (checksum) cls = xy_class_find(c->classes, t.s, t.n, version, checksum);
    bool summed = cls != NULL && cls->checksum == checksum;
    if (!cls) cls = xy_class_find(c->classes, t.s, t.n, version, 0);
    bool sure = cls != NULL && version != XY_ANY_VERSION;
    if (!cls) cls = xy_class_find(c->classes, t.s, t.n, XY_ANY_VERSION, 0);
    if (!cls) {
        if (xy_span_starts(t, "pair<"))
            return xy_compile_wrap(c, XY_OP_OBJECT, xy_compile_pair(c, t));
        /* The objects' own byte counts may tell how to step over them: the rest stays readable. */
        c->columnar = false;
        int32_t unknown = compile_object_tape(c, t);
        c->columnar = true;
        return xy_compile_wrap(c, XY_OP_TAPE, unknown);
    }
    bool recursive = false;
    for (int i = 0; i < c->stack_len; i++)
        recursive |= c->stack[i] == cls;
    int steps = MAX_BASES;
    if (recursive || (!sure && xy_class_versions(c->classes, t.s, t.n) > 1) ||
        !has_sure_bases(c, cls, summed, &steps)) {
        c->columnar = false;
        int32_t object = compile_object_tape(c, t);
        c->columnar = true;
        return xy_compile_wrap(c, XY_OP_TAPE, object);
    }
    if (c->program->count > MAX_COLUMN_NODES) /* members of members: their number can explode */
        return xy_node_error(c->program, "class %.*s has too many members of members", (int)t.n,
                             t.s);
    c->stack[c->stack_len++] = cls;
    c->depth++;
    int32_t body = compile_struct(c, cls);
    c->depth--;
    c->stack_len--;
    if (is_collection_class(cls)) return body;
    int32_t object = xy_compile_wrap(c, XY_OP_OBJECT, body);
    xy_compile_set_type(c, object, t.s, t.n);
    return object;
}
