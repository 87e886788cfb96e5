"""Records what ROOT gives for functions, value by value: python3 tests/query/recorders/functions.py [NAME ...]

Writes grid.root, trees of arguments, and values/functions.json: for each call the values of TTree::Draw over the
tree of so many arguments, or over `plain`; and
of methods over vectors.root, which pairs/vectors.py writes. With names only the functions that have one of them in theirs are recorded anew."""
import itertools
import json
import math
import os
import pathlib
import select
import signal
import sys

import ROOT

HERE = pathlib.Path(__file__).resolve().parent
FILES = HERE.parent / "files"
sys.path.insert(1, str(HERE / "pairs"))
import vectors  # noqa: E402

ROOT.gErrorIgnoreLevel = 10000
ROOT.gSystem.ResetSignals()
INF, NAN = math.inf, math.nan

ONE = [0.0, -0.0, 1e-300, 1e-15, 1e-8, 0.001, 0.0123, 0.1, 0.2, 0.25, 0.3, 0.45, 0.5, 0.6, 0.77, 0.9, 0.99, 1, 1.0000001, 1.3, 1.5, 1.9, 2, 2.2, 2.5, 3, 3.6,
       3.9, 4.5, 5, 6.9, 7.5, 8, 10, 11.7, 13, 19.5, 20.5, 25, 33, 47, 55, 100, 171.5, 300.5, 709, 1000, 1e6, 3e9, 1e19, 1e300, INF, NAN]
ONE += [-x for x in ONE[2:52]]
TWO = [NAN, -INF, -3e9, -7.5, -2.5, -1, 0, 1e-9, 0.2, 0.5, 1, 2, 3.7, 10, 50, INF]
THREE = [-1, 0, 0.3, 0.5, 1, 2.5, 7]
FOUR = [-1, 0, 0.4, 2.5]
ODD = [NAN, INF, -INF, 100]
GRIDS = {
    1: [(x,) for x in ONE],
    2: list(itertools.product(TWO, TWO)),
    3: [*itertools.product(THREE, repeat=3), *((*[1.5] * i, x, *[1.5] * (2 - i)) for i in range(3) for x in ODD)],
    4: [*itertools.product(FOUR, repeat=4), *((*[1.5] * i, x, *[1.5] * (3 - i)) for i in range(4) for x in ODD)],
}
# Arguments for which the inverse functions of ROOT return.
PLAIN = list(itertools.product([0.001, 0.01, 0.05, 0.3, 0.5, 0.8, 0.99], [0.6, 1, 2.5, 7, 40], [0.5, 2, 30]))

