#include "tree.h"

#include <inttypes.h>
#include <stdlib.h>

size_t xy_tree_follow(const xy_tree *t, size_t value) {
    if (!value) return 0;
    int tag = xy_tape_tag_at(&t->view, value);
    if (tag == XY_TAPE_OBJECT) return value;
    if (tag != XY_TAPE_REF) return 0;
    uint32_t id;
    memcpy(&id, t->view.data + value + 1, 4);
    return id < t->object_count ? t->objects[id] : 0;
}

size_t xy_tree_pointer(const xy_tree *t, size_t object, const char *member) {
    return xy_tree_follow(t, xy_tape_member(&t->view, object, member));
}

uint32_t xy_tree_elements(const xy_tree *t, size_t value, size_t *first) {
    size_t array = xy_tree_follow(t, value);
    size_t list = array ? xy_tape_member(&t->view, array, "arr") : 0;
    if (!list || xy_tape_tag_at(&t->view, list) != XY_TAPE_LIST) return 0;
    *first = xy_tape_list_first(&t->view, list);
    return xy_tape_list_count(&t->view, list);
}

uint32_t xy_tree_array(const xy_tree *t, size_t object, const char *member, size_t *first) {
    return xy_tree_elements(t, xy_tape_member(&t->view, object, member), first);
}

static void find_members(const xy_tree *t, xy_branch *b) {
#define NAME(text)                                                                                 \
    { text, sizeof text - 1 }
    static const xy_str names[XY_M_COUNT] = {
        NAME("fName"),    NAME("fTitle"),       NAME("fCompress"),    NAME("fWriteBasket"),
        NAME("fEntries"), NAME("fTotBytes"),    NAME("fZipBytes"),    NAME("fBranches"),
        NAME("fBaskets"), NAME("fBasketBytes"), NAME("fBasketEntry"), NAME("fBasketSeek"),
    };
#undef NAME
    xy_tape_members(&t->view, b->object, names, XY_M_COUNT, b->members);
}

static xy_status add_branches(xy_tree *t, xy_error *err, size_t list, int32_t parent, int depth) {
    if (depth > 64) return xy_fail(err, XY_E_BUDGET, 0, "branches nest deeper than 64 levels");
    size_t at = 0;
    uint32_t n = xy_tree_elements(t, list, &at);
    for (uint32_t i = 0; i < n; i++, at = xy_tape_skip(&t->view, at)) {
        size_t object = xy_tree_follow(t, at);
        if (!object) continue;
        if (t->count == t->cap) {
            int32_t cap = t->cap ? t->cap * 2 : 64;
            xy_branch *table = realloc(t->branches, (size_t)cap * sizeof *table);
            if (!table) return xy_fail(err, XY_E_MEMORY, 0, "no memory for the branch table");
            t->branches = table;
            t->cap = cap;
        }
        if ((uint32_t)t->count >= t->object_count)
            return xy_fail(err, XY_E_CORRUPT, 0, "a branch of the tree is its own sub-branch");
        int32_t index = t->count++;
        xy_branch *b = &t->branches[index];
        b->object = object;
        b->parent = parent;
        b->depth = depth;
        find_members(t, b);
        b->name = xy_tape_text(&t->view, b->members[XY_M_NAME]);
        b->baskets = xy_tree_baskets(t, index, NULL, 0);
        size_t below = b->members[XY_M_BRANCHES];
        xy_status s = below ? add_branches(t, err, below, index, depth + 1) : XY_OK;
        if (s) return s;
    }
    return XY_OK;
}

xy_status xy_tree_read(xy_tree *t, xy_file *file, xy_error *err, const uint8_t *src, size_t len) {
    memset(t, 0, sizeof *t);
    t->file = file;
    uint32_t last_id = 0;
    xy_status s = xy_file_object(file, err, src, len, NULL, &t->tape, &last_id);
    if (s) return s;
    t->view = (xy_tape_view){t->tape.data, t->tape.len};
    t->object_count = last_id + 1;
    t->objects = calloc(t->object_count, sizeof *t->objects);
    if (!t->objects) return xy_fail(err, XY_E_MEMORY, 0, "no memory for the branch table");
    if (xy_tape_tag_at(&t->view, 0) != XY_TAPE_OBJECT || !xy_tape_member(&t->view, 0, "fBranches"))
        return xy_fail(err, XY_E_UNSUPPORTED, 0, "this object is no tree: it has no fBranches");
    xy_tape_index(&t->view, t->objects, t->object_count);
    t->entries = xy_tape_member_int(&t->view, 0, "fEntries", 0);
    if (t->entries < 0) t->entries = 0;
    return add_branches(t, err, xy_tape_member(&t->view, 0, "fBranches"), -1, 0);
}

