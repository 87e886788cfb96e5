/* The interface of xylem-export.wasm, which encodes and compresses the columns of Parquet files,
 * and writes rows as text. It is a module of its own, which is loaded when a table is written, so
 * that the core stays small.
 *
 * A task is one block of memory, the input: the descriptions of columns and the arrays that these
 * name by their places in it. Places and counts are checked before anything is read. */
#ifndef XE_EXPORT_H
#define XE_EXPORT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __wasm__
#define XE_EXPORT(name) __attribute__((export_name(#name)))
#else
#define XE_EXPORT(name)
#endif

/* Types of values: those of web/core/dtypes.ts, and texts. */
enum {
    XE_BOOL,
    XE_I8,
    XE_U8,
    XE_I16,
    XE_U16,
    XE_I32,
    XE_U32,
    XE_I64,
    XE_U64,
    XE_F32,
    XE_F64,
    XE_TEXT
};

enum { XE_NONE, XE_SNAPPY, XE_ZSTD };

/* Results. */
enum { XE_OK, XE_NO_MEMORY, XE_DAMAGED };

/* Steps from a row to its values. */
enum {
    XE_LIST,    /* `at`: offsets, int32, one more than there are lists */
    XE_FIXED,   /* `at`: members of each list */
    XE_OPTIONAL /* `at`: one byte for each, 0 if the value is missing */
};
enum { XE_MAX_STEPS = 32 };

typedef struct {
    uint32_t kind;
    uint32_t at;
} xe_step;

/* A column as described by the caller. Its steps follow in the input. */
typedef struct {
    uint32_t type;
    uint32_t rows;
    uint32_t values; /* number of values */
    uint32_t at;     /* offset of the values; for texts, of their offsets (int32, values + 1) */
    uint32_t text_at;
    uint32_t text_bytes;
    uint32_t steps;
} xe_column;

/* A page within the bytes of a chunk. */
typedef struct {
    uint32_t at;
    uint32_t bytes;
    uint32_t first_row;
} xe_page;

/* The chunk of a column. Its memory belongs to the encoder and is valid until the next call. */
typedef struct {
    const uint8_t *bytes;
    uint32_t size;
    uint32_t uncompressed; /* bytes before compression, including headers */
    uint32_t slots;        /* number of values, empty lists and missing values */
    uint32_t dictionary;   /* bytes of the dictionary page, which comes first; 0 if there is none */
    const xe_page *pages;  /* pages of values */
    uint32_t page_count;
    uint32_t has_bounds;
    uint8_t min[8];
    uint8_t max[8];
} xe_chunk;

/* Kinds of columns in a text table. */
enum {
    XE_NUMBERS,   /* `at`: the numbers */
    XE_TEXTS,     /* `at`: offsets; `more_at`: bytes in UTF-8, which are quoted if necessary */
    XE_JSON,      /* as XE_TEXTS, but already JSON */
    XE_LISTS,     /* `at`: offsets, int32, one more than there are lists */
    XE_ARRAYS,    /* `at`: members of each */
    XE_OPTIONALS, /* `at`: one byte for each, 0 if the value is missing */
    XE_STRUCTS,   /* `at`: offsets of labels, of which one is written before each child and one
                   * after the last; `more_at`: the labels */
    XE_VARIANTS   /* `at`: one byte for each, its child or a greater number where the value is
                   * missing; `more_at`: the row of the child, int32 */
};

/* A column of a text table. Its children follow one another after it in the list of nodes. */
typedef struct {
    uint32_t kind;
    uint32_t type; /* of XE_NUMBERS */
    uint32_t rows;
    uint32_t at;
    uint32_t more_at;
    uint32_t more_bytes;
    uint32_t first_child;
    uint32_t children;
} xe_node;

/* Written bytes. Their memory belongs to the module and is valid until the next call. */
typedef struct {
    const uint8_t *bytes;
    uint32_t size;
} xe_written;

/* Returns memory for an input of `size` bytes, aligned to 16; NULL if memory is exhausted. It is
 * valid until the next call of xe_input, and so are the chunks of its columns. */
XE_EXPORT(xe_input) uint8_t *xe_input(size_t size);

/* Encodes the column described at offset `column` of the input in pages, and compresses it. Returns
 * one of the results above; the chunk is returned by xe_result. */
XE_EXPORT(xe_parquet) int32_t xe_parquet(uint32_t column, uint32_t codec, int32_t level);

XE_EXPORT(xe_result) const xe_chunk *xe_result(void);

/* Returns the chunks of all columns that were encoded for this input, one after another. */
XE_EXPORT(xe_chunks) const xe_written *xe_chunks(void);

/* Writes the rows of a table, which is described by `count` nodes at offset `nodes` of the input.
 * The first node is a structure whose children are the columns. With a separator, the children are
 * the cells of separated values. Texts, and JSON of values that are not texts or numbers, are
 * quoted if they contain the separator, a quotation mark or a line end, or if they are empty; a
 * missing value is an empty cell. With the separator 0, everything is JSON, in which characters
 * that could move a terminal's cursor are escaped. Returns one of the results above; the text is
 * returned by xe_text_result. */
XE_EXPORT(xe_text) int32_t xe_text(uint32_t nodes, uint32_t count, uint32_t separator);

XE_EXPORT(xe_text_result) const xe_written *xe_text_result(void);

#endif
