/* The value tape: any object as one self-contained run of bytes, little-endian, without alignment.
 *
 *   value   := NULL | FALSE | TRUE
 *            | SCALAR dtype:u8 data              one number
 *            | STRING len:u32 bytes
 *            | ARRAY dtype:u8 count:u32 data     numbers of one type
 *            | LIST size:u32 count:u32 value*    size: bytes after the count
 *            | OBJECT size:u32 id:u32 class member*
 *            | REF id:u32                        an OBJECT that came before on the same tape
 *            | ERROR len:u32 text                a value that cannot be decoded, and why
 *   class   := len:u16 bytes
 *   member  := len:u16 bytes value               the members of base classes stand in one level
 *
 * `size` lets a reader step over a container; ids count from 1 in order of appearance. */
#ifndef XY_TAPE_H
#define XY_TAPE_H

#include "../buffer.h"
#include "../bytes.h"

typedef enum {
    XY_TAPE_NULL = 0,
    XY_TAPE_FALSE = 1,
    XY_TAPE_TRUE = 2,
    XY_TAPE_SCALAR = 3,
    XY_TAPE_STRING = 4,
    XY_TAPE_ARRAY = 5,
    XY_TAPE_LIST = 6,
    XY_TAPE_OBJECT = 7,
    XY_TAPE_REF = 8,
    XY_TAPE_ERROR = 9
} xy_tape_tag;

/* Element types, also those of columns. */
typedef enum {
    XY_BOOL = 0,
    XY_I8 = 1,
    XY_U8 = 2,
    XY_I16 = 3,
    XY_U16 = 4,
    XY_I32 = 5,
    XY_U32 = 6,
    XY_I64 = 7,
    XY_U64 = 8,
    XY_F32 = 9,
    XY_F64 = 10
} xy_dtype;

static inline size_t xy_dtype_size(int dtype) {
    static const uint8_t size[] = {1, 1, 1, 2, 2, 4, 4, 8, 8, 4, 8};
    return size[dtype];
}

/* Writing. Opening a container returns a mark, with which it is closed. */
void xy_tape_u8(xy_buffer *t, uint8_t tag);
void xy_tape_scalar(xy_buffer *t, int dtype, const void *data);
void xy_tape_i32(xy_buffer *t, int32_t v);
void xy_tape_u32(xy_buffer *t, uint32_t v);
void xy_tape_i64(xy_buffer *t, int64_t v);
void xy_tape_f64(xy_buffer *t, double v);
void xy_tape_string(xy_buffer *t, const char *text, size_t len);
void xy_tape_cstring(xy_buffer *t, const char *text);
void xy_tape_error(xy_buffer *t, const char *text);
void xy_tape_name(xy_buffer *t, const char *text, size_t len);
void xy_tape_key(xy_buffer *t, const char *name);
/* Writes an array of n numbers. Returns the address of its bytes (not aligned); NULL if memory is
 * exhausted. */
uint8_t *xy_tape_array(xy_buffer *t, int dtype, uint32_t n);
size_t xy_tape_list(xy_buffer *t);
void xy_tape_list_end(xy_buffer *t, size_t mark, uint32_t count);
size_t xy_tape_object(xy_buffer *t, uint32_t id, const char *class_name, size_t len);
/* Many texts as an object of two arrays, which a host reads faster than a list of strings: `text`
 * (uint8), the texts one after another, and `ends` (int32). Writing frees them. */
typedef struct {
    xy_buffer text, ends;
} xy_texts;
void xy_texts_add(xy_texts *texts, xy_str text);
void xy_texts_put(xy_buffer *t, const char *key, xy_texts *texts);
void xy_tape_object_end(xy_buffer *t, size_t mark);

/* Reads a complete tape that this core wrote, so it is trusted. Values are offsets in the tape. 0
 * is never a valid offset of a value and means "none". */
typedef struct {
    const uint8_t *data;
    size_t len;
} xy_tape_view;

int xy_tape_tag_at(const xy_tape_view *t, size_t at);
size_t xy_tape_skip(const xy_tape_view *t, size_t at);
xy_str xy_tape_class(const xy_tape_view *t, size_t object);
/* Returns the value of a member of the object at `object`; 0 if there is none. */
size_t xy_tape_member(const xy_tape_view *t, size_t object, const char *name);
/* Finds the values of several members in one pass; 0 for missing ones. */
void xy_tape_members(const xy_tape_view *t, size_t object, const xy_str *names, int count,
                     size_t *values);
/* Return the value of the first member of an object, and of the member after `value`; 0 at the
 * end. They set `name`. */
size_t xy_tape_first_member(const xy_tape_view *t, size_t object, xy_str *name);
size_t xy_tape_next_member(const xy_tape_view *t, size_t object, size_t value, xy_str *name);
uint32_t xy_tape_list_count(const xy_tape_view *t, size_t list);
size_t xy_tape_list_first(const xy_tape_view *t, size_t list);
uint32_t xy_tape_object_id(const xy_tape_view *t, size_t object);
xy_str xy_tape_text(const xy_tape_view *t, size_t at);
double xy_tape_number(const xy_tape_view *t, size_t at);
int64_t xy_tape_integer(const xy_tape_view *t, size_t at);
/* Returns the count, element type and data (not aligned) of an array of numbers; 0 if the value is
 * not an array. */
uint32_t xy_tape_numbers(const xy_tape_view *t, size_t at, int *dtype, const uint8_t **data);
int64_t xy_number_at(int dtype, const uint8_t *data, size_t index);

/* Sets offsets[id] to the offset of each object on the tape, for ids below `count`. */
void xy_tape_index(const xy_tape_view *t, size_t *offsets, uint32_t count);

/* Return a member as text, integer or double; empty or the fallback if it is missing. */
xy_str xy_tape_member_text(const xy_tape_view *t, size_t object, const char *name);
int64_t xy_tape_member_int(const xy_tape_view *t, size_t object, const char *name,
                           int64_t fallback);
double xy_tape_member_double(const xy_tape_view *t, size_t object, const char *name,
                             double fallback);

#endif
