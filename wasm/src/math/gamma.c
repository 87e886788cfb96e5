/* Gamma and beta functions: complete, incomplete, and the inverses of those. Series and continued
 * fractions as in Abramowitz and Stegun, 6.5.29, 6.5.31 and 26.5.8, which Cephes uses, too. */
#include "functions.h"

#include <float.h>
#include <math.h>
#include <stdbool.h>

enum { MAX_STEPS = 1000000 };

static const double MAX_LOG = 709.782712893383996732; /* of the largest double */
static const double MAX_GAMMA_ARGUMENT = 108.116855767857671821730036754; /* as Cephes has it */

double xy_math_root_gamma(double x) {
    return x <= 0 && x == floor(x) ? INFINITY : tgamma(x);
}

double xy_math_lgamma(double x) {
    return lgamma(x);
}

/* x^a e^-x / gamma(a) */
static double gamma_factor(double a, double x) {
    double power = a * log(x) - x - xy_math_lgamma(a);
    return power < -MAX_LOG ? 0 : exp(power);
}

static double gamma_series(double a, double x) {
    double term = 1, sum = 1;
    for (int i = 1; term / sum > DBL_EPSILON / 2; i++) {
        if (i > MAX_STEPS) return NAN;
        term *= x / (a + i);
        sum += term;
    }
    return sum * gamma_factor(a, x) / a;
}

/* The continued fraction by Lentz's method. */
static double gamma_fraction(double a, double x) {
    double factor = gamma_factor(a, x);
    if (factor == 0) return 0;
    double b = x + 1 - a, c = 1e300, d = 1 / b, result = d;
    for (int i = 1;; i++) {
        if (i > MAX_STEPS) return NAN;
        double numerator = i * (a - i);
        b += 2;
        d = 1 / (numerator * d + b);
        c = b + numerator / c;
        result *= c * d;
        if (!(fabs(c * d - 1) > DBL_EPSILON / 2)) break;
    }
    return result * factor;
}

double xy_math_inc_gamma(double a, double x, int complement) {
    if (a <= 0 || x <= 0) return (a <= 0) == !complement;
    bool upper = complement ? !(x < 1 || x < a) : x > 1 && x > a;
    double part = upper ? gamma_fraction(a, x) : gamma_series(a, x);
    return upper == (complement != 0) ? part : 1 - part;
}

double xy_math_inc_gamma_inverse(double a, double p) {
    if (a <= 0 || p >= 1) return 0;
    if (p <= 0) return INFINITY;
    if (isnan(a) || isnan(p)) return NAN;
    /* Solved for the logarithm of x, and for the smaller of the two tails. */
    bool lower = p > 0.5;
    double wanted = lower ? 1 - p : p, d = 1 / (9 * a);
    double root = 1 - d - xy_math_normal_quantile(p) * sqrt(d);
    double near_zero = (log1p(-p) + xy_math_lgamma(a + 1)) / a;
    double u = root > 0.1 ? log(a * root * root * root) : near_zero, from = -745, to = 710;
    for (int i = 0; i < 200; i++) {
        double x = exp(u), value = xy_math_inc_gamma(a, x, !lower) - wanted;
        if (value == 0) break;
        if ((value > 0) == lower)
            to = u;
        else
            from = u;
        double slope = gamma_factor(a, x), step = lower ? value / slope : -value / slope;
        double next = u - step;
        if (!(next > from && next < to)) next = (from + to) / 2;
        bool done = fabs(next - u) <= DBL_EPSILON * fmax(1, fabs(u)) / 4;
        u = next;
        if (done) break;
    }
    return exp(u);
}

double xy_math_beta_cf(double x, double a, double b, double eps) {
    const double least = 1e-30;
    double c = 1, d = 1 - (a + b) * x / (a + 1);
    d = 1 / (fabs(d) < least ? least : d);
    double result = d;
    for (int m = 1; m <= 500; m++) {
        const double terms[] = {
            m * (b - m) * x / ((a - 1 + 2 * m) * (a + 2 * m)),
            -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 1 + 2 * m)),
        };
        for (int k = 0; k < 2; k++) {
            d = 1 + terms[k] * d;
            d = 1 / (fabs(d) < least ? least : d);
            c = 1 + terms[k] / c;
            if (fabs(c) < least) c = least;
            result *= d * c;
        }
        if (fabs(d * c - 1) <= eps) break;
    }
    return result;
}

/* x^a (1-x)^b / (a beta(a, b)) */
static double beta_factor(double x, double a, double b) {
    double px = a * log(x), py = b * log1p(-x);
    if (a + b < MAX_GAMMA_ARGUMENT && fabs(px) < MAX_LOG && fabs(py) < MAX_LOG)
        return pow(1 - x, b) * pow(x, a) / a * (tgamma(a + b) / (tgamma(a) * tgamma(b)));
    return exp(px + py + xy_math_lgamma(a + b) - xy_math_lgamma(a) - xy_math_lgamma(b)) / a;
}

double xy_math_inc_beta(double x, double a, double b) {
    if (a <= 0 || b <= 0 || x <= 0) return 0;
    if (x >= 1) return 1;
    if (x < (a + 1) / (a + b + 2)) return beta_factor(x, a, b) * xy_math_beta_cf(x, a, b, 1e-16);
    double rest = beta_factor(1 - x, b, a) * xy_math_beta_cf(1 - x, b, a, 1e-16);
    return 1 - (rest <= DBL_EPSILON / 2 ? DBL_EPSILON / 2 : rest);
}

double xy_math_inc_beta_inverse(double p, double a, double b) {
    if (a <= 0 || b <= 0 || p <= 0) return 0;
    if (p >= 1) return 1;
    if (isnan(a) || isnan(b) || isnan(p)) return NAN;
    double x = a / (a + b), from = 0, to = 1;
    double beta = xy_math_lgamma(a + b) - xy_math_lgamma(a) - xy_math_lgamma(b);
    for (int i = 0; i < 1200; i++) {
        double value = xy_math_inc_beta(x, a, b) - p;
        if (value == 0) break;
        if (value > 0)
            to = x;
        else
            from = x;
        double slope = exp((a - 1) * log(x) + (b - 1) * log1p(-x) + beta), next = x - value / slope;
        if (!(next > from && next < to)) next = (from + to) / 2;
        bool done = fabs(next - x) <= DBL_EPSILON * x / 4;
        x = next;
        if (done) break;
    }
    return x;
}
