/* Executes a decode plan: runs the program of a branch, received as bytes (xy_plan_write), over its
 * baskets and fills columns. */
#ifndef XY_DECODE_H
#define XY_DECODE_H

#include "xylem.h"

#include "../file/record.h"
#include "../streamer/run.h"

/* Memory that successive decoders share, so that creating a decoder allocates almost nothing. Some
 * trees have ten thousand branches with a few baskets each. */
enum { XY_SPARES = 8 };
typedef struct {
    xy_codec *codec;
    xy_buffer object;            /* decompressed basket */
    xy_buffer spares[XY_SPARES]; /* column buffers of decoders that were freed */
    int spare_count;
} xy_scratch;

void xy_scratch_free(xy_scratch *scratch);

/* Entries `from` to `to` of a basket or cluster, relative to its first. */
typedef struct {
    int64_t from, to;
} xy_entry_span;

/* Ascending, disjoint spans. If there are several, none is empty. */
typedef struct {
    const xy_entry_span *list;
    size_t count;
    int64_t rows; /* rows of all spans */
} xy_entry_spans;

struct xy_decoder {
    xy_program program;
    xy_scratch *scratch;
    xy_scratch own; /* used when no scratch is shared */
    xy_run run;
    xy_buffer gathered; /* bytes of chosen entries */
    size_t *marks;      /* lengths of the buffers before a basket, and again where a span ended */
    int64_t rows;
    int64_t taken;    /* number of rows in the columns before they were cleared */
    uint64_t opened;  /* baskets and pages that were decompressed */
    double unpack_ms; /* spent on that */
    uint64_t seek;    /* position of the last basket in its file, according to its own key */
};

/* Creates a decoder. `scratch` must outlive it; NULL means separate memory. */
xy_decoder *xy_decoder_new(xy_error *err, const uint8_t *plan, size_t len, xy_scratch *scratch);

/* Appends the entries of the spans of the basket record `src`, as stored in the file. `to` of a
 * single span may be -1: to the basket's end. If a basket fails, the columns do not change.
 * `counts` are the numbers of the branch of xy_count_branch, from the basket's first entry on; NULL
 * if there is none. */
xy_status xy_decoder_spans(xy_decoder *d, xy_error *err, const uint8_t *src, size_t len,
                           const xy_entry_span *spans, size_t span_count, const int32_t *counts,
                           size_t count_len);

/* As xy_decoder_spans, for one span. */
xy_status xy_decoder_basket(xy_decoder *d, xy_error *err, const uint8_t *src, size_t len,
                            int64_t from, int64_t to, const int32_t *counts, size_t count_len);
void xy_decoder_reset(xy_decoder *d);

#endif
