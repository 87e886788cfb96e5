/* Borders: elements of offset columns that are known, so that of the columns below a collection
 * only the pages are read that hold the elements of the entries wanted.
 *
 * The offset of row r is the element r - 1 of its column: where the rows from..to of a collection
 * are wanted, the elements from - 1 and to - 1 tell which elements of the columns below are. They
 * are asked for as heads of pages, which the host reads, and learned from those pages. */
#ifndef XY_NT_BORDERS_H
#define XY_NT_BORDERS_H

#include "plan.h"

/* The column of a need in a cluster: its pages, and how many of its elements are not stored. */
typedef struct {
    int32_t id;
    const xy_nt_column *column; /* NULL: not stored */
    const xy_nt_range *range;   /* NULL: no pages */
    uint64_t lead;
} xy_nt_source;

xy_nt_source xy_nt_source_of(const xy_ntuple *nt, const xy_nt_need *need,
                             const xy_nt_cluster *cluster);

/* The elements lo..hi of a need's column that entries from..to of a cluster have; false where that
 * is not known. */
bool xy_nt_elements(const xy_ntuple *nt, const xy_nt_needs *needs, int32_t need,
                    const xy_nt_cluster *cluster, uint64_t from, uint64_t to, uint64_t *lo,
                    uint64_t *hi);

/* Pages to be read for borders that are not known. */
typedef struct {
    xy_buffer heads, head_ends, seeks, sizes; /* bytes, int32, doubles */
    double spare;                             /* bytes that need not be read then, by estimate */
} xy_nt_asks;

/* Asks for what would tell the elements of entries from..to. */
void xy_nt_ask(const xy_ntuple *nt, const xy_nt_needs *needs, const xy_nt_cluster *cluster,
               uint64_t from, uint64_t to, xy_nt_asks *asks);
void xy_nt_asks_free(xy_nt_asks *asks);

/* `src` is a head of an ask, and behind it the bytes of its page. */
xy_status xy_nt_learn(xy_ntuple *nt, xy_error *err, const uint8_t *src, size_t len);

#endif
