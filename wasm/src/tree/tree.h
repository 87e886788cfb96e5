/* The branch table of a TTree, read from the tree's own record through the file's class table. */
#ifndef XY_TREE_H
#define XY_TREE_H

#include "xylem.h"

#include "../file/file.h"

/* Members of a tree, branch or leaf that reading a tree needs, by their names in the streamer
 * info (see tree_record.c). */
typedef enum {
    XY_N_COMPRESS,
    XY_N_WRITE_BASKET,
    XY_N_ENTRIES,
    XY_N_TOTAL_BYTES,
    XY_N_STORED_BYTES,
    XY_N_AUTO_FLUSH,
    XY_N_AUTO_SAVE,
    XY_N_FLUSHED_BYTES,
    XY_N_CLUSTER_RANGES,
    XY_N_BASKET_SIZE,
    XY_N_ENTRY_OFFSET_LEN,
    XY_N_IO_BITS,
    XY_N_CLASS_VERSION,
    XY_N_CHECKSUM,
    XY_N_TYPE,
    XY_N_ID,
    XY_N_STREAMER_TYPE,
    XY_N_LEN,
    XY_N_IS_UNSIGNED,
    XY_N_VIRTUAL,
    XY_N_COUNT
} xy_part_number;

typedef enum {
    XY_S_NAME,
    XY_S_TITLE,
    XY_S_CLASS_NAME,
    XY_S_CLONES_NAME,
    XY_S_FILE_NAME, /* name of the file that has a branch's baskets; empty: the tree's own file */
    XY_S_COUNT
} xy_part_text;

typedef enum {
    XY_A_BASKET_BYTES,
    XY_A_BASKET_ENTRY,
    XY_A_BASKET_SEEK,
    XY_A_CLUSTER_RANGE_END,
    XY_A_CLUSTER_SIZE,
    XY_A_COUNT
} xy_part_array;

typedef enum { XY_L_BRANCHES, XY_L_LEAVES, XY_L_BASKETS, XY_L_COUNT } xy_part_list;

/* Numbers as they stand in the record. */
typedef struct {
    size_t at;
    uint32_t count;
    uint8_t wire; /* XY_W_32 or XY_W_64 */
} xy_stored;

typedef struct {
    xy_str cls; /* its own class; names and texts lie in the tree's record */
    xy_str texts[XY_S_COUNT];
    int64_t numbers[XY_N_COUNT];
    uint32_t has; /* bit: the number is there */
    uint32_t has_list;
    xy_stored arrays[XY_A_COUNT];
    struct {
        size_t first; /* in the tree's links */
        uint32_t count;
    } lists[XY_L_COUNT];
    uint32_t counter; /* object id of a leaf's counting leaf; 0 none */
} xy_part;

/* The object that an object id of the record refers to. */
typedef struct {
    int32_t part;  /* -1: none */
    size_t basket; /* position of its TBasket on the tape, + 1; 0: none */
} xy_made;

typedef struct {
    const xy_part *part;
    int32_t parent; /* -1: the tree */
    int32_t depth;
    int32_t baskets; /* in the file and in the tree's record */
    xy_str name;
} xy_branch;

/* Parts are large and many: a table that grows would be copied several times. */
enum { XY_PART_BLOCK = 64 };

struct xy_tree {
    xy_file *file;
    xy_buffer data; /* the tree's object, decompressed */
    char *class_name;
    xy_part **parts; /* in blocks of XY_PART_BLOCK; the first part is the tree itself */
    int32_t part_count, block_cap;
    xy_buffer made;          /* xy_made by object id */
    xy_buffer links;         /* object ids (uint32) of the lists */
    xy_buffer tape;          /* the baskets that lie in the record, fAliases and fFriends */
    size_t aliases, friends; /* positions of these lists on the tape, + 1; 0: none */
    xy_tape_view view;
    xy_branch *branches;
    int32_t count, cap;
    int64_t entries;
    int32_t lost; /* branches of the record that could not be read, */
    xy_error why; /* and the failure of the first */
};

xy_status xy_tree_read(xy_tree *tree, xy_file *file, xy_error *err, const uint8_t *src, size_t len);
void xy_tree_free(xy_tree *tree);
void xy_tree_drop_parts(xy_tree *tree);

/* Reads the record into data, parts, made, links and tape. */
xy_status xy_tree_read_record(xy_tree *tree, xy_error *err, const uint8_t *src, size_t len);

