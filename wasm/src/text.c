#include "text.h"

#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

/* ---------------------------------------------------------------- values to text */

typedef struct {
    char *out;
    size_t size, len;
} sink;

static void put(sink *to, char c) {
    if (to->len + 1 < to->size) to->out[to->len++] = c;
}

static void put_text(sink *to, const char *text) {
    while (*text)
        put(to, *text++);
}

typedef struct {
    int width;
    char fill; /* '0' or ' ' */
} field;

static void put_integer(sink *to, bool negative, uint64_t value, unsigned base, field in) {
    char digits[21];
    int n = 0;
    do {
        digits[n++] = "0123456789abcdef"[value % base];
        value /= base;
    } while (value);
    if (negative && in.fill == '0') put(to, '-');
    if (negative && in.fill == ' ') digits[n++] = '-';
    for (int i = n + (negative && in.fill == '0'); i < in.width; i++)
        put(to, in.fill);
    while (n > 0)
        put(to, digits[--n]);
}

static void put_signed(sink *to, int64_t value, field in) {
    put_integer(to, value < 0, value < 0 ? -(uint64_t)value : (uint64_t)value, 10, in);
}

static void put_real(sink *to, double value) {
    int exponent = 0;
    if (value < 0) put(to, '-');
    value = fabs(value);
    if (!isfinite(value)) {
        put_text(to, isnan(value) ? "nan" : "inf");
        return;
    }
    if (value != 0 && (value < 1e-4 || value >= 1e15)) {
        exponent = (int)floor(log10(value));
        /* In two steps, as 10 to the 308th and more is no double. */
        value = value * pow(10, -exponent / 2) * pow(10, -(exponent - exponent / 2));
    }
    bool large = value >= 1e9; /* its 6 digits and more are all before the point */
    uint64_t millionths = large ? 0 : (uint64_t)(value * 1e6 + 0.5);
    uint64_t whole = large ? (uint64_t)value : millionths / 1000000;
    uint32_t rest = (uint32_t)(millionths % 1000000);
    put_integer(to, false, whole, 10, (field){0, ' '});
    if (rest) put(to, '.');
    for (uint32_t unit = 100000; rest; rest %= unit, unit /= 10)
        put(to, (char)('0' + rest / unit));
    if (exponent) put(to, 'e');
    if (exponent) put_signed(to, exponent, (field){0, ' '});
}

size_t xy_format_list(char *out, size_t size, const char *format, va_list args) {
    sink to = {out, size, 0};
    for (const char *f = format; *f; f++) {
        if (*f != '%') {
            put(&to, *f);
            continue;
        }
        f++;
        field in = {0, *f == '0' ? '0' : ' '};
        int longs = 0;
        size_t most = SIZE_MAX;
        for (; *f >= '0' && *f <= '9'; f++)
            in.width = in.width * 10 + (*f - '0');
        if (*f == '.' && *++f == '*') {
            int given = va_arg(args, int);
            if (given >= 0) most = (size_t)given;
            f++;
        } else if (f[-1] == '.') {
            for (most = 0; *f >= '0' && *f <= '9'; f++)
                most = most * 10 + (size_t)(*f - '0');
        }
        if (*f == 'z') longs = sizeof(size_t) == sizeof(long) ? 1 : 0;
        if (*f == 'z') f++;
        for (; *f == 'l'; f++)
            longs++;
        switch (*f) {
        case '%': put(&to, '%'); break;
        case 's': {
            const char *text = va_arg(args, const char *);
            for (size_t i = 0; i < most && text[i]; i++)
                put(&to, text[i]);
            break;
        }
        case 'd':
            put_signed(&to,
                       longs > 1   ? va_arg(args, long long)
                       : longs > 0 ? va_arg(args, long)
                                   : va_arg(args, int),
                       in);
            break;
        case 'u':
        case 'x':
            put_integer(&to, false,
                        longs > 1   ? va_arg(args, unsigned long long)
                        : longs > 0 ? va_arg(args, unsigned long)
                                    : va_arg(args, unsigned),
                        *f == 'x' ? 16 : 10, in);
            break;
        case 'g': put_real(&to, va_arg(args, double)); break;
        default: put(&to, '?'); break;
        }
    }
    out[to.len] = 0;
    return to.len;
}

