/* Entries that move to another position of a basket, or to another basket. Pointers in an entry are
 * stored as offsets from the start of the basket's key, so they change when the entry moves. ROOT
 * can instead store the old offset of such an entry (fDisplacement), but then misreads null
 * pointers. */
#ifndef XW_ENTRY_MOVES_H
#define XW_ENTRY_MOVES_H

#include "xylem-write.h"

#include "../buffer.h"
#include "../status.h"

/* Changes the references in `copy`, a copy of an entry of `len` bytes that was at offset `was` and
 * is now at `now`. Fails with XY_E_UNSUPPORTED if the entry cannot be decoded completely. */
xy_status xw_entry_move(xw_entries *entries, xy_error *err, const uint8_t *entry, size_t len,
                        uint32_t was, uint32_t now, uint8_t *copy);

#endif
