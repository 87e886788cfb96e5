/* The branch table of a TTree, read from the tree's own record with the file's class table. */
#ifndef XY_TREE_H
#define XY_TREE_H

#include "xylem.h"

#include "../file/file.h"

/* Members of a tree, branch or leaf that are needed to read a tree, by their names in the streamer
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
    XY_N_SPLIT_LEVEL,
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

/* Numbers as stored in the record. */
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

/* The object that an object id in the record refers to. */
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

/* Parts are large and numerous; a growing table would be copied several times. */
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

/* Returns a number of a part; the fallback if its class does not have it. */
static inline int64_t xy_part_int(const xy_part *part, xy_part_number which, int64_t fallback) {
    return part->has >> which & 1 ? part->numbers[which] : fallback;
}
/* Returns the i-th number of an array; it must exist. */
static inline int64_t xy_tree_stored(const xy_tree *tree, const xy_stored *array, uint32_t i) {
    const uint8_t *p = tree->data.data + array->at;
    return array->wire == XY_W_64 ? (int64_t)xy_be64(p + 8 * (size_t)i)
                                  : (int32_t)xy_be32(p + 4 * (size_t)i);
}
static inline xy_part *xy_tree_part_at(const xy_tree *tree, int32_t i) {
    return &tree->parts[i / XY_PART_BLOCK][i % XY_PART_BLOCK];
}
/* Returns the object with an id; an empty one if the id is unknown. */
xy_made xy_tree_made(const xy_tree *tree, uint32_t id);
/* Returns the object id at an index of a list; 0 for null and past the end. */
uint32_t xy_tree_link(const xy_tree *tree, const xy_part *part, xy_part_list list, uint32_t index);
/* Returns a leaf of a branch; NULL if it is missing. */
const xy_part *xy_tree_leaf(const xy_tree *tree, const xy_part *branch, uint32_t index);
/* Returns the part with an object id; NULL if the id does not belong to a part. */
const xy_part *xy_tree_part(const xy_tree *tree, uint32_t id);

/* One basket of a branch. Exactly one of `seek` and `embedded` is set. */
typedef struct {
    int64_t first_entry, end_entry;
    uint64_t seek;
    int32_t nbytes;
    size_t embedded; /* TBasket on the tape, + 1 */
} xy_basket;

/* Whether baskets of a branch are in another file, whose name is XY_S_FILE_NAME. */
bool xy_tree_elsewhere(const xy_tree *tree, int32_t branch);

/* Lists up to `cap` baskets of a branch in entry order, without those in another file. Returns
 * their number. */
int32_t xy_tree_baskets(const xy_tree *tree, int32_t branch, xy_basket *out, int32_t cap);
/* Returns the size in bytes of an embedded basket as ROOT would have stored it in the file,
 * uncompressed, except for some numbers of its key that are not used; 0 if it is not embedded. */
size_t xy_tree_embedded_size(const xy_tree *tree, const xy_basket *basket);
/* Returns the size of its values and offsets only. */
size_t xy_tree_embedded_bytes(const xy_tree *tree, const xy_basket *basket);
xy_status xy_tree_embedded(const xy_tree *tree, xy_error *err, const xy_basket *basket,
                           xy_buffer *out);

/* TBranchElement::fType of collections that are split into their members, and of the members. */
enum { XY_B_CLONES = 3, XY_B_STL = 4, XY_B_CLONES_MEMBER = 31, XY_B_STL_MEMBER = 41 };

/* Returns the streamer element of a sub-branch, and the class to which it belongs; NULL if the
 * class is not described. */
const xy_element *xy_branch_element(const xy_tree *tree, const xy_part *branch,
                                    const xy_class **cls);
/* Compiles a branch. If it cannot be decoded, the root of the program is an ERROR. */
void xy_plan_branch(xy_compiler *c, const xy_tree *tree, int32_t branch);
/* Compiles a program that returns the bytes of each entry of a branch. */
void xy_plan_raw(xy_compiler *c, const xy_tree *tree, int32_t branch);
/* Returns the branch that contains the lengths of the arrays of a compiled branch, if these are not
 * in its own baskets; -1 if there is none. */
int32_t xy_count_branch(const xy_tree *tree, const xy_program *p, int32_t branch);
/* Sets the C++ types and kinds of all branches (kind: as xy_program_kind, 2 for a branch that
 * cannot be decoded, 3 for a branch that only contains others). Returns false if memory is
 * exhausted. */
bool xy_branch_types(const xy_tree *tree, xy_texts *types, uint8_t *kinds);
/* Returns 0 for one column of numbers, 1 for one of strings, 2 for anything else. */
int xy_program_kind(const xy_program *p);
/* Returns the node of the only column of numbers; -1 if there are none or several. */
int32_t xy_program_number(const xy_program *p);
/* Writes the description of the columns that a compiled program produces, as a tape for the host.
 */
void xy_plan_schema(const xy_program *p, int32_t node, xy_buffer *out);

#endif
