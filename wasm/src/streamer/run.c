#include "run.h"

#include "swap.h"

#include <inttypes.h>

/* Objects, base classes, pointers and lists that nest. RooWorkspaces need up to 460 levels. The
 * wasm has 768 KiB of stack, of which these take less than half (tests/wasm/nesting.test.ts with
 * half of TOTAL_STACK), and about 260 kB of V8's own stack, which has 984 kB. */
enum { MAX_DEPTH = 600 };

void xy_run_init(xy_run *run, xy_error *err, const xy_program *program) {
    memset(run, 0, sizeof *run);
    run->err = err;
    run->program = program;
}

void xy_run_free(xy_run *run) {
    free(run->refs);
    run->refs = NULL;
}

void xy_run_input(xy_run *run, const uint8_t *data, size_t len, size_t origin) {
    run->in = xy_cursor_of(data, len);
    run->origin = origin;
    run->ref_count = 0;
    run->last_id = 0;
    run->depth = 0;
    run->cells = 0;
}

xy_status xy_truncated(xy_run *run, const char *what) {
    return xy_fail(run->err, XY_E_CORRUPT, run->in.pos + run->origin,
                   "the data end within %s (%zu bytes are there)", what, run->in.end);
}

xy_status xy_no_memory(xy_run *run) {
    return xy_fail(run->err, XY_E_MEMORY, run->in.pos + run->origin, "out of memory");
}

xy_status xy_too_deep(xy_error *err, uint64_t offset) {
    return xy_fail(err, XY_E_DEPTH, offset, "objects nest deeper than %d levels", MAX_DEPTH);
}

xy_status xy_enter(xy_run *run) {
    if (++run->depth <= MAX_DEPTH) return XY_OK;
    run->too_deep = true;
    return xy_too_deep(run->err, run->in.pos + run->origin);
}

/* Whether a checksum follows a version that is not above 0. Classes without a version have it;
 * ClassDef(X, 0) has none, and the streamer info then says 0, too: TH1L is such a class. */
static bool has_checksum(const xy_run *run, const xy_node *object, int32_t version) {
    xy_cursor in = run->in;
    uint32_t word = xy_u32(&in);
    bool numbered = false;
    for (int32_t i = object->first; i >= 0; i = run->program->nodes[i].next) {
        const xy_node *layout = &run->program->nodes[i];
        if (layout->checksum == word) return true;
        if (layout->version == version && !(layout->flags & XY_F_ANY_VERSION)) numbered = true;
    }
    return !numbered;
}

xy_status xy_read_head(xy_run *run, const xy_node *object, xy_head *head) {
    xy_cursor *in = &run->in;
    memset(head, 0, sizeof *head);
    head->end = in->end;
    size_t start = in->pos;
    if (xy_left(in) >= 4 && (in->base[start] & 0x40) && in->base[start] != 0xff) {
        uint32_t count = xy_u32(in) & 0x3fffffffu;
        if (count > xy_left(in) || count < 2)
            return xy_fail(run->err, XY_E_CORRUPT, start + run->origin,
                           "an object claims %" PRIu32 " bytes where %zu are left", count,
                           xy_left(in));
        head->end = in->pos + count;
        head->counted = true;
    }
    uint16_t version = xy_u16(in);
    if (in->bad) return xy_truncated(run, "a version header");
    if (head->counted && (version & 0x4000) && !(version & 0x8000)) {
        head->memberwise = true;
        version &= 0x3fff;
    }
    head->version = (int16_t)version;
    head->summed = object && head->counted && head->version <= 0 && head->end - in->pos >= 4 &&
                   has_checksum(run, object, head->version);
    if (head->summed) head->checksum = xy_u32(in);
    return XY_OK;
}

/* `others`: flags of layouts that need a checksum to be told from others of their version. */
static int32_t find_layout(xy_run *run, const xy_node *object, int32_t version, uint32_t checksum,
                           uint16_t others) {
    const xy_program *p = run->program;
    const char *name = xy_program_text(p, object->type_name);
    int32_t only = -1, count = 0;
    for (int32_t i = object->first; i >= 0; i = p->nodes[i].next) {
        const xy_node *s = &p->nodes[i];
        if (s->flags & XY_F_ANY_VERSION) return i;
        if (checksum ? s->checksum == checksum : s->version == version) {
            if (checksum || !(s->flags & others)) return i;
            xy_fail(run->err, XY_E_NO_STREAMER, run->in.pos + run->origin,
                    "this file describes class %s version %d in several layouts, and the data do "
                    "not say which they have",
                    name, (int)version);
            return -1;
        }
        only = i;
        count++;
    }
    /* Checksums of one layout differ between versions of ROOT; the byte count guards the result. */
    if (checksum && count == 1) return only;
    if (count == 0)
        xy_fail(run->err, XY_E_NO_STREAMER, run->in.pos + run->origin,
                "class %s has no streamer info in this file", name);
    else if (checksum)
        xy_fail(run->err, XY_E_NO_STREAMER, run->in.pos + run->origin,
                "class %s version %d (checksum %08" PRIx32 ") has no streamer info in this file",
                name, (int)version, checksum);
    else
        xy_fail(run->err, XY_E_NO_STREAMER, run->in.pos + run->origin,
                "class %s version %d has no streamer info in this file", name, (int)version);
    return -1;
}

