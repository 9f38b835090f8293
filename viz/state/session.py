"""The pages' state in Streamlit's session: taken from a link, a file or an example, and kept in the address bar.

The Sentence page has a `candidate`. The Compare page has systems (`slots`), changed by `editing`; `compare_view` is its
view. Both share `references`, `metric` and all settings. `page` is the one that is open.

Every change of page, view, metric, setting or side is a step of the browser's history: `address` is its query, `place`
what makes it a step of its own, and `arrivals` how often the browser itself went somewhere. Texts belong to a `load`,
the number of what was last put into their place (an example, a file, a swap): going back within a load keeps what was
typed since, going back to another load brings back the texts that it had when it was left.

A text area's value is written only when something is loaded, swapped, removed or undone. What is typed on a page stays
while the other page is open; untouched examples give way, so that no page shows texts beside another's references.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable
from typing import Any

import streamlit as st
from streamlit.runtime.scriptrunner import get_script_run_ctx

import metrics
from metrics.text import TextSettings
from metrics.text.similarity import TranslationTable
from metrics.types import Result, Settings, signature

from ..draw.compare.changed_words import FATES
from ..draw.texts import Texts
from . import cache, codec, controls, lessons, link, similarity, slots
from .cache import Glance, Problem
from .examples import BY_NAME, EXAMPLES, PAIR_BY_NAME, PAIRS, Example, Pair
from .link import Compare, Learn, Page, Sentence

LOADS_MOST = 30  # loads whose texts the back button brings back as they were left
VISITED_MOST = 1_000  # addresses whose load is known
TABLE_MOST = 20_000  # words of a translation table that a browser keeps
NOT_HERE = (
    "The texts of this address were too long for a link, and this tab does not have them. Send the workspace file "
    "under Share instead."
)


def start(page: str = "sentence") -> None:
    """Make a page's state ready, before its widgets are drawn: once a session from the link or an example, when the
    browser went back or forward from its address, and when the page is opened from the other one. A link or a file of
    the other page opens that page. Where `waits` holds afterwards, the texts are still to come."""
    state, back = st.session_state, False
    if "opened" not in state:
        state.opened, state.load, state.loads, state.arrivals = True, 0, 0, 0
        state.visited, state.typed = {}, {}
        _open_address(_address(), page)
    elif back := _went_back():
        state.arrivals += 1
        _go_back(_address(), page)
    if waits():
        return
    wanted = state.pop("wanted", page)
    if wanted != page:
        # With the address as it is, which is then no step of its own on the way.
        st.switch_page(f"viz/pages/{wanted}/page.py", query_params=state.get("address") or _address())
    if state.get("page") != page:
        state.left = {**state.get("left", {}), state.get("page"): state.get("references")}
        state.page = page
        _carry_over()
        if not (back and _HELD.get(page, "page") in state):
            _enter(page)


_HELD = {
    "sentence": "candidate",
    "compare": "systems",
    "learn": "chapter",
}  # page → a key that is there once the page has been


def _enter(page: str) -> None:
    """Make ready what a page needs when it is opened, and note whether its texts now stand beside other references."""
    state = st.session_state
    load, were = state.load, state.left.get(page)
    if enter := {"sentence": _enter_sentence, "compare": _enter_compare, "learn": lessons.enter}.get(page):
        enter()
    changed = were is not None and were != state.references and load == state.load
    state.references_were = (were, state.references) if changed else None


def former_references() -> str | None:
    """The references that the texts of this page had when it was left, where the other page has changed them since."""
    were: tuple[str, str] | None = st.session_state.get("references_were")
    return were[0] if were and were[1] == st.session_state.references else None


def bring_references_back() -> None:
    """Undo the change of the references that the other page has made."""
    if (were := former_references()) is not None:
        leave()
        st.session_state.references = were


def _address() -> dict[str, str]:
    return {name: st.query_params[name] for name in st.query_params}


def _open_address(query: dict[str, str], page: str) -> None:
    """What a session starts with: what its link holds, or on the Sentence page an example."""
    state = st.session_state
    if link.KEPT in query:
        state.kept_wanted = query
        return
    shown, problems = link.from_query(query)
    if not link.known(query):
        if page == "sentence":
            load(EXAMPLES[0])
        state.problems = link.page_of(query)[1]
        return
    restore(shown, problems)
    if query.get("page") == shown.page or isinstance(shown, Compare):
        state.wanted = shown.page
    elif page == "compare" and not state.candidate:
        del state["candidate"]  # the link left it to the page, which makes A of a candidate


# ---------------------------------------------------------------- back and forward


def _went_back() -> bool:
    """Whether this run is the browser's going back or forward."""
    context = get_script_run_ctx(suppress_warning=True)
    return context is not None and context.is_history_navigation


