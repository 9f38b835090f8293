"""The page's whole state as a link or as a workspace file, and back. Everything that comes back is checked."""

from __future__ import annotations

import dataclasses
import json
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import quote

import metrics
from metrics.text import TextSettings
from metrics.types import Rule, Settings

LINK_MOST = 6_000  # characters of a query that browsers, proxies and chat programs all carry
FORMAT = "bitext-grid workspace 1"
FIRST_METRIC = "gtm"  # what a page without a link shows
SIMILARITIES = ("none", "stems", "wordnet")  # those of SIA that a link can name
#: The views of a sentence by the names that links use.
VIEWS = {"metric": "Metric", "all": "All metrics", "two": "Two metrics", "errors": "Error classes"}
FIRST_OTHER = "rouge_l"  # what the view of two metrics compares with
#: The views of a comparison by the names that links use.
COMPARE_VIEWS = {"difference": "Difference", "whatif": "What if", "words": "Words", "all": "All systems"}
SYSTEMS_LEAST, SYSTEMS_MOST, NAME_MOST = 2, 8, 40  # systems of a comparison, characters of a name
_NUMBERED = re.compile(r"(system|name)\.([1-9][0-9]*)")
_PLAIN = ("candidate", "references", "metric", "sia.similarity", "view", "other", "sides", "compare")
Plain = bool | int | float | str | None | tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Workspace:
    """What a page shows: the texts as typed, how they are processed, the metric and all changed settings.

    `settings` holds, by metric and name, only values that differ from the metric's defaults. `similarity` is the kind
    of SIA's word similarity; a translation table itself is not part of a link (see `to_json`). `view` is one of VIEWS,
    `other` the second metric of the view of two.

    `page` is "sentence" or "compare". On the Compare page `systems` holds 2 to 8 pairs of name and text, `sides` says
    which of them are A and B (two different positions, from 0), and `compare` is one of COMPARE_VIEWS; on the Sentence
    page there are no systems.
    """

    candidate: str = ""
    references: str = ""
    text: TextSettings = field(default_factory=TextSettings)
    metric: str = FIRST_METRIC
    settings: Mapping[str, Mapping[str, Plain]] = field(default_factory=dict)
    similarity: str = "none"
    view: str = "metric"
    other: str = FIRST_OTHER
    systems: tuple[tuple[str, str], ...] = ()
    sides: tuple[int, int] = (0, 1)
    compare: str = "difference"
    page: str = "sentence"


def default_name(slot: int) -> str:
    """The name of a system that was given none: A, B, C, … by its position."""
    return chr(ord("A") + slot)


def to_query(workspace: Workspace) -> dict[str, str]:
    """The workspace as query parameters; what is at its default is left out.

    >>> to_query(Workspace("a cat", "the cat", settings={"gtm": {"exponent": 1.0}}))
    {'candidate': 'a cat', 'references': 'the cat', 'metric': 'gtm', 'gtm.exponent': '1.0'}

    A comparison is known by its systems; it needs no candidate.

    >>> to_query(Workspace(references="the cat", systems=(("A", "a cat"), ("new", "cat")), page="compare"))
    {'references': 'the cat', 'metric': 'gtm', 'system.1': 'a cat', 'system.2': 'cat', 'name.2': 'new'}
    """
    query = {"candidate": workspace.candidate} if workspace.candidate or workspace.page == "sentence" else {}
    query |= {"references": workspace.references, "metric": workspace.metric}
    for name, value in _changed(workspace.text).items():
        query[f"text.{name}"] = _written(value)
    for key, values in workspace.settings.items():
        for name, value in values.items():
            query[f"{key}.{name}"] = _written(value)
    if workspace.similarity in SIMILARITIES[1:]:
        query["sia.similarity"] = workspace.similarity
    if workspace.view != "metric":
        query["view"] = workspace.view
    if workspace.other != FIRST_OTHER:
        query["other"] = workspace.other
    for slot, (name, text) in enumerate(workspace.systems):
        query[f"system.{slot + 1}"] = text
        if name != default_name(slot):
            query[f"name.{slot + 1}"] = name
    if workspace.sides != (0, 1):
        query["sides"] = f"{workspace.sides[0] + 1}-{workspace.sides[1] + 1}"
    if workspace.compare != "difference":
        query["compare"] = workspace.compare
    return query


