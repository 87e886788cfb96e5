/* Reads a tree's record: a tree of 11,000 branches is 11 MB of objects, of which listing and
 * reading it needs some 30 members. So the program that reads any object to the tape is walked
 * here without a tape: wanted members are kept by name, the others are stepped over, and arrays
 * of baskets are kept as offsets in the record. Anything else (a basket in the record, a class
 * of the experiment in fUserInfo) is read to the tape as any object is; only the tape of baskets
 * and of the lists of aliases and of friends stays. */
#include "tree.h"

#include "../streamer/custom.h"

#include <stdlib.h>

/* How a member is treated; a role is the kind plus an index. */
enum {
    ROLE_NONE = 0,
    ROLE_NUMBER = 1,
    ROLE_TEXT = ROLE_NUMBER + XY_N_COUNT,
    ROLE_ARRAY = ROLE_TEXT + XY_S_COUNT,
    ROLE_LIST = ROLE_ARRAY + XY_A_COUNT,
    ROLE_COUNTER = ROLE_LIST + XY_L_COUNT, /* fLeafCount */
    ROLE_ALIASES,
    ROLE_FRIENDS,
    ROLE_FEATURES,    /* an object of which fIOBits is wanted */
    ROLE_WHOLE,       /* not a member: an object with a part of its own */
    ROLE_KNOWN = 64,  /* the role was looked up */
    ROLE_COUNTS = 128 /* its value is the length of other members */
};

static const struct {
    const char *name;
    uint8_t role;
} roles[] = {
    {"fName", ROLE_TEXT + XY_S_NAME},
    {"fTitle", ROLE_TEXT + XY_S_TITLE},
    {"fClassName", ROLE_TEXT + XY_S_CLASS_NAME},
    {"fClonesName", ROLE_TEXT + XY_S_CLONES_NAME},
    {"fFileName", ROLE_TEXT + XY_S_FILE_NAME},
    {"fCompress", ROLE_NUMBER + XY_N_COMPRESS},
    {"fWriteBasket", ROLE_NUMBER + XY_N_WRITE_BASKET},
    {"fEntries", ROLE_NUMBER + XY_N_ENTRIES},
    {"fTotBytes", ROLE_NUMBER + XY_N_TOTAL_BYTES},
    {"fZipBytes", ROLE_NUMBER + XY_N_STORED_BYTES},
    {"fAutoFlush", ROLE_NUMBER + XY_N_AUTO_FLUSH},
    {"fAutoSave", ROLE_NUMBER + XY_N_AUTO_SAVE},
    {"fFlushedBytes", ROLE_NUMBER + XY_N_FLUSHED_BYTES},
    {"fNClusterRange", ROLE_NUMBER + XY_N_CLUSTER_RANGES},
    {"fBasketSize", ROLE_NUMBER + XY_N_BASKET_SIZE},
    {"fSplitLevel", ROLE_NUMBER + XY_N_SPLIT_LEVEL},
    {"fClusterRangeEnd", ROLE_ARRAY + XY_A_CLUSTER_RANGE_END},
    {"fClusterSize", ROLE_ARRAY + XY_A_CLUSTER_SIZE},
    {"fEntryOffsetLen", ROLE_NUMBER + XY_N_ENTRY_OFFSET_LEN},
    {"fIOBits", ROLE_NUMBER + XY_N_IO_BITS},
    {"fClassVersion", ROLE_NUMBER + XY_N_CLASS_VERSION},
    {"fCheckSum", ROLE_NUMBER + XY_N_CHECKSUM},
    {"fType", ROLE_NUMBER + XY_N_TYPE},
    {"fID", ROLE_NUMBER + XY_N_ID},
    {"fStreamerType", ROLE_NUMBER + XY_N_STREAMER_TYPE},
    {"fLen", ROLE_NUMBER + XY_N_LEN},
    {"fIsUnsigned", ROLE_NUMBER + XY_N_IS_UNSIGNED},
    {"fVirtual", ROLE_NUMBER + XY_N_VIRTUAL},
    {"fBasketBytes", ROLE_ARRAY + XY_A_BASKET_BYTES},
    {"fBasketEntry", ROLE_ARRAY + XY_A_BASKET_ENTRY},
    {"fBasketSeek", ROLE_ARRAY + XY_A_BASKET_SEEK},
    {"fBranches", ROLE_LIST + XY_L_BRANCHES},
    {"fLeaves", ROLE_LIST + XY_L_LEAVES},
    {"fBaskets", ROLE_LIST + XY_L_BASKETS},
    {"fLeafCount", ROLE_COUNTER},
    {"fAliases", ROLE_ALIASES},
    {"fFriends", ROLE_FRIENDS},
    {"fIOFeatures", ROLE_FEATURES},
};

