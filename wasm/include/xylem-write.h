/* The ABI of xylem-write.wasm, which writes what xylem.wasm reads. It has the functions of xylem.h
 * for contexts, memory and files (xy_ctx_*, xy_alloc, xy_free, xy_file_*, xy_streamers) with the
 * same rules, and these. */
#ifndef XYLEM_WRITE_H
#define XYLEM_WRITE_H

#include "xylem.h"

/* The object of the record `src` as an exact tape (src/streamer/exact.h). An object that cannot be
 * decoded to its end fails. */
XY_EXPORT(xw_object)
int32_t xw_object(xy_ctx *ctx, xy_file *file, const uint8_t *src, size_t len);

/* The bytes of an object from its exact tape, by the classes of the file. `key_length`: bytes of
 * the key of its record, from whose start references count. */
XY_EXPORT(xw_encode)
int32_t xw_encode(xy_ctx *ctx, xy_file *file, const uint8_t *tape, size_t len, uint32_t key_length);

/* The object of the record `src`, decompressed. */
XY_EXPORT(xw_unpack)
int32_t xw_unpack(xy_ctx *ctx, xy_file *file, const uint8_t *src, size_t len);

/* Whether the object of a record has some bytes in it, at least two; it is unpacked part by part.
 * Result: one byte, 0 or 1. */
XY_EXPORT(xw_contains)
int32_t xw_contains(xy_ctx *ctx, xy_file *file, const uint8_t *src, size_t len, const uint8_t *text,
                    size_t text_len);

/* 1 when a class that the file describes derives from another one, or is it; else 0. `names`: the
 * name of the class, and behind it that of the other one. */
XY_EXPORT(xw_derives)
int32_t xw_derives(xy_file *file, const uint8_t *names, size_t class_len, size_t base_len);

/* Encoders, whose memory is kept for the next call. destroy(NULL) is fine. */
typedef struct xw_packer xw_packer;
XY_EXPORT(xw_packer_create) xw_packer *xw_packer_create(void);
XY_EXPORT(xw_packer_destroy) void xw_packer_destroy(xw_packer *packer);

/* Compresses an object in ROOT's blocks. `algorithm` and `level` are those of fCompress: 1 zlib, 2
 * lzma, 4 lz4, 5 zstd, 0 none; level 1 to 9. The result has the length of the source, and is the
 * same bytes, where a block does not shrink. */
XY_EXPORT(xw_pack)
int32_t xw_pack(xy_ctx *ctx, xw_packer *packer, int32_t algorithm, int32_t level,
                const uint8_t *src, size_t len);

/* The record `src` with its object compressed anew; the place in its key is to be changed. */
XY_EXPORT(xw_repack)
int32_t xw_repack(xy_ctx *ctx, xy_file *file, xw_packer *packer, int32_t algorithm, int32_t level,
                  const uint8_t *src, size_t len);

/* Programs that find the pointers in entries of branches, for xw_entries_create. `src`: the record
 * of a tree; `wanted` has a byte for each of its `count` branches, not 0 for those that are asked
 * for; NULL: all. Result, a tape: a list with uint8 values for each branch; null where it is not
 * asked for or its entries hold no pointers, and a text that says why where they cannot be found.
 */
XY_EXPORT(xw_entry_plans)
int32_t xw_entry_plans(xy_ctx *ctx, xy_file *file, const uint8_t *src, size_t len,
                       const uint8_t *wanted, uint32_t count);
typedef struct xw_entries xw_entries;
XY_EXPORT(xw_entries_create)
xw_entries *xw_entries_create(xy_ctx *ctx, const uint8_t *plan, size_t len);
XY_EXPORT(xw_entries_destroy) void xw_entries_destroy(xw_entries *entries);

/* Objects that become sums of those of several files, by numbers from 0 on. Memory has the stored
 * record of an object that is alone, and the exact tape of a sum, compressed where there are many.
 */
typedef struct xw_sums xw_sums;
XY_EXPORT(xw_sums_create) xw_sums *xw_sums_create(void);
XY_EXPORT(xw_sums_destroy) void xw_sums_destroy(xw_sums *sums);
/* Adds records of a file, which lie one after another in `src`: `records` has the length of each
 * and the number of its sum, which is the next new one where it is alone. Result: a byte for each,
 * 0 when it was added, 1 when the host has to add it: only histograms and profiles with the same
 * bins are added here, and only where sums over the filled values are those of TH1::GetStats. The
 * file must not be destroyed before the sums that it began. */
