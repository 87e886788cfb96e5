/* Sums of Chebyshev polynomials and series: Struve functions (CERNLIB M342), the dilogarithm
 * (C332), and the sine and cosine integrals (C336). */
#include "functions.h"

#include <math.h>
#include <stdbool.h>

#define COUNT(table) (sizeof(table) / sizeof(table)[0])
#define CHEBYSHEV(table, h) chebyshev(table, COUNT(table), h)

static const double PI = 3.14159265358979323846;

/* A Chebyshev series whose first coefficient is not halved. */
static double chebyshev(const double *c, size_t n, double h) {
    double last[2];
    xy_math_chebyshev(c, n, 2 * h, last);
    return last[0] - h * last[1];
}

double xy_math_struve_h0(double x) {
    static const double near[] = {
        1.00215845609911981, -1.63969292681309147, 1.50236939618292819, -.72485115302121872,
        .18955327371093136,  -.03067052022988,     .00337561447375194,  -2.6965014312602e-4,
        1.637461692612e-5,   -7.8244408508e-7,     3.021593188e-8,      -9.6326645e-10,
        2.579337e-11,        -5.8854e-13,          1.158e-14,           -2e-16};
    static const double far[] = {.99283727576423943,
                                 -.00696891281138625,
                                 1.8205103787037e-4,
                                 -1.063258252844e-5,
                                 9.8198294287e-7,
                                 -1.2250645445e-7,
                                 1.894083312e-8,
                                 -3.44358226e-9,
                                 7.1119102e-10,
                                 -1.6288744e-10,
                                 4.065681e-11,
                                 -1.091505e-11,
                                 3.12005e-12,
                                 -9.4202e-13,
                                 2.9848e-13,
                                 -9.872e-14,
                                 3.394e-14,
                                 -1.208e-14,
                                 4.44e-15,
                                 -1.68e-15,
                                 6.5e-16,
                                 -2.6e-16,
                                 1.1e-16,
                                 -4e-17,
                                 2e-17,
                                 -1e-17};
    double v = fabs(x), h;
    if (v < 8) {
        double y = v / 8;
        h = y * CHEBYSHEV(near, 2 * y * y - 1);
    } else {
        double r = 1 / v;
        h = xy_math_bessel_y(0, v) + r * (2 / PI) * CHEBYSHEV(far, 128 * r * r - 1);
    }
    return x < 0 ? -h : h;
}

double xy_math_struve_h1(double x) {
    static const double near[] = {.5578891446481605,
                                  -.11188325726569816,
                                  -.16337958125200939,
                                  .32256932072405902,
                                  -.14581632367244242,
                                  .03292677399374035,
                                  -.00460372142093573,
                                  4.434706163314e-4,
                                  -3.142099529341e-5,
                                  1.7123719938e-6,
                                  -7.416987005e-8,
                                  2.61837671e-9,
                                  -7.685839e-11,
                                  1.9067e-12,
                                  -4.052e-14,
                                  7.5e-16,
                                  -1e-17};
    static const double far[] = {1.00757647293865641,
                                 .00750316051248257,
                                 -7.043933264519e-5,
                                 2.66205393382e-6,
                                 -1.8841157753e-7,
                                 1.949014958e-8,
                                 -2.6126199e-9,
                                 4.236269e-10,
                                 -7.955156e-11,
                                 1.679973e-11,
                                 -3.9072e-12,
                                 9.8543e-13,
                                 -2.6636e-13,
                                 7.645e-14,
                                 -2.313e-14,
                                 7.33e-15,
                                 -2.42e-15,
                                 8.3e-16,
                                 -3e-16,
                                 1.1e-16,
                                 -4e-17,
                                 2e-17,
                                 -1e-17};
    double v = fabs(x);
    if (v == 0) return 0;
    if (v <= 0.3) {
        double y = v * v, term = 1, sum = 1;
        int terms = (int)(-8 / log10(v));
        for (int i = 1; i <= terms; i++) {
            term = -term * y / ((2 * i + 1) * (2 * i + 3));
            sum += term;
        }
        return 2 / (3 * PI) * y * sum;
    }
    if (v < 8) return CHEBYSHEV(near, v * v / 32 - 1);
    return xy_math_bessel_y(1, v) + 2 / PI * CHEBYSHEV(far, 128 / (v * v) - 1);
}

/* Modified Struve functions: a power series up to 20, beyond it the asymptotic series of I. */
double xy_math_struve_l(int32_t n, double x) {
    double term = 1, sum = n ? 0 : 1;
    if (isnan(x)) return x;
    if (x <= 20) {
        for (int i = 1; i <= 60; i++) {
            double share = x / (2 * i + 1);
            term *= n ? x * x / (4.0 * i * i - 1) : share * share;
            sum += term;
            if (fabs(term) < 1e-12 * fabs(sum)) break;
        }
        return n ? 2 / PI * sum : 2 * x / PI * sum;
    }
    int terms = (n ? x > 50 : x >= 50) ? 25 : n ? (int)(0.5 * x) : (int)(5 * (x + 1));
    sum = 1;
    for (int i = 1; i <= terms; i++) {
        double odd = 2 * i - 1;
        term *= (n ? (odd + 4) * (odd + 2) : odd * odd) / x / x;
        sum += term;
        if (fabs(term / sum) < 1e-12) break;
    }
    double bessel = 1;
    term = 1;
    for (int i = 1; i <= 16; i++) {
        double odd = 2 * i - 1;
        term *= 0.125 * (n ? odd * odd - 4 : odd * odd) / (i * x);
        bessel += term;
        if (fabs(term / bessel) < 1e-12) break;
    }
    bessel *= exp(x) / sqrt(2 * PI * x);
    if (n == 0) return -2 / (PI * x) * sum + bessel;
    return 2 / PI * (-1 + 1 / (x * x) + 3 * sum / (x * x * x * x)) + bessel;
}

