#!/usr/bin/env python3
"""Prints what ROOT reads of a file into the classes of a library, as JSON: objects, and the first entries of branches.

    python3 read_objects.py FILE LIBRARY ENTRIES
"""
import json
import sys

import ROOT

ROOT.gROOT.SetBatch(True)
ROOT.gInterpreter.Declare(
    r"""
#include <TBranchElement.h>
#include <TBufferJSON.h>
#include <TClass.h>
#include <TKey.h>
std::string classOf(TBranch *branch) {
    auto *element = dynamic_cast<TBranchElement *>(branch);
    return element ? element->GetClassName() : "";
}
std::string textOf(TBranch *branch) {
    auto *element = dynamic_cast<TBranchElement *>(branch);
    auto *type = TClass::GetClass(element->GetClassName());
    if (!type || !element->GetObject()) return "null";
    return std::string(TBufferJSON::ConvertToJSON(element->GetObject(), type, 3).Data());
}
std::string textOf(TKey *key) {
    auto *type = TClass::GetClass(key->GetClassName());
    void *object = type ? key->ReadObjectAny(nullptr) : nullptr;
    return object ? std::string(TBufferJSON::ConvertToJSON(object, type, 3).Data()) : "null";
}
bool isCompiled(const char *name) {
    auto *type = TClass::GetClass(name);
    return type && type->IsLoaded();
}
"""
)


def read(what):
    try:
        return json.loads(str(what()))
    except Exception as error:
        return f"ROOT throws {type(error).__name__}"


def entry_of(branch, entry):
    branch.GetEntry(entry)
    return ROOT.textOf(branch)


def main(path, library, entries):
    if ROOT.gSystem.Load(library) < 0:
        sys.exit(f"{library} cannot be loaded")
    file = ROOT.TFile.Open(path)
    objects, trees, classes = {}, {}, set()
    folders = [("", file)]
    while folders:
        place, folder = folders.pop()
        for key in folder.GetListOfKeys():
            name = f"{place}{key.GetName()};{key.GetCycle()}"
            kind = ROOT.TClass.GetClass(key.GetClassName())
            if kind and kind.InheritsFrom("TDirectory"):
                folders.append((f"{place}{key.GetName()}/", key.ReadObj()))
            elif kind and kind.InheritsFrom("TTree"):
                tree = key.ReadObj()
                branches = [one for one in tree.GetListOfBranches() if ROOT.classOf(one)]
                classes.update(str(ROOT.classOf(one)) for one in branches)
                trees[name] = {
                    one.GetName(): [
                        read(lambda: entry_of(one, i)) for i in range(min(int(entries), tree.GetEntries()))
                    ]
                    for one in branches
                }
            elif "RNTuple" not in key.GetClassName():
                classes.add(key.GetClassName())
                objects[name] = read(lambda: ROOT.textOf(key))
    lacking = sorted(name for name in classes if not ROOT.isCompiled(name))
    print(json.dumps({"objects": objects, "trees": trees, "classes": sorted(classes), "lacking": lacking}))


if __name__ == "__main__":
    main(*sys.argv[1:])
