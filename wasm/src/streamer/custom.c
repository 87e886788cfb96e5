#include "custom.h"

#include "../file/basket.h"
#include "exact.h"

#include <inttypes.h>

enum { MAP_OFFSET = 2, NEW_CLASS = -1 };
#define CLASS_MASK 0x80000000u
#define BYTE_COUNT_MASK 0x40000000u

static xy_status remember(xy_run *run, xy_ref ref) {
    if (!xy_grow((void **)&run->refs, &run->ref_cap, run->ref_count, sizeof ref))
        return xy_no_memory(run);
    run->refs[run->ref_count++] = ref;
    return XY_OK;
}

/* Offsets grow as the record is read, so the table is sorted by them (within one kind). */
static const xy_ref *recall(const xy_run *run, uint32_t offset, bool is_class) {
    int32_t lo = 0, hi = run->ref_count;
    while (lo < hi) {
        int32_t mid = lo + (hi - lo) / 2;
        if (run->refs[mid].offset < offset)
            lo = mid + 1;
        else
            hi = mid;
    }
    for (; lo < run->ref_count && run->refs[lo].offset == offset; lo++)
        if ((run->refs[lo].id == 0) == is_class) return &run->refs[lo];
    return NULL;
}

/* Reads the class name after a new-class tag: text that ends with a zero byte. */
static xy_status take_class_name(xy_run *run, xy_cursor *in, xy_pointer *p) {
    enum { MAX_LENGTH = UINT16_MAX, AT_ONCE = 16 };
    const uint8_t *start = in->base + in->pos;
    size_t most = xy_left(in) < MAX_LENGTH ? xy_left(in) : MAX_LENGTH;
    const uint8_t *end = memchr(start, 0, most);
    size_t len = end ? (size_t)(end - start) : most;
    xy_status s = xy_spend(run, len / AT_ONCE);
    if (s) return s;
    if (!end) return xy_truncated(run, "a class name");
    p->name = (xy_str){(const char *)start, len};
    p->cls = xy_program_class_index(run->program, p->name.text, len);
    in->pos += len + 1;
    return XY_OK;
}

/* The class of an object from its tag; a class that was met within a part that was stepped over
 * is looked up where the tag points to. */
static xy_status resolve_class(xy_run *run, uint32_t tag, uint32_t tag_offset, xy_pointer *p) {
    if (tag == (uint32_t)NEW_CLASS) {
        xy_status s = take_class_name(run, &run->in, p);
        if (s) return s;
        return remember(run,
                        (xy_ref){tag_offset + MAP_OFFSET, 0, p->name.text, p->name.len, p->cls});
    }
    uint32_t offset = tag & ~CLASS_MASK;
    const xy_ref *ref = recall(run, offset, true);
    if (ref) {
        p->name = (xy_str){ref->text, ref->len};
        p->cls = ref->index;
        return XY_OK;
    }
    xy_cursor there = run->in;
    size_t at = offset - MAP_OFFSET - run->origin; /* one that is not in the input wraps around */
    if (run->in.pos > 4 && at < run->in.pos - 4) {
        there.pos = at;
        if (xy_u32(&there) == (uint32_t)NEW_CLASS) return take_class_name(run, &there, p);
    }
    return xy_fail(run->err, XY_E_CORRUPT, tag_offset,
                   "an object's class tag points to byte %" PRIu32 ", where no class is named",
                   offset);
}

/* Notes a reference whose tag was just read. What begins without a byte count may be of a buffer
 * whose tags count objects instead of bytes. */
static xy_status note_tag(xy_run *run, const xy_pointer *p, uint32_t tag) {
    bool null = tag == 0, own = tag == 1, fresh = tag == (uint32_t)NEW_CLASS;
    if (!(tag & CLASS_MASK) ? null || own : fresh && p->end) return XY_OK;
    if ((tag & CLASS_MASK) && !p->end)
        return xy_fail(run->err, XY_E_UNSUPPORTED, p->start, "an object without a byte count");
    xy_tag found = {(uint32_t)run->in.pos - 4, tag};
    return xy_append(run->tags, &found, sizeof found) ? XY_OK : xy_no_memory(run);
}

