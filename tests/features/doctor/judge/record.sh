#!/bin/sh
# Records what OptimizeBaskets of ROOT says of the fixtures. PYTHON is one that has ROOT.
set -e
here=$(cd "$(dirname "$0")" && pwd)
cd "$here/../../../fixtures/files"
judge="${PYTHON:-python3} $here/optimize_baskets.py"
$judge arrays.root clusters.root codec_*.root collections_*.root cycles.root embedded.root empty.root \
  leaflists.root leaves.root merged.root multiblock_*.root no_offsets.root objects_*.root packed_leaves.root \
  references.root stl.root strings.root things.root vectors.root versions/*.root >"$here/../recorded/optimize-baskets.json"
$judge --memory 1000000 --least 2.5 objects_split99.root stl.root merged.root leaflists.root \
  >"$here/../recorded/optimize-baskets-small.json"
cd "$here/../recorded"
${PYTHON:-python3} "$here/make_streaming.py" .
rm -f AutoDict_*
