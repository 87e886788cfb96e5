#include "program.h"

#include "../text.h"

void xy_program_init(xy_program *p) {
    memset(p, 0, sizeof *p);
    p->root = -1;
    xy_append_u8(&p->pool, 0);
}

void xy_program_free(xy_program *p) {
    free(p->nodes);
    free(p->classes);
    free(p->buckets);
    xy_buffer_free(&p->pool);
    memset(p, 0, sizeof *p);
}

uint32_t xy_program_intern(xy_program *p, const char *text, size_t len) {
    if (!len) return 0;
    uint32_t at = (uint32_t)p->pool.len;
    uint8_t *s = xy_extend(&p->pool, len + 1);
    if (!s) {
        p->failed = true;
        return 0;
    }
    memcpy(s, text, len);
    s[len] = 0;
    return at;
}

/* Always gives a usable index: when memory is out, node 0 and `failed`. */
int32_t xy_node_new(xy_program *p, xy_op op) {
    if (!xy_grow((void **)&p->nodes, &p->cap, p->count, sizeof *p->nodes)) {
        p->failed = true;
        return p->count ? 0 : -1;
    }
    xy_node *n = &p->nodes[p->count];
    memset(n, 0, sizeof *n);
    n->op = (uint8_t)op;
    n->first = n->next = n->counter = n->column = -1;
    return p->count++;
}

int32_t xy_node_error(xy_program *p, const char *format, ...) {
    char text[300];
    va_list args;
    va_start(args, format);
    xy_format_list(text, sizeof text, format, args);
    va_end(args);
    int32_t i = xy_node_new(p, XY_OP_ERROR);
    uint32_t at = xy_program_intern(p, text, strlen(text));
    if (!p->failed) p->nodes[i].type_name = at;
    return i;
}

int32_t xy_node_number(xy_program *p, int wire, int dtype) {
    int32_t i = xy_node_new(p, XY_OP_NUMBER);
    if (p->failed) return i;
    p->nodes[i].wire = (uint8_t)wire;
    p->nodes[i].dtype = (uint8_t)dtype;
    return i;
}

uint32_t xy_name_hash(const char *s, size_t n) {
    uint32_t h = 2166136261u;
    for (size_t i = 0; i < n; i++)
        h = (h ^ (uint8_t)s[i]) * 16777619u;
    return h;
}

int32_t xy_program_class_index(const xy_program *p, const char *name, size_t len) {
    uint32_t hash = xy_name_hash(name, len);
    int32_t i = p->bucket_count ? p->buckets[hash & (p->bucket_count - 1)] : -1;
    for (; i >= 0; i = p->classes[i].next) {
        if (p->classes[i].hash != hash) continue;
        const char *other = xy_program_text(p, p->classes[i].name);
        if (strncmp(other, name, len) == 0 && other[len] == 0) return i;
    }
    return -1;
}

static int32_t *bucket_of(xy_program *p, uint32_t hash) {
    return &p->buckets[hash & (p->bucket_count - 1)];
}

bool xy_program_index_classes(xy_program *p) {
    uint32_t count = 64;
    while (count < (uint32_t)p->class_count * 2)
        count *= 2;
    int32_t *buckets = xy_new(count, sizeof *buckets);
    if (!buckets) return false;
    free(p->buckets);
    p->buckets = buckets;
    p->bucket_count = count;
    memset(buckets, 0xff, count * sizeof *buckets);
    for (int32_t i = 0; i < p->class_count; i++) {
        int32_t *first = bucket_of(p, p->classes[i].hash);
        p->classes[i].next = *first;
        *first = i;
    }
    return true;
}

int32_t xy_program_add_class(xy_program *p, const char *name, size_t len) {
    enum { MAX_ALIKE = 256 };
    bool room = xy_grow((void **)&p->classes, &p->class_cap, p->class_count, sizeof *p->classes);
    if (room && (uint32_t)p->class_count >= p->bucket_count) room = xy_program_index_classes(p);
    if (!room) {
        p->failed = true;
        return 0;
    }
    uint32_t hash = xy_name_hash(name, len);
    int32_t index = p->class_count++, *first = bucket_of(p, hash), alike = 0;
    for (int32_t i = *first; i >= 0 && alike <= MAX_ALIKE; i = p->classes[i].next)
        alike++;
    p->failed |= alike > MAX_ALIKE;
    p->classes[index] = (xy_program_class){xy_program_intern(p, name, len), hash, -1, *first};
    *first = index;
    return index;
}

void xy_assign_columns(xy_program *p) {
    p->column_count = 0;
    if (p->root < 0) return;
    enum { STACK = 1024 };
    /* Depth first with an explicit stack: children before next siblings, as the schema is read. */
    int32_t stack[STACK];
    int top = 0;
    stack[top++] = p->root;
    while (top) {
        xy_node *n = &p->nodes[stack[--top]];
        if (top > STACK - 2) { /* cannot be: compiling bounds the depth, and so does this */
            p->failed = true;
            return;
        }
        if (n->next >= 0 && n != &p->nodes[p->root]) stack[top++] = n->next;
        n->column = p->column_count;
        switch (n->op) {
        case XY_OP_NUMBER:
        case XY_OP_BITS:
        case XY_OP_COUNTED:
        case XY_OP_TRIANGLE:
        case XY_OP_REST:
        case XY_OP_LIST:
        case XY_OP_OPTIONAL:
        case XY_OP_LOOP: p->column_count += 1; break;
        case XY_OP_VARIANT:
        case XY_OP_TSTRING:
        case XY_OP_CHARS:
        case XY_OP_TAPE: p->column_count += 2; break;
        default: break;
        }
        if (n->first >= 0 && n->op != XY_OP_TAPE) stack[top++] = n->first;
    }
}

static size_t wire_size(int wire) {
    static const uint8_t size[] = {1, 1, 2, 4, 8, 4, 3, 4};
    return size[wire];
}

/* Larger values are read one by one; so sizes never overflow. */
enum { MAX_FIXED = 1 << 28 };

size_t xy_fixed_size(const xy_program *p, int32_t node) {
    const xy_node *n = &p->nodes[node];
    switch (n->op) {
    case XY_OP_NUMBER: return wire_size(n->wire);
    case XY_OP_FIXED: {
        size_t s = xy_fixed_size(p, n->first);
        return n->size > 0 && s <= MAX_FIXED / (size_t)n->size ? (size_t)n->size * s : 0;
    }
    case XY_OP_STRUCT: {
        size_t sum = 0;
        for (int32_t i = n->first; i >= 0; i = p->nodes[i].next) {
            size_t s = xy_fixed_size(p, i);
            if (!s || sum > MAX_FIXED) return 0;
            sum += s;
        }
        return sum <= MAX_FIXED ? sum : 0;
    }
    default: return 0;
    }
}

const char *xy_program_error(const xy_program *p, int32_t node) {
    const xy_node *n = &p->nodes[node];
    if (n->op == XY_OP_ERROR) return xy_program_text(p, n->type_name);
    if (n->op == XY_OP_TAPE) return NULL;
    for (int32_t i = n->first; i >= 0; i = p->nodes[i].next) {
        const char *text = xy_program_error(p, i);
        if (text) return text;
    }
    return NULL;
}
