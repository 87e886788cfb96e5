#!/usr/bin/env python3
"""Judges `xylem types FILE --cpp FOLDER`: builds the folder with CMake, loads the library into ROOT, reads the objects of the file
into its classes, and compares them with what xylem reads.

    python3 build_classes.py XYLEM.js FOLDER FILE…

Prints a line of JSON for each file: {"file", "built", "compared", "differ": [...], "lacking": [...]}: how many values of
branches and objects were compared and which differ, and classes of branches and keys that are in no dictionary.
"""
import json
import math
import os
import re
import shutil
import subprocess
import sys

ENTRIES = 5
HERE = os.path.dirname(os.path.abspath(__file__))


def run(*line):
    done = subprocess.run(line, capture_output=True, text=True, timeout=900)
    if done.returncode != 0:
        raise RuntimeError(f"{' '.join(line[:4])}: {(done.stdout + done.stderr)[-1500:]}")
    return done.stdout


def cmake_of_root(folder):
    """The folder of ROOTConfig.cmake. In ROOT's Python package it names libraries in a folder that is not there."""
    import importlib.util

    root = os.environ.get("ROOTSYS") or os.path.dirname(importlib.util.find_spec("ROOT").origin)
    own = os.path.join(root, "cmake")
    targets = os.path.join(own, "ROOTConfig-targets-release.cmake")
    if not os.path.exists(targets) or "mock_site_packages" not in open(targets).read():
        return own
    copy = os.path.join(folder, "root", "site-packages", "ROOT")
    if not os.path.exists(copy):
        os.makedirs(copy)
        for name in os.listdir(root):
            if name != "cmake":
                os.symlink(os.path.join(root, name), os.path.join(copy, name))
        shutil.copytree(own, os.path.join(copy, "cmake"))
        os.symlink("site-packages", os.path.join(folder, "root", "mock_site_packages"))
        path = os.path.join(copy, "cmake", os.path.basename(targets))
        lines = [line for line in open(path) if "_cmake_import_check" not in line]
        with open(path, "w") as out:
            out.writelines(lines)
    return os.path.join(copy, "cmake")


def plain(value):
    """One form of what both say: pairs as lists, and no names of classes."""
    if isinstance(value, dict):
        kept = {name: plain(one) for name, one in value.items() if name not in ("_typename", "$pair")}
        return [kept["first"], kept["second"]] if set(kept) == {"first", "second"} else kept
    if isinstance(value, list):
        return [plain(one) for one in value]
    if value in ("inf", "-inf", "nan"):
        return float(value)
    return value


def shape(value):
    """Containers and texts without the object around them: the name of a list, and the options of its links, are ROOT's own."""
    if isinstance(value, dict) and set(value) == {"This"}:
        return value["This"]
    if isinstance(value, dict) and value.get("fUIDs") == []:
        # A TRefArray without elements.
        return []
    if isinstance(value, dict) and "arr" in value and set(value) <= {"_typename", "name", "arr", "opt", "$id"}:
        return value["arr"]
    if isinstance(value, dict) and set(value) <= {"_typename", "fUniqueID", "fBits", "fString"} and "fString" in value:
        return value["fString"]
    return value


def difference(a, b, place=""):
    """The place and the values of the first difference; None if both say the same."""
    a, b = shape(a), shape(b)
    if isinstance(a, dict) and isinstance(b, dict):
        # Bits say where an object lay in memory, too.
        found = (difference(a[name], b[name], f"{place}.{name}") for name in a if name in b and name != "fBits")
        return next((one for one in found if one), None)
    if isinstance(a, list) and isinstance(b, list) and len(a) == len(b):
        if all(isinstance(one, list) and len(one) == 2 and isinstance(shape(one[0]), str) for one in a + b):
            # The order of a TMap is that of its hash table.
            a, b = (sorted(pairs, key=lambda one: shape(one[0])) for pairs in (a, b))
        found = (difference(one, other, f"{place}[{i}]") for i, (one, other) in enumerate(zip(a, b)))
        return next((one for one in found if one), None)
    return None if same(a, b) else f"{place}: xylem {json.dumps(a)[:80]}, ROOT {json.dumps(b)[:80]}"