int32_t xy_layout_of(xy_run *run, const xy_node *object, const xy_head *head) {
    int32_t layout = xy_object_layout(run, object, head->version, head->checksum);
    if (layout >= 0 || head->counted || object->first < 0) return layout;
    /* Without a byte count, what was taken for a version may be data. */
    memset(run->err, 0, sizeof *run->err);
    xy_fail(run->err, XY_E_NO_STREAMER, run->in.pos + run->origin,
            "class %s has no streamer info in this file that fits its data",
            xy_program_text(run->program, object->type_name));
    return -1;
}

int32_t xy_object_layout(xy_run *run, const xy_node *object, int32_t version, uint32_t checksum) {
    return find_layout(run, object, version, checksum, XY_F_OTHER_MEMBERS);
}

int32_t xy_choose_layout(xy_run *run, const xy_node *object, int32_t version, uint32_t checksum) {
    return find_layout(run, object, version, checksum, XY_F_OTHER_MEMBERS | XY_F_OTHER_BASES);
}

static const xy_node *used(const xy_program *p, const xy_node *node) {
    return node->op == XY_OP_USE ? &p->nodes[p->classes[node->size].node] : node;
}

bool xy_is_dissolved(const xy_program *p, const xy_node *member) {
    return (member->flags & XY_F_BASE) && used(p, member)->op == XY_OP_OBJECT;
}

int32_t xy_base_layout(xy_run *run, const xy_node *member) {
    const xy_program *p = run->program;
    const xy_node *object = used(p, member);
    if (object->first >= 0 && p->nodes[object->first].next < 0) return object->first;
    for (int32_t i = object->first; i >= 0 && member->checksum; i = p->nodes[i].next)
        if (p->nodes[i].checksum == member->checksum) return i;
    for (int32_t i = object->first; i >= 0; i = p->nodes[i].next) {
        bool alone = !(p->nodes[i].flags & (XY_F_OTHER_MEMBERS | XY_F_OTHER_BASES));
        if (alone && p->nodes[i].version == member->version) return i;
    }
    const char *name = xy_program_text(p, object->type_name);
    xy_fail(run->err, XY_E_NO_STREAMER, run->in.pos + run->origin,
            object->first < 0 ? "class %s has no streamer info in this file"
                              : "this file describes the base class %s in several layouts, and the "
                                "derived class does not say which the data have",
            name);
    return -1;
}

xy_status xy_begin_object(xy_run *run, const xy_node *node, xy_open_object *object) {
    object->depth = run->depth;
    object->whole_end = run->in.end;
    xy_status s = xy_read_head(run, node, &object->head);
    if (s) return s;
    run->in.end = object->head.end;
    object->layout = xy_enter(run) ? -1 : xy_layout_of(run, node, &object->head);
    return XY_OK;
}

void xy_end_object(xy_run *run, const xy_open_object *object) {
    run->in.end = object->whole_end;
    run->depth = object->depth;
}

void xy_skip_object(xy_run *run, const xy_head *head) {
    memset(run->err, 0, sizeof *run->err);
    run->in.pos = head->end;
    run->in.bad = false;
}

xy_status xy_check_end(xy_run *run, const xy_head *head, uint32_t type_name) {
    if (!head->counted || run->in.pos == head->end) return XY_OK;
    const char *name = xy_program_text(run->program, type_name);
    bool over = run->in.pos > head->end;
    return xy_fail(run->err, XY_E_CORRUPT, run->in.pos + run->origin,
                   "%s%s is stored in another form than its streamer info says: %zu bytes %s",
                   type_name ? "class " : "a collection", name,
                   over ? run->in.pos - head->end : head->end - run->in.pos,
                   over ? "too few" : "are left over");
}

size_t xy_wire_size(int wire) {
    static const uint8_t size[] = {1, 1, 2, 4, 8, 4, 3, 4};
    return size[wire];
}

/* A float of an exponent byte and 16 bits: sign above `bits` bits of mantissa. */
static float truncated_float(const uint8_t *src, int bits) {
    uint32_t exponent = src[0];
    uint32_t mantissa = xy_be16(src + 1);
    uint32_t word = exponent << 23;
    word |= (mantissa & ((1u << (bits + 1)) - 1)) << (23 - bits);
    float v;
    memcpy(&v, &word, 4);
    return (mantissa & (1u << (bits + 1))) ? -v : v;
}

