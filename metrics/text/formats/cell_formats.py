"""Format a number or a date as a workbook cell shows it, by its number format (ECMA-376, 18.8.30 and 18.8.31).

Names of months and days are English. A format that depends on the reader's country, which a file does not name, is
written as an ISO 8601 date. Fractions and unknown formats are shown as if the cell had no format."""

from __future__ import annotations

import datetime
import re
from decimal import ROUND_HALF_UP, Context, Decimal
from functools import lru_cache
from operator import eq, ge, gt, le, lt, ne

#: The largest length of a number format in a workbook.
MOST_LETTERS = 255
#: Formats of dates that Excel shows in the style of the reader's country.
_BY_COUNTRY = ("mm-dd-yy", "m/d/yy h:mm")
_FORMAT_PART = re.compile(
    r'(?P<text>"[^"]*"|\\.|_.|\*.)|(?P<bracket>\[[^\[\]]*+\])|(?P<general>General|@)|(?P<half>AM/PM|A/P)'
    r"|(?P<time>y+|m+|d+|h+|s+)|(?P<exponent>E[+-])|(?P<place>[0#?]|(?<=s)\.0+)|(?P<other>.)",
    re.I | re.DOTALL,
)
_CONDITION = re.compile(r"\[(<=|>=|<>|<|>|=)(-?\d+(?:\.\d+)?)\]")
_COMPARED = {"<": lt, "<=": le, ">": gt, ">=": ge, "=": eq, "<>": ne}
_ESCAPE = re.compile(r"_x([0-9A-Fa-f]{4})_")
_MONTHS = "January February March April May June July August September October November December".split()
_DAYS = "Monday Tuesday Wednesday Thursday Friday Saturday Sunday".split()

#: A decimal context with enough digits for any number in any format.
_EXACT = Context(prec=600)

_Token = tuple[str, str]


def unescaped(text: str) -> str:
    """Return a text of a workbook with its `_xHHHH_` escapes (ECMA-376, 22.9.2.19) decoded once.

    Half of a surrogate pair stays as it is written.

    >>> unescaped("a_x000D_b"), unescaped("_x005F_x000D_"), unescaped("_xD83D__xDE00_")
    ('a\\rb', '_x000D_', '😀')
    """
    if "_x" not in text:
        return text
    joined = _ESCAPE.sub(lambda escape: chr(int(escape[1], 16)), text)
    if not re.search("[\\ud800-\\udfff]", joined):
        return joined
    whole = joined.encode("utf-16", "surrogatepass").decode("utf-16", "surrogatepass")
    return re.sub("[\\ud800-\\udfff]", lambda half: f"_x{ord(half[0]):04X}_", whole)


def escaped(text: str) -> str:
    """Return a text as a workbook stores it.

    Characters that XML forbids or changes are escaped, and so is text that looks like an escape.

    >>> escaped("_x000D_"), escaped("a\\rb\\n"), escaped("\\x07")
    ('_x005F_x000D_', 'a_x000D_b\\n', '_x0007_')
    """
    text = re.sub(r"_(?=x[0-9A-Fa-f]{4}_)", "_x005F_", text)
    return re.sub("[\0-\x08\x0b-\x1f\ufffe\uffff]", lambda character: f"_x{ord(character[0]):04X}_", text)


