/* The Vavilov distribution (CERNLIB G115, VAVDEN: Rotondi and Montagna, Nuclear Instruments and
 * Methods B47, 1990): an Edgeworth series for a large kappa, and sums of exponentials with fitted
 * parameters. */
#include "functions.h"

#include <math.h>
#include <stdbool.h>

enum { TERMS = 13 };

/* Products of Chebyshev polynomials of kappa (x) and beta (y), in the order of the tables. */
static void terms_of(double x, double y, double out[TERMS]) {
    double x2 = 2 * x * x - 1, x3 = 2 * x * x2 - x, y2 = 2 * y * y - 1, y3 = 2 * y * y2 - y;
    const double terms[TERMS] = {1,     x,      x2,     x3,     y,      y2,     y3,
                                 x * y, x2 * y, x3 * y, y2 * x, y3 * x, x2 * y2};
    for (int i = 0; i < TERMS; i++)
        out[i] = terms[i];
}

static const double u[8][TERMS] = {
    {0.25850868e+0, 0.32477982e-1, -0.59020496e-2, 0, 0.24880692e-1, 0.47404356e-2, -0.74445130e-3,
     0.73225731e-2, 0, 0.11668284e-2, 0, -0.15727318e-2, -0.11210142e-2},
    {0.43142611e+0, 0.40797543e-1, -0.91490215e-2, 0, 0.42127077e-1, 0.73167928e-2, -0.14026047e-2,
     0.16195241e-1, 0.24714789e-2, 0.20751278e-2, 0, -0.25141668e-2, -0.14064022e-2},
    {0.25225955e+0, 0.64820468e-1, -0.23615759e-1, 0, 0.23834176e-1, 0.21624675e-2, -0.26865597e-2,
     -0.54891384e-2, 0.39800522e-2, 0.48447456e-2, -0.89439554e-2, -0.62756944e-2, -0.24655436e-2},
    {0.12593231e+1, -0.20374501e+0, 0.95055662e-1, -0.20771531e-1, -0.46865180e-1, -0.77222986e-2,
     0.32241039e-2, 0.89882920e-2, -0.67167236e-2, -0.13049241e-1, 0.18786468e-1, 0.14484097e-1},
    {-0.24864376e-1, -0.10368495e-2, 0.14330117e-2, 0.20052730e-3, 0.18751903e-2, 0.12668869e-2,
     0.48736023e-3, 0.34850854e-2, 0, -0.36597173e-3, 0.19372124e-2, 0.70761825e-3, 0.46898375e-3},
    {0.35855696e-1, -0.27542114e-1, 0.12631023e-1, -0.30188807e-2, -0.84479939e-3, 0, 0.45675843e-3,
     -0.69836141e-2, 0.39876546e-2, -0.36055679e-2, 0, 0.15298434e-2, 0.19247256e-2},
    {0.10234691e+2, -0.35619655e+1, 0.69387764e+0, -0.14047599e+0, -0.19952390e+1, -0.45679694e+0,
     0, 0.50505298e+0},
    {0.21487518e+2, -0.11825253e+2, 0.43133087e+1, -0.14500543e+1, -0.34343169e+1, -0.11063164e+1,
     -0.21000819e+0, 0.17891643e+1, -0.89601916e+0, 0.39120793e+0, 0.73410606e+0, 0,
     -0.32454506e+0}};

static const double v[8][TERMS] = {
    {0.27827257e+0, -0.14227603e-2, 0.24848327e-2, 0, 0.45091424e-1, 0.80559636e-2, -0.38974523e-2,
     0, -0.30634124e-2, 0.75633702e-3, 0.54730726e-2, 0.19792507e-2},
    {0.41421789e+0, -0.30061649e-1, 0.52249697e-2, 0, 0.12693873e+0, 0.22999801e-1, -0.86792801e-2,
     0.31875584e-1, -0.61757928e-2, 0, 0.19716857e-1, 0.32596742e-2},
    {0.20191056e+0, -0.46831422e-1, 0.96777473e-2, -0.17995317e-2, 0.53921588e-1, 0.35068740e-2,
     -0.12621494e-1, -0.54996531e-2, -0.90029985e-2, 0.34958743e-2, 0.18513506e-1, 0.68332334e-2,
     -0.12940502e-2},
    {0.13206081e+1, 0.10036618e+0, -0.22015201e-1, 0.61667091e-2, -0.14986093e+0, -0.12720568e-1,
     0.24972042e-1, -0.97751962e-2, 0.26087455e-1, -0.11399062e-1, -0.48282515e-1, -0.98552378e-2},
    {0.16435243e-1, 0.36051400e-1, 0.23036520e-2, -0.61666343e-3, -0.10775802e-1, 0.51476061e-2,
     0.56856517e-2, -0.13438433e-1, 0, 0, -0.25421507e-2, 0.20169108e-2, -0.15144931e-2},
    {0.33432405e-1, 0.60583916e-2, -0.23381379e-2, 0.83846081e-3, -0.13346861e-1, -0.17402116e-2,
     0.21052496e-2, 0.15528195e-2, 0.21900670e-2, -0.13202847e-2, -0.45124157e-2, -0.15629454e-2,
     0.22499176e-3},
    {0.54529572e+1, -0.90906096e+0, 0.86122438e-1, 0, -0.12218009e+1, -0.32324120e+0,
     -0.27373591e-1, 0.12173464e+0, 0, 0, 0.40917471e-1},
    {0.93841352e+1, -0.16276904e+1, 0.16571423e+0, 0, -0.18160479e+1, -0.50919193e+0,
     -0.51384654e-1, 0.21413992e+0, 0, 0, 0.66596366e-1}};

