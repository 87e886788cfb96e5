/* Programs: how the bytes of a class, member or branch become values.
 *
 * A program is a graph of nodes, compiled from the class table once and run over many objects.
 * Nodes name each other by index and strings by offset, so a program is plain data that can be
 * sent to another thread. It is run into one of two sinks: columns (exec_columns.c), where each
 * node appends to typed arrays, or a value tape (exec_tape.c), where each object carries its own
 * names. TAPE nodes stand between: a column whose rows are tapes, for what has no common shape.
 *
 * Running a node means reading `n` values of its kind that follow each other. Member-wise streamed
 * collections hold all first members, then all second ones; so a STRUCT run for n reads each of
 * its members for n. */
#ifndef XY_PROGRAM_H
#define XY_PROGRAM_H

#include "classes.h"

typedef enum {
    XY_OP_NUMBER = 1, /* wire, dtype */
    XY_OP_BITS,       /* TObject::fBits outside of a TObject: u32, and a process id if referenced */
    XY_OP_FIXED,      /* size values of the child */
    XY_OP_COUNTED,    /* as many values of the child as the counter member says */
    XY_OP_REST,       /* values of the child up to the end of the entry */
    XY_OP_TSTRING,    /* one length byte, or 255 and four */
    XY_OP_CHARS,      /* char*: four length bytes */
    XY_OP_STRUCT,     /* members one after another */
    XY_OP_OBJECT,     /* version header, then the child STRUCT of that version */
    XY_OP_HEADER,     /* version header of a collection, then the child */
    XY_OP_LIST,       /* 4 bytes of count, then this many values of the child */
    XY_OP_USE,        /* tape only: the class at index `size` of the program's classes */
    XY_OP_POINTER,    /* null, an object with its class, or a reference; tape only */
    XY_OP_TOBJECT,    /* TObject's own format; children fUniqueID and fBits */
    XY_OP_TREF,       /* TRef: TObject and a process id */
    XY_OP_CUSTOM,     /* a class with a format of its own (custom); tape only */
    XY_OP_TRIANGLE,   /* as many values as the triangle of a matrix of counter rows has */
    XY_OP_LOOP,       /* array of objects counted by a member, behind a version header */
    XY_OP_LEAFOBJECT, /* TBranchObject: a class name before the object */
    XY_OP_TAPE,       /* a column of tapes; the child runs into the tape */
    XY_OP_ENTRIES,    /* root of an RNTuple field: see ntuple/plan.h for what is below */
    XY_OP_OPTIONAL,   /* RNTuple: zero or one value of the child */
    XY_OP_VARIANT,    /* RNTuple: a value of one of the children */
    XY_OP_ERROR       /* cannot be decoded; text says why */
} xy_op;

/* Formats of classes whose streamers are written by hand in ROOT. X gets the name of the kind, the
 * name of the function run_NAME (custom.c) that reads it and write_NAME (write/write_custom.c) that
 * writes it, the version that ROOT writes, and whether it holds pointers to objects. The version is
 * 0 if it is not known, and -1 if the format has no version header. */
#define XY_CUSTOM_FORMATS(X)                                                                       \
    X(TOBJARRAY, objarray, 3, true)                                                                \
    X(TLIST, tlist, 5, true)                                                                       \
    X(TMAP, tmap, 3, true)                                                                         \
    X(TCLONESARRAY, clonesarray, 4, false)                                                         \
    X(TREFARRAY, refarray, 1, false)                                                               \
    X(ROOLINKEDLIST, roolinkedlist, 0, true)                                                       \
    X(TBASKET, basket, -1, true)

/* The classes with these formats. Their members in TypeScript are in OWN_FORMS of
 * web/features/snippets/work/types-typescript.ts; a test compares them. */
#define XY_CUSTOM_CLASSES(X)                                                                       \
    X("TObjArray", TOBJARRAY)                                                                      \
    X("TList", TLIST)                                                                              \
    X("THashList", TLIST)                                                                          \
    X("TSortedList", TLIST)                                                                        \
    X("TOrdCollection", TLIST)                                                                     \
    X("TMap", TMAP)                                                                                \
    X("TClonesArray", TCLONESARRAY)                                                                \
    X("TRefArray", TREFARRAY)                                                                      \
    X("TBasket", TBASKET)                                                                          \
    X("RooLinkedList", ROOLINKEDLIST)

