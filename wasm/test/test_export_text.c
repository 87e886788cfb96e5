/* Rows as text: numbers, texts and what holds them; descriptions that lie are refused. */
#include "support/check.h"

#include "../src/export/export.h"
#include "../src/export/number_text.h"

#include <string.h>

static void number(double value, const char *wanted) {
    uint8_t text[XE_NUMBER_BYTES + 1], *end = xe_put_double(text, value);
    *end = 0;
    CHECK(strcmp((const char *)text, wanted) == 0, "%s in place of %s", (const char *)text, wanted);
}

static void numbers(void) {
    number(0, "0");
    number(-0.0, "-0");
    number(-12.5, "-12.5");
    number(0.1, "0.1");
    number(1.0 / 3, "0.3333333333333333");
    number((double)0.1f, "0.10000000149011612");
    number(1e-6, "0.000001");
    number(1e-7, "1e-7");
    number(-1.25e-7, "-1.25e-7");
    number(123456789012345680000.0, "123456789012345680000");
    number(1e20, "100000000000000000000");
    number(1e21, "1e+21");
    number(1.5e300, "1.5e+300");
    number(9007199254740992.0, "9007199254740992");
    number(9007199254740994.0, "9007199254740994");
    number(1.7976931348623157e308, "1.7976931348623157e+308");
    number(-2.2250738585072014e-308, "-2.2250738585072014e-308");
    number(5e-324, "5e-324");
    uint8_t text[XE_NUMBER_BYTES];
    const struct {
        uint64_t value;
        const char *text;
    } integers[] = {{0, "0"},
                    {99, "99"},
                    {100, "100"},
                    {4294967295u, "4294967295"},
                    {4294967296u, "4294967296"},
                    {1000000000000000000u, "1000000000000000000"},
                    {18446744073709551615u, "18446744073709551615"}};
    for (size_t i = 0; i < sizeof integers / sizeof *integers; i++) {
        size_t size = (size_t)(xe_put_unsigned(text, integers[i].value) - text);
        CHECK(size == strlen(integers[i].text) && !memcmp(text, integers[i].text, size), "%s",
              integers[i].text);
    }
    size_t size = (size_t)(xe_put_signed(text, INT64_MIN) - text);
    CHECK(size == 20 && !memcmp(text, "-9223372036854775808", 20), "the least integer");
}

/* Two columns: lists of texts, and a variant of a number or nothing. */
typedef struct {
    xe_node nodes[5];
    int32_t labels[4], lists[3], texts[4], rows[2];
    uint8_t label_bytes[8], text_bytes[8], tags[8];
    int16_t numbers[4];
    uint32_t end;
} table;

#define AT(member) ((uint32_t)offsetof(table, member))

static const table TABLE = {
    .nodes = {{XE_STRUCTS, 0, 2, AT(labels), AT(label_bytes), 4, 1, 2},
              {XE_LISTS, 0, 2, AT(lists), 0, 0, 3, 1},
              {XE_VARIANTS, 0, 2, AT(tags), AT(rows), 8, 4, 1},
              {XE_TEXTS, 0, 3, AT(texts), AT(text_bytes), 6, 5, 0},
              {XE_NUMBERS, XE_I16, 1, AT(numbers), 0, 0, 5, 0}},
    .labels = {0, 1, 2, 4},
    .lists = {0, 2, 3},
    .texts = {0, 1, 3, 6},
    .rows = {0, 0},
    .label_bytes = "[,]\n",
    .text_bytes = "\"\x01\x7f\xe2\x80\xa8",
    .tags = {0, 255},
    .numbers = {-7},
};

static int32_t write_table(const table *input, size_t size, uint32_t separator) {
    uint8_t *to = xe_input(size);
    if (size) memcpy(to, input, size);
    return xe_text(0, 5, separator);
}

static void wanted(uint32_t separator, const char *text) {
    table input = TABLE;
    CHECK(write_table(&input, sizeof input, separator) == XE_OK);
    const xe_written *written = xe_text_result();
    CHECK(written->size == strlen(text) && !memcmp(written->bytes, text, written->size),
          "%.*s in place of %s", (int)written->size, (const char *)written->bytes, text);
}

static void lies(void) {
    table input = TABLE;
    for (size_t size = 0; size < offsetof(table, numbers) + 2; size++)
        CHECK(write_table(&input, size, 0) != XE_OK, "of %zu bytes", size);
    for (size_t word = 0; word < offsetof(table, end) / 4; word++) {
        const uint32_t wrong[] = {0, 1, 2, 3, 5, 7, 1000, 0x7fffffff, 0x80000000, 0xffffffff};
        for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
            input = TABLE;
            memcpy((uint8_t *)&input + 4 * word, &wrong[i], 4);
            write_table(&input, sizeof input, i % 2 ? ',' : 0); /* whatever it says, under ASan */
        }
    }
    input = TABLE;
    input.lists[2] = 4;
    CHECK(write_table(&input, sizeof input, 0) == XE_DAMAGED, "a text that is not there");
    input = TABLE;
    input.rows[0] = 1;
    CHECK(write_table(&input, sizeof input, 0) == XE_DAMAGED, "a row that is not there");
    input = TABLE;
    input.nodes[2].first_child = 3;
    CHECK(write_table(&input, sizeof input, 0) == XE_DAMAGED, "a child of two nodes");
    CHECK(xe_text(0xfffffffc, 5, 0) == XE_DAMAGED, "a place at the end of memory");
    CHECK(xe_text(0, 0, 0) == XE_DAMAGED, "no nodes");
}

int main(void) {
    numbers();
    wanted(0, "[[\"\\\"\",\"\\u0001\\u007f\"],-7]\n[[\"\\u2028\"],null]\n");
    wanted(',', "[\"[\"\"\\\"\"\"\",\"\"\\u0001\x7f\"\"]\",-7]\n"
                "[\"[\"\"\xe2\x80\xa8\"\"]\",null]\n");
    lies();
    return 0;
}
