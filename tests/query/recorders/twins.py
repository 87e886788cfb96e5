"""The same events as a TTree and as an RNTuple, for twins.test.ts.

    oracle/bin/python tests/query/recorders/twins.py

Writes twins_tree.root and twins_ntuple.root, each with 400 events of the sample as "Events".
"""
import pathlib

import ROOT

HERE = pathlib.Path(__file__).resolve().parent
FILES = HERE.parent / "files"
sample = ROOT.TFile.Open(str(HERE.parents[2] / "public/sample.root"))
out = ROOT.TFile.Open(f"{FILES}/twins_tree.root?reproducible=twins_tree.root", "recreate", "", 404)
tree = sample.Get("Events").CopyTree("", "", 400)
tree.Write()
out.Close()
(FILES / "twins_ntuple.root").unlink(missing_ok=True)
importer = ROOT.Experimental.RNTupleImporter.Create(f"{FILES}/twins_tree.root", "Events", f"{FILES}/twins_ntuple.root")
importer.SetIsQuiet(True)
importer.Import()