static const double w[8][TERMS] = {
    {0.29712951e+0, 0.97572934e-2, 0, -0.15291686e-2, 0.35707399e-1, 0.96221631e-2, -0.18402821e-2,
     -0.49821585e-2, 0.18831112e-2, 0.43541673e-2, 0.20301312e-2, -0.18723311e-2, -0.73403108e-3},
    {0.40882635e+0, 0.14474912e-1, 0.25023704e-2, -0.37707379e-2, 0.18719727e+0, 0.56954987e-1, 0,
     0.23020158e-1, 0.50574313e-2, 0.94550140e-2, 0.19300232e-1},
    {0.16861629e+0, 0, 0.36317285e-2, -0.43657818e-2, 0.30144338e-1, 0.13891826e-1, -0.58030495e-2,
     -0.38717547e-2, 0.85359607e-2, 0.14507659e-1, 0.82387775e-2, -0.10116105e-1, -0.55135670e-2},
    {0.13493891e+1, -0.26863185e-2, -0.35216040e-2, 0.24434909e-1, -0.83447911e-1, -0.48061360e-1,
     0.76473951e-2, 0.24494430e-1, -0.16209200e-1, -0.37768479e-1, -0.47890063e-1, 0.17778596e-1,
     0.13179324e-1},
    {0.10264945e+0, 0.32738857e-1, 0, 0.43608779e-2, -0.43097757e-1, -0.22647176e-2, 0.94531290e-2,
     -0.12442571e-1, -0.32283517e-2, -0.75640352e-2, -0.88293329e-2, 0.52537299e-2, 0.13340546e-2},
    {0.29568177e-1, -0.16300060e-2, -0.21119745e-3, 0.23599053e-2, -0.48515387e-2, -0.40797531e-2,
     0.40403265e-3, 0.18200105e-2, -0.14346306e-2, -0.39165276e-2, -0.37432073e-2, 0.19950380e-2,
     0.12222675e-2},
    {0},
    {0.66184645e+1, -0.73866379e+0, 0.44693973e-1, 0, -0.14540925e+1, -0.39529833e+0,
     -0.44293243e-1, 0.88741049e-1}};

typedef enum { EDGEWORTH, EXPONENTIAL, WITH_TAIL, LANDAU } kind;

/* The distribution of one kappa and beta. */
typedef struct {
    kind kind;
    double low, high; /* it is 0 beyond them */
    int steps;        /* of its integral */
    double a[9];      /* parameters of exponentials, from 1 on */
    double h[9];      /* coefficients of the Edgeworth series */
    double tail[2];   /* beyond a[7] */
    double landau;    /* its factor */
} vavilov;

static void fitted(vavilov *d, const double table[8][TERMS], double x, double y) {
    double terms[TERMS];
    terms_of(x, y, terms);
    for (int k = 0; k < 8; k++) {
        d->a[k + 1] = 0;
        for (int i = 0; i < TERMS; i++)
            d->a[k + 1] += table[k][i] * terms[i];
    }
    d->high = d->a[8];
}

