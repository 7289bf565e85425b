#!/usr/bin/env bash
# The embedded model from git clones to weights, and what it gets right.
#
#     recipes/embedded.sh CLONES OUT [COUNT]
#
# In:  CLONES, at least two git clones, bare or not, as CLONES/OWNER/NAME or CLONES/OWNER+NAME/repo:
#          git clone --bare https://github.com/OWNER/NAME CLONES/OWNER/NAME
#      under licences that allow it. Repositories that are reserved for tests (AGENTS.md) are refused.
#      COUNT, how many development cases; 300 without it.
# Out: the folder OUT with
#          settings.txt                           CLONES and COUNT; others need another folder
#          names.txt, train.txt, development.txt  the repositories: all, and of each side
#          train.parquet, development.parquet     their edits
#          tokenizer, model                       folders; --engine hf:OUT/model uses it
#          manifest.jsonl, cases.jsonl            cases of the development side, as hashes and with their texts
#          records.jsonl, table.md                the model measured on each of them
#          sample.parquet, bits.json              COUNT edits of the development side, and the model's bits per byte there
#      The table and the bits are printed on standard output; all else that is said goes to standard error.
#
# Started again it goes on: a step is skipped when its result is there, and a case when it has a record.
#
# With 48 clones, on two cores without a GPU: a few minutes for the edits and the tokenizer, ten seconds for the weights,
# which are built and not trained, about half an hour for 300 cases and as long for the bits.
# Training would go on from here; so far it has made nothing better:
#     redraft train run OUT/train.parquet --tokenizer OUT/tokenizer --from OUT/model --out OUT/run
#     redraft train export OUT/run/checkpoint --out OUT/trained
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

measure() {
    redraft bench run --cases "$out/cases.jsonl" --out "$out/records.jsonl" --engine "hf:$out/model" --no-vanilla \
        >/dev/null
    redraft bench table "$out/records.jsonl" --cases "$out/cases.jsonl" >"$out/table.md.part"
}

bits() {
    redraft train bits "$out/sample.parquet" --model "$out/model" >"$out/bits.json.part"
}

[[ $# == 2 || $# == 3 ]] || fail "usage: recipes/embedded.sh CLONES OUT [COUNT]"
[[ -d $1 ]] || fail "$1 is not a folder"
count="${3:-300}"
[[ $count =~ ^[1-9][0-9]*$ ]] || fail "COUNT is a number of cases, not $count"
clones="$(cd "$1" && pwd)"
mkdir -p "$2"
out="$(cd "$2" && pwd)"

settings="$count cases, $clones"
[[ -e $out/settings.txt ]] || printf '%s\n' "$settings" >"$out/settings.txt"
known="$(<"$out/settings.txt")"
[[ $known == "$settings" ]] || fail "$out is of another run ($known): choose another folder"

step names.txt names
step development.txt development
step train.txt train
for side in train development; do
    step "$side.parquet" redraft data mine --clones "$clones" --only "$out/$side.txt" --out "$out/$side.parquet.part"
done
step tokenizer redraft train tokenizer "$out/train.parquet" --out "$out/tokenizer.part"
step model redraft train build "$out/tokenizer" --out "$out/model.part"
step manifest.jsonl redraft data choose "$out/development.parquet" --sizes "$((count / 2)),$((count - count / 2))" \
    --out "$out/manifest.jsonl.part"
step cases.jsonl redraft eval fetch "$out/manifest.jsonl" --clones "$clones" --out "$out/cases.jsonl.part"
step table.md measure
step sample.parquet redraft data sketch "$out/development.parquet" --count "$count" --out "$out/sample.parquet.part"
step bits.json bits
cat "$out/table.md" "$out/bits.json"
