#!/bin/sh
# Writes what ROOT makes of histograms of tests/fixtures into recorded.jsonl.gz. usage: PYTHON=python sh record.sh
set -e
here=$(dirname "$0")
bins=$here/../../../fixtures/files/bins
"${PYTHON:-python3}" "$here/by_root.py" "$here/recorded.jsonl" \
  "$bins/bins.root:fixed,fixed_weights,fixed_part,fixed_edges,overflows,contents,average,average_part,range_part,range_2x,fixed_2,fixed_2_weights,names,zero,fixed_profile,fixed_profile_range,fixed_profile_2,fixed_3" \
  "$bins/projected.root:h3_weights,h2_both,p2_weights"
gzip -9nf "$here/recorded.jsonl"
