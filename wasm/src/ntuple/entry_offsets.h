/* Known elements of offset columns. They show which elements of the columns below a collection
 * belong to the chosen entries, so that only the pages with these elements are read. The offset of
 * row r is element r - 1 of its column. For the rows [from, to) of a collection, the elements from
 * - 1 and to - 1 give the range of elements in the columns below. The core requests their pages as
 * heads; the host reads the pages and adds them. */
#ifndef XY_NT_ENTRY_OFFSETS_H
#define XY_NT_ENTRY_OFFSETS_H

#include "plan.h"

/* The column of a need in a cluster: its pages, and the number of its elements that are not stored.
 */
typedef struct {
    int32_t id;
    const xy_nt_column *column; /* NULL: not stored */
    const xy_nt_range *range;   /* NULL: no pages */
    uint64_t lead;
} xy_nt_source;

/* Returns the number of elements in this many entries; UINT64_MAX on overflow. */
static inline uint64_t xy_nt_times(uint64_t entries, uint64_t repetition) {
    return repetition && entries > UINT64_MAX / repetition ? UINT64_MAX : entries * repetition;
}

xy_nt_source xy_nt_source_of(const xy_ntuple *nt, const xy_nt_need *need,
                             const xy_nt_cluster *cluster);

/* Sets [lo, hi) to the elements of a need's column that belong to the entries [from, to) of a
 * cluster. Returns false if they are not known. */
bool xy_nt_elements(const xy_ntuple *nt, const xy_nt_needs *needs, int32_t need,
                    const xy_nt_cluster *cluster, uint64_t from, uint64_t to, uint64_t *lo,
                    uint64_t *hi);

/* Pages to read for offsets that are not known. */
typedef struct {
    xy_buffer heads, head_ends, seeks, sizes; /* bytes, int32, doubles */
    double spared;                            /* estimated bytes that then need not be read */
} xy_nt_offset_pages;

/* Requests the pages that would show the elements of the entries [from, to). */
void xy_nt_request_offset_pages(const xy_ntuple *nt, const xy_nt_needs *needs,
                                const xy_nt_cluster *cluster, uint64_t from, uint64_t to,
                                xy_nt_offset_pages *requests);
void xy_nt_offset_pages_free(xy_nt_offset_pages *requests);

/* Adds a page. `src` is a requested head, followed by the bytes of its page. */
xy_status xy_nt_add_offset_page(xy_ntuple *nt, xy_error *err, const uint8_t *src, size_t len);

#endif
