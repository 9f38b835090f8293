"""Read judgements in JSON: the logs of Pearmut (scores and marked errors), and error spans found by xCOMET.

Pearmut is a tool in which people annotate outputs of several models. xCOMET is a metric that also marks errors."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from ...formula import count_with_noun
from .. import printable
from ..files import BadData, file_label
from ..formats.material import Material
from ..formats.objects import parse_json, system_names_of_paths
from ..formats.roles import bare_file_name
from ..formats.sheets import File
from .judged_corpus import RatingScale
from .parts import ErrorMark, FileJudgements, OutputRating, infer_scale
from .text_places import TextIndex, index_texts, move_span

#: The scale of Pearmut's scores, from 0 to 100, and the name of the judge to whom xCOMET's marks belong.
ESA, XCOMET = "esa", "xCOMET"
#: The category of a mark on the special word behind an output, which means that something is missing.
MISSING = "missing"
FAR = 1e300  # scores are smaller than this, so that their sums are finite


#: Groups of names that occur together in these files; any group is enough.
_NAMES = (("annotation",), ("error_spans",), ("errors", "severity"))


class _JsonRecord(NamedTuple):
    """A JSON object of a file, such as a page of Pearmut that a judge filled in.

    Attributes:
        where: the position of the object in the file, for messages.
        entry: the object."""

    where: str
    entry: Mapping[str, Any]


def looks_like_annotations(text: str) -> bool:
    """Return whether a JSON text looks like a log of Pearmut or the output of xCOMET, by the names that occur in it.

    >>> looks_like_annotations('{"annotation": [], "user_id": "x"}'), looks_like_annotations('{"src": "a", "mt": "b"}')
    (True, False)
    """
    return any(all(f'"{name}"' in text for name in names) for names in _NAMES)


def json_judgements(
    file: File, text: str, material: Material, higher_is_better: Mapping[str, bool]
) -> FileJudgements | None:
    """Return the judgements of a JSON file; None if it is neither a log of Pearmut nor the output of xCOMET.

    `material` has the judged texts. `higher_is_better` says for scales, by name, which direction is better. Raises
    BadData."""
    start = text.lstrip()[:1]
    if start not in ("{", "["):
        return None
    first, _, rest = text.strip().partition("\n")
    if first.rstrip().endswith("}") and (not rest.strip() or rest.lstrip().startswith("{")):
        numbers = [(n, line) for n, line in enumerate(text.split("\n"), 1) if line.strip()]
        records = [
            _JsonRecord(f"{file_label(file.name)}, line {n}", parse_json(file, line, f", line {n}"))
            for n, line in numbers
        ]
        if len(records) == 1:
            return _judgements_of_json_value(file, records[0].entry, material, higher_is_better)
        return (
            _pearmut_judgements(file, records, material, higher_is_better)
            if all(map(_is_pearmut_page, records))
            else None
        )
    return _judgements_of_json_value(file, parse_json(file, text, "", whole=True), material, higher_is_better)


def _judgements_of_json_value(
    file: File, value: Any, material: Material, higher_is_better: Mapping[str, bool]
) -> FileJudgements | None:
    """Return the judgements of a JSON file that is the single value `value`; None if its format is unknown.

    `higher_is_better` says for scales, by name, which direction is better."""
    lists = {"": value} if isinstance(value, list) else value
    if not isinstance(lists, dict):
        return None
    if isinstance(value, dict) and "annotation" in value and "user_id" in value:
        return _pearmut_judgements(file, [_JsonRecord(file_label(file.name), value)], material, higher_is_better)
    spans = lists.get(
        "error_spans", (lists.get("metadata") or {}).get("error_spans") if _has_object(lists, "metadata") else None
    )
    if isinstance(spans, list):
        return _xcomet_judgements(
            file, {_system_of_file(file, material): [{"errors": each} for each in spans]}, material
        )
    if not lists or not all(isinstance(each, list) for each in lists.values()):
        return None
    records = [
        _JsonRecord(f"{file_label(file.name)}, {f'{printable(name[:60])}, ' if name else ''}entry {n}", entry)
        for name, entries in lists.items()
        for n, entry in enumerate(entries, 1)
    ]
    if records and all(map(_is_pearmut_page, records)):
        return _pearmut_judgements(file, records, material, higher_is_better)
    entries = [entry for each in lists.values() for entry in each]
    if isinstance(value, dict) and any(
        isinstance(entry, dict) and isinstance(entry.get("errors"), list) for entry in entries
    ):
        names = system_names_of_paths(file, [*value])
        return _xcomet_judgements(file, dict(zip(names, value.values(), strict=True)), material)
    return None


def _has_object(mapping: Mapping[str, Any], name: str) -> bool:
    """Return whether `mapping` has a JSON object under the name `name`."""
    return isinstance(mapping.get(name), dict)


def _is_pearmut_page(record: _JsonRecord) -> bool:
    """Return whether a record is a page of annotations by Pearmut."""
    return isinstance(record.entry, dict) and "annotation" in record.entry and "user_id" in record.entry


# ---------------------------------------------------------------- Pearmut


def _pearmut_judgements(
    file: File, records: Sequence[_JsonRecord], material: Material, higher_is_better: Mapping[str, bool]
) -> FileJudgements:
    """Return the scores and marked errors in a log of Pearmut. Raises BadData.

    For each page and judge the log has a list of items with outputs by model, and an equally long list of annotations.
    If a judge filled in a page several times, the last time counts; a page that was withdrawn does not count. Welcome
    pages and test pages are left out. Positions of marked errors count UTF-16 units from 0, as a browser does, and
    include the end. Where something is missing, judges can mark a special word behind the output."""
    pages: dict[tuple[str, str], _JsonRecord] = {}
    tests = 0
    for record in records:
        page = str(record.entry.get("item_i"))
        if page.startswith(("welcome_", "random_", "goodbye_")):
            tests += 1
        elif isinstance(record.entry["annotation"], list | dict):
            pages[str(record.entry["user_id"]), page] = record
        else:
            pages.pop((str(record.entry["user_id"]), page), None)
    where = index_texts(material)
    ratings: list[OutputRating] = []
    marks: list[ErrorMark] = []
    outside: set[str] = set()
    values: dict[str, list[float]] = {}
    lost = 0
    for (judge, _), record in pages.items():
        for item, each in _judged_items(record):
            targets: Mapping[str, Any] = item["tgt"] if isinstance(item.get("tgt"), dict) else {}
            for system, annotation in each.items():
                if system not in material.systems:
                    outside.add(system)
                    continue
                text = targets.get(system)
                place = _segment_of_item(item, system, text, material, where)
                if place is None or not isinstance(annotation, dict):
                    lost += 1
                    continue
                for name, value in _iterate_scores(record.where, annotation):
                    values.setdefault(name, []).append(value)
                    ratings.append(OutputRating(system, place, judge, name, value))
                output_text = material.systems[system].lines[place]
                for span in _iterate_spans(record.where, annotation, "start_i", "end_i"):
                    marks.append(
                        _pearmut_error_mark(
                            record.where, span, system, place, judge, str(text or output_text), output_text
                        )
                    )
    scales = [
        (RatingScale(ESA, True, 0.0, 100.0), "higher is better for esa, from 0 to 100")
        if name == ESA
        else infer_scale(name, of, higher_is_better)
        for name, of in values.items()
    ]
    says = "; ".join(["marks include the letter at their end", *[how for _, how in scales]])
    notices = [f"Pearmut's annotations, {len(pages):,} pages and {len(marks):,} marks; {says}"]
    if lost:
        notices.append(f"{count_with_noun(lost, 'output')} left out: the text is not among those given")
    if tests:
        notices.append(f"{count_with_noun(tests, 'welcome or test page')} left out")
    return FileJudgements(notices, [scale for scale, _ in scales], ratings, marks, frozenset(outside))


def _judged_items(record: _JsonRecord) -> Iterator[tuple[Mapping[str, Any], Mapping[str, Any]]]:
    """Yield each item of a Pearmut page with its annotations by model.

    Raises BadData if the page has another number of items than of annotations."""
    items, annotations = record.entry.get("item"), record.entry["annotation"]
    items = [items] if isinstance(items, dict) else items
    annotations = [annotations] if isinstance(annotations, dict) else annotations
    if not isinstance(items, list):
        raise BadData(f"{record.where} has no item, so the judged texts are unknown")
    if len(items) != len(annotations):
        raise BadData(
            f"{record.where} has {count_with_noun(len(items), 'item')} but "
            f"{count_with_noun(len(annotations), 'annotation')}"
        )
    for item, each in zip(items, annotations, strict=True):
        if isinstance(item, dict) and isinstance(each, dict):
            yield item, each


def _segment_of_item(
    item: Mapping[str, Any], system: str, text: Any, material: Material, where: TextIndex
) -> int | None:
    """Return the index of the segment that a Pearmut item is about; None if it is not in the material.

    The item's key identifies the segment, else its texts: `text` is the output of `system`, and `where` the index of
    the material's texts. If several segments have these texts, the first is returned."""
    key = item.get("item_id")
    if material.keys is not None and isinstance(key, str) and key in material.keys:
        return material.keys.index(key)
    segments = where.find_segments(system, str(text or ""), str(item.get("src") or ""))
    return min(segments) if segments else None