#define XY_CUSTOM_KIND(kind, function, version, pointers) XY_CUSTOM_##kind,
typedef enum { XY_CUSTOM_NONE = 0, XY_CUSTOM_FORMATS(XY_CUSTOM_KIND) } xy_custom;
#undef XY_CUSTOM_KIND

/* A class with a custom format. */
typedef struct {
    const char *name;
    int custom;
} xy_custom_class;
#define XY_CUSTOM_ONE(name, kind) +1
enum { XY_CUSTOM_COUNT = XY_CUSTOM_CLASSES(XY_CUSTOM_ONE) };
#undef XY_CUSTOM_ONE
extern const xy_custom_class xy_custom_classes[XY_CUSTOM_COUNT];

/* Version and pointers of a format: see XY_CUSTOM_FORMATS. */
typedef struct {
    int8_t version;
    bool pointers;
} xy_custom_format;
/* Returns the format of a kind; that of XY_CUSTOM_NONE for an unknown number. */
const xy_custom_format *xy_custom_format_of(int custom);

/* Number formats in the file. They are converted to the node's `dtype`. */
typedef enum {
    XY_W_U8 = 0, /* also i8 */
    XY_W_BOOL,
    XY_W_16,
    XY_W_32,
    XY_W_64,
    XY_W_SCALED,    /* u32 / factor + low */
    XY_W_TRUNCATED, /* exponent byte and 16 bits of sign and mantissa, `bits` of them used */
    XY_W_FLOAT_AS_DOUBLE
} xy_wire;

enum {
    XY_F_FLATTEN = 1,   /* a base class: its members are listed among those of the derived class */
    XY_F_BARE = 2,      /* COUNTED without a leading byte */
    XY_F_INTS = 2,      /* LIST of enums that are not int: see xy_take_ints */
    XY_F_UNORDERED = 4, /* LIST of an unordered container */
    XY_F_MAP = 8,       /* LIST of a map */
    XY_F_APPROX = 16,   /* NUMBER of limited precision */
    XY_F_ANY_VERSION = 32, /* STRUCT that fits all versions */
    XY_F_POINTERS = 64,    /* LOOP over pointers */
    XY_F_HEADERS = 128,    /* REST: the child's HEADER occurs once, before all values */
    /* A collection or std::string inside a collection: it has no header, except with member-wise
     * streaming. */
    XY_F_COLLECTION = 256,
    XY_F_BASE = 512,      /* a base class, whose members member-wise streaming lists individually */
    XY_F_OLD_SEEK = 1024, /* COUNTED: 64-bit numbers only if the leading byte is 2 */
    XY_F_BARE_OBJECT = 2048, /* OBJECT that fills an entry: its header may be missing */
    XY_F_EVEN = 4096,        /* REST: if entries have no offsets, they all have the same size */
    XY_F_OFFSETS = 8192, /* root: baskets of several entries contain the offsets of the entries */
    /* STRUCT: the file contains another description of the class with this version, with other
     * members or with other layouts of its base classes. */
    XY_F_OTHER_MEMBERS = 16384,
    XY_F_OTHER_BASES = 32768
};

enum { XY_NO_COUNTER = -1, XY_COUNTED_OUTSIDE = -2 };

typedef struct {
    uint8_t op, wire, dtype;
    uint16_t flags;
    int32_t first;   /* first child, -1 none */
    int32_t next;    /* next sibling, -1 none */
    int32_t size;    /* FIXED: count; REST: bytes of a value, 0 if they vary; CUSTOM: which;
                        USE: class */
    int32_t counter; /* COUNTED, LOOP, REST: node of the counter; XY_NO_COUNTER: by name on the
                        tape; XY_COUNTED_OUTSIDE: from another branch */
    int32_t column;  /* first buffer of this node, -1 in tape mode */
    /* STRUCT: its layout. For a base class: the layout that the derived class names. */
    int32_t version;
    uint32_t checksum;
    int32_t bits;        /* NUMBER, truncated */
    uint32_t name;       /* member name; ERROR: text. 0 none */
    uint32_t type_name;  /* class or C++ type */
    uint32_t count_name; /* COUNTED, LOOP */
    uint32_t least;      /* 1 + minimum size of a value in bytes; 0: not yet known (run.c) */
    double factor, low;
} xy_node;

