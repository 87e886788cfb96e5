#!/usr/bin/env python3
"""Writes all files of a folder anew in several ways, and has ROOT read the products.

    python3 tests/features/writer/judge/judge.py CORPUS OUT [--ways skim,order] [--only TEXT] [--part 1/4] [--keep]

CORPUS is a folder with files/SOURCE/NAME.root; where it also has a compare.py and expected values, --score scores the
products of each way. Products lie in OUT/WAY/files. ROOT reads all entries of all trees of source and product, each time in
a process of its own: what GetEntry returns, values of leaves, objects, and the bytes of baskets are compared, its messages
counted, and a crash with a product alone is a fault. The places of records (records.py) and clusters are checked, too.
Needs a Python with ROOT, and dist/ (npm run build). --keep judges products that are there already.

Prints each fault, and a line for each way: files that are right, refused and WRONG. OUT/results has the same as JSON;
--report reads it again, of all parts. Exit status 1 where there are faults.
"""
import argparse
import collections
import dataclasses
import importlib.util
import json
import os
import subprocess
import sys

from digest import READINGS, Reading, differences, stable
from records import faults_of
from root_process import Root
from ways import WAYS, chosen

HADD = os.path.join(os.path.dirname(os.path.abspath(importlib.util.find_spec("ROOT").origin)), "bin", "hadd")
HERE = os.path.dirname(os.path.abspath(__file__))
# XYLEM_CLI names another build.
XYLEM = ["node", os.environ.get("XYLEM_CLI") or os.path.normpath(os.path.join(HERE, "../../../dist/cli/xylem.js"))]
SECONDS = 120


class Source:
    """A file, and what ROOT reads of it."""

    def __init__(self, root, path):
        self.root, self.path, self.known = root, path, {}
        self.trees = None

    def read(self, reading, times, choice, only):
        key = (reading, times, str(choice), only)
        if key not in self.known:
            own = Reading(self.root.read(reading, [self.path] * times, choice, only, SECONDS))
            if reading in ("objects", "all") and own.ok:
                own = stable(own, Reading(self.root.read(reading, [self.path] * times, choice, only, SECONDS)))
            self.known[key] = own
        return self.known[key]

    def listing(self):
        """Paths of trees, their entries, and the names of the branches of the trees themselves."""
        if self.trees is None:
            self.trees = []
            keys = xylem("keys", self.path, "--json")
            for key in keys.get("keys", []) if keys else []:
                if key["class"] not in ("TTree", "TNtuple", "TNtupleD") or any(key["path"] == one[0] for one in self.trees):
                    continue
                tree = xylem("tree", self.path, key["path"], "--json")
                tree = tree and tree.get("tree")
                if tree:
                    top = [branch["path"] for branch in tree["branches"] if branch["parent"] < 0]
                    self.trees.append((key["path"], tree["entries"], top))
        return self.trees


def xylem(*words):
    done = subprocess.run([*XYLEM, *words], capture_output=True, timeout=SECONDS)
    try:
        return json.loads(done.stdout)
    except ValueError:
        return None


def write(way, source, product, name):
    """Makes a product. Gives the first line of the error, or None; and what was chosen. A status above 1 is a crash."""
    words = {"IN": source.path, "OUT": product}
    only, choice = "", None
    if way.one_tree:
        picked = chosen(way, name, source.listing())
        if picked is None:
            return "there is no tree to choose of", only, choice
        own, only, choice = picked
        words.update(own)
    os.makedirs(os.path.dirname(product), exist_ok=True)
    if os.path.exists(product):
        os.remove(product)
    command = [words.get(word, word) for word in way.words]
    try:
        done = subprocess.run([*XYLEM, *command], capture_output=True, timeout=5 * SECONDS)
    except subprocess.TimeoutExpired:
        return "WRONG: it takes too long", only, choice
    if os.path.exists(product):
        return None, only, choice
    lines = done.stderr.decode("utf-8", "replace").strip().splitlines()
    error = next((line for line in lines if line.startswith("xylem: ")), lines[-1] if lines else "no line")
    typed = done.returncode == 1 and error.endswith("]") and "[INTERNAL]" not in error
    return (error if typed else f"WRONG: status {done.returncode}: {error}"), only, choice


def judged(root, way, source, product, only, choice):
    """The faults of a product, and the readings of the source by which it was judged."""
    faults, by = [], []
    at_once = source.read("all", way.times, choice, only).ok
    for reading in ("all",) if at_once else READINGS:
        before = source.read(reading, way.times, choice, only)
        after = Reading(root.read(reading, [product], None, only, SECONDS))
        found = list(differences(reading, before, after, way))
        if found and before.ok and after.ok:
            # What is another time otherwise says nothing about the product.
            stable(before, Reading(root.read(reading, [source.path] * way.times, choice, only, SECONDS)))
            stable(after, Reading(root.read(reading, [product], None, only, SECONDS)))
            found = differences(reading, before, after, way)
        faults += found
        if before.ok:
            by += READINGS if at_once else [reading]
        if reading in ("places", "all"):
            # A record that nothing refers to can be told when ROOT has read all trees.
            faults += faults_of(product, after.baskets, after.ok and not after.unread)
    if faults and way.words[0] == "merge" and like_hadd(root, way, source, product):
        faults = []
    return faults, by


