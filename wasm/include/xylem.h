/* The ABI of the xylem core: every function that xylem.wasm exports, with its contract.
 *
 * Rules that hold for all of them:
 * - The caller owns every buffer that it passes; what a function makes is freed by its counterpart,
 *   and the counterpart takes NULL.
 * - Memory may grow in any call, so a host must not keep a view of the memory across a call.
 * - No function does I/O, calls back, or keeps state outside what its `create` returned.
 * - Input is hostile until checked: a failure is a status (src/status.h) with the offset, never a
 * trap.
 *
 * A function is exported by putting XY_EXPORT(its_name) before its definition or declaration; the
 * few without serve those that are exported, and the tests. */
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
 * A context holds the last error and the result of the last call. A function that returns int32_t
 * gives a status (0: success). On success its result, where it has one, is in the context until
 * the next call with it; on failure the error is. Results called "tape" are value tapes
 * (src/streamer/tape.h); their members are named with each function. */
typedef struct xy_ctx xy_ctx;
XY_EXPORT(xy_ctx_create) xy_ctx *xy_ctx_create(void);
void xy_ctx_destroy(xy_ctx *ctx);
XY_EXPORT(xy_ctx_result) const uint8_t *xy_ctx_result(const xy_ctx *ctx);
XY_EXPORT(xy_ctx_result_size) size_t xy_ctx_result_size(const xy_ctx *ctx);
/* Returns the last error: int32 status at 0, uint64 offset at 8, NUL-terminated message at 16. */
XY_EXPORT(xy_ctx_error) const void *xy_ctx_error(const xy_ctx *ctx);

/* ---- the file ---------------------------------------------------------------------------------
 */

/* `src` starts at the file's first byte and reaches behind the root directory, which lies within
 * the first few hundred bytes. Tape: version, rootVersion, begin, beginBytes (length of the first
 * record), end, seekInfo, nbytesInfo, seekFree, nbytesFree, compress, compression, units, title,
 * and of the root directory uuid, created, modified, seekKeys, nbytesKeys. */
XY_EXPORT(xy_header) int32_t xy_header(xy_ctx *ctx, const uint8_t *src, size_t len);

/* Gives the same bytes with a new header, if the header of a file of `size` bytes was overwritten.
 * The new one has the position of the first record, but neither lists nor streamer infos, which a
 * walk finds. Fails with XY_E_NOT_ROOT unless the first record is at byte 100 (byte 64 before ROOT
 * 3). */
XY_EXPORT(xy_mend_header)
int32_t xy_mend_header(xy_ctx *ctx, const uint8_t *src, size_t len, double size);

/* `src` is a directory's record. Tape: seekKeys, nbytesKeys, created, modified, uuid. */
XY_EXPORT(xy_subdirectory) int32_t xy_subdirectory(xy_ctx *ctx, const uint8_t *src, size_t len);

/* `src` is the record of a directory's keys. Tape: a list of keys, each with name, title,
 * className, cycle, nbytes, keylen, objlen, seekKey, seekDir, created. */
XY_EXPORT(xy_keys) int32_t xy_keys(xy_ctx *ctx, const uint8_t *src, size_t len);

/* Walks the records of a piece of the file that begins at byte `at` with a record. Tape: keys (as
 * above, with `at`: position of the record), next (where the walk continues, in the piece or after
 * it), stopped (why it cannot continue; empty if it can). With `all`, baskets are listed too, and
 * gaps, which have only `at` and a negative `nbytes`. */
XY_EXPORT(xy_walk)
int32_t xy_walk(xy_ctx *ctx, const uint8_t *src, size_t len, double at, int32_t all);

/* Returns the first byte of a piece, which is at byte `at` of the file, where a record begins with
 * a complete key that gives this position; -1 if there is none. */
XY_EXPORT(xy_find_record) double xy_find_record(const uint8_t *src, size_t len, double at);

/* `src` is the record of the file's free space. Tape: first and last (bytes, inclusive) of each
 * free range; the last one begins at the file's end. */
XY_EXPORT(xy_free_list) int32_t xy_free_list(xy_ctx *ctx, const uint8_t *src, size_t len);

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

/* The classes that the file's streamer infos describe, in their order; none before xy_streamers.
 * Tape: a list of classes, each with name, version, checksum and elements; an element has name,
 * title, typeName, type (TStreamerElement::fType), dimensions (a list), counter (the member that
 * says how long the array is, else empty), base (whether it is a base class) and, where the file
 * says it, baseVersion. Texts are the file's own: any bytes. */
XY_EXPORT(xy_types) int32_t xy_types(xy_ctx *ctx, const xy_file *file);

