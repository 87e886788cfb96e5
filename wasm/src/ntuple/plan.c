#include "plan.h"

#include "../streamer/cxx_type.h"

#include "pages.h"

#include <inttypes.h>

/* State of what is being compiled; see xy_nt_need. */
typedef struct {
    uint64_t repetition; /* elements of one entry; 0 below collections */
    int32_t above;
    uint64_t factor;
} scope;

typedef struct {
    xy_compiler *c;
    const xy_ntuple *nt;
    xy_nt_needs *needs;
    scope at;
} planner;

static int32_t compile_field(planner *p, const xy_nt_field *f);

/* Enters the fields below the offsets of a need; -1 when there are no offsets. */
static void enter(planner *p, int32_t offsets) {
    p->at = (scope){0, offsets, 1};
}

/* Enters the elements of an array. */
static void enter_array(planner *p, uint64_t size) {
    p->at.repetition *= size;
    p->at.factor *= size;
}

static bool is(xy_str s, const char *text) {
    return xy_str_is(s, text);
}

static bool starts(xy_str s, const char *prefix) {
    size_t n = strlen(prefix);
    return s.len >= n && memcmp(s.text, prefix, n) == 0;
}

int xy_nt_native(int type) {
    static const int8_t native[] = {XY_BOOL, XY_U8,  XY_I8,  XY_I8,  XY_U8,  XY_I16, XY_U16, XY_I32,
                                    XY_U32,  XY_I64, XY_U64, XY_F32, XY_F32, XY_F64, XY_U64, XY_U64,
                                    -1,      XY_I16, XY_U16, XY_I32, XY_U32, XY_I64, XY_U64, XY_F32,
                                    XY_F32,  XY_F64, XY_U64, XY_U64, XY_F32, XY_F64};
    return type >= 0 && (size_t)type < sizeof native ? native[type] : -1;
}

static bool is_index(int type) {
    return type == XY_COL_INDEX32 || type == XY_COL_INDEX64 || type == XY_COL_SPLIT_INDEX32 ||
           type == XY_COL_SPLIT_INDEX64;
}

static bool is_real(int dtype) {
    return dtype == XY_F32 || dtype == XY_F64;
}

static xy_node *at(planner *p, int32_t node) {
    return &p->c->program->nodes[node];
}

static int32_t node_of(planner *p, xy_op op, const xy_nt_field *f) {
    int32_t i = xy_node_new(p->c->program, op);
    xy_buffer path = {0};
    xy_nt_put_path(p->nt, f, &path);
    if (path.failed) p->c->program->failed = true;
    uint32_t text = xy_program_intern(p->c->program, (const char *)path.data, path.len);
    uint32_t type = xy_program_intern(p->c->program, f->type.text, f->type.len);
    xy_buffer_free(&path);
    if (!p->c->program->failed) {
        at(p, i)->count_name = text;
        at(p, i)->type_name = type;
    }
    return i;
}

static int32_t need(planner *p, const xy_nt_field *f, int32_t k, bool offsets) {
    xy_nt_needs *n = p->needs;
    if (!xy_grow((void **)&n->list, &n->cap, n->count, sizeof *n->list)) {
        p->c->program->failed = true;
        return 0;
    }
    n->list[n->count] = (xy_nt_need){
        (int32_t)(f - p->nt->fields), k, p->at.repetition, offsets, p->at.above, p->at.factor};
    return n->count++;
}

static int32_t error(planner *p, const xy_nt_field *f, const char *why) {
    return xy_node_error(p->c->program, "field %.*s (%.*s) %s", (int)f->name.len, f->name.text,
                         (int)f->type.len, f->type.text, why);
}

/* Type of the k-th column in all representations when `fits` holds for all of them; else -1. */
static int column_type(planner *p, const xy_nt_field *f, int32_t k, bool (*fits)(int)) {
    const xy_ntuple *nt = p->nt;
    int32_t arity = xy_nt_arity(nt, f);
    if (k >= arity || f->column_count % arity != 0) return -1;
    const int32_t *own = nt->attached + f->first_column;
    for (int32_t i = k; i < f->column_count; i += arity) {
        const xy_nt_column *col = &nt->columns[own[i]];
        if (xy_nt_bits(col) == 0 || !fits(col->type)) return -1;
    }
    return nt->columns[own[k]].type;
}

