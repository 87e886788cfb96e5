#include "lanes.h"

#include <cstdint>
#include <cstring>

/* The table of the C library's exp: exp_data.h of musl. */
extern "C" const struct {
    double inverse, shift, minus_ln2_high, minus_ln2_low, c[4], exp2[6];
    uint64_t table[256];
} __exp_data;

namespace xylem {
namespace {

using Doubles = double __attribute__((vector_size(16)));
using Words = uint64_t __attribute__((vector_size(16)));

template <class To, class From> To bits(From value) {
    static_assert(sizeof(To) == sizeof value);
    To to;
    memcpy(&to, &value, sizeof to);
    return to;
}

/* Step by step as exp.c of musl, Copyright (c) 2018, Arm Limited. SPDX-License-Identifier: MIT */
struct Exp {
    /* All bits of a word are set if it is. */
    static Words usual(Doubles x) {
        Doubles size = bits<Doubles>(bits<Words>(x) & ~((uint64_t)1 << 63));
        return bits<Words>((size >= 0x1p-54) & (size < 512.0));
    }

    static Doubles of(Doubles x) {
        const auto &data = __exp_data;
        Doubles k = data.inverse * x + data.shift;
        Words words = bits<Words>(k);
        k -= data.shift;
        Doubles r = x + k * data.minus_ln2_high + k * data.minus_ln2_low;
        const uint64_t *first = data.table + 2 * (words[0] % 128),
                       *second = data.table + 2 * (words[1] % 128);
        Doubles tail = bits<Doubles>(Words{first[0], second[0]});
        Doubles scale = bits<Doubles>(Words{first[1], second[1]} + (words << 45));
        Doubles r2 = r * r;
        const double *c = data.c;
        Doubles part = tail + r + r2 * (c[0] + r * c[1]) + r2 * r2 * (c[2] + r * c[3]);
        return scale + scale * part;
    }
};

/* Step by step as log_small.c of musl, of FreeBSD's e_log.c: Copyright (C) 1993 by Sun
 * Microsystems, Inc. All rights reserved. Developed at SunSoft, a Sun Microsystems, Inc. business.
 * Permission to use, copy, modify, and distribute this software is freely granted, provided that
 * this notice is preserved. */
struct Log {
    static Words usual(Doubles x) {
        return bits<Words>((x >= 0x1p-1020) & (x < __builtin_inf()));
    }

    static Doubles of(Doubles x) {
        const double ln2_high = 6.93147180369123816490e-01, ln2_low = 1.90821492927058770002e-10;
        const double c1 = 6.666666666666735130e-01, c2 = 3.999999999940941908e-01,
                     c3 = 2.857142874366239149e-01, c4 = 2.222219843214978396e-01,
                     c5 = 1.818357216161805012e-01, c6 = 1.531383769920937332e-01,
                     c7 = 1.479819860511658591e-01;
        /* x is 2^k (1 + f), with 1 + f from sqrt(1/2) to sqrt(2). A power of two below 2^52 is the
         * fraction of 2^52 + k. */
        const uint64_t half_root = (uint64_t)0x3fe6a09e << 32, fraction = ((uint64_t)1 << 52) - 1;
        Words words = bits<Words>(x) + ((uint64_t)0x3ff00000 << 32) - half_root;
        Doubles k = bits<Doubles>(words >> 52 | bits<uint64_t>(0x1p52)) - (0x1p52 + 0x3ff);
        Doubles f = bits<Doubles>((words & fraction) + half_root) - 1;
        Doubles square = 0.5 * f * f, s = f / (2 + f), z = s * s, w = z * z;
        Doubles even = w * (c2 + w * (c4 + w * c6));
        Doubles odd = z * (c1 + w * (c3 + w * (c5 + w * c7)));
        return s * (square + (odd + even)) + k * ln2_low - square + f + k * ln2_high;
    }
};

template <class Kind> Doubles both(Doubles x, Function special) {
    Words usual = Kind::usual(x);
    if (usual[0] & usual[1]) return Kind::of(x);
    return Doubles{special(x[0]), special(x[1])};
}

template <class Kind> void each(const double *x, double *out, size_t n, Function special) {
    size_t i = 0;
    for (; i + 2 <= n; i += 2) {
        Doubles two;
        memcpy(&two, x + i, sizeof two);
        two = both<Kind>(two, special);
        memcpy(out + i, &two, sizeof two);
    }
    if (i < n) out[i] = both<Kind>(Doubles{x[i], x[i]}, special)[0];
}

} // namespace

void exps(const double *x, double *out, size_t n, Function special) {
    each<Exp>(x, out, n, special);
}

void logs(const double *x, double *out, size_t n, Function special) {
    each<Log>(x, out, n, special);
}

} // namespace xylem
