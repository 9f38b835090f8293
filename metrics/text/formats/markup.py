"""Read texts from markup: XLIFF 1.2 and 2, TMX, and WMT's XML and SGML.

lxml reads XML element by element. Nothing is fetched. No entities are resolved except XML's five and HTML's named
characters. Elements outside segments are dropped as they end, to save memory. Inline tags and placeholders are removed
without splitting a word, unless they mark a line break, or they are kept as words such as `<1>` and `<2/>`. A space
separates adjacent segments of a unit (`<mrk mtype="seg">`), unless both sides are in scripts without spaces between
words."""

from __future__ import annotations

import html.entities
import io
import re
import unicodedata
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from ...formula import count_with_noun
from ...types.extras import extra_named_in_errors
from .. import printable
from ..files import BadData, file_label
from .roles import matching_language_codes, normal_language_code, role_of_file
from .sheets import Cell, ColumnRole, File, FileSheet, SheetColumn, check_sheet_size, join_names

#: Elements of XLIFF and TMX that contain text and do not count as tags or placeholders themselves.
_MARKS = ("mrk", "seg-source")
#: Inline elements that contain text, and are read as a pair of tags around it.
_PAIRS = ("g", "pc", "hi")
#: Inline elements that open a stretch of text, and those that close it; their content is code, not text.
_OPEN, _CLOSE = ("bpt", "bx", "sc"), ("ept", "ex", "ec")
#: Inline elements that are single tags; their content is code, not text.
_ALONE = ("x", "ph", "it", "ut", "sub", "sm", "em")
#: The types of placeholders that mark a line break: `ctype` in XLIFF 1.2, `subType` in 2, `type` in TMX.
_BREAKS = ("lb", "pb", "x-br", "x-html-br", "xlf:lb", "xlf:pb", "br")
#: The most elements inside one segment, or inside a unit of several languages.
MOST_WITHIN = 20_000
#: The most entities that are declared elsewhere, each of which is an object; and the entities of XML itself.
MOST_ENTITIES = 1_000_000
_OWN = ("&amp;", "&lt;", "&gt;", "&quot;", "&apos;", "&#")
#: The deepest nesting of elements.
MOST_DEEP = 256
_COMMENT_OR_ELEMENT = re.compile(r"<!--|<([A-Za-z][\w.:-]{0,99})")
_LANG = "{http://www.w3.org/XML/1998/namespace}lang"


class TagFilter:
    """An extractor of the texts of XML elements that counts inline tags, and removes them or keeps them as words."""

    def __init__(self, keep_tags: bool) -> None:
        self.kept = keep_tags
        self.count = 0
        self._ended = ""  # the last letter of the segment just read; "" once other text follows it

    def text(self, element: Any) -> str:
        """Return the text of an XML element, with its inline tags removed or kept as words."""
        out: list[str] = []
        self._ended = ""
        self._append_element(element, out)
        return "".join(out).strip()

    def _append_text(self, text: str | None, out: list[str]) -> None:
        """Append `text` to the collected texts `out`; None, lxml's value for no text, is ignored."""
        if text:
            self._ended = ""
            out.append(text)

    def _append_segment(self, element: Any, out: list[str]) -> None:
        """Append the text of a segment within a translation unit to the collected texts `out`.

        A space is put before it if it would otherwise run into the segment before it."""
        before, start = self._ended, len(out)
        self._append_element(element, out)
        added_text = "".join(out[start:])
        if added_text:
            if before and _needs_space_between(before, added_text[0]):
                out.insert(start, " ")
            self._ended = added_text[-1]

    def _append_element(self, element: Any, out: list[str]) -> None:
        """Append the texts of an XML element and of its descendants to the collected texts `out`, in order."""
        self._append_text(element.text, out)
        for child in element:
            name = local_name(child.tag)
            if not name:  # an entity that is declared elsewhere, such as HTML's &nbsp;
                entity_text = child.text or ""
                self._append_text(
                    html.unescape(entity_text) if entity_text[1:] in html.entities.html5 else entity_text, out
                )
            elif name == "mrk" and child.get("mtype") == "seg":
                self._append_segment(child, out)
            elif name in _MARKS:
                self._append_element(child, out)
            elif name == "cp":  # a character that XML cannot hold
                code = child.get("hex", "")
                fits = re.fullmatch("[0-9A-Fa-f]{1,6}", code) and int(code, 16) < 0x110000
                self._append_text(chr(int(code, 16)) if fits and not 0xD800 <= int(code, 16) < 0xE000 else "", out)
            elif name in _OPEN or name in _CLOSE or name in _ALONE:
                start, end = "</" if name in _CLOSE else "<", "/>" if name in _ALONE else ">"
                self._append_tag(f"{start}{_tag_name(child)}{end}", out, " " if _is_break(child) else "")
            else:
                self._append_tag(f"<{_tag_name(child)}>", out, "")
                self._append_element(child, out)
                self._append_tag(f"</{_tag_name(child)}>", out, "")
                self.count -= 1
            self._append_text(child.tail, out)

    def _append_tag(self, word: str, out: list[str], replacement: str) -> None:
        """Count an inline tag, and append it to `out`: as the word `word` if tags are kept, else as `replacement`."""
        self.count += 1
        out.append(f" {word} " if self.kept else replacement)

    def notes(self) -> list[str]:
        """Return a list with one sentence for the user about the inline tags found; an empty list if there were none.

        The sentence says whether the tags were removed or kept as words."""
        if not self.count:
            return []
        how = "kept as words such as <1>" if self.kept else "removed without splitting words"
        return [f"{count_with_noun(self.count, 'inline tag')} {'is' if self.count == 1 else 'are'} {how}"]


