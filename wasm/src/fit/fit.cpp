#include "fit.h"

#include "objective.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <memory>
#include <string>

#include "Minuit2/FunctionMinimum.h"
#include "Minuit2/MinosError.h"
#include "Minuit2/MnContours.h"
#include "Minuit2/MnHesse.h"
#include "Minuit2/MnMinos.h"
#include "Minuit2/MnStrategy.h"
#include "Minuit2/MnUserParameterState.h"
#include "Minuit2/VariableMetricMinimizer.h"

using namespace ROOT::Minuit2;
using xylem::Objective;

struct xf_fit {
    Objective objective;
    MnUserParameterState start, state;
    std::unique_ptr<FunctionMinimum> minimum;
    unsigned strategy = 1;
    double tolerance = 0.01;
    unsigned calls = 0;
    std::vector<double> result;
};

namespace {

/* The numbers before the values: see xf_result. */
enum { VALUE, DISTANCE, CALLS, COVARIANCE, VALID, HEAD };

/* Inverts a symmetric matrix of n rows in place by Cholesky's method. Returns false if it is not
 * positive definite. */
bool invert(std::vector<double> &a, size_t n) {
    std::vector<double> l(n * n, 0), inverse(n * n, 0);
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j <= i; j++) {
            double sum = a[i * n + j];
            for (size_t k = 0; k < j; k++)
                sum -= l[i * n + k] * l[j * n + k];
            if (i == j) {
                if (!(sum > 0)) return false;
                l[i * n + i] = std::sqrt(sum);
            } else
                l[i * n + j] = sum / l[j * n + j];
        }
    for (size_t column = 0; column < n; column++) {
        std::vector<double> y(n);
        for (size_t i = 0; i < n; i++) {
            double sum = i == column ? 1 : 0;
            for (size_t k = 0; k < i; k++)
                sum -= l[i * n + k] * y[k];
            y[i] = sum / l[i * n + i];
        }
        for (size_t i = n; i-- > 0;) {
            double sum = y[i];
            for (size_t k = i + 1; k < n; k++)
                sum -= l[k * n + i] * inverse[k * n + column];
            inverse[i * n + column] = sum / l[i * n + i];
        }
    }
    a = inverse;
    return true;
}

bool is_free(const MnUserParameterState &state, size_t i) {
    const MinuitParameter &one = state.Parameter((unsigned)i);
    return !one.IsFixed() && !one.IsConst();
}

/* Minuit2Minimizer::ExamineMinimum. */
int32_t status_of(const FunctionMinimum &minimum) {
    int32_t status = 0;
    if (!minimum.HasPosDefCovar()) status = 5;
    if (minimum.HasMadePosDefCovar()) status = 1;
    if (minimum.HesseFailed()) status = 2;
    if (minimum.IsAboveMaxEdm()) status = 3;
    if (minimum.HasReachedCallLimit()) status = 4;
    return !minimum.IsValid() && status == 0 ? 6 : status;
}

/* Minuit2Minimizer::CovMatrixStatus. */
int32_t covariance_status(const FunctionMinimum &minimum) {
    if (minimum.HasAccurateCovar()) return 3;
    if (minimum.HasMadePosDefCovar()) return 2;
    if (minimum.HasValidCovariance()) return 1;
    return minimum.HasCovariance() ? 0 : -1;
}

void tell(xf_fit &fit) {
    const MnUserParameterState &state = fit.state;
    size_t n = fit.objective.parameters();
    fit.result.assign(HEAD + 2 * n + n * n, 0);
    double *out = fit.result.data();
    out[VALUE] = state.Fval();
    out[DISTANCE] = state.Edm();
    out[CALLS] = state.NFcn();
    out[COVARIANCE] = fit.minimum ? covariance_status(*fit.minimum) : state.CovarianceStatus();
    out[VALID] = fit.minimum && fit.minimum->IsValid() ? 1 : 0;
    for (size_t i = 0; i < n; i++) {
        out[HEAD + i] = state.Value((unsigned)i);
        out[HEAD + n + i] = is_free(state, i) ? state.Error((unsigned)i) : 0;
        if (!state.HasCovariance() || !is_free(state, i)) continue;
        for (size_t j = 0; j < n; j++)
            if (is_free(state, j))
                out[HEAD + 2 * n + i * n + j] =
                    state.Covariance()(state.IntOfExt((unsigned)i), state.IntOfExt((unsigned)j));
    }
}

} // namespace

