#!/usr/bin/env python3
"""Writes the files of the benchmarks with ROOT.

    pip install --pre root==0.1a12 numpy        Python 3.11, Linux x86-64
    python bench/data/make.py build/bench [--scale 1] [--only a,b] [--jobs 2] [--force] [--list]

The values come from random numbers that the name of a column begins, so they are the same on every machine, and a file
of a smaller scale has the first entries of the same columns. Dates and UUIDs differ, and so do the bytes. Beside
NAME.root, NAME.sums.json has the number of values of each branch and their sum, which every reader has to find, and
NAME.meta.json has sizes and numbers. A file of the same scale is not written again. objects.root needs a C++ compiler.
"""

import argparse
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time

import aod
import columns

VERSION = 3  # of the content
HERE = os.path.dirname(os.path.abspath(__file__))


def sums_of(path):
    return path[: -len(".root")] + ".sums.json"


def flat(ROOT, out, list_of_columns, *rest):
    ROOT.gInterpreter.Declare("#pragma cling optimize(3)\n" + f'#include "{HERE}/columns.h"')
    text = "".join(" ".join(str(x) for x in column) + "\n" for column in list_of_columns)
    ROOT.bench.flat(text, out, sums_of(out), *rest)


def aodlike(ROOT, out, *rest):
    classes, branches = aod.model()
    names = aod.leaf_names(classes, branches)
    assert len(names) == len(set(names)) == aod.LEAVES
    ROOT.gInterpreter.Declare(f'#include "{HERE}/columns.h"')
    ROOT.gInterpreter.Declare("#pragma cling optimize(2)\n" + aod.declarations(classes))
    ROOT.gInterpreter.Declare(aod.filling(classes, branches))
    ROOT.bench.aod(out, sums_of(out), "\n".join(names), *rest)


def objects(ROOT, out, *rest):
    with tempfile.TemporaryDirectory() as folder:
        # The compiler puts its products beside the source.
        shutil.copy(os.path.join(HERE, "objects.C"), folder)
        ROOT.gInterpreter.AddIncludePath(HERE)
        if not ROOT.gSystem.CompileMacro(os.path.join(folder, "objects.C"), "kfO-"):
            raise SystemExit("objects.root needs a C++ compiler")
        ROOT.objects(out, sums_of(out), *rest)


def rntuple(ROOT, out, source):
    if os.path.exists(out):
        os.remove(out)
    importer = (getattr(ROOT.Experimental, "RNTupleImporter", None) or ROOT.RNTupleImporter).Create(
        source, "Events", out
    )
    options = importer.GetWriteOptions()
    options.SetCompression(505)
    importer.SetWriteOptions(options)
    importer.SetIsQuiet(True)
    result = importer.Import()
    if hasattr(result, "ThrowOnError"):
        result.ThrowOnError()
    shutil.copy(sums_of(source), sums_of(out))


def files(scale):
    """The function that writes each file: of ROOT and the path."""

    def entries(count):
        return max(10, round(count * scale))

    def tree(make, list_of_columns, *rest):
        return lambda ROOT, out: make(ROOT, out, list_of_columns(), *rest)

    def h1like(title, auto_flush, basket):
        return tree(flat, columns.h1_columns, "h42", title, entries(283813), 101, auto_flush, basket)

    def nano(compression):
        rest = ("Events", "NanoAOD-like", entries(100000), compression, -10000000, 32000)
        return tree(flat, columns.nano_columns, *rest)

    scalars = ("mini", "720k scalars", entries(720000), 101, -30000000, 32000)
    return {
        "h1like": h1like("H1-like, old layout", 0, 32000),
        "h1like-small": h1like("H1-like, old layout, 1 KB buffers", 0, 1000),
        "h1like-flushed": h1like("H1-like, clustered", -30000000, 32000),
        "nano-zlib": nano(101),
        "nano-lzma": nano(208),
        "nano-lz4": nano(404),
        "nano-zstd": nano(505),
        "nano-rntuple": lambda ROOT, out: rntuple(ROOT, out, os.path.join(os.path.dirname(out), "nano-zstd.root")),
        "aodlike": lambda ROOT, out: aodlike(ROOT, out, entries(2000), 101, 0, 2000),
        "aodlike-flushed": lambda ROOT, out: aodlike(ROOT, out, entries(2000), 101, -30000000, 2000),
        "scalars-720k": tree(flat, columns.scalar_columns, *scalars),
        "objects": lambda ROOT, out: objects(ROOT, out, entries(50000), 101),
    }