def _go_back(query: dict[str, str], page: str) -> None:
    """Show what an address of before showed, with the texts of its load as they were left."""
    state = st.session_state
    if not link.known(query) or link.page_of(query)[0].page != page:
        return
    if page == "learn" and link.KEPT not in query:  # whose addresses hold what was typed at each
        restore(link.from_query(query)[0], [])
        return
    there = state.visited.get(_key(query))
    if there == state.load:
        restore(link.from_query(_without_texts(query) | link.texts_of(workspace(page)))[0], [], typed=True)
        return
    leave()
    if there is None and link.KEPT in query:
        state.kept_wanted = query
        return
    texts = state.typed.get(there, {}).get(page, {})
    restore(link.from_query((_without_texts(query) | texts) if texts else query)[0], [])
    if there is not None:
        state.load = there


def _without_texts(query: dict[str, str]) -> dict[str, str]:
    """An address without its texts, and without what stands for them."""
    texts = link.texts_of(link.from_query({k: v for k, v in query.items() if k != link.KEPT})[0])
    return {name: text for name, text in query.items() if name not in texts and name != link.KEPT}


def _key(query: dict[str, str]) -> str:
    return json.dumps(sorted(query.items()))


def leave() -> None:
    """Remember the texts of both pages before others take their place, which are a load of their own."""
    state = st.session_state
    state.typed[state.load] = {p: link.texts_of(workspace(p)) for p, key in _HELD.items() if key in state}
    for old in list(state.typed)[:-LOADS_MOST]:
        del state.typed[old]
    state.loads += 1
    state.load = state.loads


# ---------------------------------------------------------------- texts that are kept in the browser


def waits() -> bool:
    """Whether the address's texts are still to come from the browser."""
    return wanted() is not None


def wanted() -> str | None:
    """The name of the texts that the browser is to send, if it is to send any."""
    query = st.session_state.get("kept_wanted")
    return query[link.KEPT] if query else None


def take_kept(document: object) -> None:
    """Go on with the texts that the browser had kept; None where it has none."""
    query = st.session_state.pop("kept_wanted", None)
    if query is None:
        return
    rest = {name: text for name, text in query.items() if name != link.KEPT}
    try:
        texts, extra = link.from_document(document)
        shown, problems = link.from_query(rest | texts)
    except ValueError:
        extra, (shown, _) = {}, link.from_query(rest)
        problems = [NOT_HERE]
    st.session_state.said_too_long = problems != [NOT_HERE]
    restore(shown, problems, extra.get("table"))


# ---------------------------------------------------------------- from one page to the other


def _carry_over() -> None:
    """Write every value of the former page's widgets again, before the new page draws its own.

    Streamlit 1.67 keeps a value across pages (`persist_state`) only if its widget was drawn in two runs; after one, a
    widget of the same key on the next page would start empty.
    """
    state = st.session_state
    controls.keep()
    keys = ["whatif", *(f.key for page in link.PAGES.values() for f in codec.fields(page) if f.kind.plain)]
    keys += [key(slot) for slot in range(link.SYSTEMS_MOST) for key in (slots.name_key, slots.text_key)]
    for key in keys:
        if key in state:
            state[key] = state[key]


def _enter_sentence() -> None:
    """A is the candidate where there is none yet, or where its example's references were replaced by a pair's; where
    there is no A either, an example is loaded."""
    state = st.session_state
    if "candidate" not in state and "systems" not in state:
        load(EXAMPLES[0])
    elif "candidate" not in state:
        state.candidate = state[slots.text_key(slots.sides()[0])]
    elif _lost_its_references(state.candidate):
        leave()
        state.candidate = state[slots.text_key(slots.sides()[0])]
    state.setdefault("view", "metric")
    state.setdefault("other", link.FIRST_OTHER)