def _iterate_scores(where: str, annotation: Mapping[str, Any]) -> Iterator[tuple[str, float]]:
    """Yield the name and value of an annotation's score and of each of its additional sliders.

    `where` is the position in the file, for messages. Raises BadData for an invalid value."""
    sliders = annotation.get("sliders")
    several = {ESA: annotation.get("score"), **(sliders if isinstance(sliders, dict) else {})}
    for name, value in several.items():
        if value is None:
            continue
        if isinstance(value, bool) or not isinstance(value, int | float) or not abs(value) < FAR:
            raise BadData(f"{where}: a score must be a number, got {printable(repr(value)[:40])}")
        if name == ESA and not 0 <= value <= 100:
            raise BadData(f"{where}: a score goes from 0 to 100, got {float(value):g}")
        yield name, float(value)


def _iterate_spans(
    where: str, annotation: Mapping[str, Any], start: str, end: str
) -> Iterator[tuple[int, int, Mapping[str, Any]]]:
    """Yield the error spans of an annotation: start, end, and the JSON object of the span.

    `start` and `end` are the names under which that object has its ends. `where` is the position in the file, for
    messages. Raises BadData for a span without ends."""
    name = "error_spans" if "error_spans" in annotation else "errors"
    spans = annotation.get(name) or []
    if not isinstance(spans, list):
        raise BadData(f"{where}: {name} must be a list")
    for each in spans:
        ends = (each.get(start), each.get(end)) if isinstance(each, dict) else (None, None)
        if not all(isinstance(at, int) and not isinstance(at, bool) and 0 <= at < 10**9 for at in ends):
            raise BadData(f"{where}: a mark must have {start} and {end}, whole numbers from 0")
        yield int(ends[0]), int(ends[1]), each  # type: ignore[arg-type]


