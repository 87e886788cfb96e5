/* xylem-fit.wasm: fits by Minuit2. It is a module of its own, because Minuit2 has another licence
 * (LGPL): anybody can build it again with another Minuit2 and put it in the place of this one.
 *
 * A fit is created with its function and data, gets its parameters, and is minimized. All arrays
 * that it is given are the caller's, in memory of xf_alloc, and have to stay until xf_destroy.
 * Sizes and places in the program are checked here. The caller sees to it that arrays have the
 * length it says. */
#ifndef XY_FIT_H
#define XY_FIT_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#ifdef __wasm__
#define XF_EXPORT(name) __attribute__((export_name(#name)))
#else
#define XF_EXPORT(name)
#endif

typedef struct xf_fit xf_fit;

XF_EXPORT(xf_alloc) void *xf_alloc(size_t size);
XF_EXPORT(xf_free) void xf_free(void *block);

/* Creates a fit whose function is a program: see model.h. Returns NULL if the program is not valid.
 */
XF_EXPORT(xf_create)
xf_fit *xf_create(const int32_t *code, size_t instructions, const double *constants,
                  size_t n_constants, size_t parameters, size_t dims);
/* Creates the sum of other fits, which have their data, and stay until it is destroyed. Returns
 * NULL if there are too many parameters. */
XF_EXPORT(xf_together) xf_fit *xf_together(size_t parameters);
/* Adds a fit to a sum. Its parameter i is parameter from[i] of the sum. Returns 0, or 1 if there is
 * no such parameter. */
XF_EXPORT(xf_join) int32_t xf_join(xf_fit *sum, const xf_fit *part, const int32_t *from);
XF_EXPORT(xf_destroy) void xf_destroy(xf_fit *fit);

/* Sets the data: n points, bins or values; `data` has pointers to x, y, z, the half widths or the
 * errors along each, the contents, errors and other errors above; `range` has low and high for each
 * coordinate, and the method, whether the function is integrated over bins, and the time at which
 * the fit gives up, in ms of the host's clock (0: none). Giving up is a trap: the instance is then
 * of no use. */
XF_EXPORT(xf_data)
void xf_data(xf_fit *fit, size_t n, const double *const data[9], const double range[6],
             int32_t method, int32_t integral, double deadline);

/* Sets a parameter. A limit that is NaN is none. A step of 0 fixes it. One that was set before gets
 * another value and step, and keeps its limits. */
XF_EXPORT(xf_parameter)
void xf_parameter(xf_fit *fit, size_t index, double value, double step, double low, double high);

/* Minimizes, as ROOT's Minuit2Minimizer does. `strategy` is 0 to 2; `calls` 0 is Minuit's own
 * limit; `hesse` asks for exact errors. Returns the status that ROOT tells: 0, or 1 to 6. */
XF_EXPORT(xf_minimize)
int32_t xf_minimize(xf_fit *fit, int32_t strategy, double tolerance, uint32_t calls, int32_t hesse);
/* Replaces the errors by those of a weighted likelihood. Returns 0 if they could be computed. */
XF_EXPORT(xf_weighted) int32_t xf_weighted(xf_fit *fit);
/* Solves for all parameters that are not fixed, of which the function is linear. Returns 0, or 1 if
 * they cannot be told from each other. */
XF_EXPORT(xf_linear) int32_t xf_linear(xf_fit *fit);
/* Computes the errors by MINOS. xf_result then begins with low and high. Returns the bits of ROOT's
 * status: 1 and 2 for invalid errors, 4 for too many calls, 8 for a new minimum, 16 for a limit. */
XF_EXPORT(xf_minos) int32_t xf_minos(xf_fit *fit, size_t index);
/* Computes `points` points of the contour of two parameters that is `up` times as far above the
 * minimum as one standard deviation. Returns their number: see xf_result. */
XF_EXPORT(xf_contour)
int32_t xf_contour(xf_fit *fit, size_t first, size_t second, size_t points, double up);

/* Returns the results: objective, estimated distance to the minimum, calls, status of the
 * covariance, whether the minimum is valid; then values, errors, and the covariance matrix of all
 * parameters. After xf_minos and xf_contour: theirs. */
XF_EXPORT(xf_result) const double *xf_result(xf_fit *fit);

/* Writes the values of the function at the points of the data, or of the objective in *out. */
XF_EXPORT(xf_values) void xf_values(xf_fit *fit, const double *parameters, double *out);
XF_EXPORT(xf_objective) double xf_objective(xf_fit *fit, const double *parameters);

#ifdef __cplusplus
}
#endif

#endif