def _lost_its_references(candidate: str) -> bool:
    return (
        (any(candidate == e.candidate for e in EXAMPLES) or any(candidate == p.a for p in PAIRS))
        and _example() is None
        and any(st.session_state.references == p.references for p in PAIRS)
        and "systems" in st.session_state
        and all(candidate != text for _, text in slots.systems())
    )


def _enter_compare() -> None:
    """What was typed on the Sentence page is A, an untouched example gives way to a pair; systems once there stay,
    unless they are an untouched pair whose references the Sentence page has replaced."""
    state = st.session_state
    candidate, references = state.get("candidate") or "", state.get("references") or ""
    example, pair = _example(), PAIRS[0]
    if "systems" in state:
        untouched = next((p for p in PAIRS if p.systems == slots.systems()), None)
        if not untouched or references == untouched.references or not candidate.strip() or candidate == untouched.a:
            return
        pair = untouched
    if example is None and (candidate + references).strip():
        slots.put_all([("", candidate), ("", "")])
        return
    if "metric" not in state:
        state.metric = pair.metric
    leave()
    if pair.text or (example and (example.text or example.settings)):
        new = _of_pair(pair)
        controls.restore(new.text, new.settings)  # settings that belong to an example leave with it, others stay
    state.references, state.pair = pair.references, pair.name
    slots.put_all(pair.systems)


def forget_example() -> None:
    """Empty the menu of examples as soon as a text is no longer the example's, so that it can be chosen again."""
    state = st.session_state
    if state.get("example") and _example() != BY_NAME[state.example]:
        state.example = None
    if state.get("pair") and _pair() != PAIR_BY_NAME[state.pair]:
        state.pair = None


def _example() -> Example | None:
    """The example that the Sentence page shows untouched."""
    state = st.session_state
    shown = state.get("candidate"), state.get("references")
    return next((e for e in EXAMPLES if (e.candidate, e.references) == shown), None)


def pasted(page: str) -> bool:
    """Whether a page holds texts of the user's own; untouched examples of either page are none."""
    state = st.session_state
    references, candidate = state.get("references") or "", state.get("candidate") or ""
    if page == "compare":
        given = any(text.strip() for _, text in slots.systems()) or references.strip()
        return bool(given) and _pair() is None
    of_a_pair = any(p.references == references and candidate in [text for _, text in p.systems] for p in PAIRS)
    return bool((candidate + references).strip()) and _example() is None and not of_a_pair


def _pair() -> Pair | None:
    """The pair that the Compare page shows untouched."""
    shown = slots.systems(), st.session_state.get("references")
    return next((p for p in PAIRS if (p.systems, p.references) == shown), None)


# ---------------------------------------------------------------- links, files, examples


def restore(shown: Page, problems: list[str], table: object = None, typed: bool = False) -> None:
    """Put what a page shows into the session, before its widgets are drawn, and have `start` open the page; `problems`
    are shown once. What only other pages have is kept, and so are the texts if they are those that were `typed`."""
    state = st.session_state
    if state.get("page") not in (None, shown.page):
        state.wanted = shown.page
    if isinstance(shown, Learn):
        lessons.put(shown)
        state.problems = problems
        return
    if typed:
        put_fields(shown, lambda f: f.name not in link.TEXTS)
    else:
        leave()
        put_fields(shown, lambda f: True)
    controls.restore(shown.text, shown.settings)
    try:
        similarity.restore(shown.similarity, table)
    except ValueError as error:
        problems = [*problems, f"The word similarity is not used: {error}."]
    state.problems = problems
    if isinstance(shown, Sentence):
        state.look_of = _look_now()
        state.example = example.name if (example := _example()) else None
    if isinstance(shown, Compare) and "systems" in state:
        state.step_of, state.effect_of = _step_now(), None
        state.pair = pair.name if (pair := _pair()) else None


def put_fields(shown: Page, chosen: Callable[[codec.Field], bool]) -> None:
    """Put the chosen ones of a record's fields into the session, but for settings."""
    state = st.session_state
    if isinstance(shown, Compare) and shown.systems:
        if any(f.name == "systems" and chosen(f) for f in codec.fields(Compare)):
            slots.put_all(shown.systems, shown.sides)
        else:
            state.side_a, state.side_b = shown.sides
    for f in codec.fields(type(shown)):
        if f.kind.plain and f.key != similarity.KIND and chosen(f):
            value = getattr(shown, f.name)
            state[f.key] = link.sendable(value) if isinstance(value, str) else value
            if f.name == "whatif":
                state.whatif_now = state.whatif