def _pearmut_error_mark(
    where: str,
    span: tuple[int, int, Mapping[str, Any]],
    system: str,
    segment: int,
    judge: str,
    text: str,
    output_text: str,
) -> ErrorMark:
    """Convert one error span of Pearmut into a mark in the output of the material. Raises BadData.

    `text` is the output as Pearmut has it, `output_text` the output of the material; both ends of `span` count browser
    units in `text`, and the end is the last marked letter. A span that starts behind the text says that something is
    missing; its mark is empty, at the end of the output."""
    start, end, error = span
    if end < start:
        raise BadData(f"{where}: a mark from {start} to {end} is empty")
    category, severity = (str(error.get(name) or "") for name in ("category", "severity"))
    unit_letters = _letters_by_unit(text)
    if start >= len(unit_letters):
        return ErrorMark(
            system, segment, judge, "target", len(output_text), len(output_text), category or MISSING, severity
        )
    first, last = unit_letters[start], unit_letters[min(end, len(unit_letters) - 1)] + 1
    ends = move_span(first, last, text, output_text) or (min(first, len(output_text)), min(last, len(output_text)))
    return ErrorMark(system, segment, judge, "target", *ends, category, severity)


def _letters_by_unit(text: str) -> list[int]:
    """Return for each position that Pearmut counts the index of the letter in `text`.

    Pearmut counts UTF-16 units, as browsers do, and skips line breaks. A letter beyond the first 65,536 code points has
    two units.

    >>> _letters_by_unit("a\\n😀b")
    [0, 2, 2, 3]
    """
    return [at for at, letter in enumerate(text) if letter != "\n" for _ in range(1 + (letter > "\uffff"))]