void xy_convert(const xy_node *node, const uint8_t *src, uint8_t *out, size_t n) {
    switch (node->wire) {
    case XY_W_U8: memcpy(out, src, n); break;
    case XY_W_BOOL:
        for (size_t i = 0; i < n; i++)
            out[i] = src[i] != 0;
        break;
    case XY_W_16: xy_swap16(src, out, n); break;
    case XY_W_32: xy_swap32(src, out, n); break;
    case XY_W_64: xy_swap64(src, out, n); break;
    case XY_W_FLOAT_AS_DOUBLE:
        for (size_t i = 0; i < n; i++) {
            uint32_t word = xy_be32(src + 4 * i);
            float f;
            memcpy(&f, &word, 4);
            double v = (double)f;
            memcpy(out + 8 * i, &v, 8);
        }
        break;
    case XY_W_SCALED:
    case XY_W_TRUNCATED: {
        size_t step = xy_wire_size(node->wire);
        for (size_t i = 0; i < n; i++) {
            double v = node->wire == XY_W_SCALED
                           ? (double)xy_be32(src + step * i) / node->factor + node->low
                           : (double)truncated_float(src + step * i, node->bits);
            if (node->dtype == XY_F64) {
                memcpy(out + 8 * i, &v, 8);
            } else {
                float f = (float)v;
                memcpy(out + 4 * i, &f, 4);
            }
        }
        break;
    }
    default: break;
    }
}

xy_status xy_take_numbers(xy_run *run, const xy_node *node, uint8_t *out, size_t n) {
    size_t size = xy_wire_size(node->wire);
    if (n > xy_left(&run->in) / size) return xy_truncated(run, "an array of numbers");
    const uint8_t *src = xy_take(&run->in, xy_bytes_of(n, size));
    xy_convert(node, src, out, n);
    return XY_OK;
}

static size_t min_bytes(const xy_program *p, xy_node *n, int depth);

/* The smallest of the layouts of an OBJECT, without its header, which member-wise streaming
 * leaves out. */
static size_t least_layout(const xy_program *p, const xy_node *object, int depth) {
    size_t least = SIZE_MAX;
    for (int32_t i = object->first; i >= 0; i = p->nodes[i].next) {
        size_t own = min_bytes(p, &p->nodes[i], depth);
        if (own < least) least = own;
    }
    return least == SIZE_MAX ? 0 : least;
}

static uint64_t find_least(const xy_program *p, const xy_node *n, int depth) {
    bool base = n->flags & XY_F_BASE;
    if (n->op == XY_OP_USE) {
        int32_t node = p->classes[n->size].node;
        if (node < 0) return 0;
        if (!base) return min_bytes(p, &p->nodes[node], depth);
        n = &p->nodes[node];
    }
    if (base && n->op == XY_OP_OBJECT) return least_layout(p, n, depth);
    uint64_t sum = 0;
    switch (n->op) {
    case XY_OP_NUMBER: return xy_wire_size(n->wire);
    case XY_OP_FIXED:
        if (n->size <= 0) return 0;
        return (uint32_t)n->size * (uint64_t)min_bytes(p, &p->nodes[n->first], depth);
    case XY_OP_STRUCT:
        for (int32_t i = n->first; i >= 0; i = p->nodes[i].next)
            sum += min_bytes(p, &p->nodes[i], depth);
        return sum;
    case XY_OP_COUNTED: return n->flags & XY_F_BARE ? 0 : 1;
    case XY_OP_REST:
    case XY_OP_LOOP:
    case XY_OP_TRIANGLE: return 0;
    case XY_OP_LIST:
    case XY_OP_POINTER:
    case XY_OP_CHARS: return 4;
    case XY_OP_OBJECT: return 2;
    case XY_OP_HEADER: /* which member-wise streaming writes once for all values */
    case XY_OP_TAPE: return min_bytes(p, &p->nodes[n->first], depth);
    default: return 1;
    }
}

/* Bytes that a value takes at least, in any form of streaming. Computed once for each node; a
 * node that contains itself, or nests deeply, counts as 0 there. */
static size_t min_bytes(const xy_program *p, xy_node *n, int depth) {
    enum { DEEP = 32, MAX_SIZE = 1 << 30 };
    if (!n->least && depth < DEEP) {
        n->least = 1;
        uint64_t least = find_least(p, n, depth + 1);
        n->least = 1 + (uint32_t)(least < MAX_SIZE ? least : MAX_SIZE);
    }
    return n->least ? n->least - 1 : 0;
}

xy_status xy_spend(xy_run *run, uint64_t steps) {
    if (steps > run->spare)
        return xy_fail(run->err, XY_E_BUDGET, run->in.pos + run->origin,
                       "too many values or names that take no bytes");
    run->spare -= (size_t)steps;
    return XY_OK;
}

