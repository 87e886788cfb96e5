/* The ABI of xylem-write.wasm, which writes what xylem.wasm reads. It has the functions of xylem.h
 * for contexts, memory and files (xy_ctx_*, xy_alloc, xy_free, xy_file_*, xy_streamers) with the
 * same rules, and those below. "Position" means a byte of the file. */
#ifndef XYLEM_WRITE_H
#define XYLEM_WRITE_H

#include "xylem.h"

/* Decodes the object of the record `src` to an exact tape (src/streamer/exact.h). Fails if the
 * object cannot be decoded completely. */
XY_EXPORT(xw_object)
int32_t xw_object(xy_ctx *ctx, xy_file *file, const uint8_t *src, size_t len);

/* Encodes an object from its exact tape, with the class descriptions of the file. `key_length`:
 * length of the key of its record. References are relative to the start of the key. Result: the
 * bytes of the object. */
XY_EXPORT(xw_encode)
int32_t xw_encode(xy_ctx *ctx, xy_file *file, const uint8_t *tape, size_t len, uint32_t key_length);

/* Decompresses the object of the record `src`. Result: its bytes. */
XY_EXPORT(xw_unpack)
int32_t xw_unpack(xy_ctx *ctx, xy_file *file, const uint8_t *src, size_t len);

/* Whether the object of a record contains a sequence of at least two bytes. It is decompressed part
 * by part. Result: one byte, 0 or 1. */
XY_EXPORT(xw_contains)
int32_t xw_contains(xy_ctx *ctx, xy_file *file, const uint8_t *src, size_t len, const uint8_t *text,
                    size_t text_len);

/* Returns 1 if a class that the file describes derives from another one or is the same class;
 * otherwise 0. `names`: the name of the class, followed by that of the other one. */
XY_EXPORT(xw_derives)
int32_t xw_derives(xy_file *file, const uint8_t *names, size_t class_len, size_t base_len);

/* Encoders, whose memory is kept for the next call. destroy(NULL) is fine. */
typedef struct xw_packer xw_packer;
XY_EXPORT(xw_packer_create) xw_packer *xw_packer_create(void);
XY_EXPORT(xw_packer_destroy) void xw_packer_destroy(xw_packer *packer);

/* Compresses an object in ROOT's blocks. `algorithm` and `level` are those of fCompress: 1 zlib, 2
 * lzma, 4 lz4, 5 zstd, 0 none; level 1 to 9. If a block does not become smaller, the result is the
 * unchanged source. */
XY_EXPORT(xw_pack)
int32_t xw_pack(xy_ctx *ctx, xw_packer *packer, int32_t algorithm, int32_t level,
                const uint8_t *src, size_t len);

/* Compresses the object of the record `src` again. Result: the new record. The caller sets the
 * position in its key. */
XY_EXPORT(xw_repack)
int32_t xw_repack(xy_ctx *ctx, xy_file *file, xw_packer *packer, int32_t algorithm, int32_t level,
                  const uint8_t *src, size_t len);

/* Tries codecs on stored bytes: the object of the record `src`, or, if `page` is not 0, a page of
 * an RNTuple of that many uncompressed bytes, perhaps with its checksum behind it. The object is
 * decompressed, then compressed by each codec, and decompressed again. `codecs` has an algorithm
 * and a level for each of `count`, as for xw_pack. Result, doubles: uncompressed bytes; bytes of
 * the key or the checksum; then for each codec the compressed bytes, and the milliseconds that
 * compressing and decompressing took, each the shortest of up to three times. Fails with
 * XY_E_COMPRESSION if other bytes come back. */
XY_EXPORT(xw_try)
int32_t xw_try(xy_ctx *ctx, xw_packer *packer, const int32_t *codecs, uint32_t count,
               const uint8_t *src, size_t len, uint32_t page);