void xy_tree_free(xy_tree *t) {
    xy_buffer_free(&t->tape);
    free(t->objects);
    free(t->branches);
    memset(t, 0, sizeof *t);
}

int32_t xy_tree_baskets(const xy_tree *t, int32_t branch, xy_basket *out, int32_t cap) {
    const size_t *m = t->branches[branch].members;
    int seek_type = 0, bytes_type = 0, entry_type = 0;
    const uint8_t *seeks = NULL, *bytes = NULL, *firsts = NULL;
    uint32_t seek_count = xy_tape_numbers(&t->view, m[XY_M_BASKET_SEEK], &seek_type, &seeks);
    uint32_t bytes_count = xy_tape_numbers(&t->view, m[XY_M_BASKET_BYTES], &bytes_type, &bytes);
    uint32_t entry_count = xy_tape_numbers(&t->view, m[XY_M_BASKET_ENTRY], &entry_type, &firsts);
    int64_t written = m[XY_M_WRITE_BASKET] ? xy_tape_integer(&t->view, m[XY_M_WRITE_BASKET]) : 0;
    int64_t entries = m[XY_M_ENTRIES] ? xy_tape_integer(&t->view, m[XY_M_ENTRIES]) : 0;
    int32_t n = 0;
    uint32_t limit = seek_count < bytes_count ? seek_count : bytes_count;
    if (limit > entry_count) limit = entry_count;

    size_t embedded = 0;
    uint32_t embedded_count = xy_tree_elements(t, m[XY_M_BASKETS], &embedded);
    int64_t next = 0; /* first entry behind what was listed */
    for (uint32_t i = 0; i < embedded_count || i < limit; i++) {
        size_t object = 0;
        if (i < embedded_count) {
            object = xy_tree_follow(t, embedded);
            embedded = xy_tape_skip(&t->view, embedded);
        }
        bool in_file = i < limit && (int64_t)i < written && xy_number_at(seek_type, seeks, i) > 0;
        xy_basket basket = {0};
        basket.first_entry = i < limit ? xy_number_at(entry_type, firsts, i) : next;
        if (in_file) {
            basket.seek = (uint64_t)xy_number_at(seek_type, seeks, i);
            basket.nbytes = (int32_t)xy_number_at(bytes_type, bytes, i);
            bool last = (int64_t)i + 1 >= written || i + 1 >= limit;
            basket.end_entry = i + 1 < entry_count ? xy_number_at(entry_type, firsts, i + 1) : 0;
            if (last && basket.end_entry <= basket.first_entry) basket.end_entry = entries;
        } else if (object && xy_tape_member(&t->view, object, "buffer")) {
            int64_t nev = xy_tape_member_int(&t->view, object, "fNevBuf", 0);
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

xy_status xy_tree_embedded(const xy_tree *t, xy_error *err, const xy_basket *basket,
                           xy_buffer *out) {
    const xy_tape_view *v = &t->view;
    int dtype = 0, offset_type = 0;
    const uint8_t *data = NULL, *offsets = NULL;
    uint32_t size =
        xy_tape_numbers(v, xy_tape_member(v, basket->embedded, "buffer"), &dtype, &data);
    uint32_t n = xy_tape_numbers(v, xy_tape_member(v, basket->embedded, "fEntryOffset"),
                                 &offset_type, &offsets);
    /* A class of the file may have members of these names and other types. */
    if ((size && dtype != XY_U8) || (n && offset_type != XY_I32))
        return xy_fail(err, XY_E_CORRUPT, 0, "a basket in the tree's record is no TBasket");
    uint32_t keylen = (uint32_t)xy_tape_member_int(v, basket->embedded, "fKeylen", 0);
    uint32_t entries = (uint32_t)xy_tape_member_int(v, basket->embedded, "fNevBuf", 0);
    if (keylen > size)
        return xy_fail(err, XY_E_CORRUPT, 0, "a basket in the tree's record has no data");
    uint32_t head[5] = {0, keylen, entries, size - keylen, n};
    xy_append(out, head, sizeof head);
    xy_append(out, offsets, (size_t)n * 4);
    xy_append(out, data + keylen, size - keylen);
    return out->failed ? xy_fail(err, XY_E_MEMORY, 0, "no memory for a basket") : XY_OK;
}
