/* The ABI of the xylem core: every function that xylem.wasm exports, with its contract.
 *
 * Rules that hold for all of them:
 * - The caller owns every buffer that it passes. What a create function returns is freed by its
 *   destroy function, which accepts NULL.
 * - Memory may grow in any call, so a host must not keep a view of the memory across a call.
 * - No function does I/O, calls back, or keeps state outside of the objects that it gets.
 * - Input may be hostile: a failure is a status (src/status.h) with the offset, never a trap.
 *
 * A function is exported by putting XY_EXPORT(its_name) before its definition or declaration. The
 * few functions without it are used by exported ones and by the tests. */
#ifndef XYLEM_H
#define XYLEM_H

#include <stddef.h>
#include <stdint.h>

#ifdef __wasm__
#define XY_EXPORT(name) __attribute__((export_name(#name)))
#else
#define XY_EXPORT(name)
#endif

/* Returns `size` bytes of uninitialised memory, aligned to 16 bytes; NULL if memory is exhausted or
 * `size` is 0. Free it with xy_free. */
XY_EXPORT(xy_alloc) void *xy_alloc(size_t size);

/* Frees memory from xy_alloc. NULL is fine. */
XY_EXPORT(xy_free) void xy_free(void *memory);

/* ---- context: errors and results -------------------------------------------------------------
 *
 * A context contains the error and the result of the last call. A function that returns int32_t
 * returns a status (0: success). After success, the context contains the result, if the function
 * has one, until the next call with this context; after a failure it contains the error. A result
 * called "tape" is a value tape (src/streamer/tape.h); the comment of each function lists its
 * members. */
typedef struct xy_ctx xy_ctx;
XY_EXPORT(xy_ctx_create) xy_ctx *xy_ctx_create(void);
void xy_ctx_destroy(xy_ctx *ctx);
XY_EXPORT(xy_ctx_result) const uint8_t *xy_ctx_result(const xy_ctx *ctx);
XY_EXPORT(xy_ctx_result_size) size_t xy_ctx_result_size(const xy_ctx *ctx);
/* Returns the last error: int32 status at 0, uint64 offset at 8, NUL-terminated message at 16. */
XY_EXPORT(xy_ctx_error) const void *xy_ctx_error(const xy_ctx *ctx);

/* ---- the file ---------------------------------------------------------------------------------
 */

/* Parses the file header. `src` starts with the file's first byte and ends after the root
 * directory, which is within the first few hundred bytes. Tape: version, rootVersion, begin,
 * beginBytes (length of the first record), end, seekInfo, nbytesInfo, seekFree, nbytesFree,
 * compress, compression, units, title, and for the root directory uuid, created, modified,
 * seekKeys, nbytesKeys. */
XY_EXPORT(xy_header) int32_t xy_header(xy_ctx *ctx, const uint8_t *src, size_t len);

/* Replaces the header of a file of `size` bytes, if it was overwritten. Result: the same bytes with
 * a new header. It contains the position of the first record, but no lists and no streamer infos; a
 * walk finds these. Fails with XY_E_NOT_ROOT unless the first record is at byte 100 (byte 64 before
 * ROOT 3). */
XY_EXPORT(xy_mend_header)
int32_t xy_mend_header(xy_ctx *ctx, const uint8_t *src, size_t len, double size);

/* `src` is a directory's record. Tape: seekKeys, nbytesKeys, created, modified, uuid. */
XY_EXPORT(xy_subdirectory) int32_t xy_subdirectory(xy_ctx *ctx, const uint8_t *src, size_t len);

/* `src` is the record of a directory's keys. Tape: a list of keys, each with name, title,
 * className, cycle, nbytes, keylen, objlen, seekKey, seekDir, created. */
XY_EXPORT(xy_keys) int32_t xy_keys(xy_ctx *ctx, const uint8_t *src, size_t len);

/* Walks through the records of a part of the file, which begins with a record at byte `at`. Tape:
 * keys (as above, with `at`: position of the record), next (where the walk continues, in this part
 * or after it), stopped (why it cannot continue; empty if it can). With `all`, baskets are listed
 * too, and gaps, which have only `at` and a negative `nbytes`. */
XY_EXPORT(xy_walk)
int32_t xy_walk(xy_ctx *ctx, const uint8_t *src, size_t len, double at, int32_t all);

