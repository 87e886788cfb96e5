/* From C++ types and the members of classes to programs: which format each has on file.
 * The rules are those of ROOT's TStreamerInfo: FORMAT notes stand at each case. */
#include "compile.h"

#include <stdlib.h>

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
        int32_t i = xy_compile_wrap(c, XY_OP_FIXED, child);
        if (!c->program->failed) xy_compile_node(c, i)->size = e->array_length;
        return i;
    }
    for (int d = e->array_dim - 1; d >= 0; d--) {
        if (e->max_index[d] < 0)
            return xy_node_error(c->program, "%s has a negative size", e->name);
        child = xy_compile_wrap(c, XY_OP_FIXED, child);
        if (!c->program->failed) xy_compile_node(c, child)->size = e->max_index[d];
    }
    return child;
}

static int32_t compile_pointer(xy_compiler *c, xy_span t) {
    int32_t i = xy_node_new(c->program, XY_OP_POINTER);
    while (t.n && (t.s[t.n - 1] == '*' || t.s[t.n - 1] == ' '))
        t.n--;
    xy_compile_set_type(c, i, t.s, t.n);
    c->program->dynamic = true;
    return xy_compile_taped(c, i);
}

/* Whether a name that is no class of the file may be that of an enum. */
static bool may_be_enum(xy_compiler *c, xy_span t) {
    if (!t.n || t.s[t.n - 1] == '*' || memchr(t.s, '<', t.n) || xy_basic_type(t) >= 0 ||
        xy_is_std_string(t.s, t.n))
        return false;
    xy_span name = xy_compile_table_name(c, t);
    return !xy_class_find(c->classes, name.s, name.n, XY_ANY_VERSION, 0);
}

/* The numbers of an enum; -1 if `t` is none that the file knows. `type`: what the member that has
 * them says; 0 if it says nothing. */
static int32_t compile_enum(xy_compiler *c, xy_span t, int type) {
    if (!may_be_enum(c, t)) return -1;
    if (type <= 0 || type > XY_T_FLOAT16) type = xy_enum_type(c->classes, t.s, t.n);
    return type > 0 ? xy_compile_basic(c->program, type, NULL) : -1;
}

int32_t xy_compile_type(xy_compiler *c, const char *type, size_t len) {
    int32_t element_type = c->element_type;
    c->element_type = 0;
    xy_span t = xy_type_bare((xy_span){type, len});
    if (!t.n) return xy_node_error(c->program, "a collection without element type");
    if (c->depth > XY_MAX_COMPILE_DEPTH)
        return xy_node_error(c->program, "types nest too deeply at %.*s", (int)t.n, t.s);
    if (t.s[t.n - 1] == '*') return compile_pointer(c, t);
    int basic = xy_basic_type(t);
    if (basic > 0) return xy_compile_basic(c->program, basic, NULL);
    if (xy_is_std_string(t.s, t.n)) {
        int32_t string = xy_node_new(c->program, XY_OP_TSTRING);
        if (!c->program->failed) xy_compile_node(c, string)->flags |= XY_F_COLLECTION;
        return string;
    }
    xy_container kind = xy_container_of(t);
    xy_span first = xy_type_argument(t, 0);
    int32_t node = -1;
    if (kind == XY_NOT_CONTAINER) {
        node = compile_enum(c, t, 0);
        if (node >= 0) return node;
    }
    c->depth++;
    switch (kind) {
    case XY_NOT_CONTAINER: node = xy_compile_object(c, t.s, t.n, XY_ANY_VERSION, 0); break;
    case XY_ARRAY: {
        xy_span table = xy_compile_table_name(c, t);
        if (xy_class_find(c->classes, table.s, table.n, XY_ANY_VERSION, 0)) {
            node = xy_compile_object(c, table.s, table.n, XY_ANY_VERSION, 0);
        } else {
            xy_span size = xy_type_argument(t, 1);
            node = xy_compile_wrap(c, XY_OP_FIXED, xy_compile_type(c, first.s, first.n));
            if (!c->program->failed) xy_compile_node(c, node)->size = atoi(size.s);
        }
        break;
    }
    case XY_BITSET:
        node = xy_compile_wrap(c, XY_OP_LIST, xy_compile_basic(c->program, XY_T_BOOL, NULL));
        break;
    case XY_MAP:
    case XY_UNORDERED_MAP: node = xy_compile_wrap(c, XY_OP_LIST, xy_compile_pair(c, t)); break;
    default: {
        node = compile_enum(c, xy_type_bare(first), element_type);
        bool is_enum = node >= 0;
        if (!is_enum) node = xy_compile_type(c, first.s, first.n);
        bool ints = is_enum && !c->program->failed &&
                    xy_dtype_size(xy_compile_node(c, node)->dtype) != sizeof(int32_t);
        node = xy_compile_wrap(c, XY_OP_LIST, node);
        if (ints && !c->program->failed) xy_compile_node(c, node)->flags |= XY_F_INTS;
        break;
    }
    }
    c->depth--;
    if (c->program->failed || kind == XY_NOT_CONTAINER || kind == XY_ARRAY) return node;
    if (kind == XY_MAP || kind == XY_UNORDERED_MAP) xy_compile_node(c, node)->flags |= XY_F_MAP;
    if (kind == XY_UNORDERED || kind == XY_UNORDERED_MAP)
        xy_compile_node(c, node)->flags |= XY_F_UNORDERED;
    xy_compile_node(c, node)->flags |= XY_F_COLLECTION;
    xy_compile_set_type(c, node, t.s, t.n);
    return node;
}

