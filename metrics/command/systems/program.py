"""The run of a call about several systems, which reads, scores and prints."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Sequence
from typing import Protocol

from ...corpus import processes
from ...corpus.cluster import Cluster
from ...formula import count_with_noun
from ...text import TextSettings
from ...text.files import BadData, file_label
from ...types import Metric, Settings
from ..call import FailConditionHolds, SystemsCall, Tell
from ..language import TextLanguage
from . import file_checks, human_judgements, material, report, writing


class ScoringRequest(Protocol):
    """The metrics, text processing and notes of a call, with settings for the language of its texts."""

    @property
    def metrics(self) -> Sequence[tuple[Metric, Settings]]: ...
    @property
    def text(self) -> TextSettings: ...
    @property
    def spoken(self) -> TextLanguage | None: ...
    def notes(self) -> Sequence[str]: ...


def run_call(
    call: SystemsCall,
    request_for_references: Callable[[list[list[str]]], ScoringRequest],
    form: str,
    say: Callable[[str], None],
) -> Iterator[str]:
    """Run a call, and yield the lines that it prints on the standard output.

    `request_for_references` returns the metrics and text processing for the language of the given references' lines.
    `form` is the output format, a key of `writing.WRITERS`. `say` receives each sentence for the standard error. After
    the last line, raises Failed if the condition of --fail-if holds, and BadData if a metric has no score.
    """
    try:
        processes.worker_niceness()
    except ValueError as error:
        raise BadData(str(error)) from None
    workers = None
    if call.scheduler is not None:
        workers = Cluster(call.scheduler)
        workers.connect()  # it connects while the files are read
    call, read, messages, line_repairs = material.read_material(call, lambda lines: request_for_references(lines).text)
    request = request_for_references([[*texts.lines] for texts in read.references.values()])
    judged = (
        human_judgements.read_judgements(call.people, read, [metric for metric, _ in request.metrics])
        if call.people
        else None
    )
    if judged and not read.references:
        for sentence in (*messages, *judged.says):
            say(sentence)
        yield from writing.WRITERS[form](report.report_without_references(call, request.text, judged))
        return
    texts = material.split_corpus(read, request.text)
    judged = judged and judged.with_marked_words(read, request.text)
    checked = file_checks.check_and_repair(call, read, texts, request.text, *request.metrics[0], line_repairs)
    for sentence in (*messages, *checked.warning_sentences(call), *(judged.says if judged else ())):
        say(sentence)
    del read, texts  # only words are scored, so the memory of the lines can be freed
    about = request.text, request.spoken, request.notes()
    full_report = report.make_report(call, checked, request.metrics, *about, _progress_callback(), say, workers, judged)
    yield from writing.WRITERS[form](full_report)
    for missing in full_report.missing:
        say(missing.reason_sentence([file_label(file) for file in call.systems.values()], checked.line_number))
    if call.fail_if and (unknown := call.fail_if.metrics & {each.metric for each in full_report.missing}):
        raise BadData(f"--fail-if cannot be checked, because it needs {', '.join(sorted(unknown))}")
    if call.fail_if and call.fail_if.holds(full_report.scores()):
        raise FailConditionHolds(call.fail_if.text)
    if full_report.missing:
        raise BadData(f"no score for {count_with_noun(len(full_report.missing), 'metric')} of {len(request.metrics)}")


def _progress_callback() -> Tell:
    """Return a callback that prints the progress of scoring; it prints nothing if there is no terminal."""
    if not (sys.stderr and sys.stderr.isatty()):
        return lambda part, seconds: None

    def tell(part: float, seconds: float | None) -> None:
        time_left = f", {seconds:.0f} s left" if part < 1 and seconds else ""
        print(f"\r{part:4.0%}{time_left}\033[K", end="" if part < 1 else "\r\033[K", file=sys.stderr, flush=True)

    return tell
