/* Calls a function by its number, and what several of them share. */
#include "functions.h"

#include <math.h>
#include <string.h>

int32_t xy_math_int(double x) {
    return x > -2147483649.0 && x < 2147483648.0 ? (int32_t)x : INT32_MIN;
}

double xy_math_poly(const double *c, size_t n, double x) {
    double sum = c[n - 1];
    for (size_t i = n - 1; i-- > 0;)
        sum = sum * x + c[i];
    return sum;
}

void xy_math_chebyshev(const double *c, size_t n, double twice, double last[2]) {
    double sum = 0, before = 0, older = 0;
    for (size_t i = n; i-- > 0;) {
        older = before;
        before = sum;
        sum = c[i] + twice * before - older;
    }
    last[0] = sum;
    last[1] = before;
}

static double factorial(int32_t n) {
    double product = 1;
    for (int32_t i = 2; i <= n && isfinite(product); i++)
        product *= i;
    return product;
}

static double binomial(int32_t n, int32_t k) {
    if (n < 0 || k < 0 || n < k) return NAN;
    if (k == 0 || k == n) return 1;
    int32_t least = k < n - k ? k : n - k;
    double most = n - least, product = most + 1;
    for (int32_t i = least; i > 1 && isfinite(product); i--)
        product *= (most + i) / i;
    return product;
}

/* Mixes 64 bits (the finaliser of SplitMix64). */
static uint64_t mixed(uint64_t x) {
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
    return x ^ (x >> 31);
}

/* A number that depends on nothing but the arguments, so that it is the same however the entries
 * are divided among workers, and each time that they are evaluated. */
static double even(double seed, double entry, double iteration, double place) {
    const double parts[] = {seed, entry, iteration, place};
    uint64_t state = 0;
    for (int i = 0; i < 4; i++) {
        uint64_t bits;
        memcpy(&bits, &parts[i], sizeof bits);
        state = mixed(state + 0x9e3779b97f4a7c15u + bits);
    }
    return ((double)(state >> 12) + 0.5) * 0x1p-52;
}

double xy_math(int32_t function, double a, double b, double c, double d) {
    switch (function) {
    case XY_M_LOG2: return log2(a);
    case XY_M_LOG1P: return log1p(a);
    case XY_M_EXPM1: return expm1(a);
    case XY_M_EXP2: return exp2(a);
    case XY_M_CBRT: return cbrt(a);
    case XY_M_ACOSH: return acosh(a);
    case XY_M_ATANH: return atanh(a);
    case XY_M_ERF: return erf(a);
    case XY_M_ERFC: return erfc(a);
    case XY_M_TGAMMA: return tgamma(a);
    case XY_M_ROOT_GAMMA: return xy_math_root_gamma(a);
    case XY_M_LGAMMA: return xy_math_lgamma(a);
    case XY_M_ERF_INVERSE: return xy_math_erf_inverse(a);
    case XY_M_FREQ: return xy_math_freq(a);
    case XY_M_NORMAL_QUANTILE: return xy_math_normal_quantile(a);
    case XY_M_NORMAL_QUANTILE2:
        return a <= 0 ? -INFINITY : a >= 1 ? INFINITY : xy_math_normal_quantile(a);
    case XY_M_INC_GAMMA: return xy_math_inc_gamma(a, b, 0);
    case XY_M_INC_GAMMA_C: return xy_math_inc_gamma(a, b, 1);
    case XY_M_INC_GAMMA_INVERSE: return xy_math_inc_gamma_inverse(a, b);
    case XY_M_BETA: return exp(xy_math_lgamma(a) + xy_math_lgamma(b) - xy_math_lgamma(a + b));
    case XY_M_INC_BETA: return xy_math_inc_beta(a, b, c);
    case XY_M_INC_BETA_INVERSE: return xy_math_inc_beta_inverse(a, b, c);
    case XY_M_BETA_CF: return xy_math_beta_cf(a, b, c, 3e-14);
    case XY_M_FACTORIAL: return factorial(xy_math_int(a));
    case XY_M_BINOMIAL: return binomial(xy_math_int(a), xy_math_int(b));
    case XY_M_CHISQUARE_QUANTILE: return xy_math_chisquare_quantile(a, b);
    case XY_M_STUDENT_QUANTILE: return xy_math_student_quantile(a, b, c != 0);
    case XY_M_KOLMOGOROV: return xy_math_kolmogorov(a);
    case XY_M_VOIGT: return xy_math_voigt(a, b, c, d);
    case XY_M_LANDAU: return xy_math_landau(a);
    case XY_M_LANDAU_I: return xy_math_landau_i(a);
    case XY_M_VAVILOV: return xy_math_vavilov(a, b, c, 0);
    case XY_M_VAVILOV_I: return xy_math_vavilov(a, b, c, 1);
    case XY_M_BESSEL_I: return xy_math_bessel_i(xy_math_int(a), b);
    case XY_M_BESSEL_I0: return xy_math_bessel_i(0, a);
    case XY_M_BESSEL_I1: return xy_math_bessel_i(1, a);
    case XY_M_BESSEL_K: return xy_math_bessel_k(xy_math_int(a), b);
    case XY_M_BESSEL_K0: return xy_math_bessel_k(0, a);
    case XY_M_BESSEL_K1: return xy_math_bessel_k(1, a);
    case XY_M_BESSEL_J0: return xy_math_bessel_j(0, a);
    case XY_M_BESSEL_J1: return xy_math_bessel_j(1, a);
    case XY_M_BESSEL_Y0: return xy_math_bessel_y(0, a);
    case XY_M_BESSEL_Y1: return xy_math_bessel_y(1, a);
    case XY_M_STRUVE_H0: return xy_math_struve_h0(a);
    case XY_M_STRUVE_H1: return xy_math_struve_h1(a);
    case XY_M_STRUVE_L0: return xy_math_struve_l(0, a);
    case XY_M_STRUVE_L1: return xy_math_struve_l(1, a);
    case XY_M_DILOG: return xy_math_dilog(a);
    case XY_M_SININT: return xy_math_sinint(a);
    case XY_M_COSINT: return xy_math_cosint(a);
    case XY_M_RANDOM: return even(a, b, c, d);
    default: return NAN;
    }
}