def _is_break(element: Any) -> bool:
    """Return whether a placeholder element stands for a line break."""
    return any((element.get(name) or "").lower() in _BREAKS for name in ("ctype", "subType", "type"))


def _needs_space_between(left_letter: str, right_letter: str) -> bool:
    """Return whether a space must be inserted between two adjacent segments, given the letters that touch.

    No space is needed if one of them is white space, or if both are in scripts without spaces between words, such as
    Chinese and Japanese.

    >>> _needs_space_between(".", "D"), _needs_space_between(" ", "D"), _needs_space_between("。", "再")
    (True, False, False)
    """
    wide = all(
        unicodedata.east_asian_width(each) in "WF" and "HANGUL" not in unicodedata.name(each, "")
        for each in (left_letter, right_letter)
    )
    return not (left_letter.isspace() or right_letter.isspace() or wide)


def _tag_name(element: Any) -> str:
    """Return the name under which an inline tag is kept: its id or a similar attribute, else its element name."""
    given = [element.get(name) for name in ("id", "rid", "i", "startRef", "x")]
    return re.sub(r"[\s<>]+", "", next(filter(None, given), local_name(element.tag)))[:40]


def local_name(tag: Any) -> str:
    """Return the name of an element without its namespace, given lxml's `tag`; "" for comments and entities."""
    return tag.rpartition("}")[2] if isinstance(tag, str) else ""


def markup_sheet(file: File, text: str, keep_tags: bool = False) -> FileSheet:
    """Read a markup file into columns; the name of its root element decides the format.

    With `keep_tags`, inline tags of XML are kept in the texts as words. Raises BadData if the format is unknown or
    broken."""
    name = _root_name(text)
    if name in ("srcset", "refset", "tstset", "hypset", "mteval"):
        return _sgml_sheet(file, text)
    read = {"xliff": _xliff_sheet, "tmx": _tmx_sheet, "dataset": _wmt_xml_sheet}.get(name)
    if read is None:
        what = f"begins with <{printable(name)}>" if name else "has no element"
        raise BadData(
            f"{file_label(file.name)} is markup of an unknown kind: it {what}; XLIFF, TMX, WMT's XML and mteval's SGML "
            "can be read"
        )
    return read(file, text, TagFilter(keep_tags))


def _root_name(text: str) -> str:
    """Return the name of the first element of a markup text, in lower case; "" if there is no element."""
    at = 0
    while (markup_match := _COMMENT_OR_ELEMENT.search(text, at)) and not markup_match[1]:
        if (at := text.find("-->", markup_match.end()) + 3) < 3:
            return ""
    return markup_match[1].rpartition(":")[2].lower() if markup_match else ""