static bool fits_bytes(int type) {
    return type == XY_COL_CHAR || type == XY_COL_BYTE || type == XY_COL_UINT8 ||
           type == XY_COL_INT8;
}
static bool fits_switch(int type) {
    return type == XY_COL_SWITCH;
}
static bool fits_integer(int type) {
    int native = xy_nt_native(type);
    return native >= 0 && !is_real(native) && !is_index(type);
}
static bool fits_real(int type) {
    return is_real(xy_nt_native(type));
}
static bool fits_bit(int type) {
    return type == XY_COL_BIT;
}

static int dtype_of(xy_str type) {
    static const struct {
        const char *name;
        int dtype;
    } names[] = {{"bool", XY_BOOL},         {"char", XY_I8},           {"std::byte", XY_U8},
                 {"std::int8_t", XY_I8},    {"std::uint8_t", XY_U8},   {"std::int16_t", XY_I16},
                 {"std::uint16_t", XY_U16}, {"std::int32_t", XY_I32},  {"std::uint32_t", XY_U32},
                 {"std::int64_t", XY_I64},  {"std::uint64_t", XY_U64}, {"float", XY_F32},
                 {"double", XY_F64}};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (is(type, names[i].name)) return names[i].dtype;
    return -1;
}

static int32_t compile_number(planner *p, const xy_nt_field *f) {
    int dtype = dtype_of(f->type);
    bool sizes = starts(f->type, "ROOT::RNTupleCardinality<");
    int type;
    if (sizes) {
        /* Counts of collections have 64 bits whatever SizeT was: the index may be a 64-bit one. */
        dtype = XY_U64;
        type = column_type(p, f, 0, is_index);
    } else if (dtype < 0) {
        return error(p, f, "is of a type that is not known");
    } else {
        type = column_type(p, f, 0, is_real(dtype) ? fits_real : fits_integer);
    }
    if (type < 0) return error(p, f, "is stored in a column of an unexpected or unknown type");
    int32_t node = node_of(p, XY_OP_NUMBER, f);
    int32_t column = need(p, f, 0, sizes);
    if (p->c->program->failed) return node;
    at(p, node)->dtype = (uint8_t)dtype;
    at(p, node)->counter = column;
    at(p, node)->size = sizes ? XY_PAGED_SIZES : XY_PAGED_VALUES;
    bool approximate = type == XY_COL_REAL16 || type == XY_COL_SPLIT_REAL16 ||
                       type == XY_COL_REAL32_TRUNC || type == XY_COL_REAL32_QUANT ||
                       (dtype == XY_F64 && (type == XY_COL_REAL32 || type == XY_COL_SPLIT_REAL32));
    if (approximate) at(p, node)->flags |= XY_F_APPROX;
    return node;
}

/* A string, or the bytes of streamed objects: offsets, and bytes. */
static int32_t compile_bytes(planner *p, const xy_nt_field *f, xy_op op) {
    if (column_type(p, f, 0, is_index) < 0 || column_type(p, f, 1, fits_bytes) < 0)
        return error(p, f, "is stored in columns of unexpected or unknown types");
    int32_t node = node_of(p, op, f);
    int32_t offsets = need(p, f, 0, true);
    scope outer = p->at;
    enter(p, offsets);
    int32_t bytes = need(p, f, 1, false);
    p->at = outer;
    if (p->c->program->failed) return node;
    at(p, node)->counter = offsets;
    at(p, node)->size = bytes;
    return node;
}

static int32_t compile_streamer(planner *p, const xy_nt_field *f) {
    int32_t node = compile_bytes(p, f, XY_OP_TAPE);
    if (p->c->program->failed || at(p, node)->op != XY_OP_TAPE) return node;
    bool columnar = p->c->columnar;
    p->c->columnar = false;
    int32_t child;
    if (xy_is_collection(f->type.text, f->type.len)) {
        child = xy_node_new(p->c->program, XY_OP_HEADER);
        int32_t list = xy_compile_type(p->c, f->type.text, f->type.len);
        if (!p->c->program->failed) at(p, child)->first = list;
    } else {
        child = xy_compile_object(p->c, f->type.text, f->type.len, XY_ANY_VERSION, 0);
    }
    p->c->columnar = columnar;
    p->c->program->dynamic = true; /* it may point to objects of any class */
    if (!p->c->program->failed) at(p, node)->first = child;
    return node;
}

