#!/usr/bin/env bash
# The adapter of the model that writes regions, from git clones of the repositories that the sets of answers name.
#
#     recipes/regions.sh CLONES OUT [small|large [TOKENS]]
#
# In:  CLONES, git clones, bare or not, as CLONES/OWNER/NAME or CLONES/OWNER+NAME/repo; `redraft eval repositories` names
#      those of a set. TOKENS of training, 1,000,000 without it.
# Out: the folder OUT with
#          base                  the model as it comes, in bfloat16
#          packed.safetensors    samples of regions as ids; a fifth of the repositories is held out
#          run                   log, state, adapter
#
# Started again it goes on: a step is skipped when its result is there, and the training from its last state. A second
# of one core with AVX512-BF16 is some 55 tokens with `small`.
set -euo pipefail
PATH="$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)/.venv/bin:$PATH"
export PATH
# Large matrices are freed and asked for again all the time: their pages stay.
export MALLOC_ARENA_MAX=1 MALLOC_MMAP_MAX_=0 MALLOC_TRIM_THRESHOLD_=30000000000 THP_MEM_ALLOC_ENABLE=1

[[ $# -ge 2 ]] || { sed -n '2,15p' "$0" | cut -c3- >&2; exit 1; }
clones=$1 out=$2 model=${3:-small} tokens=${4:-1000000}
mkdir -p "$out"

[[ -e $out/base ]] || { redraft model get "$model"; redraft model base "$out/base" --model "$model"; }
[[ -e $out/packed.safetensors ]] || redraft data regions "$clones" --out "$out/packed.safetensors" --model "$out/base"
redraft train regions "$out/packed.safetensors" --out "$out/run" --model "$out/base" --tokens "$tokens" --compile
