/* The metadata of an RNTuple in a new file: ntuple_copy.c writes them, ntuple_merge.c joins
 * RNTuples. */
#ifndef XW_NTUPLE_COPY_H
#define XW_NTUPLE_COPY_H

#include "../../ntuple/ntuple.h"

struct xw_ntuple {
    const xy_ntuple *nt;
    int32_t *fields, *columns;     /* new ids; -1: left out */
    int32_t *listed, listed_count; /* columns in the order of their new ids */
    uint64_t checksum;             /* of the new header */
    /* Set for an RNTuple that is appended to another one: its clusters list all columns, and no
     * zeros are left out. */
    bool follows;
    /* Number of entries, and of elements of each column by its new id, that come before it, modulo
     * 2^64. Clusters left out so far are not counted. */
    uint64_t entries;
    uint64_t *elements;
    /* NULL: all clusters are kept. Otherwise 1 for each cluster that is left out, and the number of
     * unstored elements of each deferred column, by its new id, that would be in these. */
    uint8_t *left_out;
    uint64_t *late;
    /* The same for the RNTuple that will follow. Used only in the first one. */
    uint64_t next_entries;
    uint64_t *next_elements;
    /* Bytes of the pages of zeros that are written for it, each size once. */
    uint32_t *zeros;
    int32_t zero_count, zero_cap;
    /* Number of pages of zeros in its page lists. */
    uint64_t zero_pages;
};

/* A column in a cluster. */
typedef struct {
    const xy_nt_range *range; /* NULL: the cluster was written before there was the column */
    bool suppressed;          /* the elements are in the column of another representation */
    uint64_t elements;        /* with those that are not stored */
    uint64_t missing;         /* leading zeros that are not stored */
    uint64_t first;           /* elements of all clusters before */
    uint32_t compression;
} xw_share;

/* Fails with XY_E_CORRUPT if a cluster has a number of elements that its entries cannot have (for
 * one that is left out, the number for its entries is used), and with XY_E_UNSUPPORTED if that
 * number cannot be known. */
xy_status xw_share_of(const xy_ntuple *nt, xy_error *err, const xy_nt_cluster *cluster,
                      int32_t column, bool left_out, xw_share *out);

/* Counts entries and elements of a cluster that is left out. Fails as `xw_share_of`. */
xy_status xw_pass_cluster(xw_ntuple *w, xy_error *err, const xy_nt_cluster *cluster);

/* Maximum number of elements on one page of zeros, and the bytes of a page with `elements`. */
uint64_t xw_zero_elements(const xy_nt_column *column);
uint32_t xw_zero_bytes(const xy_nt_column *column, uint64_t elements);

#endif