static bool is_optional(const xy_nt_field *f) {
    return starts(f->type, "std::optional<") || starts(f->type, "std::unique_ptr<");
}

/* A node over an index or switch column, without its children. */
static int32_t collection_node(planner *p, const xy_nt_field *f) {
    if (column_type(p, f, 0, is_index) < 0)
        return error(p, f, "has offsets in a column of an unexpected or unknown type");
    if (f->first_child < 0 || p->nt->fields[f->first_child].next >= 0)
        return error(p, f, "is a collection without exactly one type of elements");
    int32_t node = node_of(p, is_optional(f) ? XY_OP_OPTIONAL : XY_OP_LIST, f);
    int32_t column = need(p, f, 0, true);
    if (p->c->program->failed) return node;
    at(p, node)->counter = column;
    at(p, node)->size = 0;
    if (starts(f->type, "std::unordered_")) at(p, node)->flags |= XY_F_UNORDERED;
    if (starts(f->type, "std::map<") || starts(f->type, "std::multimap<") ||
        starts(f->type, "std::unordered_map<") || starts(f->type, "std::unordered_multimap<"))
        at(p, node)->flags |= XY_F_MAP;
    return node;
}

static int32_t variant_node(planner *p, const xy_nt_field *f, xy_op op) {
    if (column_type(p, f, 0, fits_switch) < 0)
        return error(p, f, "is a variant without a column of switches");
    int32_t node = node_of(p, op, f);
    int32_t column = need(p, f, 0, false);
    if (!p->c->program->failed) at(p, node)->counter = column;
    return node;
}

static int32_t fixed_node(planner *p, const xy_nt_field *f) {
    const uint64_t most = (uint64_t)1 << 40;
    if (f->array_size == 0 || f->array_size > INT32_MAX ||
        p->at.repetition > most / f->array_size || p->at.factor > most / f->array_size)
        return error(p, f, "has an impossible size");
    int32_t node = node_of(p, XY_OP_FIXED, f);
    if (!p->c->program->failed) at(p, node)->size = (int32_t)f->array_size;
    return node;
}

static bool is_error(planner *p, int32_t node) {
    return p->c->program->failed || at(p, node)->op == XY_OP_ERROR;
}

static void set_first(planner *p, int32_t node, int32_t child) {
    if (!p->c->program->failed) at(p, node)->first = child;
}

/* Children in a row; those of pairs get the names that they have in C++. */
static void compile_children(planner *p, const xy_nt_field *f, int32_t node) {
    bool pair = starts(f->type, "std::pair<");
    int32_t last = -1;
    for (int32_t i = f->first_child; i >= 0; i = p->nt->fields[i].next) {
        const xy_nt_field *child = &p->nt->fields[i];
        xy_str name = child->name;
        if (pair && is(name, "_0")) name = (xy_str){"first", 5};
        if (pair && is(name, "_1")) name = (xy_str){"second", 6};
        int32_t m = compile_field(p, child);
        uint32_t text = xy_program_intern(p->c->program, name.text, name.len);
        if (p->c->program->failed) return;
        at(p, m)->name = text;
        if (starts(name, ":_")) at(p, m)->flags |= XY_F_FLATTEN;
        if (last < 0)
            at(p, node)->first = m;
        else
            at(p, last)->next = m;
        last = m;
    }
}

