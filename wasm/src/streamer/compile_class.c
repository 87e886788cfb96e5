/* From the class table to programs: which format each member, class and C++ type has on file.
 * The rules are those of ROOT's TStreamerInfo: FORMAT notes stand at each case. */
#include "../text.h"
#include "cxx_type.h"
#include "program.h"

#include <stdlib.h>

enum { MAX_DEPTH = 48, MAX_COLUMN_NODES = 1 << 16 };

/* ---- building blocks ---- */

static xy_node *at(xy_compiler *c, int32_t i) {
    return &c->program->nodes[i];
}

static int32_t wrap(xy_compiler *c, xy_op op, int32_t child) {
    int32_t i = xy_node_new(c->program, op);
    if (!c->program->failed) at(c, i)->first = child;
    return i;
}

static void set_name(xy_compiler *c, int32_t node, const char *name) {
    uint32_t text = xy_program_intern(c->program, name, strlen(name));
    if (!c->program->failed) at(c, node)->name = text;
}

static void set_type(xy_compiler *c, int32_t node, const char *type, size_t len) {
    uint32_t text = xy_program_intern(c->program, type, len);
    if (!c->program->failed) at(c, node)->type_name = text;
}

int32_t xy_compile_taped(xy_compiler *c, int32_t child) {
    return c->columnar ? wrap(c, XY_OP_TAPE, child) : child;
}

int32_t xy_compile_basic(xy_program *p, int type, const xy_element *e) {
    static const struct {
        int8_t wire, dtype;
    } formats[] = {
        [XY_T_CHAR] = {XY_W_U8, XY_I8},
        [XY_T_SHORT] = {XY_W_16, XY_I16},
        [XY_T_INT] = {XY_W_32, XY_I32},
        [XY_T_LONG] = {XY_W_64, XY_I64},
        [XY_T_FLOAT] = {XY_W_32, XY_F32},
        [XY_T_COUNTER] = {XY_W_32, XY_I32},
        [XY_T_DOUBLE] = {XY_W_64, XY_F64},
        [XY_T_UCHAR] = {XY_W_U8, XY_U8},
        [XY_T_USHORT] = {XY_W_16, XY_U16},
        [XY_T_UINT] = {XY_W_32, XY_U32},
        [XY_T_ULONG] = {XY_W_64, XY_U64},
        [XY_T_LONG64] = {XY_W_64, XY_I64},
        [XY_T_ULONG64] = {XY_W_64, XY_U64},
        [XY_T_BOOL] = {XY_W_BOOL, XY_BOOL},
        [XY_T_DOUBLE32] = {XY_W_FLOAT_AS_DOUBLE, XY_F64},
        [XY_T_FLOAT16] = {XY_W_TRUNCATED, XY_F32},
    };
    if (type == XY_T_BITS) return xy_node_new(p, XY_OP_BITS);
    if (type == 10) type = XY_T_CHAR;
    if (type < 1 || type > XY_T_FLOAT16 || type == XY_T_CHARSTAR) return -1;
    int32_t i = xy_node_number(p, formats[type].wire, formats[type].dtype);
    if (p->failed || (type != XY_T_DOUBLE32 && type != XY_T_FLOAT16)) return i;
    xy_node *n = &p->nodes[i];
    n->flags |= XY_F_APPROX;
    n->bits = type == XY_T_FLOAT16 ? 12 : 0;
    if (e) {
        n->bits = e->bits;
        n->factor = e->factor;
        n->low = e->low;
        if (e->has_range)
            n->wire = XY_W_SCALED;
        else if (e->bits)
            n->wire = XY_W_TRUNCATED;
    }
    return i;
}

/* Fixed dimensions of a member, outermost first. */
static int32_t with_dimensions(xy_compiler *c, const xy_element *e, int32_t child) {
    if (e->array_dim == 0) {
        if (e->array_length <= 0) return child;
        int32_t i = wrap(c, XY_OP_FIXED, child);
        at(c, i)->size = e->array_length;
        return i;
    }
    for (int d = e->array_dim - 1; d >= 0; d--) {
        if (e->max_index[d] < 0)
            return xy_node_error(c->program, "%s has a negative size", e->name);
        child = wrap(c, XY_OP_FIXED, child);
        if (!c->program->failed) at(c, child)->size = e->max_index[d];
    }
    return child;
}