/* Describes the columns of objects of a class, in the form of xy_plan. Of several versions of the
 * class, the newest is used. The result is null if the columns cannot be determined. */
XY_EXPORT(xy_class_schema)
int32_t xy_class_schema(xy_ctx *ctx, const xy_file *file, const char *name, size_t len);

/* Gives the object of the record `src`, with ROOT's member names. Tape: the object. If it cannot be
 * decoded completely (unknown class, or a member in an unknown form), it has the members before the
 * failing one, which is an error value, then "$error" (why, text) and "$bytes" (uint8: the whole
 * object, uncompressed). */
XY_EXPORT(xy_object)
int32_t xy_object(xy_ctx *ctx, xy_file *file, const uint8_t *src, size_t len);

/* Whether the object of the record `src` can be decoded. Nothing of it is kept, so memory does not
 * grow with its size. Result: a text, empty if it can; otherwise the reason why it cannot be
 * decoded completely, although it is not damaged. */
XY_EXPORT(xy_object_check)
int32_t xy_object_check(xy_ctx *ctx, xy_file *file, const uint8_t *src, size_t len);

/* ---- trees ------------------------------------------------------------------------------------
 */

typedef struct xy_tree xy_tree;

/* Reads the record of a TTree; NULL on failure. The file must outlive the tree. */
XY_EXPORT(xy_tree_create)
xy_tree *xy_tree_create(xy_ctx *ctx, xy_file *file, const uint8_t *src, size_t len);
XY_EXPORT(xy_tree_destroy) void xy_tree_destroy(xy_tree *tree);

/* The branch table, depth first. Tape: name, title, className, entries, totalBytes, storedBytes,
 * aliasNames and aliasTexts (of TTree::SetAlias; texts), friendNames, friendTrees and friendFiles
 * (of TTree::AddFriend; texts), and of the branches names, titles, types
 * (texts: see xy_texts in src/streamer/tape.h) and one array each: parents, depths, kinds (0
 * number, 1 string, 2 object or what cannot be decoded, 3 group), entries, baskets, totalBytes,
 * storedBytes, compress, and where any is above 0, embeddedBytes: uncompressed bytes of the baskets
 * that lie in the tree's own record, which the other sums do not count; where any branch has its
 * baskets in another file, also otherFiles (texts). Where branches of the
 * record could not be read, also lost (how many), and of the first failure lostStatus and lostWhy.
 */
XY_EXPORT(xy_tree_describe) int32_t xy_tree_describe(xy_ctx *ctx, const xy_tree *tree);

/* The baskets of a branch in entry order. Tape: first and end (entries), entries (how many), seek
 * (0 for one in the tree's own record) and nbytes (of such a one what xy_tree_detach gives), all as
 * doubles; ordered (bool: none begins before the end of the one before it). */
XY_EXPORT(xy_tree_branch_baskets)
int32_t xy_tree_branch_baskets(xy_ctx *ctx, const xy_tree *tree, int32_t branch);

/* Where all baskets of all branches lie. Tape: basketStart (uint32: index of the first basket of
 * each branch, and at the end how many there are), of all baskets one array each: offset (double, 0
 * for one in the tree's own record), stored (double), first and entries (double); of the branches
 * basketSize (fBasketSize); autoFlush, autoSave, flushedBytes as the tree has them, and
 * clusterRangeEnd (last entry) and clusterSize (entries), doubles, of the ranges of entries that
 * had another autoFlush. */
XY_EXPORT(xy_tree_layout) int32_t xy_tree_layout(xy_ctx *ctx, const xy_tree *tree);

/* Gives a basket in the tree's own record as a separate record. Result: its bytes. */
XY_EXPORT(xy_tree_detach)
int32_t xy_tree_detach(xy_ctx *ctx, const xy_tree *tree, int32_t branch, int32_t basket);

/* The decode plan of a branch. Tape: plan (bytes), counter (a branch whose numbers the decoder
 * needs too, -1 for none), schema (what the plan yields: objects of class primitive, fixed, list,
 * string, struct or tape; each takes 1 buffer for primitive and list, 2 for string and tape, none
 * for fixed and struct, in depth-first order). */
XY_EXPORT(xy_plan) int32_t xy_plan(xy_ctx *ctx, const xy_tree *tree, int32_t branch);

/* Gives a plan that returns the bytes of each entry in the uncompressed basket, for any branch: a
 * list of uint8. Tape: as xy_plan. A basket without offsets of its entries is divided evenly if the
 * branch's entries have one size or an unknown form, and refused (unsupported) otherwise. */
