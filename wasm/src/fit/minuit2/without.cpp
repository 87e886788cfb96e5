/* What Minuit2 calls and the module does without: parallel processes, the measuring of time, and
 * texts about errors that cannot be shown. An error of the C++ library ends the module by a trap.
 */
#include "MPIProcess.h"
#include "Math/Util.h"

#include <cstdarg>

namespace ROOT {
namespace Minuit2 {

MPIProcess::MPIProcess(unsigned int nelements, unsigned int)
    : fNelements(nelements), fSize(1), fRank(0), fNumElements4JobIn(nelements),
      fNumElements4JobOut(0) {}
MPIProcess::~MPIProcess() {}
bool MPIProcess::SyncVector(MnAlgebraicVector &) {
    return false;
}
bool MPIProcess::SyncSymMatrixOffDiagonal(MnAlgebraicSymMatrix &) {
    return false;
}

} // namespace Minuit2

namespace Math::Util {

TimingScope::TimingScope(std::function<void(std::string const &)>, std::string const &) {}
TimingScope::~TimingScope() {}

} // namespace Math::Util
} // namespace ROOT

extern "C" {
void _Exit(int) {
    __builtin_trap();
}
void abort_message(const char *, ...) {
    __builtin_trap();
}
void __cxa_pure_virtual(void) {
    __builtin_trap();
}
}
