#!/usr/bin/env bash
# In: nothing. Out: an edit as a diff, the new file checked; then a file that the model writes, token by token and with drafts.
set -euo pipefail
demo="$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)"
export PATH="$demo/../.venv/bin:$PATH"
work="$(mktemp -d)"
trap 'rm -rf "$work"' EXIT
cp "$demo/inventory.py" "$demo/update.md" "$work"
cd "$work"

show() {
    printf '\n$ %s\n' "$*"
    "$@"
}

show redraft apply inventory.py --update update.md --diff
show redraft apply inventory.py --update update.md
cmp inventory.py "$demo/expected.py"
echo "inventory.py is now demo/expected.py, byte for byte"
mkdir -p "$demo/../runs"
show redraft compare "$demo/basket.py" --update "$demo/basket.md" --plot "$demo/../runs/basket.png"
echo "runs/basket.png shows who wrote what"
