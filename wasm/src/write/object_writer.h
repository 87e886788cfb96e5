/* Converts an exact tape (streamer/exact.h) to the bytes of an object, by the programs that read
 * it. Each operation of a program writes what the same operation of exec_tape.c and custom.c reads.
 */
#ifndef XY_OBJECT_WRITER_H
#define XY_OBJECT_WRITER_H

#include "../file/file.h"
#include "../streamer/exact.h"

/* The members of an object on the tape. They are taken in the order of streaming; if the tape has
 * another order, it is searched. */
typedef struct {
    size_t object;    /* where it stands on the tape */
    size_t next;      /* value of the member that is expected next; 0: none is left */
    xy_str next_name; /* and its name */
    uint32_t index;   /* of that member */
    size_t taken;     /* where the flags of taken members begin in xy_writer.taken */
} xy_members;

typedef struct {
    xy_error *err;
    const xy_program *program;
    xy_tape_view tape;
    xy_buffer *out;
    size_t origin;        /* offset of out[0] from the start of the record: the key's length */
    xy_buffer objects;    /* uint32 by object id: offset in the record; 0: not yet written */
    uint32_t *class_tags; /* by class of the program: offset of its name; 0: not yet written */
    xy_buffer taken;      /* one byte for each member of the objects that are open */
    int depth;
    xy_buffer *parts;      /* receives the parts of the object; or NULL */
    bool memberwise;       /* set by a HEADER for the LIST below it */
    int32_t value_version; /* of the elements of a member-wise collection */
    uint32_t value_checksum;
} xy_writer;

/* Writes the whole tape as one object, with the program whose class is at `node`. */
xy_status xy_write_object(xy_error *err, const xy_program *program, int32_t node,
                          const xy_tape_view *tape, size_t key_length, xy_buffer *out);

/* A part of an object that was written: where it is in its bytes, and its value on the tape. */
enum { XY_PART_TEXT, XY_PART_COUNT, XY_PART_NUMBERS };
typedef struct {
    int32_t kind;     /* XY_PART_* */
    int32_t dtype;    /* of NUMBERS, which are stored as such */
    uint32_t value;   /* none of a COUNT */
    uint32_t at, len; /* of a COUNT with all that it counts */
} xy_written_part;

/* As xy_write_object, and lists byte counts, texts with a short count, and numbers in `parts`, if
 * it is not NULL. */
xy_status xy_write_parts(xy_error *err, const xy_program *program, int32_t node,
                         const xy_tape_view *tape, size_t key_length, xy_buffer *out,
                         xy_buffer *parts);

/* Appends the exact tape of the object of the record `src`, which is decompressed to the scratch of
 * the file. */
xy_status xy_read_exact(xy_file *file, xy_error *err, const uint8_t *src, size_t len,
                        xy_buffer *tape);
/* Appends the exact tape of an object, whose record has a key of `keylen` bytes. */
xy_status xy_read_exact_object(xy_file *file, xy_error *err, xy_str class_name,
                               const uint8_t *object, size_t len, size_t keylen, xy_buffer *tape);

/* ---- shared by the parts of the writer ---- */

xy_status xy_refuse(xy_writer *w, const char *format, ...) __attribute__((format(printf, 2, 3)));
xy_status xy_write_failed(xy_writer *w);
void xy_put_u8(xy_writer *w, uint8_t v);
void xy_put_u16(xy_writer *w, uint16_t v);
void xy_put_u32(xy_writer *w, uint32_t v);
void xy_put_string(xy_writer *w, xy_str text);

/* Notes a part that ends where the bytes end. */
void xy_note_part(xy_writer *w, int kind, int dtype, size_t value, size_t at);

/* Reserves space for a byte count, which xy_end_count fills in. */
size_t xy_begin_count(xy_writer *w);
xy_status xy_end_count(xy_writer *w, size_t mark);

xy_status xy_open_members(xy_writer *w, size_t object, xy_members *members);
/* Fails if a member was not taken. */
xy_status xy_close_members(xy_writer *w, xy_members *members);
/* Returns the value of a member, which may be taken once. Fails if it is missing. */
xy_status xy_take_member(xy_writer *w, xy_members *members, const char *name, size_t *value);
/* Finds a mark ("$KIND" or "$KIND:NAME"), or any other member without taking it; 0 if it is
 * missing. */
size_t xy_find_mark(const xy_writer *w, const xy_members *members, const char *kind,
                    const char *name);

/* The header of an object: the version in its mark, or `usual` if there is no mark. */
typedef struct {
    size_t count; /* of xy_begin_count */
    bool counted, memberwise, summed;
    int32_t version;
    uint32_t checksum;
} xy_written_head;
xy_status xy_begin_head(xy_writer *w, const xy_members *members, const char *base, int32_t usual,
                        xy_written_head *head);
xy_status xy_end_head(xy_writer *w, const xy_written_head *head);

/* Reads an integer of the tape in [low, high]. */
xy_status xy_get_integer(xy_writer *w, size_t value, const char *name, int64_t low, int64_t high,
                         int64_t *out);
/* Writes n numbers of an array, a list, or one scalar, in the format of a NUMBER node. */
xy_status xy_write_numbers(xy_writer *w, const xy_node *number, size_t value, size_t n);
xy_status xy_write_text(xy_writer *w, size_t value, bool long_count);
/* Counts the values of an array or a list. Fails for other values. */
xy_status xy_count_values(xy_writer *w, size_t value, const char *what, uint32_t *n);

xy_status xy_write_value(xy_writer *w, int32_t node, size_t value, xy_members *members);
xy_status xy_write_pointer(xy_writer *w, size_t value);
/* Writes an object of a class without a pointer: the value, or its $value. */
xy_status xy_write_named(xy_writer *w, int32_t node, size_t value);
xy_status xy_write_custom(xy_writer *w, const xy_node *node, xy_members *members, bool base);
/* Writes fUniqueID, fBits and $pid, as in TObject. */
xy_status xy_write_tobject(xy_writer *w, xy_members *members);
/* Writes the elements of a list on the tape, member by member. */
xy_status xy_write_memberwise(xy_writer *w, int32_t layout, size_t list);
/* Finds the layout of an OBJECT with the version and checksum. Fails if there is none. */
xy_status xy_find_layout(xy_writer *w, const xy_node *object, int32_t version, uint32_t checksum,
                         int32_t *layout);

#endif