static int32_t compile_leaf(planner *p, const xy_nt_field *f) {
    if (f->flags & XY_NT_REPETITIVE) {
        int32_t node = fixed_node(p, f);
        if (is_error(p, node)) return node;
        scope outer = p->at;
        enter_array(p, f->array_size);
        int32_t child = -1;
        if (f->first_child >= 0) {
            child = compile_field(p, &p->nt->fields[f->first_child]);
        } else if (column_type(p, f, 0, fits_bit) >= 0) {
            child = node_of(p, XY_OP_NUMBER, f);
            int32_t column = need(p, f, 0, false);
            if (!p->c->program->failed) {
                at(p, child)->dtype = XY_BOOL;
                at(p, child)->counter = column;
                at(p, child)->size = XY_PAGED_VALUES;
            }
        } else {
            child = error(p, f, "is an array without elements");
        }
        p->at = outer;
        set_first(p, node, child);
        return node;
    }
    if (f->column_count > 0) {
        if (is(f->type, "std::string")) return compile_bytes(p, f, XY_OP_TSTRING);
        return compile_number(p, f);
    }
    /* Enums and atomics stand for the one field below them. */
    if (f->first_child >= 0 && p->nt->fields[f->first_child].next < 0)
        return compile_field(p, &p->nt->fields[f->first_child]);
    return error(p, f, "has neither columns nor fields");
}

static int32_t compile_field(planner *p, const xy_nt_field *f) {
    if (f->version != 0) return error(p, f, "has a version of the format that is not known");
    int32_t node;
    scope outer = p->at;
    switch (f->role) {
    case XY_NT_LEAF: return compile_leaf(p, f);
    case XY_NT_COLLECTION:
        node = collection_node(p, f);
        if (is_error(p, node)) return node;
        enter(p, at(p, node)->counter);
        set_first(p, node, compile_field(p, &p->nt->fields[f->first_child]));
        p->at = outer;
        return node;
    case XY_NT_RECORD:
        node = node_of(p, XY_OP_STRUCT, f);
        compile_children(p, f, node);
        return node;
    case XY_NT_VARIANT:
        node = variant_node(p, f, XY_OP_VARIANT);
        if (is_error(p, node)) return node;
        enter(p, -1);
        compile_children(p, f, node);
        p->at = outer;
        return node;
    case XY_NT_STREAMER: return compile_streamer(p, f);
    default: return error(p, f, "has a structure that is not known");
    }
}

/* The field `path[0]` as far as `path` follows its children down. */
static int32_t compile_path(planner *p, const xy_nt_field *const *path, int length) {
    const xy_nt_field *f = path[0];
    if (length == 1) return compile_field(p, f);
    if (f->version != 0) return error(p, f, "has a version of the format that is not known");
    int32_t node;
    scope outer = p->at;
    switch (f->role) {
    case XY_NT_LEAF:
        if (!(f->flags & XY_NT_REPETITIVE)) return compile_path(p, path + 1, length - 1);
        node = fixed_node(p, f);
        enter_array(p, f->array_size);
        break;
    case XY_NT_RECORD: return compile_path(p, path + 1, length - 1);
    case XY_NT_COLLECTION:
        node = collection_node(p, f);
        enter(p, is_error(p, node) ? -1 : at(p, node)->counter);
        break;
    case XY_NT_VARIANT: {
        node = variant_node(p, f, XY_OP_OPTIONAL);
        int32_t alternative = 1;
        for (int32_t i = f->first_child; &p->nt->fields[i] != path[1]; i = p->nt->fields[i].next)
            alternative++;
        if (!is_error(p, node)) at(p, node)->size = alternative;
        enter(p, -1);
        break;
    }
    default: return error(p, f, "has a structure that is not known");
    }
    if (!is_error(p, node)) set_first(p, node, compile_path(p, path + 1, length - 1));
    p->at = outer;
    return node;
}

bool xy_nt_plan(xy_compiler *c, const xy_ntuple *nt, int32_t position, xy_nt_needs *needs) {
    const xy_nt_field *path[64];
    const xy_nt_field *f = &nt->fields[nt->order[position]];
    int length = f->depth + 1; /* depth is bounded in schema.c */
    for (int i = length - 1; i >= 0; i--) {
        path[i] = f;
        if (i > 0) f = &nt->fields[f->parent];
    }
    planner p = {c, nt, needs, {1, -1, 1}};
    int32_t root = xy_node_new(c->program, XY_OP_ENTRIES);
    int32_t child = compile_path(&p, path, length);
    if (c->program->failed) return false;
    c->program->nodes[root].first = child;
    c->program->root = root;
    if (c->program->nodes[child].op == XY_OP_ERROR) c->program->root = child;
    xy_assign_columns(c->program);
    return true;
}
