/* Executing the plan of an RNTuple field over the pages of a cluster, into columns.
 *
 * The input of a run is a piece: a head that the session's core makes (pieces.c), and behind it the
 * stored bytes of the pages that the head lists, in order, each with its checksum if it has one.
 *
 *     head: uint32 magic, bytes of the head, columns, cluster; uint64 entries
 *     then for each column of the plan: piece_column
 *     then all their pages: xy_nt_page
 *
 * Everything is in the host's order: head and run come from the same build of this core. */
#ifndef XY_NT_PAGES_H
#define XY_NT_PAGES_H

#include "../decode/decoder.h"
#include "ntuple.h"

/* Column types as the format numbers them. */
enum {
    XY_COL_BIT = 0x00,
    XY_COL_BYTE = 0x01,
    XY_COL_CHAR = 0x02,
    XY_COL_INT8 = 0x03,
    XY_COL_UINT8 = 0x04,
    XY_COL_REAL16 = 0x0b,
    XY_COL_REAL32 = 0x0c,
    XY_COL_INDEX32 = 0x0e,
    XY_COL_INDEX64 = 0x0f,
    XY_COL_SWITCH = 0x10,
    XY_COL_SPLIT_REAL16 = 0x17,
    XY_COL_SPLIT_REAL32 = 0x18,
    XY_COL_SPLIT_INDEX32 = 0x1a,
    XY_COL_SPLIT_INDEX64 = 0x1b,
    XY_COL_REAL32_TRUNC = 0x1c,
    XY_COL_REAL32_QUANT = 0x1d
};

/* `size` of a NUMBER node: the values of the column, or the differences between its offsets. */
enum { XY_PAGED_VALUES = 0, XY_PAGED_SIZES = 1 };

enum { XY_PIECE_MAGIC = 0x3150584e };

typedef struct {
    uint32_t magic, bytes, columns, cluster;
    uint64_t entries;
} xy_piece_head;

typedef struct {
    int32_t type, bits; /* -1 bits: the column is not stored in this cluster */
    int32_t column;     /* physical, for messages */
    uint32_t pages;
    uint64_t lead;  /* elements of the cluster that are zero and not stored */
    uint64_t first; /* index of the first element of the first page listed, without the lead */
    double min, max;
} xy_piece_column;

/* Decompresses a page whose stored bytes and checksum are at `stored`. The result points to these
 * bytes or into `object`. */
xy_status xy_page_open(xy_codec *codec, xy_error *err, const xy_nt_page *page, int bits,
                       const uint8_t *stored, const char *field, uint32_t cluster,
                       xy_buffer *object, const uint8_t **out);

static inline bool xy_is_paged(const xy_program *p) {
    return p->root >= 0 && p->nodes[p->root].op == XY_OP_ENTRIES;
}

/* Returns the number of entries of the cluster of a piece. */
xy_status xy_pages_entries(xy_error *err, const uint8_t *src, size_t len, int64_t *entries);

/* Appends the entries of the spans, which must be within the cluster, to the decoder's columns.
 * After a failure, the columns may be longer than before. */
xy_status xy_pages_run(xy_decoder *d, xy_error *err, const uint8_t *src, size_t len,
                       const xy_entry_spans *spans);

#endif
