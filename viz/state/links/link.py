"""Write the state of a page as a link or as a workspace file, and read it back with all checks.

Each page has one state class, whose fields say what its links hold and how (`codec`). A link names its page in the
parameter `page`. Links and files of former versions do not; they are recognised by their parameters."""

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

LINK_MOST = 6_000  # the most characters of a query: browsers, proxies and chat programs all support it
FORMAT = "bitext-grid workspace 1"
KEPT = "kept"  # the parameter that names the texts which the browser keeps for an address


def without_parts(state: PageState, *parts: Part) -> PageState:
    """Return the state with the fields of the given parts (texts, look or place) at their defaults."""
    return replace(state, **{f.name: f.default for f in codec.link_fields(type(state)) if f.of in parts})


def text_parameters(state: PageState) -> dict[str, str]:
    """Return the query parameters that hold the texts of a page, without its other parameters."""
    rest = to_query(without_parts(state, "texts"))
    return {name: text for name, text in to_query(state).items() if name not in rest}


def to_document(state: PageState, extra: Mapping[str, Any]) -> str:
    """Return the texts as a JSON document for the browser to keep, with `extra` values that a link cannot hold."""
    return json.dumps({"query": text_parameters(state), **extra})


def from_document(document: object) -> tuple[dict[str, str], dict[str, Any]]:
    """Return the query parameters and the extra values of a JSON document of `to_document`.

    Raises ValueError if the document is malformed."""
    try:
        body = json.loads(document) if isinstance(document, str) else None
    except (ValueError, RecursionError):
        body = None
    query = body.get("query") if isinstance(body, dict) else None
    if not isinstance(body, dict) or not isinstance(query, dict) or not all(isinstance(t, str) for t in query.values()):
        raise ValueError("these are not texts")
    return query, {name: value for name, value in body.items() if name != "query"}


# ---------------------------------------------------------------- links


def to_query(state: PageState) -> dict[str, str]:
    """Return the query parameters of a state: the page's name, and all values that are not defaults."""
    return {"page": state.page, **codec.write_parameters(state)}


def link(state: PageState) -> str | None:
    """Return the link to a state, as a query string `?page=…`; None if it has more than LINK_MOST characters."""
    parts = [f"{name}={quote(value.encode('utf-8', 'surrogatepass'))}" for name, value in to_query(state).items()]
    query = "?" + "&".join(parts)
    return query if len(query) <= LINK_MOST else None


def describe_link(state: PageState) -> str:
    """Return a list in words of what the link of a page holds.

    An example is “the candidate, the references and the metric”."""
    defaults = {f.name: f.default for f in codec.link_fields(type(state))}
    labels = dict.fromkeys(
        says
        for name, says in state.field_labels.items()
        if name in state.always or (getattr(state, name) != defaults[name] and state.is_in_link(name))
    )
    *others, last = labels
    return f"{', '.join(others)} and {last}"


def format_query(query: Mapping[str, str]) -> str:
    """Return a query string, with parameters encoded exactly as Streamlit writes them in the address bar."""
    return "?" + urlencode(query, doseq=True, errors="replace")


def from_query(query: Mapping[str, str]) -> tuple[PageState, list[str]]:
    """Return the page state in a link's query parameters, and a message for each parameter that cannot be used."""
    page, first = find_page_of_link(query)
    values, strange, problems = codec.read_parameters(page.record, query)
    former = page.record.owns_unnamed(query)
    for parameter in query:
        if parameter not in strange or parameter == "page":
            continue
        if (owner := _owner(parameter)) is None:
            problems.append(codec.no_setting_message(parameter))
        elif "page" in query or not former:  # a former link could hold parameters of other pages, which are ignored
            problems.append(codec.not_used_message(parameter, f"it belongs to a link of the {owner.title} page"))
    return page.record(**values), first + problems


def _owner(parameter: str) -> Page | None:
    """Return the first page whose links can have the parameter; None if there is none."""
    return next((p for p in pages.all_pages() if any(f.owns(parameter) for f in codec.link_fields(p.record))), None)


def find_page_of_link(query: Mapping[str, str]) -> tuple[Page, list[str]]:
    """Return the page to which a link leads, and a message if the link names a page that does not exist.

    A link without a page name is of a former version. It leads to the page that recognises its parameters, else to
    the first page."""
    given = query.get("page")
    if page := pages.find_page(given):
        return page, []
    problems = [] if given is None else [codec.not_used_message("page", _unknown_page_message(given))]
    return next((page for page in pages.all_pages() if page.record.owns_unnamed(query)), pages.first_page()), problems


def _unknown_page_message(given: str) -> str:
    """Return the message that `given` is not the name of a page."""
    return f"page must be one of {', '.join([page.name for page in pages.all_pages()])}, got {given!r:.{codec.SHOWN}}"


def is_known_link(query: Mapping[str, str]) -> bool:
    """Return whether any parameter of a link is one of this app.

    Other sites append their own parameters to links; they must not make the page open empty."""
    if pages.find_page(query.get("page")):
        return True
    telling = [f for page in pages.all_pages() for f in codec.link_fields(page.record) if f.telling]
    return any(f.tells(parameter) for parameter in query for f in telling)


# ---------------------------------------------------------------- workspace files


def to_json(state: PageState, extra: Mapping[str, Any] | None = None) -> str:
    """Return the state as a workspace file in JSON; `extra` holds what a link cannot, such as a translation table."""
    body = {"format": FORMAT, "version": metrics.__version__, "query": to_query(state), **(extra or {})}
    return json.dumps(body, indent=1)  # ASCII, so that unpaired surrogates are kept too


def from_json(data: bytes | str) -> tuple[PageState, list[str], dict[str, Any]]:
    """Return the page state in a workspace file, a message for each invalid parameter, and the extra values.

    Raises ValueError with one sentence if the file is not a workspace."""
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


def is_local_address(address: str) -> bool:
    """Return whether an address is of the machine on which it is opened (localhost), or has no host.

    >>> hosts = "localhost:8501", "127.0.0.1:80", "[::1]"
    >>> [is_local_address(f"http://{host}/compare?page=compare") for host in hosts]
    [True, True, True]
    >>> is_local_address("https://grid.example.org/?page=sentence"), is_local_address("?page=sentence")
    (False, True)
    """
    host = urlsplit(address).hostname or "localhost"
    try:
        host_ip = ip_address(host)
    except ValueError:
        return host == "localhost" or host.endswith(".localhost")
    return host_ip.is_loopback or host_ip.is_unspecified
