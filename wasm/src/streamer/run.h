/* Runs programs over the bytes of an object or an entry. */
#ifndef XY_RUN_H
#define XY_RUN_H

#include "program.h"

/* Columns as the destination of values: buffers in the order of xy_assign_columns. Offsets are
 * int32 and start with 0; they are written with the first value. */
typedef struct {
    xy_buffer *buffers;
    int32_t count;
} xy_columns;

/* An object or class that was read, at its offset from the start of its record. */
typedef struct {
    uint32_t offset;
    uint32_t id;      /* object id; 0 for a class */
    const char *text; /* class name, in the input */
    size_t len;
    int32_t index; /* index of a class in the program; -1 if it is not in the program */
} xy_ref;

/* A version header: byte count (absent in old files), version, checksum of unversioned classes. */
typedef struct {
    size_t end; /* end of the object by its byte count; without one, end of the input */
    bool counted;
    bool memberwise;
    bool summed; /* a checksum follows the version */
    int32_t version;
    uint32_t checksum;
} xy_head;

/* The mark of a member on an exact tape, until the member is complete. */
typedef struct {
    enum { XY_MARK_NONE, XY_MARK_HEAD, XY_MARK_PID } kind;
    xy_head head;
    int32_t value_version;
    uint32_t value_checksum;
    uint16_t pid;
} xy_mark;

/* A reference to an object or a class that was read: its position in the input, and its value. */
typedef struct {
    uint32_t at, value;
} xy_tag;

typedef struct {
    xy_error *err;
    const xy_program *program;
    xy_cursor in;
    size_t origin; /* offset of in.base[0] from the start of the record: the key's length */
    xy_buffer *tape;
    xy_columns columns;
    xy_ref *refs;
    int32_t ref_count, ref_cap;
    uint32_t last_id;
    int depth;
    bool too_deep;    /* set if an object was skipped, or failed, because of its depth */
    uint64_t cells;   /* cells of the tables of member-wise collections in use */
    size_t spare;     /* steps that are left for values that take no bytes: see xy_spend */
    size_t scope;     /* tape offset of the first member of the object being written */
    size_t scope_end; /* tape offset after its last complete one */
    const xy_buffer *scope_tape;
    /* Counts from another branch, for arrays whose counter is in that branch; otherwise NULL. */
    const int32_t *counts;
    size_t count_len, count_pos;
    bool memberwise; /* set by a HEADER for the LIST below it */
    uint8_t orders;  /* XY_ORDER_* of the collections of objects that were read */
    /* Set for the record's own object if it could not be decoded completely: length of the tape
     * that is valid. 0: none. */
    size_t kept;
    uint32_t stopped; /* name of the member that stopped it */
    int32_t value_version;
    uint32_t value_checksum;
    bool exact; /* see exact.h */
    /* Whether elements are removed from the tape when they are complete, because only their
     * decoding is tested. */
    bool forgets;
    xy_mark mark;
    xy_buffer *tags; /* of a writer: gets an xy_tag for each reference that is read; NULL: none */
} xy_run;

/* Orders of the members of a collection of objects. */
enum { XY_ORDER_OBJECT_WISE = 1, XY_ORDER_MEMBER_WISE = 2 };

/* The core for reading never writes, so it contains no code for marks. */
#ifdef XY_WRITER
#define XY_EXACT(run) ((run)->exact)
#else
#define XY_EXACT(run) false
#endif

void xy_run_init(xy_run *run, xy_error *err, const xy_program *program);
void xy_run_free(xy_run *run);
/* Returns the maximum number of bytes that the values of `data` bytes may take as a tape or a
 * column. Names are repeated with each object, so it is much larger than `data`. */
static inline size_t xy_max_from(size_t data) {
    enum { ALWAYS = 64 << 20, TIMES = 64 };
    return data < (SIZE_MAX - ALWAYS) / TIMES ? ALWAYS + TIMES * data : SIZE_MAX;
}
/* Allows a number of steps for values without bytes, in proportion to the `data` bytes of a record
 * or basket. Values without bytes also take time: an object without members, the search for a name.
 */
static inline void xy_run_allow(xy_run *run, size_t data) {
    enum { ALWAYS = 1 << 20, EACH_BYTE = 64, MAX_STEPS = 1 << 30 };
    run->spare = data < MAX_STEPS / EACH_BYTE ? ALWAYS + EACH_BYTE * data : MAX_STEPS;
}
/* Starts on new input. References to earlier objects are dropped. */
void xy_run_input(xy_run *run, const uint8_t *data, size_t len, size_t origin);

/* Removes an element of a list, which began at `mark`, unless the tape is needed: no element is
 * read again. */
static inline void xy_forget(xy_run *run, size_t mark) {
    if (run->forgets) run->tape->len = mark;
}

xy_status xy_run_tape(xy_run *run, int32_t node);
/* Reads n elements of a member-wise collection into the tape; `ends[i]` is where the i-th ends. */
xy_status xy_run_tapes(xy_run *run, const xy_node *element, size_t n, size_t *ends);
/* Runs `node` n times into the columns. */
xy_status xy_run_columns(xy_run *run, int32_t node, size_t n);