XY_EXPORT(xy_raw_plan) int32_t xy_raw_plan(xy_ctx *ctx, const xy_tree *tree, int32_t branch);

/* ---- RNTuples ---------------------------------------------------------------------------------
 *
 * The host brings the parts in this order: anchor, header, footer, and the page list of each
 * cluster group. Fields are numbered depth first, as xy_ntuple_describe lists them. */

typedef struct xy_ntuple xy_ntuple;

/* Reads the anchor's record; NULL on failure. The file must outlive the ntuple. */
XY_EXPORT(xy_ntuple_create)
xy_ntuple *xy_ntuple_create(xy_ctx *ctx, xy_file *file, const uint8_t *src, size_t len);
XY_EXPORT(xy_ntuple_destroy) void xy_ntuple_destroy(xy_ntuple *ntuple);

/* Where the parts lie. Tape: version (text), headerSeek, headerBytes, footerSeek, footerBytes, and
 * once the footer was read one array each of the cluster groups, in entry order: pageListSeeks,
 * pageListBytes, groupFirsts (first entries). */
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

/* Gives the tape of xy_tree_describe, with fields instead of branches and pages instead of baskets.
 * Pages and bytes of a field include those of its subfields. With attributeSets: the names of its
 * attribute sets, if there are any. */
XY_EXPORT(xy_ntuple_describe) int32_t xy_ntuple_describe(xy_ctx *ctx, const xy_ntuple *ntuple);

/* Where all pages lie, once every page list was read: the tape of xy_tree_layout for the fields'
 * own columns in depth-first order, without the members that only a TTree has. In addition:
 * length (double: bytes of each page uncompressed), type (uint8: the type of each page's column
 * as the format numbers them), column (uint32: the number of that column, as ROOT counts the
 * physical ones), exact (one uint8 for each field: 1 when first and entries are those of the page,
 * 0 when they are those of its cluster), source (one int32 for each field: the position of the
 * field whose columns it shows when it is projected, else -1), clusterStart (double: first
 * entries). */
XY_EXPORT(xy_ntuple_layout) int32_t xy_ntuple_layout(xy_ctx *ctx, const xy_ntuple *ntuple);

/* Gives the decode plan of a field, as xy_plan. A field within others gives one column with all
 * levels of lists above it. */
XY_EXPORT(xy_ntuple_plan)
int32_t xy_ntuple_plan(xy_ctx *ctx, const xy_ntuple *ntuple, int32_t field);

/* Lists the bytes to read for chosen entries of a field, as pieces of clusters. Pages that hold
 * none of the entries are left out where an entry's place in a column is known. `spans` are
 * pairs of doubles, from and to, ascending. xy_decode takes the head of a piece followed by the
 * bytes of its ranges, and entries counted from the cluster's first. Tape: of the pieces
 * clusters, firsts (entries), from, to (entries counted from the cluster's first), headEnds and
 * rangeEnds (ends of each piece's part of `heads` and of the ranges), heads (bytes); of the
 * ranges seeks and sizes (doubles). */
XY_EXPORT(xy_ntuple_pieces)
int32_t xy_ntuple_pieces(xy_ctx *ctx, const xy_ntuple *ntuple, int32_t field, const double *spans,
                         size_t span_count);

/* Lists the pages of offset columns that would make those pieces smaller, because they tell which
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

/* ---- reading: which units of branches become tasks, and by what reads -------------------------
 *
 * `limits` are the numbers of xy_plan_limits (src/decode/task_plan.h, which also tells what
 * `packed` and `chosen` are). Tape: the lists of xy_task_plan as units, unitEnds, partLists,
 * partFirsts, partCounts, partEnds, reads, readEnds, headLists, headUnits, headPlaces, headEnds,
 * inputs, bytes, places, firstEntries, lastEntries, lost, lostEnds, badLists, badUnits. */
enum { XY_LIMITS_DOUBLES = 10 };
XY_EXPORT(xy_plan_tasks)
int32_t xy_plan_tasks(xy_ctx *ctx, const double *packed, size_t packed_count, const double *chosen,
                      size_t chosen_count, const double *limits);
/* Tape: isCut, chosen, ends of xy_block_plan (src/decode/block_plan.h, which also tells what the
 * arguments are). */
XY_EXPORT(xy_plan_block)
int32_t xy_plan_block(xy_ctx *ctx, const double *packed, size_t packed_count, const double *starts,
                      size_t start_count, double from, double to, double length, double growth);

/* ---- decoding: needs nothing but a plan -------------------------------------------------------
 */

