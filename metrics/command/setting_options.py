"""The command-line options for the settings of metrics and text processing, made from each setting's rule.

The controls of the pages are made from the same rules.
"""

from __future__ import annotations

import argparse
import math
from collections.abc import Callable
from typing import Any

from ..text import printable
from ..text.files import BadData, unreadable_file_error
from ..types import SettingRule, brief_repr

_METAVARS = {"number": "NUMBER", "whole": "WHOLE", "choice": "NAME", "choices": "NAMES", "object": "WHICH"}


def whole_number_parser(least: int, most: int) -> Callable[[str], int]:
    """Return a function that parses a whole number from `least` to `most`, for use as an argparse type."""

    def read(given: str) -> int:
        if not given.isdecimal() or len(given) > 18 or not least <= int(given) <= most:
            raise argparse.ArgumentTypeError(f"must be a whole number from {least} to {most}, got {brief_repr(given)}")
        return int(given)

    return read


def escape_percents(text: str) -> str:
    """Return the text with doubled percent signs, because argparse formats its help texts."""
    return text.replace("%", "%%")


def add_setting_option(group: Any, option: str, dest: str, rule: SettingRule, default: Any) -> None:
    """Add the option of one setting to the argument group, with the type and help that its rule says.

    `option` is the option with its dashes; `dest` is the name of the parsed value, a prefix and the setting's name,
    such as "gtm.exponent".
    """
    given: dict[str, Any] = {
        "dest": dest,
        "default": argparse.SUPPRESS,
        "help": escape_percents(_option_help(rule, default)),
    }
    if rule.kind == "flag":
        group.add_argument(option, action=argparse.BooleanOptionalAction if default else "store_true", **given)
    else:
        name = dest.partition(".")[2]
        group.add_argument(option, type=_setting_parser(name, rule), metavar=_METAVARS[rule.kind], **given)


def _option_help(rule: SettingRule, default: Any) -> str:
    """Return the help text of an option: the help of the rule, the allowed values and the default."""
    notes = []
    if rule.kind in ("choice", "choices"):
        notes.append(", ".join(rule.options) + ("; separate several with commas" if rule.kind == "choices" else ""))
    elif rule.kind == "object":
        notes.append("stem, wordnet, or a file with lines 'word foreign-word probability', as Moses writes them")
    elif math.isfinite(rule.least):
        notes.append(f"from {rule.least:.10g}" + (f" to {rule.most:.10g}" if math.isfinite(rule.most) else ""))
    if rule.optional:
        notes.append(f"none means {rule.none}")
    if rule.kind == "flag":
        notes += ["on by default"] if default else []
    else:
        default_text = ",".join(default) if isinstance(default, tuple) else default
        default_text = "that of --language" if rule.of_texts else default_text
        notes.append(f"default {'none' if default is None else default_text}")
    text = rule.help.removesuffix(".")
    return f"{text} ({'; '.join(notes)})" if notes else text


def _setting_parser(name: str, rule: SettingRule) -> Callable[[str], Any]:
    """Return a function that parses the text of an option into the value of the setting `name`.

    That function raises an error that states the rule if the value breaks it.
    """

    def read(given: str) -> Any:
        if rule.optional and given == "none":
            return None
        value: Any = given
        try:
            if rule.kind == "object":
                value = _parse_similarity(given)
            elif rule.kind == "choices":
                value = tuple(part.strip() for part in given.split(","))
            elif rule.kind in ("number", "whole"):
                value = float(given) if rule.kind == "number" else int(given)
        except ValueError:
            pass  # the check below raises an error that states the rule
        try:
            rule.check(name, value)
        except ValueError as error:
            raise argparse.ArgumentTypeError(str(error)) from None
        return value

    return read


def _parse_similarity(given: str) -> Any:
    """Return the word similarity for SIA that an option names: "stem", "wordnet", or the path of a table.

    An error in the file of the table raises BadData and not argparse's error, because the call itself is correct.
    """
    from ..text import similarity

    if given in ("", "-"):
        raise argparse.ArgumentTypeError(f"similarity must be stem, wordnet or the name of a file, got {given!r}")
    try:
        if given in ("stem", "wordnet"):
            return similarity.similarity_for(given, "english")  # replaced once the language of the texts is known
        return similarity.TranslationTable.load(given)
    except similarity.MissingCorpus as error:
        raise BadData(str(error)) from None
    except OSError as error:
        raise unreadable_file_error(given, error) from None
    except ValueError as error:
        raise BadData(f"{printable(given)}: {error}") from None
