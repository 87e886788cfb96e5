/* Entries that move to another place of a basket, or to another basket. Pointers in an entry are
 * stored as offsets from the start of the basket's key, so those of an entry that moves change.
 * ROOT can list such an entry with the offset that it had instead (fDisplacement), but takes null
 * pointers for others then. */
#ifndef XW_ENTRY_MOVES_H
#define XW_ENTRY_MOVES_H

#include "xylem-write.h"

#include "../buffer.h"
#include "../status.h"

/* Changes the references in `copy`, the copy of an entry of `len` bytes that was at offset `was`
 * and is at `now`. Fails with XY_E_UNSUPPORTED where the entry cannot be decoded to its end. */
xy_status xw_entry_move(xw_entries *entries, xy_error *err, const uint8_t *entry, size_t len,
                        uint32_t was, uint32_t now, uint8_t *copy);

#endif
