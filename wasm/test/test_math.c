/* Every mathematical function returns for all kinds of arguments, and a few have known values. */
#include "../src/math/functions.h"
#include "support/check.h"

#include <math.h>

static void near(int32_t function, double a, double b, double c, double wanted) {
    double value = xy_math(function, a, b, c, 0);
    CHECK(fabs(value - wanted) <= 1e-13 * fabs(wanted));
}

int main(void) {
    const double odd[] = {NAN, -INFINITY, -1e300, -2147483649.0, -170.5,  -2,  -1e-300,
                          0,   1e-300,    0.3,    0.9999,        1,       2.5, 20.5,
                          99,  1e6,       1e15,   1e300,         INFINITY};
    const size_t n = sizeof odd / sizeof *odd;
    for (int32_t f = -1; f <= XY_M_END; f++)
        for (size_t i = 0; i < n; i++)
            for (size_t j = 0; j < n; j++)
                for (size_t k = 0; k < n; k += 3)
                    xy_math(f, odd[i], odd[j], odd[k], odd[(i + k) % n]);
    near(XY_M_FACTORIAL, 20, 0, 0, 2432902008176640000.0);
    near(XY_M_BINOMIAL, 30, 15, 0, 155117520);
    near(XY_M_DILOG, 1, 0, 0, 1.6449340668482264);
    near(XY_M_INC_GAMMA, 1, 2, 0, 1 - exp(-2));
    near(XY_M_INC_BETA, 0.25, 1, 1, 0.25);
    near(XY_M_NORMAL_QUANTILE, 0.975, 0, 0, 1.9599639845400545);
    CHECK(isnan(xy_math(XY_M_END, 1, 1, 1, 1)));
    /* Random numbers depend on all four arguments, and lie between 0 and 1. */
    double sum = 0;
    for (int i = 0; i < 10000; i++) {
        double x = xy_math(XY_M_RANDOM, 1, i, 0, 0);
        CHECK(x > 0 && x < 1);
        CHECK(x != xy_math(XY_M_RANDOM, 2, i, 0, 0) && x != xy_math(XY_M_RANDOM, 1, i, 1, 0) &&
              x != xy_math(XY_M_RANDOM, 1, i, 0, 1) && x == xy_math(XY_M_RANDOM, 1, i, 0, 0));
        sum += x;
    }
    CHECK(fabs(sum / 10000 - 0.5) < 0.01);
    return 0;
}
