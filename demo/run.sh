#!/usr/bin/env bash
# In: nothing. Out: an answer applied to a file at once; then a model that writes the same file, token by token and with
# drafts. It fails where a text is not right.
set -euo pipefail
demo="$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)"
export PATH="$demo/../.venv/bin:$PATH"
work="$(mktemp -d)"
trap 'rm -rf "$work"' EXIT
export REDRAFT_STATE="$work/state"
cp "$demo/basket.py" "$demo/basket.md" "$demo/basket_expected.py" "$work"
cd "$work"

show() {
    printf '\n$ %s\n' "$*"
    "$@"
}

show redraft apply basket.py --update basket.md --diff
show redraft apply basket.py --update basket.md
show cmp basket.py basket_expected.py
show redraft undo
picture="$demo/../runs/basket.png"
mkdir -p "$(dirname "$picture")"
show redraft compare basket.py --update basket.md --expected basket_expected.py --plot "$picture"
echo "runs/basket.png shows which parts the model wrote itself; all of it took $SECONDS s"
