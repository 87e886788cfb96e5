#include "tree.h"

#include <inttypes.h>
#include <stdlib.h>

xy_made xy_tree_made(const xy_tree *t, uint32_t id) {
    xy_made made = {-1, 0};
    if (id < t->made.len / sizeof made) memcpy(&made, t->made.data + id * sizeof made, sizeof made);
    return made;
}

uint32_t xy_tree_link(const xy_tree *t, const xy_part *part, xy_part_list list, uint32_t index) {
    uint32_t id = 0;
    if (index < part->lists[list].count)
        memcpy(&id, t->links.data + 4 * (part->lists[list].first + index), 4);
    return id;
}

const xy_part *xy_tree_part(const xy_tree *t, uint32_t id) {
    int32_t part = xy_tree_made(t, id).part;
    return part < 0 ? NULL : xy_tree_part_at(t, part);
}

const xy_part *xy_tree_leaf(const xy_tree *t, const xy_part *branch, uint32_t index) {
    return xy_tree_part(t, xy_tree_link(t, branch, XY_L_LEAVES, index));
}

static xy_status add_branches(xy_tree *t, xy_error *err, const xy_part *above, int32_t parent,
                              int depth) {
    if (depth > 64) return xy_fail(err, XY_E_BUDGET, 0, "branches nest deeper than 64 levels");
    for (uint32_t i = 0; i < above->lists[XY_L_BRANCHES].count; i++) {
        const xy_part *part = xy_tree_part(t, xy_tree_link(t, above, XY_L_BRANCHES, i));
        if (!part) continue;
        if (!xy_grow((void **)&t->branches, &t->cap, t->count, sizeof *t->branches))
            return xy_fail(err, XY_E_MEMORY, 0, "no memory for the branch table");
        if (t->count >= t->part_count)
            return xy_fail(err, XY_E_CORRUPT, 0, "a branch of the tree is its own sub-branch");
        int32_t index = t->count++;
        t->branches[index] = (xy_branch){
            .part = part, .parent = parent, .depth = depth, .name = part->texts[XY_S_NAME]};
        t->branches[index].baskets = xy_tree_baskets(t, index, NULL, 0);
        xy_status s = add_branches(t, err, part, index, depth + 1);
        if (s) return s;
    }
    return XY_OK;
}

xy_status xy_tree_read(xy_tree *t, xy_file *file, xy_error *err, const uint8_t *src, size_t len) {
    memset(t, 0, sizeof *t);
    t->file = file;
    xy_status s = xy_tree_read_record(t, err, src, len);
    if (s) return s;
    t->view = (xy_tape_view){t->tape.data, t->tape.len};
    const xy_part *top = xy_tree_part_at(t, 0);
    if (!(top->has_list >> XY_L_BRANCHES & 1))
        return xy_fail(err, XY_E_UNSUPPORTED, 0, "this object is not a tree: it has no fBranches");
    t->entries = xy_part_int(top, XY_N_ENTRIES, 0);
    if (t->entries < 0) t->entries = 0;
    return add_branches(t, err, top, -1, 0);
}

void xy_tree_drop_parts(xy_tree *t) {
    for (int32_t i = 0; i * XY_PART_BLOCK < t->part_count; i++)
        free(t->parts[i]);
    free(t->parts);
    t->parts = NULL;
    t->part_count = t->block_cap = 0;
}

void xy_tree_free(xy_tree *t) {
    xy_buffer_free(&t->data);
    xy_buffer_free(&t->made);
    xy_buffer_free(&t->links);
    xy_buffer_free(&t->tape);
    free(t->class_name);
    xy_tree_drop_parts(t);
    free(t->branches);
    memset(t, 0, sizeof *t);
}