typedef struct xy_decoder xy_decoder;
xy_decoder *xy_decoder_create(xy_ctx *ctx, const uint8_t *plan, size_t len);
XY_EXPORT(xy_decoder_destroy) void xy_decoder_destroy(xy_decoder *decoder);

/* Appends entries from..to of a basket, counted from its first; to < 0 means to its end. If a
 * basket fails, the columns do not change. `counts` (host order) are the numbers of the plan's
 * counter branch from the basket's first entry on; NULL if there is none. No result. */
int32_t xy_decode(xy_ctx *ctx, xy_decoder *decoder, const uint8_t *src, size_t len, double from,
                  double to, const int32_t *counts, size_t count_len);
/* Does the same for several spans of entries. `spans` are pairs of doubles, from and to, ascending,
 * none empty. A basket is decompressed once for all of them. */
int32_t xy_decode_spans(xy_ctx *ctx, xy_decoder *decoder, const uint8_t *src, size_t len,
                        const double *spans, size_t span_count, const int32_t *counts,
                        size_t count_len);

/* Returns the number of buffers of the plan's columns. */
XY_EXPORT(xy_decoder_buffers) int32_t xy_decoder_buffers(const xy_decoder *decoder);
/* Return the number of decoded rows; the bytes of a buffer (valid until the next call); and their
 * number. */
XY_EXPORT(xy_decoder_rows) double xy_decoder_rows(const xy_decoder *decoder);
/* Returns the number of baskets and pages that were decompressed so far. */
double xy_decoder_opened(const xy_decoder *decoder);
XY_EXPORT(xy_decoder_buffer) const uint8_t *xy_decoder_buffer(const xy_decoder *d, int32_t index);
XY_EXPORT(xy_decoder_buffer_size) size_t xy_decoder_buffer_size(const xy_decoder *d, int32_t index);
/* Adds a buffer after those of the plan, filled by the host; xy_query_start finds it there.
 * Nothing can be decoded afterwards. */
XY_EXPORT(xy_decoder_put)
int32_t xy_decoder_put(xy_ctx *ctx, xy_decoder *decoder, const uint8_t *src, size_t len);

/* ---- goals: what becomes of decoded values ----------------------------------------------------
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

/* Kinds of goals, and the numbers that they produce. FILL and RANGE take the values of a column
 * that gives exactly one column of numbers, or those of a program that pass (a weight of 0 does
 * not). */
enum {
    /* A summary of the numbers of a column. */
    XY_GOAL_SUMMARY = 0,
    /* Two numbers for each unit: its entries, and the position that its own key gives. */
    XY_GOAL_VERIFY = 1,
    /* Statistics, sums and squares of all cells; with `exact`, which is for a program or given
     * values, statistics, the high parts of all sums, then the low parts, and the call has a
     * result: pairs of doubles, the index of a sum and a term of it. See src/compute/histogram.h.
     */
    XY_GOAL_FILL = 2,
    /* Number of entries of which values pass (0 for a column), then XY_RANGE_DOUBLES for each
     * coordinate. */
    XY_GOAL_RANGE = 3,
    /* No numbers: the buffers of the query have the entries that pass. */
    XY_GOAL_ROWS = 4,
    /* No numbers: the values of a column are added to the sketch. */
    XY_GOAL_SKETCH = 5,
    /* No numbers: the decoder of the column is kept, with all values. */
    XY_GOAL_COLUMNS = 6
};

/* A goal. Members that its kind does not use are 0. */
typedef struct {
    int32_t kind;     /* XY_GOAL_* */
    int32_t column;   /* of a task: the only column whose values it takes; -1 for all */
    uint32_t doubles; /* of a task: numbers of a result, and further ones for each unit */
    uint32_t unit_doubles;
    int32_t dims;       /* coordinates of a FILL */
    int32_t profile;    /* the last of them is averaged and has no axis */
    int32_t exact;      /* sums that do not depend on the order */
    int32_t lists;      /* SKETCH: lists within lists that a row is */
    int32_t dtype;      /* SKETCH: type of the numbers, -1 for texts */
    int32_t weighted;   /* given values have weights */
    uint32_t count;     /* given values of each coordinate */
    const double *axes; /* three doubles each: bins, low, high */
    double *numbers; /* zero before the first values are taken; a task sets them for its columns */
    xy_query *query; /* program, started; NULL for a column or given values */
    xy_sketch *sketch;    /* of a SKETCH */
    xy_range *range;      /* of a RANGE */
    const double *values; /* given: one coordinate after another, then the weights */
} xy_goal;

/* Takes the values of a decoder's rows; without a decoder, those of the goal's program or values.
 * Several goals may share the values of one program: FILL without exact sums, and RANGE. */