static const char NO_TEXT[] = "";

typedef struct {
    xy_run run;
    xy_tree *tree;
    const xy_program *program;
    uint8_t *roles;   /* by node, as far as they were looked up */
    xy_buffer counts; /* members that are the length of others, as on a tape; those of one object
                       * from run.scope */
    xy_buffer other;  /* a tape that is thrown away */
    xy_buffer ids;    /* ids of the lists that are being read */
    int32_t part;     /* being read */
    const char *counters[64];
    size_t counter_count;
} record_reader;

static xy_status read_value(record_reader *k, int32_t node, uint16_t flags, uint8_t role);

static uint8_t look_up(const record_reader *k, const xy_node *node) {
    const char *name = xy_program_text(k->program, node->name);
    uint8_t role = ROLE_KNOWN;
    for (size_t i = 0; i < sizeof roles / sizeof *roles; i++)
        if (strcmp(roles[i].name, name) == 0) role |= roles[i].role;
    if (node->op != XY_OP_NUMBER) return role;
    for (size_t i = 0; i < k->counter_count; i++)
        if (strcmp(k->counters[i], name) == 0) return role | ROLE_COUNTS;
    return role;
}

/* Finds the names of all members that are the length of others: a few. */
static void find_counters(record_reader *k) {
    const xy_program *p = k->program;
    for (int32_t i = 0; i < p->count; i++) {
        const xy_node *n = &p->nodes[i];
        if (n->op != XY_OP_COUNTED && n->op != XY_OP_LOOP && n->op != XY_OP_TRIANGLE) continue;
        const char *name = xy_program_text(p, n->count_name);
        size_t known = 0;
        while (known < k->counter_count && strcmp(k->counters[known], name) != 0)
            known++;
        if (known == k->counter_count && known < sizeof k->counters / sizeof *k->counters)
            k->counters[k->counter_count++] = name;
    }
}

static xy_status read_members(record_reader *k, int32_t layout) {
    xy_status s = XY_OK;
    for (int32_t i = k->program->nodes[layout].first; i >= 0 && !s; i = k->program->nodes[i].next) {
        const xy_node *n = &k->program->nodes[i];
        if (!k->roles[i]) k->roles[i] = look_up(k, n);
        s = read_value(k, i, n->flags, k->roles[i] & (uint8_t)~ROLE_KNOWN);
    }
    return s;
}

/* Reads a value as any object is read, and drops it. */
static xy_status pass(record_reader *k, int32_t node) {
    k->other.len = 0;
    k->run.tape = &k->other;
    k->run.scope_tape = &k->counts;
    k->run.scope_end = k->counts.len;
    xy_status s = xy_run_tape_as(&k->run, node, 0);
    return !s && k->other.failed ? xy_no_memory(&k->run) : s;
}

static bool may_go_on(const record_reader *k, xy_status s) {
    return s != XY_E_MEMORY && s != XY_E_BUDGET && !k->other.failed && !k->tree->tape.failed;
}

static xy_part *current(const record_reader *k) {
    return xy_tree_part_at(k->tree, k->part);
}

static xy_status read_number(record_reader *k, const xy_node *n, uint8_t role) {
    const uint8_t *src = xy_take(&k->run.in, xy_wire_size(n->wire));
    if (!src) return xy_truncated(&k->run, "a number");
    if (!role) return XY_OK;
    uint8_t value[8];
    if (n->wire == XY_W_32) { /* nearly all of them */
        uint32_t word = xy_be32(src);
        memcpy(value, &word, sizeof word);
    } else {
        xy_convert(n, src, value, 1);
    }
    if (role & ROLE_COUNTS) {
        xy_tape_key(&k->counts, xy_program_text(k->program, n->name));
        xy_tape_scalar(&k->counts, n->dtype, value);
        role &= (uint8_t)~ROLE_COUNTS;
    }
    int which = role - ROLE_NUMBER;
    xy_part *part = current(k);
    if (which < 0 || which >= XY_N_COUNT || part->has >> which & 1) return XY_OK;
    part->numbers[which] = xy_number_at(n->dtype, value, 0);
    part->has |= 1u << which;
    return XY_OK;
}