def link(workspace: Workspace) -> str | None:
    """The query string to put behind the app's address, None where it would be longer than a link can bear."""
    parts = [f"{name}={quote(value.encode('utf-8', 'surrogatepass'))}" for name, value in to_query(workspace).items()]
    query = "?" + "&".join(parts)
    return query if len(query) <= LINK_MOST else None


def from_query(query: Mapping[str, str]) -> tuple[Workspace, list[str]]:
    """A workspace from query parameters, and a sentence for each parameter that could not be used."""
    problems: list[str] = []
    text: dict[str, Any] = {}
    settings: dict[str, dict[str, Plain]] = {}
    metric = _named(query, "metric", metrics.METRICS, FIRST_METRIC, problems)
    similarity = _named(query, "sia.similarity", SIMILARITIES, "none", problems)
    view = _named(query, "view", VIEWS, "metric", problems)
    other = _named(query, "other", metrics.METRICS, FIRST_OTHER, problems)
    systems, sides, compare = _comparison(query, problems)
    for parameter, written in query.items():
        if parameter in _PLAIN or _NUMBERED.fullmatch(parameter):
            continue
        owner, _, name = parameter.partition(".")
        cls = _settings_class(owner)
        rule = cls.rules().get(name) if cls else None
        if cls is None or rule is None or rule.kind == "object":
            problems.append(f"The link sets {parameter!r:.40}, which is no setting.")
            continue
        try:
            value = _read(rule, name, written)
            cls(**{name: value})  # some settings check more than their rules
        except ValueError as error:
            problems.append(f"The link's {parameter} is not used: {error}.")
            continue
        (text if owner == "text" else settings.setdefault(owner, {}))[name] = value
    workspace = Workspace(
        query.get("candidate", ""),
        query.get("references", ""),
        TextSettings(**text),
        metric,
        settings,
        similarity,
        view,
        other,
        systems,
        sides,
        compare,
        "compare" if systems else "sentence",
    )
    return workspace, problems


def _comparison(
    query: Mapping[str, str], problems: list[str]
) -> tuple[tuple[tuple[str, str], ...], tuple[int, int], str]:
    """The systems of a link, which of them are A and B, and the view. Without systems there is nothing to compare."""
    numbers = [n for n in range(1, SYSTEMS_MOST + 1) if f"system.{n}" in query]
    for parameter in query:
        if numbered := _NUMBERED.fullmatch(parameter):
            kind, number = numbered.groups()
            if len(number) > 1 or int(number) > SYSTEMS_MOST:
                problems.append(f"The link's {parameter:.40} is not used: at most {SYSTEMS_MOST} systems are compared.")
            elif kind == "name" and int(number) not in numbers:
                problems.append(f"The link's {parameter} is not used: the link has no system.{number}.")
        elif parameter in ("sides", "compare") and not numbers:
            problems.append(f"The link's {parameter} is not used: the link has no systems to compare.")
    if not numbers:
        return (), (0, 1), "difference"
    if numbers[-1] != len(numbers):
        listed = ", ".join(map(str, numbers))
        problems.append(f"The link's systems should be numbered from 1 without gaps, got {listed}; they are moved up.")
    if len(numbers) < SYSTEMS_LEAST:
        problems.append("The link has one system, and two are the fewest to compare; the second is left empty.")
        numbers.append(numbers[-1] + 1)
    systems = []
    for slot, number in enumerate(numbers):
        name = query.get(f"name.{number}", "")
        if len(name) > NAME_MOST:
            problems.append(f"The link's name.{number} is cut to {NAME_MOST} characters.")
            name = name[:NAME_MOST]
        systems.append((name if name.strip() else default_name(slot), query.get(f"system.{number}", "")))
    return (
        tuple(systems),
        _sides(query, numbers, problems),
        _named(query, "compare", COMPARE_VIEWS, "difference", problems),
    )