XY_EXPORT(xy_goal_take)
int32_t xy_goal_take(xy_ctx *ctx, const xy_goal *goals, uint32_t count, const xy_decoder *decoder);

/* Units (baskets, or parts of clusters) of columns, and goals for their values.
 *
 * Each unit is given by four doubles: start in `input`, bytes, first entry, the entry after the
 * last
 * (-1: to the end of the unit). With `more`, four further doubles for each: start and number of its
 * spans among `spans` (pairs as xy_decode_spans takes them; number 0 means all entries from first
 * to last), start (-1 when it has none) and number of its counts among `counts`.
 *
 * Each part is given by two numbers: bytes of its plan (see xy_decoder_create; 0: it goes on with
 * the column before), and number of units. */
typedef struct {
    const uint8_t *input;
    const double *units, *more, *spans;
    const int32_t *counts;
    const uint8_t *plans; /* one after another */
    const int32_t *parts;
    int32_t part_count;
    int32_t keep;         /* the decoders of all columns are left, with all values */
    const xy_goal *goals; /* those for all columns, then the others by ascending column */
    int32_t goal_count;
    double *numbers; /* zeros; the results, column by column in the order of goals */
    /* By column: number of rows; number of decompressed baskets and pages; and times in ms: for
     * decompressing, for goals, and in total. */
    double *counters;
    xy_decoder **decoders; /* by column, NULL at first: those that are left, or at work */
    int32_t failed;
    /* State of the task, 0 at first: its column; the first unit, part and own goal of that column;
     * and the number of its finished units. */
    int32_t column, first, part, own, unit;
} xy_task;

/* Decodes the columns of a task one after another. The goals take the values of each unit, or of a
 * column that is kept as a whole. Returns the error of a unit, whose index is then in `failed`;
 * another call continues after it. An error of the whole task has `failed` -1. */
XY_EXPORT(xy_task_run) int32_t xy_task_run(xy_ctx *ctx, xy_task *task);

/* ---- expressions over the columns of decoders -------------------------------------------------
 *
 * A program (src/compute/expr.h) makes numbers, and a weight for each, of columns that have the
 * same rows. Bind a decoder to each of its columns, start, and take the values to a goal. Start
 * again for another goal, or for more rows. */

/* The function of xylem-math.wasm (src/math/functions.h). */
typedef double xy_math_call(int32_t function, double a, double b, double c, double d);

/* Sets the function `math` for queries that are made with the context from now on. In WebAssembly
 * it is the index of the other module's function in the table that this module exports. */
XY_EXPORT(xy_ctx_link) void xy_ctx_link(xy_ctx *ctx, xy_math_call *math);

XY_EXPORT(xy_query_create)
xy_query *xy_query_create(xy_ctx *ctx, const uint8_t *program, size_t len);
XY_EXPORT(xy_query_destroy) void xy_query_destroy(xy_query *query);

/* The decoder must outlive the query, and nothing may be added to it. */
XY_EXPORT(xy_query_bind)
int32_t xy_query_bind(xy_ctx *ctx, xy_query *q, int32_t column, const xy_decoder *decoder);

/* Binds a column of another tree, for which the program has a level of rows. `rows` has, for each
 * entry of the tree, the corresponding row of the decoder; -1 if there is none. */
XY_EXPORT(xy_query_bind_rows)
int32_t xy_query_bind_rows(xy_ctx *ctx, xy_query *q, int32_t column, const xy_decoder *decoder,
                           const double *rows, size_t count);

/* Takes the decoders' rows, which are the entries of `count` spans of the tree: pairs from, to,
 * none empty. Fails if a column is not bound, has another shape than in the program, or another
 * number of rows. */
XY_EXPORT(xy_query_start)
int32_t xy_query_start(xy_ctx *ctx, xy_query *q, const double *spans, size_t count);

/* Gives a query the weights of another one, which computes one for each entry and has no outputs.
 * Both have the same rows and are started. The other one must outlive this query. */
XY_EXPORT(xy_query_give) int32_t xy_query_give(xy_ctx *ctx, xy_query *q, xy_query *weights);

/* After ROWS: the entries of which at least one value passes. Buffer 0 has their numbers (doubles).
 * Then each output has two buffers: the number of values of each entry (int32), and the values:
 * doubles, 64-bit integers, or for strings a length (int32) followed by that many bytes. The bytes
 * of a buffer are valid until the next call. */
XY_EXPORT(xy_query_buffer) const uint8_t *xy_query_buffer(const xy_query *q, int32_t index);
XY_EXPORT(xy_query_buffer_size) size_t xy_query_buffer_size(const xy_query *q, int32_t index);

#endif