/* ---- classes ---- */

static const struct {
    const char *name;
    int custom;
} customs[] = {
    {"TObjArray", XY_CUSTOM_TOBJARRAY},       {"TList", XY_CUSTOM_TLIST},
    {"THashList", XY_CUSTOM_TLIST},           {"TSortedList", XY_CUSTOM_TLIST},
    {"TOrdCollection", XY_CUSTOM_TLIST},      {"TMap", XY_CUSTOM_TMAP},
    {"TClonesArray", XY_CUSTOM_TCLONESARRAY}, {"TRefArray", XY_CUSTOM_TREFARRAY},
    {"TBasket", XY_CUSTOM_TBASKET},           {"RooLinkedList", XY_CUSTOM_ROOLINKEDLIST},
};

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
    set_name(c, i, name);
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
    set_type(c, node, t.s, t.n);
    int32_t base = xy_compile_object(c, base_name, strlen(base_name), XY_ANY_VERSION, 0);
    int32_t number =
        xy_compile_basic(c->program, xy_span_is(element, "float") ? XY_T_FLOAT : XY_T_DOUBLE, NULL);
    int32_t triangle = wrap(c, XY_OP_TRIANGLE, number);
    set_name(c, triangle, "fElements");
    uint32_t counter = xy_program_intern(c->program, "fNrows", 6);
    if (c->program->failed) return node;
    at(c, base)->flags |= XY_F_FLATTEN;
    at(c, base)->next = triangle;
    at(c, node)->first = base;
    at(c, node)->flags |= XY_F_ANY_VERSION;
    at(c, triangle)->count_name = counter;
    if (c->columnar) at(c, triangle)->counter = find_member(c->program, node, "fNrows");
    if (c->columnar && at(c, triangle)->counter < 0)
        return xy_node_error(c->program, "class %s has no streamer info in this file", base_name);
    return node;
}

/* Classes whose format is not what a streamer info says: -1 when `t` is none. */
static int32_t compile_special(xy_compiler *c, xy_span t) {
    /* The base of TTreePerfStats has no version, hence no header: only its own base is written. */
    if (xy_span_is(t, "TVirtualPerfStats")) t = (xy_span){"TObject", 7};
    if (xy_span_is(t, "TObject") || xy_span_is(t, "TRef")) {
        int32_t id = named_number(c, XY_T_UINT, "fUniqueID");
        int32_t bits = named_number(c, XY_T_UINT, "fBits");
        int32_t i = wrap(c, xy_span_is(t, "TRef") ? XY_OP_TREF : XY_OP_TOBJECT, id);
        set_type(c, i, t.s, t.n);
        if (!c->program->failed) at(c, id)->next = bits;
        if (xy_span_is(t, "TRef")) {
            int32_t pid = named_number(c, XY_T_USHORT, "fPID");
            if (!c->program->failed) at(c, bits)->next = pid;
        }
        return i;
    }
    if (xy_span_is(t, "TString")) return xy_node_new(c->program, XY_OP_TSTRING);
    if (xy_span_starts(t, "TMatrixTSym<")) return compile_symmetric_matrix(c, t);
    if (xy_span_is(t, "TDatime")) return xy_compile_basic(c->program, XY_T_UINT, NULL);
    if (xy_span_is(t, "TQObject"))
        return xy_node_new(c->program, XY_OP_STRUCT); /* writes nothing */
    for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++) {
        if (!xy_span_is(t, arrays[i].name)) continue;
        int32_t list = wrap(c, XY_OP_LIST, xy_compile_basic(c->program, arrays[i].type, NULL));
        set_type(c, list, t.s, t.n);
        return list;
    }
    for (size_t i = 0; i < sizeof customs / sizeof *customs; i++) {
        if (!xy_span_is(t, customs[i].name)) continue;
        int32_t node = xy_node_new(c->program, XY_OP_CUSTOM);
        set_type(c, node, t.s, t.n);
        if (!c->program->failed) at(c, node)->size = customs[i].custom;
        c->program->dynamic = true;
        return xy_compile_taped(c, node);
    }
    return -1;
}