extern "C" {

void *xf_alloc(size_t size) {
    return malloc(size ? size : 1);
}

void xf_free(void *block) {
    free(block);
}

xf_fit *xf_create(const int32_t *code, size_t instructions, const double *constants,
                  size_t n_constants, size_t parameters, size_t dims) {
    auto fit = std::make_unique<xf_fit>();
    const auto *program = (const xylem::Instruction *)(const void *)code;
    if (parameters == 0 || parameters > 1000) return nullptr;
    if (!fit->objective.model.set(program, instructions, constants, n_constants, parameters, dims))
        return nullptr;
    fit->objective.data.dims = dims;
    return fit.release();
}

xf_fit *xf_together(size_t parameters) {
    if (parameters == 0 || parameters > 1000) return nullptr;
    auto fit = std::make_unique<xf_fit>();
    fit->objective.parameters_of_sum = parameters;
    return fit.release();
}

int32_t xf_join(xf_fit *sum, const xf_fit *part, const int32_t *from) {
    xylem::Part one{&part->objective, {}};
    for (size_t i = 0; i < part->objective.parameters(); i++) {
        if (from[i] < 0 || (size_t)from[i] >= sum->objective.parameters_of_sum) return 1;
        one.from.push_back((size_t)from[i]);
    }
    sum->objective.method = part->objective.method;
    sum->objective.deadline = part->objective.deadline;
    sum->objective.parts.push_back(one);
    return 0;
}

void xf_destroy(xf_fit *fit) {
    delete fit;
}

void xf_data(xf_fit *fit, size_t n, const double *const data[9], const double range[6],
             int32_t method, int32_t integral, double deadline) {
    xylem::Data &own = fit->objective.data;
    own.n = n;
    for (size_t k = 0; k < 3; k++) {
        own.x[k] = data[k];
        own.half[k] = data[3 + k];
        own.low[k] = range[2 * k];
        own.high[k] = range[2 * k + 1];
    }
    own.y = data[6];
    own.error = data[7];
    own.above = data[8];
    fit->objective.method = (xylem::Method)method;
    fit->objective.integral = integral != 0;
    fit->objective.deadline = deadline;
    fit->objective.prepare();
}

void xf_parameter(xf_fit *fit, size_t index, double value, double step, double low, double high) {
    std::string name = "p" + std::to_string(index);
    MnUserParameterState &start = fit->start;
    size_t known = start.MinuitParameters().size();
    if (index < known && step > 0) {
        start.SetValue((unsigned)index, value);
        start.SetError((unsigned)index, step);
    }
    if (index != known) return;
    if (!(step > 0)) {
        /* As Minuit2Minimizer::SetFixedVariable. */
        start.Add(name, value, value != 0 ? 0.1 * std::fabs(value) : 0.1);
        start.Fix((unsigned)index);
        return;
    }
    start.Add(name, value, step);
    if (!std::isnan(low) && !std::isnan(high))
        start.SetLimits((unsigned)index, low, high);
    else if (!std::isnan(low))
        start.SetLowerLimit((unsigned)index, low);
    else if (!std::isnan(high))
        start.SetUpperLimit((unsigned)index, high);
}

int32_t xf_minimize(xf_fit *fit, int32_t strategy, double tolerance, uint32_t calls,
                    int32_t hesse) {
    fit->strategy = (unsigned)strategy;
    fit->tolerance = tolerance;
    fit->calls = calls;
    VariableMetricMinimizer minimizer;
    MnStrategy chosen(fit->strategy);
    fit->minimum = std::make_unique<FunctionMinimum>(
        minimizer.Minimize(fit->objective, fit->start, chosen, calls, tolerance));
    if (fit->minimum->IsValid() && hesse && fit->minimum->State().Error().Dcovar() != 0)
        MnHesse{chosen}(fit->objective, *fit->minimum, calls);
    fit->state = fit->minimum->UserState();
    tell(*fit);
    return status_of(*fit->minimum);
}

int32_t xf_weighted(xf_fit *fit) {
    size_t n = fit->objective.parameters(), free = fit->state.VariableParameters();
    if (!fit->state.HasCovariance()) return 1;
    MnUserParameterState point = fit->start;
    for (size_t i = 0; i < n; i++) {
        point.SetValue((unsigned)i, fit->state.Value((unsigned)i));
        if (is_free(fit->state, i) && fit->state.Error((unsigned)i) > 0)
            point.SetError((unsigned)i, fit->state.Error((unsigned)i));
    }
    xylem::Method before = fit->objective.method;
    fit->objective.method = xylem::POISSON_SQUARES;
    MnUserParameterState squares =
        MnHesse{MnStrategy(fit->strategy)}(fit->objective, point, fit->calls);
    fit->objective.method = before;
    if (!squares.HasCovariance()) return 1;
    std::vector<double> inverse(free * free), cov(free * free), made(free * free, 0);
    for (size_t i = 0; i < free; i++)
        for (size_t j = 0; j < free; j++) {
            inverse[i * free + j] = squares.Covariance()((unsigned)i, (unsigned)j);
            cov[i * free + j] = fit->state.Covariance()((unsigned)i, (unsigned)j);
        }
    if (!invert(inverse, free)) return 1;
    for (size_t i = 0; i < free; i++)
        for (size_t j = 0; j < free; j++)
            for (size_t k = 0; k < free; k++)
                for (size_t l = 0; l < free; l++)
                    made[i * free + j] +=
                        cov[i * free + k] * inverse[k * free + l] * cov[l * free + j];
    double *out = fit->result.data();
    for (size_t i = 0; i < n; i++) {
        if (!is_free(fit->state, i)) continue;
        size_t row = fit->state.IntOfExt((unsigned)i);
        for (size_t j = 0; j < n; j++)
            if (is_free(fit->state, j))
                out[HEAD + 2 * n + i * n + j] = made[row * free + fit->state.IntOfExt((unsigned)j)];
        out[HEAD + n + i] = std::sqrt(made[row * free + row]);
    }
    return 0;
}

int32_t xf_linear(xf_fit *fit) {
    Objective &objective = fit->objective;
    size_t n = objective.parameters(), points = objective.data.n;
    std::vector<double> parameter(n), rest(points), column(points);
    std::vector<size_t> chosen;
    for (size_t i = 0; i < n; i++) {
        bool free = is_free(fit->start, i);
        parameter[i] = free ? 0 : fit->start.Value((unsigned)i);
        if (free) chosen.push_back(i);
    }
    size_t free = chosen.size();
    if (free > points) return 1;
    objective.values(parameter.data(), rest.data());
    /* Columns of the function's terms, each divided by the errors: made orthogonal one after the
     * other (Gram and Schmidt, twice, because once loses digits). */
    std::vector<std::vector<double>> q;
    std::vector<double> r(free * free, 0);
    for (size_t k = 0; k < free; k++) {
        std::vector<double> moved = parameter;
        moved[chosen[k]] = 1;
        objective.values(moved.data(), column.data());
        double size = 0;
        for (size_t i = 0; i < points; i++) {
            column[i] = (column[i] - rest[i]) / objective.data.error[i];
            size += column[i] * column[i];
        }
        for (int twice = 0; twice < 2; twice++)
            for (size_t j = 0; j < k; j++) {
                double along = 0;
                for (size_t i = 0; i < points; i++)
                    along += q[j][i] * column[i];
                for (size_t i = 0; i < points; i++)
                    column[i] -= along * q[j][i];
                r[j * free + k] += along;
            }
        double length = 0;
        for (size_t i = 0; i < points; i++)
            length += column[i] * column[i];
        if (!(length > 1e-26 * size) || !std::isfinite(length)) return 1;
        r[k * free + k] = length = std::sqrt(length);
        for (double &one : column)
            one /= length;
        q.push_back(column);
    }
    std::vector<double> solution(free), inverse(free * free, 0);
    for (size_t k = free; k-- > 0;) {
        double sum = 0;
        for (size_t i = 0; i < points; i++)
            sum += q[k][i] * (objective.data.y[i] - rest[i]) / objective.data.error[i];
        for (size_t j = k + 1; j < free; j++)
            sum -= r[k * free + j] * solution[j];
        solution[k] = sum / r[k * free + k];
        inverse[k * free + k] = 1 / r[k * free + k];
        for (size_t j = k + 1; j < free; j++) {
            double part = 0;
            for (size_t l = k + 1; l <= j; l++)
                part -= r[k * free + l] * inverse[l * free + j];
            inverse[k * free + j] = part / r[k * free + k];
        }
    }
    for (size_t k = 0; k < free; k++)
        parameter[chosen[k]] = solution[k];
    fit->result.assign(HEAD + 2 * n + n * n, 0);
    double *out = fit->result.data();
    out[VALUE] = objective(parameter);
    out[CALLS] = 1;
    out[COVARIANCE] = 3;
    out[VALID] = 1;
    std::copy(parameter.begin(), parameter.end(), out + HEAD);
    for (size_t i = 0; i < free; i++)
        for (size_t j = 0; j < free; j++) {
            double sum = 0;
            for (size_t k = std::max(i, j); k < free; k++)
                sum += inverse[i * free + k] * inverse[j * free + k];
            out[HEAD + 2 * n + chosen[i] * n + chosen[j]] = sum;
            if (i == j) out[HEAD + n + chosen[i]] = std::sqrt(sum);
        }
    return 0;
}

int32_t xf_minos(xf_fit *fit, size_t index) {
    fit->result.assign(2, 0);
    if (!fit->minimum || !fit->minimum->IsValid() || !is_free(fit->state, index)) return 3;
    MnMinos minos(fit->objective, *fit->minimum);
    double tolerance = std::max(fit->tolerance, 0.01);
    MnCross low = minos.Loval((unsigned)index, fit->calls, tolerance);
    MnCross up = minos.Upval((unsigned)index, fit->calls, tolerance);
    MinosError error((unsigned)index, fit->minimum->UserState().Value((unsigned)index), low, up);
    int32_t status = 0;
    if (!error.LowerValid())
        status |= 1 | (error.AtLowerMaxFcn() ? 4 : 0) | (error.LowerNewMin() ? 8 : 0);
    if (!error.UpperValid())
        status |= 2 | (error.AtUpperMaxFcn() ? 4 : 0) | (error.UpperNewMin() ? 8 : 0);
    if (error.AtUpperLimit() || error.AtLowerLimit()) status |= 16;
    fit->result = {error.Lower(), error.Upper()};
    if (status & 8) {
        /* A better minimum: the next fit begins there. */
        bool lower = error.LowerNewMin();
        if (lower && error.UpperNewMin()) lower = low.State().Fval() < up.State().Fval();
        const MnUserParameterState &found = lower ? low.State() : up.State();
        for (size_t i = 0; i < fit->objective.parameters(); i++)
            fit->start.SetValue((unsigned)i, found.Value((unsigned)i));
    }
    return status;
}

int32_t xf_contour(xf_fit *fit, size_t first, size_t second, size_t points, double up) {
    fit->result.clear();
    if (!fit->minimum || !fit->minimum->IsValid() || first == second) return 0;
    if (!is_free(fit->state, first) || !is_free(fit->state, second)) return 0;
    FunctionMinimum minimum = *fit->minimum;
    fit->objective.scale = up;
    minimum.SetErrorDef(fit->objective.Up());
    MnContours contours(fit->objective, minimum, MnStrategy(fit->strategy));
    auto found = contours((unsigned)first, (unsigned)second, (unsigned)points);
    fit->objective.scale = 1;
    for (const auto &[x, y] : found) {
        fit->result.push_back(x);
        fit->result.push_back(y);
    }
    return (int32_t)found.size();
}

const double *xf_result(xf_fit *fit) {
    return fit->result.data();
}

void xf_values(xf_fit *fit, const double *parameters, double *out) {
    fit->objective.values(parameters, out);
}

double xf_objective(xf_fit *fit, const double *parameters) {
    return fit->objective(
        std::vector<double>(parameters, parameters + fit->objective.parameters()));
}
}
