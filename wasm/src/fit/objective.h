/* The objective of a fit: chi-square or a negative logarithm of a likelihood, over bins, points or
 * values.
 *
 * The formulas are those of ROOT's fits (ROOT::Fit::FitUtil), so that minima, errors and the number
 * of calls agree. */
#ifndef XY_FIT_OBJECTIVE_H
#define XY_FIT_OBJECTIVE_H

#include "model.h"

#include "Minuit2/FCNBase.h"

namespace xylem {

enum Method : int32_t {
    CHI2 = 0,            /* errors are given */
    PEARSON = 1,         /* errors are those that the function expects */
    EFFECTIVE = 2,       /* with errors of coordinates, or other errors above a point than below */
    POISSON = 3,         /* bins */
    POISSON_SQUARES = 4, /* bins, with the squares of their weights: for errors of weighted fits */
    UNBINNED = 5,        /* values; the function is a density whose integral is 1 */
    UNBINNED_EXTENDED = 6, /* values; the integral of the function is the expected number */
};

struct Data {
    size_t n = 0, dims = 1;
    const double *x[3] = {}; /* centres of bins, points or values */
    /* Half widths of bins if the function is integrated over them, or the half lengths of the
     * errors of points. */
    const double *half[3] = {};
    const double *y = nullptr;
    const double *error = nullptr;    /* of points whose function is below them, or of both sides */
    const double *above = nullptr;    /* error on the other side; NULL for the same one */
    double low[3] = {}, high[3] = {}; /* the range of values */
};

class Objective;

/* A term of a sum, and the numbers of its parameters among those of the sum. */
struct Part {
    const Objective *objective;
    std::vector<size_t> from;
};

class Objective : public ROOT::Minuit2::FCNBase {
  public:
    Model model;
    /* The terms of a sum, which has neither model nor data; empty otherwise. */
    std::vector<Part> parts;
    size_t parameters_of_sum = 0;
    Data data;
    Method method = CHI2;
    bool integral = false;
    /* How many times as far above the minimum as one standard deviation errors are: for contours.
     */
    double scale = 1;
    /* The host's time, in ms, at which the fit gives up; 0 for none. */
    double deadline = 0;

    /* Computes what depends on data and method only: to be called when these are set. */
    void prepare();
    double operator()(std::vector<double> const &parameter) const override;
    size_t parameters() const {
        return parts.empty() ? model.parameters() : parameters_of_sum;
    }
    double Up() const override {
        return (method >= POISSON ? 0.5 : 1) * scale;
    }
    /* Writes the value of the function for each point: the mean over its bin with `integral`. */
    void values(const double *parameter, double *out) const;

  private:
    double value_of(const double *parameter, Method how) const;
    double chi2(const double *parameter) const;
    double poisson(const double *parameter, Method how) const;
    double unbinned(const double *parameter) const;
    double slope(const double *parameter, size_t point, size_t coordinate) const;
    double whole(const double *parameter) const;

    std::vector<double> log_content, inverse_error;
    mutable std::vector<double> value;
    mutable uint32_t calls = 0;
};

} // namespace xylem

#endif
