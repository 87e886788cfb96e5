/* Real files for the tests: the fixtures that ROOT wrote, read whole. Tests run in wasm/. */
#ifndef XY_TEST_FIXTURE_H
#define XY_TEST_FIXTURE_H

#include "encode.h"

#include "../../src/file/file.h"
#include "../../src/tree/tree.h"

/* A file of tests/fixtures/files, by its name without ".root". */
bytes read_fixture(const char *name);
/* The first record whose key has this class and, unless it is NULL, this name; an allocation of its
 * own of just its length. */
bytes find_record(const bytes *file, const char *class_name, const char *name);
/* The streamer infos' record. */
bytes streamer_record(const bytes *file);
/* The record as ROOT would have stored it without compression. */
bytes plain_record(const bytes *record);

/* A tree of a fixture with its file, and the columns of a branch of it. */
typedef struct {
    bytes file;
    xy_ctx *ctx;
    xy_file *core;
    xy_tree *tree;
} fixture_tree;
fixture_tree open_tree(const char *fixture, const char *tree);
void close_tree(fixture_tree *t);
int32_t branch_index(const fixture_tree *t, const char *name);
/* A decoder of the branch's plan. */
xy_decoder *branch_decoder(const fixture_tree *t, int32_t branch);
/* The record of a branch's basket; also of one that lies in the tree's own record. */
bytes basket_record(const fixture_tree *t, int32_t branch, int32_t basket);

/* A decoder of lists that reach to the end of their entry: numbers of `size` bytes, read as the
 * wire type `wire` to the column type `dtype`; `flags` are those of XY_OP_REST. */
xy_decoder *decoder_of_lists(int wire, int dtype, int32_t size, uint16_t flags);

/* An uncompressed basket as ROOT stores it. Its header claims `entries` entries, its data are
 * `size` bytes 0, 1, 2, ... Unless `offsets` is NULL, a table of `count` offsets follows them; they
 * count from the first byte.
 */
bytes stored_basket(uint32_t entries, uint32_t size, const uint32_t *offsets, uint32_t count);

/* The last call of the context succeeded, or it failed with a message and the status says so. */
bool told(const xy_ctx *ctx, int32_t status);
const char *message(const xy_ctx *ctx);

#endif
