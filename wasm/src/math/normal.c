/* The normal distribution and distributions that are computed by way of it. */
#include "functions.h"

#include <math.h>
#include <stdbool.h>

static const double PI = 3.14159265358979323846;
static const double LOG_2 = 0.6931471806; /* as AS 91 has it */

/* Secant steps, as TMath::ErfInverse. */
double xy_math_erf_inverse(double x) {
    const double eps = 1e-14, half_sqrt_pi = 0.8862269254527579;
    double wanted = fabs(x);
    if (wanted <= eps) return half_sqrt_pi * x;
    if (!(wanted < 1)) return 0;
    double at = half_sqrt_pi * wanted, step = 0.1 * at, before = erf(0.9 * at);
    for (int i = 0; i < 50; i++) {
        double value = 1 - erfc(at), missing = wanted - value;
        if (fabs(missing) < eps) return copysign(at, x);
        step *= missing / (value - before);
        before = value;
        at += step;
        if (fabs(step / at) < eps) return copysign(at, x);
    }
    return 0;
}

double xy_math_freq(double x) {
    if (isnan(x)) return x;
    return 0.5 * erfc(-x / 1.41421356237309504880);
}

/* 0 outside of (0, 1). Algorithm AS 241 (Wichura, Applied Statistics 37, 1988): three rational
 * functions. */
double xy_math_normal_quantile(double p) {
    static const double centre[2][8] = {
        {3.3871328727963666080e0, 1.3314166789178437745e+2, 1.9715909503065514427e+3,
         1.3731693765509461125e+4, 4.5921953931549871457e+4, 6.7265770927008700853e+4,
         3.3430575583588128105e+4, 2.5090809287301226727e+3},
        {1, 4.2313330701600911252e+1, 6.8718700749205790830e+2, 5.3941960214247511077e+3,
         2.1213794301586595867e+4, 3.9307895800092710610e+4, 2.8729085735721942674e+4,
         5.2264952788528545610e+3}};
    static const double side[2][8] = {
        {1.42343711074968357734e0, 4.63033784615654529590e0, 5.76949722146069140550e0,
         3.64784832476320460504e0, 1.27045825245236838258e0, 2.41780725177450611770e-1,
         2.27238449892691845833e-2, 7.74545014278341407640e-4},
        {1, 2.05319162663775882187e0, 1.67638483018380384940e0, 6.89767334985100004550e-1,
         1.48103976427480074590e-1, 1.51986665636164571966e-2, 5.47593808499534494600e-4,
         1.05075007164441684324e-9}};
    static const double tail[2][8] = {
        {6.65790464350110377720e0, 5.46378491116411436990e0, 1.78482653991729133580e0,
         2.96560571828504891230e-1, 2.65321895265761230930e-2, 1.24266094738807843860e-3,
         2.71155556874348757815e-5, 2.01033439929228813265e-7},
        {1, 5.99832206555887937690e-1, 1.36929880922735805310e-1, 1.48753612908506148525e-2,
         7.86869131145613259100e-4, 1.84631831751005468180e-5, 1.42151175831644588870e-7,
         2.04426310338993978564e-15}};
    if (p <= 0 || p >= 1) return 0;
    double q = p - 0.5;
    if (fabs(q) < 0.425) {
        double r = 0.180625 - q * q;
        return q * xy_math_poly(centre[0], 8, r) / xy_math_poly(centre[1], 8, r);
    }
    double r = sqrt(-log(q < 0 ? p : 1 - p));
    bool near = r <= 5;
    r -= near ? 1.6 : 5;
    const double(*table)[8] = near ? side : tail;
    double value = xy_math_poly(table[0], 8, r) / xy_math_poly(table[1], 8, r);
    return q < 0 ? -value : value;
}

/* Where algorithm AS 91 (Best and Roberts, Applied Statistics 24, 1975) begins. */
static double chisquare_start(double p, double ndf, double lgamma_half) {
    double half = 0.5 * ndf, less = half - 1;
    if (!(ndf >= log(p) * -1.24)) return pow(p * half * exp(lgamma_half + half * LOG_2), 1 / half);
    if (ndf > 0.32) {
        double share = 0.222222 / ndf;
        double ch = ndf * pow(xy_math_normal_quantile(p) * sqrt(share) + 1 - share, 3);
        if (!(ch > 2.2 * ndf + 6)) return ch;
        return -2 * (log(1 - p) - less * log(0.5 * ch) + lgamma_half);
    }
    double ch = 0.4, before, tail = log(1 - p);
    int steps = 0;
    do {
        before = ch;
        double p1 = 1 + ch * (4.67 + ch), p2 = ch * (6.73 + ch * (6.66 + ch));
        double t = -0.5 + (4.67 + 2 * ch) / p1 - (6.73 + ch * (13.32 + 3 * ch)) / p2;
        ch -= (1 - exp(tail + lgamma_half + 0.5 * ch + less * LOG_2) * p2 / p1) / t;
    } while (fabs(before / ch - 1) > 0.01 && ++steps < 1000);
    return ch;
}

