"""What a call about several systems prints, on the standard output and beside it."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Sequence
from typing import Protocol

from ...corpus import processes
from ...corpus.cluster import Cluster
from ...formula import counted
from ...text import TextSettings
from ...text.files import BadData, named
from ...types import Metric, Settings
from ..call import Call, Failed, Tell
from ..language import Spoken
from . import checking, material, people, report, writing


class Asked(Protocol):
    """What a call asks for beside what is in it, in the language of the texts."""

    @property
    def metrics(self) -> Sequence[tuple[Metric, Settings]]: ...
    @property
    def text(self) -> TextSettings: ...
    @property
    def spoken(self) -> Spoken | None: ...
    def notes(self) -> Sequence[str]: ...


def printed(
    call: Call, asked_in_language_of: Callable[[list[list[str]]], Asked], form: str, say: Callable[[str], None]
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
    call, read, said = material.read(call)
    asked = asked_in_language_of([[*texts.lines] for texts in read.references.values()])
    judged = people.read(call.people, read, [metric for metric, _ in asked.metrics]) if call.people else None
    if judged and not read.references:
        for sentence in (*said, *judged.says):
            say(sentence)
        yield from writing.WRITERS[form](report.unscored(call, asked.text, judged))
        return
    texts = material.corpus(read, asked.text)
    judged = judged and judged.with_marks(read, asked.text)
    checked = checking.checked(call, read, texts, asked.text, *asked.metrics[0])
    for sentence in (*said, *checked.sentences(call), *(judged.says if judged else ())):
        say(sentence)
    del read, texts  # what is scored are words; the lines need not stay
    about = asked.text, asked.spoken, asked.notes()
    found = report.report(call, checked, asked.metrics, *about, _progress(), say, workers, judged)
    yield from writing.WRITERS[form](found)
    for missing in found.missing:
        say(missing.says([named(file) for file in call.systems.values()], checked.number))
    if call.fail_if and (unknown := call.fail_if.metrics & {each.metric for each in found.missing}):
        raise BadData(f"--fail-if asks for {', '.join(sorted(unknown))}, so nobody knows whether it holds")
    if call.fail_if and call.fail_if.holds(found.scores()):
        raise Failed(call.fail_if.text)
    if found.missing:
        raise BadData(f"{counted(len(found.missing), 'metric')} of {len(asked.metrics)} cannot be had")


def _progress() -> Tell:
    """Says on a terminal how far the scoring is."""
    if not (sys.stderr and sys.stderr.isatty()):
        return lambda part, seconds: None

    def tell(part: float, seconds: float | None) -> None:
        left = f", {seconds:.0f} s left" if part < 1 and seconds else ""
        print(f"\r{part:4.0%}{left}\033[K", end="" if part < 1 else "\r\033[K", file=sys.stderr, flush=True)

    return tell
