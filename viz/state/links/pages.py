"""Define the classes of a page and of its state, and keep the list of pages.

No code below the pages knows a page by name. Whatever has to be known of one is a field of `Page`, and `viz.pages`
sets the list."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar, NamedTuple

import metrics
from metrics.text import TextSettings, languages
from metrics.types import Settings

from . import codec
from .codec import MetricSettingsKind, OneOf, Plain, RecordField, TextSettingsKind, session_field, url_field

FIRST_METRIC = "gtm"  # the metric of a page that is opened without a link
SIMILARITIES = ("none", "stems", "wordnet")  # the similarities of SIA that a link can name
TABLE = "table"  # stands for a translation table, which a link cannot hold
LANGUAGE = OneOf((*languages.KNOWN, languages.UNKNOWN), "the name of a language, such as german, or other or unknown")


@dataclass(frozen=True, kw_only=True)
class PageState:
    """The texts, settings and selections of a page, as links and files hold them; each page has a subclass.

    Attributes:
        page: the name of the page, set by the subclass.
        references: the references as typed.
        metric: the key of the selected metric.
        text: how texts are processed.
        settings: by metric and name, the settings that differ from the metric's defaults.
        similarity: the kind of SIA's word similarity; TABLE stands for any translation table. The table itself is not
            part of a link (see `link.to_json`).
        language: the language of the texts.
        objects: by metric and name, the settings that no link can hold, because they are objects."""

    page: ClassVar[str]
    #: The fields in words, for the sentence on what a link holds; it does not mention other fields.
    field_labels: ClassVar[Mapping[str, str]] = {
        "references": "the references",
        "metric": "the metric",
        "text": "the text processing",
        "settings": "the changed settings of all metrics",
        "similarity": "the word similarity",
        "language": "the language of the texts",
    }
    #: The fields that the sentence mentions even at their defaults.
    always: ClassVar[Sequence[str]] = ("references", "metric")
    #: The subject of the sentence on a link that is too long; and the content that no link of the page holds.
    long: ClassVar[str] = "The texts"
    unlinked_content: ClassVar[str] = ""

    references: str = url_field("", of="texts", telling=True, widget=True)
    metric: str = url_field(FIRST_METRIC, OneOf(metrics.METRICS), telling=True)
    text: TextSettings = url_field(TextSettings, TextSettingsKind(), telling=True)  # noqa: RUF009
    settings: Mapping[str, Mapping[str, Plain]] = url_field(dict, MetricSettingsKind(), telling=True)
    similarity: str = url_field("none", OneOf((*SIMILARITIES, TABLE)), "sia.similarity", "similarity_kind")
    language: str = url_field("english", LANGUAGE, of="texts", widget=True)
    objects: Mapping[str, Mapping[str, object]] = session_field(dict)

    def settings_of(self, key: str) -> Settings:
        """Return the settings of the metric `key` in this state."""
        if key not in self._settings_cache:
            given = {**self.settings.get(key, {}), **self.objects.get(key, {})}
            settings = codec.settings_with(metrics.METRICS[key].Settings, given)
            self._settings_cache[key] = settings.of_texts(languages.language_for_stems(self.language))
        return self._settings_cache[key]

    @cached_property
    def _settings_cache(self) -> dict[str, Settings]:
        """The settings by metric, for the metrics whose settings were needed so far."""
        return {}

    @classmethod
    def owns_unnamed(cls, query: Mapping[str, str]) -> bool:
        """Return whether a link is of this page although it does not name it, as links of former versions did not."""
        return False

    def is_in_link(self, name: str) -> bool:
        """Return whether a link has to hold the field `name`, which is not at its default."""
        return name != "similarity" or self.similarity != TABLE


FieldFilter = Callable[[RecordField], bool]
Outputs = Sequence[tuple[str, str]]


def accept_every_field(field: RecordField) -> bool:
    """Return True for every field; the default filter of fields."""
    return True


class Aside(NamedTuple):
    """A value outside the page states that the browser also keeps for a reload.

    Attributes:
        name: its name in the document that the browser keeps.
        give: returns the value to keep.
        take: restores the value from whatever the browser sends."""

    name: str
    give: Callable[[], Any]
    take: Callable[[object], None]


@dataclass(frozen=True, kw_only=True)
class Page:
    """A page of the app: its title, its script, the class of its state, and its hooks.

    Only the first three are needed if all fields of the state are plain values of the session. Pages share texts and
    settings, except a page that `has_own_texts`.

    Attributes:
        title: the title in the menu of pages.
        script: the path of the script from the folder of `app.py`.
        record: the class of the page's state.
        read: completes a state that was read from the session.
        store: writes the fields that are not plain values into the session, and returns the state to go on with.
        keys: the session keys of the page's widgets that no field of the state has.
        enter: called when the page is opened, with the page that was open before (None at first). By default the
            defaults of the state are written into the session the first time.
        after_restore: called after a link, a file or an example was written into the session.
        reload_state: returns what of a state is kept for a reload while another page is open; None for nothing.
        asides: further values that are kept for a reload.
        ready: called once, before the first visitor is served.
        give: returns a function that makes what a workspace file holds besides the state, by name. That function does
            not use the session.
        take: restores what `give` made, together with the state. Raises ValueError if it is malformed.
        show_outputs: returns the state that shows outputs of the same references, given as pairs of name and text, or
            None if the page does not show that many. Its other arguments are the fields that the state shares with
            other pages, by name, and the name of a view, "" for the first.
        explain: returns the state that explains the metric of a state with a candidate on its texts, or None if there
            is no explanation.
        has_own_texts: whether the page has texts of its own, which its addresses hold.
        style: the style rules that no other page needs.
        key_groups: the parts of the page that answer keys, by their names in `viz.draw.evidence.keys`, in the order in
            which Help lists them.
        about: what the page does, in words for its users.
        used: what was done on the page with texts whose references another page has changed, in words."""

    title: str
    script: str
    record: type[PageState]
    read: Callable[[Any], PageState] | None = None
    store: Callable[[Any, FieldFilter], PageState] | None = None
    keys: Sequence[str] = ()
    enter: Callable[[Page | None], None] | None = None
    after_restore: Callable[[], None] | None = None
    reload_state: Callable[[Any], PageState | None] | None = None
    asides: Sequence[Aside] = ()
    ready: Callable[[], object] | None = None
    give: Callable[[], Callable[[], Mapping[str, Any]]] | None = None
    take: Callable[[Any, Mapping[str, Any]], None] | None = None
    show_outputs: Callable[[Outputs, Mapping[str, Any], str], PageState | None] | None = None
    explain: Callable[[Any], PageState | None] | None = None
    has_own_texts: bool = False
    style: str = ""
    key_groups: Sequence[str] = ()
    about: str = ""
    used: str = ""

    @property
    def name(self) -> str:
        """The name of the page in links and addresses."""
        return self.record.page

    @property
    def own_fields(self) -> list[RecordField]:
        """The fields of the page's state that links hold and that other pages do not have."""
        shared = {f.name for f in codec.link_fields(PageState)}
        return [f for f in codec.link_fields(self.record) if f.name not in shared]

    @property
    def content_key(self) -> str:
        """The session key that exists once the page has something to show."""
        return self.own_fields[0].key


