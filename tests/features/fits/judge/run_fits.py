"""Runs programs of fits and prints their parameters.

    python run_fits.py DATA OUT < programs.json

Writes the data of tests/fixtures/fits/fits.json (DATA) as objects and trees into OUT, in whose folder the programs run. Reads a JSON list of
{"language", "text"} from the standard input. Prints a JSON list of {"values", "errors", "fcn", "valid"}, or {"error"}.
"""

import contextlib
import io
import json
import math
import os
import sys

import numpy as np
import ROOT

ROOT.gROOT.SetBatch(True)
ROOT.gErrorIgnoreLevel = ROOT.kError
ROOT.TH1.AddDirectory(False)


def profile_of(name, one):
    """A profile with these means and errors: two values in each bin."""
    bins, low, high = one["axis"]
    p = ROOT.TProfile(name, name, bins, low, high)
    for i, (mean, error) in enumerate(zip(one["counts"], one["errors"])):
        if mean == 0 and error == 0:
            continue
        x = p.GetXaxis().GetBinCenter(i + 1)
        for sign in (-1, 1):
            p.Fill(x, mean + sign * error * math.sqrt(2))
    return p


def object_of(name, one):
    if "class" in one:
        arrays = [np.array(a, dtype=float) for a in (one["x"], one["y"], *one.get("sides", []))]
        n = len(arrays[0])
        if one["class"] == "TGraph":
            return ROOT.TGraph(n, *arrays)
        x, y, left, right, down, up = arrays
        if one["class"] == "TGraphErrors":
            return ROOT.TGraphErrors(n, x, y, left, down)
        return ROOT.TGraphAsymmErrors(n, x, y, left, right, down, up)
    if name in ("profile", "curved"):
        return profile_of(name, one)
    axis = one["axis"]
    if "second" in one:
        h = ROOT.TH2D(name, name, *axis, *one["second"])
        for k, content in enumerate(one["counts"]):
            h.SetBinContent(k % axis[0] + 1, k // axis[0] + 1, content)
        return h
    h = ROOT.TH1D(name, name, *axis) if len(axis) == 3 else ROOT.TH1D(name, name, len(axis) - 1, np.array(axis, dtype=float))
    for i, content in enumerate(one["counts"]):
        h.SetBinContent(i + 1, content)
        if "errors" in one:
            h.SetBinError(i + 1, one["errors"][i])
    return h


def write_data(source, out):
    data = json.load(open(source))["data"]
    file = ROOT.TFile(out, "recreate")
    for name, one in data.items():
        if "values" not in one:
            object_of(name, one).Write(name)
            continue
        tree = ROOT.TTree(name, name)
        x = np.zeros(1)
        tree.Branch("x", x, "x/D")
        for value in one["values"]:
            x[0] = value
            tree.Fill()
        tree.Write()
    file.Close()


def of_python(text):
    scope = {}
    with np.errstate(all="ignore"):
        exec(compile(text, "program", "exec"), scope)
    m = scope["m"]
    told = {"values": list(m.values), "errors": [float(e) for e in scope["errors"]], "fcn": m.fval, "valid": m.valid}
    if m.merrors:
        told["minos"] = [[m.merrors[name].lower, m.merrors[name].upper] if name in m.merrors else None for name in m.parameters]
    return told


count = 0


def of_root(text):
    global count
    if count == 0:
        ROOT.gInterpreter.Declare("#include <iostream>\n#include <Fit/Fitter.h>\n#include <Fit/UnBinData.h>\n#include <Math/WrappedMultiTF1.h>\n#include <TFitResult.h>\nROOT::Fit::FitResult judged;")
    count += 1
    if text.startswith("{"):
        text = text.strip()[1:-1]
    defaults = ROOT.Math.MinimizerOptions
    defaults.SetDefaultTolerance(0.01)
    defaults.SetDefaultStrategy(1)
    defaults.SetDefaultMaxFunctionCalls(0)
    if not ROOT.gInterpreter.Declare(f"void fit{count}() {{\n{text}\njudged = *result;\n}}"):
        raise RuntimeError("The program does not compile.")
    getattr(ROOT, f"fit{count}")()
    r = ROOT.judged
    n = r.NPar()
    told = {
        "values": [r.Parameter(i) for i in range(n)],
        "errors": [r.Error(i) for i in range(n)],
        "fcn": r.MinFcnValue(),
        "valid": bool(r.IsValid()),
    }
    if any(r.HasMinosError(i) for i in range(n)):
        told["minos"] = [[r.LowerError(i), r.UpperError(i)] if r.HasMinosError(i) else None for i in range(n)]
    return told


source, out = sys.argv[1:]
write_data(source, out)
os.chdir(os.path.dirname(os.path.abspath(out)))
answers = []
for program in json.load(sys.stdin):
    try:
        with contextlib.redirect_stdout(io.StringIO()):
            answers.append(of_python(program["text"]) if program["language"] == "python" else of_root(program["text"]))
    except Exception as thrown:  # noqa: BLE001
        answers.append({"error": f"{type(thrown).__name__}: {thrown}"[:2000]})
print("ANSWERS" + json.dumps(answers).replace("NaN", "null").replace("-Infinity", "null").replace("Infinity", "null"))
