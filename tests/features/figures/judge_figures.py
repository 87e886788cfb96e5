"""Runs programs of figures and prints their bins and the sizes of their pages.

Reads a JSON list of {"language", "text", "layers", "name"} from the standard input. Prints a JSON list of {"bins", "seen", "page"}: the contents of the bins
of each layer, x fastest, what is seen of the panel below, and width and height of the page in mm; or {"error"}. The pages are kept as NAME.pdf in the working directory.
"""

import json
import os
import re
import sys

import matplotlib

matplotlib.use("Agg")


def list_of(values):
    import numpy as np

    return np.asarray(values).T.ravel().tolist()


def python_bins(text):
    scope = {}
    exec(compile(text, "program", "exec"), scope)
    scope["plt"].close("all")
    bins = [list_of(h.values()) for _, h in scope["layers"]]
    seen = {}
    if "ax" in scope:
        seen["title"] = scope["ax"].get_ylabel()
    if "below" in scope:
        seen["range"] = list(scope["below"].get_ylim())
        seen["points"] = [sum(1 for y in bars[0].get_ydata() if y == y) for bars in scope["below"].containers]
    return bins, seen


count = 0


def cpp_bins(text, layers):
    import ROOT

    global count
    if count == 0:
        ROOT.gROOT.SetBatch(True)
        ROOT.gErrorIgnoreLevel = ROOT.kWarning
        ROOT.gInterpreter.Declare("#include <iostream>\n#include <ROOT/RDataFrame.hxx>\nstd::vector<std::vector<double>> judged;")
    count += 1
    take = "".join(
        f"""
{{ judged.emplace_back(); for (int j = 1; j <= layer{k + 1}->GetNbinsY(); ++j)
for (int i = 1; i <= layer{k + 1}->GetNbinsX(); ++i) judged.back().push_back(layer{k + 1}->GetBinContent(layer{k + 1}->GetBin(i, j))); }}"""
        for k in range(layers)
    )
    take += "\njudged.push_back({axes2->GetMinimum(), axes2->GetMaximum()});" if "axes2" in text else ""
    if not ROOT.gInterpreter.Declare(f"void figure{count}() {{\n{text}\njudged.clear();{take}\n}}"):
        raise RuntimeError("The program does not compile.")
    getattr(ROOT, f"figure{count}")()
    judged = [list(bins) for bins in ROOT.judged]
    return judged[:layers], {"range": judged[layers]} if len(judged) > layers else {}


def page_size(path):
    """Width and height of the page as it is shown, in mm: the crop box where there is one, turned if the page is."""
    data = open(path, "rb").read()
    boxes = {name: [float(one) for one in box.split()] for name, box in re.findall(rb"/(CropBox|MediaBox)\s*\[([^\]]*)\]", data)}
    left, low, right, high = boxes.get(b"CropBox", boxes[b"MediaBox"])
    size = [(right - left) / 72 * 25.4, (high - low) / 72 * 25.4]
    turned = re.search(rb"/Rotate\s+(90|270)", data)
    return size[::-1] if turned else size


answers = []
for program in json.load(sys.stdin):
    try:
        if os.path.exists("figure.pdf"):
            os.remove("figure.pdf")
        bins, seen = python_bins(program["text"]) if program["language"] == "python" else cpp_bins(program["text"], program["layers"])
        path = program["name"] + ".pdf"
        os.replace("figure.pdf", path)
        answers.append({"bins": bins, "seen": seen, "page": page_size(path)})
    except Exception as error:
        answers.append({"error": f"{type(error).__name__}: {error}"})
json.dump(answers, sys.stdout)
