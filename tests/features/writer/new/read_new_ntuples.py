#!/usr/bin/env python3
"""Prints, as JSON, what ROOT and uproot find in RNTuples: python3 read_new_ntuples.py FILE PATH [FILE PATH ...]"""
import json
import sys

import awkward
import ROOT
import uproot

ROOT.gErrorIgnoreLevel = ROOT.kWarning
ROOT.gROOT.SetBatch(True)
ROOT.gInterpreter.Declare(
    """
#include <ROOT/RNTupleReader.hxx>
#include <sstream>
std::string all_entries(const char *file, const char *name) {
   auto reader = ROOT::RNTupleReader::Open(name, file);
   std::ostringstream out;
   for (auto i : *reader) {
      out << (i ? "," : "[");
      reader->Show(i, out);
   }
   return out.str() + "]";
}
std::string types_of(const char *file, const char *name) {
   auto reader = ROOT::RNTupleReader::Open(name, file);
   std::ostringstream out;
   for (const auto &field : reader->GetDescriptor().GetTopLevelFields())
      out << field.GetFieldName() << ' ' << field.GetTypeName() << '\\n';
   return out.str();
}
"""
)


def by_frame(path, name):
    """The sums of columns of numbers, by RDataFrame with threads."""
    frame = ROOT.RDataFrame(name, path)
    sums = {}
    for column in ("f64", "u16", "pt", "jets.pt", "vertex.x"):
        sums[column] = frame.Sum(column)
    return {column: total.GetValue() for column, total in sums.items()}


def free_of_gaps(path):
    """The records of TFile::Map cover the file from its first record to its end."""
    file = ROOT.TFile(path)
    at = file.GetBEGIN() if hasattr(file, "GetBEGIN") else 100
    for record in file.WalkTKeys():
        if record.fAddr != at:
            return False
        at += record.fLen
    return at == file.GetEND() and not file.TestBit(ROOT.TFile.kRecovered)


ROOT.EnableImplicitMT(2)
found = []
for path, name in zip(sys.argv[1::2], sys.argv[2::2]):
    with uproot.open(path) as file:
        entries = awkward.to_list(file[name].arrays())
    found.append({"root": json.loads(str(ROOT.all_entries(path, name))), "sums": by_frame(path, name),
                  "types": dict(line.split(" ", 1) for line in str(ROOT.types_of(path, name)).splitlines()),
                  "uproot": entries, "whole": free_of_gaps(path)})
print(json.dumps(found))