XY_EXPORT(xw_sums_add)
int32_t xw_sums_add(xy_ctx *ctx, xw_sums *sums, xy_file *file, const uint8_t *src, size_t len,
                    const uint32_t *records, uint32_t count);
/* Allows that objects of this many bytes more are unpacked; a number below 0 says that the host
 * unpacked one. Returns what is left, below 0 where more were unpacked: xw_sums_add leaves all
 * objects to the host then. */
XY_EXPORT(xw_sums_allow) double xw_sums_allow(xw_sums *sums, double bytes);
/* The exact tape of a sum. */
XY_EXPORT(xw_sums_object) int32_t xw_sums_object(xy_ctx *ctx, xw_sums *sums, uint32_t sum);
/* Keeps the exact tape of a sum to which the host adds, compressed, in the place of what is there.
 * No result. */
XY_EXPORT(xw_sums_keep)
int32_t xw_sums_keep(xy_ctx *ctx, xw_sums *sums, uint32_t sum, const uint8_t *tape, size_t len);
/* The number from which the process ids in an object that is alone count, by its key. */
XY_EXPORT(xw_sums_pid) double xw_sums_pid(const xw_sums *sums, uint32_t sum);
/* How many objects were added to that of a sum. */
XY_EXPORT(xw_sums_added) uint32_t xw_sums_added(const xw_sums *sums, uint32_t sum);
/* Frees the memory of a sum. */
XY_EXPORT(xw_sums_drop) void xw_sums_drop(xw_sums *sums, uint32_t sum);
/* Numbers of a sum that is written. */
enum {
    XW_SUM_NUMBER,
    XW_SUM_KEY, /* bytes of the key in `keys` of which its texts are taken */
    XW_SUM_CYCLE,
    XW_SUM_DIR,   /* place of its directory */
    XW_SUM_PID,   /* added to the number from which its process ids count, where it has any */
    XW_SUM_BYTES, /* out: of its record; 0 for those that were not written any more */
    XW_SUM_NUMBERS
};
/* Records of sums one after another, as they lie from `seek` on, with the date; compressed as
 * xw_pack does, or as it was stored where it is alone. It ends after `room` bytes, and before an
 * object that may hold branches of a tree or cannot be encoded, which the host has to write. The
 * memory of those that were written is freed. */
XY_EXPORT(xw_sums_write)
int32_t xw_sums_write(xy_ctx *ctx, xw_sums *sums, xw_packer *packer, int32_t algorithm,
                      int32_t level, double seek, double datime, size_t room, const uint8_t *keys,
                      double *numbers, uint32_t count);

/* A basket that is made of entries of others. `offsets`: whether it has the offsets of its entries.
 * `entries`: finds the pointers in them, which change where an entry moves; it outlives the basket.
 * NULL: they hold none. */
typedef struct xw_basket xw_basket;
XY_EXPORT(xw_basket_create)
xw_basket *xw_basket_create(xy_ctx *ctx, int32_t offsets, xw_entries *entries);
XY_EXPORT(xw_basket_destroy) void xw_basket_destroy(xw_basket *basket);
/* Adds entries of a basket's record: `ranges` has `count` pairs of first and end index in it; NULL:
 * all. No result. Fails with XY_E_UNSUPPORTED where pointers in an entry cannot be found. */
XY_EXPORT(xw_basket_add)
int32_t xw_basket_add(xy_ctx *ctx, xw_basket *basket, xy_file *file, const uint8_t *src, size_t len,
                      const uint32_t *ranges, uint32_t count);
/* Fills a new basket with `count` entries. `src` is the key of its record, of `key_length` bytes
 * without those that a basket adds to it, and behind it the bytes of an entry, which are the same
 * in all; with `sizes`, the entries are zeros of these numbers of bytes instead. No result. */
XY_EXPORT(xw_basket_fill)
int32_t xw_basket_fill(xy_ctx *ctx, xw_basket *basket, const uint8_t *src, size_t key_length,
                       size_t len, const uint32_t *sizes, uint32_t count);
/* Number of entries that were added. */
uint32_t xw_basket_entries(const xw_basket *basket);
/* Its record, compressed as xw_pack does, with the key of the first record that was added; the
 * place in it is to be changed. Nothing can be added then. */
