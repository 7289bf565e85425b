"""In: an answer, and a candidate. Out: by numbers, how exactly the answer shows the file: signs of a careless hand."""

from redraft.edit.answer.answer import Answer
from redraft.edit.features.edit import Edit, most
from redraft.edit.merge.reading import Candidate
from redraft.edit.text.lines import written


def of_hand(edit: Edit, answer: Answer, taken: Candidate) -> dict[str, float]:
    before, after = ({line.strip() for line in lines} for lines in (edit.before, edit.after))
    exact = {line.rstrip() for line in (*edit.before, *edit.after)}
    shown = [*map(str.rstrip, written(answer.code))]
    share = 1 / max(1, len(shown))
    return {
        "changes judged": most(len(taken.kept.chances)),
        "shown otherwise": share * sum(text.strip() not in after for text in shown),
        "indented otherwise": share * sum(text.strip() in after and text not in exact for text in shown),
        "known": share * sum(text.strip() in before for text in shown),
    }
