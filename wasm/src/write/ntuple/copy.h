/* The metadata of an RNTuple in a new file: ntuple_copy.c writes them, ntuple_merge.c
 * puts RNTuples behind each other. */
#ifndef XW_NTUPLE_COPY_H
#define XW_NTUPLE_COPY_H

#include "../../ntuple/ntuple.h"

struct xw_ntuple {
    const xy_ntuple *nt;
    int32_t *fields, *columns;     /* new ids; -1: left out */
    int32_t *listed, listed_count; /* columns in the order of their new ids */
    uint64_t checksum;             /* of the new header */
    /* Set for an RNTuple that follows another one in a merged one: its clusters list all columns,
     * and no zero is left out. */
    bool follows;
    /* Entries, and elements of each column by its new id, that lie before it, modulo 2^64: without
     * those of the clusters that were left out so far. */
    uint64_t entries;
    uint64_t *elements;
    /* NULL: all clusters are kept. Otherwise 1 for each cluster that is left out, and the elements
     * of each deferred column, by its new id, that are not stored and would lie in these. */
    uint8_t *left_out;
    uint64_t *late;
    /* The same for the RNTuple that will follow; only in the first one. */
    uint64_t next_entries;
    uint64_t *next_elements;
    /* Bytes of the pages of zeros that are written for it, each number once. */
    uint32_t *zeros;
    int32_t zero_count, zero_cap;
    /* Pages of zeros that its page lists name. */
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

/* Fails with XY_E_CORRUPT where a cluster has a number of elements that its entries cannot have
 * (one that is left out counts as many as its entries would have), and with XY_E_UNSUPPORTED where
 * that number cannot be known. */
xy_status xw_share_of(const xy_ntuple *nt, xy_error *err, const xy_nt_cluster *cluster,
                      int32_t column, bool left_out, xw_share *out);

/* Counts the entries and elements of a cluster as left out. Fails as `xw_share_of`. */
xy_status xw_pass_cluster(xw_ntuple *w, xy_error *err, const xy_nt_cluster *cluster);

/* The largest number of elements on one page of zeros, and the bytes of a page with `elements`. */
uint64_t xw_zero_elements(const xy_nt_column *column);
uint32_t xw_zero_bytes(const xy_nt_column *column, uint64_t elements);

#endif