static xy_status read_counted(record_reader *k, int32_t index, uint8_t role) {
    const xy_node *n = &k->program->nodes[index];
    const xy_node *child = &k->program->nodes[n->first];
    if (child->op != XY_OP_NUMBER) return pass(k, index);
    xy_run *run = &k->run;
    run->scope_tape = &k->counts;
    run->scope_end = k->counts.len;
    size_t count = 0;
    uint8_t present = (n->flags & XY_F_BARE) ? 1 : xy_u8(&run->in);
    xy_status s = present ? xy_read_counter(run, n, &count) : XY_OK;
    if (s) return s;
    uint8_t wire = child->wire;
    if ((n->flags & XY_F_OLD_SEEK) && present != 2) wire = XY_W_32;
    size_t at = run->in.pos;
    if (count > xy_left(&run->in) / xy_wire_size(wire) || run->in.bad)
        return xy_truncated(run, "an array of numbers");
    run->in.pos += count * xy_wire_size(wire);
    int which = role - ROLE_ARRAY;
    if (which >= 0 && which < XY_A_COUNT && (wire == XY_W_32 || wire == XY_W_64))
        current(k)->arrays[which] = (xy_stored){at, (uint32_t)count, wire};
    return XY_OK;
}

static bool begins(xy_str name, const char *with) {
    size_t n = strlen(with);
    return name.len >= n && memcmp(name.text, with, n) == 0;
}

static xy_status note(record_reader *k, uint32_t id, xy_made made) {
    xy_buffer *list = &k->tree->made;
    while (list->len / sizeof made <= id && !list->failed)
        xy_append(list, &(xy_made){-1, 0}, sizeof made);
    if (list->failed) return xy_no_memory(&k->run);
    memcpy(list->data + id * sizeof made, &made, sizeof made);
    return XY_OK;
}

static xy_status new_part(record_reader *k, xy_str cls) {
    xy_tree *t = k->tree;
    if (t->part_count % XY_PART_BLOCK == 0) {
        int32_t blocks = t->part_count / XY_PART_BLOCK;
        if (!xy_grow((void **)&t->parts, &t->block_cap, blocks, sizeof *t->parts))
            return xy_no_memory(&k->run);
        t->parts[blocks] = xy_new(XY_PART_BLOCK, sizeof **t->parts);
        if (!t->parts[blocks]) return xy_no_memory(&k->run);
    }
    k->part = t->part_count++;
    xy_part *part = xy_tree_part_at(t, k->part);
    *part = (xy_part){.cls = cls};
    for (int i = 0; i < XY_S_COUNT; i++)
        part->texts[i] = (xy_str){NO_TEXT, 0};
    return XY_OK;
}

/* A whole tree, branch or leaf: its members go to a part of its own. */
static xy_status read_part(record_reader *k, int32_t node, xy_str cls, uint32_t id) {
    int32_t outer = k->part;
    size_t scope = k->run.scope, counts = k->counts.len;
    xy_status s = new_part(k, cls);
    int32_t part = k->part;
    if (!s) s = note(k, id, (xy_made){part, 0});
    k->run.scope = counts;
    if (!s) s = read_value(k, node, XY_F_FLATTEN, ROLE_WHOLE);
    if (!s && k->counts.failed) s = xy_no_memory(&k->run);
    k->run.scope = scope;
    k->counts.len = counts;
    k->part = outer;
    if (s && id < k->tree->made.len / sizeof(xy_made)) note(k, id, (xy_made){-1, 0});
    return s;
}

static xy_status keep_basket(record_reader *k, int32_t node, uint32_t id) {
    size_t at = k->tree->tape.len;
    k->run.tape = &k->tree->tape;
    xy_status s = xy_run_tape_as(&k->run, node, id);
    if (!s) return note(k, id, (xy_made){-1, at + 1});
    k->tree->tape.len = at;
    return s;
}

/* A list of TNamed stays on the tape as it is; `place` says where. */
static xy_status keep_list(record_reader *k, int32_t node, uint32_t id, size_t *place) {
    size_t at = k->tree->tape.len;
    k->run.tape = &k->tree->tape;
    xy_status s = xy_run_tape_as(&k->run, node, id);
    if (s)
        k->tree->tape.len = at;
    else
        *place = at + 1;
    return s;
}

