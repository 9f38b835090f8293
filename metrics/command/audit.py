"""The audit file, which holds everything that made the scores, segment by segment, and the check that rebuilds them.

The file has one JSON object a line. The first line says what was scored and holds the corpus scores. Each further line
holds the whole result of one segment by one metric, with statistics, marks, credits and signature.

The check also needs the scored files. It tests for each result that the credits sum to the statistics, that the
statistics give the score, and that the metric, run again on the words of the files with the settings of the audit,
finds the same marks with the same credits. Then it tests that the corpus scores follow from these statistics. A metric
that finds something else here than where the audit was written, in another version or with another WordNet, is not
checked, and that is said.
"""

from __future__ import annotations

import json
import math
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from ..formula import count_with_noun
from ..text import TextSettings, markup, printable
from ..text.files import BadData, SegmentLine, file_label, read_long_lines, segment_lines
from ..types import CorpusResult, Metric, Settings, TooHard, __version__, brief_repr, reference_count, signature
from ..types.extras import missing_packages_sentence
from .files import read_columns

HELP = "write to this file what made each score, segment by segment; “verify” rebuilds each score from its marks"
KIND = "bitext-grid audit"
CLOSE = 1e-9  # the relative and absolute tolerance for numbers that were written with all their digits
SAID = 20  # the number of faults that are printed; the others are only counted


def audit_lines(
    core: CoreFunctions,
    corpus: Sequence[SegmentLine],
    text: TextSettings,
    names: Sequence[str],
    metrics: Sequence[tuple[Metric, Settings]],
    clean: Sequence[str] = (),
) -> Iterator[str]:
    """Yield the lines of the audit file, whose format the module describes; only one result is in memory at a time.

    `corpus` are the segments, `names` the paths of the candidate and then of the references. `clean` names what was
    removed from the texts, as keys of `markup.CLEANED`.
    """
    segments = [line.segment.segment for line in corpus]
    references = [segment.references for segment in segments]
    whole = {}
    for metric, chosen in metrics:
        given = {name: getattr(chosen, name) for name in chosen.rules()}
        corpus_result = core.corpus_score(metric.key, [segment.candidate for segment in segments], references, **given)
        signed = _corpus_signature(metric.key, chosen, corpus, text, clean)
        whole[metric.key] = {"score": corpus_result.score, "settings": chosen.to_dict(), "signature": signed}
    head = {
        "kind": KIND,
        "version": __version__,
        "candidate": names[0],
        "references": [*names[1:]],
        "text": text.to_dict(),
        "clean": [*clean],
        "segments": len(corpus),
        "corpus": whole,
    }
    yield json.dumps(head)
    for number, segment in enumerate(segments, 1):
        for metric, chosen in metrics:
            result = metric.score(segment, chosen)
            signed = result.signature(text.signature()) + markup.cleaning_signature(clean)
            yield json.dumps({"segment": number, **result.to_dict(), "signature": signed})


def _corpus_signature(
    key: str, chosen: Settings, corpus: Sequence[SegmentLine], text: TextSettings, clean: Sequence[str]
) -> str:
    """Return the signature of the corpus score of the metric `key`."""
    references = reference_count([line.files for line in corpus])
    return signature(key, chosen, text.signature(), references) + markup.cleaning_signature(clean)


class CoreFunctions(NamedTuple):
    """The functions of the package `metrics` that an audit needs, which its caller passes in.

    Attributes:
        catalogue: the metrics by key.
        settings: a function that returns checked settings of the metric with a given key.
        corpus_score: a function that returns the corpus score of the metric with a given key.
    """

    catalogue: Mapping[str, Metric]
    settings: Callable[..., Settings]
    corpus_score: Callable[..., CorpusResult]


def write_audit(
    core: CoreFunctions,
    path: str,
    corpus: Sequence[SegmentLine],
    text: TextSettings,
    names: Sequence[str],
    metrics: Sequence[tuple[Metric, Settings]],
    clean: Sequence[str] = (),
) -> None:
    """Write the audit to the file `path`, with the lines that `audit_lines` returns of the other arguments.

    Raises BadData if the file cannot be written.
    """
    try:
        with Path(path).open("w", encoding="utf-8", newline="\n") as file:
            file.writelines(f"{row}\n" for row in audit_lines(core, corpus, text, names, metrics, clean))
    except OSError as error:
        raise BadData(f"{file_label(path)} cannot be written: {error.strerror}") from None