xy_status xy_read_pointer(xy_run *run, xy_pointer *p) {
    xy_cursor *in = &run->in;
    *p = (xy_pointer){.start = (uint32_t)(in->pos + run->origin), .cls = -1};
    uint32_t tag = xy_u32(in), tag_offset = p->start;
    if ((tag & BYTE_COUNT_MASK) && tag != (uint32_t)NEW_CLASS && !(tag & CLASS_MASK)) {
        uint32_t count = tag & ~BYTE_COUNT_MASK;
        if (count > xy_left(in))
            return xy_fail(run->err, XY_E_CORRUPT, p->start,
                           "an object claims %" PRIu32 " bytes where %zu are left", count,
                           xy_left(in));
        p->end = in->pos + count;
        tag_offset = (uint32_t)(in->pos + run->origin);
        tag = xy_u32(in);
    }
    if (in->bad) return xy_truncated(run, "a pointer");
    xy_status s = XY_EXACT(run) && run->tags ? note_tag(run, p, tag) : XY_OK;
    if (s) return s;
    if (!(tag & CLASS_MASK)) {
        const xy_ref *ref = tag > 1 ? recall(run, tag, false) : NULL;
        p->id = tag == 1 ? 1 : ref ? ref->id : 0;
        p->lost = tag && !p->id;
        if (p->end) in->pos = p->end;
        return XY_OK;
    }
    s = resolve_class(run, tag, tag_offset, p);
    if (s) return s;
    p->fresh = true;
    p->id = ++run->last_id;
    if (p->id == 1) p->id = ++run->last_id; /* 1 is the record's own object */
    s = remember(run, (xy_ref){p->start + MAP_OFFSET, p->id, "", 0, -1});
    /* Keep the table sorted: the class of a new-class tag comes after its object. */
    if (!s && run->ref_count > 1 && run->refs[run->ref_count - 2].offset > p->start + MAP_OFFSET) {
        xy_ref last = run->refs[run->ref_count - 1];
        run->refs[run->ref_count - 1] = run->refs[run->ref_count - 2];
        run->refs[run->ref_count - 2] = last;
    }
    return s;
}

static void put_ref(xy_run *run, uint32_t id) {
    xy_tape_u8(run->tape, XY_TAPE_REF);
    xy_append_u32(run->tape, id);
}

xy_status xy_run_pointer(xy_run *run) {
    xy_cursor *in = &run->in;
    xy_pointer p;
    xy_status s = xy_read_pointer(run, &p);
    if (s) return s;
    if (!p.fresh) {
        if (p.id)
            put_ref(run, p.id);
        else if (p.lost && XY_EXACT(run))
            return xy_fail(run->err, XY_E_UNSUPPORTED, p.start,
                           "a reference to an object that was not read");
        else if (p.lost)
            xy_tape_error(run->tape, "a reference to an object that was not read");
        else
            xy_tape_u8(run->tape, XY_TAPE_NULL);
        return XY_OK;
    }
    size_t mark = run->tape->len, whole_end = in->end;
    int depth = run->depth;
    s = xy_enter(run);
    if (p.end) in->end = p.end;
    if (s)
        ; /* it may be stepped over below */
    else if (p.cls < 0)
        s = xy_fail(run->err, XY_E_NO_STREAMER, p.start,
                    "class %.*s has no streamer info in this file", (int)p.name.len, p.name.text);
    else
        s = xy_run_named(run, run->program->classes[p.cls].node, p.id, p.name);
    in->end = whole_end;
    run->depth = depth;
    if (s && p.end && s != XY_E_MEMORY && s != XY_E_BUDGET && !run->tape->failed &&
        !XY_EXACT(run)) {
        run->tape->len = mark;
        xy_tape_error(run->tape, run->err->message);
        memset(run->err, 0, sizeof *run->err);
        in->bad = false;
        s = XY_OK;
    }
    if (p.end && !s) in->pos = p.end;
    return s;
}

xy_status xy_read_collection_head(xy_run *run, xy_head *head) {
    xy_status s = xy_read_head(run, NULL, head);
    run->memberwise = head->memberwise;
    run->value_version = 0;
    run->value_checksum = 0;
    if (s || !head->memberwise || head->version < 8) return s;
    run->value_version = xy_i16(&run->in);
    if (run->value_version <= 0) run->value_checksum = xy_u32(&run->in);
    return run->in.bad ? xy_truncated(run, "a member-wise header") : XY_OK;
}