def _iterate_elements(file: File, text: str, element_names: tuple[str, ...]) -> Iterator[tuple[Any, int]]:
    """Yield each outermost element that has one of the given names, with the line on which it starts.

    An element is yielded when it ends; its ancestors are still there, but not the elements before it. Raises BadData
    for broken XML, declared entities, and elements that are too many or nested too deeply."""
    with extra_named_in_errors():
        from lxml import etree

    # The text is parsed as UTF-8, where an entity can only be declared by these very letters.
    if "<!ENTITY" in text:
        line = text.count("\n", 0, text.index("<!ENTITY")) + 1
        raise BadData(f"{file_label(file.name)}, line {line}: an entity is declared, which is not read")
    entities = text.count("&") - sum([text.count(entity) for entity in _OWN]) if "<!DOCTYPE" in text else 0
    if entities > MOST_ENTITIES:
        raise BadData(f"{file_label(file.name)} has more than {MOST_ENTITIES:,} entities, the limit")
    inside = inner_count = depth = 0
    # The text is passed on as UTF-8, so the encoding in its declaration may be wrong: remove the declaration.
    data = io.BytesIO(re.sub(r"^\s*<\?xml[^>]{0,200}\?>", "", text, count=1).encode())
    start = len(re.match(r"^(\s*<\?xml[^>]{0,200}\?>)?", text)[0].split("\n")) - 1  # type: ignore[index]
    options: dict[str, Any] = {"resolve_entities": False, "no_network": True, "load_dtd": False, "huge_tree": True}
    options |= {"remove_comments": True, "remove_pis": True, "encoding": "utf-8"}
    try:
        for event, element in etree.iterparse(data, ("start", "end"), **options):
            name = local_name(element.tag)
            depth += 1 if event == "start" else -1
            if depth > MOST_DEEP:
                line = (element.sourceline or 0) + start
                raise BadData(f"{file_label(file.name)}, line {line}: elements are nested more than {MOST_DEEP} deep")
            if event == "start":
                inside += name in element_names
                inner_count = inner_count + 1 if inside else 0
                if inner_count > MOST_WITHIN:
                    line = (element.sourceline or 0) + start
                    raise BadData(
                        f"{file_label(file.name)}, line {line}: a segment has more than {MOST_WITHIN:,} inline tags"
                    )
                continue
            inside -= name in element_names
            if not inside:
                inner_count = 0
                if name in element_names:
                    yield element, (element.sourceline or 0) + start
                if (parent := element.getparent()) is not None:
                    parent.remove(element)
    except etree.XMLSyntaxError as error:
        what = printable(str(error.msg or "nothing in it").partition(", line")[0])
        raise BadData(f"{file_label(file.name)}, line {(error.lineno or 0) + start} is not valid XML: {what}") from None


def _ancestor(element: Any, name: str) -> Any:
    """Return the nearest ancestor of an element with the given name, None if there is none."""
    return next((each for each in element.iterancestors() if local_name(each.tag) == name), None)


def _child(element: Any, name: str) -> Any:
    """Return the first child of an element with the given name, None if there is none."""
    return next((each for each in element if local_name(each.tag) == name), None)


def _is_to_translate(element: Any) -> bool:
    """Return whether a translation unit is to be translated, by the attribute `translate`, which is "yes" or "no".

    The attribute of the unit itself counts, else that of its nearest ancestor that has it; without any, the unit is to
    be translated."""
    while element is not None:
        if (translate := element.get("translate")) in ("yes", "no"):
            return bool(translate == "yes")
        element = element.getparent()
    return True


