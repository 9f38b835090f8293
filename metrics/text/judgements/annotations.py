"""Judgements in JSON: Pearmut's, with scores and marked errors of several models, and the error spans of xCOMET."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from ...formula import counted
from .. import printable
from ..files import BadData, file_label
from ..formats.material import Material
from ..formats.objects import loaded, system_names
from ..formats.roles import own_name
from ..formats.sheets import File
from .judged_corpus import RatingScale
from .parts import ErrorMark, JudgementPart, OutputRating, scale_of
from .text_places import Index, index, moved

#: The scale of Pearmut's scores, which go from 0 to 100, and the judge of xCOMET's marks.
ESA, XCOMET = "esa", "xCOMET"
#: The special word behind an output that is marked where something is missing.
MISSING = "missing"
FAR = 1e300  # of a score: sums of such are numbers, too


#: Names that stand together in such files.
_NAMES = (("annotation",), ("error_spans",), ("errors", "severity"))


class _Record(NamedTuple):
    """A page that a judge filled in: where it stands, and what it holds."""

    where: str
    entry: Mapping[str, Any]


def is_annotated(text: str) -> bool:
    """Whether JSON looks like one of the two, by the names that they have.

    >>> is_annotated('{"annotation": [], "user_id": "x"}'), is_annotated('{"src": "a", "mt": "b"}')
    (True, False)
    """
    return any(all(f'"{name}"' in text for name in names) for names in _NAMES)


def json_part(file: File, text: str, material: Material, higher_is_better: Mapping[str, bool]) -> JudgementPart | None:
    """What a file of JSON holds, None where it is neither of the two. Raises BadData."""
    start = text.lstrip()[:1]
    if start not in ("{", "["):
        return None
    first, _, rest = text.strip().partition("\n")
    if first.rstrip().endswith("}") and (not rest.strip() or rest.lstrip().startswith("{")):
        numbers = [(n, line) for n, line in enumerate(text.split("\n"), 1) if line.strip()]
        records = [
            _Record(f"{file_label(file.name)}, line {n}", loaded(file, line, f", line {n}")) for n, line in numbers
        ]
        if len(records) == 1:
            return _whole(file, records[0].entry, material, higher_is_better)
        return _pearmut(file, records, material, higher_is_better) if all(map(_annotated, records)) else None
    return _whole(file, loaded(file, text, "", whole=True), material, higher_is_better)


def _whole(file: File, value: Any, material: Material, higher_is_better: Mapping[str, bool]) -> JudgementPart | None:
    """The same of a file that is one value."""
    lists = {"": value} if isinstance(value, list) else value
    if not isinstance(lists, dict):
        return None
    if isinstance(value, dict) and "annotation" in value and "user_id" in value:
        return _pearmut(file, [_Record(file_label(file.name), value)], material, higher_is_better)
    spans = lists.get(
        "error_spans", (lists.get("metadata") or {}).get("error_spans") if _object(lists, "metadata") else None
    )
    if isinstance(spans, list):
        return _xcomet(file, {_only(file, material): [{"errors": each} for each in spans]}, material)
    if not lists or not all(isinstance(each, list) for each in lists.values()):
        return None
    records = [
        _Record(f"{file_label(file.name)}, {f'{printable(name[:60])}, ' if name else ''}entry {n}", entry)
        for name, entries in lists.items()
        for n, entry in enumerate(entries, 1)
    ]
    if records and all(map(_annotated, records)):
        return _pearmut(file, records, material, higher_is_better)
    entries = [entry for each in lists.values() for entry in each]
    if isinstance(value, dict) and any(
        isinstance(entry, dict) and isinstance(entry.get("errors"), list) for entry in entries
    ):
        names = system_names(file, [*value])
        return _xcomet(file, dict(zip(names, value.values(), strict=True)), material)
    return None


def _object(mapping: Mapping[str, Any], name: str) -> bool:
    return isinstance(mapping.get(name), dict)


def _annotated(record: _Record) -> bool:
    return isinstance(record.entry, dict) and "annotation" in record.entry and "user_id" in record.entry


# ---------------------------------------------------------------- Pearmut


def _pearmut(
    file: File, records: Sequence[_Record], material: Material, higher_is_better: Mapping[str, bool]
) -> JudgementPart:
    """Pearmut's log: for each page and judge a list of items with outputs by model, and as long a list of annotations.

    Of a page that a judge filled in again the last one counts, and none that was taken back. Pages of welcome and tests
    are left out. The letters of a mark count from 0, as a browser counts them, and include its end; behind the output
    stands a word that is marked for what is missing.
    """
    pages: dict[tuple[str, str], _Record] = {}
    tests = 0
    for record in records:
        page = str(record.entry.get("item_i"))
        if page.startswith(("welcome_", "random_", "goodbye_")):
            tests += 1
        elif isinstance(record.entry["annotation"], list | dict):
            pages[str(record.entry["user_id"]), page] = record
        else:
            pages.pop((str(record.entry["user_id"]), page), None)
    where = index(material)
    ratings: list[OutputRating] = []
    marks: list[ErrorMark] = []
    outside: set[str] = set()
    values: dict[str, list[float]] = {}
    lost = 0
    for (judge, _), record in pages.items():
        for item, each in _items(record):
            targets: Mapping[str, Any] = item["tgt"] if isinstance(item.get("tgt"), dict) else {}
            for system, annotation in each.items():
                if system not in material.systems:
                    outside.add(system)
                    continue
                text = targets.get(system)
                place = _place(item, system, text, material, where)
                if place is None or not isinstance(annotation, dict):
                    lost += 1
                    continue
                for name, value in _scores(record.where, annotation):
                    values.setdefault(name, []).append(value)
                    ratings.append(OutputRating(system, place, judge, name, value))
                output_text = material.systems[system].lines[place]
                for span in _spans(record.where, annotation, "start_i", "end_i"):
                    marks.append(_mark(record.where, span, system, place, judge, str(text or output_text), output_text))
    scales = [
        (RatingScale(ESA, True, 0.0, 100.0), "higher is better of esa, from 0 to 100")
        if name == ESA
        else scale_of(name, of, higher_is_better)
        for name, of in values.items()
    ]
    says = "; ".join(["marks include the letter at their end", *[how for _, how in scales]])
    notices = [f"Pearmut's annotations, {len(pages):,} pages and {len(marks):,} marks; {says}"]
    if lost:
        notices.append(f"{counted(lost, 'output')} left out, whose texts are not among those that are given")
    if tests:
        notices.append(f"{counted(tests, 'page')} of welcome or tests left out")
    return JudgementPart(notices, [scale for scale, _ in scales], ratings, marks, frozenset(outside))


def _items(record: _Record) -> Iterator[tuple[Mapping[str, Any], Mapping[str, Any]]]:
    """The items of a page, each with its annotations by model. BadData where they do not fit."""
    items, annotations = record.entry.get("item"), record.entry["annotation"]
    items = [items] if isinstance(items, dict) else items
    annotations = [annotations] if isinstance(annotations, dict) else annotations
    if not isinstance(items, list):
        raise BadData(f"{record.where} has no item, without which nobody knows which texts were judged")
    if len(items) != len(annotations):
        raise BadData(f"{record.where} has {counted(len(items), 'item')} but {counted(len(annotations), 'annotation')}")
    for item, each in zip(items, annotations, strict=True):
        if isinstance(item, dict) and isinstance(each, dict):
            yield item, each


def _place(item: Mapping[str, Any], system: str, text: Any, material: Material, where: Index) -> int | None:
    """The segment of an item: by its key, or by its texts, the first of several."""
    key = item.get("item_id")
    if material.keys is not None and isinstance(key, str) and key in material.keys:
        return material.keys.index(key)
    segments = where.find_segments(system, str(text or ""), str(item.get("src") or ""))
    return min(segments) if segments else None


def _scores(where: str, annotation: Mapping[str, Any]) -> Iterator[tuple[str, float]]:
    """The score, and those of sliders of one's own, by name. BadData where one is no number."""
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