ONES = """abs fabs sqrt exp log log10 sin cos tan asin acos atan sinh cosh tanh asinh acosh atanh floor ceil round trunc rint nearbyint int sign cbrt exp2 expm1 log1p log2 erf
erfc tgamma lgamma isnan isinf isfinite signbit sq std::abs std::isnan std::isinf std::isfinite""".split()
TMATH1 = """Abs Sqrt Exp Log Log2 Log10 Sin Cos Tan SinH CosH TanH ASin ACos ATan ASinH ACosH ATanH Ceil Floor CeilNint FloorNint Nint Sq Odd Even Finite IsNaN Erf Erfc ErfInverse
ErfcInverse Freq Gamma LnGamma NormQuantile KolmogorovProb LandauI Landau Gaus BesselI0 BesselI1 BesselK0 BesselK1 BesselJ0 BesselJ1 BesselY0 BesselY1 StruveH0 StruveH1 StruveL0
StruveL1 DiLog BreitWigner CauchyDist LaplaceDist LaplaceDistI SignBit""".split()
FACTORIALS = ["TMath::Factorial(int(a)%200)", "TMath::Binomial(a,b)"]
TWOS = """pow atan2 fmod hypot min max fmin fmax fdim copysign ldexp std::pow std::atan2 std::hypot ROOT::VecOps::DeltaPhi""".split()
TMATH2 = """Power ATan2 Hypot Min Max Sign Ldexp Gamma Beta Poisson PoissonI Prob Student StudentI StudentQuantile ChisquareQuantile BesselI BesselK LaplaceDist CauchyDist LogNormal
GammaDist Landau Gaus""".split()
TMATH3 = """Range BetaDist BetaDistI BetaIncomplete BetaCf BinomialI BreitWigner BreitWignerRelativistic CauchyDist FDist FDistI Gaus Landau LaplaceDist LaplaceDistI LogNormal GammaDist
StudentQuantile Vavilov Voigt AreEqualAbs AreEqualRel""".split()
TMATH4 = "Gaus Landau LogNormal GammaDist Voigt".split()
MATH1 = "erf erfc tgamma lgamma expm1 log1p sinint cosint normal_pdf gaussian_pdf normal_cdf normal_cdf_c landau_pdf landau_cdf cauchy_pdf".split()
MATH2 = """inc_gamma inc_gamma_c beta poisson_pdf poisson_cdf poisson_cdf_c breitwigner_pdf chisquared_pdf chisquared_cdf chisquared_cdf_c exponential_pdf exponential_cdf
exponential_cdf_c tdistribution_pdf tdistribution_cdf tdistribution_cdf_c normal_pdf normal_cdf normal_cdf_c gaussian_cdf gaussian_cdf_c landau_pdf landau_cdf landau_cdf_c cauchy_cdf
cauchy_cdf_c breitwigner_cdf breitwigner_cdf_c cauchy_quantile cauchy_quantile_c breitwigner_quantile breitwigner_quantile_c exponential_quantile exponential_quantile_c normal_quantile
normal_quantile_c gaussian_quantile gaussian_quantile_c""".split()
MATH3 = """inc_beta beta_pdf beta_cdf beta_cdf_c binomial_pdf binomial_cdf binomial_cdf_c negative_binomial_pdf negative_binomial_cdf negative_binomial_cdf_c fdistribution_pdf
fdistribution_cdf fdistribution_cdf_c gamma_pdf gamma_cdf gamma_cdf_c lognormal_pdf lognormal_cdf lognormal_cdf_c uniform_pdf uniform_cdf uniform_cdf_c normal_pdf landau_pdf
chisquared_pdf chisquared_cdf tdistribution_cdf beta_quantile beta_quantile_c fdistribution_quantile fdistribution_quantile_c lognormal_quantile
lognormal_quantile_c uniform_quantile uniform_quantile_c""".split()
MATH4 = """crystalball_function crystalball_pdf crystalball_cdf crystalball_cdf_c crystalball_integral fdistribution_pdf fdistribution_cdf gamma_pdf gamma_cdf lognormal_pdf
lognormal_cdf uniform_pdf uniform_cdf""".split()
CONSTANTS = """Pi TwoPi PiOver2 PiOver4 InvPi RadToDeg DegToRad Sqrt2 E Ln10 LogE C Ccgs CUncertainty G Gcgs GUncertainty GhbarC GhbarCUncertainty Gn GnUncertainty H Hcgs HUncertainty
Hbar Hbarcgs HbarUncertainty HC HCcgs K Kcgs KUncertainty Sigma SigmaUncertainty Na NaUncertainty R RUncertainty MWair Rgair EulerGamma Qe QeUncertainty Infinity QuietNaN
SignalingNaN""".split()

PLAIN_CALLS = """ROOT::Math::chisquared_quantile(a,b) ROOT::Math::chisquared_quantile_c(a,b) ROOT::Math::gamma_quantile(a,b,c) ROOT::Math::gamma_quantile_c(a,b,c)
ROOT::Math::beta_quantile(a,b,c) ROOT::Math::fdistribution_quantile(a,b,c) ROOT::Math::inc_gamma(b,a*c) ROOT::Math::inc_gamma_c(b,a*c) ROOT::Math::inc_beta(a,b,c)
TMath::StudentQuantile(a,b) TMath::ChisquareQuantile(a,b) TMath::VavilovI(20*a-3,0.02*b,c/40) TMath::Vavilov(20*a-3,0.02*b,c/40) TMath::BesselI(c,b*a) TMath::BesselK(c,b*a)
TMath::Voigt(20*a-5,a*b,c,5) TMath::Prob(a*b*c,b) TMath::FDistI(a*c,b,c) TMath::StudentI(a*c,b) TVector2::Phi_mpi_pi(a*c*b) TVector2::Phi_0_2pi(-a*c*b) ROOT::VecOps::DeltaR(a,b,c,a*c)
ROOT::VecOps::DeltaPhi(a*b,c*b)""".split()