class AuditCheck(NamedTuple):
    """The outcome of checking an audit file against the scored files.

    Attributes:
        results: the number of results, each of a segment by a metric, that were rebuilt.
        faults: a sentence for each thing in the audit that does not follow from the files.
        unchecked: why a metric could not be run again as it ran where the audit was written, by the metric's key.
        scores: the rebuilt score of the corpus and its signature, by the metric's key.
    """

    results: int
    faults: list[str]
    unchecked: dict[str, str]
    scores: dict[str, tuple[float, str]]

    @property
    def holds(self) -> bool:
        """Return whether everything in the audit was rebuilt."""
        return not self.faults and not self.unchecked


def verify_audit(core: CoreFunctions, audit: str, names: Sequence[str]) -> AuditCheck:
    """Check the audit file at path `audit` against the files that were scored, and return what the check found.

    `names` are the paths of the candidate and then of the references. Raises BadData if a file cannot be read or
    `audit` is not an audit.
    """
    rows = read_long_lines(audit)
    head = _read_object(audit, 1, next(rows, ""))
    if head.get("kind") != KIND:
        raise BadData(f"{file_label(audit)} is not an audit: its first line has no kind {KIND!r}")
    try:
        text = TextSettings(**{name: value for name, value in head["text"].items() if isinstance(name, str)})
        clean = [*head.get("clean", ())]
        markup.cleaning_notes(clean)  # raises KeyError for what nobody can remove
        whole, size = dict(head["corpus"]), int(head["segments"])
        chosen, unchecked = _audited_settings(core, whole)
    except (LookupError, TypeError, AttributeError, ValueError, ArithmeticError) as error:
        raise BadData(
            f"{file_label(audit)}, line 1: this is not what an audit begins with: {brief_repr(str(error))}"
        ) from None
    if not whole:
        raise BadData(f"{file_label(audit)}, line 1: the audit has no metric")
    columns = read_columns(names[:1], names[1:], clean)
    corpus = segment_lines(columns.names, columns.lines, text)
    signatures = {key: _corpus_signature(key, settings, corpus, text, clean) for key, settings in chosen.items()}
    for key, ours in signatures.items():
        theirs = whole[key].get("signature", ours)
        if _without_references(theirs) != _without_references(ours):
            unchecked[key] = _signature_difference(theirs, ours)
            del chosen[key]
    faults: list[str] = []
    if size != len(corpus):
        faults.append(f"the audit has {count_with_noun(size, 'segment')}, the files have {len(corpus)}")
    try:
        seen_numbers = _check_rows(core, audit, rows, chosen, unchecked, corpus, text, clean, faults)
        scores = {key: _rebuilt_corpus_score(core, key, settings, corpus) for key, settings in chosen.items()}
    except TooHard as error:
        raise BadData(f"{file_label(names[0])}: {error}") from None
    for key, rebuilt in scores.items():
        if missing := sorted({*range(1, len(corpus) + 1)} - seen_numbers[key]):
            faults.append(f"{key}: {count_with_noun(len(missing), 'segment')} missing, the first is {missing[0]}")
        if not _nearly_equal(score := whole[key].get("score"), rebuilt):
            faults.append(f"{key}: the corpus's score is {brief_repr(score)}, rebuilt {rebuilt!r}")
    signed = {key: (score, signatures[key]) for key, score in scores.items()}
    return AuditCheck(sum(map(len, seen_numbers.values())), faults, unchecked, signed)


def _check_rows(
    core: CoreFunctions,
    audit: str,
    rows: Iterable[str],
    chosen: Mapping[str, Settings],
    unchecked: Mapping[str, str],
    corpus: Sequence[SegmentLine],
    text: TextSettings,
    clean: Sequence[str],
    faults: list[str],
) -> dict[str, set[int]]:
    """Check the results in `rows`, the lines of the audit after its first, and add what is wrong to `faults`.

    Return the numbers of the segments that have a result, by the metric's key."""
    seen_numbers: dict[str, set[int]] = {key: set() for key in chosen}
    for at, row in enumerate(rows, 2):
        result = _read_object(audit, at, row)
        key, number = result.get("metric"), result.get("segment")
        if isinstance(key, str) and key in unchecked:
            continue
        if not isinstance(key, str) or key not in chosen or type(number) is not int or not 1 <= number <= len(corpus):
            faults.append(f"line {at}: there is no segment {brief_repr(number)} with a metric {brief_repr(key)}")
            continue
        if number in seen_numbers[key]:
            faults.append(f"segment {number}, {key}: it is there twice")
        seen_numbers[key].add(number)
        found = _result_faults(core.catalogue[key], chosen[key], corpus[number - 1], text, clean, result)
        faults += [f"segment {number}, {key}: {fault}" for fault in found]
    return seen_numbers