size_t xy_format(char *out, size_t size, const char *format, ...) {
    va_list args;
    va_start(args, format);
    size_t len = xy_format_list(out, size, format, args);
    va_end(args);
    return len;
}

const char *xy_find(const char *text, const char *word) {
    size_t len = strlen(word);
    for (; *text; text++)
        if (strncmp(text, word, len) == 0) return text;
    return NULL;
}

/* ---------------------------------------------------------------- a number from text */

/* A natural number below 2^1536, the least 32 bits first: 64 digits, and 10 to the 394th. */
enum { LIMBS = 48 };
typedef struct {
    uint32_t limb[LIMBS];
} natural;

static void times_plus(natural *n, uint32_t factor, uint32_t add) {
    uint64_t carry = add;
    for (int i = 0; i < LIMBS; i++) {
        carry += (uint64_t)n->limb[i] * factor;
        n->limb[i] = (uint32_t)carry;
        carry >>= 32;
    }
}

static int bits_of(const natural *n) {
    for (int i = LIMBS - 1; i >= 0; i--)
        if (n->limb[i]) return 32 * i + 32 - __builtin_clz(n->limb[i]);
    return 0;
}

static void shift_up(natural *n, int by) {
    for (; by >= 31; by -= 31)
        times_plus(n, 1u << 31, 0);
    times_plus(n, 1u << by, 0);
}

/* Takes b from a unless it is more than a. */
static bool take(natural *a, const natural *b) {
    natural rest;
    int64_t borrow = 0;
    for (int i = 0; i < LIMBS; i++) {
        borrow += (int64_t)a->limb[i] - b->limb[i];
        rest.limb[i] = (uint32_t)borrow;
        borrow >>= 32;
    }
    if (borrow == 0) *a = rest;
    return borrow == 0;
}

/* digits * 10^exponent, where the natural is not 0. */
static double nearest(natural *digits, int exponent) {
    natural below = {{1}};
    for (; exponent > 0; exponent--)
        times_plus(digits, 10, 0);
    for (; exponent < 0; exponent++)
        times_plus(&below, 10, 0);
    /* Both are made equally long, so that the quotient is between 1/2 and 2: 56 bits of it, of
     * which the last says as well whether anything is left. */
    int power = bits_of(digits) - bits_of(&below);
    shift_up(power < 0 ? digits : &below, power < 0 ? -power : power);
    uint64_t quotient = 0;
    for (int i = 0; i < 56; i++) {
        quotient = quotient << 1 | take(digits, &below);
        times_plus(digits, 2, 0);
    }
    return ldexp((double)(quotient | (bits_of(digits) > 0)), power - 55);
}

double xy_number(const char *text) {
    while (*text == ' ' || (*text >= '\t' && *text <= '\r'))
        text++;
    bool negative = *text == '-';
    if (*text == '-' || *text == '+') text++;
    natural all = {{0}};
    int count = 0, exponent = 0; /* of digits from the first that is not 0 */
    bool behind = false, any = false;
    for (;; text++) {
        if (*text == '.' && !behind) {
            behind = true;
            continue;
        }
        if (*text < '0' || *text > '9') break;
        any = true;
        exponent -= behind;
        if (count == 0 && *text == '0') continue;
        if (count++ < 64)
            times_plus(&all, 10, (uint32_t)(*text - '0'));
        else
            exponent++;
    }
    if (any && (*text | 32) == 'e') {
        bool down = *++text == '-';
        if (*text == '-' || *text == '+') text++;
        int given = 0;
        for (; *text >= '0' && *text <= '9'; text++)
            if (given < 100000) given = given * 10 + (*text - '0');
        exponent += down ? -given : given;
    }
    if (count > 64) count = 64;
    double value = 0;
    uint64_t small = (uint64_t)all.limb[1] << 32 | all.limb[0];
    static const double tens[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                  1e8,  1e9,  1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
                                  1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};
    if (count <= 15 && exponent >= -22 && exponent <= 22) /* both are exact: rounded once */
        value = exponent < 0 ? (double)small / tens[-exponent] : (double)small * tens[exponent];
    else if (count && count + exponent > 310)
        value = INFINITY;
    else if (count && count + exponent > -330)
        value = nearest(&all, exponent);
    return negative && any ? -value : value;
}
