"""In: texts of source files. Out: the embedded model's tokenizer: byte-level BPE, no token beyond the end of a line."""

from collections.abc import Iterable, Sequence

from tokenizers import Regex, Tokenizer, decoders, models, pre_tokenizers, trainers
from transformers import PreTrainedTokenizerFast

from redraft.edit.prompts.places import END, NO_NEWLINE, special_tokens

VOCABULARY = 11_776
CONTEXT = 32_768  # tokens
PIECES = r" ?[A-Za-z_]+\n?|\d|\r?\n| ?[^\sA-Za-z0-9_]+\n?|[ \t]+|\s"


def train_tokenizer(
    texts: Iterable[str], vocabulary: int = VOCABULARY, special: Sequence[str] | None = None, pieces: str = PIECES
) -> PreTrainedTokenizerFast:
    """Learn the merges; the special tokens, without `special` those of the line format, come first in the vocabulary.

    No token reaches beyond one of the `pieces`, a regular expression.

    Words keep one leading space and, like punctuation, the newline behind them; indentation is one piece.
    Every text round-trips.
    """
    tokenizer = Tokenizer(models.BPE())
    tokenizer.pre_tokenizer = pre_tokenizers.Sequence(
        [
            pre_tokenizers.Split(Regex(pieces), behavior="isolated"),
            pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=False),
        ]
    )
    tokenizer.decoder = decoders.ByteLevel()
    trainer = trainers.BpeTrainer(
        vocab_size=vocabulary,
        special_tokens=list(special or special_tokens()),
        initial_alphabet=pre_tokenizers.ByteLevel.alphabet(),
        show_progress=False,
    )
    tokenizer.train_from_iterator(texts, trainer)
    return PreTrainedTokenizerFast(
        tokenizer_object=tokenizer,
        eos_token=END.text,
        pad_token=END.text,
        model_max_length=CONTEXT,
        clean_up_tokenization_spaces=False,
    )


def line_ends(tokenizer: PreTrainedTokenizerFast) -> list[int]:
    """The ids of all tokens that end a line."""
    newline = pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=False).pre_tokenize_str("\n")[0][0]
    ends = [number for token, number in tokenizer.get_vocab().items() if token.endswith(newline)]
    return sorted([*ends, tokenizer.convert_tokens_to_ids(NO_NEWLINE.text)])
