/* Arithmetic of TTreeFormula on runs of doubles. Its rules where they differ from C's: division
 * by zero is 0, sqrt(x) is sqrt(|x|), log and log10 of numbers that are not positive are 0, exp
 * is cut off at ±700, asin and acos outside of their domains are 0. Integers are 64 bits wide. */
#include "expr.h"

#include <math.h>

/* As x86 converts: a number that does not fit becomes the smallest integer. */
static int64_t integer(double x) {
    return x >= -0x1p63 && x < 0x1p63 ? (int64_t)x : INT64_MIN;
}

static double modulo(double a, double b) {
    int64_t x = integer(a), y = integer(b);
    if (y == 0) return NAN;
    return y == -1 ? 0 : (double)(x % y);
}

/* Operands of &, |, << and >> are unsigned, as x86 converts them: a negative one is a large one. */
static uint64_t bits(double x) {
    return x >= 0x1p63 ? (uint64_t)integer(x - 0x1p63) ^ (uint64_t)1 << 63 : (uint64_t)integer(x);
}

static double delta_phi(double a, double b) {
    const double pi = 3.14159265358979323846;
    double d = a - b;
    if (!(fabs(d) < 1e9)) return isfinite(d) ? remainder(d, 2 * pi) : NAN;
    while (d >= pi)
        d -= 2 * pi;
    while (d < -pi)
        d += 2 * pi;
    return d;
}

/* TMath::ATan2 */
static double arc(double y, double x) {
    const double quarter = 1.57079632679489661923;
    if (x != 0) return atan2(y, x);
    return y == 0 ? 0 : y > 0 ? quarter : -quarter;
}

static double limited_exp(double x) {
    if (x < -700) return 0;
    return exp(x > 700 ? 700 : x);
}

void xy_binary(int32_t op, double *out, const double *a, const double *b, size_t n) {
#define EACH(value)                                                                                \
    for (size_t i = 0; i < n; i++) {                                                               \
        double x = a[i], y = b[i];                                                                 \
        out[i] = (value);                                                                          \
    }                                                                                              \
    break
    switch (op) {
    case XY_X_ADD: EACH(x + y);
    case XY_X_SUB: EACH(x - y);
    case XY_X_MUL: EACH(x * y);
    case XY_X_DIV: EACH(y == 0 ? 0 : x / y);
    case XY_X_MOD: EACH(modulo(x, y));
    case XY_X_POW: EACH(pow(x, y));
    case XY_X_LT: EACH(x < y ? 1.0 : 0.0);
    case XY_X_LE: EACH(x <= y ? 1.0 : 0.0);
    case XY_X_GT: EACH(x > y ? 1.0 : 0.0);
    case XY_X_GE: EACH(x >= y ? 1.0 : 0.0);
    case XY_X_EQ: EACH(x == y ? 1.0 : 0.0);
    case XY_X_NE: EACH(x != y ? 1.0 : 0.0);
    case XY_X_AND: EACH(((x != 0) & (y != 0)) ? 1.0 : 0.0);
    case XY_X_OR: EACH(((x != 0) | (y != 0)) ? 1.0 : 0.0);
    case XY_X_BIT_AND: EACH((double)(bits(x) & bits(y)));
    case XY_X_BIT_OR: EACH((double)(bits(x) | bits(y)));
    case XY_X_SHIFT_LEFT: EACH((double)(bits(x) << (bits(y) & 63)));
    case XY_X_SHIFT_RIGHT: EACH((double)(bits(x) >> (bits(y) & 63)));
    case XY_X_ATAN2: EACH(arc(x, y));
    case XY_X_FMOD: EACH(fmod(x, y));
    case XY_X_LEAST: EACH(x <= y ? x : y);
    case XY_X_MOST: EACH(x >= y ? x : y);
    case XY_X_HYPOT: EACH(hypot(x, y));
    case XY_X_COPYSIGN: EACH(copysign(x, y));
    case XY_X_DELTA_PHI: EACH(delta_phi(x, y));
    case XY_X_OVER: EACH(x / y);
    case XY_X_C_ATAN2: EACH(atan2(x, y));
    default: break;
    }
#undef EACH
}

void xy_unary(int32_t op, double *out, const double *a, size_t n) {
#define EACH(value)                                                                                \
    for (size_t i = 0; i < n; i++) {                                                               \
        double x = a[i];                                                                           \
        out[i] = (value);                                                                          \
    }                                                                                              \
    break
    switch (op) {
    case XY_X_NEG: EACH(-x);
    case XY_X_NOT: EACH(x != 0 ? 0.0 : 1.0);
    case XY_X_ABS: EACH(fabs(x));
    case XY_X_SQRT: EACH(sqrt(x));
    case XY_X_LOG: EACH(log(x));
    case XY_X_LOG10: EACH(log10(x));
    case XY_X_EXP: EACH(exp(x));
    case XY_X_SIN: EACH(sin(x));
    case XY_X_COS: EACH(cos(x));
    case XY_X_TAN: EACH(tan(x));
    case XY_X_ASIN: EACH(asin(x));
    case XY_X_ACOS: EACH(acos(x));
    case XY_X_ATAN: EACH(atan(x));
    case XY_X_SINH: EACH(sinh(x));
    case XY_X_COSH: EACH(cosh(x));
    case XY_X_TANH: EACH(tanh(x));
    case XY_X_ASINH: EACH(asinh(x));
    case XY_X_FLOOR: EACH(floor(x));
    case XY_X_CEIL: EACH(ceil(x));
    case XY_X_ROUND: EACH(round(x));
    case XY_X_TRUNC: EACH(trunc(x));
    case XY_X_INT: EACH((double)integer(x));
    case XY_X_SIGN: EACH(x < 0 ? -1.0 : 1.0);
    case XY_X_NINT: EACH(rint(x));
    case XY_X_IS_NAN: EACH(isnan(x) ? 1.0 : 0.0);
    case XY_X_R_SQRT: EACH(sqrt(fabs(x)));
    case XY_X_R_LOG: EACH(x > 0 ? log(x) : 0);
    case XY_X_R_LOG10: EACH(x > 0 ? log10(x) : 0);
    case XY_X_R_EXP: EACH(limited_exp(x));
    case XY_X_R_ASIN: EACH(fabs(x) > 1 ? 0 : asin(x));
    case XY_X_R_ACOS: EACH(fabs(x) > 1 ? 0 : acos(x));
    default: break;
    }
#undef EACH
}