XY_EXPORT(xw_basket_finish)
int32_t xw_basket_finish(xy_ctx *ctx, xw_basket *basket, xw_packer *packer, int32_t algorithm,
                         int32_t level);
/* The record of a basket that was kept within its tree's record, uncompressed, from the bytes that
 * its exact tape has as $basket. Its key has the length, class and names that it had; lengths and
 * places are those of no record. */
XY_EXPORT(xw_embedded) int32_t xw_embedded(xy_ctx *ctx, const uint8_t *src, size_t len);

/* The entries of a new branch, made of values until they become a basket. `key`: the key of its
 * baskets without the bytes that a basket adds to it. `width`: bytes of a number, 0 for texts;
 * `count`: numbers of each element; `levels`: of lists in each entry; `vector`: whether an entry is
 * a std::vector, and not the array of a leaf. */
typedef struct xw_column xw_column;
XY_EXPORT(xw_column_create)
xw_column *xw_column_create(xy_ctx *ctx, const uint8_t *key, size_t key_len, int32_t vector,
                            uint32_t width, uint32_t count, uint32_t levels);
XY_EXPORT(xw_column_destroy) void xw_column_destroy(xw_column *column);
/* Adds entries: their number, for each level the borders of its lists (uint32, one more than there
 * are lists, from 0), for texts their borders, and the values as they lie in memory. No result;
 * after a failure the column is to be destroyed. */
XY_EXPORT(xw_column_add)
int32_t xw_column_add(xy_ctx *ctx, xw_column *column, const uint8_t *src, size_t len);
/* Bytes of the entries that were added. */
XY_EXPORT(xw_column_bytes) size_t xw_column_bytes(const xw_column *column);
/* The record, uncompressed, of a basket with these entries; the column has none then. The place in
 * its key is to be changed. */
XY_EXPORT(xw_column_finish) int32_t xw_column_finish(xy_ctx *ctx, xw_column *column);

/* An RNTuple whose pages are copied. Its metadata are read by xy_ntuple_* of xylem.h: anchor,
 * header, footer and all page lists; it must be destroyed before that. */
typedef struct xw_ntuple xw_ntuple;
/* `wanted` has a byte for each field in the order of xy_ntuple_describe: not 0 for those that are
 * kept with all below them; NULL: all. Fields above them, parts of their types, and what projected
 * fields project, are kept, too. NULL on failure. */
XY_EXPORT(xw_ntuple_create)
xw_ntuple *xw_ntuple_create(xy_ctx *ctx, const xy_ntuple *nt, const uint8_t *wanted);
XY_EXPORT(xw_ntuple_destroy) void xw_ntuple_destroy(xw_ntuple *ntuple);
/* Result, a tape: kept, uint8 of each field, in the same order; groups, the first three numbers of
 * each cluster group (XW_GROUP_*); attributes, the names of attribute sets, which no copy has;
 * offset and bytes, doubles of each page, with its checksum,
 * cluster by cluster and column by column as page lists were read; 0 for pages of fields that are
 * left out; zeros, uint32 with the bytes of pages of zeros that are to be written for fields which
 * came late, after xw_ntuple_append. Fails with XY_E_UNSUPPORTED for a page in several keys. */
XY_EXPORT(xw_ntuple_pages) int32_t xw_ntuple_pages(xy_ctx *ctx, const xw_ntuple *ntuple);
/* The fields that can be compared before any is chosen. Result, a tape: entries; names of the
 * top-level fields; structures, uint64 of each, equal for fields of two RNTuples that can follow
 * each other; tops, uint32 with the number of the top-level field for each field, and needs, pairs
 * of such numbers: fields and those they are projected from. Numbers count all fields, depth
 * first. */
XY_EXPORT(xw_ntuple_structure)
int32_t xw_ntuple_structure(xy_ctx *ctx, const xy_ntuple *ntuple);
/* Appends the clusters of `ntuple` to a merged RNTuple, whose header is that of `first`: entries
 * and elements count on from there. Called for `first` itself, too, after its header was made, and
 * for each before its page lists are made. Fails with XY_E_UNSUPPORTED, and the field as message,
 * when fields or columns are not the same; then nothing was appended. */