/* Returns the position of the first record in a part of the file, which begins at byte `at`: a
 * complete key that contains its own position; -1 if there is none. */
XY_EXPORT(xy_find_record) double xy_find_record(const uint8_t *src, size_t len, double at);

/* `src` is the record of the file's free space. Tape: first and last (bytes, inclusive) of each
 * free range; the last one begins at the file's end. */
XY_EXPORT(xy_free_list) int32_t xy_free_list(xy_ctx *ctx, const uint8_t *src, size_t len);

/* Kinds of a record for xy_record_fields. Which one a record is follows from the header and from
 * the directories, because the keys of lists have the class of their directory. */
enum {
    XY_RECORD_HEADER = 0,
    XY_RECORD_KEY = 1,
    XY_RECORD_ROOT = 2,
    XY_RECORD_KEYS = 3,
    XY_RECORD_FREE = 4
};

/* Lists the fields at the beginning of a record, or of the file header, as they are stored. Tape: a
 * list of fields, each with group (part of the record), item (number of a repeated part; -1: none),
 * name, type, offset (in `src`), length, and value: a number, or a text for a text and for a number
 * above 2^53. The value is missing in the last field if `src` ends before it does. Nothing is
 * checked, and damage is not an error. */
XY_EXPORT(xy_record_fields)
int32_t xy_record_fields(xy_ctx *ctx, const uint8_t *src, size_t len, int32_t kind);

/* An open file: classes, and memory that is reused. `root_version` is the header's fVersion. */
typedef struct xy_file xy_file;
XY_EXPORT(xy_file_create) xy_file *xy_file_create(int32_t root_version);
XY_EXPORT(xy_file_destroy) void xy_file_destroy(xy_file *file);

/* Adds the classes of the streamer info record `src`. No result. */
XY_EXPORT(xy_streamers)
int32_t xy_streamers(xy_ctx *ctx, xy_file *file, const uint8_t *src, size_t len);
/* Returns 1 if the record `src` has exactly the streamer infos that were last added to a file;
 * otherwise 0, also for more than 1 MB of them. */
XY_EXPORT(xy_streamers_same)
int32_t xy_streamers_same(const xy_file *file, const uint8_t *src, size_t len);

/* Lists the classes that the file's streamer infos describe, in their order; none before
 * xy_streamers. Tape: a list of classes, each with name, version, checksum and elements. An element
 * has name, title, typeName, type (TStreamerElement::fType), dimensions (a list), counter (the
 * member with the length of the array; empty if there is none), base (whether it is a base class)
 * and, if the file contains it, baseVersion. Texts are bytes of the file, in any encoding. */
XY_EXPORT(xy_types) int32_t xy_types(xy_ctx *ctx, const xy_file *file);

/* Describes the columns of objects of a class, in the form of xy_plan. If the class has several
 * versions, the newest is used. The result is null if the columns cannot be determined. */
XY_EXPORT(xy_class_schema)
int32_t xy_class_schema(xy_ctx *ctx, const xy_file *file, const char *name, size_t len);

/* Decodes the object of the record `src`, with ROOT's member names. Tape: the object. If it cannot
 * be decoded completely (unknown class, or a member in an unknown form), it has the members before
 * the failing one, an error value for this one, then "$error" (the reason, text) and "$bytes"
 * (uint8: the whole object, uncompressed). */
XY_EXPORT(xy_object)
int32_t xy_object(xy_ctx *ctx, xy_file *file, const uint8_t *src, size_t len);

/* Whether the object of the record `src` can be decoded. The decoded values are dropped, so memory
 * does not grow with its size. Result: a text, empty if it can; otherwise the reason why it cannot
 * be decoded completely, although it is not damaged. */
XY_EXPORT(xy_object_check)
int32_t xy_object_check(xy_ctx *ctx, xy_file *file, const uint8_t *src, size_t len);

/* ---- trees ------------------------------------------------------------------------------------
 */

typedef struct xy_tree xy_tree;

/* Reads the record of a TTree; NULL on failure. The file must outlive the tree. */
XY_EXPORT(xy_tree_create)
xy_tree *xy_tree_create(xy_ctx *ctx, xy_file *file, const uint8_t *src, size_t len);
XY_EXPORT(xy_tree_destroy) void xy_tree_destroy(xy_tree *tree);