def _xliff_sheet(file: File, text: str, tags: TagFilter) -> FileSheet:
    """Return the columns of an XLIFF file: keys, documents, sources and targets. Raises BadData.

    There is a row for each unit (XLIFF 1.2) or each segment of a unit (XLIFF 2)."""
    keys: list[Cell] = []
    documents: list[Cell] = []
    sources: list[Cell] = []
    targets: list[Cell] = []
    lines: list[int] = []
    of_file = role_of_file(file)
    of_unit: dict[str | None, int] = {}
    version, suggested, fixed, untranslated = "", 0, 0, 0
    for element, line in _iterate_elements(file, text, ("trans-unit", "segment")):
        if not version:
            root = _ancestor(element, "xliff")
            version = (root.get("version") or "") if root is not None else ""
        if not _is_to_translate(element):
            fixed += 1
            continue
        of, unit = _ancestor(element, "file"), _ancestor(element, "unit")
        documents.append("" if of is None else of.get("original") or of.get("id") or "")
        unit_key = element.get("id") or ""
        if unit is not None:  # the segments of a unit may have no ids
            of_unit[unit.get("id")] = of_unit.get(unit.get("id"), 0) + 1
            unit_key = f"{unit.get('id') or ''}.{unit_key or of_unit[unit.get('id')]}"
        keys.append(unit_key)
        source, target = _child(element, "source"), _child(element, "target")
        if source is None:
            raise BadData(f"{file_label(file.name)}, line {line}: a unit has no source")
        sources.append(tags.text(source))
        untranslated += target is None
        targets.append("" if target is None else tags.text(target))
        suggested += _child(element, "alt-trans") is not None
        lines.append(line)
        check_sheet_size(file, 4, len(lines) * 4)
    if not lines:
        what = 'has only units with translate="no"' if fixed else "is XLIFF without units"
        raise BadData(f"{file_label(file.name)} {what}")
    notes = tags.notes()
    if fixed:
        notes.append(f'{count_with_noun(fixed, "unit")} with translate="no" {"is" if fixed == 1 else "are"} left out')
    if suggested:
        notes.append(f"the other translations (alt-trans) of {count_with_noun(suggested, 'unit')} are not read")
    columns = [
        SheetColumn("id", keys, ColumnRole("key")),
        SheetColumn("file", documents, ColumnRole("document")),
        SheetColumn("source", sources, ColumnRole("source")),
    ]
    if untranslated < len(lines):
        columns.append(SheetColumn("target", targets, of_file if of_file.kind == "reference" else ColumnRole("system")))
        if untranslated:
            notes.append(
                f"{count_with_noun(untranslated, 'unit')} without target: counted as not translated, like an empty one"
            )
    elif file.role in ("system", "reference"):
        raise BadData(f"{file_label(file.name)}: no unit has a target, so nothing is translated")
    else:
        notes.append("no unit has a target; the file is read as a source only")
    return FileSheet(file, f"XLIFF {printable(version[:10])}".rstrip(), columns, lines, notes=notes)


def _tmx_sheet(file: File, text: str, tags: TagFilter) -> FileSheet:
    """Return the columns of a TMX file: the texts of each translation unit, one column per language. Raises BadData.

    If a unit has several texts in one language, each gets a column. The column of the source is the one in the language
    that the unit names (`srclang`), else in the language that the header names; `*all*` names none."""
    of_header: str | None = None
    rows: list[dict[tuple[str, int], str]] = []  # by language, and by the number of the text in that language, from 1
    source_languages: list[str | None] = []
    lines: list[int] = []
    names: dict[str, str] = {}
    cells = 0
    for element, line in _iterate_elements(file, text, ("header", "tu")):
        source_language = element.get("srclang")
        if local_name(element.tag) == "header":
            of_header = source_language
            continue
        row: dict[tuple[str, int], str] = {}
        for variant in element:
            if local_name(variant.tag) != "tuv":
                continue
            if (segment := _child(variant, "seg")) is None:
                raise BadData(
                    f"{file_label(file.name)}, line {line}: a unit has a <tuv> without <seg>, which holds the text"
                )
            language = variant.get(_LANG) or variant.get("lang") or ""
            tag, number = normal_language_code(language), 1
            names.setdefault(tag, language)
            check_sheet_size(file, len(row), 0)
            while (tag, number) in row:
                number += 1
            row[tag, number] = tags.text(segment)
        if not row:
            raise BadData(
                f"{file_label(file.name)}, line {line}: a unit has no <tuv> with a <seg>, which holds the text"
            )
        rows.append(row)
        source_languages.append(of_header if source_language is None else source_language)
        lines.append(line)
        cells += len(row)
        check_sheet_size(file, len(row), cells)
    if not rows:
        raise BadData(f"{file_label(file.name)} is TMX without units")
    notes = tags.notes()
    if merged_tags := _same_language_tags(rows, names):
        rows = [{(merged_tags.get(tag, tag), number): cell for (tag, number), cell in row.items()} for row in rows]
        notes.append(
            f"no unit has both, so merged: {join_names([f'{names[a]} and {names[b]}' for a, b in merged_tags.items()])}"
        )
    paths = list(dict.fromkeys([place for row in rows for place in row]))
    check_sheet_size(file, len(paths), len(paths) * len(rows))
    tags_there = list(dict.fromkeys([tag for tag, _ in paths]))
    tag_of_language = {
        source_language: next(iter(matching_language_codes(source_language, tags_there)), None)
        for source_language in {*source_languages}
        if source_language
    }
    sources = [tag_of_language.get(source_language or "") for source_language in source_languages]
    usual = Counter(filter(None, sources)).most_common()
    roles: dict[str, ColumnRole] = {}
    columns: list[SheetColumn] = []
    if not usual:
        others = tags_there if len(tags_there) == 1 else []
        which = join_names(
            [
                *dict.fromkeys(
                    [
                        source_language
                        for source_language in source_languages
                        if source_language and source_language != "*all*"
                    ]
                )
            ]
        )
        notes.append(f"no text is in the source language {which}" if which else "no source language is named")
    elif len(usual) == 1:
        roles[usual[0][0]] = ColumnRole("source")
        others = [tag for tag in tags_there if tag not in roles]
    else:
        others = []
        notes.append("the language of the source (srclang) is not the same in all units")
        if len(tags_there) == 2:
            of_unit = [source or usual[0][0] for source in sources]
            theirs = [tags_there[tags_there[0] == source] for source in of_unit]
            for name, role, chosen in (("source", "source", of_unit), ("target", "reference", theirs)):
                column = [row.get((tag, 1)) for row, tag in zip(rows, chosen, strict=True)]
                columns.append(SheetColumn(name, column, ColumnRole(role, "" if role == "source" else name)))
    roles |= {tag: ColumnRole("reference") for tag in others if len(others) == 1}
    for tag, number in paths:
        name = names[tag] if number == 1 else f"{names[tag]} {number}"
        known_as = roles.get(tag, ColumnRole("nothing")) if number == 1 or tag in others else ColumnRole("nothing")
        own_role = known_as._replace(name=name) if known_as.kind == "reference" else known_as
        columns.append(SheetColumn(name, [row.get((tag, number)) for row in rows], own_role))
    return FileSheet(file, "TMX", columns, lines, notes=notes, by_language=True)