static xy_status read_pointer(record_reader *k, uint32_t *id, uint8_t role) {
    xy_run *run = &k->run;
    xy_cursor *in = &run->in;
    *id = 0;
    if (xy_left(in) >= 4 && xy_be32(in->base + in->pos) == 0) { /* most baskets of a branch */
        in->pos += 4;
        return XY_OK;
    }
    xy_pointer p;
    xy_status s = xy_read_pointer(run, &p);
    *id = p.id;
    if (s || !p.fresh) return s;
    bool kept = begins(p.name, "TBranch") || begins(p.name, "TLeaf");
    bool basket = begins(p.name, "TBasket");
    size_t *list = k->part != 0           ? NULL
                   : role == ROLE_ALIASES ? &k->tree->aliases
                   : role == ROLE_FRIENDS ? &k->tree->friends
                                          : NULL;
    if (!kept && !basket && !list && p.end) {
        in->pos = p.end;
        return XY_OK;
    }
    s = xy_enter(run);
    if (s) return s;
    size_t whole_end = in->end;
    int depth = run->depth;
    if (p.end) in->end = p.end;
    int32_t node = p.cls < 0 ? -1 : k->program->classes[p.cls].node;
    if (node < 0)
        s = xy_fail(run->err, XY_E_NO_STREAMER, p.start,
                    "class %.*s has no streamer info in this file", (int)p.name.len, p.name.text);
    else
        s = kept     ? read_part(k, node, p.name, p.id)
            : basket ? keep_basket(k, node, p.id)
            : list   ? keep_list(k, node, p.id, list)
                     : pass(k, node);
    in->end = whole_end;
    run->depth = depth - 1;
    if (s && p.end && may_go_on(k, s)) {
        if (begins(p.name, "TBranch") && k->tree->lost++ == 0) k->tree->why = *run->err;
        memset(run->err, 0, sizeof *run->err);
        in->bad = false;
        s = XY_OK;
    }
    if (p.end && !s) in->pos = p.end;
    return s;
}

/* A TObjArray; null pointers at its end are left out. */
static xy_status read_list(record_reader *k, const xy_node *node, uint8_t role) {
    xy_run *run = &k->run;
    xy_head head;
    xy_str name;
    uint32_t n = 0;
    xy_status s = xy_read_head(run, NULL, &head);
    if (!s) s = xy_read_collection(run, head.version, 1, 2, &name, &n);
    if (s) return s;
    xy_u32(&run->in); /* lower bound */
    size_t mark = k->ids.len;
    for (uint32_t i = 0; i < n && !s; i++) {
        uint32_t id = 0;
        s = read_pointer(k, &id, ROLE_NONE);
        if (id) {
            while (k->ids.len < mark + 4 * (size_t)i && !k->ids.failed)
                xy_append_u32(&k->ids, 0);
            xy_append_u32(&k->ids, id);
        }
    }
    if (!s && head.counted) s = xy_check_end(run, &head, node->type_name);
    size_t used = k->ids.len;
    if (!s) {
        xy_buffer *links = &k->tree->links;
        xy_part *part = current(k);
        int which = role - ROLE_LIST;
        part->lists[which].first = links->len / 4;
        part->lists[which].count = (uint32_t)((used - mark) / 4);
        part->has_list |= 1u << which;
        if (used > mark) xy_append(links, k->ids.data + mark, used - mark);
        if (links->failed || k->ids.failed) s = xy_no_memory(run);
    }
    k->ids.len = mark;
    return s;
}

/* Steps over a value that says its own size; reads others as any object. */
static xy_status step_over(record_reader *k, int32_t index) {
    size_t start = k->run.in.pos;
    xy_head head;
    xy_status s = xy_read_head(&k->run, NULL, &head);
    if (s) return s;
    k->run.in.pos = head.counted ? head.end : start;
    return head.counted ? XY_OK : pass(k, index);
}

static xy_status read_object(record_reader *k, int32_t index, uint16_t flags, uint8_t role) {
    xy_run *run = &k->run;
    const xy_node *node = &k->program->nodes[index];
    xy_str name = {xy_program_text(k->program, node->type_name), 0};
    name.len = strlen(name.text);
    bool base = flags & XY_F_FLATTEN;
    if ((!base && role != ROLE_FEATURES) || begins(name, "TAtt")) return step_over(k, index);
    xy_open_object open;
    xy_status s = xy_begin_object(run, node, &open);
    if (s) return s;
    if (open.layout >= 0) {
        s = read_members(k, open.layout);
        if (!s) s = xy_check_end(run, &open.head, node->type_name);
    } else {
        s = (xy_status)run->err->status;
    }
    if (s && open.head.counted && role != ROLE_WHOLE && may_go_on(k, s)) {
        xy_skip_object(run, &open.head);
        s = XY_OK;
    }
    xy_end_object(run, &open);
    return s;
}