def _rebuilt_corpus_score(core: CoreFunctions, key: str, chosen: Settings, corpus: Sequence[SegmentLine]) -> float:
    """Return the corpus score of the metric `key`."""
    return core.corpus_score(
        key,
        [line.segment.segment.candidate for line in corpus],
        [line.segment.segment.references for line in corpus],
        **{name: getattr(chosen, name) for name in chosen.rules()},
    ).score


def run_verify_command(core: CoreFunctions, argv: Sequence[str], program: str) -> int:
    """Run the command "verify" with the arguments `argv`, print what it found, and return the exit status.

    `program` is the name in the usage line. The arguments are the paths of the audit, the candidate and the references.
    The status is 0 if everything was rebuilt, 1 if not, and 2 for wrong arguments. Raises BadData if a file cannot be
    read.
    """
    if len(argv) < 3 or argv[0].startswith("-"):
        print(f"usage: {program} verify AUDIT candidate reference [reference ...]", file=sys.stderr)
        return 2
    check = verify_audit(core, argv[0], argv[1:])
    for line in audit_check_lines(check):
        print(printable(line))
    return 0 if check.holds else 1


def _read_object(audit: str, line_number: int, row: str) -> dict[str, Any]:
    """Return the JSON object `row`, which is line `line_number` of the file `audit`.

    Raises BadData if `row` is not an object."""
    try:
        result = json.loads(row)
    except (ValueError, RecursionError):
        result = None
    if not isinstance(result, dict):
        raise BadData(f"{file_label(audit)}, line {line_number}: this is not a JSON object")
    return result


def _audited_settings(core: CoreFunctions, whole: Mapping[str, Any]) -> tuple[dict[str, Settings], dict[str, str]]:
    """Return the settings of each metric by its key, and why other metrics cannot be run again, by their keys.

    `whole` maps the key of each metric to what the audit says of its corpus score. A metric cannot be run again if a
    setting is an object, such as a table of similar words, because an audit holds only the name of the object; or if a
    package is missing.
    """
    chosen, unchecked = {}, {}
    for key, about in whole.items():
        given = about["settings"]
        rules = core.catalogue[key].Settings.rules()
        if any(rules[name].kind == "object" and value is not None for name, value in given.items()):
            unchecked[key] = "the audit names its similar words, but does not contain them"
            continue
        if missing := missing_packages_sentence(core.catalogue[key].needs):
            unchecked[key] = missing
            continue
        plain = {name: tuple(value) if isinstance(value, list) else value for name, value in given.items()}
        chosen[key] = core.settings(key, **plain)
    return chosen, unchecked


def _result_faults(
    metric: Metric,
    chosen: Settings,
    line: SegmentLine,
    text: TextSettings,
    clean: Sequence[str],
    result: Mapping[str, Any],
) -> Iterator[str]:
    """Yield a sentence for each way in which an audited result differs from the result that the metric finds now."""
    rebuilt = metric.score(line.segment.segment, chosen)
    signed = rebuilt.signature(text.signature()) + markup.cleaning_signature(clean)
    expected = json.loads(json.dumps({**rebuilt.to_dict(), "signature": signed}))
    for name in ("candidate", "references"):
        if result.get(name) != expected[name]:
            yield f"the words of the {name} are not those of the files"
            return  # every other difference would follow from this one
    try:
        if result["stats"].keys() != expected["stats"].keys():
            yield f"its statistics are {brief_repr([*result['stats']])}, rebuilt {brief_repr([*expected['stats']])}"
            return
        stats = {name: float(value) for name, value in result["stats"].items()}
        for name in {name for layer in result["layers"] for name in layer["statistics"]}:
            total = math.fsum(
                [
                    layer["weight"] * math.fsum(layer["credits"])
                    for layer in result["layers"]
                    if name in layer["statistics"]
                ]
            )
            if not _nearly_equal(stats[name], total):
                yield f"the credits of its marks sum to {total!r}, but its {name} is {stats[name]!r}"
        score = metric.from_stats(stats, chosen).score
        if not _nearly_equal(result["score"], score):
            yield f"its statistics give {score!r}, but its score is {result['score']!r}"
    except (LookupError, TypeError, ValueError, AttributeError, ArithmeticError) as error:
        yield f"this is not the result of a metric: {brief_repr(str(error))}"
        return
    for name, value in expected.items():
        if not _equal_values(result.get(name), value):
            yield f"{_first_difference_sentence(name, result.get(name), value)}"


