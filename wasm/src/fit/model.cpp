#include "model.h"

#include <algorithm>
#include <cmath>
#include <limits>

extern "C" {
void xy_binary(int32_t op, double *out, const double *a, const double *b, size_t n);
void xy_unary(int32_t op, double *out, const double *a, size_t n);
double xy_math(int32_t function, double a, double b, double c, double d);
}

namespace xylem {
namespace {

constexpr size_t BLOCK = 256;
constexpr size_t MAX_CODE = 20000;
constexpr int32_t BINARY = 32, BINARY_END = 59, UNARY = 64, UNARY_END = 95;

size_t operands(int32_t op) {
    if (op == FIT_SELECT || op == FIT_CRYSTAL) return 3;
    if (op == FIT_CALL) return 4;
    if (op >= BINARY && op < BINARY_END) return 2;
    if (op >= UNARY && op < UNARY_END) return 1;
    return 0;
}

bool known(int32_t op) {
    return op == FIT_CONST || op == FIT_COORDINATE || op == FIT_PARAMETER || operands(op) > 0;
}

/* ROOT::Math::crystalball_function for sigma 1 and mean 0. */
double crystal(double z, double alpha, double n) {
    if (alpha < 0) z = -z;
    double amount = std::fabs(alpha);
    if (z > -amount) return std::exp(-0.5 * z * z);
    double ratio = n / amount;
    return std::exp(-0.5 * amount * amount) * std::pow(ratio / (ratio - amount - z), n);
}

/* The same for values of which alpha and n are equal, so that what depends on these alone is
 * computed once. */
void crystals(const double *a, double alpha, double n, double *out, size_t count) {
    double sign = alpha < 0 ? -1 : 1, amount = std::fabs(alpha), ratio = n / amount;
    double height = std::exp(-0.5 * amount * amount), logarithm = std::log(ratio);
    for (size_t i = 0; i < count; i++) {
        double z = sign * a[i];
        out[i] = z > -amount ? std::exp(-0.5 * z * z)
                             : height * std::exp(n * (logarithm - std::log(ratio - amount - z)));
    }
}

} // namespace

bool Model::set(const Instruction *given, size_t count, const double *constants, size_t n_constant,
                size_t parameters, size_t n_dims) {
    if (count == 0 || count > MAX_CODE || n_dims == 0 || n_dims > 3) return false;
    code.assign(given, given + count);
    constant.assign(constants, constants + n_constant);
    n_parameter = parameters;
    dims = n_dims;
    uniform.assign(count, 0);
    for (size_t i = 0; i < count; i++) {
        const Instruction &one = code[i];
        if (!known(one.op)) return false;
        size_t limit = one.op == FIT_CONST        ? n_constant
                       : one.op == FIT_COORDINATE ? dims
                       : one.op == FIT_PARAMETER  ? n_parameter
                                                  : std::numeric_limits<int32_t>::max();
        if (one.imm < 0 || (size_t)one.imm >= limit) return false;
        const int32_t from[] = {one.a, one.b, one.c, one.d};
        bool same = one.op != FIT_COORDINATE;
        for (size_t k = 0; k < operands(one.op); k++) {
            if (from[k] < 0 || (size_t)from[k] >= i) return false;
            same = same && uniform[(size_t)from[k]];
        }
        uniform[i] = same;
    }
    slots.assign(count * BLOCK, 0);
    at.resize(count);
    for (size_t i = 0; i < count; i++)
        at[i] = slots.data() + i * BLOCK;
    return true;
}

void Model::run(const Instruction &one, double *out, size_t n) const {
    const double *a = at[(size_t)one.a], *b = at[(size_t)one.b], *c = at[(size_t)one.c],
                 *d = at[(size_t)one.d];
    if (one.op >= UNARY && one.op < UNARY_END) return xy_unary(one.op, out, a, n);
    if (one.op >= BINARY && one.op < BINARY_END) return xy_binary(one.op, out, a, b, n);
    if (one.op == FIT_CRYSTAL && uniform[(size_t)one.b] && uniform[(size_t)one.c] && *c > 0)
        return crystals(a, *b, *c, out, n);
    for (size_t i = 0; i < n; i++) {
        if (one.op == FIT_SELECT)
            out[i] = a[i] != 0 ? b[i] : c[i];
        else if (one.op == FIT_CRYSTAL)
            out[i] = crystal(a[i], b[i], c[i]);
        else
            out[i] = xy_math(one.imm, a[i], b[i], c[i], d[i]);
    }
}

/* Computes what depends on parameters only, for a block of n points. */
void Model::prepare(const double *parameter, size_t n) {
    for (size_t i = 0; i < code.size(); i++) {
        if (!uniform[i]) continue;
        const Instruction &one = code[i];
        double *out = slots.data() + i * BLOCK;
        if (one.op == FIT_CONST)
            *out = constant[(size_t)one.imm];
        else if (one.op == FIT_PARAMETER)
            *out = parameter[one.imm];
        else
            run(one, out, 1);
        std::fill(out + 1, out + n, *out);
    }
}

void Model::values(const double *parameter, const double *const *x, size_t n, double *out) {
    prepare(parameter, std::min(BLOCK, n));
    size_t last = code.size() - 1;
    for (size_t from = 0; from < n; from += BLOCK) {
        size_t count = std::min(BLOCK, n - from);
        for (size_t i = 0; i <= last; i++) {
            if (uniform[i]) continue;
            const Instruction &one = code[i];
            if (one.op == FIT_COORDINATE)
                at[i] = x[one.imm] + from;
            else
                run(one, i == last ? out + from : slots.data() + i * BLOCK, count);
        }
        if (uniform[last] || code[last].op == FIT_COORDINATE)
            std::copy(at[last], at[last] + count, out + from);
    }
}

} // namespace xylem