def described(ROOT, path):
    file = ROOT.TFile.Open(path)
    key = file.GetListOfKeys().At(0)
    name = key.GetName()
    if key.GetClassName() == "ROOT::RNTuple":
        reader = (getattr(ROOT, "RNTupleReader", None) or ROOT.Experimental.RNTupleReader).Open(name, path)
        descriptor = reader.GetDescriptor()
        numbers = {"branches": descriptor.GetNFields(), "columns": descriptor.GetNPhysicalColumns()}
        return {"tree": name, "entries": reader.GetNEntries(), **numbers, "clusters": descriptor.GetNClusters()}
    ROOT.gInterpreter.Declare(f'#include "{HERE}/columns.h"')
    tree = file.Get(name)
    found = ROOT.bench.describe(tree)
    numbers = {"branches": found.branches, "baskets": found.baskets, "clusters": found.clusters}
    return {"tree": name, "entries": tree.GetEntries(), **numbers, "uncompressed": found.bytes}


def write(folder, name, scale):
    import ROOT

    ROOT.gROOT.SetBatch(True)
    ROOT.gErrorIgnoreLevel = ROOT.kError
    path = os.path.join(folder, f"{name}.root")
    part = os.path.join(folder, f"{name}.part.root")
    files(scale)[name](ROOT, part)
    os.replace(part, path)
    os.replace(sums_of(part), sums_of(path))
    head = {"file": f"{name}.root", "version": VERSION, "scale": scale, "bytes": os.path.getsize(path)}
    with open(os.path.join(folder, f"{name}.meta.json"), "w") as out:
        json.dump({**head, **described(ROOT, path)}, out)


def known(folder, name, scale):
    """What is known of a file that was written with this scale; None if it was not."""
    try:
        with open(os.path.join(folder, f"{name}.meta.json")) as file:
            meta = json.load(file)
        size = os.path.getsize(os.path.join(folder, f"{name}.root"))
    except (OSError, ValueError):
        return None
    return meta if (meta["version"], meta["scale"], meta["bytes"]) == (VERSION, scale, size) else None


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("out")
    parser.add_argument("--scale", type=float, default=1.0)
    parser.add_argument("--only", default="")
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--force", action="store_true")
    parser.add_argument("--list", action="store_true")
    parser.add_argument("--one", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.list:
        print("\n".join(files(1)))
        return
    if options.one:
        write(options.out, options.one, options.scale)
        return
    os.makedirs(options.out, exist_ok=True)
    names = [name for name in files(options.scale) if not options.only or name in options.only.split(",")]
    if "nano-rntuple" in names and "nano-zstd" not in names:
        names.insert(0, "nano-zstd")
    todo = [name for name in names if options.force or not known(options.out, name, options.scale)]
    running, failed = {}, []
    while todo or running:
        waits = {*todo, *running} & {"nano-zstd"}
        ready = [name for name in todo if not (name == "nano-rntuple" and waits)]
        for name in ready[: options.jobs - len(running)]:
            todo.remove(name)
            # A process of its own, because ROOT's classes of one file would stay for the next.
            command = [sys.executable, "-W", "ignore", os.path.abspath(__file__), options.out]
            running[name] = subprocess.Popen([*command, "--scale", str(options.scale), "--one", name])
        for name, process in list(running.items()):
            if process.poll() is not None:
                del running[name]
                if process.returncode:
                    failed.append(name)
        time.sleep(0.2)
    print(f"{'file':22s} {'MB':>8s} {'uncompr.':>9s} {'entries':>8s} {'branches':>8s} {'baskets':>8s} {'clusters':>8s}")
    for name in names:
        meta = known(options.out, name, options.scale)
        if meta is None:
            continue
        sizes = f"{meta['bytes'] / 1e6:8.1f} {meta.get('uncompressed', 0) / 1e6:9.1f}"
        numbers = " ".join(f"{meta.get(key, 0):8d}" for key in ("entries", "branches", "baskets", "clusters"))
        print(f"{meta['file']:22s} {sizes} {numbers}")
    if failed:
        raise SystemExit("failed: " + ", ".join(failed))


if __name__ == "__main__":
    main()