static int32_t compile_struct(xy_compiler *c, const xy_class *cls) {
    xy_program *p = c->program;
    int32_t node = xy_node_new(p, XY_OP_STRUCT);
    set_type(c, node, cls->name, strlen(cls->name));
    if (p->failed) return node;
    at(c, node)->version = cls->version;
    at(c, node)->checksum = cls->checksum;
    if (cls->built_in && cls->version == XY_ANY_VERSION) at(c, node)->flags |= XY_F_ANY_VERSION;
    int32_t last = -1;
    for (int i = 0; i < cls->element_count && !p->failed; i++) {
        const xy_element *e = &cls->elements[i];
        int32_t m = xy_compile_element(c, cls, e);
        if (p->failed) break;
        int op = at(c, m)->op;
        bool array_base = op == XY_OP_LIST && (at(c, m)->flags & XY_F_FLATTEN); /* TArrayF … */
        set_name(c, m, array_base ? "fArray" : e->name);
        if (p->failed) break;
        if (op == XY_OP_COUNTED && cls->version < 10 && strcmp(cls->name, "TBranch") == 0 &&
            strcmp(e->name, "fBasketSeek") == 0)
            at(c, m)->flags |= XY_F_OLD_SEEK;
        if ((op == XY_OP_COUNTED || op == XY_OP_LOOP) && c->columnar) {
            int32_t counter = find_member(p, node, xy_program_text(p, at(c, m)->count_name));
            at(c, m)->counter = counter < 0 ? XY_COUNTED_OUTSIDE : counter;
        }
        if (last < 0)
            at(c, node)->first = m;
        else
            at(c, last)->next = m;
        last = m;
    }
    return node;
}

/* The piece of a class name up to the next bracket or comma. */
static xy_span next_piece(const char **name) {
    const char *start = *name;
    *name += strcspn(start, "<,>");
    return (xy_span){start, (size_t)(*name - start)};
}

static void skip_fillers(xy_span *t) {
    for (;;) {
        size_t n = t->n && *t->s == ' ' ? 1 : xy_span_starts(*t, "std::") ? 5 : 0;
        if (!n) return;
        t->s += n;
        t->n -= n;
    }
}

/* The same number type, or the same text without spaces and "std::". */
static bool same_piece(xy_span a, xy_span b) {
    int type = xy_basic_type(xy_span_trim(a));
    if (type >= 0) return type == xy_basic_type(xy_span_trim(b));
    for (;;) {
        skip_fillers(&a);
        skip_fillers(&b);
        if (!a.n || !b.n) return a.n == b.n;
        if (*a.s != *b.s) return false;
        a.s++, a.n--;
        b.s++, b.n--;
    }
}

static bool same_name(const char *a, const char *b) {
    for (;;) {
        if (!same_piece(next_piece(&a), next_piece(&b)) || *a != *b) return false;
        if (!*a) return true;
        a++, b++;
    }
}

/* A user's class that streams as a collection: its one element, "This", has the only header. */
static bool is_collection_class(const xy_class *cls) {
    return cls->element_count == 1 && cls->elements[0].is_stl &&
           strcmp(cls->elements[0].name, "This") == 0;
}

/* The name under which the table knows a class: spaces, "std::" and number types (Int_t, int) are
 * written differently in different versions of ROOT. */
static xy_span table_name(xy_compiler *c, xy_span t) {
    if (xy_class_find(c->classes, t.s, t.n, XY_ANY_VERSION, 0)) return t;
    char name[512];
    if (t.n >= sizeof name) return t;
    memcpy(name, t.s, t.n);
    name[t.n] = 0;
    for (int i = 0; i < xy_classes_count(c->classes); i++) {
        const char *other = xy_classes_at(c->classes, i)->name;
        if (same_name(name, other)) return (xy_span){other, strlen(other)};
    }
    return t;
}