static void edgeworth(vavilov *d, double kappa, double beta2) {
    static const double inverse[] = {0, 1, 0.5, 0.33333333, 0.25, 0.2};
    static const double edge[] = {0.16666667e+0, 0.41666667e-1, 0.83333333e-2,
                                  0.13888889e-1, 0.69444444e-2, 0.77160493e-3};
    double root = 1 / sqrt(kappa), share[6] = {0}, sigma[6] = {0}, alfa[6] = {0};
    d->low = (-0.032227 * beta2 - 0.074275) * kappa + (0.24533 * beta2 + 0.070152) * root +
             (-0.55610 * beta2 - 3.1579);
    d->high = (-0.013483 * beta2 - 0.048801) * kappa + (-1.6921 * beta2 + 8.3656) * root +
              (-0.73275 * beta2 - 3.5226);
    share[1] = root * root;
    sigma[1] = sqrt(kappa / (1 - 0.5 * beta2));
    for (int j = 1; j <= 4; j++) {
        share[j + 1] = share[1] * share[j];
        sigma[j + 1] = sigma[1] * sigma[j];
        alfa[j + 1] = (inverse[j] - beta2 * inverse[j + 1]) * share[j];
    }
    double *h = d->h;
    h[0] = log(kappa) + beta2 + 0.42278434;
    h[1] = sigma[1];
    h[2] = alfa[3] * sigma[3];
    h[3] = (3 * alfa[2] * alfa[2] + alfa[4]) * sigma[4] - 3;
    h[4] = (10 * alfa[2] * alfa[3] + alfa[5]) * sigma[5] - 10 * h[2];
    h[5] = h[2] * h[2];
    h[6] = h[2] * h[3];
    h[7] = h[2] * h[5];
    for (int j = 2; j <= 7; j++)
        h[j] *= edge[j - 2];
    h[8] = 0.39894228 * h[1];
}

static double exponential(const double *a, double x) {
    return a[1] * exp(-a[2] * (x + a[5] * x * x) - a[3] * exp(-a[4] * (x + a[6] * x * x)));
}

static void set(vavilov *d, double kappa, double beta2) {
    double beta = sqrt(beta2);
    d->steps = 200;
    if (kappa >= 0.29) {
        d->kind = EDGEWORTH;
        d->steps = 100;
        edgeworth(d, kappa, beta2);
    } else if (kappa >= 0.22) {
        d->kind = EXPONENTIAL;
        d->steps = 150;
        d->low = -3.05;
        fitted(d, w, 1 + (kappa - 0.3) * (2 / (0.3 - 0.22)), 1 + (beta - 1) * (2 / (1 - 0.05)));
    } else if (kappa >= 0.12) {
        d->kind = WITH_TAIL;
        d->low = -3.04;
        fitted(d, v, 1 + (kappa - 0.2) * (2 / (0.2 - 0.12)), 1 + (beta - 1) * (2 / (1 - 0.05)));
    } else {
        d->kind = kappa >= 0.02 ? WITH_TAIL : LANDAU;
        d->low = -3.03;
        fitted(d, u, 1 + (kappa - 0.1) * (2 / (0.1 - 0.02)), 1 + (beta - 1) * (2 / (1 - 0.05)));
        d->landau = 0.995 / xy_math_landau_i(d->high);
    }
    if (d->kind == WITH_TAIL) {
        double from = d->a[7], to = d->a[8], x = (from - to) / (from * to), y = 1 / log(to / from);
        d->tail[0] =
            from * from * (exponential(d->a, from) - 0.045 * y / from) / (1 + x * y * from);
        d->tail[1] = (0.045 + x * d->tail[0]) * y;
    }
}

static double density(const vavilov *d, double at) {
    if (at < d->low || at > d->high) return 0;
    switch (d->kind) {
    case EDGEWORTH: {
        double x = (at + d->h[0]) * d->h[1], hermite[10] = {0, x, x * x - 1};
        for (int k = 2; k <= 8; k++)
            hermite[k + 1] = x * hermite[k] - k * hermite[k - 1];
        double sum = 1 + d->h[7] * hermite[9];
        for (int k = 2; k <= 6; k++)
            sum += d->h[k] * hermite[k + 1];
        return d->h[8] * exp(-0.5 * x * x) * (sum > 0 ? sum : 0);
    }
    case WITH_TAIL:
        if (!(at < d->a[7])) return (d->tail[0] / at + d->tail[1]) / at;
        return exponential(d->a, at);
    case EXPONENTIAL: return exponential(d->a, at);
    default: return d->landau * xy_math_landau(at);
    }
}

/* By trapezia, and linear between their borders. */
static double integral(const vavilov *d, double x) {
    if (x < d->low) return 0;
    if (x >= d->high) return 1;
    double width = (d->high - d->low) / d->steps, per = 1 / width;
    int32_t wanted = xy_math_int((x - d->low) * per);
    if (wanted < 0) return NAN;
    double at = d->low, before = density(d, at), sum = 0, last = 0;
    for (int k = 0; k <= wanted && k < d->steps; k++) {
        at += width;
        double next = density(d, at);
        last = sum;
        sum += before + next;
        before = next;
    }
    last *= 0.5 * width;
    sum *= 0.5 * width;
    double value = last + (x - d->low - wanted * width) * (sum - last) * per;
    return value < 1 ? value : 1;
}

double xy_math_vavilov(double x, double kappa, double beta2, int cumulative) {
    vavilov d = {.low = 0};
    if (kappa < 0.01 || kappa > 12) return 0;
    set(&d, kappa, beta2);
    return cumulative ? integral(&d, x) : density(&d, x);
}