_pages: dict[str, Page] = {}


def set_pages(pages: Sequence[Page]) -> None:
    """Set the list of pages in the order of the menu; the first page is opened first."""
    _pages.clear()
    _pages.update({page.name: page for page in pages})


def all_pages() -> Sequence[Page]:
    """Return all pages in the order of the menu."""
    return tuple(_pages.values())


def find_page(name: object) -> Page | None:
    """Return the page called `name`; None if there is none."""
    return _pages.get(name) if isinstance(name, str) else None


def page_of_record(record: PageState | type[PageState]) -> Page:
    """Return the page to which a state, or a class of states, belongs."""
    return _pages[record.page]


def first_page() -> Page:
    """Return the page that is opened first."""
    return all_pages()[0]


def state_with_outputs(outputs: Outputs, shared: Mapping[str, Any], view: str = "") -> PageState | None:
    """Return the state of the first page that shows so many `outputs` of the same references; None if none does.

    The arguments are those of `Page.show_outputs`."""
    states = (page.show_outputs(outputs, shared, view) for page in all_pages() if page.show_outputs)
    return next((state for state in states if state), None)


def explaining_state(state: PageState) -> PageState | None:
    """Return the state of the first page that explains the metric of `state` on its texts; None if none does."""
    states = (page.explain(state) for page in all_pages() if page.explain)
    return next((found for found in states if found), None)