double xy_math_dilog(double x) {
    static const double c[] = {
        0.42996693560813697,  0.40975987533077106, -0.01858843665014592, 0.00145751084062268,
        -0.00014304184442340, 0.00001588415541880, -0.00000190784959387, 0.00000024195180854,
        -0.00000003193341274, 0.00000000434545063, -0.00000000060578480, 0.00000000008612098,
        -0.00000000001244332, 0.00000000000182256, -0.00000000000027007, 0.00000000000004042,
        -0.00000000000000610, 0.00000000000000093, -0.00000000000000014, 0.00000000000000002};
    const double third = PI * PI / 3, sixth = PI * PI / 6;
    if (x == 1) return sixth;
    if (x == -1) return -PI * PI / 12;
    double t = -x, y, sign = 1, add = 0;
    if (t <= -2) {
        double one = log(-t), other = log(1 + 1 / t);
        y = -1 / (1 + t);
        add = -third + 0.5 * (one * one - other * other);
    } else if (t < -1) {
        double one = log(-t);
        y = -1 - t;
        sign = -1;
        add = -sixth + one * (one + log(1 + 1 / t));
    } else if (t <= -0.5) {
        double one = log(-t);
        y = -(1 + t) / t;
        add = -sixth + one * (-0.5 * one + log(1 + t));
    } else if (t < 0) {
        double one = log(1 + t);
        y = -t / (1 + t);
        sign = -1;
        add = 0.5 * one * one;
    } else if (t <= 1) {
        y = t;
    } else {
        double one = log(t);
        y = 1 / t;
        sign = -1;
        add = sixth + 0.5 * one * one;
    }
    return -(sign * CHEBYSHEV(c, 2 * y - 1) + add);
}

/* The auxiliary functions of both integrals for |x| > 8, times x and x squared. */
static void auxiliary(double x, double *sine, double *cosine) {
    static const double p[] = {
        +0.96074783975203596, -0.03711389621239806, +0.00194143988899190, -0.00017165988425147,
        +0.00002112637753231, -0.00000327163256712, +0.00000060069211615, -0.00000012586794403,
        +0.00000002932563458, -0.00000000745695921, +0.00000000204105478, -0.00000000059502230,
        +0.00000000018322967, -0.00000000005920506, +0.00000000001996517, -0.00000000000699511,
        +0.00000000000253686, -0.00000000000094929, +0.00000000000036552, -0.00000000000014449,
        +0.00000000000005851, -0.00000000000002423, +0.00000000000001025, -0.00000000000000442,
        +0.00000000000000194, -0.00000000000000087, +0.00000000000000039, -0.00000000000000018,
        +0.00000000000000008};
    static const double q[] = {
        +0.98604065696238260, -0.01347173820829521, +0.00045329284116523, -0.00003067288651655,
        +0.00000313199197601, -0.00000042110196496, +0.00000006907244830, -0.00000001318321290,
        +0.00000000283697433, -0.00000000067329234, +0.00000000017339687, -0.00000000004786939,
        +0.00000000001403235, -0.00000000000433496, +0.00000000000140273, -0.00000000000047306,
        +0.00000000000016558, -0.00000000000005994, +0.00000000000002237, -0.00000000000000859,
        +0.00000000000000338, -0.00000000000000136, +0.00000000000000056, -0.00000000000000024,
        +0.00000000000000010};
    double h = 128 / x / x - 1;
    *sine = CHEBYSHEV(p, h);
    *cosine = CHEBYSHEV(q, h);
}

double xy_math_sinint(double x) {
    static const double s[] = {
        +1.95222097595307108, -0.68840423212571544, +0.45518551322558484, -0.18045712368387785,
        +0.04104221337585924, -0.00595861695558885, +0.00060014274141443, -0.00004447083291075,
        +0.00000253007823075, -0.00000011413075930, +0.00000000418578394, -0.00000000012734706,
        +0.00000000000326736, -0.00000000000007168, +0.00000000000000136, -0.00000000000000002};
    if (fabs(x) <= 8) {
        double y = x / 8, last[2];
        xy_math_chebyshev(s, COUNT(s), 2 * (2 * y * y - 1), last);
        /* The sum of odd polynomials divided by y. */
        return y * (last[0] - last[1]);
    }
    double p, q, r = 1 / x;
    auxiliary(x, &p, &q);
    return (x > 0 ? PI / 2 : -PI / 2) - r * (r * p * sin(x) + q * cos(x));
}

double xy_math_cosint(double x) {
    static const double c[] = {
        +1.94054914648355493, +0.94134091328652134, -0.57984503429299276, +0.30915720111592713,
        -0.09161017922077134, +0.01644374075154625, -0.00197130919521641, +0.00016925388508350,
        -0.00001093932957311, +0.00000055223857484, -0.00000002239949331, +0.00000000074653325,
        -0.00000000002081833, +0.00000000000049312, -0.00000000000001005, +0.00000000000000018};
    if (x == 0) return -INFINITY;
    if (fabs(x) <= 8) return 0.57721566490153286 + log(fabs(x)) - CHEBYSHEV(c, x * x / 32 - 1);
    double p, q, r = 1 / x;
    auxiliary(x, &p, &q);
    return r * (q * sin(x) - r * p * cos(x));
}
