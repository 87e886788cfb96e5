#!/usr/bin/env python3
"""Writes all files of a folder anew in several ways, and has ROOT judge the products.

    python3 tests/write/judge/judge.py CORPUS OUT [--ways skim,order] [--only TEXT] [--keep]

CORPUS is a folder with files/SOURCE/NAME.root; where it also has a compare.py and expected values, this scores the
products of each way, except of merges. Products lie in OUT/WAY/files. ROOT reads all entries of all trees, and what GetEntry returns, the
bytes of the entries of each branch and the values of its leaves are compared with those of the source. The places of
records (records.py) and clusters are checked, too. Needs a Python with ROOT, and dist/ (npm run build). --keep judges
products that are there already.

Prints each fault, and a line for each way; exit status 1 where there are faults.
"""
import argparse
import collections
import os
import shutil
import subprocess
import sys

from digest import Digest, differences
from records import faults_of
from root_process import Root

HERE = os.path.dirname(os.path.abspath(__file__))
XYLEM = ["node", os.path.normpath(os.path.join(HERE, "../../../dist/cli/xylem.js"))]
WAYS = {
    "skim": ["skim", "IN", "OUT"],
    "clusters": ["heal", "IN", "OUT", "--level", "clusters"],
    "order": ["heal", "IN", "OUT", "--level", "order"],
    "rebasket": ["heal", "IN", "OUT", "--level", "rebasket"],
    "zstd": ["skim", "IN", "OUT", "--codec", "zstd:5"],
    "lz4": ["heal", "IN", "OUT", "--codec", "lz4:4"],
    "merge": ["merge", "OUT", "IN", "IN"],
}
# Clusters of these begin where baskets of all branches begin, if there are such places in the source.
TRUE_CLUSTERS = ("clusters", "order", "rebasket", "lz4", "merge")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("corpus")
    parser.add_argument("out")
    parser.add_argument("--ways", default=",".join(WAYS))
    parser.add_argument("--only", default="", help="only files whose path holds this text")
    parser.add_argument("--keep", action="store_true", help="judge products that are there already")
    parser.add_argument("--no-score", action="store_true", help="without compare.py")
    options = parser.parse_args()
    names = sorted(
        os.path.relpath(os.path.join(folder, name), os.path.join(options.corpus, "files"))
        for folder, _, files in os.walk(os.path.join(options.corpus, "files"))
        for name in files
        if name.endswith(".root")
    )
    names = [name for name in names if options.only in name]
    root = Root()
    count = 0
    for way in options.ways.split(","):
        folder = os.path.join(options.out, way)
        refused = {} if options.keep else write(way, options.corpus, folder, names)
        faults = []
        made = [name for name in names if os.path.exists(os.path.join(folder, "files", name))]
        sources = {}
        for name in made:
            # One after the other: ROOT keeps classes of files that it read before, and reads later ones otherwise.
            source = sources[name] = Digest(root.read(os.path.join(options.corpus, "files", name), times_of(way)))
            product = os.path.join(folder, "files", name)
            digest = Digest(root.read(product, 1, source.depth))
            own = differences(source, digest, way in TRUE_CLUSTERS)
            # A record that nothing refers to can be told when ROOT has read all trees.
            own += faults_of(product, digest.baskets, not digest.failed and not digest.unread)
            faults += [f"{name}: {fault}" for fault in own]
        for fault in faults:
            print(way, fault)
        depths = collections.Counter(0 if read.failed else 1 + read.depth for read in sources.values())
        for reason, files in collections.Counter(refused.values()).most_common():
            print(f"{way}: {files} files refused: {reason}")
        print(f"{way}: {len(made)} files, {len(faults)} faults; ROOT read "
              f"values of {depths[3]}, entries of {depths[2]}, baskets of {depths[1]}, and crashed with {depths[0]} sources")
        if way != "merge" and not options.no_score:
            score(options.corpus, folder, options.only)
        sys.stdout.flush()
        count += len(faults)
    root.end()
    sys.exit(1 if count else 0)


def times_of(way):
    """A merge has its input twice."""
    return 2 if way == "merge" else 1


def write(way, corpus, folder, names):
    """Makes the products of a way. Returns why files have none."""
    shutil.rmtree(folder, ignore_errors=True)
    refused = {}
    for name in names:
        source, product = os.path.join(corpus, "files", name), os.path.join(folder, "files", name)
        os.makedirs(os.path.dirname(product), exist_ok=True)
        words = [{"IN": source, "OUT": product}.get(word, word) for word in WAYS[way]]
        done = subprocess.run([*XYLEM, *words], capture_output=True, text=True, timeout=300)
        if not os.path.exists(product):
            refused[name] = (done.stderr.strip().splitlines() or [f"status {done.returncode}"])[0]
            print(way, name, refused[name])
    return refused


def score(corpus, folder, only):
    """Prints the last line of compare.py on the products. Files that were refused count as they are."""
    program = os.path.join(corpus, "compare.py")
    if not os.path.exists(program):
        return
    expected = os.path.join(folder, "expected")
    if not os.path.islink(expected):
        os.symlink(os.path.abspath(os.path.join(corpus, "expected")), expected)
    done = subprocess.run(
        [sys.executable, program, folder, "--only", only, "--list", "0"],
        capture_output=True, text=True, env={**os.environ, "READER": " ".join(XYLEM)},
    )
    with open(os.path.join(folder, "compare.txt"), "w") as file:
        file.write(done.stdout)
    print((done.stdout.strip().splitlines() or [done.stderr.strip()])[-1])


if __name__ == "__main__":
    main()
