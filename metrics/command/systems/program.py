"""The run of a call about several systems, which reads, scores and prints."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator

from ...corpus import processes
from ...corpus.cluster import Cluster
from ...formula import count_with_noun
from ...text.files import BadData, file_label
from ..call import FailConditionHolds, Request, Tell
from . import file_checks, human_judgements, material, report, writing


def run_call(call: Request, say: Callable[[str], None]) -> Iterator[str]:
    """Run a call, and yield the lines that it prints on the standard output.

    `say` receives each sentence for the standard error. After the last line, raises FailConditionHolds if the condition
    of --fail-if holds, and BadData if a metric has no score.
    """
    try:
        processes.worker_niceness()
    except ValueError as error:
        raise BadData(str(error)) from None
    workers = None
    if call.scheduler is not None:
        workers = Cluster(call.scheduler)
        workers.connect()  # it connects while the files are read
    call, read, messages, line_repairs = material.read_material(call)
    call = call.in_language_of([texts.lines for texts in read.references.values()])
    judged = (
        human_judgements.read_judgements(call.people, read, [metric for metric, _ in call.metrics])
        if call.people
        else None
    )
    if judged and not read.references:
        for sentence in (*messages, *judged.says):
            say(sentence)
        yield from writing.WRITERS[call.format](report.report_without_references(call, judged))
        return
    texts = material.split_corpus(read, call.text)
    judged = judged and judged.with_marked_words(read, call.text)
    checked = file_checks.check_and_repair(call, read, texts, line_repairs)
    for sentence in (*messages, *checked.warning_sentences(call), *(judged.says if judged else ())):
        say(sentence)
    del read, texts  # only words are scored, so the memory of the lines can be freed
    full_report = report.make_report(call, checked, _progress_callback(), say, workers, judged)
    yield from writing.WRITERS[call.format](full_report)
    for missing in full_report.missing:
        say(missing.reason_sentence([file_label(file) for file in call.systems.values()], checked.line_number))
    if call.fail_if and (unknown := call.fail_if.metrics & {each.metric for each in full_report.missing}):
        raise BadData(f"--fail-if cannot be checked, because it needs {', '.join(sorted(unknown))}")
    if call.fail_if and call.fail_if.holds(full_report.scores()):
        raise FailConditionHolds(call.fail_if.text)
    if full_report.missing:
        raise BadData(f"no score for {count_with_noun(len(full_report.missing), 'metric')} of {len(call.metrics)}")


def _progress_callback() -> Tell:
    """Return a callback that prints the progress of scoring; it prints nothing if there is no terminal."""
    if not (sys.stderr and sys.stderr.isatty()):
        return lambda part, seconds: None

    def tell(part: float, seconds: float | None) -> None:
        time_left = f", {seconds:.0f} s left" if part < 1 and seconds else ""
        print(f"\r{part:4.0%}{time_left}\033[K", end="" if part < 1 else "\r\033[K", file=sys.stderr, flush=True)

    return tell