bool xy_tree_elsewhere(const xy_tree *t, int32_t branch) {
    const xy_part *part = t->branches[branch].part;
    const xy_stored *seeks = &part->arrays[XY_A_BASKET_SEEK];
    int64_t written = xy_part_int(part, XY_N_WRITE_BASKET, 0);
    if (!part->texts[XY_S_FILE_NAME].len) return false;
    for (uint32_t i = 0; i < seeks->count && (int64_t)i < written; i++)
        if (xy_tree_stored(t, seeks, i) > 0) return true;
    return false;
}

/* How many of the first `n` baskets, all in the file, hold entries: what xy_tree_baskets lists. */
static int32_t count_written(const xy_tree *t, const xy_part *part, uint32_t n, int64_t entries) {
    const xy_stored *firsts = &part->arrays[XY_A_BASKET_ENTRY];
    const xy_stored *seeks = &part->arrays[XY_A_BASKET_SEEK];
    int32_t count = 0;
    int64_t first = n ? xy_tree_stored(t, firsts, 0) : 0;
    for (uint32_t i = 0; i < n; i++) {
        int64_t end = i + 1 < firsts->count ? xy_tree_stored(t, firsts, i + 1) : 0;
        bool some = end > first || (i + 1 == n && entries > first);
        if (some && xy_tree_stored(t, seeks, i) > 0) count++;
        first = end;
    }
    return count;
}

int32_t xy_tree_baskets(const xy_tree *t, int32_t branch, xy_basket *out, int32_t cap) {
    const xy_part *part = t->branches[branch].part;
    bool here = part->texts[XY_S_FILE_NAME].len == 0;
    const xy_stored *bytes = &part->arrays[XY_A_BASKET_BYTES];
    const xy_stored *firsts = &part->arrays[XY_A_BASKET_ENTRY];
    const xy_stored *seeks = &part->arrays[XY_A_BASKET_SEEK];
    int64_t written = xy_part_int(part, XY_N_WRITE_BASKET, 0);
    int64_t entries = xy_part_int(part, XY_N_ENTRIES, 0);
    int32_t n = 0;
    uint32_t limit = seeks->count < bytes->count ? seeks->count : bytes->count;
    if (limit > firsts->count) limit = firsts->count;

    uint32_t embedded_count = part->lists[XY_L_BASKETS].count;
    uint32_t all = written > 0 ? (uint32_t)(written < limit ? written : limit) : 0;
    if (!out && embedded_count == 0) return here ? count_written(t, part, all, entries) : 0;
    if (all < embedded_count) all = embedded_count;
    int64_t next = 0; /* first entry after those that were listed */
    for (uint32_t i = 0; i < all; i++) {
        size_t object = 0;
        if (i < embedded_count)
            object = xy_tree_made(t, xy_tree_link(t, part, XY_L_BASKETS, i)).basket;
        bool in_file = here && i < limit && (int64_t)i < written && xy_tree_stored(t, seeks, i) > 0;
        xy_basket basket = {0};
        basket.first_entry = i < limit ? xy_tree_stored(t, firsts, i) : next;
        if (in_file) {
            basket.seek = (uint64_t)xy_tree_stored(t, seeks, i);
            basket.nbytes = (int32_t)xy_tree_stored(t, bytes, i);
            bool last = (int64_t)i + 1 >= written || i + 1 >= limit;
            basket.end_entry = i + 1 < firsts->count ? xy_tree_stored(t, firsts, i + 1) : 0;
            if (last && basket.end_entry <= basket.first_entry) basket.end_entry = entries;
        } else if (object && xy_tape_member(&t->view, object - 1, "buffer")) {
            int64_t nev = xy_tape_member_int(&t->view, object - 1, "fNevBuf", 0);
            basket.embedded = object;
            if (nev > 0 && basket.first_entry <= INT64_MAX - nev)
                basket.end_entry = basket.first_entry + nev;
        } else {
            continue;
        }
        if (basket.end_entry <= basket.first_entry) continue;
        next = basket.end_entry;
        if (out && n < cap) out[n] = basket;
        n++;
    }
    return n;
}