/* ---- shared by columns and tapes ---- */

/* Reads a header. `object` is the OBJECT that it belongs to; NULL if it does not belong to a class.
 */
xy_status xy_read_head(xy_run *run, const xy_node *object, xy_head *head);
/* Returns the layout of an OBJECT's class that fits the header, for objects whose base classes have
 * their own headers. If there is none, records the reason and returns -1. */
int32_t xy_object_layout(xy_run *run, const xy_node *object, int32_t version, uint32_t checksum);
/* As xy_object_layout, for the elements of a member-wise collection. The members of their base
 * classes are stored individually, in the layouts that the class names. */
int32_t xy_choose_layout(xy_run *run, const xy_node *object, int32_t version, uint32_t checksum);
/* Whether a member is a base class whose members member-wise streaming stores individually. */
bool xy_is_dissolved(const xy_program *program, const xy_node *member);
/* Returns the layout of such a base class, which the derived class names. If there is none, records
 * the reason and returns -1. */
int32_t xy_base_layout(xy_run *run, const xy_node *member);
/* As xy_object_layout, for the header of an object. */
int32_t xy_layout_of(xy_run *run, const xy_node *object, const xy_head *head);
/* Fails unless the cursor is at the end of the object according to its header. */
xy_status xy_check_end(xy_run *run, const xy_head *head, uint32_t type_name);
xy_status xy_enter(xy_run *run);
xy_status xy_too_deep(xy_error *err, uint64_t offset);
/* An object that is being read: its header, its layout, and what xy_end_object restores. */
typedef struct {
    xy_head head;
    int32_t layout; /* -1: the error says why there is none */
    size_t whole_end;
    int depth;
} xy_open_object;
/* Reads the header of an object and limits the input to the object. After XY_OK, the caller ends
 * the object. */
xy_status xy_begin_object(xy_run *run, const xy_node *node, xy_open_object *object);
void xy_end_object(xy_run *run, const xy_open_object *object);
/* Drops the error of an object whose header contains its end, and continues after it. */
void xy_skip_object(xy_run *run, const xy_head *head);
static inline void xy_leave(xy_run *run) {
    run->depth--;
}
/* Return the size of a number in the file; and convert n of them to `out`. */
size_t xy_wire_size(int wire);
void xy_convert(const xy_node *node, const uint8_t *src, uint8_t *out, size_t n);
/* Converts the next n numbers of the input to `out`, which must have space for them. */
xy_status xy_take_numbers(xy_run *run, const xy_node *node, uint8_t *out, size_t n);
xy_status xy_truncated(xy_run *run, const char *what);
xy_status xy_no_memory(xy_run *run);
/* Subtracts steps from those that xy_run_allow granted. Fails if they are used up. */
xy_status xy_spend(xy_run *run, uint64_t steps);
/* Fails if n values of a node cannot be in the rest of the input, or are too many values without
 * bytes. */
xy_status xy_afford(xy_run *run, int32_t node, int64_t n);
/* Subtracts n steps if values of a node may have no bytes. */
xy_status xy_charge(xy_run *run, int32_t node, size_t n);
/* Reads a count from the input. Fails if this many values are impossible: see xy_afford. */
xy_status xy_read_count(xy_run *run, const xy_node *child, bool memberwise, size_t *count);
/* As xy_read_count, for an array whose length is a member in run->scope_tape. */
xy_status xy_read_counter(xy_run *run, const xy_node *node, size_t *count);
enum { XY_IS_REFERENCED = 0x10, XY_HAS_UUID = 0x20 }; /* of TObject::fBits */
/* Whether the LIST below a header of its own contains enums stored in four bytes each, as ROOT
 * writes them there for any enum type. If so, reads their number. In collections of collections,
 * enums have their own size. */
bool xy_take_ints(xy_run *run, const xy_node *list, const xy_head *head, size_t *n);
/* Refuses such a list in other places. There, ROOT 6.40 writes the memory of n enums as if they
 * were int, and omits the rest. */
xy_status xy_refuse_ints(xy_run *run, const xy_node *list);
/* Converts the next n enums of four bytes each to numbers of the list's type in `out`. */
void xy_read_enums(xy_run *run, const xy_node *number, uint8_t *out, size_t n);
/* Reads a TObject: version, fUniqueID, fBits, and the process id if TRefs refer to it (otherwise
 * 0). */
xy_status xy_read_tobject(xy_run *run, uint32_t *id, uint32_t *bits, uint16_t *pid);
/* Reads a TRef: as TObject, and the process id of the object it refers to. A TRef with XY_HAS_UUID
 * identifies the object by `uuid` instead; it is refused if `uuid` is NULL. */
xy_status xy_read_tref(xy_run *run, uint32_t *id, uint32_t *bits, uint16_t *pid, xy_str *uuid);

#endif