typedef struct {
    uint32_t name; /* class name in the pool */
    uint32_t hash; /* of the name */
    int32_t node;  /* its OBJECT, CUSTOM or other node, in tape mode */
    int32_t next;  /* in its bucket, -1 none */
} xy_program_class;

typedef struct {
    xy_node *nodes;
    int32_t count, cap;
    xy_program_class *classes;
    int32_t class_count, class_cap;
    int32_t *buckets; /* first class by the hash of the name, -1 none; their number is a power of
                       * two */
    uint32_t bucket_count;
    xy_buffer pool; /* strings, NUL-terminated; offset 0 is "" */
    int32_t root;
    int32_t column_count; /* buffers */
    bool dynamic;         /* has POINTERs, so objects of any class may occur */
    bool failed;          /* out of memory */
} xy_program;

void xy_program_init(xy_program *p);
void xy_program_free(xy_program *p);
static inline const char *xy_program_text(const xy_program *p, uint32_t offset) {
    return (const char *)p->pool.data + offset;
}

typedef struct {
    xy_classes *classes;
    xy_program *program;
    bool columnar; /* nodes are for columns */
    int depth;
    const xy_class *stack[64]; /* classes being compiled, to detect recursion */
    int stack_len;
    bool draining; /* classes for the tape are being compiled one after another */
    /* TStreamerSTL::fCtype of the collection that is compiled next: the number type of its enums.
     */
    int32_t element_type;
} xy_compiler;

int32_t xy_node_new(xy_program *p, xy_op op);
uint32_t xy_program_intern(xy_program *p, const char *text, size_t len);
int32_t xy_node_error(xy_program *p, const char *format, ...) __attribute__((format(printf, 2, 3)));
int32_t xy_node_number(xy_program *p, int wire, int dtype);
/* Makes a number node for a basic TStreamerElement type (1..19); -1 for other types. */
int32_t xy_compile_basic(xy_program *p, int type, const xy_element *e);

/* Compiles a whole object of a class as its streamer writes it, including the version header.
 * Columns have one layout, chosen by checksum or version. If the data may have other layouts, the
 * objects become tapes. */
int32_t xy_compile_object(xy_compiler *c, const char *name, size_t len, int32_t version,
                          uint32_t checksum);
/* Compiles one member, as stored in its class. */
int32_t xy_compile_element(xy_compiler *c, const xy_class *cls, const xy_element *e);
/* Compiles a C++ type as stored inside a collection (collections without header). */
int32_t xy_compile_type(xy_compiler *c, const char *type, size_t len);
/* Wraps a node that only supports the tape into a column of tapes. */
int32_t xy_compile_taped(xy_compiler *c, int32_t child);
/* Returns a hash of a name (FNV-1a). */
uint32_t xy_name_hash(const char *text, size_t len);
/* Returns the index of a class among the compiled ones; -1 if it is missing. */
int32_t xy_program_class_index(const xy_program *p, const char *name, size_t len);
/* Adds a class without a node, and returns its index. The program fails if memory is exhausted, or
 * if more names share a hash than in any file that is not an attack. */
int32_t xy_program_add_class(xy_program *p, const char *name, size_t len);
/* Rebuilds the buckets of the classes. Returns false if memory is exhausted. */
bool xy_program_index_classes(xy_program *p);

/* Writes a program as bytes: "XYP1", then int32 nodes, classes, pool bytes, root, buffers; then
 * nodes, classes and pool as in memory of the same build. */
void xy_plan_write(const xy_program *p, xy_buffer *out);
/* Returns false if the bytes are not a plan, or memory is exhausted. The caller frees the program
 * in any case. */
bool xy_plan_read(xy_program *p, const uint8_t *plan, size_t len);

/* Numbers the buffers of all column nodes below the root. */
void xy_assign_columns(xy_program *p);
/* Returns the bytes of one value if all have the same size; otherwise 0. */
size_t xy_fixed_size(const xy_program *p, int32_t node);
/* Returns the text of the first ERROR node that columns need; NULL if there is none. */
const char *xy_program_error(const xy_program *p, int32_t node);

#endif
