#!/usr/bin/env bash
# The adapter of the embedded model from git clones, and what the model gets right.
#
#     recipes/embedded.sh CLONES OUT [STEPS [ANSWERS.parquet...]]
#
# In:  CLONES, at least two git clones, bare or not, as CLONES/OWNER/NAME or CLONES/OWNER+NAME/repo:
#          git clone --bare https://github.com/OWNER/NAME CLONES/OWNER/NAME
#      under licences that allow it. Repositories that are reserved for tests (AGENTS.md) are refused.
#      STEPS of the optimiser; 300 without it. ANSWERS, samples that people or models wrote, a fifth of the mix.
# Out: the folder OUT with
#          settings.txt                           CLONES and STEPS; others need another folder
#          names.txt, train.txt, development.txt  the repositories: all, and of each side
#          train.parquet, development.parquet     their edits
#          train, development                     samples and pairs of both sides, as recipes/mix.sh makes them
#          base, run                              the base, and the run: model, adapter, log, curves
#          bits.json                              the model's bits per byte on the development side, and the base's
#      The bits are printed on standard output; all else that is said goes to standard error.
#
# Started again it goes on: a step is skipped when its result is there, and the training from its last state.
# A step of 10 sequences, 6,000 tokens, takes some 15 seconds on one core with AMX. The adapter in the package was trained
# in several stages of these steps; its card (src/redraft/models/apply-135m/README.md) says which.
set -euo pipefail
shopt -s nullglob
PATH="$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)/.venv/bin:$PATH"
export PATH

say() { printf '%s\n' "$*" >&2; }

fail() {
    say "recipes/embedded.sh: $*"
    exit 1
}

# step RESULT COMMAND...: COMMAND makes OUT/RESULT.part, which gets its name when it is whole.
step() {
    local result="$out/$1"
    shift
    if [[ -e $result ]]; then
        say "there already: $result"
        return
    fi
    say "making $result"
    rm -rf "$result.part"
    "$@" >&2
    mv "$result.part" "$result"
}

# The clones by name, in small letters, as --only compares them.
names() {
    local place name
    for place in "$clones"/*/*/; do
        place="${place%/}"
        name="${place#"$clones"/}"
        if [[ $name == *+*/repo ]]; then
            name="${name%/repo}"
            name="${name/+//}"
        fi
        if [[ -d $place/.git/objects || -d $place/objects ]]; then
            printf '%s\n' "${name%.git}"
        else
            say "left out, no git clone: $place"
        fi
    done | tr '[:upper:]' '[:lower:]' | LC_ALL=C sort -u >"$out/names.txt.part"
    (($(wc -l <"$out/names.txt.part") > 1)) || fail "$clones holds less than two clones (OWNER/NAME): one for each side"
}

# A fifth of the clones: those of the package's own development set, then by the hashes of their names.
development() {
    local own name count fifth
    own="$(redraft eval repositories | tr '[:upper:]' '[:lower:]')"
    count="$(grep -cFx -e "$own" "$out/names.txt" || true)"
    fifth="$((($(wc -l <"$out/names.txt") + 4) / 5))"
    while read -r name; do
        if grep -qFx -e "$name" <<<"$own"; then
            printf '0 %s\n' "$name"
        else
            printf '1%s %s\n' "$(git hash-object --stdin <<<"$name")" "$name"
        fi
    done <"$out/names.txt" | LC_ALL=C sort | sed "s/.* //; $((count > fifth ? count : fifth))q" >"$out/development.txt.part"
}

train() {
    grep -Fvx -f "$out/development.txt" "$out/names.txt" >"$out/train.txt.part" ||
        fail "all of $clones is the package's development set: nothing is left to learn from"
}

# samples SIDE [ANSWERS...]: what is learned from, or validated on.
samples() {
    local side="$1"
    shift
    "$(dirname "${BASH_SOURCE[0]}")/mix.sh" "$out/$side.parquet" "$out/$side.part" "$@"
}

learn() {
    redraft train lean "$out/train/mix.parquet" --pairs "$out/train/lessons.jsonl" --valid "$out/development/mix.parquet" \
        --valid-pairs "$out/development/lessons.jsonl" --model "$out/base" --out "$out/run" --batch 10 --steps "$steps"
}

bits() {
    for model in base run; do
        redraft train bits "$out/development.parquet" --model "$out/$model"
    done >"$out/bits.json.part"
}

(($# >= 2)) || fail "usage: recipes/embedded.sh CLONES OUT [STEPS [ANSWERS.parquet...]]"
[[ -d $1 ]] || fail "$1 is not a folder"
steps="${3:-300}"
[[ $steps =~ ^[1-9][0-9]*$ ]] || fail "STEPS is a number, not $steps"
clones="$(cd "$1" && pwd)"
mkdir -p "$2"
out="$(cd "$2" && pwd)"

settings="$steps steps, $clones"
[[ -e $out/settings.txt ]] || printf '%s\n' "$settings" >"$out/settings.txt"
known="$(<"$out/settings.txt")"
[[ $known == "$settings" ]] || fail "$out is of another run ($known): choose another folder"

step names.txt names
step development.txt development
step train.txt train
for side in train development; do
    step "$side.parquet" redraft data mine --clones "$clones" --only "$out/$side.txt" --out "$out/$side.parquet.part"
done
step development samples development
step train samples train "${@:4}"
step base redraft model base "$out/base.part"
[[ -e $out/run/model.safetensors ]] || learn >&2
step bits.json bits
cat "$out/bits.json"
