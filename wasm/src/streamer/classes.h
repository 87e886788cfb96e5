/* The class table: the descriptions of classes in the file's streamer info record, by version and
 * checksum, and built-in layouts of ROOT's own classes if a file has none. */
#ifndef XY_CLASSES_H
#define XY_CLASSES_H

#include "../status.h"
#include "tape.h"

/* TStreamerElement::fType. +20: fixed array, +40: array counted by another member. */
enum {
    XY_T_BASE = 0,
    XY_T_CHAR = 1,
    XY_T_SHORT = 2,
    XY_T_INT = 3,
    XY_T_LONG = 4,
    XY_T_FLOAT = 5,
    XY_T_COUNTER = 6,
    XY_T_CHARSTAR = 7,
    XY_T_DOUBLE = 8,
    XY_T_DOUBLE32 = 9,
    XY_T_UCHAR = 11,
    XY_T_USHORT = 12,
    XY_T_UINT = 13,
    XY_T_ULONG = 14,
    XY_T_BITS = 15,
    XY_T_LONG64 = 16,
    XY_T_ULONG64 = 17,
    XY_T_BOOL = 18,
    XY_T_FLOAT16 = 19,
    XY_T_ARRAY = 20,
    XY_T_POINTER = 40,
    XY_T_OBJECT = 61,
    XY_T_ANY = 62,
    XY_T_OBJECT_EMBEDDED = 63, /* Foo *p; //->  never null */
    XY_T_OBJECT_POINTER = 64,
    XY_T_TSTRING = 65,
    XY_T_TOBJECT = 66,
    XY_T_TNAMED = 67,
    XY_T_ANY_EMBEDDED = 68,
    XY_T_ANY_POINTER = 69,
    XY_T_ANY_POINTER_NOVT = 70,
    XY_T_STL_POINTER = 71,
    XY_T_STL = 300,
    XY_T_STLSTRING = 365,
    XY_T_STREAMER = 500,
    XY_T_STREAMLOOP = 501
};

typedef struct {
    const char *name;
    const char *title;
    const char *type_name;
    const char *count_name; /* member that counts, for //[n] */
    int32_t type;
    int32_t size;
    int32_t array_length;
    int32_t array_dim;
    int32_t max_index[5];
    int32_t stl_type;
    int32_t ctype;
    int32_t base_version;
    uint32_t base_checksum; /* 0: unknown, as in files from before ROOT 5.33 */
    bool is_stl;            /* described by a TStreamerSTL */
    bool bare_count;        /* a counted array without the leading byte of a pointer */
    /* Double32_t and Float16_t: range and bits, from the title's "[min,max,bits]" */
    double low, high, factor;
    int32_t bits;
    bool has_range;
} xy_element;

typedef struct {
    const char *name;
    int32_t version;
    uint32_t checksum;
    int32_t element_count;
    bool built_in;
    xy_element *elements;
} xy_class;

typedef struct xy_classes xy_classes;

/* Creates a table that contains the built-in classes. `root_version` is the file's fVersion,
 * because some formats depend on the ROOT version that wrote it. destroy(NULL) is fine. */
xy_classes *xy_classes_create(int32_t root_version);
int32_t xy_classes_root_version(const xy_classes *classes);
void xy_classes_destroy(xy_classes *classes);

/* Adds the streamer infos of a decoded streamer info record (a TList of TStreamerInfo). */
xy_status xy_classes_add(xy_classes *classes, xy_error *err, const xy_tape_view *list);

/* Return the number of classes that the file describes, and each of them. */
int xy_classes_count(const xy_classes *classes);
const xy_class *xy_classes_at(const xy_classes *classes, int index);

enum { XY_ANY_VERSION = -1000 };

/* Returns a layout: by checksum if `checksum` is not 0, otherwise by version; XY_ANY_VERSION means
 * the newest. The file's own streamer infos come first, then the built-in ones. NULL if there is
 * none. */
const xy_class *xy_class_find(xy_classes *classes, const char *name, size_t name_len,
                              int32_t version, uint32_t checksum);
/* Returns the layout of a class after `before` in the file; the first one if `before` is NULL, and
 * NULL after the last. */
const xy_class *xy_class_next(const xy_classes *classes, const char *name, size_t name_len,
                              const xy_class *before);
/* Returns the name under which the file describes a class whose name is written differently (see
 * xy_type_same); NULL if there is none. */
const char *xy_class_like(const xy_classes *classes, const char *name, size_t name_len);
/* Returns the number of layouts that the file has for a class. Layouts that differ only in their
 * checksum count once. */
int xy_class_versions(const xy_classes *classes, const char *name, size_t name_len);
/* Whether data of two layouts have the same form. With `bases`, they must also derive from the same
 * layouts of their base classes. */
bool xy_class_same(const xy_class *a, const xy_class *b, bool bases);
/* Returns the number type in which an enum is stored, according to the members of that type in the
 * classes of the file, because enums have no streamer info. 0 if it is unknown or differs. */
int xy_enum_type(const xy_classes *classes, const char *name, size_t name_len);
/* Whether the class derives from `base` or is the same class, according to the table. */
bool xy_class_derives(xy_classes *classes, const xy_class *cls, const char *base);

/* Reads the range and number of bits of a Double32_t or Float16_t from "[min,max,bits]" in a title.
 */
void xy_parse_range(const char *title, bool is_float16, xy_element *out);

/* Returns a copy of a string that lives as long as the table. */
const char *xy_classes_intern(xy_classes *classes, const char *text, size_t len);

#endif
