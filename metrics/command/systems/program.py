"""What a call about several systems prints, on the standard output and beside it."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Sequence
from typing import Protocol

from ...corpus import processes
from ...corpus.cluster import Cluster
from ...formula import counted
from ...text import TextSettings
from ...text.files import BadData, file_label
from ...types import Metric, Settings
from ..call import Failed, SystemsCall, Tell
from ..language import Spoken
from . import file_checks, human_judgements, material, report, writing


class ScoringRequest(Protocol):
    """What a call asks for beside what is in it, in the language of the texts."""

    @property
    def metrics(self) -> Sequence[tuple[Metric, Settings]]: ...
    @property
    def text(self) -> TextSettings: ...
    @property
    def spoken(self) -> Spoken | None: ...
    def notes(self) -> Sequence[str]: ...


def printed(
    call: SystemsCall,
    asked_in_language_of: Callable[[list[list[str]]], ScoringRequest],
    form: str,
    say: Callable[[str], None],
) -> Iterator[str]:
    """The lines that a call prints; what is wrong is said. Behind it Failed where its condition holds, and BadData
    where a metric has no score."""
    try:
        processes.niceness()
    except ValueError as error:
        raise BadData(str(error)) from None
    workers = None
    if call.scheduler is not None:
        workers = Cluster(call.scheduler)
        workers.connect()  # while the files are read
    call, read, messages = material.read(call)
    request = asked_in_language_of([[*texts.lines] for texts in read.references.values()])
    judged = (
        human_judgements.read(call.people, read, [metric for metric, _ in request.metrics]) if call.people else None
    )
    if judged and not read.references:
        for sentence in (*messages, *judged.says):
            say(sentence)
        yield from writing.WRITERS[form](report.unscored(call, request.text, judged))
        return
    texts = material.corpus(read, request.text)
    judged = judged and judged.with_marks(read, request.text)
    checked = file_checks.checked(call, read, texts, request.text, *request.metrics[0])
    for sentence in (*messages, *checked.sentences(call), *(judged.says if judged else ())):
        say(sentence)
    del read, texts  # what is scored are words; the lines need not stay
    about = request.text, request.spoken, request.notes()
    full_report = report.report(call, checked, request.metrics, *about, _progress(), say, workers, judged)
    yield from writing.WRITERS[form](full_report)
    for missing in full_report.missing:
        say(missing.says([file_label(file) for file in call.systems.values()], checked.number))
    if call.fail_if and (unknown := call.fail_if.metrics & {each.metric for each in full_report.missing}):
        raise BadData(f"--fail-if asks for {', '.join(sorted(unknown))}, so nobody knows whether it holds")
    if call.fail_if and call.fail_if.holds(full_report.scores()):
        raise Failed(call.fail_if.text)
    if full_report.missing:
        raise BadData(f"{counted(len(full_report.missing), 'metric')} of {len(request.metrics)} cannot be had")


def _progress() -> Tell:
    """Says on a terminal how far the scoring is."""
    if not (sys.stderr and sys.stderr.isatty()):
        return lambda part, seconds: None

    def tell(part: float, seconds: float | None) -> None:
        time_left = f", {seconds:.0f} s left" if part < 1 and seconds else ""
        print(f"\r{part:4.0%}{time_left}\033[K", end="" if part < 1 else "\r\033[K", file=sys.stderr, flush=True)

    return tell
