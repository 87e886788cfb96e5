/* Exponentials and logarithms of many numbers, two at a time. Each has the bits that std::exp and
 * std::log give. `special` computes those of exponents below 2^-54 and above 512, and the
 * logarithms of numbers below 2^-1020, of infinity and of NaN. */
#ifndef XY_FIT_LANES_H
#define XY_FIT_LANES_H

#include <cstddef>

namespace xylem {

using Function = double (*)(double);

void exps(const double *x, double *out, size_t n, Function special);
void logs(const double *x, double *out, size_t n, Function special);

} // namespace xylem

#endif
