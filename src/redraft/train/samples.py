"""In: mined edits and a number. Out: the training sample of that number, as ids of prompt and output."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from random import Random

from transformers import PreTrainedTokenizerFast

from redraft.data.edits import Edit
from redraft.data.sketch import STYLES, sketch
from redraft.edit.prompts.places import FILE_PLACES, SKETCH_PLACES, NumberedEdit
from redraft.edit.prompts.prompt import Part
from redraft.errors import RedraftError

PATIENCE = 1000  # so many numbers in a row without a sample, and there is none to come


@dataclass(frozen=True)
class Sample:
    """Token ids of one edit; the loss is on the output alone."""

    prompt: list[int]
    output: list[int]

    def __len__(self) -> int:
        return len(self.prompt) + len(self.output)


def encode(tokenizer: PreTrainedTokenizerFast, parts: Sequence[Part]) -> list[int]:
    """Ids of all parts; text that is not a special part never becomes a special token."""
    texts = [part.text for part in parts if not part.special]
    encoded = iter(tokenizer(texts, split_special_tokens=True, add_special_tokens=False)["input_ids"] if texts else [])
    ids: list[int] = []
    for part in parts:
        if part.special:
            ids.append(tokenizer.convert_tokens_to_ids(part.text))
        else:
            ids.extend(next(encoded))
    return ids


def sample(tokenizer: PreTrainedTokenizerFast, edit: Edit, rng: Random, plain: float = 1.0) -> Sample | None:
    """One edit in a random style, its lines numbered from a random place so that all places are trained.

    None when the sketch would be ambiguous or there are too many lines, and for all but a share of `plain` of the edits
    that the model is built to get right.
    """
    style = rng.choice(STYLES)
    update = sketch(edit.before, edit.after, style, rng.randrange(1 << 30), edit.path)
    if update is None:
        return None
    lines = edit.before.count("\n") + 3
    room, sketch_room = FILE_PLACES - lines, SKETCH_PLACES - 3 * update.count("\n") - 8
    if room < 0 or sketch_room < 0:
        return None
    first, first_sketch = (0, 0) if rng.random() < 0.5 else (rng.randint(0, room), rng.randint(0, sketch_room))
    try:
        numbered = NumberedEdit(edit.before, update, edit.path, first, first_sketch)
    except RedraftError:
        return None
    if numbered.is_plain(edit.after) and rng.random() > plain:
        return None
    return Sample(encode(tokenizer, list(numbered.prompt())), encode(tokenizer, numbered.output(edit.after)))


def samples(
    tokenizer: PreTrainedTokenizerFast,
    edits: Sequence[Edit],
    longest: int,
    seed: int,
    start: int = 0,
    plain: float = 1.0,
) -> Iterator[tuple[int, Sample]]:
    """Endless numbered samples of at most `longest` tokens, from number `start` on.

    Raises RedraftError where it finds none.
    """
    number = last = start
    while number - last < PATIENCE:
        rng = Random(f"{seed} {number}")
        made = sample(tokenizer, rng.choice(edits), rng, plain)
        if made is not None and len(made) <= longest:
            yield number, made
            last = number
        number += 1
    raise RedraftError(f"none of {PATIENCE:,} samples in a row can be said in {longest:,} tokens")
