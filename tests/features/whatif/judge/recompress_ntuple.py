"""Compresses the RNTuples of a file anew with ROOT, which merges it alone into a file of another setting.

    python3 recompress_ntuple.py IN OUT SETTING     100 x algorithm + level, as 404

`xylem layout OUT --json` then has the stored bytes that `xylem whatif IN --codec` promises.
"""

import sys

import ROOT

source, out, setting = sys.argv[1:]
merger = ROOT.TFileMerger(False)
if not merger.OutputFile(out, "RECREATE", int(setting)) or not merger.AddFile(source) or not merger.Merge():
    sys.exit(1)
