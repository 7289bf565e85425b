"""In: settings. Out: `Service`: the model, opened, and the worker that runs it, for all routes of one server."""

from dataclasses import dataclass

from redraft.apply import Redraft
from redraft.edit.prompts.template import Template, find_template
from redraft.engines import Engine, Warming
from redraft.engines.spec import check_spec, is_ranker, load_engine, size_of
from redraft.errors import MissingError
from redraft.rewrite import Rewriter
from redraft.serve.meters import Meters
from redraft.serve.settings import Settings
from redraft.serve.worker import Worker

_WITHOUT = (
    "this asks a model to write text, and this server has none ({}). Edits need none: send an answer to /v1/apply, or a"
    " chat message with <code> and <update>"
)


@dataclass(frozen=True)
class Service:
    """`editor` applies edits; `model` is what it writes with, None where there is none, and `missing` says why.

    Whatever uses the model runs in `worker`; what the deterministic reader does alone runs in `reader`.
    """

    settings: Settings
    editor: Redraft
    model: Rewriter | None
    missing: MissingError
    worker: Worker
    reader: Worker
    meters: Meters

    @property
    def name(self) -> str:
        """What the engine is called; a folder's place on this machine is nobody's business."""
        kind, _, place = self.settings.engine.partition(":")
        return place.rstrip("/").rpartition("#")[2].rpartition("/")[2] or kind

    def opened(self) -> Rewriter:
        """The model; raises MissingError where there is none, and says what needs none."""
        if self.model is None:
            raise MissingError(_WITHOUT.format(self.missing))
        return self.model

    @property
    def engine(self) -> Engine:
        return self.opened().engine

    @property
    def template(self) -> Template:
        return self.opened().template

    def close(self) -> None:
        self.worker.close()
        self.reader.close()


def open_service(settings: Settings) -> Service:
    """Raises RedraftError for a model that cannot be loaded; without its weights edits are still read."""
    check_spec(settings.engine)
    model, missing = None, MissingError("it was started with --readers merge")
    if settings.readers != "merge":
        try:
            model = _opened(settings)
        except MissingError as error:
            if settings.readers == "model":
                raise
            missing = error
    meters = Meters()
    worker, reader = (Worker(name, settings.limits, meters) for name in ("engine", "reader"))
    editor = _editor(settings, model, missing)
    return Service(settings, editor, model, missing, worker, reader, meters)


def _opened(settings: Settings) -> Rewriter:
    engine = load_engine(settings.engine, settings.dtype)
    if isinstance(engine, Warming):
        engine.keep_prefixes()
    template = find_template(settings.template or engine.template, settings.output_format)
    return Rewriter(engine, template, True, settings.window, size=size_of(settings.engine))


def _editor(settings: Settings, model: Rewriter | None, missing: MissingError) -> Redraft:
    def opened() -> Rewriter:
        if model is None:
            raise MissingError(str(missing), missing.commands)  # a new one: each raise adds to a traceback
        return model

    return Redraft(
        None if settings.readers == "merge" else opened,
        settings.readers,
        is_ranker(settings.engine),
        seconds=settings.limits.reading_seconds,
    )