/* Describes the branches, depth first. Tape: name, title, className, entries, totalBytes,
 * storedBytes; aliasNames and aliasTexts (TTree::SetAlias; texts); friendNames, friendTrees and
 * friendFiles (TTree::AddFriend; texts). For the branches: names, titles, types (texts: see
 * xy_texts in src/streamer/tape.h), and one array each of parents, depths, kinds (0 number, 1
 * string, 2 object or not decodable, 3 group), entries, baskets, totalBytes, storedBytes, compress.
 * If any is not 0, also embeddedBytes: uncompressed bytes of the baskets in the tree's own record,
 * which the other sums do not include. If baskets of any branch are in another file, also
 * otherFiles (texts). If branches of the record could not be read, also lost (their number),
 * lostStatus and lostWhy (of the first failure). */
XY_EXPORT(xy_tree_describe) int32_t xy_tree_describe(xy_ctx *ctx, const xy_tree *tree);

/* Lists the baskets of a branch in entry order. Tape: first and end (entries), entries (number),
 * seek (0 for a basket in the tree's own record) and nbytes (for such a basket, the size of the
 * result of xy_tree_detach), all as doubles; ordered (bool: no basket begins before the end of the
 * previous one). */
XY_EXPORT(xy_tree_branch_baskets)
int32_t xy_tree_branch_baskets(xy_ctx *ctx, const xy_tree *tree, int32_t branch);

/* Decodes a basket of a branch, as it is stored or as xy_tree_detach gives it. Result: a byte with
 * the orders of the members of collections of objects in it: 1 for one object after the other
 * (object-wise), 2 for one member of all objects after the other (member-wise), 3 for both. Fails
 * if the branch cannot be decoded by itself. */
XY_EXPORT(xy_tree_orders)
int32_t xy_tree_orders(xy_ctx *ctx, const xy_tree *tree, int32_t branch, const uint8_t *src,
                       size_t len);

/* Lists the positions of all baskets of all branches. Tape: basketStart (uint32: index of the first
 * basket of each branch, followed by the number of baskets). For the baskets one array each: offset
 * (double, 0 for one in the tree's own record), stored (double), first and entries (double). For
 * the branches, as doubles: basketSize (fBasketSize), offsetLength (fEntryOffsetLen), splitLevel,
 * elementType and streamerType (fType and fStreamerType of a TBranchElement, -100 for others), and
 * leafCount (how many leaves in fLeaves of the tree it has). For the tree: autoFlush, autoSave,
 * flushedBytes, leaves (number of leaves); clusterRangeEnd (last entry) and clusterSize (entries),
 * doubles, of the ranges of entries that had another autoFlush. */
XY_EXPORT(xy_tree_layout) int32_t xy_tree_layout(xy_ctx *ctx, const xy_tree *tree);

/* Returns a basket in the tree's own record as a separate record. Result: its bytes. */
XY_EXPORT(xy_tree_detach)
int32_t xy_tree_detach(xy_ctx *ctx, const xy_tree *tree, int32_t branch, int32_t basket);

/* Makes the decode plan of a branch. Tape: plan (bytes), counter (a branch whose numbers the
 * decoder also needs, -1 for none), schema (what the plan produces: objects of class primitive,
 * fixed, list, string, struct or tape; each takes 1 buffer for primitive and list, 2 for string and
 * tape, none for fixed and struct, in depth-first order). */
XY_EXPORT(xy_plan) int32_t xy_plan(xy_ctx *ctx, const xy_tree *tree, int32_t branch);

/* Makes a plan that returns the bytes of each entry in the uncompressed basket, for any branch: a
 * list of uint8. Tape: as xy_plan. A basket without offsets of its entries is divided evenly if the
 * branch's entries have one size or an unknown form; otherwise it is refused (unsupported). */
XY_EXPORT(xy_raw_plan) int32_t xy_raw_plan(xy_ctx *ctx, const xy_tree *tree, int32_t branch);

/* ---- RNTuples ---------------------------------------------------------------------------------
 *
 * The host reads the parts in this order: anchor, header, footer, and the page list of each cluster
 * group. Fields are numbered depth first, as xy_ntuple_describe lists them. */

typedef struct xy_ntuple xy_ntuple;