# ---------------------------------------------------------------- xCOMET


def _system_of_file(file: File, material: Material) -> str:
    """Return the system that a file without system names judges: the one in the file's name, or the only one.

    Raises BadData if there are several systems and the file is named after none of them."""
    for name in (file.label, bare_file_name(file)):
        if name in material.systems:
            return name
    if len(material.systems) == 1:
        return next(iter(material.systems))
    raise BadData(f"{file_label(file.name)} does not say whose errors these are; name it after the system")


def _xcomet_judgements(
    file: File, entries_by_system: Mapping[str, Sequence[Any]], material: Material
) -> FileJudgements:
    """Return the error spans that xCOMET found, as marked errors; only for systems that are in the material.

    The entries of each system are its segments in order. Spans are half-open and count letters from 0. Raises
    BadData."""
    marks: list[ErrorMark] = []
    other = 0
    for system, entries in entries_by_system.items():
        if system not in material.systems:
            continue
        lines = material.systems[system].lines
        if len(entries) != len(lines):
            raise BadData(
                f"{file_label(file.name)}: {printable(system[:60])} has spans of "
                f"{count_with_noun(len(entries), 'segment')}, but there are {len(lines):,}"
            )
        for place, (entry, output_text) in enumerate(zip(entries, lines, strict=True)):
            where = f"{file_label(file.name)}, {printable(system[:60])}, entry {place + 1}"
            if not isinstance(entry, dict):
                raise BadData(f"{where} is no object")
            text: str = entry["mt"] if isinstance(entry.get("mt"), str) else output_text
            for start, end, error in _iterate_spans(where, entry, "start", "end"):
                ends = move_span(start, end, text, output_text) if start <= end <= len(text) else None
                expected_text = "".join(str(error.get("text") or "").split())
                if ends is None or (expected_text and "".join(output_text[slice(*ends)].split()) != expected_text):
                    other += 1
                if ends is not None:
                    marks.append(
                        ErrorMark(
                            system,
                            place,
                            XCOMET,
                            "target",
                            *_trimmed_span(output_text, *ends),
                            "",
                            str(error.get("severity") or ""),
                        )
                    )
    notices = [
        f"xCOMET's error spans, {len(marks):,} marks by a model, not by people; the end is the letter after the mark"
    ]
    if other:
        notices.append(f"{count_with_noun(other, 'mark')} whose text differs from the file")
    return FileJudgements(
        notices, (), (), marks, frozenset([name for name in entries_by_system if name not in material.systems])
    )


def _trimmed_span(text: str, start: int, end: int) -> tuple[int, int]:
    """Return the range from `start` to `end` of a text without the white space at its ends."""
    marked_text = text[start:end]
    return start + len(marked_text) - len(marked_text.lstrip()), end - len(marked_text) + len(marked_text.rstrip())