def _same_language_tags(rows: Sequence[Mapping[tuple[str, int], str]], names: Iterable[str]) -> dict[str, str]:
    """Return a dict from each language tag that repeats another one's language to that other tag: en-GB to en-US.

    Such tags begin alike, and no unit of the file has texts in two of them. `rows` has for each unit its texts by
    language tag and number; `names` are all tags."""
    by_language: dict[str, list[str]] = {}
    for tag in names:
        by_language.setdefault(tag.partition("-")[0], []).append(tag)
    several = {first: tags for first, tags in by_language.items() if first and len(tags) > 1}
    for row in rows if several else ():
        counts = Counter([tag.partition("-")[0] for tag in {tag for tag, _ in row}])
        for first, count in counts.items():
            if count > 1:
                several.pop(first, None)
    return {tag: tags[0] for tags in several.values() for tag in tags[1:]}


class _WmtTextCollector:
    """A collector of the texts of a WMT file, indexed by document, segment and side.

    A side is a pair: `src`, `ref` or `hyp`, and the name of the translator or system."""

    def __init__(self, file: File) -> None:
        self.file = file
        self.rows: dict[tuple[str, str], int] = {}
        self.sides: dict[tuple[str, str], dict[int, str]] = {}
        self.lines: list[int] = []

    def add(self, side: tuple[str, str], document: str, segment: str, text: str, line: int) -> None:
        """Store the text of a segment on one side; `line` is its line in the file.

        Raises BadData if the segment already has a text on that side."""
        row = self.rows.setdefault((document, segment), len(self.rows))
        if row == len(self.lines):
            self.lines.append(line)
            check_sheet_size(self.file, 0, 4 * len(self.lines))
        cells = self.sides.setdefault(side, {})
        if row in cells:
            raise BadData(
                f"{file_label(self.file.name)}, line {line}: segment {printable(segment)} of document "
                f"{printable(document)} occurs twice in {printable(' '.join(side).strip())}"
            )
        cells[row] = text
        check_sheet_size(self.file, len(self.sides), 0)

    def drop_unreferenced_documents(self) -> list[str]:
        """Remove the documents that have no reference, if other documents have one, as sacreBLEU does.

        Return a list with a note for the user about what was removed, or an empty list."""
        rows = [*self.rows]
        referenced_documents = {
            rows[row][0] for (side, _), cells in self.sides.items() if side == "ref" for row in cells
        }
        out = list(dict.fromkeys([document for document, _ in rows if document not in referenced_documents]))
        if not referenced_documents or not out:
            return []
        new = {
            row: at
            for at, row in enumerate(
                [row for row, (document, _) in enumerate(rows) if document in referenced_documents]
            )
        }
        self.rows = {rows[row]: at for row, at in new.items()}
        self.lines = [self.lines[row] for row in new]
        self.sides = {
            side: {new[row]: text for row, text in cells.items() if row in new} for side, cells in self.sides.items()
        }
        which = f"document {printable(out[0][:60])}"
        which += f" and {len(out) - 1} more are" if out[1:] else " is"
        return [f"{which} left out: {'they have' if out[1:] else 'it has'} no reference"]

    def sheet(self, what: str, notes: list[str]) -> FileSheet:
        """Return the collected texts as columns. Raises BadData if there are none.

        `what` is the name of the format in words, and `notes` are sentences for the user."""
        if not self.sides:
            raise BadData(f"{file_label(self.file.name)} has no segments")
        size = len(self.lines)
        check_sheet_size(self.file, len(self.sides), size * len(self.sides))
        columns = [
            SheetColumn("document", [document for document, _ in self.rows], ColumnRole("document")),
            SheetColumn("segment", [segment for _, segment in self.rows], ColumnRole("key")),
        ]
        names: Mapping[str, str] = {"src": "source", "ref": "reference", "hyp": "system"}
        for (side, name), cells in self.sides.items():
            role_name = "" if side == "src" else name
            column = [cells.get(row) for row in range(size)]
            columns.append(SheetColumn(f"{side} {name}".strip(), column, ColumnRole(names[side], role_name)))
        return FileSheet(self.file, what, columns, self.lines, notes=notes)


