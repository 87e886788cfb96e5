#include "objective.h"

#include <algorithm>
#include <cfloat>
#include <cmath>

extern "C" double xy_clock(void);

namespace xylem {
namespace {

/* ROOT::Math::Util::EvalLog: a logarithm that goes on in a straight line near 0. */
double safe_log(double x) {
    const double least = 2 * DBL_MIN;
    return x <= least ? x / least + std::log(least) - 1 : std::log(x);
}

/* A sum whose rounding errors are carried along (Neumaier). */
struct Sum {
    double total = 0, rest = 0;
    void add(double x) {
        double next = total + x;
        rest += std::fabs(total) >= std::fabs(x) ? (total - next) + x : (x - next) + total;
        total = next;
    }
    /* An infinite total has no rounding errors, and its rest is not a number. */
    double value() const {
        return std::isfinite(total) ? total + rest : total;
    }
};

/* The rule of Gauss and Kronrod with 21 points on [-1, 1], of which every second one is also a
 * point of the rule of Gauss with 10 points: abscissas, the weights of both (QUADPACK, qk21). */
const double KRONROD_X[11] = {0.995657163025808080735527280689003,
                              0.973906528517171720077964012084452,
                              0.930157491355708226001207180059508,
                              0.865063366688984510732096688423493,
                              0.780817726586416897063717578345042,
                              0.679409568299024406234327365114874,
                              0.562757134668604683339000099272694,
                              0.433395394129247190799265943165784,
                              0.294392862701460198131126603103866,
                              0.148874338981631210884826001129720,
                              0};
const double KRONROD_W[11] = {
    0.011694638867371874278064396062192, 0.032558162307964727478818972459390,
    0.054755896574351996031381300244580, 0.075039674810919952767043140916190,
    0.093125454583697605535065465083366, 0.109387158802297641899210590325805,
    0.123491976262065851077958109585166, 0.134709217311473325928054001771707,
    0.142775938577060080797094273138717, 0.147739104901338491374841515972068,
    0.149445554002916905664936468389821};
const double GAUSS_W[5] = {0.066671344308688137593568809893332, 0.149451349150580593145863396957697,
                           0.219086362515982043995534934228163, 0.269266719309996355091226921569469,
                           0.295524224714752870173815619188769};
constexpr size_t KRONROD = 21, GAUSS = 10;
/* Intervals whose points are computed together, halvings of one, and the part of the largest
 * integral that is exact enough. */
constexpr size_t TOGETHER = 48;
constexpr int MAX_HALVINGS = 10;
constexpr double CLOSE = 1e-10;

struct Interval {
    double low, high;
};

/* Writes the integrals over intervals, and how far the two rules differ. */
void both_rules(Model &model, const double *parameter, const Interval *at, size_t n,
                double *integral, double *difference) {
    double x[TOGETHER * KRONROD], value[TOGETHER * KRONROD];
    for (size_t i = 0; i < n; i++) {
        double middle = 0.5 * (at[i].low + at[i].high), half = 0.5 * (at[i].high - at[i].low);
        for (size_t k = 0; k < KRONROD; k++)
            x[i * KRONROD + k] = middle + half * (k < 10 ? -KRONROD_X[k] : KRONROD_X[20 - k]);
    }
    const double *all[3] = {x, nullptr, nullptr};
    model.values(parameter, all, n * KRONROD, value);
    for (size_t i = 0; i < n; i++) {
        double kronrod = 0, gauss = 0, half = 0.5 * (at[i].high - at[i].low);
        const double *own = value + i * KRONROD;
        for (size_t k = 0; k < 10; k++) {
            double pair = own[k] + own[20 - k];
            kronrod += KRONROD_W[k] * pair;
            if (k % 2) gauss += GAUSS_W[k / 2] * pair;
        }
        integral[i] = half * (kronrod + KRONROD_W[10] * own[10]);
        difference[i] = std::fabs(integral[i] - half * gauss);
    }
}

/* The rule of Kronrod is far more exact than the difference of both. */
bool is_close(double difference, double integral, double scale) {
    return !(difference > 1e-7 * std::fabs(integral) && difference > CLOSE * scale);
}

double halved(Model &model, const double *parameter, Interval whole, double scale, int depth) {
    double middle = 0.5 * (whole.low + whole.high), integral[2], difference[2], sum = 0;
    Interval parts[2] = {{whole.low, middle}, {middle, whole.high}};
    both_rules(model, parameter, parts, 2, integral, difference);
    for (int i = 0; i < 2; i++)
        sum += depth == 0 || is_close(difference[i], integral[i], scale)
                   ? integral[i]
                   : halved(model, parameter, parts[i], scale, depth - 1);
    return sum;
}

/* Writes the integrals over intervals; exact to 1e-10 of the largest one. */
void integrals(Model &model, const double *parameter, const std::vector<Interval> &at,
               double *out) {
    std::vector<double> difference(at.size());
    double scale = 0;
    for (size_t from = 0; from < at.size(); from += TOGETHER)
        both_rules(model, parameter, at.data() + from, std::min(TOGETHER, at.size() - from),
                   out + from, difference.data() + from);
    for (size_t i = 0; i < at.size(); i++)
        if (std::isfinite(out[i])) scale = std::max(scale, std::fabs(out[i]));
    for (size_t i = 0; i < at.size(); i++)
        if (!is_close(difference[i], out[i], scale))
            out[i] = halved(model, parameter, at[i], scale, MAX_HALVINGS);
}

/* Over boxes of two and three coordinates by the product of rules, which is exact for smooth
 * functions. */
double integral_n(Model &model, const double *parameter, size_t dims, const double *low,
                  const double *high) {
    size_t count = dims == 2 ? GAUSS * GAUSS : GAUSS * GAUSS * GAUSS;
    std::vector<double> x[3], value(count), weight(count, 1);
    for (size_t k = 0; k < dims; k++) {
        x[k].resize(count);
        double middle = 0.5 * (low[k] + high[k]), half = 0.5 * (high[k] - low[k]);
        size_t step = k == 0 ? 1 : k == 1 ? GAUSS : GAUSS * GAUSS;
        for (size_t i = 0; i < count; i++) {
            size_t j = i / step % GAUSS;
            double away = KRONROD_X[2 * (j / 2) + 1];
            x[k][i] = middle + half * (j % 2 ? away : -away);
            weight[i] *= half * GAUSS_W[j / 2];
        }
    }
    const double *all[3] = {x[0].data(), x[1].data(), x[2].data()};
    model.values(parameter, all, count, value.data());
    double sum = 0;
    for (size_t i = 0; i < count; i++)
        sum += weight[i] * value[i];
    return sum;
}

} // namespace

void Objective::values(const double *parameter, double *out) const {
    Model &own = const_cast<Model &>(model);
    if (!integral) return own.values(parameter, data.x, data.n, out);
    if (data.dims == 1) {
        std::vector<Interval> bins(data.n);
        for (size_t i = 0; i < data.n; i++)
            bins[i] = {data.x[0][i] - data.half[0][i], data.x[0][i] + data.half[0][i]};
        integrals(own, parameter, bins, out);
        for (size_t i = 0; i < data.n; i++)
            out[i] /= bins[i].high - bins[i].low;
        return;
    }
    for (size_t i = 0; i < data.n; i++) {
        double low[3], high[3], volume = 1;
        for (size_t k = 0; k < data.dims; k++) {
            low[k] = data.x[k][i] - data.half[k][i];
            high[k] = data.x[k][i] + data.half[k][i];
            volume *= high[k] - low[k];
        }
        out[i] = integral_n(own, parameter, data.dims, low, high) / volume;
    }
}

/* The derivative along a coordinate by ROOT::Math::RichardsonDerivator. */
double Objective::slope(const double *parameter, size_t point, size_t coordinate) const {
    double at = data.x[coordinate][point];
    double h =
        std::max(0.01 * std::fabs(data.half[coordinate][point]), 8e-8 * (std::fabs(at) + 1e-8));
    double x[3][4], f[4];
    for (size_t k = 0; k < data.dims; k++)
        std::fill(x[k], x[k] + 4, data.x[k][point]);
    double *moved = x[coordinate];
    moved[0] = at + h;
    moved[1] = at - h;
    moved[2] = at + h / 2;
    moved[3] = at - h / 2;
    const double *all[3] = {x[0], x[1], x[2]};
    const_cast<Model &>(model).values(parameter, all, 4, f);
    return (4 * 2 * (f[2] - f[3]) - (f[0] - f[1])) / (6 * h);
}

double Objective::chi2(const double *parameter) const {
    value.resize(data.n);
    values(parameter, value.data());
    const double most = DBL_MAX / (double)data.n;
    double sum = 0;
    for (size_t i = 0; i < data.n; i++) {
        double f = value[i], away = data.y[i] - f, term;
        if (method == PEARSON) {
            double inverse = std::sqrt(f > 0 ? 1 / f : 0);
            term = away * inverse * (away * inverse);
        } else if (method == EFFECTIVE) {
            double error = away < 0 && data.above ? data.above[i] : data.error[i];
            double squares = error * error;
            for (size_t k = 0; k < data.dims; k++) {
                if (!data.half[k] || !(data.half[k][i] > 0)) continue;
                double moved = data.half[k][i] * slope(parameter, i, k);
                squares += moved * moved;
            }
            term = squares > 0 ? away * away / squares : 0;
        } else {
            term = away * inverse_error[i] * (away * inverse_error[i]);
        }
        sum += term < most ? term : most;
    }
    return sum;
}

void Objective::prepare() {
    if (method == POISSON) {
        log_content.resize(data.n);
        std::transform(data.y, data.y + data.n, log_content.begin(), safe_log);
    }
    if (method == CHI2) {
        inverse_error.resize(data.n);
        for (size_t i = 0; data.error && i < data.n; i++)
            inverse_error[i] = 1 / data.error[i];
    }
}

double Objective::poisson(const double *parameter, Method how) const {
    value.resize(data.n);
    values(parameter, value.data());
    double sum = 0, contents = 0, squares = 0;
    for (size_t i = 0; how == POISSON_SQUARES && i < data.n; i++) {
        contents += data.y[i];
        squares += data.error[i] * data.error[i];
    }
    for (size_t i = 0; i < data.n; i++) {
        double f = std::max(value[i], 0.0), y = data.y[i], weight = 1;
        if (how == POISSON_SQUARES)
            weight = y != 0 ? data.error[i] * data.error[i] / y : squares / contents;
        double term = f - y;
        if (y > 0 || (how == POISSON_SQUARES && y != 0))
            term += y * (log_content[i] - safe_log(f));
        sum += weight * term;
    }
    return sum;
}

/* The integral over the whole range, in steps that a narrow line cannot hide between. */
double Objective::whole(const double *parameter) const {
    Model &own = const_cast<Model &>(model);
    if (data.dims > 1) return integral_n(own, parameter, data.dims, data.low, data.high);
    std::vector<Interval> steps(32);
    std::vector<double> out(steps.size());
    double width = (data.high[0] - data.low[0]) / (double)steps.size();
    for (size_t i = 0; i < steps.size(); i++)
        steps[i] = {data.low[0] + (double)i * width, data.low[0] + (double)(i + 1) * width};
    integrals(own, parameter, steps, out.data());
    Sum sum;
    for (double one : out)
        sum.add(one);
    return sum.value();
}

double Objective::unbinned(const double *parameter) const {
    const size_t block = 4096;
    value.resize(std::min(block, data.n));
    Sum sum;
    for (size_t from = 0; from < data.n; from += block) {
        size_t count = std::min(block, data.n - from);
        const double *x[3];
        for (size_t k = 0; k < 3; k++)
            x[k] = data.x[k] ? data.x[k] + from : nullptr;
        const_cast<Model &>(model).values(parameter, x, count, value.data());
        double part = 0;
        for (size_t i = 0; i < count; i++)
            part += safe_log(value[i]) * (data.y ? data.y[from + i] : 1);
        sum.add(-part);
    }
    if (method == UNBINNED_EXTENDED) sum.add(whole(parameter));
    return sum.value();
}

double Objective::operator()(std::vector<double> const &parameter) const {
    if (deadline > 0 && (++calls & 15) == 0 && xy_clock() > deadline) __builtin_trap();
    if (parts.empty()) return value_of(parameter.data(), method);
    Sum sum;
    std::vector<double> own;
    for (const Part &part : parts) {
        own.clear();
        for (size_t from : part.from)
            own.push_back(parameter[from]);
        Method how = method == POISSON_SQUARES ? method : part.objective->method;
        sum.add(part.objective->value_of(own.data(), how));
    }
    return sum.value();
}

double Objective::value_of(const double *parameter, Method how) const {
    if (how >= UNBINNED) return unbinned(parameter);
    return how >= POISSON ? poisson(parameter, how) : chi2(parameter);
}

} // namespace xylem
