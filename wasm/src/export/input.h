/* The input of a task, and what lies at places in it. */
#ifndef XE_INPUT_H
#define XE_INPUT_H

#include <stdint.h>

/* Forgets the chunks of the columns of the input before. */
void xe_clear_chunks(void);

/* `count` items of `width` bytes at a place in the input; NULL when they are not in it. */
const void *xe_in_input(uint32_t at, uint64_t count, uint32_t width);

/* Offsets of `count` items that begin with 0 and never fall, and the last of them; else NULL. */
const int32_t *xe_offsets_at(uint32_t at, uint32_t count, uint32_t *last);

#endif
