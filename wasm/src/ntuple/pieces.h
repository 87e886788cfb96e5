/* Finds the pages to read for the entries of a field: pieces of clusters, each with its head. */
#ifndef XY_NT_PIECES_H
#define XY_NT_PIECES_H

#include "entry_offsets.h"

typedef struct {
    int32_t count;
    xy_buffer firsts;                /* double: first entry of the cluster */
    xy_buffer clusters, from, to;    /* int32, double, double: entries counted in the cluster */
    xy_buffer head_ends, range_ends; /* int32 */
    xy_buffer heads;                 /* bytes */
    xy_buffer seeks, sizes;          /* doubles, of the ranges; adjacent ranges are joined */
} xy_nt_pieces;

/* Lists the pieces. `spans` are pairs, from and to, of the wanted entries, ascending and disjoint.
 */
xy_status xy_nt_list_pieces(const xy_ntuple *nt, xy_error *err, const xy_nt_needs *needs,
                            const double *spans, size_t span_count, xy_nt_pieces *out);
/* Lists the pages of offsets that would make these pieces smaller. */
xy_status xy_nt_list_offset_pages(const xy_ntuple *nt, xy_error *err, const xy_nt_needs *needs,
                                  const double *spans, size_t span_count, xy_nt_offset_pages *out);
void xy_nt_pieces_free(xy_nt_pieces *pieces);

/* Number of pages and bytes of a column in all clusters. */
typedef struct {
    uint64_t pages, stored, length;
    double compression; /* settings of the last cluster */
} xy_nt_sizes;
void xy_nt_add_sizes(const xy_ntuple *nt, int32_t column, xy_nt_sizes *out);

#endif
