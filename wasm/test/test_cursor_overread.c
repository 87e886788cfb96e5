/* Reads at and past the end of the input: nothing is read, the cursor says so. */
#include "support/check.h"
#include "support/encode.h"

#include "../src/bytes.h"

static void every_read(const bytes *b, size_t at) {
    xy_cursor c = xy_cursor_of(b->data, b->len);
    CHECK(xy_take(&c, at) || at == 0);
    size_t left = b->len - at;
    xy_cursor u = c;
    CHECK(xy_u8(&u) == (left >= 1 ? at + 1 : 0) && u.bad == (left < 1));
    u = c;
    xy_u16(&u);
    CHECK(u.bad == (left < 2) && u.pos == (left < 2 ? b->len : at + 2));
    u = c;
    xy_u32(&u);
    CHECK(u.bad == (left < 4) && u.pos <= b->len);
    u = c;
    CHECK((xy_u64(&u) == 0) == (left < 8) && u.bad == (left < 8));
    u = c;
    CHECK(!xy_take(&u, left + 1) && u.bad && u.pos == b->len && xy_left(&u) == 0);
    u = c;
    CHECK(!xy_take(&u, SIZE_MAX) && u.bad);
    u = c; /* the first byte is the length */
    xy_str s = xy_string(&u);
    CHECK(u.bad == (left < 1 || at + 1 > left - 1) && s.len == (u.bad ? 0 : at + 1));
}

int main(void) {
    bytes b = {malloc(20), 20};
    CHECK(b.data);
    for (size_t i = 0; i < b.len; i++)
        b.data[i] = (uint8_t)(i + 1);
    for (size_t at = 0; at <= b.len; at++)
        every_read(&b, at);
    const uint8_t long_string[] = {255, 0xff, 0xff, 0xff, 0xff, 'a'};
    for (size_t n = 0; n <= sizeof long_string; n++) {
        bytes part = copy_of(long_string, n);
        xy_cursor c = xy_cursor_of(part.data, n);
        CHECK(xy_string(&c).len == 0 && c.bad);
        free(part.data);
    }
    free(b.data);
    return 0;
}