def same(a, b):
    if a is None and b == [] or a == [] and b is None:
        # A pointer to an empty array.
        return True
    if isinstance(a, list) and isinstance(b, str) and all(isinstance(one, int) for one in a):
        # ROOT prints an array of characters as a text.
        return bytes(one & 255 for one in a).split(b"\0")[0] == b.encode("latin1", "replace")
    if isinstance(a, str) and isinstance(b, str):
        return a.split("\0")[0] == b.split("\0")[0]
    if isinstance(a, bool) or isinstance(b, bool):
        return bool(a) == bool(b)
    if isinstance(a, (int, float)) and isinstance(b, (int, float)):
        # With the 15 digits that ROOT prints the largest number is more than the largest number.
        if math.inf in (abs(a), abs(b)):
            return a * b > 0 and min(abs(a), abs(b)) > 1.7976931348623e308
        return a == b or a != a and b != b or math.isclose(a, b, rel_tol=1e-5, abs_tol=1e-30)
    return a == b


NOWHERE = object()


def member(value, names):
    """The member of a value at a path, for each element of a list; NOWHERE if there is none."""
    if not names:
        return value
    if isinstance(value, dict) and re.fullmatch(r"TClonesArray|TObjArray|TList", value.get("_typename", "")):
        value = value["arr"]
    if isinstance(value, list):
        found = [member(one, names) for one in value]
        return NOWHERE if NOWHERE in found or not found else found
    if not isinstance(value, dict):
        return NOWHERE
    if names[0] in value:
        return member(value[names[0]], names[1:])
    # Members of base classes lie beside the own ones.
    return member(value, names[1:]) if len(names) > 1 else NOWHERE


def judge(xylem, folder, cmake, file):
    name = "p_" + re.sub(r"\W", "_", os.path.basename(file))[:40]
    to = os.path.join(folder, name)
    result = {"file": os.path.basename(file), "built": False, "compared": 0, "differ": [], "lacking": []}
    run("node", xylem, "types", file, "--cpp", to)
    run("cmake", "-S", to, "-B", f"{to}/build", f"-DROOT_DIR={cmake}", "-DCMAKE_BUILD_TYPE=Debug")
    run("cmake", "--build", f"{to}/build")
    result["built"] = True
    script = os.path.join(HERE, "read_objects.py")
    read = json.loads(run(sys.executable, script, file, f"{to}/build/lib{name}.so", str(ENTRIES)).splitlines()[-1])
    result["lacking"] = read["lacking"]

    def compare(place, ours, theirs):
        result["compared"] += 1
        found = difference(plain(ours), plain(theirs), place)
        if found:
            result["differ"].append(found)

    for tree, branches in read["trees"].items():
        line = ["node", xylem, "values", file, tree, "--json", "--entries", f"0:{ENTRIES}"]
        told = subprocess.run(line, capture_output=True, text=True).stdout
        for path, told_of in (json.loads(told)["branches"] if told else {}).items():
            top = next((one for one in branches if path == one or re.match(re.escape(one) + r"[./]", path)), None)
            top = top or next((one for one in branches if one.rstrip(".") == path.split("/")[0]), None)
            # Bits say where an object lay in memory, too.
            if top is None or "values" not in told_of or path.endswith("fBits"):
                continue
            rest = [re.sub(r"\[.*", "", one) for one in re.split(r"[./]", path) if one]
            # The name of the branch comes first, and again if its branches have it in their names.
            for _ in range(2 if re.search(r"[/]" + re.escape(top.rstrip(".")) + r"\.", path) else 1):
                rest = rest[rest[:1] == [top.rstrip(".")] :]
            # A branch of a collection has the number of its elements.
            for entry, ours in enumerate(told_of["values"][: len(branches[top])]):
                theirs = member(branches[top][entry], rest)
                if theirs is not NOWHERE and not (isinstance(ours, int) and isinstance(theirs, (list, dict))):
                    compare(f"{path} {entry}", ours, theirs)
    for key, theirs in read["objects"].items():
        told = subprocess.run(["node", xylem, "object", file, key, "--json"], capture_output=True, text=True).stdout
        if told:
            compare(key, json.loads(told), theirs)
    return result


def main(xylem, folder, *files):
    os.makedirs(folder, exist_ok=True)
    cmake = cmake_of_root(folder)
    for file in files:
        try:
            print(json.dumps(judge(xylem, folder, cmake, file)), flush=True)
        except Exception as error:
            print(json.dumps({"file": os.path.basename(file), "failed": str(error)}), flush=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