static void put_text_member(xy_run *run, const char *key, xy_str text) {
    xy_tape_key(run->tape, key);
    xy_tape_string(run->tape, text.text, text.len);
}

xy_status xy_read_collection(xy_run *run, int32_t version, int32_t named_from, int32_t tobject_from,
                             xy_str *name, uint32_t *count) {
    uint32_t id, bits;
    uint16_t pid;
    if (version > tobject_from) {
        xy_status s = xy_read_tobject(run, &id, &bits, &pid);
        if (s) return s;
        if (XY_EXACT(run)) xy_put_tobject(run, id, bits, pid);
    }
    *name = (xy_str){"", 0};
    if (version > named_from) *name = xy_string(&run->in);
    *count = xy_u32(&run->in);
    if (run->in.bad) return xy_truncated(run, "a collection");
    if (*count > xy_left(&run->in))
        return xy_fail(run->err, XY_E_CORRUPT, run->in.pos + run->origin,
                       "a collection claims %" PRIu32 " objects where %zu bytes are left", *count,
                       xy_left(&run->in));
    return XY_OK;
}

/* Reads the head of a collection and begins its list of `n` objects at `mark` of the tape. The
 * versions are those of xy_read_collection. */
static xy_status begin_collection(xy_run *run, int32_t version, int32_t named_from,
                                  int32_t tobject_from, uint32_t *n, size_t *mark) {
    xy_str name;
    xy_status s = xy_read_collection(run, version, named_from, tobject_from, &name, n);
    if (s) return s;
    put_text_member(run, "name", name);
    xy_tape_key(run->tape, "arr");
    *mark = xy_tape_list(run->tape);
    return XY_OK;
}

static void put_lower_bound(xy_run *run, int32_t lower) {
    xy_tape_key(run->tape, "fLowerBound");
    xy_tape_i32(run->tape, lower);
}

static xy_status run_objarray(xy_run *run, const xy_head *head) {
    uint32_t n;
    size_t mark;
    xy_status s = begin_collection(run, head->version, 1, 2, &n, &mark);
    if (s) return s;
    int32_t lower = xy_i32(&run->in);
    for (uint32_t i = 0; i < n && !s; i++) {
        size_t element = run->tape->len;
        s = xy_run_pointer(run);
        xy_forget(run, element);
    }
    xy_tape_list_end(run->tape, mark, n);
    if (XY_EXACT(run)) put_lower_bound(run, lower);
    return s;
}

static xy_status run_tlist(xy_run *run, const xy_head *head) {
    int32_t version = head->version;
    uint32_t n;
    size_t mark;
    xy_status s =
        begin_collection(run, version, version > 3 ? 3 : 1, version > 3 ? 3 : 2, &n, &mark);
    if (s) return s;
    xy_buffer options = {0};
    for (uint32_t i = 0; i < n && !s; i++) {
        size_t element = run->tape->len;
        s = xy_run_pointer(run);
        xy_forget(run, element);
        size_t len = 0;
        if (version > 3 && !s) {
            len = xy_u8(&run->in);
            if (version > 4 && len == 255) len = xy_u32(&run->in);
        }
        const uint8_t *text = xy_take(&run->in, len);
        if (!s && !text) s = xy_truncated(run, "an option of a list");
        if (!s && !run->forgets) xy_tape_string(&options, (const char *)text, len);
    }
    xy_tape_list_end(run->tape, mark, n);
    xy_tape_key(run->tape, "opt");
    mark = xy_tape_list(run->tape);
    xy_append(run->tape, options.data, options.len);
    xy_tape_list_end(run->tape, mark, n);
    xy_buffer_free(&options);
    return s;
}

static xy_status run_tmap(xy_run *run, const xy_head *head) {
    uint32_t n;
    size_t mark;
    xy_status s = begin_collection(run, head->version, 1, 2, &n, &mark);
    if (s) return s;
    for (uint32_t i = 0; i < n && !s; i++) {
        size_t pair = xy_tape_object(run->tape, 0, "TPair", 5);
        xy_tape_key(run->tape, "first");
        s = xy_run_pointer(run);
        xy_tape_key(run->tape, "second");
        if (!s) s = xy_run_pointer(run);
        xy_tape_object_end(run->tape, pair);
        xy_forget(run, pair);
    }
    xy_tape_list_end(run->tape, mark, n);
    return s;
}

