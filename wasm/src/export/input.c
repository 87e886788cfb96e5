#include "input.h"

#include "export.h"
#include "xylem.h"

#include <stdbool.h>

static uint8_t *input;
static size_t input_size;

uint8_t *xe_input(size_t size) {
    xe_clear_chunks();
    xy_free(input);
    input = (uint8_t *)xy_alloc(size);
    input_size = input ? size : 0;
    return input;
}

const void *xe_in_input(uint32_t at, uint64_t count, uint32_t width) {
    if (at % (width ? width : 1) || at > input_size || count * width > input_size - at) return NULL;
    return input + at;
}

const int32_t *xe_offsets_at(uint32_t at, uint32_t count, uint32_t *last) {
    const int32_t *offsets = (const int32_t *)xe_in_input(at, (uint64_t)count + 1, 4);
    if (!offsets || offsets[0] != 0) return NULL;
    bool falls = false;
    for (uint32_t i = 0; i < count; i++)
        falls |= offsets[i + 1] < offsets[i];
    *last = (uint32_t)offsets[count];
    return falls ? NULL : offsets;
}
