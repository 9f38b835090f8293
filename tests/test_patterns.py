"""Test that every regular expression of the project takes time in proportion to the text, for any text.

The tests find the patterns in the values of modules and in calls. Each pattern is run on texts made from it: its
beginning, then many times the part that it repeats, then an end that does not match."""

from __future__ import annotations

import ast
import importlib
import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from re import _parser as parser  # type: ignore[attr-defined]
from types import MappingProxyType, ModuleType
from typing import Any, NamedTuple

import pytest
import regex

import metrics
from tests.helpers.counting import grows_too_fast

LONG = 1_500
CALLS = frozenset(["compile", "match", "fullmatch", "search", "sub", "subn", "split", "findall", "finditer"])
#: The method of a pattern that a test runs, by the method that the code calls; other methods run as they are.
THROUGHOUT = {**dict.fromkeys(["sub", "subn", "split", "findall", "finditer"], "finditer")}
ROOT = Path(__file__).parent.parent
RUN = ("app", "__main__", "page")  # files that run something when they are imported
ROLES = ("KEY", "DOCUMENT", "NOTHING", "EDITED", "REFERENCE", "SYSTEM", "TARGET")
SIGNS = (" ", "\n", "\t", '"', "'", "(", "[", "{", "<", ">", "\\", "0", "a", "A", ".", "-", "=", "_", ",")
NOWHERE = "\x01"  # a character that no pattern names

#: For patterns that contain a local variable: a function from the module's values to the variable's possible values.
LOCAL: dict[str, Callable[[Mapping[str, Any]], list[Any]]] = {
    "metrics.text.formats.roles:words": lambda roles: [roles[f"_{kind}"] for kind in ROLES],
    "metrics.text.formats.tables:sign": lambda tables: [*tables["_NAMES"]],
    "metrics.text.languages:letter": lambda _: [r"\p{Script=Han}"],
    "metrics.text.processing:flag": lambda _: [r"\p{Regional_Indicator}{2}(?=\p{Regional_Indicator})"],
    "viz.frame.menus:label": lambda _: ["BLEU", "ROUGE-L"],
    "viz.draw.corpus.filter_highlights:name_pattern": lambda _: ["c1|r0_1", "c0|c1|c2"],
    "viz.pages.learn.chapter_checks:each": lambda _: [*metrics.METRICS.values()],
}
#: Variables that hold a pattern of a user; a time limit for each line bounds the search for these.
OF_USERS = {"metrics.corpus.filter.regular_expressions:pattern"}


class FoundPattern(NamedTuple):
    """A pattern, where the code has it, and the names of the methods by which the code uses it, such as "search"."""

    where: str
    pattern: Any
    methods: tuple[str, ...]


class Source(NamedTuple):
    """A module: its name, its syntax tree, and its values by name.

    The values are empty for modules that would run a page or a program when imported."""

    name: str
    tree: ast.Module
    known: Mapping[str, Any]


def read_sources() -> list[Source]:
    out = []
    for path in [ROOT / "app.py", *(ROOT / "metrics").rglob("*.py"), *(ROOT / "viz").rglob("*.py")]:
        parts = path.relative_to(ROOT).with_suffix("").parts
        name = ".".join(parts).removesuffix(".__init__")
        known = {} if parts[-1] in RUN else vars(importlib.import_module(name))
        out.append(Source(name, ast.parse(path.read_text(encoding="utf8")), known))
    return out