def _spans(
    where: str, annotation: Mapping[str, Any], start: str, end: str
) -> Iterator[tuple[int, int, Mapping[str, Any]]]:
    """The marks of an output. BadData where one has no ends."""
    name = "error_spans" if "error_spans" in annotation else "errors"
    spans = annotation.get(name) or []
    if not isinstance(spans, list):
        raise BadData(f"{where}: {name} must be a list")
    for each in spans:
        ends = (each.get(start), each.get(end)) if isinstance(each, dict) else (None, None)
        if not all(isinstance(at, int) and not isinstance(at, bool) and 0 <= at < 10**9 for at in ends):
            raise BadData(f"{where}: a mark must have {start} and {end}, whole numbers from 0")
        yield int(ends[0]), int(ends[1]), each  # type: ignore[arg-type]


def _mark(
    where: str,
    span: tuple[int, int, Mapping[str, Any]],
    system: str,
    place: int,
    judge: str,
    text: str,
    output_text: str,
) -> ErrorMark:
    """A mark of Pearmut's, whose last letter is at its end; one behind the text is of something that is missing."""
    start, end, error = span
    if end < start:
        raise BadData(f"{where}: a mark from {start} to {end} has no letter")
    category, severity = (str(error.get(name) or "") for name in ("category", "severity"))
    unit_letters = _letters_by_unit(text)
    if start >= len(unit_letters):
        return ErrorMark(
            system, place, judge, "target", len(output_text), len(output_text), category or MISSING, severity
        )
    first, last = unit_letters[start], unit_letters[min(end, len(unit_letters) - 1)] + 1
    ends = moved(first, last, text, output_text) or (min(first, len(output_text)), min(last, len(output_text)))
    return ErrorMark(system, place, judge, "target", *ends, category, severity)