static xy_status read_text(record_reader *k, uint8_t role) {
    xy_str text = xy_string(&k->run.in);
    if (k->run.in.bad) return xy_truncated(&k->run, "a string");
    int which = role - ROLE_TEXT;
    if (which >= 0 && which < XY_S_COUNT && current(k)->texts[which].text == NO_TEXT)
        current(k)->texts[which] = text;
    return XY_OK;
}

static xy_status read_value(record_reader *k, int32_t index, uint16_t flags, uint8_t role) {
    const xy_node *n = &k->program->nodes[index];
    switch (n->op) {
    case XY_OP_NUMBER: return read_number(k, n, role);
    case XY_OP_TSTRING: return read_text(k, role);
    case XY_OP_COUNTED: return read_counted(k, index, role);
    case XY_OP_USE: return read_value(k, k->program->classes[n->size].node, flags, role);
    case XY_OP_OBJECT: return read_object(k, index, flags, role);
    case XY_OP_STRUCT: return flags & XY_F_FLATTEN ? read_members(k, index) : pass(k, index);
    case XY_OP_TOBJECT: {
        uint32_t id, bits;
        uint16_t pid;
        return xy_read_tobject(&k->run, &id, &bits, &pid);
    }
    case XY_OP_POINTER: {
        uint32_t id;
        xy_status s = read_pointer(k, &id, role);
        if (role == ROLE_COUNTER) current(k)->counter = id;
        return s;
    }
    case XY_OP_CUSTOM:
        if (n->size == XY_CUSTOM_TOBJARRAY && role >= ROLE_LIST && role < ROLE_COUNTER)
            return read_list(k, n, role);
        return n->size == XY_CUSTOM_TBASKET ? pass(k, index) : step_over(k, index);
    default: return pass(k, index);
    }
}

/* Reads the object that was unpacked, with one of the file's programs. */
static xy_status read_tree(xy_tree *t, xy_error *err, const xy_key *key, bool whole_table) {
    record_reader k = {.tree = t, .part = -1};
    int32_t node = -1;
    xy_status s = xy_file_node(t->file, err, !whole_table, key->class_name, &node);
    if (s) return s;
    k.program = whole_table ? &t->file->objects : &t->file->trees;
    k.roles = xy_new((uint64_t)k.program->count, 1);
    k.other.limit = t->tape.limit = xy_max_from(t->data.len);
    xy_run_init(&k.run, err, k.program);
    xy_run_input(&k.run, t->data.data, t->data.len, key->keylen);
    xy_run_allow(&k.run, t->data.len);
    find_counters(&k);
    s = k.roles ? read_part(&k, node, (xy_str){t->class_name, strlen(t->class_name)}, 1)
                : xy_no_memory(&k.run);
    free(k.roles);
    xy_buffer_free(&k.counts);
    xy_buffer_free(&k.other);
    xy_buffer_free(&k.ids);
    xy_run_free(&k.run);
    return s;
}

static char *copy_of(xy_str text) {
    char *copy = xy_new((uint64_t)text.len + 1, 1);
    if (copy && text.len) memcpy(copy, text.text, text.len);
    return copy;
}

xy_status xy_tree_read_record(xy_tree *t, xy_error *err, const uint8_t *src, size_t len) {
    xy_key key;
    xy_status s = xy_file_unpack(t->file, err, src, len, &key);
    if (s) return s;
    t->data = t->file->scratch; /* the texts of the parts lie in it */
    memset(&t->file->scratch, 0, sizeof t->file->scratch);
    t->class_name = copy_of(key.class_name);
    if (!t->class_name) return xy_fail(err, XY_E_MEMORY, 0, "no memory for a tree");
    s = read_tree(t, err, &key, false);
    if (!s || s == XY_E_MEMORY || s == XY_E_BUDGET) return s;
    /* A class of another kind may be in the way, which the table of all classes can read. */
    memset(err, 0, sizeof *err);
    xy_tree_drop_parts(t);
    t->made.len = t->links.len = t->tape.len = 0;
    t->aliases = t->friends = 0;
    t->lost = 0;
    return read_tree(t, err, &key, true);
}