/* Reads the anchor's record; NULL on failure. The file must outlive the ntuple. */
XY_EXPORT(xy_ntuple_create)
xy_ntuple *xy_ntuple_create(xy_ctx *ctx, xy_file *file, const uint8_t *src, size_t len);
XY_EXPORT(xy_ntuple_destroy) void xy_ntuple_destroy(xy_ntuple *ntuple);

/* Returns the locations of the parts. Tape: version (text), headerSeek, headerBytes, footerSeek,
 * footerBytes, and after the footer was read, one array each for the cluster groups in entry order:
 * pageListSeeks, pageListBytes, groupFirsts (first entries). */
XY_EXPORT(xy_ntuple_links) int32_t xy_ntuple_links(xy_ctx *ctx, const xy_ntuple *ntuple);

/* Read an envelope in its stored form. No result. Page lists may come in any order, each once; only
 * the groups with requested entries are needed. */
XY_EXPORT(xy_ntuple_header)
int32_t xy_ntuple_header(xy_ctx *ctx, xy_ntuple *ntuple, const uint8_t *src, size_t len);
XY_EXPORT(xy_ntuple_footer)
int32_t xy_ntuple_footer(xy_ctx *ctx, xy_ntuple *ntuple, const uint8_t *src, size_t len);
XY_EXPORT(xy_ntuple_page_list)
int32_t xy_ntuple_page_list(xy_ctx *ctx, xy_ntuple *ntuple, int32_t group, const uint8_t *src,
                            size_t len);

/* Describes the fields as xy_tree_describe does branches, with pages instead of baskets. Pages and
 * bytes of a field include those of its subfields. In addition, attributeSets: the names of its
 * attribute sets, if there are any. */
XY_EXPORT(xy_ntuple_describe) int32_t xy_ntuple_describe(xy_ctx *ctx, const xy_ntuple *ntuple);

/* Lists the positions of all pages; every page list must have been read. Tape: as xy_tree_layout,
 * for the fields' own columns in depth-first order, without the members that only a TTree has. In
 * addition: length (double: uncompressed bytes of each page), type (uint8: the type of each page's
 * column, as the format numbers it), column (uint32: the number of that column among the physical
 * ones, as in ROOT), exact (one uint8 for each field: 1 if first and entries belong to the page,
 * 0 if they belong to its cluster), source (one int32 for each field: for a projected field the
 * position of the field whose columns it shows, otherwise -1), clusterStart (double: first
 * entries). */
XY_EXPORT(xy_ntuple_layout) int32_t xy_ntuple_layout(xy_ctx *ctx, const xy_ntuple *ntuple);

/* Makes the decode plan of a field, as xy_plan. A field within others gives one column with all
 * levels of lists above it. */
XY_EXPORT(xy_ntuple_plan)
int32_t xy_ntuple_plan(xy_ctx *ctx, const xy_ntuple *ntuple, int32_t field);

/* Lists the bytes to read for chosen entries of a field, as pieces of clusters. Pages without
 * chosen entries are left out if the positions of the entries in a column are known. `spans` are
 * pairs of doubles, from and to, ascending. xy_decode takes the head of a piece followed by the
 * bytes of its ranges, and entries relative to the first one of the cluster. Tape: for the pieces
 * clusters, firsts (entries), from, to (entries relative to the first one of the cluster), headEnds
 * and rangeEnds (ends of each piece's part of `heads` and of the ranges), heads (bytes); for the
 * ranges seeks and sizes (doubles). */
XY_EXPORT(xy_ntuple_pieces)
int32_t xy_ntuple_pieces(xy_ctx *ctx, const xy_ntuple *ntuple, int32_t field, const double *spans,
                         size_t span_count);

/* Lists the pages of offset columns that would make those pieces smaller, because they show which
 * elements of collections belong to the chosen entries. Tape: spared (double: estimated bytes of
 * pieces that then need not be read), seeks and sizes (doubles) of the pages, heads (bytes) and
 * headEnds. For nested collections, call it again after adding these pages, because it may list
 * more. */
XY_EXPORT(xy_ntuple_offset_pages)
int32_t xy_ntuple_offset_pages(xy_ctx *ctx, const xy_ntuple *ntuple, int32_t field,
                               const double *spans, size_t span_count);
