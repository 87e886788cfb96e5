#include "envelope_writer.h"

#include "xylem-write.h"

#include "../ntuple/checksum.h"

static void put_at(xy_buffer *out, size_t at, const void *src, size_t n) {
    if (!out->failed) memcpy(out->data + at, src, n);
}

size_t xw_envelope_begin(xy_buffer *out) {
    size_t mark = out->len;
    xw_put_u64(out, 0);
    return mark;
}

uint64_t xw_envelope_end(xy_buffer *out, size_t mark, int type) {
    uint64_t head = (uint64_t)(out->len - mark + 8) << 16 | (uint64_t)type;
    put_at(out, mark, &head, 8);
    uint64_t checksum = out->failed ? 0 : xy_xxh3(out->data + mark, out->len - mark);
    xw_put_u64(out, checksum);
    return checksum;
}

size_t xw_record_begin(xy_buffer *out) {
    return xw_envelope_begin(out);
}

void xw_record_end(xy_buffer *out, size_t mark) {
    uint64_t size = out->len - mark;
    put_at(out, mark, &size, 8);
}

size_t xw_list_begin(xy_buffer *out) {
    size_t mark = out->len;
    xw_put_u64(out, 0);
    xy_append_u32(out, 0);
    return mark;
}

void xw_list_end(xy_buffer *out, size_t mark, uint32_t items) {
    int64_t size = -(int64_t)(out->len - mark);
    put_at(out, mark, &size, 8);
    put_at(out, mark + 8, &items, 4);
}

void xw_put_locator(xy_buffer *out, uint64_t size, uint64_t offset) {
    enum { LARGE = 1, LARGE_BYTES = 20 };
    if (size <= INT32_MAX) {
        xy_append_u32(out, (uint32_t)size);
    } else {
        xy_append_u32(out, 0u - ((uint32_t)LARGE << 24 | LARGE_BYTES));
        xw_put_u64(out, size);
    }
    xw_put_u64(out, offset);
}

void xw_put_groups(xy_buffer *out, const double *groups, uint32_t count) {
    size_t list = xw_list_begin(out);
    for (uint32_t i = 0; i < count; i++, groups += XW_GROUP_NUMBERS) {
        size_t record = xw_record_begin(out);
        xw_put_u64(out, (uint64_t)groups[XW_GROUP_FIRST]);
        xw_put_u64(out, (uint64_t)groups[XW_GROUP_ENTRIES]);
        xy_append_u32(out, (uint32_t)groups[XW_GROUP_CLUSTERS]);
        xw_put_u64(out, (uint64_t)groups[XW_GROUP_LENGTH]);
        xw_put_locator(out, (uint64_t)groups[XW_GROUP_BYTES], (uint64_t)groups[XW_GROUP_SEEK]);
        xw_record_end(out, record);
    }
    xw_list_end(out, list, count);
}