def _wmt_xml_sheet(file: File, text: str, tags: TagFilter) -> FileSheet:
    """Return the columns of a WMT data set in XML, the format since 2021.

    Each document in it has the source, references by translator and outputs by system. Raises BadData."""
    placed = _WmtTextCollector(file)
    for element, line in _iterate_elements(file, text, ("seg",)):
        side = next((each for each in element.iterancestors() if local_name(each.tag) in ("src", "ref", "hyp")), None)
        document = _ancestor(element, "doc")
        if side is None or document is None:
            raise BadData(f"{file_label(file.name)}, line {line}: a segment is not inside a document's src, ref or hyp")
        kind = local_name(side.tag)
        name = "" if kind == "src" else side.get("translator" if kind == "ref" else "system") or ""
        placed.add((kind, name), document.get("id") or "", element.get("id") or "", tags.text(element), line)
    return placed.sheet("WMT's XML", [*tags.notes(), *placed.drop_unreferenced_documents()])


_SGML = re.compile(r"<(srcset|refset|tstset|hypset|doc|seg)\b([^<>]{0,1000})>", re.I)
_SGML_END = re.compile("</seg>", re.I)
_ATTRIBUTE = re.compile(r"""([\w-]{1,40})\s{0,9}=\s{0,9}(?:"([^"]{0,500})"|'([^']{0,500})'|([^\s"'>]{1,500}))""")


def _sgml_sheet(file: File, text: str) -> FileSheet:
    """Return the columns of a file of source texts, references or outputs in the SGML of mteval. Raises BadData."""
    placed = _WmtTextCollector(file)
    kind, of, document, name, at, before, number = "src", "", "", "", 0, 0, 1
    while tag_match := _SGML.search(text, at):
        number, before = number + text.count("\n", before, tag_match.start()), tag_match.start()
        tag, at = tag_match[1].lower(), tag_match.end()
        attributes = {name.lower(): a or b or c for name, a, b, c in _ATTRIBUTE.findall(tag_match[2])}
        if tag == "doc":
            document, name = attributes.get("docid", ""), attributes.get("sysid", of)
        elif tag != "seg":
            kind, of = (
                {"srcset": "src", "refset": "ref"}.get(tag, "hyp"),
                attributes.get("sysid", attributes.get("refid", "")),
            )
        else:
            end = _SGML_END.search(text, at)
            following = _SGML.search(text, at, end.start() if end else at + 10_000)
            if end is None or following:
                raise BadData(f"{file_label(file.name)}, line {number}: a segment does not end")
            segment = " ".join(html.unescape(text[at : end.start()]).split())
            placed.add((kind, "" if kind == "src" else name), document, attributes.get("id", ""), segment, number)
            at = end.end()
    return placed.sheet("SGML of mteval", [])
