"""Format a number or a date of a workbook as its cell shows it, by the cell's number format, such as `0.0%`.

Number formats are defined in ECMA-376, 18.8.30 and 18.8.31. Names of months and days are English. A format that depends
on the reader's country, which a file does not name, is written as an ISO 8601 date. Fractions and unknown formats are
shown as if the cell had no format."""

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


def decode_workbook_escapes(text: str) -> str:
    """Decode the `_xHHHH_` escapes (ECMA-376, 22.9.2.19) in a text of a workbook once, and return the text.

    An escape that gives only half of a surrogate pair is left as it is.

    >>> tuple([decode_workbook_escapes(text) for text in ("a_x000D_b", "_x005F_x000D_", "_xD83D__xDE00_")])
    ('a\\rb', '_x000D_', '😀')
    """
    if "_x" not in text:
        return text
    joined = _ESCAPE.sub(lambda escape: chr(int(escape[1], 16)), text)
    if not re.search("[\\ud800-\\udfff]", joined):
        return joined
    whole = joined.encode("utf-16", "surrogatepass").decode("utf-16", "surrogatepass")
    return re.sub("[\\ud800-\\udfff]", lambda half: f"_x{ord(half[0]):04X}_", whole)


def encode_workbook_escapes(text: str) -> str:
    """Return a text as a workbook stores it, with `_xHHHH_` escapes.

    Escaped are the characters that XML forbids or changes, and text that would otherwise be read as an escape.

    >>> encode_workbook_escapes("_x000D_"), encode_workbook_escapes("a\\rb\\n"), encode_workbook_escapes("\\x07")
    ('_x005F_x000D_', 'a_x000D_b\\n', '_x0007_')
    """
    text = re.sub(r"_(?=x[0-9A-Fa-f]{4}_)", "_x005F_", text)
    return re.sub("[\0-\x08\x0b-\x1f\ufffe\uffff]", lambda character: f"_x{ord(character[0]):04X}_", text)


def cell_value_text(value: object) -> str:
    """Return the value of a cell as text, ignoring the cell's number format.

    A whole number has no decimals, and a date is in ISO 8601. None, the value of an empty cell, gives the empty
    text."""
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


def format_value(value: object, number_format: str) -> str:
    """Return the text that a cell shows, given its value and its number format `number_format`, such as `0.0%`.

    >>> cells = (0.5, "0%"), (42, "0000"), (1234.5, "#,##0.00"), (-2, "0;(0)"), (0.1 + 0.2, "")
    >>> tuple(format_value(value, number_format) for value, number_format in cells)
    ('50%', '0042', '1,234.50', '(2)', '0.3')
    >>> format_value(datetime.datetime(2024, 3, 14, 15, 9), 'd. mmmm yyyy, h:mm AM/PM')
    '14. March 2024, 3:09 PM'
    """
    if isinstance(value, bool) or not isinstance(
        value, int | float | datetime.date | datetime.time | datetime.timedelta
    ):
        return cell_value_text(value)
    if len(number_format) > MOST_LETTERS or is_date_by_country(value, number_format):
        return _format_as_general(value)
    if isinstance(value, int | float):
        section, value = _choose_section(number_format, value)
        return _format_number(section, value)
    return _format_date(_section_tokens(number_format.partition(";")[0]), value)


def is_date_by_country(value: object, form: str) -> bool:
    """Return whether a cell shows a date in the style of the reader's country, given its number format `form`.

    The file does not name that country, so the date as shown is not known."""
    dated = isinstance(value, datetime.date | datetime.time | datetime.timedelta)
    return dated and (form in _BY_COUNTRY or form.startswith(("[$-F", "[$-x-sys")))


def _format_as_general(value: object) -> str:
    """Return a value as the number format "General" shows it: a number with at most ten significant digits."""
    if isinstance(value, float) and not (value.is_integer() and abs(value) < 1e15):
        return re.sub(r"e([+-])0*(\d+)", r"E\1\2", f"{value:.10g}")
    return cell_value_text(value)


@lru_cache(1000)
def _section_tokens(section: str) -> tuple[_Token, ...]:
    """Split one section of a number format into tokens: pairs of the kind of token and its text."""
    return tuple([(each.lastgroup or "", each[0]) for each in _FORMAT_PART.finditer(section)])