/* Adds a page that xy_ntuple_offset_pages listed: its head, followed by the bytes of the page.
 * No result. */
XY_EXPORT(xy_ntuple_add_offset_page)
int32_t xy_ntuple_add_offset_page(xy_ctx *ctx, xy_ntuple *ntuple, const uint8_t *src, size_t len);

/* ---- reading: tasks for the units of branches, and the reads of each task ---------------------
 *
 * `limits` are the numbers of xy_plan_limits (src/decode/task_plan.h, which also describes `packed`
 * and `chosen`). Tape: the lists of xy_task_plan as units, unitEnds, partLists,
 * partFirsts, partCounts, partEnds, reads, readEnds, headLists, headUnits, headPlaces, headEnds,
 * inputs, bytes, places, firstEntries, lastEntries, lost, lostEnds, badLists, badUnits. */
enum { XY_LIMITS_DOUBLES = 11 };
XY_EXPORT(xy_plan_tasks)
int32_t xy_plan_tasks(xy_ctx *ctx, const double *packed, size_t packed_count, const double *chosen,
                      size_t chosen_count, const double *limits);
/* Tape: isCut, chosen, ends of xy_block_plan (src/decode/block_plan.h, which also describes the
 * arguments). */
XY_EXPORT(xy_plan_block)
int32_t xy_plan_block(xy_ctx *ctx, const double *packed, size_t packed_count, const double *starts,
                      size_t start_count, double from, double to, double length, double growth);

/* ---- decoding: needs only a plan ---------------------------------------------------------------
 */

typedef struct xy_decoder xy_decoder;
xy_decoder *xy_decoder_create(xy_ctx *ctx, const uint8_t *plan, size_t len);
XY_EXPORT(xy_decoder_destroy) void xy_decoder_destroy(xy_decoder *decoder);

/* Appends the entries [from, to) of a basket, relative to its first; to < 0 means to its end. If a
 * basket fails, the columns do not change. `counts` (host order) are the numbers of the plan's
 * counter branch from the basket's first entry on; NULL if there is none. No result. */
int32_t xy_decode(xy_ctx *ctx, xy_decoder *decoder, const uint8_t *src, size_t len, double from,
                  double to, const int32_t *counts, size_t count_len);
/* As xy_decode, for several spans of entries. `spans` are pairs of doubles, from and to, ascending,
 * none empty. The basket is decompressed once for all of them. */
int32_t xy_decode_spans(xy_ctx *ctx, xy_decoder *decoder, const uint8_t *src, size_t len,
                        const double *spans, size_t span_count, const int32_t *counts,
                        size_t count_len);

/* Returns the number of buffers of the plan's columns. */
XY_EXPORT(xy_decoder_buffers) int32_t xy_decoder_buffers(const xy_decoder *decoder);
/* Returns the number of decoded rows. */
XY_EXPORT(xy_decoder_rows) double xy_decoder_rows(const xy_decoder *decoder);
/* Returns the number of baskets and pages that were decompressed so far. */
double xy_decoder_opened(const xy_decoder *decoder);
/* Return a buffer, valid until the next call, and its number of bytes. */
XY_EXPORT(xy_decoder_buffer) const uint8_t *xy_decoder_buffer(const xy_decoder *d, int32_t index);
XY_EXPORT(xy_decoder_buffer_size) size_t xy_decoder_buffer_size(const xy_decoder *d, int32_t index);
/* Adds a buffer after those of the plan, filled by the host; xy_query_start finds it there.
 * Nothing can be decoded afterwards. */
XY_EXPORT(xy_decoder_put)
int32_t xy_decoder_put(xy_ctx *ctx, xy_decoder *decoder, const uint8_t *src, size_t len);

/* ---- goals: what is computed from decoded values -----------------------------------------------
 */

/* Doubles of a summary (xy_summary in src/compute/fill.h), of the statistics of a histogram
 * (xy_fill_stats in src/compute/histogram.h), of an axis (bins, low, high), and of a coordinate of
 * a range (xy_coordinate in src/compute/range.h). */
enum { XY_SUMMARY_DOUBLES = 9, XY_STATS_DOUBLES = 25, XY_AXIS_DOUBLES = 3, XY_RANGE_DOUBLES = 12 };

