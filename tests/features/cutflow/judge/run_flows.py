"""Runs programs of "xylem cutflow --code" and prints what they count.

Reads a JSON list of {"id", "text", "cuts", "weighted"} from the standard input. Prints a JSON list: for each program {"left",
"others"} and, where the program has them, "alone", "sums" and "squares", or {"error"}. The programs run in the working directory, each as
users get it. {"id": "plot", "file", "tree", "expr", "cuts", "axis", "weight"} asks TTree::Draw for the bins of entries that pass all cuts, each cut
by an entry list of its own.
"""

import contextlib
import io
import json
import sys


def numbers(values):
    return [float(one) for one in values]


def python_counts(text, coffea, weighted):
    scope = {}
    with contextlib.redirect_stdout(io.StringIO()):
        exec(compile(text, "program", "exec"), scope)
    if coffea:
        result = scope["flow"].result()
        sums = {"sums": numbers(result.wgtevcutflow)} if weighted else {}
        others = {"others": numbers(scope["others"].result().nev[1:-1])} if "others" in scope else {}
        return {"left": numbers(result.nevcutflow), "alone": numbers(result.nevonecut[1:]), **others, **sums}
    left = [count for _, count in scope["flow"]]
    pick = (lambda count, i: float(count[i])) if weighted else (lambda count, i: float(count))
    found = {
        "left": [pick(one, 0) for one in left],
        "alone": [pick(one, 0) for one in scope["alone"].values()],
        "others": [pick(one, 0) for one in scope["others"].values()],
    }
    if weighted:
        found["sums"] = [pick(one, 1) for one in left]
        found["squares"] = [pick(one, 2) ** 2 for one in left]
    return found


count = 0


def cpp_counts(text, kind, cuts, weighted):
    import ROOT

    global count
    if count == 0:
        ROOT.gROOT.SetBatch(True)
        ROOT.gErrorIgnoreLevel = ROOT.kError
        ROOT.gInterpreter.Declare(
            "#include <iostream>\n#include <ROOT/RDataFrame.hxx>\n#include <TEntryList.h>\n"
            "std::map<std::string, std::vector<double>> judged;"
        )
    count += 1
    if kind == "root":
        take = "for (std::size_t i = 0; i <= n; ++i) judged[\"left\"].push_back(kept[i]);"
        take += "for (std::size_t i = 0; i < n; ++i) { judged[\"alone\"].push_back(alone[i]); judged[\"others\"].push_back(others[i]); }"
        if weighted:
            take += "for (std::size_t i = 0; i <= n; ++i) { judged[\"sums\"].push_back(sum[i]); judged[\"squares\"].push_back(squares[i]); }"
    else:
        take = "judged[\"left\"].push_back(report->begin()->GetAll()); for (auto &&cut : *report) judged[\"left\"].push_back(cut.GetPass());"
        take += "".join(f"judged[\"others\"].push_back(*others{i + 1});" for i in range(cuts))
        if weighted:
            for node in ["all", *(f"left{i + 1}" for i in range(cuts))]:
                take += f"judged[\"sums\"].push_back(*{node}_sum); judged[\"squares\"].push_back(*{node}_squares);"
    # What a program prints is for people.
    quiet = "std::ostringstream said; auto before = std::cout.rdbuf(said.rdbuf());"
    if kind == "root":
        # As at the prompt of ROOT, where all of std is at hand.
        text = "using namespace std;\n" + text
    body = f"void flow{count}() {{\n{quiet}\n{text}\nstd::cout.rdbuf(before); judged.clear();\n{take}\n}}"
    if not ROOT.gInterpreter.Declare(body):
        raise RuntimeError("The program does not compile.")
    getattr(ROOT, f"flow{count}")()
    return {str(name): [float(one) for one in values] for name, values in ROOT.judged}


def plot_bins(file, tree, expr, cuts, axis, weight, **_):
    import ROOT

    opened = ROOT.TFile.Open(file)
    entries = opened.Get(tree)
    for i, cut in enumerate(cuts):
        entries.Draw(f">>passing{i}", cut, "entrylist")
        entries.SetEntryList(ROOT.gDirectory.Get(f"passing{i}"))
    bins, low, high = axis
    h = ROOT.TH1D("plotted", "", bins, low, high)
    entries.Draw(f"{expr}>>plotted", weight, "goff")
    return {"bins": [h.GetBinContent(i) for i in range(bins + 2)]}


answers = []
for program in json.load(sys.stdin):
    try:
        kind, text, weighted = program["id"], program.get("text"), program.get("weighted")
        if kind == "plot":
            answers.append(plot_bins(**program))
        elif kind in ("uproot", "coffea"):
            answers.append(python_counts(text, kind == "coffea", weighted))
        else:
            answers.append(cpp_counts(text, kind, program["cuts"], weighted))
    except Exception as error:
        answers.append({"error": f"{type(error).__name__}: {error}"})
json.dump(answers, sys.stdout)
