/* Expressions over columns: programs for TTree::Draw's language, run block by block.
 *
 * The host compiles a program from text (web/query). It is a sequence of bytes in host order:
 *
 *   "XYQ1", then int32: leaves, accesses, spaces, instructions, outputs, constants, text bytes,
 *   columns, slots, cut (instructions that compute the weight), weight (slot, -1 for none),
 *   weight space; then the tables, whose records have a fixed number of int32 (below), the
 *   constants (double), and the texts.
 *
 *   leaf         column, kind (0 number, 1 string, 2 fixed-size characters up to a 0), dtype,
 *                data buffer, offsets buffer (string) or number of characters, levels;
 *                then XY_X_LEVELS levels with two numbers each: kind, buffer or size (0 for ROWS)
 *   access       leaf, free dimensions;
 *                then XY_X_LEVELS subscripts with two numbers each: kind, value. STOP marks an
 *                access that ends above the leaf's numbers: only its size can be computed
 *   space        dimensions, drivers; then XY_X_DRIVERS accesses
 *   instruction  op, space, dst, a, b, c, imm, imm2
 *   output       slot or access, space, kind (0: numbers of a slot; 1: 64-bit integers of an
 *                access; 2: strings of an access), reserved
 *
 * An access is a leaf with its subscripts. A space is a set of instances for which expressions are
 * evaluated. Space 0 has one instance per entry. The others loop over the arrays that drive them,
 * as in TTreeFormulaManager: the first free dimensions of all arrays (or lists of indices) run
 * together, up to the shortest, then the second ones. If an array has no element at a constant
 * index, the entry has no instances. Values are in slots: arrays of doubles with one number per
 * instance. An instruction reads slots of its own space, unless its comment says otherwise. */
#ifndef XY_EXPR_H
#define XY_EXPR_H

#include "xylem.h"

#include "../buffer.h"
#include "../decode/decoder.h"
#include "../status.h"

enum { XY_X_LEVELS = 8, XY_X_DIMS = 5, XY_X_DRIVERS = 24, XY_X_SLOTS = 256 };

/* ROWS is only possible as the first level. It contains the row of its column for each entry, or
 * -1. */
typedef enum {
    XY_LEVEL_LIST = 0,
    XY_LEVEL_FIXED = 1,
    XY_LEVEL_OPTIONAL = 2,
    XY_LEVEL_ROWS = 3
} xy_level_kind;
/* FREE loops, as dimension `value`. SLOT has an index for each instance. LIST loops over all values
 * that a slot of another space has for the entry, and uses them as indices. PICK has an index for
 * each entry, from a slot of space 0. The slots of LIST and PICK are computed by the first
 * instructions of the program, before any instances are. */
typedef enum {
    XY_SUB_FREE = 0,
    XY_SUB_CONST = 1,
    XY_SUB_SLOT = 2,
    XY_SUB_STOP = 3,
    XY_SUB_LIST = 4,
    XY_SUB_PICK = 5
} xy_sub_kind;

