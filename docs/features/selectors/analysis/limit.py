"""Upper limits on the strength of the signal by pyhf, from histograms that `xylem process --shapes` or coffea_analysis.py wrote.

    python limit.py shapes.root
"""
import json
import sys

import numpy as np
import pyhf
import uproot

SOURCES = ["muonSf", "pileup", "btag", "jes", "muonScale"]


def workspace(path):
    with uproot.open(path) as file:

        def contents(key):
            # A bin without simulated events, or with more negative weights, would make the likelihood undefined.
            return np.maximum(file[key].values(), 1e-3)

        def sample(channel, name):
            nominal = contents(f"{channel}/{name}")
            errors = np.sqrt(file[f"{channel}/{name}"].variances())
            sources = [
                {
                    "name": source,
                    "type": "histosys",
                    "data": {f"{to}_data": list(contents(f"{channel}/{name}_{source}{way}")) for to, way in (("hi", "Up"), ("lo", "Down"))},
                }
                for source in SOURCES
            ]
            strength = [{"name": "strength", "type": "normfactor", "data": None}] if name == "signal" else []
            statistics = [{"name": f"statistics_{channel}", "type": "staterror", "data": list(errors)}]
            return {"name": name, "data": list(nominal), "modifiers": [*strength, *sources, *statistics]}

        channels = ("signal", "control")
        parameters = {"name": "strength", "bounds": [[0, 20]], "inits": [1.0]}
        spec = {
            "channels": [{"name": one, "samples": [sample(one, name) for name in ("dy", "tt", "signal")]} for one in channels],
            "observations": [{"name": one, "data": list(file[f"{one}/data_obs"].values())} for one in channels],
            "measurements": [{"name": "search", "config": {"poi": "strength", "parameters": [parameters]}}],
            "version": "1.0.0",
        }
    return pyhf.Workspace(spec)


def limits(path):
    """Returns the observed limit at 95 % and the five expected ones, from two standard deviations below to two above."""
    whole = workspace(path)
    model = whole.model()
    observed, expected = pyhf.infer.intervals.upper_limits.upper_limit(whole.data(model), model, scan=np.linspace(0, 5, 11))
    return [float(observed), *map(float, expected)]


if __name__ == "__main__":
    print(json.dumps(limits(sys.argv[1])))
