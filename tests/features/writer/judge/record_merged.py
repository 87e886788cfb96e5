#!/usr/bin/env python3
"""Makes small files of objects, and records what hadd makes of them, for tests without ROOT.

    python3 tests/features/writer/judge/record_merged.py      writes tests/features/writer/merged/part0.root, part1.root and merged.json

The objects are those of merge_zoo.h whose names are in NAMES. merged.json has for each of them the numbers and texts that
differ in hadd's product from the first file, by their places, as TBufferJSON has them.
"""
import json
import os
import subprocess
import sys
import tempfile

from merge_judge import HADD, HERE, ROOT, make, read

NAMES = """h1c h1l h1f weighted weighted_later empty_first h2f h3d set set_negative zero_sum ranged stat_overflows_12 set_entries
coarse moved2 extended empty_first_other_axis buffer_later buffer_open names names_order names_more names2_x names_empty_first
p1 p1_weighted p1_moved p2 p3 poly profile_poly thn_d thn_i sparse_d sparse_f sparse_equal eff eff_scale
eff_equal double_sum double_times double_most double_least double_first double_last double_equal_sum float_times int_most long64_sum
bool_some bool_some_times statistic statistic_empty_first scalar events entries list list_mixed
list_nested array ordered stack graph graph_errors graph_sides graph_bent graph_polar text text_equal named cycles""".split()
TARGET = os.path.join(HERE, "..", "merged")


def choose(source, target):
    """The chosen objects of a file, in a new one."""
    ROOT.TH1.AddDirectory(False)
    inside = ROOT.TFile.Open(source)
    out = ROOT.TFile(target, "RECREATE", "", 505)
    for name in NAMES:
        keys = [key for key in inside.GetListOfKeys() if key.GetName() == name]
        for key in sorted(keys, key=lambda one: one.GetCycle()):
            value = key.ReadObj()
            out.WriteTObject(value, name)
    out.Close()


def changes(now, before, place=""):
    """Numbers and texts that differ, and lengths of lists, by their places."""
    if isinstance(now, dict):
        before = before if isinstance(before, dict) else {}
        # TBufferJSON has the class of a list for its name.
        names = [name for name in now if name != "name"]
        return {k: v for name in names for k, v in changes(now[name], before.get(name), f"{place}.{name}" if place else name).items()}
    if isinstance(now, list):
        before = before if isinstance(before, list) else []
        found = {} if len(now) == len(before) else {f"{place}.length": len(now)}
        for i, value in enumerate(now):
            found.update(changes(value, before[i] if i < len(before) else None, f"{place}.{i}"))
        return found
    return {} if now == before else {place: now}


def main():
    os.makedirs(TARGET, exist_ok=True)
    with tempfile.TemporaryDirectory() as folder:
        parts = []
        for k, path in enumerate(make(folder, 2, 7, True)[0]):
            parts.append(os.path.join(TARGET, f"part{k}.root"))
            choose(path, parts[-1])
        merged = os.path.join(folder, "merged.root")
        subprocess.run([HADD, "-f", merged, *parts], check=True, capture_output=True)
        first, expected = read(parts[0]), read(merged)
    lines = []
    for name, (kind, value) in sorted(expected.items()):
        found = changes(value, first.get(name, [None, None])[1])
        lines.append(f" {json.dumps(name)}: {json.dumps(found, separators=(',', ':'))}")
    with open(os.path.join(TARGET, "merged.json"), "w") as file:
        file.write("{\n" + ",\n".join(lines) + "\n}\n")


if __name__ == "__main__":
    sys.path.insert(0, HERE)
    main()