static int32_t compile_pair(xy_compiler *c, xy_span t);

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
            at(c, object)->first = s;
        else
            at(c, last)->next = s;
        last = s;
        if (!own && i < 0) return;
        if (own) cls = xy_class_next(c->classes, t.s, t.n, cls);
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
        at(c, use)->size = index;
        return use;
    }
    if (p->class_count == p->class_cap) {
        int32_t cap = p->class_cap ? p->class_cap * 2 : 32;
        xy_program_class *list = realloc(p->classes, (size_t)cap * sizeof *list);
        if (!list) {
            p->failed = true;
            return use;
        }
        p->classes = list;
        p->class_cap = cap;
    }
    uint32_t name = xy_program_intern(p, t.s, t.n);
    index = p->class_count++;
    p->classes[index] = (xy_program_class){name, xy_name_hash(t.s, t.n), -1};
    at(c, use)->size = index;
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
               ? wrap(c, XY_OP_OBJECT, compile_pair(c, t))
               : xy_node_new(p, XY_OP_OBJECT);
    set_type(c, node, t.s, t.n);
    if (p->failed) return;
    p->classes[index].node = node;
    if (at(c, node)->first < 0) compile_layouts(c, node, t);
}

static int32_t compile_pair(xy_compiler *c, xy_span t) {
    int32_t node = xy_node_new(c->program, XY_OP_STRUCT);
    set_type(c, node, t.s, t.n);
    int32_t last = -1;
    for (int k = 0; k < 2; k++) {
        xy_span a = xy_type_argument(t, k);
        int32_t m = xy_compile_type(c, a.s, a.n);
        set_name(c, m, k ? "second" : "first");
        if (c->program->failed) return node;
        if (last < 0)
            at(c, node)->first = m;
        else
            at(c, last)->next = m;
        last = m;
    }
    at(c, node)->flags |= XY_F_ANY_VERSION;
    return node;
}

