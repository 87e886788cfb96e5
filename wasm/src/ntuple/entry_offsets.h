/* Known elements of offset columns. With them, of the columns below a collection only those
 * pages are read that hold elements of the chosen entries.
 * The offset of row r is the element r - 1 of its column: for the rows from..to of a collection,
 * the elements from - 1 and to - 1 tell the range of elements in the columns below. The core
 * requests their pages as heads; the host reads the pages and adds them. */
#ifndef XY_NT_ENTRY_OFFSETS_H
#define XY_NT_ENTRY_OFFSETS_H

#include "plan.h"

/* The column of a need in a cluster: its pages, and the number of its elements that are not
 * stored. */
typedef struct {
    int32_t id;
    const xy_nt_column *column; /* NULL: not stored */
    const xy_nt_range *range;   /* NULL: no pages */
    uint64_t lead;
} xy_nt_source;

/* Number of elements of this many entries; UINT64_MAX when it does not fit. */
static inline uint64_t xy_nt_times(uint64_t entries, uint64_t repetition) {
    return repetition && entries > UINT64_MAX / repetition ? UINT64_MAX : entries * repetition;
}

xy_nt_source xy_nt_source_of(const xy_ntuple *nt, const xy_nt_need *need,
                             const xy_nt_cluster *cluster);

/* Sets lo..hi to the elements of a need's column that the entries from..to of a cluster have;
 * false when they are not known. */
bool xy_nt_elements(const xy_ntuple *nt, const xy_nt_needs *needs, int32_t need,
                    const xy_nt_cluster *cluster, uint64_t from, uint64_t to, uint64_t *lo,
                    uint64_t *hi);

/* Pages to be read for offsets that are not known. */
typedef struct {
    xy_buffer heads, head_ends, seeks, sizes; /* bytes, int32, doubles */
    double spared;                            /* estimated bytes that then need not be read */
} xy_nt_offset_pages;

/* Requests the pages that would tell the elements of entries from..to. */
void xy_nt_request_offset_pages(const xy_ntuple *nt, const xy_nt_needs *needs,
                                const xy_nt_cluster *cluster, uint64_t from, uint64_t to,
                                xy_nt_offset_pages *requests);
void xy_nt_offset_pages_free(xy_nt_offset_pages *requests);

/* `src` is a head that was requested, followed by the bytes of its page. */
xy_status xy_nt_add_offset_page(xy_ntuple *nt, xy_error *err, const uint8_t *src, size_t len);

#endif