/* A sketch of the distinct values of a branch: see src/compute/distinct_sketch.h. Its bytes are a
 * struct xy_sketch, valid until the next call. NULL if memory is exhausted. */
typedef struct xy_sketch xy_sketch;
XY_EXPORT(xy_sketch_create) xy_sketch *xy_sketch_create(void);
XY_EXPORT(xy_sketch_destroy) void xy_sketch_destroy(xy_sketch *sketch);

/* The values of a range: see src/compute/range.h. Its buffers, all of doubles, are the steps of
 * each coordinate, the kept values of each, and their weights (none if all are 1). NULL if memory
 * is exhausted, or for an invalid number of coordinates. */
typedef struct xy_range xy_range;
XY_EXPORT(xy_range_create) xy_range *xy_range_create(int32_t dims, double first, double keep);
XY_EXPORT(xy_range_destroy) void xy_range_destroy(xy_range *range);
/* Converts a buffer of doubles to floats, if that loses nothing. Returns whether it did. */
XY_EXPORT(xy_range_floats) int32_t xy_range_floats(xy_range *range, int32_t index);
XY_EXPORT(xy_range_buffer) const uint8_t *xy_range_buffer(const xy_range *range, int32_t index);
XY_EXPORT(xy_range_buffer_size) size_t xy_range_buffer_size(const xy_range *range, int32_t index);

typedef struct xy_query xy_query;

/* Kinds of goals, and the numbers that they produce. FILL and RANGE use the values of a column that
 * produces exactly one column of numbers, or the values of a program with a weight other than 0. */
enum {
    /* A summary of the numbers of a column. */
    XY_GOAL_SUMMARY = 0,
    /* Two numbers for each unit: its number of entries, and the position in its own key. */
    XY_GOAL_VERIFY = 1,
    /* Statistics, then sums and squares of all cells. With `exact`, which is only for a program or
     * given values: statistics, the high parts of all sums, then the low parts; and the call has a
     * result: pairs of doubles, the index of a sum and a term of it. See src/compute/histogram.h.
     */
    XY_GOAL_FILL = 2,
    /* Number of entries with values that pass (0 for a column), then XY_RANGE_DOUBLES for each
     * coordinate. */
    XY_GOAL_RANGE = 3,
    /* No numbers. The buffers of the query have the entries that pass. */
    XY_GOAL_ROWS = 4,
    /* No numbers. The values of a column are added to the sketch. */
    XY_GOAL_SKETCH = 5,
    /* No numbers. The decoder of the column is kept, with all values. */
    XY_GOAL_COLUMNS = 6
};

/* A goal. Members that its kind does not use are 0. */
typedef struct {
    int32_t kind;     /* XY_GOAL_* */
    int32_t column;   /* in a task: the only column whose values it uses; -1 for all */
    uint32_t doubles; /* in a task: numbers of a result, and additional ones for each unit */
    uint32_t unit_doubles;
    int32_t dims;         /* coordinates of a FILL */
    int32_t profile;      /* the last coordinate is averaged and has no axis */
    int32_t exact;        /* sums that do not depend on the order */
    int32_t lists;        /* SKETCH: levels of lists in a row */
    int32_t dtype;        /* SKETCH: type of the numbers, -1 for texts */
    int32_t weighted;     /* whether the given values have weights */
    uint32_t count;       /* number of given values of each coordinate */
    const double *axes;   /* three doubles each: bins, low, high */
    double *numbers;      /* zero before the first values; a task sets them for its columns */
    xy_query *query;      /* program, started; NULL for a column or given values */
    xy_sketch *sketch;    /* SKETCH only */
    xy_range *range;      /* RANGE only */
    const double *values; /* given: one coordinate after another, then the weights */
} xy_goal;

/* Gives the values of a decoder's rows to the goals; without a decoder, the values of the goal's
 * program or its given values. Several goals may share the values of one program: FILL without
 * exact sums, and RANGE. */
XY_EXPORT(xy_goal_take)
int32_t xy_goal_take(xy_ctx *ctx, const xy_goal *goals, uint32_t count, const xy_decoder *decoder);

