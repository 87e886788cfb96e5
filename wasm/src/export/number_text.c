#include "number_text.h"

#include <ryu.h>
#include <string.h>

/* A number is written without an exponent when its first digit is one of those before and after the
 * point that JavaScript's rule has. */
enum { MAX_BEFORE_POINT = 21, MAX_ZEROS_AFTER_POINT = 5 };
/* Each integer up to this one is a double, and its digits are those of the integer. */
static const double MAX_INTEGER = 9007199254740992.0; /* 2^53 */

static const char PAIRS[] = "00010203040506070809101112131415161718192021222324252627282930313233"
                            "34353637383940414243444546474849505152535455565758596061626364656667"
                            "6869707172737475767778798081828384858687888990919293949596979899";

/* Writes the digits so that they end before `end`; returns where they begin. */
static uint8_t *digits_before(uint8_t *end, uint32_t value) {
    while (value >= 100) {
        end -= 2;
        memcpy(end, PAIRS + value % 100 * 2, 2);
        value /= 100;
    }
    if (value >= 10) {
        end -= 2;
        memcpy(end, PAIRS + value * 2, 2);
    } else
        *--end = (uint8_t)('0' + value);
    return end;
}

uint8_t *xe_put_unsigned(uint8_t *out, uint64_t value) {
    uint8_t digits[20], *end = digits + sizeof digits, *begin = end;
    /* Division of 64 bits is slow, so nine digits are split off at once. */
    while (value > UINT32_MAX) {
        uint32_t low = (uint32_t)(value % 1000000000);
        value /= 1000000000;
        uint8_t *from = digits_before(begin, low);
        begin -= 9;
        memset(begin, '0', (size_t)(from - begin));
    }
    begin = digits_before(begin, (uint32_t)value);
    size_t size = (size_t)(end - begin);
    memcpy(out, begin, size);
    return out + size;
}

uint8_t *xe_put_signed(uint8_t *out, int64_t value) {
    if (value < 0) *out++ = '-';
    return xe_put_unsigned(out, value < 0 ? 0 - (uint64_t)value : (uint64_t)value);
}

static uint8_t *put_digits(uint8_t *out, const char *digits, int32_t count) {
    memcpy(out, digits, (size_t)count);
    return out + count;
}

static uint8_t *put_zeros(uint8_t *out, int32_t count) {
    memset(out, '0', (size_t)count);
    return out + count;
}

uint8_t *xe_put_double(uint8_t *out, double value) {
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    if (bits >> 63) {
        *out++ = '-';
        value = -value;
    }
    if (value <= MAX_INTEGER && value == (double)(int64_t)value)
        return xe_put_unsigned(out, (uint64_t)value);
    /* Ryu writes d.dddE-dd, or dE-dd. */
    char text[32];
    d2s_buffered(value, text);
    int32_t count = 1, exponent = 0;
    const char *from = text + 1;
    if (*from == '.')
        for (from++; *from != 'E'; from++)
            text[count++] = *from;
    bool negative = *++from == '-';
    for (from += negative; *from; from++)
        exponent = exponent * 10 + (*from - '0');
    if (negative) exponent = -exponent;
    int32_t before = exponent + 1; /* digits before the point */
    if (before > MAX_BEFORE_POINT || before < -MAX_ZEROS_AFTER_POINT) {
        *out++ = (uint8_t)text[0];
        if (count > 1) {
            *out++ = '.';
            out = put_digits(out, text + 1, count - 1);
        }
        *out++ = 'e';
        *out++ = negative ? '-' : '+';
        return xe_put_unsigned(out, (uint64_t)(negative ? -exponent : exponent));
    }
    if (before <= 0) {
        *out++ = '0';
        *out++ = '.';
        return put_digits(put_zeros(out, -before), text, count);
    }
    if (count <= before) return put_zeros(put_digits(out, text, count), before - count);
    out = put_digits(out, text, before);
    *out++ = '.';
    return put_digits(out, text + before, count - before);
}
