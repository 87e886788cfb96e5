#include "basket.h"

xy_basket_counts xy_read_basket_counts(xy_cursor *c) {
    xy_basket_counts counts = {0};
    xy_u32(c); /* buffer size */
    counts.nev_size = xy_i32(c);
    if (counts.nev_size < 0) counts.features = xy_u8(c);
    counts.entries = xy_i32(c);
    counts.last = xy_i32(c);
    return counts;
}

/* An array behind the data: its count, then the numbers, at least as many as there are entries. */
static const uint8_t *take_table(xy_cursor *c, int64_t entries) {
    uint32_t n = xy_u32(c);
    return !c->bad && n >= (uint64_t)entries ? xy_take(c, xy_bytes_of(n, 4)) : NULL;
}

xy_status xy_open_basket(xy_codec *codec, xy_error *err, const uint8_t *src, size_t len,
                         xy_buffer *object, xy_key *key, xy_basket_counts *counts, xy_basket *b) {
    memset(b, 0, sizeof *b);
    xy_cursor c = xy_cursor_of(src, len);
    xy_status s = xy_read_key(err, &c, key);
    if (s) return s;
    xy_u16(&c); /* version */
    *counts = xy_read_basket_counts(&c);
    int32_t last = counts->last;
    if (c.bad || counts->entries < 0 || last < key->keylen || last - key->keylen > key->objlen)
        return xy_fail(err, XY_E_CORRUPT, 0, "this is no basket: %d entries, data to byte %d of %d",
                       (int)counts->entries, (int)last, (int)(key->keylen + key->objlen));
    s = xy_unpack(codec, err, src, len, key, object);
    if (s) return s;
    b->entries = counts->entries;
    b->keylen = key->keylen;
    b->size = (size_t)(last - key->keylen);
    b->data = object->data;
    xy_cursor tables = xy_cursor_of(b->data + b->size, object->len - b->size);
    b->offsets = take_table(&tables, b->entries);
    if (b->offsets) b->were = take_table(&tables, b->entries);
    return XY_OK;
}
