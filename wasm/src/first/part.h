/* The core without the parts that a plain branch of a TTree does not need: the decoders of zstd and
 * xz, and RNTuples. The element begins with it. Each part is a module of its own, linked at run
 * time: it uses the memory, the table and the functions of this core, and tells it by a call of
 * xy_link_... which functions it has. */
#ifndef XY_PART_H
#define XY_PART_H

#include "../codec/method.h"
#include "../ntuple/pages.h"

/* The parts, in the order of CORE_PARTS of web/core/module.ts. */
enum { XY_PART_ZSTD, XY_PART_XZ, XY_PART_NTUPLE };

typedef size_t xy_free_zstd(struct ZSTD_DCtx_s *decoder);
typedef void xy_end_xz(lzma_stream *stream);
typedef xy_status xy_entries_of_pages(xy_error *err, const uint8_t *src, size_t len,
                                      int64_t *entries);
typedef xy_status xy_run_pages(xy_decoder *d, xy_error *err, const uint8_t *src, size_t len,
                               const xy_entry_spans *spans);

void xy_link_zstd(xy_method *decode, xy_free_zstd *end);
void xy_link_xz(xy_method *decode, xy_end_xz *end);
void xy_link_ntuple(xy_entries_of_pages *entries, xy_run_pages *run);

#endif
