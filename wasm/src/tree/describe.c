/* The description of a branch for people and for the host: the C++ type, the kind, and the
 * schema of the columns. */
#include "tree.h"

#include <stdlib.h>

static void put(xy_buffer *out, const char *text) {
    xy_append(out, text, strlen(text));
}

static void put_size(xy_buffer *out, int32_t size) {
    char digits[12];
    size_t at = sizeof digits;
    do
        digits[--at] = (char)('0' + size % 10);
    while ((size /= 10) > 0);
    put(out, "[");
    xy_append(out, digits + at, sizeof digits - at);
    put(out, "]");
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
        for (int32_t i = node; p->nodes[i].op == XY_OP_FIXED; i = p->nodes[i].first)
            put_size(out, p->nodes[i].size);
        break;
    }
    case XY_OP_REST:
    case XY_OP_COUNTED: {
        int32_t inner = n->first;
        while (p->nodes[inner].op == XY_OP_FIXED)
            inner = p->nodes[inner].first;
        type_of(p, inner, out);
        put(out, "[]");
        for (int32_t i = n->first; p->nodes[i].op == XY_OP_FIXED; i = p->nodes[i].first)
            put_size(out, p->nodes[i].size);
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
    default:
        put(out, *type ? type : "object");
        if (n->op == XY_OP_POINTER) put(out, "*");
        break;
    }
}

