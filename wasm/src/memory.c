/* Buffers for the host: it has no other way to put bytes into the core's memory. */
#include "xylem.h"

#include <stdlib.h>

void *xy_alloc(size_t size) {
    /* aligned_alloc wants a multiple of the alignment; the rounding must not wrap around. */
    if (size == 0 || size > SIZE_MAX - 15) return NULL;
    return aligned_alloc(16, (size + 15) & ~(size_t)15);
}

void xy_free(void *memory) {
    free(memory);
}