def _find_patterns(name: str, value: Any, seen: set[int], depth: int = 0) -> Iterator[tuple[str, Any]]:
    """Yield (name, pattern) for all patterns inside a value: in its items and attributes, to a depth of 4.

    The name is that of the last attribute on the way to the pattern, or `name`. `seen` has the ids of the values that
    are
    done."""
    if isinstance(value, re.Pattern | regex.Pattern):
        yield name, value
        return
    if depth > 4 or isinstance(value, str | bytes | int | float | ModuleType) or id(value) in seen:
        return
    seen.add(id(value))
    if isinstance(value, dict | MappingProxyType):
        for each in value.values():
            yield from _find_patterns(name, each, seen, depth + 1)
    elif isinstance(value, tuple) and hasattr(value, "_fields"):
        for field in value._fields:
            yield from _find_patterns(field, getattr(value, field), seen, depth + 1)
    elif isinstance(value, list | tuple | set | frozenset):
        for each in value:
            yield from _find_patterns(name, each, seen, depth + 1)
    elif type(value).__module__.startswith(("metrics.", "viz.")) or isinstance(value, type):
        slots = [field for kind in type(value).__mro__ for field in getattr(kind, "__slots__", ())]
        own = {field: getattr(value, field) for field in slots if hasattr(value, field)}
        for field, each in {**own, **getattr(value, "__dict__", {})}.items():
            yield from _find_patterns(field, each, seen, depth + 1)


def _pattern_methods_by_name(trees: Iterable[ast.Module]) -> dict[str, set[str]]:
    """Return the methods of patterns that the code calls, by the last name of the expression before the dot."""
    out: dict[str, set[str]] = defaultdict(set)
    for tree in trees:
        for node in ast.walk(tree):
            if isinstance(node, ast.Attribute) and node.attr in CALLS:
                of = node.value
                while isinstance(of, ast.Subscript | ast.Call):
                    of = of.value if isinstance(of, ast.Subscript) else of.func
                out[of.attr if isinstance(of, ast.Attribute) else getattr(of, "id", "")].add(node.attr)
    return out


def _patterns_in_calls(source: Source) -> Iterator[tuple[str, Any, str]]:
    """Yield (place in the code, pattern, name of the function) for calls of `re` and `regex` in a module."""
    for node in ast.walk(source.tree):
        if not (isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in CALLS):
            continue
        library = {"re": re, "regex": regex}.get(getattr(node.func.value, "id", ""))
        if library is None:
            continue
        at = {"compile": 1, "sub": 4, "subn": 4, "split": 3}.get(node.func.attr, 2)
        flags = [*node.args[at : at + 1], *[each.value for each in node.keywords if each.arg == "flags"]]
        where = f"{source.name}:{node.lineno}"
        for pattern, flag in _evaluate_pattern_and_flags(
            source, node.args[0], flags[0] if flags else ast.Constant(0), where
        ):
            yield where, library.compile(pattern, flag), node.func.attr


def _evaluate_pattern_and_flags(
    source: Source, pattern: ast.expr, flags: ast.expr, where: str
) -> Iterator[tuple[Any, Any]]:
    """Yield the values (pattern, flags) of two expressions of the code.

    An expression may use a local variable; then there is one pair for each of the variable's values."""
    both = ast.Expression(ast.Tuple([pattern, flags], ast.Load()))
    known = {"re": re, "regex": regex, **source.known}
    free = sorted({node.id for node in ast.walk(both) if isinstance(node, ast.Name)} - {*known, "str"})
    said = [f"{source.name}:{name}" for name in free]
    if not OF_USERS.isdisjoint(said):
        return
    program = compile(ast.fix_missing_locations(both), where, "eval")
    if not free:
        yield eval(program, known)
        return
    assert len(free) == 1 and said[0] in LOCAL, f"{where}: say in LOCAL what {', '.join(free)} can be"
    for value in LOCAL[said[0]](source.known):
        yield eval(program, {**known, free[0]: value})


def all_patterns() -> list[FoundPattern]:
    """Return all regular expressions of the project, each once."""
    read = read_sources()
    used = _pattern_methods_by_name(each.tree for each in read)
    out: dict[tuple[Any, ...], FoundPattern] = {}

    def add_pattern(where: str, pattern: Any, methods: set[str]) -> None:
        how = {THROUGHOUT.get(method, method) for method in methods - {"compile"}} or {"finditer", "fullmatch"}
        key = type(pattern), pattern.pattern, pattern.flags
        before = out.get(key, FoundPattern(where, pattern, ()))
        how = {*before.methods, *how}
        out[key] = before._replace(methods=tuple(sorted(how - ({"search"} if "finditer" in how else set()))))

    seen: set[int] = set()
    for source in read:
        for name, value in source.known.items():
            for last, pattern in _find_patterns(name, value, seen):
                add_pattern(f"{source.name}.{name}", pattern, used[last])
    for source in read:
        for where, pattern, method in _patterns_in_calls(source):
            if method != "compile" or (type(pattern), pattern.pattern, pattern.flags) not in out:
                add_pattern(where, pattern, {method})
    return [*out.values()]