/* The bytes up to `end`; false when memory is out. */
static bool put_rest(xy_run *run, size_t end) {
    size_t n = end - run->in.pos;
    xy_tape_key(run->tape, "$rest");
    uint8_t *out = xy_tape_array(run->tape, XY_U8, (uint32_t)n);
    if (out && n) memcpy(out, run->in.base + run->in.pos, n);
    return out != NULL;
}

int32_t xy_version_in(xy_str text, size_t from) {
    int32_t version = 0;
    for (size_t i = from; i < text.len; i++)
        if (text.text[i] >= '0' && text.text[i] <= '9' && version < 100000)
            version = version * 10 + text.text[i] - '0';
    return version;
}

/* "Class;version" and then the objects: member-wise, or each after a byte that says whether it
 * is there. */
static xy_status run_clonesarray(xy_run *run, const xy_head *head) {
    uint32_t id, bits = 0;
    uint16_t pid;
    xy_status s = XY_OK;
    if (head->version > 2) s = xy_read_tobject(run, &id, &bits, &pid);
    if (s) return s;
    if (XY_EXACT(run) && head->version > 2) xy_put_tobject(run, id, bits, pid);
    xy_str name = {"", 0};
    if (head->version > 1) name = xy_string(&run->in);
    xy_str class_version = xy_string(&run->in);
    int32_t n = xy_i32(&run->in);
    if (n < 0) n = n == INT32_MIN ? INT32_MAX : -n;
    int32_t lower = xy_i32(&run->in);
    if (run->in.bad) return xy_truncated(run, "a TClonesArray");
    put_text_member(run, "name", name);
    if (XY_EXACT(run)) {
        put_text_member(run, "$class", class_version);
        put_lower_bound(run, lower);
    }
    xy_tape_key(run->tape, "arr");
    const char *semicolon = memchr(class_version.text, ';', class_version.len);
    xy_str cls = class_version;
    if (semicolon) cls.len = (size_t)(semicolon - cls.text);
    if (n == 0) {
        xy_tape_list_end(run->tape, xy_tape_list(run->tape), 0);
        /* Member-wise streaming writes the headers of members that are collections all the same. */
        if (head->counted && (bits & XY_BYPASS_STREAMER)) {
            if (XY_EXACT(run) && !put_rest(run, head->end)) return xy_no_memory(run);
            run->in.pos = head->end;
        }
        return XY_OK;
    }
    if ((size_t)n > xy_left(&run->in))
        return xy_fail(run->err, XY_E_CORRUPT, run->in.pos + run->origin,
                       "a TClonesArray claims %d objects where %zu bytes are left", n,
                       xy_left(&run->in));
    int32_t index = xy_program_class_index(run->program, cls.text, cls.len);
    if (index < 0)
        return xy_fail(run->err, XY_E_NO_STREAMER, run->in.pos + run->origin,
                       "class %.*s has no streamer info in this file", (int)cls.len, cls.text);
    const xy_node *node = &run->program->nodes[run->program->classes[index].node];
    run->orders |= bits & XY_BYPASS_STREAMER ? XY_ORDER_MEMBER_WISE : XY_ORDER_OBJECT_WISE;
    if (bits & XY_BYPASS_STREAMER) {
        /* Member by member such a class has another form than its objects have by themselves. */
        if (node->op != XY_OP_OBJECT)
            return xy_fail(run->err, XY_E_UNSUPPORTED, run->in.pos + run->origin,
                           "a TClonesArray of %.*s that is stored member by member cannot be "
                           "decoded",
                           (int)cls.len, cls.text);
        int32_t version = xy_version_in(class_version, cls.len);
        int32_t layout = xy_choose_layout(run, node, version, 0);
        if (layout < 0) return (xy_status)run->err->status;
        return xy_run_memberwise(run, node, layout, (size_t)n);
    }
    size_t mark = xy_tape_list(run->tape);
    for (int32_t i = 0; i < n && !s; i++) {
        size_t element = run->tape->len;
        if (xy_u8(&run->in))
            s = xy_run_tape_as(run, run->program->classes[index].node, 0);
        else
            xy_tape_u8(run->tape, XY_TAPE_NULL);
        xy_forget(run, element);
    }
    xy_tape_list_end(run->tape, mark, (uint32_t)n);
    return s;
}

