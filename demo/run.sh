#!/usr/bin/env bash
# In: nothing. Out: which model is embedded; a file that it rewrites, as a diff; the same token by token and with drafts.
set -euo pipefail
demo="$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)"
export PATH="$demo/../.venv/bin:$PATH"
work="$(mktemp -d)"
trap 'rm -rf "$work"' EXIT
cp "$demo/basket.py" "$demo/basket.md" "$work"
cd "$work"

show() {
    printf '\n$ %s\n' "$*"
    "$@"
}

show redraft model
show redraft apply basket.py --update basket.md --readers model --diff
show redraft apply basket.py --update basket.md --readers model
mkdir -p "$demo/../runs"
show redraft compare "$demo/basket.py" --update basket.md --plot "$demo/../runs/basket.png"
echo "runs/basket.png shows who wrote what"