# ---------------------------------------------------------------- texts that are hard for a pattern


def _parse_pattern(pattern: Any) -> list[Any]:
    """Return the parts of a pattern as Python's `re` parses them; none if only the library `regex` can parse it."""
    try:
        return [*parser.parse(pattern.pattern, pattern.flags & ~re.DEBUG)]
    except (re.error, ValueError):
        return []


_OF_CATEGORY = {"SPACE": " ", "NOT_SPACE": "a", "DIGIT": "0", "NOT_DIGIT": "a", "WORD": "a", "NOT_WORD": " "}


def _matching_sample(items: Any) -> str:
    """Return a short text that the parsed parts of a pattern match, as far as it can be made part by part."""
    out = ""
    for kind, value in items:
        match str(kind):
            case "LITERAL":
                out += chr(value)
            case "NOT_LITERAL":
                out += "b" if value == ord("a") else "a"
            case "ANY":
                out += "a"
            case "IN":
                out += _matching_character(value)
            case "BRANCH":
                out += _matching_sample(value[1][0])
            case "SUBPATTERN":
                out += _matching_sample(value[3])
            case "ATOMIC_GROUP":
                out += _matching_sample(value)
            case "MAX_REPEAT" | "MIN_REPEAT" | "POSSESSIVE_REPEAT":
                out += _matching_sample(value[2]) * max(1, value[0])
    return out


def _matching_character(items: Any) -> str:
    chosen = []
    for kind, value in items:
        match str(kind):
            case "LITERAL":
                chosen.append(chr(value))
            case "RANGE":
                chosen.append(chr(value[0]))
            case "CATEGORY":
                chosen.append(_OF_CATEGORY[str(value).removeprefix("CATEGORY_")])
    if str(items[0][0]) == "NEGATE":
        return next(sign for sign in "ab (" if sign not in chosen)
    return chosen[0]


def _repeated_parts(items: Any, before: str) -> Iterator[tuple[str, str]]:
    """Yield (text before, repeated text) for each repetition in the parsed parts of a pattern.

    `before` is a text that the pattern matches up to these parts."""
    for kind, value in items:
        match str(kind):
            case "BRANCH":
                for each in value[1]:
                    yield from _repeated_parts(each, before)
            case "SUBPATTERN":
                yield from _repeated_parts(value[3], before)
            case "ATOMIC_GROUP":
                yield from _repeated_parts(value, before)
            case "ASSERT" | "ASSERT_NOT":
                yield from _repeated_parts(value[1], before)
            case "MAX_REPEAT" | "MIN_REPEAT" | "POSSESSIVE_REPEAT":
                yield from _repeated_parts(value[2], before)
                if value[1] > 20:
                    yield before, _matching_sample(value[2])
        before += _matching_sample([(kind, value)])


def _named_characters(items: Any) -> Iterator[str]:
    """Yield the characters that the parsed parts of a pattern name."""
    for kind, value in items:
        if str(kind) in ("LITERAL", "NOT_LITERAL"):
            yield chr(value)
        elif isinstance(value, list | tuple | parser.SubPattern):
            for each in value if isinstance(value, list | tuple) else [value]:
                if isinstance(each, list | parser.SubPattern):
                    yield from _named_characters([part for part in each if isinstance(part, tuple) and len(part) == 2])
                    for part in each:
                        if isinstance(part, parser.SubPattern):
                            yield from _named_characters(part)