/* AS 91 with terms of a Taylor series; like TMath it ends after the first step that is large. */
double xy_math_chisquare_quantile(double p, double ndf) {
    const double e = 5e-7;
    if (ndf <= 0) return 0;
    double half = 0.5 * ndf, less = half - 1, g = xy_math_lgamma(half);
    double ch = chisquare_start(p, ndf, g);
    if (!(ndf >= log(p) * -1.24) && ch < e) return ch;
    for (int i = 0; i < 20; i++) {
        double before = ch, p1 = 0.5 * ch, p2 = p - xy_math_inc_gamma(half, p1, 0);
        double t = p2 * exp(half * LOG_2 + g + p1 - less * log(ch)), b = t / ch;
        double a = 0.5 * t - b * less;
        double s1 = (210 + a * (140 + a * (105 + a * (84 + a * (70 + 60 * a))))) / 420;
        double s2 = (420 + a * (735 + a * (966 + a * (1141 + 1278 * a)))) / 2520;
        double s3 = (210 + a * (462 + a * (707 + 932 * a))) / 2520;
        double s4 = (252 + a * (672 + 1182 * a) + less * (294 + a * (889 + 1740 * a))) / 5040;
        double s5 = (84 + 264 * a + less * (175 + 606 * a)) / 2520;
        double s6 = (120 + less * (346 + 127 * less)) / 5040;
        ch += t * (1 + 0.5 * t * s1 -
                   b * less * (s1 - b * (s2 - b * (s3 - b * (s4 - b * (s5 - b * s6))))));
        if (fabs(before / ch - 1) > e) break;
    }
    return ch;
}

/* The asymptotic expansion of algorithm 396 (Hill, Communications of the ACM 13, 1970). */
static double student_expansion(double q, double ndf) {
    double a = 1 / (ndf - 0.5), b = 48 / (a * a);
    double c = ((20700 * a / b - 98) * a - 16) * a + 96.36;
    double d = ((94.5 / (b + c) - 3) / b + 1) * sqrt(a * PI / 2) * ndf;
    double x = q * d, y = pow(x, 2 / ndf);
    if (y > 0.05 + a) {
        x = xy_math_normal_quantile(q * 0.5);
        y = x * x;
        if (ndf < 5) c += 0.3 * (ndf - 4.5) * (x + 0.6);
        c += (((0.05 * d * x - 5) * x - 7) * x - 2) * x + b;
        y = (((((0.4 * y + 6.3) * y + 36) * y + 94.5) / c - y - 3) / b + 1) * x;
        y = a * y * y;
        y = y > 0.002 ? exp(y) - 1 : y + 0.5 * y * y;
    } else {
        double sum = 1 / (((ndf + 6) / (ndf * y) - 0.089 * d - 0.822) * (ndf + 2) * 3);
        y = ((sum + 0.5 / (ndf + 4)) * y - 1) * (ndf + 1) / (ndf + 2) + 1 / y;
    }
    return sqrt(ndf * y);
}

double xy_math_student_quantile(double p, double ndf, int lower) {
    if (ndf < 1 || p >= 1 || p <= 0) return 0;
    bool positive = lower ? p > 0.5 : p < 0.5;
    double q = 2 * ((lower != 0) == positive ? 1 - p : p), value;
    if (ndf - 1 < 1e-8)
        value = cos(PI / 2 * q) / sin(PI / 2 * q);
    else if (ndf - 2 < 1e-8)
        value = sqrt(2 / (q * (2 - q)) - 2);
    else
        value = student_expansion(q, ndf);
    return positive ? value : -value;
}

/* CERNLIB's PROBKL: a theta function on one side of 0.755, its sum on the other. */
double xy_math_kolmogorov(double z) {
    const double c = -1.2337005501361697; /* -pi squared / 8 */
    double u = fabs(z);
    if (u < 0.2) return 1;
    if (u < 0.755) {
        double v = 1 / (u * u);
        double sum = exp(c * v) + exp(-11.103304951225528 * v) + exp(-30.842513753404244 * v);
        return 1 - 2.50662827 * sum / u;
    }
    if (!(u < 6.8116)) return 0;
    double terms = rint(3 / u), sum = 0;
    for (int j = 1; j == 1 || j <= terms; j++)
        sum += (j % 2 ? 1 : -1) * exp(-2 * j * j * u * u);
    return 2 * sum;
}