/* Numbered as in web/core/expr-ops.ts. */
typedef enum {
    XY_X_CONST = 0,  /* dst = constant imm */
    XY_X_LOAD = 1,   /* dst = access imm; NaN when there is no such element */
    XY_X_VALID = 2,  /* dst = whether access imm has the element */
    XY_X_EXPAND = 3, /* dst = a of space 0, repeated for each instance of `space` */
    XY_X_ENTRY = 4,  /* number of the entry */
    XY_X_ITERATION = 5,
    XY_X_LENGTH = 6, /* in space 0: number of instances of space imm */
    /* From space imm to space 0; 0 if there are no values. */
    XY_X_SUM = 7,
    XY_X_MIN = 8,
    XY_X_MAX = 9,
    XY_X_MIN_IF = 10, /* minimum of a where b */
    XY_X_MAX_IF = 11,
    XY_X_ANY = 12,
    XY_X_STRING_EQ = 13,     /* access imm and text imm2 (b: its bytes) */
    XY_X_STRING_IN = 14,     /* whether access imm contains text imm2 */
    XY_X_STRING_SAME = 15,   /* accesses imm and imm2 */
    XY_X_SIZE = 16,          /* dst = how many elements the next level of access imm has */
    XY_X_SELECT = 17,        /* a ? b : c */
    XY_X_CALL = 18,          /* dst = the mathematical function imm of a, b, c and slot imm2 */
    XY_X_STRING_ORDER = 19,  /* compares access imm with text imm2, or access imm2 if c */
    XY_X_STRING_FIND = 20,   /* position of text imm2 in access imm (the last if c), or -1 */
    XY_X_STRING_LENGTH = 21, /* bytes of access imm */
    XY_X_STRING_CODE = 22,   /* code of the first byte of access imm; 0 if it is empty */
    XY_X_GIVEN = 23,         /* in space 0: weight of the entry from another program */
    XY_X_BINARY = 32,
    XY_X_ADD = 32,
    XY_X_SUB,
    XY_X_MUL,
    XY_X_DIV, /* division by 0 gives 0 */
    XY_X_MOD, /* of integers */
    XY_X_POW,
    XY_X_LT,
    XY_X_LE,
    XY_X_GT,
    XY_X_GE,
    XY_X_EQ,
    XY_X_NE,
    XY_X_AND,
    XY_X_OR,
    XY_X_BIT_AND,
    XY_X_BIT_OR,
    XY_X_SHIFT_LEFT,
    XY_X_SHIFT_RIGHT,
    XY_X_ATAN2,
    XY_X_FMOD,
    XY_X_LEAST,
    XY_X_MOST,
    XY_X_HYPOT,
    XY_X_COPYSIGN,
    XY_X_DELTA_PHI,
    XY_X_OVER, /* division as in C */
    XY_X_C_ATAN2,
    XY_X_BINARY_END,
    XY_X_UNARY = 64,
    XY_X_NEG = 64,
    XY_X_NOT,
    XY_X_ABS,
    XY_X_SQRT,
    XY_X_LOG,
    XY_X_LOG10,
    XY_X_EXP,
    XY_X_SIN,
    XY_X_COS,
    XY_X_TAN,
    XY_X_ASIN,
    XY_X_ACOS,
    XY_X_ATAN,
    XY_X_SINH,
    XY_X_COSH,
    XY_X_TANH,
    XY_X_ASINH,
    XY_X_FLOOR,
    XY_X_CEIL,
    XY_X_ROUND,
    XY_X_TRUNC,
    XY_X_INT, /* through a 64-bit integer */
    XY_X_SIGN,
    XY_X_NINT, /* halves go to the even number */
    XY_X_IS_NAN,
    /* As in TFormula: see expr_ops.c. */
    XY_X_R_SQRT,
    XY_X_R_LOG,
    XY_X_R_LOG10,
    XY_X_R_EXP,
    XY_X_R_ASIN,
    XY_X_R_ACOS,
    XY_X_UNARY_END
} xy_expr_op;

typedef struct {
    int32_t kind, value;
} xy_expr_pair;

typedef struct {
    int32_t column, kind, dtype, data, offsets, levels;
    xy_expr_pair level[XY_X_LEVELS];
} xy_leaf_ref;

typedef struct {
    int32_t leaf, free;
    xy_expr_pair sub[XY_X_LEVELS];
} xy_access;

typedef struct {
    int32_t dims, drivers;
    int32_t driver[XY_X_DRIVERS];
} xy_space_ref;

typedef struct {
    int32_t op, space, dst, a, b, c, imm, imm2;
} xy_instruction;

typedef struct {
    int32_t slot, space, kind, reserved;
} xy_output;

/* Unpacks the value of a LIST subscript: dim | slot << 3 | space << 11. */
static inline int32_t xy_list_dim(int32_t value) {
    return value & 7;
}
static inline int32_t xy_list_slot(int32_t value) {
    return value >> 3 & 0xff;
}
static inline int32_t xy_list_space(int32_t value) {
    return value >> 11;
}

/* Positions of a leaf's rows in a block: the elements of each level, from the decoder's buffers. */
typedef struct {
    /* LIST and OPTIONAL levels: offsets from the first row on. ROWS: the row of each entry, -1
     * for none. */
    const int32_t *offsets[XY_X_LEVELS];
    const uint8_t *data;
    const int32_t *texts;        /* offsets of strings */
    size_t characters;           /* number of characters of each, if there are no offsets */
    xy_buffer made[XY_X_LEVELS]; /* offsets of OPTIONAL levels */
} xy_leaf_data;

