/* Access to the input of a task. */
#ifndef XE_INPUT_H
#define XE_INPUT_H

#include <stdint.h>

/* Drops the chunks of the columns of the previous input. */
void xe_clear_chunks(void);

/* Returns the address of `count` items of `width` bytes at an offset of the input; NULL if they are
 * not inside of it. */
const void *xe_in_input(uint32_t at, uint64_t count, uint32_t width);

/* Returns offsets of `count` items at an offset of the input, and the last of them; NULL unless
 * they begin with 0 and never decrease. */
const int32_t *xe_offsets_at(uint32_t at, uint32_t count, uint32_t *last);

#endif