def _letters_by_unit(text: str) -> list[int]:
    """The letter of each of the places that Pearmut counts: a browser's units, of which a letter beyond the first
    65,536 has two, without line breaks.

    >>> _letters_by_unit("a\\n😀b")
    [0, 2, 2, 3]
    """
    return [at for at, letter in enumerate(text) if letter != "\n" for _ in range(1 + (letter > "\uffff"))]


# ---------------------------------------------------------------- xCOMET


def _only(file: File, material: Material) -> str:
    """The system whose marks a file has that names none. Raises BadData."""
    for name in (file.label, own_name(file)):
        if name in material.systems:
            return name
    if len(material.systems) == 1:
        return next(iter(material.systems))
    raise BadData(f"{file_label(file.name)} does not say whose errors these are; call it as the system")


def _xcomet(file: File, entries_by_system: Mapping[str, Sequence[Any]], material: Material) -> JudgementPart:
    """xCOMET's error spans by system: of each segment in its order those that the model sees, half-open from 0."""
    marks: list[ErrorMark] = []
    other = 0
    for system, entries in entries_by_system.items():
        if system not in material.systems:
            continue
        lines = material.systems[system].lines
        if len(entries) != len(lines):
            raise BadData(
                f"{file_label(file.name)}: {printable(system[:60])} has spans of {counted(len(entries), 'segment')}, "
                f"but there are {len(lines):,}"
            )
        for place, (entry, output_text) in enumerate(zip(entries, lines, strict=True)):
            where = f"{file_label(file.name)}, {printable(system[:60])}, entry {place + 1}"
            if not isinstance(entry, dict):
                raise BadData(f"{where} is no object")
            text: str = entry["mt"] if isinstance(entry.get("mt"), str) else output_text
            for start, end, error in _spans(where, entry, "start", "end"):
                ends = moved(start, end, text, output_text) if start <= end <= len(text) else None
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
                            *_trimmed(output_text, *ends),
                            "",
                            str(error.get("severity") or ""),
                        )
                    )
    notices = [f"xCOMET's error spans, {len(marks):,} marks by a model and not by people; marks are half-open"]
    if other:
        notices.append(f"{counted(other, 'mark')} with another text than the file gives")
    return JudgementPart(
        notices, (), (), marks, frozenset([name for name in entries_by_system if name not in material.systems])
    )


def _trimmed(text: str, start: int, end: int) -> tuple[int, int]:
    """The same letters without white space at the ends."""
    marked_text = text[start:end]
    return start + len(marked_text) - len(marked_text.lstrip()), end - len(marked_text) + len(marked_text.rstrip())