/* The instances of a space in one block of entries. */
typedef struct {
    size_t count;
    bool filled;
    bool same;       /* one instance per entry, in order: the lists below are empty */
    bool listed;     /* whether entry, iter and idx are there: see xy_space_list */
    xy_buffer entry; /* int32: index of the entry of each instance in the block */
    xy_buffer iter;  /* int32: number within the entry */
    xy_buffer idx[XY_X_DIMS];
    xy_buffer start; /* int32, entries + 1: the first instance of each */
} xy_space;

typedef struct {
    double *values;
    size_t cap;
} xy_slot;

struct xy_query {
    /* The numbers at the start of the program, in order. */
    int32_t n_leaf, n_access, n_space, n_code, n_output, n_const, n_text, n_column, n_slot;
    int32_t cut, weight, weight_space;
    xy_leaf_ref *leaf;
    xy_access *access;
    xy_space_ref *space;
    xy_instruction *code;
    xy_output *output;
    double *constant;
    char *text;

    xy_math_call *math; /* NULL if no functions are linked */
    const xy_decoder **column;
    xy_buffer *map; /* by column: int32 rows of the entries; only for columns with a level of
                     * ROWS */
    xy_leaf_data *data;
    xy_space *set;
    xy_slot *slot;
    xy_buffer positions, more_positions; /* int32 */
    xy_buffer block;                     /* doubles */
    xy_buffer *out;                      /* results: see xy_query_values and xy_query_columns */
    int32_t n_out;
    const double *given; /* by row: weights that another query computed */
    double first;        /* entry of the first row */
    xy_buffer numbers;   /* doubles: entries of the rows, if not consecutive from `first` */
    size_t row, rows;    /* the block: rows row .. row + rows of the columns */
    size_t end;          /* rows of the columns */
};

xy_query *xy_query_new(xy_error *err, const uint8_t *program, size_t len);
void xy_query_free(xy_query *q);

/* Finds the columns that were bound. All of them must have `rows` rows. */
xy_status xy_query_prepare(xy_query *q, xy_error *err, size_t rows);
/* Moves to the next block. Returns false at the end. */
bool xy_query_next(xy_query *q);
/* Counts the instances of a space for the block. */
xy_status xy_space_fill(xy_query *q, xy_error *err, int32_t space);
/* Counts the instances, and lists their entries, numbers and indices. */
xy_status xy_space_list(xy_query *q, xy_error *err, int32_t space);
/* Runs the instructions for the weight, or the instructions after them. */
xy_status xy_query_cut(xy_query *q, xy_error *err);
xy_status xy_query_rest(xy_query *q, xy_error *err);
/* Returns the block's weights; NULL if all are 1. */
const double *xy_query_weights(const xy_query *q);
/* Returns the text at a position of a leaf of texts; false for a negative position, which has none.
 */
bool xy_text_at(const xy_leaf_data *d, int32_t at, const char **text, size_t *len);

/* Computes the elements of an access, one for each instance of `space`, as positions in the leaf's
 * data: -1 if there is none. If the access stops above the leaf, computes numbers of elements. */
xy_status xy_access_positions(xy_query *q, xy_error *err, int32_t access, int32_t space,
                              int32_t *out);
xy_status xy_load(xy_query *q, xy_error *err, int32_t access, int32_t space, double *out);
/* Returns n int32; NULL if memory is exhausted. */
int32_t *xy_positions(xy_query *q, xy_error *err, xy_buffer *buffer, size_t n);

void xy_binary(int32_t op, double *out, const double *a, const double *b, size_t n);
void xy_unary(int32_t op, double *out, const double *a, size_t n);

/* Returns the entry of a row of the columns. */
static inline double xy_entry_of(const xy_query *q, size_t row) {
    if (!q->numbers.len) return q->first + (double)row;
    return ((const double *)(const void *)q->numbers.data)[row];
}

static inline size_t xy_space_count(const xy_query *q, int32_t space) {
    return space == 0 || q->set[space].same ? q->rows : q->set[space].count;
}

#endif