def _equal_values(a: object, b: object) -> bool:
    """Return whether two JSON values are equal, where numbers may differ by the tolerance `CLOSE`."""
    if isinstance(a, bool | str) or isinstance(b, bool | str):
        return type(a) is type(b) and a == b
    if isinstance(a, int | float) and isinstance(b, int | float):
        return _nearly_equal(a, b)
    if isinstance(a, list) and isinstance(b, list):
        return len(a) == len(b) and all(map(_equal_values, a, b))
    if isinstance(a, dict) and isinstance(b, dict):
        return a.keys() == b.keys() and all(_equal_values(a[name], b[name]) for name in a)
    return a is None and b is None


def _nearly_equal(a: object, b: float) -> bool:
    """Return whether `a` is a number and equals `b` to within the tolerance `CLOSE`."""
    if isinstance(a, bool) or not isinstance(a, int | float):
        return False
    return a == b or (abs(a) <= sys.float_info.max and math.isclose(a, b, rel_tol=CLOSE, abs_tol=CLOSE))


def _first_difference_sentence(name: str, given: Any, rebuilt: Any) -> str:
    """Return a sentence with the first path at which two unequal JSON values differ, and both values there.

    `name` is the path so far, such as "stats".
    """
    if isinstance(given, dict) and isinstance(rebuilt, dict) and given.keys() == rebuilt.keys():
        part = next(part for part in rebuilt if not _equal_values(given[part], rebuilt[part]))
        return _first_difference_sentence(f"{name}, {part}", given[part], rebuilt[part])
    if isinstance(given, list) and isinstance(rebuilt, list) and len(given) == len(rebuilt):
        at = next(at for at, (a, b) in enumerate(zip(given, rebuilt, strict=True)) if not _equal_values(a, b))
        return _first_difference_sentence(f"{name} {at + 1}", given[at], rebuilt[at])
    if name == "signature":
        return f"its signature is another one: {_signature_difference(given, rebuilt)}"
    return f"its {name} is {brief_repr(given)}, but {brief_repr(rebuilt)} when rebuilt"


def _without_references(signed: object) -> list[str]:
    """Return the parts of a signature without the number of references, which the files decide."""
    return [part for part in str(signed).split("|") if not part.startswith("refs:")]


def _signature_difference(theirs: object, ours: str) -> str:
    """Return a clause with the first settings in which two unequal signatures differ.

    >>> _signature_difference("gtm|exponent:2.0|refs:1|v:0.2.0", "gtm|exponent:1.5|refs:1|v:0.1.0")
    "the audit has 'exponent:2.0', here it is 'exponent:1.5'"
    >>> _signature_difference("gtm", "gtm|exponent:1.5")
    "the audit has 'gtm', here it is 'gtm|exponent:1.5'"
    """
    parts = theirs.split("|") if isinstance(theirs, str) else []
    there, here = theirs, ours
    if len(parts) == len(ours.split("|")):
        there, here = next((a, b) for a, b in zip(parts, ours.split("|"), strict=True) if a != b)
    return f"the audit has {brief_repr(there)}, here it is {brief_repr(here)}"


def audit_check_lines(check: AuditCheck) -> Iterator[str]:
    """Yield the lines that report a check to the user: faults, metrics that were not checked, scores, a summary."""
    yield from check.faults[:SAID]
    if len(check.faults) > SAID:
        yield f"… and {len(check.faults) - SAID} more"
    for key, reason in check.unchecked.items():
        yield f"{key} is not checked: {reason}"
    width = max(map(len, check.scores), default=0)
    for key, (score, signed) in check.scores.items():
        yield f"{key:{width}}  {score:.4f}  {signed}"
    results, faults = count_with_noun(check.results, "result"), count_with_noun(len(check.faults), "fault")
    yield f"{results} rebuilt, {'every score follows from its marks' if check.results and not check.faults else faults}"
