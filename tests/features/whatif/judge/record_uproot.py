#!/usr/bin/env python3
"""Records the ranges that uproot, and NanoEvents of coffea if it is installed, request for baskets and pages.

    python record_uproot.py

Writes tests/fixtures/reads/uproot-reads.json: for each case the ranges of each request, in order.
"""
import json, pathlib, threading

import fsspec.implementations.local as local
import uproot

REPOSITORY = pathlib.Path(__file__).resolve().parents[4]
CASES = [
    ("public/sample.root", "Events", ["nMuon", "Muon_pt", "MET_pt"], None),
    ("public/sample.root", "Events", ["nMuon", "Muon_pt", "MET_pt"], [500, 900]),
    ("public/sample.root", "Events", ["run", "event"], None),
    ("tests/fixtures/files/clusters.root", None, None, None),
    ("tests/fixtures/files/merged.root", None, None, [30, 90]),
    ("tests/fixtures/reads/unwell.root", None, ["*"], None),
    ("tests/fixtures/reads/columns.root", "n", ["number", "pt"], None),
    ("tests/fixtures/reads/columns.root", "n", ["label"], None),
]
seen, lock, inside = [], threading.Lock(), threading.local()
plain = local.LocalFileSystem.cat_ranges


def logged(self, paths, starts, ends, *more, **others):
    with lock:
        seen.append([[a, b - a] for a, b in zip(starts, ends)])
    inside.on = True
    try:
        return plain(self, paths, starts, ends, *more, **others)
    finally:
        inside.on = False


local.LocalFileSystem.cat_ranges = logged
plain_file = local.LocalFileSystem.cat_file


def logged_file(self, path, start=None, end=None, **others):
    # cat_ranges calls it for each range.
    if not getattr(inside, "on", False):
        with lock:
            seen.append([[start, end - start]])
    return plain_file(self, path, start, end, **others)


local.LocalFileSystem.cat_file = logged_file


def tree_of(file, name):
    if name is None:
        name = next(key for key, kind in file.classnames(recursive=False).items() if kind == "TTree")
    return file[name]


def record(path, name, branches, entries):
    with uproot.open(str(REPOSITORY / path), handler=uproot.source.fsspec.FSSpecSource) as file:
        tree = tree_of(file, name)
        start, stop = entries or (None, None)
        if branches is None or branches == ["*"]:
            branches = [b.name for b in tree.branches if b.num_baskets > 0 and not b.branches][:6]
        if hasattr(tree, "page_link_list"):
            tree.page_link_list  # The page lists are metadata.
        seen.clear()
        tree.arrays(branches, entry_start=start, entry_stop=stop)
    return tree.name, branches, list(seen)


def record_coffea(path, name, branches):
    from coffea.nanoevents import BaseSchema, NanoEventsFactory
    events = NanoEventsFactory.from_root({str(REPOSITORY / path): name}, schemaclass=BaseSchema, mode="virtual").events()
    seen.clear()
    for branch in branches:
        import awkward
        awkward.materialize(events[branch])
    return list(seen)


out = []
for path, name, branches, entries in CASES:
    tree, chosen, requests = record(path, name, branches, entries)
    out.append({"program": "uproot", "path": path, "tree": tree, "branches": chosen, "entries": entries, "requests": requests})
    print(path, tree, chosen, len(requests))
versions = {"uproot": uproot.__version__}
try:
    import coffea
    for path, name, branches in [("public/sample.root", "Events", ["Muon_pt", "MET_pt"])]:
        out.append({"program": "coffea", "path": path, "tree": name, "branches": branches, "entries": None,
                    "requests": record_coffea(path, name, branches)})
        print("coffea", out[-1]["requests"])
    versions["coffea"] = coffea.__version__
except ImportError:
    print("coffea is not here")
target = REPOSITORY / "tests/fixtures/reads/uproot-reads.json"
target.write_text(json.dumps({"versions": versions, "cases": out}) + "\n")