/* A number of a part; the fallback where its class has none. */
static inline int64_t xy_part_int(const xy_part *part, xy_part_number which, int64_t fallback) {
    return part->has >> which & 1 ? part->numbers[which] : fallback;
}
/* The i-th number of an array; it must exist. */
static inline int64_t xy_tree_stored(const xy_tree *tree, const xy_stored *array, uint32_t i) {
    const uint8_t *p = tree->data.data + array->at;
    return array->wire == XY_W_64 ? (int64_t)xy_be64(p + 8 * (size_t)i)
                                  : (int32_t)xy_be32(p + 4 * (size_t)i);
}
static inline xy_part *xy_tree_part_at(const xy_tree *tree, int32_t i) {
    return &tree->parts[i / XY_PART_BLOCK][i % XY_PART_BLOCK];
}
/* Returns the object of an id; an empty one when the id is not known. */
xy_made xy_tree_made(const xy_tree *tree, uint32_t id);
/* Returns the object id at an index of a list; 0 for null and past the end. */
uint32_t xy_tree_link(const xy_tree *tree, const xy_part *part, xy_part_list list, uint32_t index);
/* A leaf of a branch; NULL where it is missing. */
const xy_part *xy_tree_leaf(const xy_tree *tree, const xy_part *branch, uint32_t index);
/* Returns the part of an object id; NULL when the id is not one of a part. */
const xy_part *xy_tree_part(const xy_tree *tree, uint32_t id);

/* One basket of a branch. Exactly one of `seek` and `embedded` is set. */
typedef struct {
    int64_t first_entry, end_entry;
    uint64_t seek;
    int32_t nbytes;
    size_t embedded; /* TBasket on the tape, + 1 */
} xy_basket;

/* Whether baskets of a branch lie in another file, whose name is XY_S_FILE_NAME. */
bool xy_tree_elsewhere(const xy_tree *tree, int32_t branch);

/* Lists up to `cap` baskets of a branch in entry order, without those that lie in another file;
 * returns their number. */
int32_t xy_tree_baskets(const xy_tree *tree, int32_t branch, xy_basket *out, int32_t cap);
/* Size in bytes of an embedded basket as ROOT would have stored it in the file, uncompressed,
 * except for some numbers of its key that are not used; 0 when it is not embedded. */
size_t xy_tree_embedded_size(const xy_tree *tree, const xy_basket *basket);
/* Bytes of its values and offsets alone. */
size_t xy_tree_embedded_bytes(const xy_tree *tree, const xy_basket *basket);
xy_status xy_tree_embedded(const xy_tree *tree, xy_error *err, const xy_basket *basket,
                           xy_buffer *out);

/* TBranchElement::fType of collections that are split into their members, and of the members. */
enum { XY_B_CLONES = 3, XY_B_STL = 4, XY_B_CLONES_MEMBER = 31, XY_B_STL_MEMBER = 41 };

/* The streamer element that a sub-branch holds, and the class that has it; NULL where the class is
 * not described. */
const xy_element *xy_branch_element(const xy_tree *tree, const xy_part *branch,
                                    const xy_class **cls);
/* Compiles a branch. A branch that cannot be decoded gives a program whose root is an ERROR. */
void xy_plan_branch(xy_compiler *c, const xy_tree *tree, int32_t branch);
/* Makes a program for the bytes of each entry of a branch. */
void xy_plan_raw(xy_compiler *c, const xy_tree *tree, int32_t branch);
/* Returns the branch whose numbers say how long the arrays of a compiled branch are, when that
 * cannot be seen in its own baskets; -1 for none. */
int32_t xy_count_branch(const xy_tree *tree, const xy_program *p, int32_t branch);
/* Sets the C++ types and kinds of all branches (kind: as xy_program_kind, 2 for a branch that
 * cannot be decoded; 3 for a branch that only holds others). False when there is not enough
 * memory. */
bool xy_branch_types(const xy_tree *tree, xy_texts *types, uint8_t *kinds);
/* 0: one column of numbers, 1: one of strings, 2: anything else. */
int xy_program_kind(const xy_program *p);
/* The node of the one column of numbers; -1 when there is none or several. */
int32_t xy_program_number(const xy_program *p);
/* Writes the schema of the columns that a compiled program yields, as a tape for the host. */
void xy_plan_schema(const xy_program *p, int32_t node, xy_buffer *out);

#endif
