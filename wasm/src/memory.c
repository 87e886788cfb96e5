/* Buffers for the host, which has no other way to put bytes into the core's memory, and memory
 * for counted items. The allocator of wasm (emmalloc) multiplies in calloc without checking for
 * overflow, so calloc and realloc are called only here. */
#include "xylem.h"

#include "buffer.h"

void *xy_alloc(size_t size) {
    /* aligned_alloc wants a multiple of the alignment; the rounding must not wrap around. */
    if (size == 0 || size > SIZE_MAX - 15) return NULL;
    return aligned_alloc(16, (size + 15) & ~(size_t)15);
}

void xy_free(void *memory) {
    free(memory);
}

void *xy_new(uint64_t n, size_t size) {
    size_t bytes = xy_bytes_of(n, size);
    return bytes > XY_MAX_BYTES ? NULL : calloc(bytes ? bytes : 1, 1);
}

void *xy_copy(const void *items, uint64_t n, size_t size) {
    size_t bytes = xy_bytes_of(n, size);
    void *copy = bytes > XY_MAX_BYTES ? NULL : malloc(bytes ? bytes : 1);
    if (copy && bytes) memcpy(copy, items, bytes);
    return copy;
}

bool xy_grow(void **items, int32_t *cap, int32_t count, size_t size) {
    if (count < *cap) return true;
    if (*cap > INT32_MAX / 2) return false;
    int32_t wanted = *cap ? *cap * 2 : 32;
    size_t bytes = xy_bytes_of((uint64_t)wanted, size);
    void *grown = bytes > XY_MAX_BYTES ? NULL : realloc(*items, bytes);
    if (!grown) return false;
    *items = grown;
    *cap = wanted;
    return true;
}

uint8_t *xy_buffer_grow(xy_buffer *b, size_t n) {
    size_t most = b->limit && b->limit < XY_MAX_BYTES ? b->limit : XY_MAX_BYTES;
    uint8_t *data = NULL;
    uint64_t cap = b->cap ? b->cap : 64;
    if (b->len <= most && n <= most - b->len) {
        while (cap < (uint64_t)b->len + n)
            cap *= 2;
        data = realloc(b->data, (size_t)cap);
    }
    if (!data) {
        b->failed = true;
        return NULL;
    }
    b->data = data;
    b->cap = (size_t)cap;
    return data + b->len;
}