/* Makes programs that find the pointers in entries of branches, for xw_entries_create. `src`: the
 * record of a tree. `wanted` has a byte for each of its `count` branches, not 0 for requested ones;
 * NULL means all. Result: a tape with a list that has uint8 values for each branch; null if it is
 * not requested or its entries have no pointers; or a text with the reason why they cannot be
 * found. */
XY_EXPORT(xw_entry_plans)
int32_t xw_entry_plans(xy_ctx *ctx, xy_file *file, const uint8_t *src, size_t len,
                       const uint8_t *wanted, uint32_t count);
typedef struct xw_entries xw_entries;
XY_EXPORT(xw_entries_create)
xw_entries *xw_entries_create(xy_ctx *ctx, const uint8_t *plan, size_t len);
XY_EXPORT(xw_entries_destroy) void xw_entries_destroy(xw_entries *entries);

/* Sums of objects of several files, numbered from 0. An object that only one file has so far is
 * kept as its stored record, a sum as its exact tape, which is compressed if there are many. */
typedef struct xw_sums xw_sums;
XY_EXPORT(xw_sums_create) xw_sums *xw_sums_create(void);
XY_EXPORT(xw_sums_destroy) void xw_sums_destroy(xw_sums *sums);
/* Adds consecutive records of a file in `src`. `records` has for each its length and the index of
 * its sum; a new index starts a sum. Result: a byte for each record: 0 if it was added, 1 if the
 * host has to add it. Only histograms and profiles with the same bins are added here, and only if
 * their statistics follow TH1::GetStats. The file must outlive the sums that it started. */
XY_EXPORT(xw_sums_add)
int32_t xw_sums_add(xy_ctx *ctx, xw_sums *sums, xy_file *file, const uint8_t *src, size_t len,
                    const uint32_t *records, uint32_t count);
/* Raises the number of bytes that may be decompressed. A negative number accounts for an object
 * that the host decompressed. Returns the remaining number. If it is negative, xw_sums_add leaves
 * all objects to the host. */
XY_EXPORT(xw_sums_allow) double xw_sums_allow(xw_sums *sums, double bytes);
/* Returns the exact tape of a sum as the result. */
XY_EXPORT(xw_sums_object) int32_t xw_sums_object(xy_ctx *ctx, xw_sums *sums, uint32_t sum);
/* Replaces a sum by an exact tape to which the host has added an object, and keeps it compressed.
 * No result. */
XY_EXPORT(xw_sums_keep)
int32_t xw_sums_keep(xy_ctx *ctx, xw_sums *sums, uint32_t sum, const uint8_t *tape, size_t len);
/* Returns the offset of the process ids of an object that only one file has, from its key. */
XY_EXPORT(xw_sums_pid) double xw_sums_pid(const xw_sums *sums, uint32_t sum);
/* Returns how many objects were added to the first one of a sum. */
XY_EXPORT(xw_sums_added) uint32_t xw_sums_added(const xw_sums *sums, uint32_t sum);
/* Frees the memory of a sum. */
XY_EXPORT(xw_sums_drop) void xw_sums_drop(xw_sums *sums, uint32_t sum);
/* Numbers of a sum that is written: indices in the list. */
enum {
    XW_SUM_NUMBER,
    XW_SUM_KEY, /* number of bytes of the key in `keys` that provides the texts */
    XW_SUM_CYCLE,
    XW_SUM_DIR,   /* position of its directory */
    XW_SUM_PID,   /* added to the offset of its process ids, if it has any */
    XW_SUM_BYTES, /* out: size of its record; 0 for sums that were not written */
    XW_SUM_NUMBERS
};
/* Writes consecutive records of sums, which will start at `seek`, with the date. They are
 * compressed as by xw_pack; an object that only one file has is written as it was stored. Stops
 * after `room` bytes, and before an object that may contain branches of a tree or cannot be
 * encoded, which the host has to write. Frees the memory of written sums. */
