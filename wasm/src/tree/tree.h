/* The branch table of a TTree, read from the tree's own record through the file's class table. */
#ifndef XY_TREE_H
#define XY_TREE_H

#include "xylem.h"

#include "../file/file.h"

/* Members of a branch that listing a tree needs, in the order in which they are stored. */
enum {
    XY_M_NAME,
    XY_M_TITLE,
    XY_M_COMPRESS,
    XY_M_WRITE_BASKET,
    XY_M_ENTRIES,
    XY_M_TOTAL_BYTES,
    XY_M_STORED_BYTES,
    XY_M_BRANCHES,
    XY_M_BASKETS,
    XY_M_BASKET_BYTES,
    XY_M_BASKET_ENTRY,
    XY_M_BASKET_SEEK,
    XY_M_COUNT
};

typedef struct {
    size_t object;  /* on the tape */
    int32_t parent; /* -1: the tree */
    int32_t depth;
    int32_t baskets; /* in the file and in the tree's record */
    xy_str name;
    size_t members[XY_M_COUNT]; /* on the tape, 0 where absent */
} xy_branch;

struct xy_tree {
    xy_file *file;
    xy_buffer tape;
    xy_tape_view view;
    size_t *objects; /* id -> offset on the tape */
    uint32_t object_count;
    xy_branch *branches;
    int32_t count, cap;
    int64_t entries;
};

xy_status xy_tree_read(xy_tree *tree, xy_file *file, xy_error *err, const uint8_t *src, size_t len);
void xy_tree_free(xy_tree *tree);

/* The object that a pointer member shows to, through references; 0 for null. */
size_t xy_tree_follow(const xy_tree *tree, size_t value);
size_t xy_tree_pointer(const xy_tree *tree, size_t object, const char *member);
/* Elements of a TObjArray, and of one that is a member. */
uint32_t xy_tree_elements(const xy_tree *tree, size_t array, size_t *first);
uint32_t xy_tree_array(const xy_tree *tree, size_t object, const char *member, size_t *first);

/* One basket of a branch. Exactly one of `seek` and `embedded` is set. */
typedef struct {
    int64_t first_entry, end_entry;
    uint64_t seek;
    int32_t nbytes;
    size_t embedded; /* TBasket on the tape */
} xy_basket;

/* Lists up to `cap` baskets of a branch in entry order; returns how many there are. */
int32_t xy_tree_baskets(const xy_tree *tree, int32_t branch, xy_basket *out, int32_t cap);
/* An embedded basket as a record of its own (see decode.h). */
xy_status xy_tree_embedded(const xy_tree *tree, xy_error *err, const xy_basket *basket,
                           xy_buffer *out);

/* TBranchElement::fType of collections that are split into their members, and of the members. */
enum { XY_B_CLONES = 3, XY_B_STL = 4, XY_B_CLONES_MEMBER = 31, XY_B_STL_MEMBER = 41 };

/* The streamer element that a sub-branch holds, and the class that has it; NULL where the class is
 * not described. */
const xy_element *xy_branch_element(const xy_tree *tree, size_t branch, const xy_class **cls);
/* Compiles a branch. A branch that cannot be decoded gives a program whose root is an ERROR. */
void xy_plan_branch(xy_compiler *c, const xy_tree *tree, int32_t branch);
/* Makes a program for the bytes of each entry of a branch. */
void xy_plan_raw(xy_compiler *c, const xy_tree *tree, int32_t branch);
/* The branch whose numbers say how long the arrays of a compiled branch are, where that cannot be
 * seen in its own baskets; -1 for none. */
int32_t xy_count_branch(const xy_tree *tree, const xy_program *p, int32_t branch);
/* What all branches are to people: the C++ type, and the kind (of xy_program_kind, 2 for what cannot
 * be decoded; 3 for a branch that only holds others). False when memory is out. */
bool xy_branch_types(const xy_tree *tree, xy_texts *types, uint8_t *kinds);
/* 0: one column of numbers, 1: one of strings, 2: anything else. */
int xy_program_kind(const xy_program *p);
/* The node of the one column of numbers; -1 when there is none or several. */
int32_t xy_program_number(const xy_program *p);
/* What a compiled program yields, as a tape for the host. */
void xy_plan_schema(const xy_program *p, int32_t node, xy_buffer *out);

#endif
