"""In: lines with a single statement under a condition. Out: the file's own way to hold it."""

from redraft.edit.merge.context.braced import braced_as

_BLOCK = ("if job.done? && job.kept?", "  store job", "end")
_BEHIND = ("store job if job.done? && job.kept?",)


def test_a_condition_stands_above_or_behind_as_in_the_file() -> None:
    assert braced_as((*_BLOCK, "close"), (*_BEHIND, "open", "close")) == (*_BLOCK, "open", "close")
    assert braced_as((*_BEHIND, "close"), (*_BLOCK, "open", "close")) == (*_BEHIND, "open", "close")


def test_another_condition_or_one_of_several_is_as_shown() -> None:
    other = ("store job if job.done?",)
    assert braced_as(_BLOCK, other) == other
    assert braced_as((*_BLOCK, *_BLOCK), _BEHIND) == _BEHIND
    assert braced_as((*_BLOCK, *_BEHIND), _BEHIND) == _BEHIND