XY_EXPORT(xw_sums_write)
int32_t xw_sums_write(xy_ctx *ctx, xw_sums *sums, xw_packer *packer, int32_t algorithm,
                      int32_t level, double seek, double datime, size_t room, const uint8_t *keys,
                      double *numbers, uint32_t count);

/* A basket made from entries of others. `offsets`: whether it stores the offsets of its entries.
 * `entries` finds the pointers in them, which change if an entry moves, and has to outlive the
 * basket; NULL if there are none. */
typedef struct xw_basket xw_basket;
XY_EXPORT(xw_basket_create)
xw_basket *xw_basket_create(xy_ctx *ctx, int32_t offsets, xw_entries *entries);
XY_EXPORT(xw_basket_destroy) void xw_basket_destroy(xw_basket *basket);
/* Adds entries of a basket's record. `ranges` has `count` pairs of first and end index in it; NULL
 * means all. No result. Fails with XY_E_UNSUPPORTED if the pointers in an entry cannot be found. */
XY_EXPORT(xw_basket_add)
int32_t xw_basket_add(xy_ctx *ctx, xw_basket *basket, xy_file *file, const uint8_t *src, size_t len,
                      const uint32_t *ranges, uint32_t count);
/* Fills a new basket with `count` equal entries. `src` is the key of its record, `key_length` bytes
 * without the members that a basket adds, followed by the bytes of an entry. With `sizes`, the
 * entries are instead zeros of these numbers of bytes. No result. */
XY_EXPORT(xw_basket_fill)
int32_t xw_basket_fill(xy_ctx *ctx, xw_basket *basket, const uint8_t *src, size_t key_length,
                       size_t len, const uint32_t *sizes, uint32_t count);
/* Returns the number of added entries. */
uint32_t xw_basket_entries(const xw_basket *basket);
/* Gives its record, compressed as by xw_pack, with the key of the first added record. The caller
 * sets the position in the key. Nothing can be added afterwards. */
XY_EXPORT(xw_basket_finish)
int32_t xw_basket_finish(xy_ctx *ctx, xw_basket *basket, xw_packer *packer, int32_t algorithm,
                         int32_t level);
/* Makes the uncompressed record of a basket that was kept in its tree's record, from the bytes of
 * its $basket on an exact tape. Its key has the original length, class and names. Length and seek
 * fields are 0; the caller sets them. */
XY_EXPORT(xw_embedded) int32_t xw_embedded(xy_ctx *ctx, const uint8_t *src, size_t len);

/* Entries of a new branch, collected until they become a basket. `key`: the key of its baskets
 * without the members that a basket adds. `width`: bytes of a number, 0 for texts. `count`: numbers
 * of each element. `levels`: levels of lists in each entry. `vector`: whether an entry is a
 * std::vector instead of the array of a leaf. */
typedef struct xw_column xw_column;
XY_EXPORT(xw_column_create)
xw_column *xw_column_create(xy_ctx *ctx, const uint8_t *key, size_t key_len, int32_t vector,
                            uint32_t width, uint32_t count, uint32_t levels);
XY_EXPORT(xw_column_destroy) void xw_column_destroy(xw_column *column);
/* Adds entries: their number; for each level the offsets of its lists (uint32, one more than there
 * are lists, from 0); for texts their offsets; and the values as in memory. No result. After a
 * failure the column has to be destroyed. */
XY_EXPORT(xw_column_add)
int32_t xw_column_add(xy_ctx *ctx, xw_column *column, const uint8_t *src, size_t len);
/* Returns the size of the added entries in bytes. */
XY_EXPORT(xw_column_bytes) size_t xw_column_bytes(const xw_column *column);
/* Makes the uncompressed record of a basket with these entries, and empties the column. The caller
 * sets the position in the key. */
XY_EXPORT(xw_column_finish) int32_t xw_column_finish(xy_ctx *ctx, xw_column *column);

/* An RNTuple whose pages are copied. Its metadata were read by xy_ntuple_* of xylem.h: anchor,
 * header, footer and all page lists. Destroy it before that object. */
