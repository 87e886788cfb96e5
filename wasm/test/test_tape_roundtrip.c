/* Everything that a tape can hold, written and read again; a budget that is too small. */
#include "support/check.h"

#include "../src/streamer/tape.h"

#include <string.h>

int main(void) {
    xy_buffer t = {0};
    size_t object = xy_tape_object(&t, 7, "Event", 5);
    xy_tape_key(&t, "null");
    xy_tape_u8(&t, XY_TAPE_NULL);
    xy_tape_key(&t, "int");
    xy_tape_i32(&t, -5);
    xy_tape_key(&t, "long");
    xy_tape_i64(&t, INT64_MIN);
    xy_tape_key(&t, "double");
    xy_tape_f64(&t, 2.5);
    xy_tape_key(&t, "text");
    xy_tape_string(&t, "a\0b", 3);
    xy_tape_key(&t, "error");
    xy_tape_error(&t, "why");
    xy_tape_key(&t, "array");
    uint8_t *data = xy_tape_array(&t, XY_I16, 3);
    CHECK(data);
    const int16_t numbers[] = {1, -2, 3};
    memcpy(data, numbers, sizeof numbers);
    xy_tape_key(&t, "list");
    size_t list = xy_tape_list(&t);
    size_t inner = xy_tape_object(&t, 8, "", 0);
    xy_tape_object_end(&t, inner);
    xy_tape_u8(&t, XY_TAPE_TRUE);
    xy_tape_list_end(&t, list, 2);
    xy_tape_key(&t, "last");
    xy_tape_u32(&t, 0xffffffff);
    xy_tape_object_end(&t, object);

    xy_tape_view v = {t.data, t.len};
    CHECK(xy_tape_skip(&v, 0) == t.len && xy_str_is(xy_tape_class(&v, 0), "Event"));
    CHECK(xy_tape_object_id(&v, 0) == 7);
    CHECK(xy_tape_tag_at(&v, xy_tape_member(&v, 0, "null")) == XY_TAPE_NULL);
    CHECK(xy_tape_member_int(&v, 0, "int", 0) == -5);
    CHECK(xy_tape_member_int(&v, 0, "long", 0) == INT64_MIN);
    CHECK(xy_tape_member_double(&v, 0, "double", 0) == 2.5);
    CHECK(xy_tape_member_text(&v, 0, "text").len == 3);
    CHECK(xy_str_is(xy_tape_member_text(&v, 0, "error"), "why"));
    int dtype = 0;
    const uint8_t *read = NULL;
    CHECK(xy_tape_numbers(&v, xy_tape_member(&v, 0, "array"), &dtype, &read) == 3);
    CHECK(dtype == XY_I16 && xy_number_at(dtype, read, 1) == -2);
    size_t l = xy_tape_member(&v, 0, "list");
    CHECK(xy_tape_list_count(&v, l) == 2);
    size_t second = xy_tape_skip(&v, xy_tape_list_first(&v, l));
    CHECK(xy_tape_tag_at(&v, second) == XY_TAPE_TRUE);
    CHECK(xy_tape_member_int(&v, 0, "last", 0) == 0xffffffff);
    CHECK(xy_tape_member(&v, 0, "none") == 0 && xy_tape_member_int(&v, 0, "none", 42) == 42);
    size_t offsets[9] = {0};
    xy_tape_index(&v, offsets, 9);
    CHECK(offsets[7] == 0 && xy_tape_tag_at(&v, offsets[8]) == XY_TAPE_OBJECT);
    xy_buffer_free(&t);

    xy_buffer small = {.limit = 1000};
    for (int i = 0; i < 100; i++)
        xy_tape_string(&small, "twenty-one characters", 21);
    CHECK(small.failed && small.cap <= 1024);
    xy_buffer_free(&small);
    return 0;
}
