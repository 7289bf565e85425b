#!/usr/bin/env bash
# Samples to train on, from edits and from answers by writers: what `redraft train tune` reads.
#
#     recipes/mix.sh EDITS.parquet OUT [ANSWERS.parquet...]
#
# In:  EDITS.parquet, as `redraft data mine` writes them, of repositories that no evaluation set uses.
#      ANSWERS.parquet, samples by writers or models (`redraft data answers --samples`, `redraft data sketch --endpoint`).
# Out: the folder OUT with
#          rules.parquet          two sketches by rules of each edit, in all styles, and ambiguous ones
#          drift.parquet          an answer with drift of each edit
#          lessons.jsonl          pairs of a right and a wrong file, for the ranker
#          mix.parquet, mix.png   all of it: a fifth of the mix are the answers that were written
#      The distribution is printed on standard output; all else that is said goes to standard error.
#
# Started again it goes on: a step is skipped when its result is there. Some 300 edits a second on one core.
set -euo pipefail
PATH="$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)/.venv/bin:$PATH"
export PATH

[[ $# -ge 2 && -f $1 ]] || {
    echo "usage: recipes/mix.sh EDITS.parquet OUT [ANSWERS.parquet...]" >&2
    exit 1
}
edits="$1" out="$2"
shift 2
mkdir -p "$out"

# step RESULT COMMAND...: COMMAND makes OUT/RESULT.part, which gets its name when it is whole.
step() {
    local result="$out/$1"
    shift
    if [[ -e $result ]]; then
        echo "there already: $result" >&2
        return
    fi
    "$@" >&2
    mv "$result.part" "$result"
}

step rules.parquet redraft data sketch "$edits" --per-edit 2 --negatives --out "$out/rules.parquet.part"
step drift.parquet redraft data drift "$edits" --lessons "$out/lessons.jsonl" --out "$out/drift.parquet.part"
redraft data mix "$out/rules.parquet" "$out/drift.parquet" "$@" --answers 0.2 --out "$out/mix.parquet" --plot "$out/mix.png"