typedef struct xw_ntuple xw_ntuple;
/* Creates a copy. `wanted` has a byte for each field in the order of xy_ntuple_describe, not 0 for
 * fields that are kept with their subfields; NULL means all. Parent fields, parts of their types,
 * and the fields that projected fields show are kept, too. NULL on failure. */
XY_EXPORT(xw_ntuple_create)
xw_ntuple *xw_ntuple_create(xy_ctx *ctx, const xy_ntuple *nt, const uint8_t *wanted);
XY_EXPORT(xw_ntuple_destroy) void xw_ntuple_destroy(xw_ntuple *ntuple);
/* Lists what is copied. Tape:
 * - kept: uint8 for each field, in the same order;
 * - groups: the first three numbers of each cluster group (XW_GROUP_*);
 * - attributes: names of the attribute sets, which are not copied;
 * - offset and bytes: doubles for each page including its checksum, cluster by cluster and column
 *   by column in the order in which page lists were read; 0 for pages of fields that are left out;
 * - zeros: uint32, the sizes of the pages of zeros that have to be written after xw_ntuple_append,
 *   for fields that were added later.
 * Fails with XY_E_UNSUPPORTED for a page in several keys. */
XY_EXPORT(xw_ntuple_pages) int32_t xw_ntuple_pages(xy_ctx *ctx, const xw_ntuple *ntuple);
/* Describes the fields, so that they can be compared before some are chosen. Tape: entries; names
 * of the top-level fields; structures (uint64 of each, equal for fields of two RNTuples that can be
 * joined); tops (uint32, the index of the top-level field of each field); needs (pairs of such
 * indices: a field, and one from which it is projected). Indices count all fields, depth first. */
XY_EXPORT(xw_ntuple_structure)
int32_t xw_ntuple_structure(xy_ctx *ctx, const xy_ntuple *ntuple);
/* Appends the clusters of `ntuple` to a merged RNTuple with the header of `first`. Entries and
 * elements are numbered from its end. Also called for `first` itself, after its header was made,
 * and for each RNTuple before its page lists are made. Fails with XY_E_UNSUPPORTED, and with the
 * field as message, if fields or columns differ; then nothing was appended. */
XY_EXPORT(xw_ntuple_append)
int32_t xw_ntuple_append(xy_ctx *ctx, xw_ntuple *first, xw_ntuple *ntuple);
/* Leaves out the clusters with entries in `count` ranges: first entry, and the one after the last.
 * Called at most once, before xw_ntuple_pages and all envelopes, and not for a part of a merged
 * RNTuple. Fails with XY_E_CORRUPT and XY_E_UNSUPPORTED if their numbers of elements cannot be
 * determined. */
XY_EXPORT(xw_ntuple_leave_out)
int32_t xw_ntuple_leave_out(xy_ctx *ctx, xw_ntuple *ntuple, const double *ranges, uint32_t count);
/* Make envelopes, uncompressed. The header is made first, because the others contain its checksum;
 * an appended RNTuple uses the header of the first. Page lists are made once, in the order of their
 * groups; one of a group without clusters must not be written. `places` has the new position of
 * each page, then position and stored bytes of each page of zeros. */
XY_EXPORT(xw_ntuple_header) int32_t xw_ntuple_header(xy_ctx *ctx, xw_ntuple *ntuple);
XY_EXPORT(xw_ntuple_page_list)
int32_t xw_ntuple_page_list(xy_ctx *ctx, xw_ntuple *ntuple, int32_t group, const double *places);
/* Numbers of a cluster group: first entry, entries, clusters, decompressed and stored bytes of its
 * page list, and the position of its page list. */