def like_hadd(root, way, source, product):
    """Whether ROOT reads the same of a merged file as of the one that hadd makes: some entries it reads otherwise there."""
    merged = product + ".hadd.root"
    inputs = [source.path] * way.times
    subprocess.run([HADD, "-f", merged, *inputs], capture_output=True, timeout=5 * SECONDS)
    if not os.path.exists(merged):
        return False
    one = Source(root, merged).read("all", 1, None, "")
    other = Reading(root.read("all", [product], None, "", SECONDS))
    os.remove(merged)
    return one.ok and not list(differences("all", one, other, dataclasses.replace(way, true_clusters=False)))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("corpus")
    parser.add_argument("out")
    parser.add_argument("--ways", default=",".join(name for name in WAYS if name != "rntuple"))
    parser.add_argument("--only", default="", help="only files whose path holds this text")
    parser.add_argument("--part", default="1/1", help="K/N: every Nth file from the Kth on")
    parser.add_argument("--keep", action="store_true", help="judge products that are there already")
    parser.add_argument("--drop", action="store_true", help="remove products that are right")
    parser.add_argument("--score", action="store_true", help="also with compare.py")
    parser.add_argument("--report", action="store_true", help="the table of all parts that were judged before")
    options = parser.parse_args()
    ways = options.ways.split(",")
    results = os.path.join(options.out, "results")
    os.makedirs(results, exist_ok=True)
    if options.report:
        found = []
        for name in sorted(os.listdir(results)):
            with open(os.path.join(results, name)) as file:
                found += [json.loads(line) for line in file]
        sys.exit(report(ways, found))
    part, parts = (int(word) for word in options.part.split("/"))
    names = files_of(options.corpus, options.only)[part - 1 :: parts]
    root = Root()
    found = []
    with open(os.path.join(results, f"{'-'.join(ways)[:60]}-{part}-of-{parts}.jsonl"), "w") as log:
        for name in names:
            source = Source(root, os.path.join(options.corpus, "files", name))
            for way in ways:
                one = judge_one(root, way, source, os.path.join(options.out, way, "files", name), name, options)
                found.append(one)
                log.write(json.dumps(one) + "\n")
                log.flush()
                for fault in one["faults"]:
                    print(way, f"{name}: {fault}", flush=True)
    root.end()
    status = report(ways, found)
    if options.score:
        for way in ways:
            score(options.corpus, os.path.join(options.out, way), options.only)
    sys.exit(status)


def judge_one(root, name_of_way, source, product, name, options):
    way = WAYS[name_of_way]
    result = {"file": name, "way": name_of_way, "faults": [], "by": [], "refused": None}
    if options.keep and not way.one_tree:
        error, only, choice = (None if os.path.exists(product) else "not there"), "", None
    else:
        error, only, choice = write(way, source, product, name)
    if error and error.startswith("WRONG"):
        result["faults"].append(error)
    elif error:
        result["refused"] = error
    else:
        result["faults"], result["by"] = judged(root, way, source, product, only, choice)
        if options.drop and not result["faults"]:
            os.remove(product)
    return result


def files_of(corpus, only):
    folder = os.path.join(corpus, "files")
    names = (
        os.path.relpath(os.path.join(parent, name), folder)
        for parent, _, files in os.walk(folder)
        for name in files
        if name.endswith(".root")
    )
    return sorted(name for name in names if only in name)


def report(ways, found):
    """Prints a table, and why files were refused. Returns the exit status."""
    rows, refused = [], collections.Counter()
    for way in ways:
        own = [one for one in found if one["way"] == way]
        if not own:
            continue
        wrong = [one for one in own if one["faults"]]
        for one in own:
            if one["refused"]:
                refused[f"{way}: {reason(one['refused'])}"] += 1
        right = [one for one in own if not one["faults"] and not one["refused"]]
        depths = collections.Counter(len(one["by"]) for one in right)
        rows.append((way, len(own), len(right), depths[len(READINGS)], depths[0], sum(1 for one in own if one["refused"]), len(wrong)))
    print(f"{'way':10} {'files':>6} {'right':>6} {'in full':>8} {'places only':>12} {'refused':>8} {'WRONG':>6}")
    for way, files, right, full, none, out, wrong in rows:
        print(f"{way:10} {files:6} {right:6} {full:8} {none:12} {out:8} {wrong:6}")
    for text, count in refused.most_common():
        print(f"refused {count}: {text}")
    return 1 if any(row[-1] for row in rows) else 0


def reason(error):
    """An error without the names in it."""
    import re

    return re.sub(r'"[^"]*"|\S*\.root\S*|\d[\d,]*', "…", error)[:160]


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
