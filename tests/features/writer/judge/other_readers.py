#!/usr/bin/env python3
"""Has JSROOT, uproot and groot read what judge.py wrote.

    python3 tests/features/writer/judge/other_readers.py CORPUS OUT [--ways skim,order] [--only TEXT] [--readers jsroot,uproot]

CORPUS and OUT as for judge.py, which was run before with the same ways. What a reader makes of a branch of a source,
it must make of the branch of the product. What it cannot read of the source is not asked for.
Needs node_modules, a Python with uproot, and Go, which fetches groot.

Prints each fault, and a line for each way and reader; exit status 1 where there are faults.
"""
import argparse
import json
import os
import subprocess
import sys
import tempfile

HERE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "readers")
READERS = {
    "jsroot": ["node", os.path.join(HERE, "jsroot.mjs")],
    "uproot": [sys.executable, os.path.join(HERE, "uproot_digest.py")],
    "groot": [os.path.join(tempfile.gettempdir(), "xylem-judge-groot")],
}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("corpus")
    parser.add_argument("out")
    parser.add_argument("--ways", default="skim,order,rebasket,zstd")
    parser.add_argument("--only", default="", help="only files whose path holds this text")
    parser.add_argument("--readers", default=",".join(READERS))
    options = parser.parse_args()
    readers = options.readers.split(",")
    if "groot" in readers:
        subprocess.run(["go", "build", "-o", READERS["groot"][0], "."], cwd=os.path.join(HERE, "groot"), check=True)
    count = 0
    for reader in readers:
        sources = {}
        for way in options.ways.split(","):
            folder = os.path.join(options.out, way, "files")
            files, branches, faults = 0, 0, []
            for name in products(folder, options.only):
                if name not in sources:
                    sources[name] = steady_digests_of(reader, os.path.join(options.corpus, "files", name))
                expected = sources[name]
                if not expected:
                    continue
                got = digests_of(reader, os.path.join(folder, name))
                files += 1
                branches += len(expected)
                faults += [
                    f"{name}: {branch}: {'other values' if branch in got else 'not read'}"
                    for branch, digest in expected.items()
                    if got.get(branch) != digest
                ]
            for fault in faults:
                print(way, reader, fault)
            print(f"{way}: {reader} read {files} files with {branches} branches, {len(faults)} faults")
            sys.stdout.flush()
            count += len(faults)
    sys.exit(1 if count else 0)


def products(folder, only):
    names = (
        os.path.relpath(os.path.join(parent, name), folder)
        for parent, _, files in os.walk(folder)
        for name in files
    )
    return sorted(name for name in names if only in name)


def steady_digests_of(reader, path):
    """What a reader makes of a file twice: uproot shows memory that was not written in some arrays."""
    first, second = digests_of(reader, path), digests_of(reader, path)
    return {branch: digest for branch, digest in first.items() if second.get(branch) == digest}


def digests_of(reader, path):
    """What a reader makes of a file; empty where it fails or takes longer than a minute."""
    try:
        done = subprocess.run([*READERS[reader], path], capture_output=True, text=True, timeout=60)
        return json.loads(done.stdout) if done.returncode == 0 else {}
    except (subprocess.TimeoutExpired, ValueError):
        return {}


if __name__ == "__main__":
    main()
