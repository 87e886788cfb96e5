/* The Landau distribution (CERNLIB G110: DENLAN and DISLAN, Koelbig and Schorr, Computer Physics
 * Communications 31, 1984) and Voigt's profile (Humlicek's regions as Wells has them, JQSRT 62,
 * 1999). */
#include "functions.h"

#include <math.h>
#include <stdbool.h>

typedef const double ratio[2][5];

static double divide(ratio r, size_t n, double x) {
    return xy_math_poly(r[0], n, x) / xy_math_poly(r[1], n, x);
}

double xy_math_landau(double v) {
    static ratio near[] = {
        {{0.4259894875, -0.1249762550, 0.03984243700, -0.006298287635, 0.001511162253},
         {1.0, -0.3388260629, 0.09594393323, -0.01608042283, 0.003778942063}},
        {{0.1788541609, 0.1173957403, 0.01488850518, -0.001394989411, 0.0001283617211},
         {1.0, 0.7428795082, 0.3153932961, 0.06694219548, 0.008790609714}},
        {{0.1788544503, 0.09359161662, 0.006325387654, 0.00006611667319, -0.000002031049101},
         {1.0, 0.6097809921, 0.2560616665, 0.04746722384, 0.006957301675}}};
    static ratio far[] = {{{0.9874054407, 118.6723273, 849.2794360, -743.7792444, 427.0262186},
                           {1.0, 106.8615961, 337.6496214, 2016.712389, 1597.063511}},
                          {{1.003675074, 167.5702434, 4789.711289, 21217.86767, -22324.94910},
                           {1.0, 156.9424537, 3745.310488, 9834.698876, 66924.28357}},
                          {{1.000827619, 664.9143136, 62972.92665, 475554.6998, -5743609.109},
                           {1.0, 651.4101098, 56974.73333, 165917.4725, -2815759.939}}};
    static const double low[] = {1, 0.04166666667, -0.01996527778, 0.02709538966};
    static const double high[] = {1, -1.845568670, -4.284640743};
    if (v < -5.5) {
        double u = exp(v + 1);
        if (u < 1e-10) return 0;
        return 0.3989422803 * (exp(-1 / u) / sqrt(u)) * xy_math_poly(low, 4, u);
    }
    if (v < -1) {
        double u = exp(-v - 1);
        return exp(-u) * sqrt(u) * divide(near[0], 5, v);
    }
    if (v < 5) return divide(near[v < 1 ? 1 : 2], 5, v);
    double u = 1 / v;
    if (v < 300) return u * u * divide(far[v < 12 ? 0 : v < 50 ? 1 : 2], 5, u);
    u = 1 / (v - v * log(v) / (v + 1));
    return u * u * xy_math_poly(high, 3, u);
}

double xy_math_landau_i(double v) {
    static ratio first = {
        {0.2514091491, -0.6250580444e-1, 0.1458381230e-1, -0.2108817737e-2, 0.7411247290e-3},
        {1.0, -0.5571175625e-2, 0.6225310236e-1, -0.3137378427e-2, 0.1931496439e-2}};
    static ratio near[] = {{{0.2868328584, 0.3564363231, 0.1523518695, 0.2251304883e-1},
                            {1.0, 0.6191136137, 0.1720721448, 0.2278594771e-1}},
                           {{0.2868329066, 0.3003828436, 0.9950951941e-1, 0.8733827185e-2},
                            {1.0, 0.4237190502, 0.1095631512, 0.8693851567e-2}}};
    static ratio far[] = {{{0.1000351630e+1, 0.4503592498e+1, 0.1085883880e+2, 0.7536052269e+1},
                           {1.0, 0.5539969678e+1, 0.1933581111e+2, 0.2721321508e+2}},
                          {{0.1000006517e+1, 0.4909414111e+2, 0.8505544753e+2, 0.1532153455e+3},
                           {1.0, 0.5009928881e+2, 0.1399819104e+3, 0.4200002909e+3}},
                          {{0.1000000983e+1, 0.1329868456e+3, 0.9162149244e+3, -0.9605054274e+3},
                           {1.0, 0.1339887843e+3, 0.1055990413e+4, 0.5532224619e+3}}};
    static const double low[] = {1, -0.4583333333, 0.6675347222, -0.1641741416e+1};
    static const double high[] = {1.0, -0.4227843351, -0.2043403138e+1};
    if (v < -5.5) {
        double u = exp(v + 1);
        return 0.3989422803 * exp(-1 / u) * sqrt(u) * xy_math_poly(low, 4, u);
    }
    if (v < -1) {
        double u = exp(-v - 1);
        return exp(-u) / sqrt(u) * divide(first, 5, v);
    }
    if (v < 4) return divide(near[v < 1 ? 0 : 1], 4, v);
    if (v < 300) return divide(far[v < 12 ? 0 : v < 50 ? 1 : 2], 4, 1 / v);
    double u = 1 / (v - v * log(v) / (v + 1));
    return 1 - xy_math_poly(high, 3, u) * u;
}

