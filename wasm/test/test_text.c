/* The core's own printf and strtod against those of the C library: every conversion that it has,
 * texts that do not fit, and numbers around the hard cases: ties, long digits, the ends of the
 * range. */
#include "../src/text.h"
#include "support/check.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

#define SAME(...)                                                                                  \
    do {                                                                                           \
        char mine[200], theirs[200];                                                               \
        size_t len = xy_format(mine, sizeof mine, __VA_ARGS__);                                    \
        snprintf(theirs, sizeof theirs, __VA_ARGS__);                                              \
        CHECK(strcmp(mine, theirs) == 0, "'%s' for '%s'", mine, theirs);                           \
        CHECK(len == strlen(mine), "length %zu", len);                                             \
    } while (0)

static uint64_t state = 88172645463325252u;
static uint64_t next(void) {
    state ^= state << 13;
    state ^= state >> 7;
    return state ^= state << 17;
}

static void formats(void) {
    char unended[3] = {'L', '4', 1};
    SAME("%s", "plain");
    SAME("100 %% of %.2s|%.*s|%.*s", unended, 3, "abcdef", -1, "all");
    SAME("%d %d %5d %05d %02d", 0, -7, -42, -42, 123);
    SAME("%u %02x %08x %04u %02u", 4294967295u, 10u, 0xdeadu, 1995u, 7u);
    SAME("%zu %lld %llu %016llx %ld %lu", (size_t)-1, (long long)INT64_MIN,
         (unsigned long long)UINT64_MAX, 0xabcdefull, -5l, 5ul);
    SAME("%g %g %g %g %g %g", 0.0, 1.0, -2.5, 100.0, 0.001, 123.456);
    SAME("%g %g %g", INFINITY, -INFINITY, (double)NAN);
    char text[40];
    xy_format(text, sizeof text, "%g %g", 9007199254740991.0 / 16, 12345678.0);
    CHECK(strcmp(text, "562949953421311 12345678") == 0, "%s", text);
    xy_format(text, sizeof text, "%g %g %g", 2e300, -1.5e-7, 4.9e-324);
    CHECK(strcmp(text, "2e300 -1.5e-7 4.940656e-324") == 0, "%s", text);
    for (size_t size = 1; size < 8; size++) {
        char mine[8] = "???????", theirs[8] = "???????";
        size_t len = xy_format(mine, size, "%d-%s", 12, "abcdef");
        snprintf(theirs, size, "%d-%s", 12, "abcdef");
        CHECK(memcmp(mine, theirs, sizeof mine) == 0 && len == size - 1, "%s in %zu", mine, size);
    }
}

static void same_number(const char *text) {
    double mine = xy_number(text), theirs = strtod(text, NULL);
    CHECK(memcmp(&mine, &theirs, sizeof mine) == 0, "%s is %a, expected %a", text, mine, theirs);
}

static void numbers(void) {
    static const char *const hard[] = {
        "0",
        "-0",
        "1",
        "-1.5",
        "+2",
        " \t 3.25",
        ".5",
        "5.",
        "1e3",
        "1E-3",
        "1e",
        "1e+",
        "007.50",
        "3.14159265358979323846",
        "-3.14159265358979323846264338327950288419716939937510",
        "x",
        "",
        "-",
        ".",
        "1e22",
        "1e23",
        "9007199254740993",
        "9007199254740992.5",
        "9007199254740993.0000001",
        "18014398509481985",
        "18014398509481986",
        "1.7976931348623157e308",
        "1.7976931348623159e308",
        "1e309",
        "-1e400",
        "1e99999999999",
        "1e-99999999999",
        "2.2250738585072014e-308",
        "1e-330",
        "0.000000000000000000000000000000000000000001e42",
        "123456789012345678901234567890",
        "100000000000000000000000000000000000000000000000000000000000000000000000e-60",
        "12abc",
        "1.2.3",
        "8.5e-5pi",
        "0e999",
        "00000000000000000000000000000000000000000000000000000000000000000000001",
    };
    for (size_t i = 0; i < sizeof hard / sizeof hard[0]; i++)
        same_number(hard[i]);
    char text[80];
    for (int i = 0; i < 20000; i++) {
        uint64_t bits = next();
        double any;
        memcpy(&any, &bits, sizeof any);
        if (!isnormal(any)) continue;
        snprintf(text, sizeof text, "%.*g", (int)(next() % 40 + 1), any);
        same_number(text);
        snprintf(text, sizeof text, "%.*f", (int)(next() % 20), (double)(int64_t)bits * 0x1p-40);
        same_number(text);
        /* Half-way between two floats of 24 bits is a tie for none, between two doubles it is. */
        snprintf(text, sizeof text, "%llu.5",
                 (unsigned long long)((bits & 0xfffffffffffffu) | 1ull << 52));
        same_number(text);
    }
}

int main(void) {
    formats();
    numbers();
    CHECK(strcmp(xy_find("a2*pi/2", "pi"), "pi/2") == 0, "not found");
    CHECK(xy_find("p", "pi") == NULL && xy_find("", "pi") == NULL, "found");
    return 0;
}