/* Units (baskets, or parts of clusters) of columns, and goals for their values.
 *
 * Each unit has four doubles: offset in `input`, number of bytes, first entry, and the entry after
 * the last (-1: to the end of the unit). With `more`, each unit has four further doubles: start and
 * number of its spans in `spans` (pairs as for xy_decode_spans; 0 spans mean all entries from first
 * to last), start (-1 if it has none) and number of its counts in `counts`.
 *
 * Each part has two numbers: bytes of its plan (see xy_decoder_create; 0: it continues the previous
 * column), and number of units. */
typedef struct {
    const uint8_t *input;
    const double *units, *more, *spans;
    const int32_t *counts;
    const uint8_t *plans; /* one after another */
    const int32_t *parts;
    int32_t part_count;
    int32_t keep;         /* whether the decoders of all columns are kept, with all values */
    const xy_goal *goals; /* goals for all columns, then the others by ascending column */
    int32_t goal_count;
    double *numbers; /* zeros; the results, column by column in the order of goals */
    /* By column: number of rows; number of decompressed baskets and pages; and times in ms: for
     * decompressing, for goals, and in total. */
    double *counters;
    xy_decoder **decoders; /* by column, NULL at first: kept decoders, or those in use */
    int32_t failed;
    /* State of the task, 0 at first: its column; the first unit, part and own goal of that column;
     * and the number of its finished units. */
    int32_t column, first, part, own, unit;
} xy_task;

/* Decodes the columns of a task one after another. The values of each unit, or of a column that is
 * kept as a whole, are given to the goals. Returns the error of a unit, whose index is then in
 * `failed`; another call continues after it. For an error of the whole task, `failed` is -1. */
XY_EXPORT(xy_task_run) int32_t xy_task_run(xy_ctx *ctx, xy_task *task);

/* ---- expressions over the columns of decoders -------------------------------------------------
 *
 * A program (src/compute/expr.h) computes numbers, and a weight for each, from columns with equal
 * rows. Bind a decoder to each of its columns, start it, and give the values to a goal. Start it
 * again for another goal, or for more rows. */

/* The function of xylem-math.wasm (src/math/functions.h). */
typedef double xy_math_call(int32_t function, double a, double b, double c, double d);

/* Sets the function `math` for all queries created later with this context. In WebAssembly it is
 * the index of the other module's function in the table that this module exports. */
XY_EXPORT(xy_ctx_link) void xy_ctx_link(xy_ctx *ctx, xy_math_call *math);

XY_EXPORT(xy_query_create)
xy_query *xy_query_create(xy_ctx *ctx, const uint8_t *program, size_t len);
XY_EXPORT(xy_query_destroy) void xy_query_destroy(xy_query *query);

/* Binds a column. The decoder must outlive the query, and nothing may be added to it. */
XY_EXPORT(xy_query_bind)
int32_t xy_query_bind(xy_ctx *ctx, xy_query *q, int32_t column, const xy_decoder *decoder);

/* Binds a column of another tree, for which the program has a level of rows. `rows` has, for each
 * entry of the tree, the corresponding row of the decoder; -1 if there is none. */
XY_EXPORT(xy_query_bind_rows)
int32_t xy_query_bind_rows(xy_ctx *ctx, xy_query *q, int32_t column, const xy_decoder *decoder,
                           const double *rows, size_t count);

/* Starts with the decoders' rows, which are the entries of `count` spans of the tree: pairs [from,
 * to), none empty. Fails if a column is not bound, if it has another type than in the program, or
 * another number of rows. */
XY_EXPORT(xy_query_start)
int32_t xy_query_start(xy_ctx *ctx, xy_query *q, const double *spans, size_t count);

/* Makes a query use the weights of another one, which computes one for each entry and has no
 * outputs. Both are started with the same rows. The other one must outlive this query. */
XY_EXPORT(xy_query_give) int32_t xy_query_give(xy_ctx *ctx, xy_query *q, xy_query *weights);

/* After ROWS: the entries in which at least one value passes. Buffer 0 has their numbers (doubles).
 * Then each output has two buffers: the number of values of each entry (int32), and the values:
 * doubles, 64-bit integers, or for strings a length (int32) followed by this number of bytes. The
 * bytes of a buffer are valid until the next call. */
XY_EXPORT(xy_query_buffer) const uint8_t *xy_query_buffer(const xy_query *q, int32_t index);
XY_EXPORT(xy_query_buffer_size) size_t xy_query_buffer_size(const xy_query *q, int32_t index);

#endif
