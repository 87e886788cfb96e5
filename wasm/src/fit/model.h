/* The function of a fit: a program over coordinates and parameters.
 *
 * The host compiles it from text (web/features/fits/work/formula). It is a list of instructions,
 * each of which reads the values of earlier ones: there is no loop and no jump, so every program
 * ends. A value that depends on no coordinate is computed once for all points. */
#ifndef XY_FIT_MODEL_H
#define XY_FIT_MODEL_H

#include <cstddef>
#include <cstdint>
#include <vector>

namespace xylem {

/* Operations beside those of compute/expr.h, which have the same numbers here. */
enum : int32_t {
    FIT_CONST = 0,      /* constant imm */
    FIT_COORDINATE = 1, /* coordinate imm: x, y, z */
    FIT_PARAMETER = 2,  /* parameter imm */
    FIT_SELECT = 17,    /* a ? b : c */
    FIT_CALL = 18,      /* function imm of math/functions.h, of a, b, c and d */
    FIT_CRYSTAL =
        128, /* the line of Crystal Ball in a = (x - mean) / sigma, with alpha b and n c */
};

struct Instruction {
    int32_t op, imm, a, b, c, d;
};

class Model {
  public:
    /* Whether the program is valid: operands come before their use, and numbers are within their
     * tables. */
    bool set(const Instruction *code, size_t count, const double *constants, size_t n_constant,
             size_t n_parameter, size_t dims);
    size_t parameters() const {
        return n_parameter;
    }
    /* Writes the values at n points. `x` has an array for each coordinate. */
    void values(const double *parameter, const double *const *x, size_t n, double *out);

  private:
    void prepare(const double *parameter, size_t n);
    void run(const Instruction &one, double *out, size_t n) const;

    std::vector<Instruction> code;
    std::vector<double> constant, slots;
    std::vector<uint8_t> uniform;
    std::vector<const double *> at; /* the values of each instruction */
    size_t n_parameter = 0, dims = 0;
};

} // namespace xylem

#endif
