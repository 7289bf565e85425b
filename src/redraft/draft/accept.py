"""In: a draft and the model's own next tokens at its positions. Out: the ids that the model stands for."""

from collections.abc import Collection, Sequence


def emit(draft: Sequence[int], targets: Sequence[int], end_ids: Collection[int]) -> Sequence[int]:
    """The targets up to the first that differs from the draft, it included, and none after an end token.

    `targets` holds one id more than `draft`: `targets[i]` is what the model says after `draft[:i]`.
    """
    assert len(targets) == len(draft) + 1
    for index, target in enumerate(targets):
        if target in end_ids or index == len(draft) or target != draft[index]:
            return targets[: index + 1]
    raise AssertionError("the last target always ends the loop")
