#!/usr/bin/env python3
"""What ROOT reads of files: see root_digest.h.

    python3 read_root.py < LINES     each line "TIMES DEPTH PATH": reads the file that number of times; DEPTH is
                                     0 for baskets, 1 for entries, 2 for the values of leaves. Prints its lines and "end"

A file that makes ROOT crash ends the process; the caller starts another for the others.
"""
import os
import sys
import warnings

warnings.simplefilter("ignore")
import ROOT

ROOT.gROOT.SetBatch(True)
ROOT.gErrorIgnoreLevel = ROOT.kFatal
# A crash is told by the status; the default handlers print all threads, which takes seconds.
for name in ("kSigSegmentationViolation", "kSigBus", "kSigIllegalInstruction", "kSigAbort", "kSigFloatingException"):
    ROOT.gSystem.ResetSignal(getattr(ROOT, name), True)
with open(os.path.join(os.path.dirname(os.path.abspath(__file__)), "root_digest.h")) as header:
    ROOT.gInterpreter.Declare(header.read())
for line in sys.stdin:
    times, depth, path = line.rstrip("\n").split(" ", 2)
    ROOT.judge.readFile(path, int(times), int(depth))
    sys.stdout.flush()
    print("end", flush=True)