def load(example: Example) -> None:
    """Put an example into the session."""
    state = st.session_state
    restore(
        Sentence(
            candidate=example.candidate,
            references=example.references,
            text=TextSettings(**example.text),
            metric=example.metric,
            settings={example.metric: example.settings} if example.settings else {},
            view=state.get("view") or "metric",
            other=state.get("other") or link.FIRST_OTHER,
        ),
        [],
    )


def load_pair(example: Pair) -> None:
    """Put an example of the Compare page into the session."""
    restore(_of_pair(example), [])


def _of_pair(pair: Pair) -> Compare:
    return Compare(
        references=pair.references,
        text=TextSettings(**pair.text),
        metric=pair.metric,
        systems=pair.systems,
        compare=pair.view or st.session_state.get("compare_view") or "difference",
    )


def workspace(page: str | None = None) -> Page:
    """What a page shows, by the session; None is the page that is open."""
    record = link.PAGES[page or st.session_state.get("page") or "sentence"]
    changed = {key: codec.changed(metric_settings(key)) for key in metrics.METRICS}
    given: dict[str, Any] = {f.name: _held(f) for f in codec.fields(record) if f.kind.plain}
    given |= {"text": text_settings(), "settings": {key: values for key, values in changed.items() if values}}
    if record is Learn:
        given |= lessons.held()
    if record is Compare:
        given |= {"systems": slots.systems(), "sides": slots.sides()}
    return record(**given)


def _held(field: codec.Field) -> Any:
    """The session's value of a field, its default where there is none or none that a link can hold.

    Where a field leaves it to the view what is shown at first, the view says under `KEY_first` what that is.
    """
    state = st.session_state
    value = state.get(field.key)
    if value is None or not field.kind.admits(field.parameter, value) or (field.key in LOOK and not _has_look()):
        return field.default
    if field.key in STEP and state.get("step_of") != _step_now():
        return field.default
    if field.key == "effect" and state.get("compare_view") != "words":
        return field.default  # nobody can say whether its texts are still there
    return field.default if field.default is None and value == state.get(f"{field.key}_first") else value


# ---------------------------------------------------------------- what is looked at in a result


#: Keys of what belongs to one result, and how it is at first.
LOOK = {"term": None, "rounds": None, "tie": 0, "walk_step": None, "walk_part": None}


STEP = {"step": None, "change": None, "grid_reference": None}  # the same of what belongs to one comparison


def keep_look() -> None:
    """Keep the chosen term, the shown rounds and the tie stepped to only if they are of the result that is shown now.
    For a view that is about to draw it."""
    if not _has_look():
        st.session_state.update(LOOK)
    st.session_state.look_of = _look_now()


def has_look(metric: str) -> bool:
    """Whether the keys of LOOK are of this metric's result on the texts and settings in use."""
    return metric == st.session_state.get("metric") and _has_look()


def _has_look() -> bool:
    return st.session_state.get("look_of") == _look_now()


def _look_now() -> tuple[object, ...]:
    """What the result that is shown follows from."""
    state = st.session_state
    metric = state.get("metric") or link.FIRST_METRIC
    return state.get("candidate"), state.get("references"), text_settings(), metric, metric_settings(metric)


def chosen_step(count: int) -> int | None:
    """The chosen one of `count` steps from A to B; None if there is none, or if it was chosen in another comparison."""
    state, now = st.session_state, _step_now()
    if state.get("step_of") is None:
        state.step_of = now
    step: int | None = state.get("step")
    return step if step is not None and step < count and state.step_of == now else None


def choose_step(step: int | None) -> None:
    """Choose a step of the comparison that is shown, or none."""
    _keep_steps()
    st.session_state.step = step


def open_reference(number: object, count: int) -> None:
    """Keep which of `count` references has its grid open; the browser may send anything."""
    _keep_steps()
    st.session_state.grid_reference = codec.number_sent(number, count)


def opened_reference(count: int) -> int | None:
    """The one of `count` references whose grid is open; None where the step says it, or in another comparison."""
    state = st.session_state
    reference: int | None = state.get("grid_reference")
    known = reference is not None and reference < count and state.get("step_of") in (None, _step_now())
    return reference if known else None