XY_EXPORT(xw_ntuple_append)
int32_t xw_ntuple_append(xy_ctx *ctx, xw_ntuple *first, xw_ntuple *ntuple);
/* Leaves out the clusters that have entries of `count` ranges: first entry, and the one after the
 * last. Called once at most, before xw_ntuple_pages and all that makes envelopes, and not for a
 * part of a merged RNTuple. Fails with XY_E_CORRUPT and XY_E_UNSUPPORTED where their numbers of
 * elements cannot be known. */
XY_EXPORT(xw_ntuple_leave_out)
int32_t xw_ntuple_leave_out(xy_ctx *ctx, xw_ntuple *ntuple, const double *ranges, uint32_t count);
/* Envelopes, uncompressed. The header is made first, because the others have its checksum; the
 * header of an RNTuple that follows another one is that of the first. Page lists are made once, in
 * the order of their groups; one of a group without clusters is not to be written. `places` has the
 * new place of each page, and then place and stored bytes of each page of zeros. */
XY_EXPORT(xw_ntuple_header) int32_t xw_ntuple_header(xy_ctx *ctx, xw_ntuple *ntuple);
XY_EXPORT(xw_ntuple_page_list)
int32_t xw_ntuple_page_list(xy_ctx *ctx, xw_ntuple *ntuple, int32_t group, const double *places);
/* Numbers of a cluster group: first entry, entries, clusters, bytes of its page list when
 * decompressed and as they are stored, and where it lies. */
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
/* The object of an anchor with other numbers: place, stored bytes and length of the header and of
 * the footer, and the largest size of a key. Without `src` it is a new one, of version 1.0.0.0 of
 * the format. */
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

/* The metadata of an RNTuple that is made of columns. `texts`: its name, and its title after it.
 * Fields and columns are added, those above before those below; then the header is made, then page
 * lists, then the footer. Envelopes are not compressed. */
typedef struct xw_new_ntuple xw_new_ntuple;
XY_EXPORT(xw_new_ntuple_create)
xw_new_ntuple *xw_new_ntuple_create(xy_ctx *ctx, const uint8_t *texts, uint32_t name_len,
                                    uint32_t title_len);
XY_EXPORT(xw_new_ntuple_destroy) void xw_new_ntuple_destroy(xw_new_ntuple *ntuple);
/* Adds a field; fields count from 0. `parent`: -1 at the top; `role`: XY_NT_* of ntuple/ntuple.h, a
 * leaf, a collection or a record; `array_size`: of arrays, else 0; `texts`: its name, and its type
 * after it. No result. */
XY_EXPORT(xw_new_ntuple_field)
int32_t xw_new_ntuple_field(xy_ctx *ctx, xw_new_ntuple *ntuple, int32_t parent, uint32_t role,
                            uint32_t array_size, const uint8_t *texts, uint32_t name_len,
                            uint32_t type_len);
/* Adds a column of a type of the format to a field. No result. */
XY_EXPORT(xw_new_ntuple_column)
int32_t xw_new_ntuple_column(xy_ctx *ctx, xw_new_ntuple *ntuple, int32_t field, uint32_t type);
XY_EXPORT(xw_new_ntuple_header) int32_t xw_new_ntuple_header(xy_ctx *ctx, xw_new_ntuple *ntuple);
/* The page list of the next clusters. `compression`: 100 * algorithm + level; `numbers`: how many
 * clusters; first entry and entries of each; then for each column of each cluster how many pages,
 * and for each page its elements, stored bytes with checksum, and place. */
XY_EXPORT(xw_new_ntuple_page_list)
int32_t xw_new_ntuple_page_list(xy_ctx *ctx, xw_new_ntuple *ntuple, uint32_t compression,
                                const double *numbers, uint32_t count);
XY_EXPORT(xw_new_ntuple_footer)
int32_t xw_new_ntuple_footer(xy_ctx *ctx, const xw_new_ntuple *ntuple, const double *groups,
                             uint32_t count);
/* A page as it is stored, compressed as xw_pack does, with its checksum. `type`: of its column,
 * without those of reduced precision; `src`: values as they are in memory, those of bits as bytes
 * of 0 or 1, those of offsets as uint32. */
XY_EXPORT(xw_page)
int32_t xw_page(xy_ctx *ctx, xw_packer *packer, int32_t algorithm, int32_t level, uint32_t type,
                uint32_t elements, const uint8_t *src, size_t len);

#endif
