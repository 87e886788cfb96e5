#!/bin/bash
# An array job of Slurm: one task of a plan for each element.
#
#   xylem plan @files.txt Events --tasks 100 --out tasks
#   sbatch --array=1-100 adapters/slurm.sh Events Muon_pt 'nMuon==2' --hist 50,0,100
#   SELECTOR=zpeak.mjs sbatch --array=1-100 adapters/slurm.sh Events --set low=60      # instead of a draw
#   (SELECTOR=tasks/selector/zpeak.mjs is the copy that "xylem plan --process zpeak.mjs" makes, with all that it imports and reads)
#   xylem combine 'tasks/*.json' --expect @files.txt
#
# Submitted again, it reads what is missing. XYLEM is the command ("xylem", in PATH), OUT the folder of the plan.
#SBATCH --cpus-per-task=2
#SBATCH --mem=1G
#SBATCH --requeue
set -u
list=$(printf '%s/task-%04d.txt' "${OUT:-tasks}" "$SLURM_ARRAY_TASK_ID")
# A plan may have fewer tasks than were asked for.
[ -e "$list" ] || exit 0
words=(draw)
[ -z "${SELECTOR:-}" ] || words=(process "$SELECTOR")
exec ${XYLEM:-xylem} "${words[@]}" "@$list" --resume "${list%.txt}.json" "$@"