static xy_status run_refarray(xy_run *run, const xy_head *head) {
    (void)head;
    xy_str name;
    uint32_t n;
    xy_status s = xy_read_collection(run, 1, 0, 0, &name, &n);
    if (s) return s;
    int32_t lower = xy_i32(&run->in);
    uint16_t pid = xy_u16(&run->in);
    put_text_member(run, "name", name);
    xy_tape_key(run->tape, "fLast");
    size_t last_at = run->tape->len;
    xy_tape_i32(run->tape, -1);
    xy_tape_key(run->tape, "fLowerBound");
    xy_tape_i32(run->tape, lower);
    xy_tape_key(run->tape, "fUIDs");
    if (xy_left(&run->in) / 4 < n) return xy_truncated(run, "a TRefArray");
    xy_node number = {.wire = XY_W_32, .dtype = XY_U32};
    uint8_t *out = xy_tape_array(run->tape, XY_U32, n);
    if (!out) return xy_no_memory(run);
    s = xy_take_numbers(run, &number, out, n);
    /* fLast is the index of the last reference that is set; it is not stored. */
    int32_t last = (int32_t)n - 1;
    while (last >= 0 && xy_number_at(XY_U32, out, (size_t)last) == 0)
        last--;
    memcpy(run->tape->data + last_at + 2, &last, 4);
    if (XY_EXACT(run)) {
        xy_tape_key(run->tape, "fPID");
        xy_tape_u32(run->tape, pid);
    }
    return s;
}

/* RooFit's list: a TObject, then the objects themselves and the list's name. */
static xy_status run_roolinkedlist(xy_run *run, const xy_head *head) {
    uint32_t id, bits;
    uint16_t pid;
    xy_status s = xy_read_tobject(run, &id, &bits, &pid);
    if (s) return s;
    int32_t n = xy_i32(&run->in);
    if (run->in.bad) return xy_truncated(run, "a RooLinkedList");
    if (n < 0 || (size_t)n > xy_left(&run->in) / 4)
        return xy_fail(run->err, XY_E_CORRUPT, run->in.pos + run->origin,
                       "a RooLinkedList claims %" PRId32 " objects where %zu bytes are left", n,
                       xy_left(&run->in));
    xy_put_tobject(run, id, bits, pid);
    xy_tape_key(run->tape, "_size");
    xy_tape_i32(run->tape, n);
    xy_tape_key(run->tape, "arr");
    size_t mark = xy_tape_list(run->tape);
    for (int32_t i = 0; i < n && !s; i++) {
        size_t element = run->tape->len;
        s = xy_run_pointer(run);
        xy_forget(run, element);
    }
    xy_tape_list_end(run->tape, mark, (uint32_t)n);
    xy_str name = {"", 0};
    if (head->version > 1 && !s) name = xy_string(&run->in);
    if (run->in.bad && !s) return xy_truncated(run, "a RooLinkedList");
    put_text_member(run, "_name", name);
    return s;
}

/* A basket that was kept within its tree's record: a key without record, then the counts, and
 * according to `flag` the entry offsets and the data. */