xy_status xy_afford(xy_run *run, int32_t node, int64_t n) {
    size_t least = min_bytes(run->program, &run->program->nodes[node], 0);
    if (n < 0 || (least && (uint64_t)n > xy_left(&run->in) / least))
        return xy_truncated(run, "an array");
    return least ? XY_OK : xy_spend(run, (uint64_t)n);
}

xy_status xy_charge(xy_run *run, int32_t node, size_t n) {
    return min_bytes(run->program, &run->program->nodes[node], 0) ? XY_OK : xy_spend(run, n);
}

/* Notes how the members of the elements of a collection follow each other. */
static void note_order(xy_run *run, const xy_node *child, bool memberwise) {
    const xy_program *p = run->program;
    if (child->op == XY_OP_TAPE) child = &p->nodes[child->first];
    if (child->op == XY_OP_USE) child = &p->nodes[p->classes[child->size].node];
    bool objects = child->op == XY_OP_OBJECT || child->op == XY_OP_STRUCT;
    if (memberwise)
        run->orders |= XY_ORDER_MEMBER_WISE;
    else if (objects)
        run->orders |= XY_ORDER_OBJECT_WISE;
}

xy_status xy_read_count(xy_run *run, const xy_node *child, bool memberwise, size_t *count) {
    size_t at = run->in.pos;
    uint32_t n = xy_u32(&run->in);
    if (run->in.bad) return xy_truncated(run, "a collection's count");
    if (n > 0) note_order(run, child, memberwise);
    const xy_program *p = run->program;
    size_t least = memberwise && child->op == XY_OP_OBJECT
                       ? least_layout(p, child, 0)
                       : min_bytes(p, &p->nodes[child - p->nodes], 0);
    *count = n;
    if (!least) return xy_spend(run, n);
    if (n > xy_left(&run->in) / least)
        return xy_fail(run->err, XY_E_CORRUPT, at + run->origin,
                       "a collection claims %" PRIu32 " elements where %zu fit at most", n,
                       xy_left(&run->in) / least);
    return XY_OK;
}

bool xy_take_ints(xy_run *run, const xy_node *list, const xy_head *head, size_t *n) {
    if (list->op != XY_OP_LIST || !(list->flags & XY_F_INTS) || head->memberwise) return false;
    xy_cursor in = run->in;
    in.end = head->end;
    uint32_t count = xy_u32(&in);
    size_t room = xy_left(&in) / sizeof(int32_t);
    if (in.bad || count > room || (head->counted && xy_left(&in) != count * sizeof(int32_t)))
        return false;
    run->in.pos = in.pos;
    *n = count;
    return true;
}

xy_status xy_refuse_ints(xy_run *run, const xy_node *list) {
    if (list->op != XY_OP_LIST || !(list->flags & XY_F_INTS)) return XY_OK;
    return xy_fail(run->err, XY_E_UNSUPPORTED, run->in.pos + run->origin,
                   "ROOT does not write all bytes of a %s in an array or in the members of other "
                   "objects, because its enum is not an int",
                   xy_program_text(run->program, list->type_name));
}

void xy_read_enums(xy_run *run, const xy_node *number, uint8_t *out, size_t n) {
    size_t size = xy_dtype_size(number->dtype);
    for (size_t i = 0; i < n; i++) {
        int64_t v = (int32_t)xy_u32(&run->in);
        memcpy(out + i * size, &v, size); /* little-endian: the lower bytes come first */
    }
}

xy_status xy_read_tobject(xy_run *run, uint32_t *id, uint32_t *bits, uint16_t *pid) {
    xy_cursor *in = &run->in;
    if (xy_left(in) >= 4 && (in->base[in->pos] & 0x40)) xy_u32(in); /* byte count: rare, unused */
    xy_u16(in);
    *id = xy_u32(in);
    *bits = xy_u32(in);
    *pid = *bits & XY_IS_REFERENCED ? xy_u16(in) : 0;
    return in->bad ? xy_truncated(run, "a TObject") : XY_OK;
}

xy_status xy_read_tref(xy_run *run, uint32_t *id, uint32_t *bits, uint16_t *pid, xy_str *uuid) {
    xy_cursor *in = &run->in;
    xy_status s = xy_read_tobject(run, id, bits, pid);
    if (s) return s;
    if (!(*bits & XY_HAS_UUID)) {
        *pid = xy_u16(in);
    } else if (uuid) {
        *pid = 0;
        *uuid = xy_string(in);
    } else {
        return xy_fail(run->err, XY_E_UNSUPPORTED, in->pos + run->origin,
                       "a TRef by UUID has no place in a column");
    }
    return in->bad ? xy_truncated(run, "a TRef") : XY_OK;
}
