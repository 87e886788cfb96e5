"""Fits with ROOT what bench/fits.mjs fits, and prints the median time of three fits after a first one, as JSON."""
import json
import sys
import time

import numpy as np
import ROOT

ROOT.gROOT.SetBatch(True)
ROOT.gErrorIgnoreLevel = 6000
path, text, options, bins, low, high, start = sys.argv[1:8]
bins, low, high, start = int(bins), float(low), float(high), json.loads(start)
data = np.fromfile(path)
number = [0]
# Results and functions stay: ROOT crashes in a later fit if they are freed.
kept = []


def made():
    number[0] += 1
    function = ROOT.TF1(f"f{number[0]}", text, -1e6, 1e6)
    for i, value in enumerate(start):
        function.SetParameter(i, value)
    return function


if bins:
    h = ROOT.TH1D("h", "", bins, low, high)
    for i, content in enumerate(data):
        h.SetBinContent(i + 1, content)
    words = "SQN0" + options + ("B" if start else "")

    def fit(function):
        begin = time.perf_counter()
        result = h.Fit(function, words).Get()
        return time.perf_counter() - begin, result
else:
    span = ROOT.Fit.DataRange(-10, 10)
    points = ROOT.Fit.UnBinData(len(data), data, span)

    def fit(function):
        fitter = ROOT.Fit.Fitter()
        fitter.SetFunction(ROOT.Math.WrappedMultiTF1(function, 1), False)
        kept.extend([fitter, function])
        begin = time.perf_counter()
        fitter.LikelihoodFit(points, True)
        return time.perf_counter() - begin, fitter.Result()


times = []
for _ in range(4):
    function = made()
    function.Eval(0)  # compiles it
    seconds, result = fit(function)
    times.append(seconds * 1e3)
n = result.NPar()
print(json.dumps({
    "ms": sorted(times[1:])[1],
    "calls": result.NCalls(),
    "values": [result.Parameter(i) for i in range(n)],
    "errors": [result.Error(i) for i in range(n)],
}))
