/* Compression in ROOT's blocks: see codec/codec.h for their layout. */
#ifndef XY_PACK_H
#define XY_PACK_H

#include "xylem-write.h"

#include "../buffer.h"
#include "../status.h"

/* Appends the compressed object to `out`; the object itself if one of its blocks does not shrink.
 */
xy_status xw_pack_blocks(xw_packer *packer, xy_error *err, int32_t algorithm, int32_t level,
                         const uint8_t *src, size_t len, xy_buffer *out);

#endif