/* Region 3 of W4: numerator and denominator in x squared, with coefficients in y. */
static double voigt_w4(double y, double xq) {
    static const double above[5][10] = {
        {153.5168, 549.3954, 919.4955, 946.8970, 662.8097, 328.2151, 115.3772, 27.93941, 4.264678,
         0.3183291},
        {-34.16955, -1.322256, 124.5975, 189.7730, 139.4665, 56.81652, 12.79458, 1.2733163},
        {2.584042, 10.46332, 24.01655, 29.81482, 12.79568, 1.9099744},
        {-0.07272979, 0.9377051, 4.266322, 1.273316},
        {0.0005480304, 0.3183291}};
    static const double below[5][11] = {
        {272.1014, 1280.829, 2802.870, 3764.966, 3447.629, 2256.981, 1074.409, 369.1989, 88.26741,
         13.39880, 1},
        {211.678, 902.3066, 1758.336, 2037.310, 1549.675, 793.4273, 266.2987, 53.59518, 5},
        {78.86585, 308.1852, 497.3014, 479.2576, 269.2916, 80.39278, 10},
        {22.03523, 55.02933, 92.75679, 53.59518, 10},
        {1.496460, 13.39880, 5}};
    double p[5], z[6];
    for (int i = 0; i < 5; i++) {
        p[i] = xy_math_poly(above[i], 10, y);
        z[i] = xy_math_poly(below[i], 11, y);
    }
    z[5] = 1;
    return 1.7724538 / xy_math_poly(z, 6, xq) * xy_math_poly(p, 5, xq);
}

/* CPF12: six terms around the centre; `far` is its second region. */
static double voigt_cpf12(double x, double y, bool far) {
    static const double c[] = {1.0117281,   -0.75197147,    0.012557727,
                               0.010022008, -0.00024206814, 0.00000050084806};
    static const double s[] = {1.393237,     0.23115241,     -0.15535147,
                               0.0062183662, 0.000091908299, -0.00000062752596};
    static const double t[] = {0.31424038, 0.94778839, 1.5976826, 2.2795071, 3.0206370, 3.8897249};
    double y1 = y + 1.5, sum = 0;
    for (int j = 0; j < 6; j++) {
        double less = x - t[j], more = x + t[j];
        double mq = less * less, pq = more * more;
        double mf = 1 / (mq + y1 * y1), pf = 1 / (pq + y1 * y1);
        if (!far) {
            sum += c[j] * (mf * y1 + pf * y1) - s[j] * (mf * less - pf * more);
            continue;
        }
        sum += (c[j] * (mq * mf - 1.5 * mf * y1) + s[j] * (y + 3) * mf * less) / (mq + 2.25) +
               (c[j] * (pq * pf - 1.5 * pf * y1) - s[j] * (y + 3) * pf * more) / (pq + 2.25);
    }
    return far ? y * sum + exp(-x * x) : sum;
}

double xy_math_voigt(double xx, double sigma, double gamma, double digits) {
    const double root_pi = 0.56418958; /* 1 / sqrt(pi) */
    if (sigma < 0 || gamma < 0 || (sigma == 0 && gamma == 0)) return 0;
    if (sigma == 0) return gamma * 0.159154943 / (xx * xx + gamma * gamma / 4);
    if (gamma == 0) return 0.39894228 / sigma * exp(-xx * xx / (2 * sigma * sigma));
    double x = xx / sigma / 1.41421356, y = gamma / 2 / sigma / 1.41421356;
    int32_t r = xy_math_int(digits);
    r = r < 2 ? 2 : r > 5 ? 5 : r;
    double limit0 = 1.51 * exp(1.144 * r) - y, limit1 = 1.60 * exp(0.554 * r) - y;
    double limit2 = 6.8 - y, amount = fabs(x), xq = x * x, yq = y * y, k;
    if (y <= 1e-6) limit1 = limit2 = limit0;
    if (amount > limit0) {
        k = y * root_pi / (xq + yq);
    } else if (amount > limit1) {
        double a = yq + 0.5;
        k = root_pi / (a * a + xq * (yq + yq - 1 + xq)) * y * (a + xq);
    } else if (amount > limit2) {
        double h6 = -6 + yq * 4;
        const double h[] = {0.5625 + yq * (4.5 + yq * (10.5 + yq * (6 + yq))),
                            -4.5 + yq * (9 + yq * (6 + yq * 4)), 10.5 - yq * (6 - yq * 6), h6, 1};
        const double e[] = {1.875 + yq * (8.25 + yq * (5.5 + yq)), 5.25 + yq * (1 + yq * 3),
                            0.75 * h6, 1};
        k = root_pi / xy_math_poly(h, 5, xq) * y * xy_math_poly(e, 4, xq);
    } else if (amount < 3.097 * y - 0.45) {
        k = voigt_w4(y, xq);
    } else {
        k = voigt_cpf12(x, y, amount > 18.1 * y + 1.65);
    }
    return k / 2.506628 / sigma;
}
