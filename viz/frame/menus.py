"""Draw the menus: examples, text settings, language, sharing as a link or a workspace file, and saving."""

from __future__ import annotations

import re
from collections.abc import Callable, Container, Mapping, Sequence
from datetime import date
from functools import lru_cache, partial

import streamlit as st

import metrics
from metrics.text import TextSettings, languages
from metrics.text.similarity import TranslationTable

from ..components import copy_button
from ..draw.pen.text import escape_markdown
from ..save.sentence_page import Files
from ..state.files.examples import ComparisonExample, SentenceExample
from ..state.links import link, pages
from ..state.links.pages import PageState
from ..state.results.cache import Problem
from ..state.visit import controls, language, session, similarity


def example_menu(
    examples: Mapping[str, SentenceExample] | Mapping[str, ComparisonExample],
    key: str,
    take: Callable[[], None],
    labelled: bool = True,
) -> None:
    """Draw the selector of examples, in the order of the metrics that they open in the catalogue.

    Args:
        examples: the examples by name.
        key: the session key of the selector.
        take: the callback of a choice.
        labelled: whether the selector has a visible label; if not, its placeholder says what it is."""
    labels = _example_labels(tuple([(name, examples[name].metric) for name in examples]))
    st.selectbox(
        "Example",
        [*labels],
        key=key,
        index=None,
        placeholder="Choose one" if labelled else "Choose an example",
        label_visibility="visible" if labelled else "collapsed",
        format_func=labels.__getitem__,
        on_change=take,
        persist_state="session",
    )


@lru_cache(maxsize=16)
def _example_labels(examples: tuple[tuple[str, str], ...]) -> Mapping[str, str]:
    """Return the labels of examples by name, in the order of the metrics in the catalogue.

    `examples` are pairs of an example's name and the key of the metric that it opens."""
    order = list(metrics.METRICS)
    return {name: example_label(name, metric) for name, metric in sorted(examples, key=lambda one: order.index(one[1]))}


def example_label(name: str, metric: str) -> str:
    """Return the label of an example: the metric that it opens, then its name.

    >>> example_label("ROUGE, S2: police kill the gunman", "rouge_l"), example_label("English, news", "gtm")
    ('ROUGE-L · S2: police kill the gunman', 'GTM · English, news')
    """
    label = metrics.METRICS[metric].label
    return f"{label} · {re.sub(f'^({re.escape(label)}|ROUGE)[,:]? ', '', name)}"


def draw_choice_buttons(label: str, key: str, options: Mapping[str, str]) -> None:
    """Draw a row of buttons of which exactly one is selected, at first the first.

    `options` are the labels by value; the selected value is in the session under `key`. The label of the row is
    hidden."""
    st.session_state.setdefault(key, next(iter(options)))
    st.segmented_control(
        label,
        list(options),
        key=key,
        required=True,
        format_func=options.__getitem__,
        label_visibility="collapsed",
        persist_state="session",
    )


@st.fragment
def draw_menu_row(*menus: Callable[[], None]) -> None:
    """Draw menus in one row, as a fragment.

    A change in a menu reruns only this fragment, unless the menu has set `whole_page` in the session."""
    with st.container(horizontal=True, gap="small", key="tools"):
        for menu in menus:
            menu()
    if st.session_state.pop("whole_page", False):
        st.rerun()


def text_menu() -> None:
    """Draw the menu of the text settings; a change reruns the whole page."""
    with st.popover("Text", width="stretch", on_change="rerun", key="text") as popover:
        if popover.open:  # widgets in a closed popover would go on sending old values, whatever was restored since
            controls.draw_text_settings(TextSettings, _request_page_rerun)


def _request_page_rerun() -> None:
    """Adapt the language to the new settings, and have the whole page rerun; a callback."""
    language.apply_language()
    st.session_state.whole_page = True


def language_menu() -> None:
    """Draw the menu of the language of the texts."""
    with (
        st.container(key="language_box"),
        st.popover(language.describe_language(), on_change="rerun", key="language_menu") as popover,
    ):
        if not popover.open:
            return
        st.selectbox(
            "Language of the texts",
            selectable_languages(),
            key=language.KEY,
            format_func=languages.language_label,
            on_change=language.set_by_reader,
            persist_state="session",
        )
        st.caption(language.language_support_text())
        if st.session_state.get("language_by") in ("reader", "given", "example"):
            st.button("Recognise it from the references", on_click=language.recognise_again)


def selectable_languages() -> list[str]:
    """Return the names of the languages that can be chosen: those with a stemmer first, else by name."""
    return sorted((*languages.KNOWN, languages.UNKNOWN), key=lambda name: (not languages.has_stems(name), name))