CALLS = [
    *(f"{f}(a)" for f in ONES), *(f"TMath::{f}(a)" for f in TMATH1), *FACTORIALS, *(f"{f}(a,b)" for f in TWOS), *(f"TMath::{f}(a,b)" for f in TMATH2),
    *(f"TMath::{f}(a,b,c)" for f in TMATH3), *(f"TMath::{f}(a,b,c,d)" for f in TMATH4), *(f"ROOT::Math::{f}(a)" for f in MATH1), *(f"ROOT::Math::{f}(a,b)" for f in MATH2),
    *(f"ROOT::Math::{f}(a,b,c)" for f in MATH3), *(f"ROOT::Math::{f}(a,b,c,d)" for f in MATH4), "ROOT::Math::crystalball_function(a,b,c,d,0.5)", "ROOT::Math::crystalball_cdf(a,b,c,d,0.5)",
    "ROOT::Math::bigaussian_pdf(a,b,c,d)", "ROOT::Math::bigaussian_pdf(a,b,c,d,0.4,0.5,0.6)", "ROOT::Math::Pi()+0*a", *(f"TMath::{f}()" for f in CONSTANTS),
]


def write(path):
    f = ROOT.TFile.Open(path + "?reproducible=grid.root", "recreate", "", 505)
    for name, size, rows in [*((f"grid{size}", size, rows) for size, rows in GRIDS.items()), ("plain", 3, PLAIN)]:
        tree = ROOT.TTree(name, "arguments")
        cells = [ROOT.std.vector("double")(1) for _ in range(size)]
        for name, cell in zip("abcd", cells):
            tree.Branch(name, cell.data(), f"{name}/D")
        for row in rows:
            for cell, value in zip(cells, row):
                cell[0] = value
            tree.Fill()
        tree.Write()
    f.Close()


def size_of(call):
    return max([1] + [i + 1 for i, name in enumerate("abcd") if any(f"{before}{name}{after}" in call for before in "(,*" for after in "),%") or call.endswith("*" + name)])


def evaluate(path, tree_name, call, seconds=60):
    """In a process of its own: some calls do not return."""
    ours, theirs = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(ours)
        sys.stderr = open(os.devnull, "w")
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
        os.dup2(1, 2)
        f = ROOT.TFile.Open(path)
        tree = f.Get(tree_name)
        tree.SetEstimate(4 * tree.GetEntries() + 1)
        count = 1 if call.endswith("()") and tree_name != "vectors" else tree.GetEntries()
        drawn = tree.Draw(call, "", "goff", count)
        v = tree.GetV1()
        with os.fdopen(theirs, "w") as out:
            if drawn == count or (tree_name == "vectors" and drawn > 0):
                json.dump([x if math.isfinite(x) else "nan" if math.isnan(x) else "inf" if x > 0 else "-inf" for x in (v[i] for i in range(drawn))], out, separators=(",", ":"))
        os._exit(0)
    os.close(theirs)
    text = b""
    with os.fdopen(ours, "rb") as f:
        while select.select([f], [], [], seconds)[0]:
            part = os.read(f.fileno(), 65536)
            if not part:
                break
            text += part
        else:
            os.kill(child, signal.SIGKILL)
            text = b""
    os.waitpid(child, 0)
    return text.decode()


def main():
    path, out = str(FILES / "grid.root"), HERE.parent / "values/functions.json"
    write(path)
    before = json.loads(out.read_text()) if out.exists() else {}
    lines = []
    for key in [*CALLS, *(f"plain {call}" for call in PLAIN_CALLS), *(f"vectors {call}" for call in vectors.CALLS)]:
        tree, _, call = key.rpartition(" ")
        known = before.get(key)
        if known is not None and sys.argv[1:] and not any(name in key for name in sys.argv[1:]):
            text = json.dumps(known, separators=(",", ":"))
        else:
            text = evaluate(str(FILES / "vectors.root") if tree == "vectors" else path, tree or f"grid{size_of(call)}", call)
        if not text:
            print("no values:", key)
            continue
        lines.append(f"{json.dumps(key)}:{text}")
    out.write_text("{\n" + ",\n".join(lines) + "\n}\n")
    print(len(lines), "calls,", out.stat().st_size, "bytes")


main()