/* The C++ type of a branch as far as it needs no compiling; false where it does. */
static bool declared_type(const xy_tree *t, int32_t branch, xy_buffer *out) {
    const xy_part *object = t->branches[branch].part;
    xy_str cls = object->texts[XY_S_CLASS_NAME];
    int64_t kind = xy_part_int(object, XY_N_TYPE, 0);
    int64_t id = xy_part_int(object, XY_N_ID, -1);
    if (cls.len && kind != XY_B_CLONES_MEMBER && kind != XY_B_STL_MEMBER && id < 0) {
        xy_append(out, cls.text, cls.len);
        return true;
    }
    if (kind == XY_B_CLONES || kind == XY_B_STL) {
        xy_str clones = object->texts[XY_S_CLONES_NAME];
        if (kind == XY_B_STL && id < 0) {
            xy_append(out, cls.text, cls.len);
        } else {
            put(out, kind == XY_B_CLONES ? "TClonesArray<" : "collection<");
            xy_append(out, clones.text, clones.len);
            put(out, ">");
        }
        return true;
    }
    const xy_class *owner = NULL;
    const xy_element *e = id >= 0 ? xy_branch_element(t, object, &owner) : NULL;
    if (e && *e->type_name && (e->is_stl || e->type >= 60)) {
        put(out, e->type_name);
        if (kind == XY_B_CLONES_MEMBER || kind == XY_B_STL_MEMBER) put(out, "[]");
        return true;
    }
    if (e && e->type == XY_T_BASE) {
        put(out, e->name);
        return true;
    }
    return false;
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

/* Cache of branch descriptions by streamer element, because a tree has the same classes often
 * and members of the same class are alike wherever they are. */
typedef struct {
    const xy_element *element;
    bool of_many; /* the member of all elements of a collection */
    uint8_t kind;
    int32_t branch; /* the first that holds it */
} known_member;

typedef struct {
    known_member *slots; /* open addressing; NULL when there is no memory for it: then every
                          * branch is examined */
    size_t mask;
} known_members;

static known_member *slot_of(const known_members *known, const xy_element *e, bool of_many) {
    size_t i = ((uintptr_t)e / sizeof *e * 2 + of_many) * 2654435761u & known->mask;
    while (known->slots[i].element &&
           (known->slots[i].element != e || known->slots[i].of_many != of_many))
        i = (i + 1) & known->mask;
    return &known->slots[i];
}

/* The streamer element that alone determines the description of a branch; NULL when more is
 * needed. */
static const xy_element *only_element(const xy_tree *t, int32_t branch, bool *of_many) {
    const xy_part *object = t->branches[branch].part;
    if (!xy_str_is(object->cls, "TBranchElement")) return NULL;
    int64_t kind = xy_part_int(object, XY_N_TYPE, 0);
    *of_many = kind == XY_B_CLONES_MEMBER || kind == XY_B_STL_MEMBER;
    if (kind == XY_B_CLONES || kind == XY_B_STL || xy_part_int(object, XY_N_ID, -1) < 0)
        return NULL;
    const xy_class *owner = NULL;
    return xy_branch_element(t, object, &owner);
}

static bool is_group(const xy_tree *t, int32_t i) {
    return i + 1 < t->count && t->branches[i + 1].parent == i && t->branches[i].baskets == 0;
}

/* Appends the type; gives the kind. */
static uint8_t find_type(const xy_tree *t, int32_t branch, xy_buffer *type) {
    bool declared = declared_type(t, branch, type);
    if (declared && is_group(t, branch)) return 3;
    xy_program p;
    xy_program_init(&p);
    xy_compiler c = {.classes = t->file->classes, .program = &p};
    xy_plan_branch(&c, t, branch);
    type->failed |= p.failed;
    uint8_t kind = 2;
    if (!p.failed) {
        if (!declared && p.root >= 0) type_of(&p, p.root, type);
        if (!xy_program_error(&p, p.root)) kind = (uint8_t)xy_program_kind(&p);
    }
    xy_program_free(&p);
    return kind;
}

static xy_str text_of(const xy_texts *texts, int32_t index) {
    uint32_t start = 0, end;
    if (index > 0) memcpy(&start, texts->ends.data + 4 * ((size_t)index - 1), 4);
    memcpy(&end, texts->ends.data + 4 * (size_t)index, 4);
    return (xy_str){(const char *)texts->text.data + start, end - start};
}

bool xy_branch_types(const xy_tree *t, xy_texts *types, uint8_t *kinds) {
    known_members known = {.mask = 63};
    while (known.mask < 2 * (size_t)t->count)
        known.mask = known.mask * 2 + 1;
    known.slots = xy_new(known.mask + 1, sizeof *known.slots);
    xy_buffer type = {0};
    for (int32_t i = 0; i < t->count; i++) {
        bool of_many = false;
        const xy_element *e = known.slots ? only_element(t, i, &of_many) : NULL;
        known_member *slot = e ? slot_of(&known, e, of_many) : NULL;
        type.len = 0;
        if (slot && slot->element && (slot->kind != 3 || is_group(t, i)) && !types->text.failed &&
            !types->ends.failed) {
            xy_str same = text_of(types, slot->branch); /* copied: adding may move it */
            xy_append(&type, same.text, same.len);
            kinds[i] = slot->kind;
        } else {
            kinds[i] = find_type(t, i, &type);
            if (slot) *slot = (known_member){e, of_many, kinds[i], i};
        }
        xy_texts_add(types, (xy_str){(const char *)type.data, type.len});
        if (is_group(t, i)) kinds[i] = 3;
    }
    bool done = !type.failed;
    xy_buffer_free(&type);
    free(known.slots);
    return done;
}

/* The kind of column that a node becomes; NULL for one that is only a format, whose child is the
 * column. */
static const char *column_kind(int op) {
    switch (op) {
    case XY_OP_NUMBER:
    case XY_OP_BITS: return "primitive";
    case XY_OP_FIXED: return "fixed";
    case XY_OP_COUNTED:
    case XY_OP_TRIANGLE:
    case XY_OP_REST:
    case XY_OP_LOOP:
    case XY_OP_LIST: return "list";
    case XY_OP_TSTRING:
    case XY_OP_CHARS: return "string";
    case XY_OP_TAPE: return "tape";
    case XY_OP_OPTIONAL: return "optional";
    case XY_OP_VARIANT: return "variant";
    case XY_OP_ENTRIES:
    case XY_OP_HEADER:
    case XY_OP_OBJECT: return NULL;
    default: return "struct";
    }
}

static void put_flag(xy_buffer *out, bool flag) {
    xy_tape_u8(out, flag ? XY_TAPE_TRUE : XY_TAPE_FALSE);
}

/* A list with something of each child of a node. */
static void put_children(const xy_program *p, const xy_node *n, const char *key, xy_buffer *out,
                         void (*put_child)(const xy_program *, int32_t, xy_buffer *)) {
    xy_tape_key(out, key);
    size_t list = xy_tape_list(out);
    uint32_t count = 0;
    for (int32_t i = n->first; i >= 0; i = p->nodes[i].next, count++)
        put_child(p, i, out);
    xy_tape_list_end(out, list, count);
}

static void put_member_name(const xy_program *p, int32_t node, xy_buffer *out) {
    xy_tape_cstring(out, xy_program_text(p, p->nodes[node].name));
}

static void put_is_flat(const xy_program *p, int32_t node, xy_buffer *out) {
    put_flag(out, p->nodes[node].flags & XY_F_FLATTEN);
}

static void put_tape_type(const xy_program *p, int32_t node, xy_buffer *out) {
    xy_buffer type = {0};
    type_of(p, node, &type);
    xy_tape_key(out, "typeName");
    xy_tape_string(out, (const char *)type.data, type.len);
    out->failed |= type.failed;
    xy_buffer_free(&type);
}

void xy_plan_schema(const xy_program *p, int32_t node, xy_buffer *out) {
    const xy_node *n = &p->nodes[node];
    const char *kind = column_kind(n->op);
    if (!kind) {
        if (n->first >= 0)
            xy_plan_schema(p, n->first, out);
        else
            xy_tape_u8(out, XY_TAPE_NULL);
        return;
    }
    size_t mark = xy_tape_object(out, 0, kind, strlen(kind));
    if (n->op == XY_OP_NUMBER || n->op == XY_OP_BITS) {
        xy_tape_key(out, "dtype");
        xy_tape_i32(out, n->op == XY_OP_BITS ? XY_U32 : n->dtype);
        xy_tape_key(out, "approximate");
        put_flag(out, n->flags & XY_F_APPROX);
    }
    if (n->op == XY_OP_FIXED) {
        xy_tape_key(out, "size");
        xy_tape_i32(out, n->size);
    }
    if (n->flags & XY_F_UNORDERED && n->op == XY_OP_LIST) {
        xy_tape_key(out, "unordered");
        put_flag(out, true);
    }
    if (n->op == XY_OP_TAPE) {
        put_tape_type(p, node, out);
    } else if (n->op == XY_OP_VARIANT) {
        put_children(p, n, "children", out, xy_plan_schema);
    } else if (strcmp(kind, "struct") == 0) {
        xy_tape_key(out, "typeName");
        xy_tape_cstring(out, xy_program_text(p, n->type_name));
        put_children(p, n, "names", out, put_member_name);
        put_children(p, n, "flat", out, put_is_flat);
        put_children(p, n, "children", out, xy_plan_schema);
    } else if (n->first >= 0) {
        xy_tape_key(out, "child");
        xy_plan_schema(p, n->first, out);
    }
    xy_tape_object_end(out, mark);
}
