/* The mathematical functions of xylem-math.wasm, which is loaded when a query calls one of them.
 *
 * Names and arguments are those of TMath and ROOT::Math (MathCore); so are the results outside of a
 * function's domain. Where ROOT uses an approximation of few digits, the same one is used here.
 * What would take more than a million steps is NaN. */
#ifndef XY_MATH_FUNCTIONS_H
#define XY_MATH_FUNCTIONS_H

#include <stddef.h>
#include <stdint.h>

/* Numbered as in web/core/math-ops.ts. */
typedef enum {
    XY_M_LOG2,
    XY_M_LOG1P,
    XY_M_EXPM1,
    XY_M_EXP2,
    XY_M_CBRT,
    XY_M_ACOSH,
    XY_M_ATANH,
    XY_M_ERF,
    XY_M_ERFC,
    XY_M_TGAMMA,
    XY_M_ROOT_GAMMA, /* infinite at its poles */
    XY_M_LGAMMA,
    XY_M_ERF_INVERSE,
    XY_M_FREQ,
    XY_M_NORMAL_QUANTILE,  /* AS 241; 0 outside of (0, 1) */
    XY_M_NORMAL_QUANTILE2, /* infinite outside of (0, 1) */
    XY_M_INC_GAMMA,        /* (a, x) */
    XY_M_INC_GAMMA_C,
    XY_M_INC_GAMMA_INVERSE, /* (a, p): x of which inc_gamma_c(a, x) = p */
    XY_M_BETA,
    XY_M_INC_BETA,         /* (x, a, b) */
    XY_M_INC_BETA_INVERSE, /* (p, a, b) */
    XY_M_BETA_CF,          /* (x, a, b) */
    XY_M_FACTORIAL,
    XY_M_BINOMIAL,
    XY_M_CHISQUARE_QUANTILE, /* (p, ndf) */
    XY_M_STUDENT_QUANTILE,   /* (p, ndf, lower tail) */
    XY_M_KOLMOGOROV,
    XY_M_VOIGT, /* (x, sigma, gamma, digits) */
    XY_M_LANDAU,
    XY_M_LANDAU_I,
    XY_M_VAVILOV, /* (x, kappa, beta squared) */
    XY_M_VAVILOV_I,
    XY_M_BESSEL_I, /* (n, x) */
    XY_M_BESSEL_I0,
    XY_M_BESSEL_I1,
    XY_M_BESSEL_K, /* (n, x) */
    XY_M_BESSEL_K0,
    XY_M_BESSEL_K1,
    XY_M_BESSEL_J0,
    XY_M_BESSEL_J1,
    XY_M_BESSEL_Y0,
    XY_M_BESSEL_Y1,
    XY_M_STRUVE_H0,
    XY_M_STRUVE_H1,
    XY_M_STRUVE_L0,
    XY_M_STRUVE_L1,
    XY_M_DILOG,
    XY_M_SININT,
    XY_M_COSINT,
    XY_M_RANDOM, /* (seed, entry, iteration, place in the query): even over (0, 1) */
    XY_M_END
} xy_math_function;

/* Returns the value of a function. Arguments that it does not have are ignored. An unknown function
 * gives NaN. */
double xy_math(int32_t function, double a, double b, double c, double d);

/* Converts a double to 32 bits as x86 does: a number that does not fit becomes the smallest
 * integer. */
int32_t xy_math_int(double x);
/* Returns c[0] + x (c[1] + x (c[2] + …)), with n coefficients. */
double xy_math_poly(const double *c, size_t n, double x);
/* Computes a sum of Chebyshev polynomials by Clenshaw's recurrence. `last` receives its last two
 * sums. */
void xy_math_chebyshev(const double *c, size_t n, double twice, double last[2]);

double xy_math_root_gamma(double x);
double xy_math_lgamma(double x);
double xy_math_inc_gamma(double a, double x, int complement);
double xy_math_inc_gamma_inverse(double a, double p);
double xy_math_inc_beta(double x, double a, double b);
double xy_math_inc_beta_inverse(double p, double a, double b);
/* Ends as soon as a step changes the result by at most `eps`. */
double xy_math_beta_cf(double x, double a, double b, double eps);

double xy_math_erf_inverse(double x);
double xy_math_freq(double x);
double xy_math_normal_quantile(double p);
double xy_math_chisquare_quantile(double p, double ndf);
double xy_math_student_quantile(double p, double ndf, int lower);
double xy_math_kolmogorov(double z);
double xy_math_voigt(double x, double sigma, double gamma, double digits);

double xy_math_landau(double x);
double xy_math_landau_i(double x);
double xy_math_vavilov(double x, double kappa, double beta2, int integral);

double xy_math_bessel_i(int32_t n, double x);
double xy_math_bessel_k(int32_t n, double x);
double xy_math_bessel_j(int32_t n, double x);
double xy_math_bessel_y(int32_t n, double x);
double xy_math_struve_h0(double x);
double xy_math_struve_h1(double x);
double xy_math_struve_l(int32_t n, double x);

double xy_math_dilog(double x);
double xy_math_sinint(double x);
double xy_math_cosint(double x);

#endif
