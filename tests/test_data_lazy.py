"""Which lines are lazy markers."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from redraft.data.lazy import is_marker

MARKERS = """\
# ... existing code ...
// ... existing code ...
//...existing code...
// ...
# ...
# …
-- ...
-- ... rest of query ...
; ...
% ...
' ... existing code ...
REM ... existing code ...
/// ... existing code ...
/* ... */
/* ... existing styles ... */
/* existing code */
<!-- ... -->
<!-- ... existing content ... -->
{/* ... existing ... */}
{/* existing JSX */}
{# ... existing ... #}
<%# ... %>
(* ... *)
...
…
... existing code ...
...existing code...
[... rest of file ...]
(existing code)
[existing code]
    # ... body unchanged
# ... rest of the imports stay the same
# ... keep existing methods ...
# ... (rest of the class)
# rest of the file remains unchanged
# rest of the function
# existing code
# existing imports
# unchanged
# (unchanged)
# no changes here
# other methods remain unchanged
# Other functions unchanged
// existing code...
// Rest of the component
// keep existing code
// same as before
// code omitted for brevity
// previous code remains the same
// (rest of the code remains unchanged)
// the rest of your code here
// --- unchanged ---
// [existing code]
// ... other imports
""".splitlines()

CODE = """\
...rest
...props,
...rest,
...,
x = ...
def f(): ...
return ...
# TODO: fix this...
# Loading...
# Compute the rest
# existing
# import os
# the value of x
# Parse the arguments
# Same size
# Existing users keep their password
# type: ignore
// Returns the remaining items
// See above
// other
print("...")
echo "..."
../foo
.. note::
- item
--verbose
{...props}
[...items]
[*args]
(rest)
<rest>
<Foo {...rest} />
}
""".splitlines()


@pytest.mark.parametrize("line", MARKERS)
def test_markers_of_every_dialect_and_wording(line: str) -> None:
    assert is_marker(line)
    assert is_marker(f"\t  {line}  ")


@pytest.mark.parametrize("line", [*CODE, ""])
def test_code_and_ordinary_comments_are_no_markers(line: str) -> None:
    assert not is_marker(line)


@given(st.text(alphabet=".… #/*-{}()[]<>!existingrofcdu\t", max_size=400))
def test_any_line_is_judged(line: str) -> None:
    assert is_marker(line) == is_marker(line.strip())
