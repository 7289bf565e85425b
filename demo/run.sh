#!/usr/bin/env bash
# In: nothing. Out: the shipped edit as a diff, the new file checked, then token by token beside drafts.
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
show redraft compare "$demo/inventory.py" --update update.md
