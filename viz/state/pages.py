"""What a page is, what is looked at on one, and the list of pages.

Nothing below the pages knows one of them by name: what it has to know of a page is a field of `Page`, and `viz.pages`
hands the list of them in.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar, NamedTuple

import metrics
from metrics.text import TextSettings, languages
from metrics.types import Settings

from . import codec
from .codec import OfMetrics, OfTexts, OneOf, Plain, RecordField, session_field, url_field

FIRST_METRIC = "gtm"  # what a page without a link shows
SIMILARITIES = ("none", "stems", "wordnet")  # those of SIA that a link can name
TABLE = "table"  # a similarity that a link cannot hold: it says that there was one
LANGUAGE = OneOf((*languages.KNOWN, languages.UNKNOWN), "the name of a language, such as german, or other or unknown")


@dataclass(frozen=True, kw_only=True)
class PageState:
    """What is looked at on a page, as links, files and the browser hold it. A subclass is the record of a page, whose
    name it has as `page`.

    All have the references as typed, how texts are processed, the metric and all changed settings: `settings` holds, by
    metric and name, only values that differ from the metric's defaults. `similarity` is the kind of SIA's word
    similarity, TABLE for any translation table, which itself is not part of a link (see `link.to_json`).
    """

    page: ClassVar[str]
    #: What a link holds of a field, in words; of fields that are not here it says nothing of its own.
    field_labels: ClassVar[Mapping[str, str]] = {
        "references": "the references",
        "metric": "the metric",
        "text": "the text processing",
        "settings": "the changed settings of all metrics",
        "similarity": "the word similarity",
        "language": "the language of the texts",
    }
    always: ClassVar[Sequence[str]] = ("references", "metric")  # is said of these at their defaults, too
    #: What is too long where a link would be, as a sentence begins with it; and what of a page is in none at all.
    long: ClassVar[str] = "The texts"
    unlinked_content: ClassVar[str] = ""

    references: str = url_field("", of="texts", telling=True, widget=True)
    metric: str = url_field(FIRST_METRIC, OneOf(metrics.METRICS), telling=True)
    text: TextSettings = url_field(TextSettings, OfTexts(), telling=True)  # noqa: RUF009
    settings: Mapping[str, Mapping[str, Plain]] = url_field(dict, OfMetrics(), telling=True)
    similarity: str = url_field("none", OneOf((*SIMILARITIES, TABLE)), "sia.similarity", "similarity_kind")
    language: str = url_field("english", LANGUAGE, of="texts", widget=True)
    objects: Mapping[str, Mapping[str, object]] = session_field(
        dict
    )  # settings that no link can name, by metric and name

    def settings_of(self, key: str) -> Settings:
        """The settings of a metric."""
        if key not in self._settings_cache:
            given = {**self.settings.get(key, {}), **self.objects.get(key, {})}
            settings = codec.settings_with(metrics.METRICS[key].Settings, given)
            self._settings_cache[key] = settings.of_texts(languages.treated_as(self.language))
        return self._settings_cache[key]

    @cached_property
    def _settings_cache(self) -> dict[str, Settings]:
        return {}

    @classmethod
    def owns_unnamed(cls, query: Mapping[str, str]) -> bool:
        """Whether a link that names no page, as those of former versions, is this page's."""
        return False

    def says(self, name: str) -> bool:
        """Whether the value of a field, which is not its default, shows, and is what a link holds."""
        return name != "similarity" or self.similarity != TABLE


FieldFilter = Callable[[RecordField], bool]


def accept_every_field(field: RecordField) -> bool:
    """All fields."""
    return True


class Aside(NamedTuple):
    """Something that a browser keeps for a reload and no record holds: its name, what is to be kept, and what takes
    it, whatever the browser sends."""

    name: str
    give: Callable[[], Any]
    take: Callable[[object], None]


@dataclass(frozen=True, kw_only=True)
class Page:
    """A page: its title, its script as it is found from the folder of `app.py`, and the record of what is looked at.

    Nothing else is needed where all fields of the record are plain values of the session. What is not, `read` adds to
    the record that was read from the session, `store` writes before the plain fields are written (it gives back the
    record to go on with), and `keys` are the session's keys of its widgets. `enter` is called with the page that was
    open before, None at first, when the page is opened; without one the record's defaults are put into the session the
    first time. `restored` is called when a link, a file or an example was put into the session. `reload_state` says
    what of a record is to be kept for a reload while another page is open, None for nothing; `asides` is what is kept
    beside. `ready` is called once, before the first visitor is served. What a workspace file holds besides the record,
    too much for a link, is made by what `give` gives, by name and without a session, and `take` takes it with the
    record when such a file is opened; it raises ValueError where that is no such thing, whatever it is.

    Pages share texts and settings, but for one that `has_own_texts`, which its addresses hold.

    `style` are the rules that no other page needs. `about` says what the page is, and `used` what was done there with
    texts whose references were changed on another page.
    """

    title: str
    script: str
    record: type[PageState]
    read: Callable[[Any], PageState] | None = None
    store: Callable[[Any, FieldFilter], PageState] | None = None
    keys: Sequence[str] = ()
    enter: Callable[[Page | None], None] | None = None
    restored: Callable[[], None] | None = None
    reload_state: Callable[[Any], PageState | None] | None = None
    asides: Sequence[Aside] = ()
    ready: Callable[[], object] | None = None
    give: Callable[[], Callable[[], Mapping[str, Any]]] | None = None
    take: Callable[[Any, Mapping[str, Any]], None] | None = None
    has_own_texts: bool = False
    style: str = ""
    about: str = ""
    used: str = ""

    @property
    def name(self) -> str:
        """The page's name in links and addresses."""
        return self.record.page

    @property
    def own_fields(self) -> list[RecordField]:
        """The fields of its record that not every record has."""
        shared = {f.name for f in codec.fields(PageState)}
        return [f for f in codec.fields(self.record) if f.name not in shared]

    @property
    def content_key(self) -> str:
        """A key that the session has once the page has something to show."""
        return self.own_fields[0].key


_pages: dict[str, Page] = {}


def set_pages(pages: Sequence[Page]) -> None:
    """Make these the pages, in the order of the navigation; the first one is opened first."""
    _pages.clear()
    _pages.update({page.name: page for page in pages})


def listed() -> Sequence[Page]:
    """All pages, in their order."""
    return tuple(_pages.values())


def find_page(name: object) -> Page | None:
    """The page of a name, None where there is none."""
    return _pages.get(name) if isinstance(name, str) else None


def page_of_record(record: PageState | type[PageState]) -> Page:
    """The page that shows a record, or records of a type."""
    return _pages[record.page]


def first() -> Page:
    """The page that is opened first."""
    return listed()[0]