enum {
    XW_GROUP_FIRST,
    XW_GROUP_ENTRIES,
    XW_GROUP_CLUSTERS,
    XW_GROUP_LENGTH,
    XW_GROUP_BYTES,
    XW_GROUP_SEEK,
    XW_GROUP_NUMBERS
};
XY_EXPORT(xw_ntuple_footer)
int32_t xw_ntuple_footer(xy_ctx *ctx, xw_ntuple *ntuple, const double *groups, uint32_t count);
/* Makes the object of an anchor with other numbers: position, stored bytes and length of the header
 * and of the footer, and the maximum size of a key. Without `src` it is a new anchor for version
 * 1.0.0.0 of the format. */
enum {
    XW_ANCHOR_HEADER_SEEK,
    XW_ANCHOR_HEADER_BYTES,
    XW_ANCHOR_HEADER_LENGTH,
    XW_ANCHOR_FOOTER_SEEK,
    XW_ANCHOR_FOOTER_BYTES,
    XW_ANCHOR_FOOTER_LENGTH,
    XW_ANCHOR_MAX_KEY,
    XW_ANCHOR_NUMBERS
};
XY_EXPORT(xw_ntuple_anchor)
int32_t xw_ntuple_anchor(xy_ctx *ctx, const uint8_t *src, size_t len, const double *numbers);

/* Metadata of a new RNTuple. `texts`: its name followed by its title. Fields and columns are added
 * first, parents before their subfields; then the header is made, then page lists, then the footer.
 * Envelopes are not compressed. */
typedef struct xw_new_ntuple xw_new_ntuple;
XY_EXPORT(xw_new_ntuple_create)
xw_new_ntuple *xw_new_ntuple_create(xy_ctx *ctx, const uint8_t *texts, uint32_t name_len,
                                    uint32_t title_len);
XY_EXPORT(xw_new_ntuple_destroy) void xw_new_ntuple_destroy(xw_new_ntuple *ntuple);
/* Adds a field; its index counts from 0. `parent`: -1 for a top-level field. `role`: XY_NT_* of
 * ntuple/ntuple.h: a leaf, a collection or a record. `array_size`: for arrays, otherwise 0.
 * `texts`: its name followed by its type and its description. No result. */
XY_EXPORT(xw_new_ntuple_field)
int32_t xw_new_ntuple_field(xy_ctx *ctx, xw_new_ntuple *ntuple, int32_t parent, uint32_t role,
                            uint32_t array_size, const uint8_t *texts, uint32_t name_len,
                            uint32_t type_len, uint32_t about_len);
/* Adds a column with a column type of the format to a field. No result. */
XY_EXPORT(xw_new_ntuple_column)
int32_t xw_new_ntuple_column(xy_ctx *ctx, xw_new_ntuple *ntuple, int32_t field, uint32_t type);
XY_EXPORT(xw_new_ntuple_header) int32_t xw_new_ntuple_header(xy_ctx *ctx, xw_new_ntuple *ntuple);
/* Makes the page list of the next clusters. `compression`: 100 * algorithm + level. `numbers`:
 * number of clusters; first entry and number of entries of each; then for each column of each
 * cluster the number of pages, and for each page its elements, stored bytes with checksum, and
 * position. */
XY_EXPORT(xw_new_ntuple_page_list)
int32_t xw_new_ntuple_page_list(xy_ctx *ctx, xw_new_ntuple *ntuple, uint32_t compression,
                                const double *numbers, uint32_t count);
XY_EXPORT(xw_new_ntuple_footer)
int32_t xw_new_ntuple_footer(xy_ctx *ctx, const xw_new_ntuple *ntuple, const double *groups,
                             uint32_t count);
/* Encodes a page in its stored form, compressed as by xw_pack, with its checksum. `type`: column
 * type, without those of reduced precision. `src`: values as in memory; bits as bytes of 0 or 1,
 * offsets as uint32. */
XY_EXPORT(xw_page)
int32_t xw_page(xy_ctx *ctx, xw_packer *packer, int32_t algorithm, int32_t level, uint32_t type,
                uint32_t elements, const uint8_t *src, size_t len);

#endif
