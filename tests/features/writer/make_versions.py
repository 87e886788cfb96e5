#!/usr/bin/env python3
"""Writes the files of tests/features/writer/merged in which one class has two versions.

    python3 tests/features/writer/make_versions.py

Needs a Python with ROOT, and a compiler for its dictionaries. In both files the list "list" has a histogram and an object of
the class Measured, which has the version 1 in versions1.root and 2 in versions2.root; in versions3.root it has the version 1
and other values. "same" has no object of that class.
"""
import os
import subprocess
import sys
import tempfile

FOLDER = os.path.join(os.path.dirname(os.path.abspath(__file__)), "merged")
MEMBERS = {1: "int n = 1; float x = 2.5;", 2: "double x = 2.7; int n = 3; short more = 4;"}
CODE = """
#include <TFile.h>
#include <TH1.h>
#include <TList.h>
#include <TNamed.h>
class Measured : public TNamed {{ public: {members} ClassDefOverride(Measured, {version}) }};
void write(const char *path, int number)
{{
  TFile file(path, "RECREATE");
  TH1F h("h", "h", 4, 0, 4);
  h.SetDirectory(nullptr);
  h.Fill(number);
  Measured measured;
  measured.n = number;
  TList list, same;
  list.Add(&h);
  list.Add(&measured);
  list.Write("list", TObject::kSingleKey);
  same.Add(&h);
  same.Add(new TNamed("named", "in all"));
  same.Write("same", TObject::kSingleKey);
}}
"""

for number, version in ((1, 1), (2, 2), (3, 1)):
    with tempfile.TemporaryDirectory() as folder:
        with open(os.path.join(folder, "measured.C"), "w") as file:
            file.write(CODE.format(members=MEMBERS[version], version=version))
        path = os.path.join(FOLDER, f"versions{number}.root")
        program = f'import ROOT; assert ROOT.gSystem.CompileMacro("measured.C", "kf"); ROOT.write("{path}", {number})'
        subprocess.run([sys.executable, "-W", "ignore", "-c", program], cwd=folder, check=True)
