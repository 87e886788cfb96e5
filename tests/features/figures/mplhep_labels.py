"""Writes mplhep-labels.json: the texts of labels as mplhep makes them, without its commands for fonts.

    pip install mplhep && python tests/features/figures/mplhep_labels.py
"""

import json
import pathlib
import re

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt  # noqa: E402
import mplhep as mh  # noqa: E402

CASES = [
    {"lumi": 138, "year": 2018, "com": 13},
    {"lumi": 138, "com": 13},
    {"lumi": "5.02", "year": None, "com": None},
    {"year": 2022, "com": "13.6"},
    {"lumi": 9, "com": "500 GeV"},
    {"com": 8},
]
PLACES = ["above", "inside", "lines", "split", "beside"]


def plain(text):
    """mplhep's mathematical text as TLatex."""
    text = re.sub(r"\\mathrm\{((?:[^{}]|\{[^{}]*\})*)\}", r"\1", text).replace(r"\ ", " ").replace("$", "")
    return re.sub(r"\s+", " ", text.replace(r"\sqrt", "#sqrt")).strip(" ,")


found = []
for loc, place in enumerate(PLACES):
    for case in CASES:
        fig, ax = plt.subplots()
        exp, text, lumi, supp = mh.label.exp_label(exp="CMS", text="Preliminary", data=True, loc=loc, ax=ax, **case)
        above = exp.get_position()[1] >= 1
        found.append(
            {
                "place": place,
                "case": case,
                "right": "" if lumi is None else plain(lumi.get_text()),
                "isAbove": above,
                "sizes": [t.get_fontsize() / text.get_fontsize() for t in (exp, lumi) if t is not None],
            }
        )
        plt.close(fig)
path = pathlib.Path(__file__).with_name("mplhep-labels.json")
path.write_text(json.dumps(found, indent=1) + "\n")