def share_menu() -> None:
    """Draw the Share menu: the link to the page, its workspace file, and the uploader that opens such a file."""
    with st.popover("Share", width="stretch", on_change="rerun", key="share") as popover:
        if not popover.open:
            return
        workspace = session.open_page_state()
        address = page_address(workspace)
        if address:
            st.caption(f"The link holds {link.describe_link(workspace)}.")
            copy_button.show(address, "Copy the link")
            with st.container(key="link"):
                st.code(address, wrap_lines=True, language=None)
        else:
            st.caption(f"{workspace.long} are too long for a link. Send the workspace file instead.")
        if workspace.unlinked_content:
            st.caption(workspace.unlinked_content)
        table = similarity.current_similarity()[1]
        extra = {}
        if isinstance(table, TranslationTable):
            extra["table"] = similarity.saved_table(table)
            st.caption("The translation table does not fit into a link; the workspace file holds it.")
        give = pages.page_of_record(workspace).give
        more = give() if give else None
        file = (lambda: link.to_json(workspace, {**extra, **more()})) if more else link.to_json(workspace, extra)
        st.download_button("Workspace file", file, "bitext-grid.json", "application/json", on_click="ignore")
        st.file_uploader("Open a workspace file", type="json", key="workspace", on_change=_open_workspace)


def _open_workspace() -> None:
    """Restore the page from the uploaded workspace file; a callback.

    Messages about what could not be restored are put into the session, and the next run shows them."""
    uploaded = st.session_state.workspace
    if uploaded is None:
        return
    _request_page_rerun()
    try:
        workspace, problems, extra = link.from_json(uploaded.getvalue())
    except ValueError as error:
        st.session_state.problems = [str(error)]
        return
    session.restore(workspace, problems, extra.get("table"))
    if take := pages.page_of_record(workspace).take:
        try:
            take(workspace, extra)
        except ValueError as error:
            st.session_state.problems = [*problems, f"The texts of this workspace are not used: {error}."]


def save_menu(key: str, offered: Callable[[], tuple[Files | Problem | None, Container[str]]]) -> None:
    """Draw the Save menu.

    `offered` is called when the menu is open, and returns two values. The first is the files, a problem that prevents
    saving, or None while there is nothing to save. The second has the endings of the files that are slow to make; they
    are made only when the visitor clicks on them."""
    with st.popover("Save", width="stretch", on_change="rerun", key=key) as popover:
        if not popover.open:
            return
        files, late = offered()
        if files is None:
            st.caption("There is nothing to save yet.")
        elif isinstance(files, Problem):
            st.caption(escape_markdown(str(files)))
        else:
            _draw_downloads(*files, late=late)


def page_address(state: PageState) -> str | None:
    """Return the full address that opens a page with this state, None if it would be too long."""
    query = link.link(state)
    return (st.context.url or "").split("?")[0] + query if query else None


def date_of_saved_file() -> str:
    """Return today's date in words, for a saved file."""
    today = date.today()
    return f"{today.day} {today:%B %Y}"


def address_for_saved_file(state: PageState) -> str:
    """Return the full address that opens a page with this state, for a saved file that others read.

    "" if it would be too long, or if it leads to this machine, where others cannot open it."""
    address = page_address(state) or ""
    return "" if link.is_local_address(address) else address


KINDS = {
    "svg": "image/svg+xml",
    "html": "text/html",
    "json": "application/json",
    "csv": "text/csv",
    "tsv": "text/tab-separated-values",
    "xlsx": "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
    "jsonl": "application/jsonl",
    "md": "text/markdown",
    "tex": "application/x-tex",
    "txt": "text/plain",
    "zip": "application/zip",
}


def _draw_downloads(
    name: str, files: Sequence[tuple[str, str, Callable[[], str | bytes]]], late: Container[str] = ()
) -> None:
    """Draw a download button for each file, or the reason why a file cannot be made.

    Args:
        name: the start of the file names.
        files: the label, the ending and the function that makes the file, for each.
        late: the endings of files that are slow to make but never fail; they are made when the visitor clicks on
            them."""
    for label, ending, make in files:
        try:
            data = partial(_file_bytes, make, ending) if ending in late else _file_bytes(make, ending)
        except ValueError as error:
            st.caption(f"{label}: {error}.")
            continue
        st.download_button(
            label,
            data,
            f"{name}.{ending}",
            KINDS[ending.rpartition(".")[2]],
            on_click="ignore",
            width="stretch",
        )


def _file_bytes(make: Callable[[], str | bytes], ending: str) -> bytes:
    """Return the bytes of the file that `make` returns, as UTF-8 if that is text.

    A CSV file begins with a byte order mark, which tells spreadsheets that it is UTF-8."""
    data = make()
    code = "utf-8-sig" if ending.endswith("csv") else "utf-8"
    return data if isinstance(data, bytes) else data.encode(code, "replace")
