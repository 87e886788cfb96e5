/* Writes the parts of RNTuple's metadata (ntuple/envelope.h). A block is begun, filled, and ended
 * when its length is known. */
#ifndef XW_ENVELOPE_WRITER_H
#define XW_ENVELOPE_WRITER_H

#include "../buffer.h"

static inline void xw_put_u64(xy_buffer *out, uint64_t v) {
    xy_append(out, &v, 8); /* hosts are little-endian */
}

/* Each begin returns a mark for its end. */
size_t xw_envelope_begin(xy_buffer *out);
/* Returns the checksum. */
uint64_t xw_envelope_end(xy_buffer *out, size_t mark, int type);

size_t xw_record_begin(xy_buffer *out);
void xw_record_end(xy_buffer *out, size_t mark);

size_t xw_list_begin(xy_buffer *out);
void xw_list_end(xy_buffer *out, size_t mark, uint32_t items);

void xw_put_locator(xy_buffer *out, uint64_t size, uint64_t offset);

/* Writes the list of the cluster groups in a footer, with XW_GROUP_NUMBERS of each. */
void xw_put_groups(xy_buffer *out, const double *groups, uint32_t count);

#endif