def _sides(query: Mapping[str, str], numbers: list[int], problems: list[str]) -> tuple[int, int]:
    """The positions of A and B; a link names them by the numbers of its systems."""
    if "sides" not in query:
        return 0, 1
    slots = {str(number): slot for slot, number in enumerate(numbers)}
    a, _, b = query["sides"].partition("-")
    if a in slots and b in slots and a != b:
        return slots[a], slots[b]
    problems.append(
        "The link's sides is not used: sides must be the numbers of two different systems, such as 1-2, "
        f"got {query['sides']!r:.40}."
    )
    return 0, 1


def _named(query: Mapping[str, str], parameter: str, names: Iterable[str], default: str, problems: list[str]) -> str:
    """A parameter that names one of a few things; another name is a problem and the default is taken."""
    given = query.get(parameter, default)
    if given in names:
        return given
    name = parameter.rpartition(".")[2]
    problems.append(f"The link's {parameter} is not used: {name} must be one of {', '.join(names)}, got {given!r:.40}.")
    return default


def to_json(workspace: Workspace, extra: Mapping[str, Any] | None = None) -> str:
    """The workspace as a file; `extra` holds what a link cannot, such as a translation table's lines."""
    body = {"format": FORMAT, "version": metrics.__version__, "query": to_query(workspace), **(extra or {})}
    return json.dumps(body, indent=1)  # ASCII, so that unpaired surrogates survive too


def from_json(data: bytes | str) -> tuple[Workspace, list[str], dict[str, Any]]:
    """A workspace from a file. Raises ValueError with one clear sentence if the file is not a workspace."""
    try:
        body = json.loads(data)
    except (ValueError, RecursionError):
        raise ValueError("This file is not a workspace: it is not JSON. Open one that was saved here.") from None
    query = body.get("query") if isinstance(body, dict) else None
    if not isinstance(query, dict) or body.get("format") != FORMAT:
        raise ValueError(
            f"This file is not a workspace: its format should be {FORMAT!r}. Open one that was saved here."
        )
    if not all(isinstance(v, str) for v in query.values()):
        raise ValueError("This workspace is damaged: every entry of its query should be text.")
    workspace, problems = from_query(query)
    return workspace, problems, {k: v for k, v in body.items() if k not in ("format", "version", "query")}


def changed(settings: Any) -> dict[str, Plain]:
    """The plain settings that differ from their defaults."""
    return _changed(settings)


def _changed(settings: Any) -> dict[str, Plain]:
    out: dict[str, Plain] = {}
    for f in dataclasses.fields(settings):
        value = getattr(settings, f.name)
        if f.metadata["rule"].kind != "object" and value != f.default:
            out[f.name] = value
    return out


def _settings_class(owner: str) -> type[Settings] | None:
    if owner == "text":
        return TextSettings
    return metrics.METRICS[owner].Settings if owner in metrics.METRICS else None


def _written(value: Plain) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    return "any" if value is None else "+".join(value) if isinstance(value, tuple) else str(value)


def _read(rule: Rule, name: str, written: str) -> Plain:
    value: Plain = written
    if rule.kind == "flag":
        if written not in ("yes", "no"):
            raise ValueError(f"{name} must be yes or no, got {written!r:.40}")
        value = written == "yes"
    elif written == "any" and rule.optional:
        value = None
    elif rule.kind == "choices":
        value = tuple(written.split("+"))
    elif rule.kind in ("number", "whole"):
        try:
            value = int(written) if rule.kind == "whole" else float(written)
        except ValueError:
            raise ValueError(f"{name} must be a number, got {written!r:.40}") from None
    rule.check(name, value)
    return value


def known(names: Iterable[str]) -> bool:
    """Whether any query parameter is ours."""
    return any(
        n in ("candidate", "references", "metric")
        or _settings_class(n.partition(".")[0])
        or ((numbered := _NUMBERED.fullmatch(n)) and numbered[1] == "system")
        for n in names
    )


def sendable(text: str) -> str:
    """`text` as it can be sent to a browser: unpaired surrogates, which only a file can bring, as U+FFFD.

    >>> sendable("a\\ud800b")
    'a\ufffdb'
    """
    return re.sub("[\ud800-\udfff]", "\ufffd", text)
