/* Stands in for Minuit2's MnPrint.h. xylem shows no messages of the minimizer, so that the module
 * needs no streams: they were half of it. Arguments, also functions that would write to a stream,
 * are accepted and never used. */
#ifndef ROOT_Minuit2_MnPrint
#define ROOT_Minuit2_MnPrint

#include <cassert>
#include <iomanip>
#include <ostream>
#include <string>
#include <utility>

namespace ROOT {
namespace Minuit2 {

class ContoursError;
class FunctionMinimum;
class MinimumState;
class MinosError;
class MnMachinePrecision;
class MnUserCovariance;
class MnUserParameterState;
class MnUserParameters;

/* Named in functions that are never called, and therefore never defined. */
std::ostream &operator<<(std::ostream &, const ContoursError &);
std::ostream &operator<<(std::ostream &, const FunctionMinimum &);
std::ostream &operator<<(std::ostream &, const MinimumState &);
std::ostream &operator<<(std::ostream &, const MinosError &);
std::ostream &operator<<(std::ostream &, const MnMachinePrecision &);
std::ostream &operator<<(std::ostream &, const MnUserCovariance &);
std::ostream &operator<<(std::ostream &, const MnUserParameterState &);
std::ostream &operator<<(std::ostream &, const MnUserParameters &);
std::ostream &operator<<(std::ostream &, const std::pair<double, double> &);

class MnPrint {
  public:
    struct Oneline {
        template <class... T> explicit Oneline(const T &...) {}
    };

    explicit MnPrint(const char *, int = 0) {}
    static int SetGlobalLevel(int) {
        return 0;
    }
    static int GlobalLevel() {
        return -1;
    }
    int SetLevel(int) {
        return 0;
    }
    int Level() const {
        return -1;
    }
    template <class... T> void Error(const T &...) {}
    template <class... T> void Warn(const T &...) {}
    template <class... T> void Info(const T &...) {}
    template <class... T> void Debug(const T &...) {}
    template <class... T> void Trace(const T &...) {}
};

} // namespace Minuit2
} // namespace ROOT

#endif
