#!/usr/bin/env python3
"""What ROOT reads of the objects of files.

    python3 read_objects.py FILE...      prints for each file a line of JSON: keys from path;cycle to [class, object]

Cycles count from 1 for the oldest that is there. Objects are as TBufferJSON has them; null where ROOT reads none. Trees are left out.
"""
import json
import sys
import warnings

warnings.simplefilter("ignore")
import ROOT

ROOT.gROOT.SetBatch(True)
ROOT.gErrorIgnoreLevel = ROOT.kFatal


def objects_of(directory, above=""):
    found = {}
    cycles = {}
    for key in directory.GetListOfKeys():
        cycles.setdefault(key.GetName(), []).append(key)
    for name, keys in cycles.items():
        path = above + name
        for cycle, key in enumerate(sorted(keys, key=lambda one: one.GetCycle()), 1):
            kind = ROOT.TClass.GetClass(key.GetClassName())
            if kind and kind.InheritsFrom("TDirectory"):
                found.update(objects_of(key.ReadObj(), path + "/"))
            elif not (kind and kind.InheritsFrom("TTree")):
                found[f"{path};{cycle}"] = [key.GetClassName(), content(key, kind)]
    return found


def content(key, kind):
    """The object itself; what ROOT's classes read into one of their own, such as a vector, is read with its class."""
    if not kind:
        return None
    value = key.ReadObjectAny(kind)
    if not value:
        return None
    return json.loads(str(ROOT.TBufferJSON.ConvertToJSON(value, kind)))


for path in sys.argv[1:]:
    file = ROOT.TFile.Open(path)
    print(json.dumps(objects_of(file)), flush=True)
    file.Close()