int32_t xy_compile_object(xy_compiler *c, const char *name, size_t len, int32_t version,
                          uint32_t checksum) {
    xy_span t = xy_type_bare((xy_span){name, len});
    if (c->depth > MAX_DEPTH)
        return xy_node_error(c->program, "classes nest too deeply at %.*s", (int)t.n, t.s);
    if (xy_is_std_string(t.s, t.n)) return xy_node_new(c->program, XY_OP_TSTRING);
    if (!c->columnar) return compile_object_tape(c, table_name(c, t));
    int32_t special = compile_special(c, t);
    if (special >= 0) return special;

    t = table_name(c, t);
    const xy_class *cls = NULL;
    if (checksum) cls = xy_class_find(c->classes, t.s, t.n, version, checksum);
    if (!cls) cls = xy_class_find(c->classes, t.s, t.n, version, 0);
    bool sure = cls != NULL && version != XY_ANY_VERSION;
    if (!cls) cls = xy_class_find(c->classes, t.s, t.n, XY_ANY_VERSION, 0);
    if (!cls) {
        if (xy_span_starts(t, "pair<")) return wrap(c, XY_OP_OBJECT, compile_pair(c, t));
        /* The objects' own byte counts may tell how to step over them: the rest stays readable. */
        c->columnar = false;
        int32_t unknown = compile_object_tape(c, t);
        c->columnar = true;
        return wrap(c, XY_OP_TAPE, unknown);
    }
    bool recursive = false;
    for (int i = 0; i < c->stack_len; i++)
        recursive |= c->stack[i] == cls;
    if (recursive || (!sure && xy_class_versions(c->classes, t.s, t.n) > 1)) {
        c->columnar = false;
        int32_t object = compile_object_tape(c, t);
        c->columnar = true;
        return wrap(c, XY_OP_TAPE, object);
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
    int32_t object = wrap(c, XY_OP_OBJECT, body);
    set_type(c, object, t.s, t.n);
    return object;
}

/* ---- types and members ---- */

static int32_t compile_pointer(xy_compiler *c, xy_span t) {
    int32_t i = xy_node_new(c->program, XY_OP_POINTER);
    while (t.n && (t.s[t.n - 1] == '*' || t.s[t.n - 1] == ' '))
        t.n--;
    set_type(c, i, t.s, t.n);
    c->program->dynamic = true;
    return xy_compile_taped(c, i);
}

int32_t xy_compile_type(xy_compiler *c, const char *type, size_t len) {
    xy_span t = xy_type_bare((xy_span){type, len});
    if (!t.n) return xy_node_error(c->program, "a collection without element type");
    if (c->depth > MAX_DEPTH)
        return xy_node_error(c->program, "types nest too deeply at %.*s", (int)t.n, t.s);
    if (t.s[t.n - 1] == '*') return compile_pointer(c, t);
    int basic = xy_basic_type(t);
    if (basic > 0) return xy_compile_basic(c->program, basic, NULL);
    if (xy_is_std_string(t.s, t.n)) {
        int32_t string = xy_node_new(c->program, XY_OP_TSTRING);
        if (!c->program->failed) at(c, string)->flags |= XY_F_COLLECTION;
        return string;
    }
    xy_container kind = xy_container_of(t);
    xy_span first = xy_type_argument(t, 0);
    int32_t node;
    c->depth++;
    switch (kind) {
    case XY_NOT_CONTAINER: node = xy_compile_object(c, t.s, t.n, XY_ANY_VERSION, 0); break;
    case XY_ARRAY: {
        xy_span table = table_name(c, t);
        if (xy_class_find(c->classes, table.s, table.n, XY_ANY_VERSION, 0)) {
            node = xy_compile_object(c, table.s, table.n, XY_ANY_VERSION, 0);
        } else {
            xy_span size = xy_type_argument(t, 1);
            node = wrap(c, XY_OP_FIXED, xy_compile_type(c, first.s, first.n));
            if (!c->program->failed) at(c, node)->size = atoi(size.s);
        }
        break;
    }
    case XY_BITSET:
        node = wrap(c, XY_OP_LIST, xy_compile_basic(c->program, XY_T_BOOL, NULL));
        break;
    case XY_MAP:
    case XY_UNORDERED_MAP: node = wrap(c, XY_OP_LIST, compile_pair(c, t)); break;
    default: node = wrap(c, XY_OP_LIST, xy_compile_type(c, first.s, first.n)); break;
    }
    c->depth--;
    if (c->program->failed || kind == XY_NOT_CONTAINER || kind == XY_ARRAY) return node;
    if (kind == XY_MAP || kind == XY_UNORDERED_MAP) at(c, node)->flags |= XY_F_MAP;
    if (kind == XY_UNORDERED || kind == XY_UNORDERED_MAP) at(c, node)->flags |= XY_F_UNORDERED;
    at(c, node)->flags |= XY_F_COLLECTION;
    set_type(c, node, t.s, t.n);
    return node;
}

static int32_t flattened(xy_compiler *c, int32_t node) {
    if (!c->program->failed) at(c, node)->flags |= XY_F_FLATTEN;
    return node;
}

/* The contents of a collection class: its element type opens the title, as "<Type> ...". */
static int32_t compile_this(xy_compiler *c, const xy_element *e) {
    const char *p = e->title, *start = p + 1;
    int depth = 0;
    if (*p != '<')
        return xy_node_error(c->program, "collection %s does not name its elements", e->type_name);
    do {
        if (*p == '<') depth++;
        if (*p == '>') depth--;
        p++;
    } while (*p && depth > 0);
    return wrap(c, XY_OP_LIST, xy_compile_type(c, start, (size_t)(p - start - 1)));
}

/* Up to this version of ROOT, //[n] arrays of pointers to objects hold the objects themselves. */
enum { XY_LAST_PLAIN_LOOPS = 51508 };

static int32_t compile_counted(xy_compiler *c, const xy_element *e, xy_op op, int32_t child) {
    int32_t i = wrap(c, op, child);
    uint32_t name = xy_program_intern(c->program, e->count_name, strlen(e->count_name));
    if (c->program->failed) return i;
    at(c, i)->count_name = name;
    if (e->bare_count) at(c, i)->flags |= XY_F_BARE;
    at(c, i)->size = (int32_t)xy_fixed_size(c->program, child);
    return i;
}

/* An array of objects, or of pointers to them, counted by a member. */
static int32_t compile_loop(xy_compiler *c, const xy_element *e, xy_span type) {
    bool pointers = type.n > 1 && type.s[type.n - 1] == '*' && type.s[type.n - 2] == '*';
    xy_span t = type;
    while (t.n && (t.s[t.n - 1] == '*' || t.s[t.n - 1] == ' '))
        t.n--;
    bool as_pointers = pointers && xy_classes_root_version(c->classes) > XY_LAST_PLAIN_LOOPS;
    int32_t child =
        as_pointers ? compile_pointer(c, type) : xy_compile_object(c, t.s, t.n, XY_ANY_VERSION, 0);
    return compile_counted(c, e, XY_OP_LOOP, child);
}

int32_t xy_compile_element(xy_compiler *c, const xy_class *cls, const xy_element *e) {
    xy_program *p = c->program;
    xy_span type = xy_type_bare((xy_span){e->type_name, strlen(e->type_name)});
    if (e->is_stl) {
        xy_span t = type.n ? type : xy_type_bare((xy_span){e->name, strlen(e->name)});
        while (t.n && (t.s[t.n - 1] == '*' || t.s[t.n - 1] == ' '))
            t.n--;
        int32_t content =
            strcmp(e->name, "This") == 0 ? compile_this(c, e) : xy_compile_type(c, t.s, t.n);
        return wrap(c, XY_OP_HEADER, with_dimensions(c, e, content));
    }
    if (e->type == XY_T_BASE) {
        xy_span name = {e->name, strlen(e->name)};
        if (xy_is_collection(name.s, name.n))
            return wrap(c, XY_OP_HEADER, xy_compile_type(c, name.s, name.n));
        int32_t base = flattened(c, xy_compile_object(c, name.s, name.n, e->base_version, 0));
        if (!c->program->failed) at(c, base)->flags |= XY_F_BASE;
        return base;
    }
    if (e->type > 0 && e->type < XY_T_ARRAY) {
        if (e->type == XY_T_CHARSTAR) return xy_node_new(p, XY_OP_CHARS);
        int32_t i = xy_compile_basic(p, e->type, e);
        if (i >= 0) return i;
    } else if (e->type < XY_T_POINTER && e->type > XY_T_ARRAY) {
        int32_t i = xy_compile_basic(p, e->type - XY_T_ARRAY, e);
        if (i >= 0) return with_dimensions(c, e, i);
        if (e->type == XY_T_ARRAY + XY_T_CHARSTAR)
            return with_dimensions(c, e, xy_node_new(p, XY_OP_CHARS));
    } else if (e->type < 60 && e->type > XY_T_POINTER) {
        int32_t i = xy_compile_basic(p, e->type - XY_T_POINTER, e);
        if (i >= 0) {
            int32_t n = compile_counted(c, e, XY_OP_COUNTED, i);
            return with_dimensions(c, e, n);
        }
    }
    int kind = e->type;
    bool array = kind > XY_T_ARRAY + 60 && kind < 100;
    if (array) kind -= XY_T_ARRAY;
    int32_t node = -1;
    switch (kind) {
    case XY_T_TOBJECT:
        node = xy_compile_object(c, "TObject", 7, XY_ANY_VERSION, 0);
        return strcmp(e->name, "TObject") == 0 ? flattened(c, node) : with_dimensions(c, e, node);
    case XY_T_TNAMED:
        node = xy_compile_object(c, "TNamed", 6, e->base_version, 0);
        return strcmp(e->name, "TNamed") == 0 ? flattened(c, node) : with_dimensions(c, e, node);
    case XY_T_TSTRING: node = xy_node_new(p, XY_OP_TSTRING); break;
    case XY_T_OBJECT:
    case XY_T_ANY:
    case XY_T_OBJECT_EMBEDDED:
    case XY_T_ANY_EMBEDDED:
        while (type.n && (type.s[type.n - 1] == '*' || type.s[type.n - 1] == ' '))
            type.n--;
        node = xy_is_collection(type.s, type.n)
                   ? xy_compile_type(c, type.s, type.n)
                   : xy_compile_object(c, type.s, type.n, XY_ANY_VERSION, 0);
        /* An array of collections described as objects has no header at all. */
        if (!array && xy_is_collection(type.s, type.n)) node = wrap(c, XY_OP_HEADER, node);
        break;
    case XY_T_OBJECT_POINTER:
    case XY_T_ANY_POINTER:
    case XY_T_ANY_POINTER_NOVT: node = compile_pointer(c, type); break;
    case XY_T_STREAMLOOP: return compile_loop(c, e, type);
    default:
        return xy_node_error(p, "member %s::%s (%s) has streamer type %d, which is not known",
                             cls->name, e->name, e->type_name, e->type);
    }
    return with_dimensions(c, e, node);
}