@lru_cache(1000)
def _split_sections(form: str) -> tuple[str, ...]:
    """Split a number format at its semicolons into at most three sections.

    The sections are for positive numbers, negative numbers and zero, unless they state conditions of their own."""
    parts, out = [""], []
    for kind, text in _section_tokens(form):
        if kind == "other" and text == ";":
            parts.append("")
        else:
            parts[-1] += text
    out += parts[:3]
    return tuple(out)


def _choose_section(form: str, value: float) -> tuple[str, float]:
    """Return the section of the number format `form` that applies to `value`, and the value to format with it.

    The section for negative numbers writes its own sign, so the value is returned without its sign then."""
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


def _literal_token_text(text: str) -> str:
    """Return what a token of a number format writes if it is not a digit place: quoted, escaped or plain text."""
    if text[0] == '"':
        return text[1:-1]
    if text[0] == "[":
        return text[2:].partition("-")[0].rstrip("]") if text.startswith("[$") else ""
    return {"\\": text[1:], "_": " ", "*": ""}.get(text[0], text) if len(text) == 2 else text


def _format_number(section: str, value: float) -> str:
    """Return the number `value` formatted by `section`, one section of a number format."""
    tokens = [token for token in _section_tokens(section) if token[1] != '"']
    if not tokens or any(kind == "general" for kind, _ in tokens):
        around = [
            _format_as_general(abs(value)) if kind == "general" else _literal_token_text(text) for kind, text in tokens
        ]
        return f"{'-' if value < 0 else ''}{''.join(around) or _format_as_general(abs(value))}".strip()
    places = [at for at, (kind, _) in enumerate(tokens) if kind == "place"]
    if not places:  # the format has only literal text
        return "".join([_literal_token_text(text) for _, text in tokens]).strip()
    if ("other", "/") in tokens[places[0] : places[-1] + 1]:
        return _format_as_general(value)
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
    out = _digit_place_texts(tokens, whole, whole_digits.lstrip("0"), grouped)
    last = len(right.rstrip("0"))
    for n, at in enumerate(decimals):
        out[at] = right[n] if n < last or tokens[at][1] == "0" else "" if tokens[at][1] == "#" else " "
    if exponent < len(tokens):
        out |= _digit_place_texts(tokens, [at for at in places if at > exponent], str(abs(power)).lstrip("0"), False)
        out[exponent] = "E-" if power < 0 else f"E{tokens[exponent][1][1].replace('-', '')}"
    out |= dict.fromkeys(commas, "") if grouped or scaled else {}
    written = [out.get(at, _literal_token_text(text)) for at, (_, text) in enumerate(tokens)]
    return f"{'-' if negative else ''}{''.join(written)}".strip()


def _digit_place_texts(tokens: list[_Token], places: list[int], digits: str, grouped: bool) -> dict[int, str]:
    """Distribute the digits of a whole number over the digit places (`0`, `#`, `?`) of a number format.

    Return a dict that maps the index of each place's token to its text. `places` has these indices from left to right,
    and `digits` the digits of the number. The digits are filled in from the right; the leftmost place takes all digits
    that are left. With `grouped`, commas separate groups of three digits."""
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


def _format_date(tokens: tuple[_Token, ...], value: object) -> str:
    """Return the date, time or duration `value` formatted by `tokens`, the tokens of a number format."""
    if not any(kind == "time" or _is_elapsed(text) for kind, text in tokens):
        return _format_as_general(value)
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
            out.append(_literal_token_text(text))
        elif letter == "y":
            out.append(f"{when.year:04d}" if size > 2 else f"{when.year % 100:02d}")
        elif letter == "m" and not _means_minutes(tokens, clock, at):
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
    """Return whether the text of a token asks for elapsed time: `[h]`, `[m]` or `[s]`.

    Elapsed time goes on counting at the end of a day or an hour."""
    return re.fullmatch(r"\[(?:h+|m+|s+)\]", text, re.I) is not None


def _means_minutes(tokens: tuple[_Token, ...], time_tokens: list[int], at: int) -> bool:
    """Return whether the token `m` at index `at` means minutes; otherwise it means months.

    It means minutes if the time token before it is hours, or the one after it seconds. `time_tokens` has the indices of
    all tokens for dates and times."""
    place = time_tokens.index(at)
    before = tokens[time_tokens[place - 1]][1].lstrip("[").lower()[:1] if place else ""
    after = tokens[time_tokens[place + 1]][1].lstrip("[").lower()[:1] if place + 1 < len(time_tokens) else ""
    return len(tokens[at][1]) < 3 and (before == "h" or after == "s")