def plain_text(value: object) -> str:
    """Return the value of a cell as a text, without a number format.

    A whole number has no decimals, and a date is in ISO 8601. None gives the empty text."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return str(value).upper()
    if isinstance(value, float) and value.is_integer() and abs(value) < 1e15:
        return str(int(value))
    if isinstance(value, datetime.datetime) and value.time() == datetime.time():
        return value.date().isoformat()
    if isinstance(value, datetime.date | datetime.time):
        return value.isoformat()
    return str(value)


def format_value(value: object, form: str) -> str:
    """Return the text that a cell with the value `value` and the number format `form` shows.

    >>> cells = (0.5, "0%"), (42, "0000"), (1234.5, "#,##0.00"), (-2, "0;(0)"), (0.1 + 0.2, "")
    >>> tuple(format_value(value, number_format) for value, number_format in cells)
    ('50%', '0042', '1,234.50', '(2)', '0.3')
    >>> format_value(datetime.datetime(2024, 3, 14, 15, 9), 'd. mmmm yyyy, h:mm AM/PM')
    '14. March 2024, 3:09 PM'
    """
    if isinstance(value, bool) or not isinstance(
        value, int | float | datetime.date | datetime.time | datetime.timedelta
    ):
        return plain_text(value)
    if len(form) > MOST_LETTERS or is_by_country(value, form):
        return _general_text(value)
    if isinstance(value, int | float):
        section, value = _section_for(form, value)
        return _number_text(section, value)
    return _date_text(_tokens(form.partition(";")[0]), value)


def is_by_country(value: object, form: str) -> bool:
    """Return whether the cell shows a date whose format depends on the reader's country.

    The file does not name that country."""
    dated = isinstance(value, datetime.date | datetime.time | datetime.timedelta)
    return dated and (form in _BY_COUNTRY or form.startswith(("[$-F", "[$-x-sys")))


def _general_text(value: object) -> str:
    """Return the text of a value in the format "General": at most ten significant digits."""
    if isinstance(value, float) and not (value.is_integer() and abs(value) < 1e15):
        return re.sub(r"e([+-])0*(\d+)", r"E\1\2", f"{value:.10g}")
    return plain_text(value)


@lru_cache(1000)
def _tokens(section: str) -> tuple[_Token, ...]:
    """Return the tokens of one section of a number format, as pairs of kind and text."""
    return tuple([(each.lastgroup or "", each[0]) for each in _FORMAT_PART.finditer(section)])


@lru_cache(1000)
def _split_sections(form: str) -> tuple[str, ...]:
    """Return the sections of a number format, which semicolons separate: at most three."""
    parts, out = [""], []
    for kind, text in _tokens(form):
        if kind == "other" and text == ";":
            parts.append("")
        else:
            parts[-1] += text
    out += parts[:3]
    return tuple(out)


def _section_for(form: str, value: float) -> tuple[str, float]:
    """Return the section of the number format `form` that applies to `value`, and the value to format with it.

    A section for negative numbers writes its own sign, so its value comes back positive."""
    sections = _split_sections(form)
    conditions = [_CONDITION.search(each) for each in sections]
    if any(conditions):
        for section, condition in zip(sections, conditions, strict=True):
            if condition is None or _COMPARED[condition[1]](value, float(condition[2])):
                return section, value
        return "", value
    if value < 0 and len(sections) > 1:
        return sections[1], -value
    return (sections[2] if value == 0 and len(sections) > 2 else sections[0]), value


def _literal_text(text: str) -> str:
    """Return the text that a token of a number format writes, for tokens that are not digit places."""
    if text[0] == '"':
        return text[1:-1]
    if text[0] == "[":
        return text[2:].partition("-")[0].rstrip("]") if text.startswith("[$") else ""
    return {"\\": text[1:], "_": " ", "*": ""}.get(text[0], text) if len(text) == 2 else text


def _number_text(section: str, value: float) -> str:
    """Return a number formatted by one section of a number format."""
    tokens = [token for token in _tokens(section) if token[1] != '"']
    if not tokens or any(kind == "general" for kind, _ in tokens):
        around = [_general_text(abs(value)) if kind == "general" else _literal_text(text) for kind, text in tokens]
        return f"{'-' if value < 0 else ''}{''.join(around) or _general_text(abs(value))}".strip()
    places = [at for at, (kind, _) in enumerate(tokens) if kind == "place"]
    if not places:  # the format has only literal text
        return "".join([_literal_text(text) for _, text in tokens]).strip()
    if ("other", "/") in tokens[places[0] : places[-1] + 1]:
        return _general_text(value)
    exponent = next((at for at, (kind, _) in enumerate(tokens) if kind == "exponent"), len(tokens))
    point = next((at for at, token in enumerate(tokens[:exponent]) if token == ("other", ".")), exponent)
    whole = [at for at in places if at < point]
    decimals = [at for at in places if point < at < exponent]
    commas = [at for at, token in enumerate(tokens) if token == ("other", ",")]
    grouped = any(whole and whole[0] < at < whole[-1] for at in commas)
    scaled = sum(all(at > place for place in places if place < exponent) for at in commas)
    number = abs(Decimal(repr(value))) * 100 ** sum(token == ("other", "%") for token in tokens) / 1000**scaled
    power = 0
    if exponent < len(tokens) and number:
        power = number.adjusted() - number.adjusted() % max(len(whole), 1)
        number = number.scaleb(-power)
    digits = f"{number.quantize(Decimal(1).scaleb(-len(decimals)), ROUND_HALF_UP, _EXACT):f}"
    whole_digits, _, right = digits.partition(".")
    negative = value < 0 and any(digit in "123456789" for digit in digits)
    out = _place_texts(tokens, whole, whole_digits.lstrip("0"), grouped)
    last = len(right.rstrip("0"))
    for n, at in enumerate(decimals):
        out[at] = right[n] if n < last or tokens[at][1] == "0" else "" if tokens[at][1] == "#" else " "
    if exponent < len(tokens):
        out |= _place_texts(tokens, [at for at in places if at > exponent], str(abs(power)).lstrip("0"), False)
        out[exponent] = "E-" if power < 0 else f"E{tokens[exponent][1][1].replace('-', '')}"
    out |= dict.fromkeys(commas, "") if grouped or scaled else {}
    written = [out.get(at, _literal_text(text)) for at, (_, text) in enumerate(tokens)]
    return f"{'-' if negative else ''}{''.join(written)}".strip()


def _place_texts(tokens: list[_Token], places: list[int], digits: str, grouped: bool) -> dict[int, str]:
    """Return the text of each digit place of a whole number, by the index of its token.

    The digits are filled in from the right; the leftmost place takes all digits that are left. With `grouped`, commas
    separate groups of three digits."""
    out: dict[int, str] = {}
    count = 0
    for n, at in enumerate(reversed(places)):
        place_digits, digits = (digits, "") if n == len(places) - 1 else (digits[-1:], digits[:-1])
        place_digits = place_digits or {"0": "0", "?": " "}.get(tokens[at][1], "")
        text = ""
        for digit in reversed(place_digits):
            text = digit + ("," if grouped and count and count % 3 == 0 and digit != " " else "") + text
            count += 1
        out[at] = text
    return out


def _date_text(tokens: tuple[_Token, ...], value: object) -> str:
    """Return a date, a time or a duration formatted by the tokens of a number format."""
    if not any(kind == "time" or _is_elapsed(text) for kind, text in tokens):
        return _general_text(value)
    span = value if isinstance(value, datetime.timedelta) else None
    if span is not None:
        when = datetime.datetime(1900, 1, 1) + abs(span)
    elif isinstance(value, datetime.datetime):
        when = value
    elif isinstance(value, datetime.date):
        when = datetime.datetime(value.year, value.month, value.day)
    else:
        assert isinstance(value, datetime.time)
        when = datetime.datetime.combine(datetime.date(1900, 1, 1), value)
    half = any(kind == "half" for kind, _ in tokens)
    clock = [at for at, (kind, text) in enumerate(tokens) if kind == "time" or _is_elapsed(text)]
    total = abs(span).total_seconds() if span is not None else (when - datetime.datetime(1899, 12, 30)).total_seconds()
    out = []
    for at, (kind, text) in enumerate(tokens):
        letter, size = text[0].lower(), len(text)
        if kind == "half":
            out.append(("AM", "PM")[when.hour > 11] if size > 3 else "AP"[when.hour > 11])
        elif _is_elapsed(text):
            number = int(total // {"h": 3600, "m": 60, "s": 1}[text[1].lower()])
            out.append(f"{number:0{size - 2}d}")
        elif kind == "place" and text[0] == ".":
            out.append(f"{when.microsecond / 1e6:.{min(size - 1, 6)}f}"[1:])
        elif kind != "time":
            out.append(_literal_text(text))
        elif letter == "y":
            out.append(f"{when.year:04d}" if size > 2 else f"{when.year % 100:02d}")
        elif letter == "m" and not _is_minutes(tokens, clock, at):
            name = _MONTHS[when.month - 1]
            out.append(
                name[:1] if size == 5 else name if size > 3 else name[:3] if size == 3 else f"{when.month:0{size}d}"
            )
        elif letter == "d":
            name = _DAYS[when.weekday()]
            out.append(name if size > 3 else name[:3] if size == 3 else f"{when.day:0{size}d}")
        else:
            number = {"m": when.minute, "s": when.second, "h": (when.hour + 11) % 12 + 1 if half else when.hour}[letter]
            out.append(f"{number:0{min(size, 2)}d}")
    return f"{'-' if span is not None and span < datetime.timedelta() else ''}{''.join(out)}".strip()


def _is_elapsed(text: str) -> bool:
    """Return whether a token shows elapsed time: `[h]`, `[m]` or `[s]`."""
    return re.fullmatch(r"\[(?:h+|m+|s+)\]", text, re.I) is not None


def _is_minutes(tokens: tuple[_Token, ...], clock: list[int], at: int) -> bool:
    """Return whether the token `m` at the index `at` means minutes: it follows hours, or seconds follow it."""
    place = clock.index(at)
    before = tokens[clock[place - 1]][1].lstrip("[").lower()[:1] if place else ""
    after = tokens[clock[place + 1]][1].lstrip("[").lower()[:1] if place + 1 < len(clock) else ""
    return len(tokens[at][1]) < 3 and (before == "h" or after == "s")