def chosen_effect(of: object) -> int | None:
    """The chosen change of a word `of` what is shown; what was chosen of something else is given up."""
    state = st.session_state
    if state.get("effect_of") not in (None, of):
        state.effect = None
    state.effect_of = of
    effect: int | None = state.get("effect")
    return effect


def choose_effect(effect: int | None) -> None:
    """Choose a change of a word of what is shown, or none."""
    st.session_state.effect = effect


def switch_off(fates: object) -> None:
    """Show words of these fates, a space between them, no more as such; the browser may send anything."""
    given = fates.split() if isinstance(fates, str) else []
    st.session_state.fates_off = tuple(sorted({*given}.intersection(FATES)))


def switched_off() -> tuple[str, ...]:
    """The fates of words that are not shown as such."""
    off: tuple[str, ...] = st.session_state.get("fates_off") or ()
    return off


def shown_change() -> int | None:
    """The change of a long comparison around which its part is shown; None for the first one."""
    state = st.session_state
    change: int | None = state.get("change") if state.get("step_of") in (None, _step_now()) else None
    return change


def show_change(number: int) -> None:
    """Show the part of a long comparison around one of its changes."""
    _keep_steps()
    st.session_state.change = number


def _keep_steps() -> None:
    """What is chosen of another comparison belongs to that one."""
    state, now = st.session_state, _step_now()
    if state.get("step_of") not in (None, now):
        for key, at_first in STEP.items():
            state[key] = at_first
    state.step_of = now


def _step_now() -> tuple[object, ...]:
    """What the steps that are shown follow from."""
    state = st.session_state
    metric = state.get("metric") or link.FIRST_METRIC
    return (*slots.compared(), state.get("references"), text_settings(), metric, metric_settings(metric))


# ---------------------------------------------------------------- settings and results


def text_settings() -> TextSettings:
    """How texts are processed."""
    settings = controls.read("text", TextSettings)
    assert isinstance(settings, TextSettings)
    return settings


def metric_settings(key: str) -> Settings:
    """The settings of a metric."""
    return controls.read(key, metrics.METRICS[key].Settings)


def signatures(references: int) -> dict[str, str]:
    """The signature of every metric's scores on texts with so many references, by the settings in use."""
    text = text_settings().signature()
    return {key: signature(key, metric_settings(key), text, references) for key in metrics.METRICS}


def score(key: str, texts: Texts) -> Result | Problem:
    """The result of a metric on texts, by the settings in use."""
    return cache.score(key, texts.segment, metric_settings(key))


def glances(texts: Texts) -> dict[str, Glance | Problem]:
    """What every metric's tile shows of texts, by the settings in use."""
    return {key: cache.glance(key, texts.segment, metric_settings(key)) for key in metrics.METRICS}


def keep_in_address(page: str | None = None) -> None:
    """Make the address of what the page shows, so that a reload or a copied address brings it back; the browser writes
    it where `address.show` stands. What is too long for it is kept in the browser, under a name in the address."""
    state, shown = st.session_state, workspace(page)
    query, table = link.to_query(shown), _table_to_keep()
    document, too_long = None, link.link(shown) is None
    if too_long or table:
        document = link.to_document(shown, {"table": table} if table else {})
        name = hashlib.sha256(document.encode()).hexdigest()[:12]
        query = {**link.to_query(link.without(shown, link.TEXTS)), link.KEPT: name}
    state.address, state.kept = query, document
    state.place = _key({**link.to_query(link.without(shown, (*link.TEXTS, *link.LOOKS))), "load": str(state.load)})
    state.visited[_key(query)] = state.load
    for old in list(state.visited)[:-VISITED_MOST]:
        del state.visited[old]


def too_long() -> bool:
    """Whether the texts have just become too long for a link, which is to be said once."""
    state = st.session_state
    if link.link(workspace()) is not None or state.get("said_too_long"):
        return False
    state.said_too_long = True
    return True


def _table_to_keep() -> dict[str, object] | None:
    """The translation table in use, if it is small enough for a browser to keep."""
    table = similarity.current()[1]
    if not isinstance(table, TranslationTable) or len(table) > TABLE_MOST:
        return None
    return saved_table(table)


def saved_table(table: TranslationTable) -> dict[str, object]:
    """A translation table as files hold it."""
    return {"name": table.name, "lines": list(table.lines())}
