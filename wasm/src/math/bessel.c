/* Bessel functions of integer order, by the polynomials of TMath: those of Abramowitz and
 * Stegun 9.8 for I and K, and rational ones for J and Y. They have seven to eight digits. */
#include "functions.h"

#include <math.h>
#include <stdbool.h>

static double bessel_i01(int32_t n, double x) {
    static const double near[2][7] = {
        {1.0, 3.5156229, 3.0899424, 1.2067492, 0.2659732, 3.60768e-2, 4.5813e-3},
        {0.5, 0.87890594, 0.51498869, 0.15084934, 2.658733e-2, 3.01532e-3, 3.2411e-4}};
    static const double far[2][9] = {{0.39894228, 1.328592e-2, 2.25319e-3, -1.57565e-3, 9.16281e-3,
                                      -2.057706e-2, 2.635537e-2, -1.647633e-2, 3.92377e-3},
                                     {0.39894228, -3.988024e-2, -3.62018e-3, 1.63801e-3,
                                      -1.031555e-2, 2.282967e-2, -2.895312e-2, 1.787654e-2,
                                      -4.20059e-3}};
    double amount = fabs(x), scaled = x / 3.75;
    if (amount < 3.75) return (n ? x : 1) * xy_math_poly(near[n], 7, scaled * scaled);
    double value = exp(amount) / sqrt(amount) * xy_math_poly(far[n], 9, 3.75 / amount);
    return n && x < 0 ? -value : value;
}

static double bessel_k01(int32_t n, double x) {
    static const double near[2][7] = {
        {-0.57721566, 0.42278420, 0.23069756, 3.488590e-2, 2.62698e-3, 1.0750e-4, 7.4e-6},
        {1., 0.15443144, -0.67278579, -0.18156897, -1.919402e-2, -1.10404e-3, -4.686e-5}};
    static const double far[2][7] = {
        {1.25331414, -7.832358e-2, 2.189568e-2, -1.062446e-2, 5.87872e-3, -2.51540e-3, 5.3208e-4},
        {1.25331414, 0.23498619, -3.655620e-2, 1.504268e-2, -7.80353e-3, 3.25614e-3, -6.8245e-4}};
    if (x > 2 || isnan(x)) return exp(-x) / sqrt(x) * xy_math_poly(far[n], 7, 2 / x);
    double sum = xy_math_poly(near[n], 7, x * x / 4), i = log(x / 2) * bessel_i01(n, x);
    return n ? i + 1 / x * sum : -i + sum;
}

/* Upward recurrence. */
double xy_math_bessel_k(int32_t n, double x) {
    if (x <= 0 || n < 0) return 0;
    double before = bessel_k01(0, x), value = bessel_k01(1, x);
    if (n == 0) return before;
    for (int32_t j = 1; j < n && isfinite(value) && value != 0; j++) {
        double next = before + j * (2 / x) * value;
        before = value;
        value = next;
    }
    return value;
}

/* Downward recurrence, scaled by I0 at its end. */
double xy_math_bessel_i(int32_t n, double x) {
    if (n < 0) return 0;
    if (n < 2) return bessel_i01(n, x);
    if (x == 0 || fabs(x) > 1e10) return 0;
    if (n > 100000) return NAN;
    double twice = 2 / fabs(x), after = 0, at = 1, wanted = 0;
    for (int32_t j = 2 * (n + (int32_t)sqrtf(40.0f * (float)n)); j >= 1; j--) {
        double before = after + j * twice * at;
        after = at;
        at = before;
        if (fabs(at) > 1e10) {
            wanted *= 1e-10;
            at *= 1e-10;
            after *= 1e-10;
        }
        if (j == n) wanted = after;
    }
    wanted *= bessel_i01(0, x) / at;
    return x < 0 && n % 2 ? -wanted : wanted;
}

/* Coefficients of the expansions for x >= 8, which J and Y of one order share: by n; the cosine of
 * J comes first. */
static const double wave[2][2][5] = {
    {{1, -0.1098628627e-2, 0.2734510407e-4, -0.2073370639e-5, 0.2093887211e-6},
     {-0.1562499995e-1, 0.1430488765e-3, -0.6911147651e-5, 0.7621095161e-6, -0.934935152e-7}},
    {{1, 0.183105e-2, -0.3516396496e-4, 0.2457520174e-5, -0.240337019e-6},
     {0.04687499995, -0.2002690873e-3, 0.8449199096e-5, -0.88228987e-6, 0.105787412e-6}}};
static const double phase[2] = {0.785398164, 2.356194491};
static const double two_by_pi = 0.636619772;

double xy_math_bessel_j(int32_t n, double x) {
    static const double above[2][6] = {
        {57568490574.0, -13362590354.0, 651619640.7, -11214424.18, 77392.33017, -184.9052456},
        {72362614232.0, -7895059235.0, 242396853.1, -2972611.439, 15704.48260, -30.16036606}};
    static const double below[2][6] = {
        {57568490411.0, 1029532985.0, 9494680.718, 59272.64853, 267.8532712, 1},
        {144725228442.0, 2300535178.0, 18583304.74, 99447.43394, 376.9991397, 1}};
    double amount = fabs(x), y = x * x;
    if (amount < 8)
        return (n ? x : 1) * xy_math_poly(above[n], 6, y) / xy_math_poly(below[n], 6, y);
    double z = 8 / amount, angle = amount - phase[n];
    double value = sqrt(two_by_pi / amount) * (cos(angle) * xy_math_poly(wave[n][0], 5, z * z) -
                                               z * sin(angle) * xy_math_poly(wave[n][1], 5, z * z));
    return n && x < 0 ? -value : value;
}

double xy_math_bessel_y(int32_t n, double x) {
    static const double above[2][6] = {
        {-2957821389., 7062834065.0, -512359803.6, 10879881.29, -86327.92757, 228.4622733},
        {-0.4900604943e13, 0.1275274390e13, -0.5153438139e11, 0.7349264551e9, -0.4237922726e7,
         0.8511937935e4}};
    static const double below[2][7] = {
        {40076544269., 745249964.8, 7189466.438, 47447.26470, 226.1030244, 1},
        {0.2499580570e14, 0.4244419664e12, 0.3733650367e10, 0.2245904002e8, 0.1020426050e6,
         0.3549632885e3, 1}};
    if (x < 8) {
        double y = x * x, ratio = xy_math_poly(above[n], 6, y) / xy_math_poly(below[n], 7, y);
        double j = xy_math_bessel_j(n, x) * log(x);
        return n ? x * ratio + two_by_pi * (j - 1 / x) : ratio + two_by_pi * j;
    }
    double z = 8 / x, angle = x - phase[n], y = z * z, second = xy_math_poly(wave[n][1], 5, y);
    /* The last coefficient of Y0 has one digit other than that of J0. */
    if (n == 0) second += (-0.934945152e-7 + 0.934935152e-7) * y * y * y * y;
    return sqrt(two_by_pi / x) *
           (sin(angle) * xy_math_poly(wave[n][0], 5, y) + z * cos(angle) * second);
}
