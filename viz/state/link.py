"""What a page shows as a link or as a workspace file, and back. Everything that comes back is checked.

Each page has one record, whose fields say what its links hold and how (`codec`); a link names its page as `page`. Links
and files of former versions, which do not, are known by what they hold.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import replace
from ipaddress import ip_address
from typing import Any
from urllib.parse import quote, urlencode, urlsplit

import metrics

from . import codec, pages
from .codec import Part
from .pages import Page, PageState

LINK_MOST = 6_000  # characters of a query that browsers, proxies and chat programs all carry
FORMAT = "bitext-grid workspace 1"
KEPT = "kept"  # the parameter of an address whose texts are kept in the browser; its value names them


def without_parts(state: PageState, *parts: Part) -> PageState:
    """What a page shows with the fields of some parts at their defaults."""
    return replace(state, **{f.name: f.default for f in codec.fields(type(state)) if f.of in parts})


def texts_of(state: PageState) -> dict[str, str]:
    """The parameters of the texts alone."""
    rest = to_query(without_parts(state, "texts"))
    return {name: text for name, text in to_query(state).items() if name not in rest}


def to_document(state: PageState, extra: Mapping[str, Any]) -> str:
    """The texts as they are kept in the browser, with what else a link cannot hold."""
    return json.dumps({"query": texts_of(state), **extra})


def from_document(document: object) -> tuple[dict[str, str], dict[str, Any]]:
    """The parameters of texts that were kept in the browser, and what else was. Raises ValueError if they are none."""
    try:
        body = json.loads(document) if isinstance(document, str) else None
    except (ValueError, RecursionError):
        body = None
    query = body.get("query") if isinstance(body, dict) else None
    if not isinstance(body, dict) or not isinstance(query, dict) or not all(isinstance(t, str) for t in query.values()):
        raise ValueError("these are no texts")
    return query, {name: value for name, value in body.items() if name != "query"}


# ---------------------------------------------------------------- links


def to_query(state: PageState) -> dict[str, str]:
    """What a page shows as query parameters: the page's name, and what is not at its default."""
    return {"page": state.page, **codec.write(state)}


def link(state: PageState) -> str | None:
    """The query string to put behind the app's address, None where it would be longer than a link can bear."""
    parts = [f"{name}={quote(value.encode('utf-8', 'surrogatepass'))}" for name, value in to_query(state).items()]
    query = "?" + "&".join(parts)
    return query if len(query) <= LINK_MOST else None


def describe_link(state: PageState) -> str:
    """What the link of a page holds, in words."""
    defaults = {f.name: f.default for f in codec.fields(type(state))}
    labels = dict.fromkeys(
        says
        for name, says in state.field_labels.items()
        if name in state.always or (getattr(state, name) != defaults[name] and state.says(name))
    )
    *others, last = labels
    return f"{', '.join(others)} and {last}"


def format_query(query: Mapping[str, str]) -> str:
    """Parameters as the address bar has them: to the letter as Streamlit would write them."""
    return "?" + urlencode(query, doseq=True, errors="replace")


def from_query(query: Mapping[str, str]) -> tuple[PageState, list[str]]:
    """What a page shows by its link, and a sentence for each parameter that could not be used."""
    page, first = page_of(query)
    values, strange, problems = codec.read(page.record, query)
    former = page.record.owns_unnamed(query)
    for parameter in query:
        if parameter not in strange or parameter == "page":
            continue
        if (theirs := _owner(parameter)) is None:
            problems.append(codec.no_setting(parameter))
        elif "page" in query or not former:  # other texts could stand beside those of a former link, and were of no use
            problems.append(codec.not_used(parameter, f"it belongs to a link of the {theirs.title} page"))
    return page.record(**values), first + problems


def _owner(parameter: str) -> Page | None:
    """The first page whose links have a parameter."""
    return next((p for p in pages.listed() if any(f.owns(parameter) for f in codec.fields(p.record))), None)


def page_of(query: Mapping[str, str]) -> tuple[Page, list[str]]:
    """The page of a link, and what is wrong with its name. A link without a name is a former version's: it is one of
    the page that knows it for its own, else one of the first page."""
    given = query.get("page")
    if page := pages.find_page(given):
        return page, []
    problems = [] if given is None else [codec.not_used("page", _must_be_a_page(given))]
    return next((page for page in pages.listed() if page.record.owns_unnamed(query)), pages.first()), problems


def _must_be_a_page(given: str) -> str:
    return f"page must be one of {', '.join([page.name for page in pages.listed()])}, got {given!r:.{codec.SHOWN}}"


def is_known_link(query: Mapping[str, str]) -> bool:
    """Whether a link holds anything of ours; what others hang onto links must not empty the page."""
    if pages.find_page(query.get("page")):
        return True
    telling = [f for page in pages.listed() for f in codec.fields(page.record) if f.telling]
    return any(f.tells(parameter) for parameter in query for f in telling)


# ---------------------------------------------------------------- workspace files


def to_json(state: PageState, extra: Mapping[str, Any] | None = None) -> str:
    """What a page shows as a file; `extra` holds what a link cannot, such as a translation table's lines."""
    body = {"format": FORMAT, "version": metrics.__version__, "query": to_query(state), **(extra or {})}
    return json.dumps(body, indent=1)  # ASCII, so that unpaired surrogates survive too


def from_json(data: bytes | str) -> tuple[PageState, list[str], dict[str, Any]]:
    """What a page shows by a file. Raises ValueError with one clear sentence if the file is not a workspace."""
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
    state, problems = from_query(query)
    return state, problems, {k: v for k, v in body.items() if k not in ("format", "version", "query")}


def of_this_machine(address: str) -> bool:
    """Whether an address leads to the machine that it is opened on, or nowhere.

    >>> [of_this_machine(f"http://{host}/compare?page=compare") for host in ("localhost:8501", "127.0.0.1:80", "[::1]")]
    [True, True, True]
    >>> of_this_machine("https://grid.example.org/?page=sentence"), of_this_machine("?page=sentence")
    (False, True)
    """
    host = urlsplit(address).hostname or "localhost"
    try:
        host_ip = ip_address(host)
    except ValueError:
        return host == "localhost" or host.endswith(".localhost")
    return host_ip.is_loopback or host_ip.is_unspecified