def hard_text_pieces(pattern: Any) -> list[tuple[str, str]]:
    """Return (beginning, piece) for texts on which the pattern may be slow: a beginning, then a piece many times."""
    items = _parse_pattern(pattern)
    named = [*dict.fromkeys(_named_characters(items))]
    signs = [*dict.fromkeys([*SIGNS, *named])][:40]
    repeated = [*dict.fromkeys(_repeated_parts(items, ""))]
    whole = _matching_sample(items)
    pieces = [*signs, whole, *[whole[:n] for n in (1, 2, 3, 4)], *[a + b for a in named[:5] for b in (*named[:5], " ")]]
    out = [("", piece) for piece in pieces]
    for before, body in repeated:
        out += [(before, each) for each in (body, f"{body} ", *signs)]
        out += [("", f"{before}{sign}") for sign in ("", " ", "a")]
        out += [("", f"{before}{body}{sign}") for sign in ("", " ", "\n", "a", '"')]
    return [*dict.fromkeys([(before, piece) for before, piece in out if piece])]


# ---------------------------------------------------------------- time


def find_slow_text(pattern: Any, methods: Sequence[str]) -> tuple[str, str, str] | None:
    """Return (method, beginning, repeated piece) for which the time grows faster than the text, or None."""
    for before, piece in hard_text_pieces(pattern):
        for method in methods:
            if grows_too_fast(partial(_run_pattern, pattern, method, before, piece), LONG):
                return method, before, piece
    return None


def _run_pattern(pattern: Any, method: str, before: str, piece: str, size: int) -> None:
    """Run a method of the pattern on a text of `size` characters: `before`, then `piece` again and again."""
    text = before + (piece * (size // len(piece) + 1))[:size] + NOWHERE
    found = getattr(pattern, method)(text.encode() if isinstance(pattern.pattern, bytes) else text)
    if method == "finditer":
        for _ in found:
            pass


# ---------------------------------------------------------------- they are linear

BAD = {
    "blanks around a sign": (r"\s*(==|<)\s*", "split"),
    "blanks on both sides of nothing": (r"\s*(?:[-+]?\d+|none)?\s*", "fullmatch"),
    "what may be left open": ("<!--.*?-->", "sub"),
    "a row at the end": (r"(?:\.(?:seg|txt))+$", "sub"),
    "signs in a row of them": (r"\$[^$]+=[^$]+\$", "fullmatch"),
    "a key of a table": (r"""(?m)^[ \t]*\[{0,2}[ \t]*(?:(?:[\w-]+|"[^"\n]*"|'[^'\n]*')[ \t]*\.[ \t]*){4}""", "search"),
    "a word between spaces": ("[^ ]+–[^ ]+(?: [×→])?", "sub"),
    "a word far behind another": (r"\bscor(?:es?|ed)\b.*\b(higher|lower)\b", "search"),
}
GOOD = {
    "blanks": (r"\s*+(?:[-+]?\d++|none)?\s*+", "fullmatch"),
    "a tag with a bound": (r"</?(b|i)(?:\s[^<>\n]{0,300})?/?>", "finditer"),
    "a comment, or what stays": ("(?s)<!--.*?-->|(<!--.*)", "sub"),
}


@pytest.mark.parametrize("of", BAD)
def test_a_pattern_that_grows_with_the_square_is_found(of: str) -> None:
    pattern, method = BAD[of]
    # A machine that is busy only while the short text is measured hides the growth; not three times.
    assert any(find_slow_text(re.compile(pattern), [THROUGHOUT.get(method, method)]) for _ in range(3))


@pytest.mark.parametrize("of", GOOD)
def test_a_linear_pattern_is_not(of: str) -> None:
    pattern, method = GOOD[of]
    assert find_slow_text(re.compile(pattern), [THROUGHOUT.get(method, method)]) is None


def test_every_pattern_takes_time_in_proportion_to_the_text() -> None:
    """Check every pattern by ratios of processor time, which other processes and slow machines hardly change."""
    found = all_patterns()
    assert len(found) > 150
    slow = {
        each.where: (each.pattern.pattern, why) for each in found if (why := find_slow_text(each.pattern, each.methods))
    }
    assert not slow, f"these take time with the square of a text of what they begin with and what follows: {slow}"
