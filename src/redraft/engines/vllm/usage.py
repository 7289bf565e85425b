"""In: an answer of vLLM to a request with a prediction. Out: the same, its usage saying what became of that."""

import json
from typing import Any

_EVENT, _END = b"data: ", b"\n\n"
_MARK = b'"speculative_decoding"'


def counted(answer: dict[str, Any], predicted: int) -> dict[str, Any]:
    """The answer with OpenAI's counts in the place of vLLM's metrics; as it is where it has no usage or no metrics.

    Accepted are tokens of the answer that were drafted and found right; rejected are the tokens of the prediction that
    this leaves. vLLM gives no metrics for several answers at once (`n`, several prompts).
    """
    metrics = answer.get("metrics") or {}
    found = metrics.get("speculative_decoding")
    usage = answer.get("usage")
    if not found or not usage:
        return answer
    # What is drafted past a stop string is accepted, and then not part of the answer.
    accepted = min(found["num_accepted_draft_tokens"], predicted, usage["completion_tokens"])
    details = dict(usage.get("completion_tokens_details") or {})
    details |= {"accepted_prediction_tokens": accepted, "rejected_prediction_tokens": predicted - accepted}
    rest = {name: value for name, value in metrics.items() if name != "speculative_decoding"}
    return {**answer, "usage": {**usage, "completion_tokens_details": details}, "metrics": rest or None}


class Events:
    """Server-sent events as they pass; how they are cut into pieces changes nothing."""

    def __init__(self, predicted: int) -> None:
        self._predicted = predicted
        self._held = b""

    def feed(self, data: bytes) -> bytes:
        """The events that are whole by now."""
        *whole, self._held = (self._held + data).split(_END)
        return b"".join(self._event(event) + _END for event in whole)

    def flush(self) -> bytes:
        """What was held back, when there is no more."""
        held, self._held = self._held, b""
        return held

    def _event(self, event: bytes) -> bytes:
        if _MARK not in event or not event.startswith(_EVENT):
            return event
        # The mark may be text that the model wrote: only what is JSON and has metrics is changed.
        return _EVENT + json.dumps(counted(json.loads(event[len(_EVENT) :]), self._predicted)).encode()
