"""In: hypothesis. Out: small programs and edits of them, with sketches; texts of any lines before and after."""

from hypothesis import strategies as st

from listing import sketch

NAMES = ("total", "count", "result")
CALLS = ("load", "scan", "fold")
LINES = st.sampled_from(("alpha", "beta", "x = 1", "y = 2", "}", "", "return x", "    call()", "def f():", "class A:"))


@st.composite
def programs(draw: st.DrawFn) -> list[str]:
    lines = ["import os", "import sys", ""]
    for number in range(draw(st.integers(3, 8))):
        body = [
            f"    {draw(st.sampled_from(NAMES))} = {draw(st.sampled_from(CALLS))}(value, {number}, {place})"
            for place in range(draw(st.integers(1, 5)))
        ]
        lines += [f"def step_{number}(value):", *body, f"    return {draw(st.sampled_from(NAMES))}", ""]
    return lines[:-1]


@st.composite
def edits(draw: st.DrawFn) -> tuple[str, str, str]:
    """A file before and after, and a sketch of the edit: lines of bodies change, come or go, functions are added."""
    before = draw(programs())
    after = list(before)
    for number in range(draw(st.integers(1, 3))):
        bodies = [at for at, line in enumerate(after) if line.startswith("    ") and "=" in line]
        kind, at = draw(st.sampled_from(("change", "insert", "delete", "add"))), draw(st.sampled_from(bodies))
        if kind == "change":
            after[at] = after[at].replace("value", f"item_{number}")
        elif kind == "insert":
            after.insert(at, f"    note_{number}(value)")
        elif kind == "delete" and len(bodies) > 1:
            del after[at]
        elif kind == "add":
            after += ["", f"def added_{number}(value):", f"    return value + {number}"]
    old, new = "\n".join(before) + "\n", "\n".join(after) + "\n"
    return old, new, sketch(old, new)


@st.composite
def texts(draw: st.DrawFn) -> tuple[str, str]:
    """A text before and after: most of its lines are unique."""
    before = [line if n % 3 == 0 else f"{line} {n}" for n, line in enumerate(draw(st.lists(LINES, min_size=8)))]
    after = list(before)
    for _ in range(draw(st.integers(1, 3))):
        at = draw(st.integers(0, len(after)))
        after[at : at + draw(st.integers(0, 4))] = draw(st.lists(LINES, max_size=4))
    end = draw(st.sampled_from(("\n", "")))
    return "\n".join(before) + end, "\n".join(after) + end