/* Parts of the record that is made of an embedded basket. */
enum { RECORD_KEY = 29, RECORD_HEAD = RECORD_KEY + 19, MAX_RECORD = 1 << 30 };
typedef struct {
    /* References within objects count from the start of the key, which therefore keeps its length.
     */
    uint32_t keylen, head, entries, bytes, offset_count, record_bytes;
    const uint8_t *offsets, *data;
} embedded;

static bool find_embedded(const xy_tree *t, const xy_basket *basket, embedded *e) {
    const xy_tape_view *v = &t->view;
    size_t object = basket->embedded - 1;
    int dtype = 0, offset_type = 0;
    uint32_t size = xy_tape_numbers(v, xy_tape_member(v, object, "buffer"), &dtype, &e->data);
    uint32_t n =
        xy_tape_numbers(v, xy_tape_member(v, object, "fEntryOffset"), &offset_type, &e->offsets);
    /* A class of the file may have members of these names and other types. */
    if ((size && dtype != XY_U8) || (n && offset_type != XY_I32)) return false;
    e->keylen = (uint32_t)xy_tape_member_int(v, object, "fKeylen", 0);
    if (e->keylen > size || e->keylen > UINT16_MAX) return false;
    e->head = e->keylen > RECORD_HEAD ? e->keylen : RECORD_HEAD;
    e->entries = (uint32_t)xy_tape_member_int(v, object, "fNevBuf", 0);
    e->bytes = size - e->keylen;
    e->offset_count = n;
    e->data += e->keylen;
    uint64_t all = e->head + (uint64_t)e->bytes + (n ? 4 + 4 * (uint64_t)n : 0);
    e->record_bytes = (uint32_t)all;
    return all <= MAX_RECORD;
}

size_t xy_tree_embedded_size(const xy_tree *t, const xy_basket *basket) {
    embedded e = {0};
    return find_embedded(t, basket, &e) ? e.record_bytes : 0;
}

static void put_be32(uint8_t *p, uint32_t v) {
    v = __builtin_bswap32(v);
    memcpy(p, &v, 4);
}

size_t xy_tree_embedded_bytes(const xy_tree *t, const xy_basket *basket) {
    embedded e = {0};
    return find_embedded(t, basket, &e) ? (size_t)e.bytes + 4 * (size_t)e.offset_count : 0;
}

xy_status xy_tree_embedded(const xy_tree *t, xy_error *err, const xy_basket *basket,
                           xy_buffer *out) {
    embedded e = {0};
    if (!find_embedded(t, basket, &e))
        return xy_fail(err, XY_E_CORRUPT, 0, "a basket in the tree's record is no TBasket");
    uint8_t *p = xy_extend(out, e.record_bytes);
    if (!p) return xy_fail(err, XY_E_MEMORY, 0, "no memory for a basket");
    memset(p, 0, e.head);
    put_be32(p, e.record_bytes);
    p[5] = 4; /* version of the key */
    put_be32(p + 6, e.record_bytes - e.head);
    p[14] = (uint8_t)(e.head >> 8);
    p[15] = (uint8_t)e.head;
    put_be32(p + RECORD_KEY + 10, e.entries);
    put_be32(p + RECORD_KEY + 14, e.head + e.bytes);
    p += e.head;
    if (e.bytes) memcpy(p, e.data, e.bytes);
    if (!e.offset_count) return XY_OK;
    p += e.bytes;
    put_be32(p, e.offset_count);
    for (uint32_t i = 0; i < e.offset_count; i++) {
        uint32_t at; /* counts from the start of its key; offsets outside of the data stay
                      * outside */
        memcpy(&at, e.offsets + 4 * (size_t)i, 4);
        at -= e.keylen;
        put_be32(p + 4 + 4 * (size_t)i, at <= e.bytes ? at + e.head : 0);
    }
    return XY_OK;
}