static int32_t flattened(xy_compiler *c, int32_t node) {
    if (!c->program->failed) xy_compile_node(c, node)->flags |= XY_F_FLATTEN;
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
    if (depth > 0)
        return xy_node_error(c->program, "collection %s does not say where its element type ends",
                             e->type_name);
    return xy_compile_wrap(c, XY_OP_LIST, xy_compile_type(c, start, (size_t)(p - start - 1)));
}

/* Up to this version of ROOT, //[n] arrays of pointers to objects hold the objects themselves. */
enum { XY_LAST_PLAIN_LOOPS = 51508 };

static int32_t compile_counted(xy_compiler *c, const xy_element *e, xy_op op, int32_t child) {
    int32_t i = xy_compile_wrap(c, op, child);
    uint32_t name = xy_compile_member_name(c->program, e->count_name);
    if (c->program->failed) return i;
    xy_compile_node(c, i)->count_name = name;
    if (e->bare_count) xy_compile_node(c, i)->flags |= XY_F_BARE;
    xy_compile_node(c, i)->size = (int32_t)xy_fixed_size(c->program, child);
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

/* A base class, or a member with its own streamer type: fixed arrays of these have a header. */
static int32_t own_member(xy_compiler *c, const xy_element *e, int32_t node, const char *base) {
    if (strcmp(e->name, base) == 0) return flattened(c, node);
    node = with_dimensions(c, e, node);
    return e->type > XY_T_ARRAY + 60 ? xy_compile_wrap(c, XY_OP_HEADER, node) : node;
}

int32_t xy_compile_element(xy_compiler *c, const xy_class *cls, const xy_element *e) {
    xy_program *p = c->program;
    xy_span type = xy_type_bare((xy_span){e->type_name, strlen(e->type_name)});
    if (e->is_stl) {
        xy_span t = type.n ? type : xy_type_bare((xy_span){e->name, strlen(e->name)});
        while (t.n && (t.s[t.n - 1] == '*' || t.s[t.n - 1] == ' '))
            t.n--;
        bool own = strcmp(e->name, "This") == 0;
        c->element_type = own ? 0 : e->ctype;
        int32_t content = own ? compile_this(c, e) : xy_compile_type(c, t.s, t.n);
        c->element_type = 0;
        int32_t whole = with_dimensions(c, e, content);
        const xy_node *list = c->program->failed ? NULL : xy_compile_node(c, content);
        if (list && whole != content && list->op == XY_OP_LIST && (list->flags & XY_F_INTS))
            whole = xy_node_error(p,
                                  "ROOT does not write all bytes of an array of %.*s, because "
                                  "its enum is not an int",
                                  (int)t.n, t.s);
        return xy_compile_wrap(c, XY_OP_HEADER, whole);
    }
    if (e->type == XY_T_BASE) {
        xy_span name = {e->name, strlen(e->name)};
        if (xy_is_collection(name.s, name.n))
            return xy_compile_wrap(c, XY_OP_HEADER, xy_compile_type(c, name.s, name.n));
        int32_t base =
            flattened(c, xy_compile_object(c, name.s, name.n, e->base_version, e->base_checksum));
        if (c->program->failed) return base;
        xy_node *node = xy_compile_node(c, base);
        node->flags |= XY_F_BASE;
        if (node->op == XY_OP_USE || node->op == XY_OP_OBJECT) {
            node->version = e->base_version;
            node->checksum = e->base_checksum;
        }
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
        return own_member(c, e, node, "TObject");
    case XY_T_TNAMED:
        node = xy_compile_object(c, "TNamed", 6, e->base_version, 0);
        return own_member(c, e, node, "TNamed");
    case XY_T_TSTRING: return own_member(c, e, xy_node_new(p, XY_OP_TSTRING), "");
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
        if (!array && xy_is_collection(type.s, type.n))
            node = xy_compile_wrap(c, XY_OP_HEADER, node);
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