static xy_status read_basket(xy_run *run) {
    xy_cursor *in = &run->in;
    xy_u32(in); /* nbytes */
    uint16_t key_version = xy_u16(in);
    xy_u32(in);
    xy_u32(in);
    uint16_t keylen = xy_u16(in);
    xy_u16(in);
    xy_take(in, key_version > 1000 ? 16 : 8);
    xy_string(in);
    xy_string(in);
    xy_string(in);
    xy_head head;
    xy_status s = xy_read_head(run, NULL, &head);
    if (s) return s;
    xy_basket_counts counts = xy_read_basket_counts(in);
    int32_t entries = counts.entries, last = counts.last;
    uint8_t flag = xy_u8(in);
    if (in->bad || entries < 0 || last < 0) return xy_truncated(run, "a basket");
    const struct {
        const char *key;
        int32_t value;
    } members[] = {{"fKeylen", keylen}, {"fNevBuf", entries}, {"fLast", last}};
    for (size_t i = 0; i < 3; i++) {
        xy_tape_key(run->tape, members[i].key);
        xy_tape_i32(run->tape, members[i].value);
    }
    if (!flag) return XY_OK;
    xy_node number = {.wire = XY_W_32, .dtype = XY_I32};
    bool generated = flag >= 80;
    if (generated) flag = (uint8_t)(flag - 80);
    if (!generated && flag % 10 != 2 && entries > 0) {
        uint32_t n = xy_u32(in);
        if (xy_left(in) / 4 < n) return xy_truncated(run, "a basket's entry offsets");
        xy_tape_key(run->tape, "fEntryOffset");
        uint8_t *out = xy_tape_array(run->tape, XY_I32, n);
        if (!out) return xy_no_memory(run);
        s = xy_take_numbers(run, &number, out, n);
        if (s) return s;
        if (flag > 40) {
            n = xy_u32(in);
            if (!xy_take(in, xy_bytes_of(n, 4)))
                return xy_truncated(run, "a basket's displacements");
        }
    }
    if (flag == 1 || flag > 10) {
        size_t n = (size_t)last;
        if (head.version <= 1) n = xy_u32(in);
        const uint8_t *data = xy_take(in, n);
        if (!data) return xy_truncated(run, "a basket's data");
        xy_tape_key(run->tape, "buffer");
        uint8_t *out = xy_tape_array(run->tape, XY_U8, (uint32_t)n);
        if (!out) return xy_no_memory(run);
        memcpy(out, data, n);
    }
    return XY_OK;
}

/* An exact tape has the whole basket, too: it refers to nothing outside of it. */
static xy_status run_basket(xy_run *run, const xy_head *head) {
    (void)head;
    size_t start = run->in.pos;
    xy_status s = read_basket(run);
    if (s || !XY_EXACT(run)) return s;
    size_t n = run->in.pos - start;
    xy_tape_key(run->tape, "$basket");
    uint8_t *out = xy_tape_array(run->tape, XY_U8, (uint32_t)n);
    if (out && n) memcpy(out, run->in.base + start, n);
    return out ? XY_OK : xy_no_memory(run);
}

#define CLASS(name, kind) {name, XY_CUSTOM_##kind},
const xy_custom_class xy_custom_classes[XY_CUSTOM_COUNT] = {XY_CUSTOM_CLASSES(CLASS)};
#undef CLASS

#define FORMAT(kind, function, version, pointers) {version, pointers},
const xy_custom_format *xy_custom_format_of(int custom) {
    static const xy_custom_format formats[] = {{0, true}, XY_CUSTOM_FORMATS(FORMAT)};
    bool known = custom > 0 && (size_t)custom < sizeof formats / sizeof *formats;
    return &formats[known ? custom : XY_CUSTOM_NONE];
}
#undef FORMAT

xy_status xy_run_custom(xy_run *run, const xy_node *node, uint16_t flags, uint32_t id) {
    const char *name = xy_program_text(run->program, node->type_name);
    bool base = flags & XY_F_FLATTEN;
    size_t mark = 0;
    if (!base) mark = xy_tape_object(run->tape, id, name, strlen(name));
    xy_head head = {0};
    int32_t usual = xy_custom_format_of(node->size)->version;
    xy_status s = usual < 0 ? XY_OK : xy_read_head(run, NULL, &head);
    if (s) return s;
    if (XY_EXACT(run) && usual >= 0) xy_put_version(run, &head, usual, base ? name : NULL);
    switch (node->size) {
#define RUN(kind, function, version, pointers)                                                     \
    case XY_CUSTOM_##kind: s = run_##function(run, &head); break;
        XY_CUSTOM_FORMATS(RUN)
#undef RUN
    }
    if (!s && head.counted) s = xy_check_end(run, &head, node->type_name);
    if (!s && !base) xy_tape_object_end(run->tape, mark);
    return s;
}

xy_status xy_run_leafobject(xy_run *run, const xy_node *node) {
    if (!(node->flags & XY_F_POINTERS)) return xy_run_tape_as(run, node->first, 0);
    size_t len = xy_u8(&run->in);
    const uint8_t *text = xy_take(&run->in, len + 1);
    if (!text) return xy_truncated(run, "a class name");
    int32_t index = xy_program_class_index(run->program, (const char *)text, len);
    if (index < 0)
        return xy_fail(run->err, XY_E_NO_STREAMER, run->in.pos + run->origin,
                       "class %.*s has no streamer info in this file", (int)len,
                       (const char *)text);
    return xy_run_tape_as(run, run->program->classes[index].node, 0);
}
