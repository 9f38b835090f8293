"""The pages' state in Streamlit's session: taken from a link, a file or an example, and kept in the address bar.

The Sentence page has a `candidate`. The Compare page has two to eight systems in numbered slots: `system_0` … are their
texts, `name_0` … their names, `systems` is how many slots are in use, `side_a` and `side_b` are the slots shown as A
and B, `compare_view` is its view. Both share `references`, `metric` and all settings. `page` is the one that is open.
The what-if text is `whatif`, copied from slot `whatif_of` (None while there is none); `whatif_past` are former ones.

A text area's value is written only when something is loaded, swapped, removed or undone. What is typed on a page stays
while the other page is open; untouched examples give way, so that no page shows texts beside another's references.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import streamlit as st

import metrics
from metrics.text import TextSettings
from metrics.types import Result, Settings, signature
from viz.draw.texts import Texts
from viz.state import cache, codec, controls, link, similarity
from viz.state.cache import Glance, Problem
from viz.state.examples import EXAMPLES, PAIRS, Example, Pair
from viz.state.link import Compare, Page, Sentence

PAST_MOST = 100  # former what-if texts that can be brought back


def start(page: str = "sentence") -> None:
    """Make a page's state ready, before its widgets are drawn: once a session from the link or an example, then when
    the page is opened from the other one. A link or a file of the other page opens that page."""
    state = st.session_state
    if "started" not in state:
        state.started = True
        _open_address({name: st.query_params[name] for name in st.query_params}, page)
    wanted = state.pop("wanted", page)
    if wanted != page:
        st.switch_page(f"viz/pages/{wanted}.py")
    if state.get("page") != page:
        state.page = page
        _carry_over()
        if enter := {"sentence": _enter_sentence, "compare": _enter_compare}.get(page):
            enter()


def _open_address(query: dict[str, str], page: str) -> None:
    """What a session starts with: what its link holds, or on the Sentence page an example."""
    shown, problems = link.from_query(query)
    if not link.known(query):
        if page == "sentence":
            load(EXAMPLES[0])
            st.session_state.example = EXAMPLES[0].name
        st.session_state.problems = link.page_of(query)[1]
        return
    restore(shown, problems)
    if query.get("page") == shown.page or isinstance(shown, Compare):
        st.session_state.wanted = shown.page
    elif page == "compare" and not st.session_state.candidate:
        del st.session_state["candidate"]  # the link left it to the page, which makes A of a candidate


# ---------------------------------------------------------------- from one page to the other


def _carry_over() -> None:
    """Write every value of the former page's widgets again, before the new page draws its own.

    Streamlit 1.67 keeps a value across pages (`persist_state`) only if its widget was drawn in two runs; after one, a
    widget of the same key on the next page would start empty.
    """
    state = st.session_state
    controls.keep()
    keys = ["whatif", *(f.key for page in link.PAGES.values() for f in codec.fields(page) if f.kind.plain)]
    keys += [key(slot) for slot in range(link.SYSTEMS_MOST) for key in (_name, _text)]
    for key in keys:
        if key in state:
            state[key] = state[key]


def _enter_sentence() -> None:
    """A is the candidate where there is none yet, or where its example's references were replaced by a pair's."""
    state = st.session_state
    if "candidate" not in state or _lost_its_references(state.candidate):
        state.candidate = state[_text(sides()[0])]
    state.setdefault("view", "metric")
    state.setdefault("other", link.FIRST_OTHER)


def _lost_its_references(candidate: str) -> bool:
    return (
        (any(candidate == e.candidate for e in EXAMPLES) or any(candidate == p.a for p in PAIRS))
        and _example() is None
        and any(st.session_state.references == p.references for p in PAIRS)
        and all(candidate != text for _, text in systems())
    )


def _enter_compare() -> None:
    """What was typed on the Sentence page is A, an untouched example gives way to a pair; systems once there stay,
    unless they are an untouched pair whose references the Sentence page has replaced."""
    state = st.session_state
    candidate, references = state.get("candidate") or "", state.get("references") or ""
    example, pair = _example(), PAIRS[0]
    if "systems" in state:
        untouched = next((p for p in PAIRS if p.systems == systems()), None)
        if not untouched or references == untouched.references or not candidate.strip() or candidate == untouched.a:
            return
        pair = untouched
    if example is None and (candidate + references).strip():
        _put_systems([("", candidate), ("", "")])
        return
    if "metric" not in state:
        state.metric = pair.metric
    if pair.text or (example and (example.text or example.settings)):
        new = _of_pair(pair)
        controls.restore(new.text, new.settings)  # settings that belong to an example leave with it, others stay
    state.references, state.pair = pair.references, pair.name
    _put_systems(pair.systems)


def _example() -> Example | None:
    """The example that the Sentence page shows untouched."""
    state = st.session_state
    shown = state.get("candidate"), state.get("references")
    return next((e for e in EXAMPLES if (e.candidate, e.references) == shown), None)


# ---------------------------------------------------------------- links, files, examples


def restore(shown: Page, problems: list[str], table: object = None) -> None:
    """Put what a page shows into the session, before its widgets are drawn, and have `start` open the page; `problems`
    are shown once. What only other pages have is kept."""
    state = st.session_state
    if state.get("page") not in (None, shown.page):
        state.wanted = shown.page
    for f in codec.fields(type(shown)):
        if f.kind.plain and f.key != similarity.KIND:
            value = getattr(shown, f.name)
            state[f.key] = link.sendable(value) if isinstance(value, str) else value
    if isinstance(shown, Compare) and shown.systems:
        _put_systems(shown.systems, shown.sides)
    controls.restore(shown.text, shown.settings)
    try:
        similarity.restore(shown.similarity, table)
    except ValueError as error:
        problems = [*problems, f"The word similarity is not used: {error}."]
    state.problems = problems
    if isinstance(shown, Sentence):
        state.look_of = _look_now()


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
        compare=st.session_state.get("compare_view") or "difference",
    )


def workspace(page: str | None = None) -> Page:
    """What a page shows, by the session; None is the page that is open."""
    record = link.PAGES[page or st.session_state.get("page") or "sentence"]
    changed = {key: codec.changed(metric_settings(key)) for key in metrics.METRICS}
    given: dict[str, Any] = {f.name: _held(f) for f in codec.fields(record) if f.kind.plain}
    given |= {"text": text_settings(), "settings": {key: values for key, values in changed.items() if values}}
    if record is Compare:
        given |= {"systems": systems(), "sides": sides()}
    return record(**given)


def _held(field: codec.Field) -> Any:
    """The session's value of a field, its default where there is none or none that a link can hold.

    Where a field leaves it to the view what is shown at first, the view says under `KEY_first` what that is.
    """
    state = st.session_state
    value = state.get(field.key)
    if value is None or not field.kind.admits(field.parameter, value) or (field.key in LOOK and not _has_look()):
        return field.default
    return field.default if field.default is None and value == state.get(f"{field.key}_first") else value


# ---------------------------------------------------------------- what is looked at in a result


LOOK = {"term": None, "rounds": None, "tie": 0}  # keys of what belongs to one result, and how it is at first


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
    """Keep the address bar at the page's state, so that a reload or a copied address brings it back."""
    current = workspace(page)
    query = link.to_query(current) if link.link(current) else {}
    if dict(st.query_params) != query:
        st.query_params.from_dict(query)


# ---------------------------------------------------------------- systems


def _text(slot: int) -> str:
    return f"system_{slot}"


def _name(slot: int) -> str:
    return f"name_{slot}"


def systems() -> tuple[tuple[str, str], ...]:
    """The systems in use as pairs of name and text; one whose name is blank has its slot's letter."""
    state = st.session_state
    return tuple([(_own_name(slot) or link.default_name(slot), state.get(_text(slot)) or "") for slot in _slots()])


def sides() -> tuple[int, int]:
    """The slots of A and B."""
    return st.session_state.get("side_a", 0), st.session_state.get("side_b", 1)


def _slots() -> range:
    return range(st.session_state.get("systems", 0))


def _own_name(slot: int) -> str:
    """The name that a system was given, "" where it is its slot's letter."""
    name: str = (st.session_state.get(_name(slot)) or "")[: link.NAME_MOST]
    return name if name.strip() and name != link.default_name(slot) else ""


def _put(slot: int, name: str, text: str) -> None:
    state = st.session_state
    state[_name(slot)] = link.sendable(name[: link.NAME_MOST]) or link.default_name(slot)
    state[_text(slot)] = link.sendable(text)


def _put_systems(given: Sequence[tuple[str, str]], ab: tuple[int, int] = (0, 1)) -> None:
    """Two to eight systems in the place of those that were there, and no what-if."""
    state = st.session_state
    for slot in range(link.SYSTEMS_MOST):
        _put(slot, *(given[slot] if slot < len(given) else ("", "")))
    state.systems = len(given)
    state.side_a, state.side_b = ab
    state.whatif, state.whatif_of, state.whatif_now, state.whatif_past = "", None, "", ()


def _move(slots: Sequence[int]) -> None:
    """Put the systems into another order: slot n gets the one of slots[n]; those not named are gone, their what-if
    belongs to A from now on. Given names go along, a slot's letter stays."""
    state = st.session_state
    moved = [(_own_name(slot), state.get(_text(slot)) or "") for slot in slots]
    for slot in _slots():
        _put(slot, *(moved[slot] if slot < len(moved) else ("", "")))
    state.systems = len(moved)
    place = {old: new for new, old in enumerate(slots)}
    if state.whatif_of is not None:
        state.whatif_of = place.get(state.whatif_of, state.side_a)
    state.whatif_past = tuple([(place.get(of, state.side_a), text) for of, text in state.whatif_past])


def swap() -> None:
    """A and B change places, texts and given names."""
    order = list(_slots())
    a, b = sides()
    order[a], order[b] = order[b], order[a]
    _move(order)


def add_system(name: str = "", text: str = "") -> int | None:
    """Add a system; its slot, or None if eight are there already."""
    state = st.session_state
    slot: int = state.systems
    if slot == link.SYSTEMS_MOST:
        return None
    _put(slot, name, text)
    state.systems = slot + 1
    return slot


def remove_system(slot: int) -> None:
    """Remove a system unless only two are left; later ones move up. If it was A or B, the first free one takes over."""
    state = st.session_state
    if state.systems <= link.SYSTEMS_LEAST or slot not in _slots():
        return
    order = [s for s in _slots() if s != slot]
    a, b = sides()
    a = a if a != slot else next(s for s in order if s != b)
    b = b if b != slot else next(s for s in order if s != a)
    state.side_a, state.side_b = order.index(a), order.index(b)
    _move(order)


def pick(a: int, b: int) -> None:
    """Choose the slots of A and B. Where both are the same, the one that was not changed takes the other's old slot."""
    assert a in _slots() and b in _slots()
    was_a, was_b = sides()
    if a == b:
        a, b = (a, was_a) if a != was_a else (was_b, b)
    st.session_state.side_a, st.session_state.side_b = a, b


# ---------------------------------------------------------------- what if


def start_whatif(slot: int) -> None:
    """Take a fresh copy of a system's text to change; the text before can be brought back."""
    state = st.session_state
    text = state.get(_text(slot)) or ""
    if state.whatif_of is not None and (state.whatif_of, state.whatif_now) != (slot, text):
        _remember()
    state.whatif_of, state.whatif, state.whatif_now = slot, text, text


def edit_whatif(text: str) -> None:
    """Change the what-if text; the text before can be brought back. For a button, and for what was typed into the text
    area `whatif` (then its value is there already and is not written)."""
    state = st.session_state
    if text == state.whatif_now:
        return
    _remember()
    state.whatif_now = text
    if state.get("whatif") != text:
        state.whatif = text


def undo_whatif() -> None:
    """Bring back the what-if text before the last change, if there was one."""
    state = st.session_state
    if state.whatif_past:
        *past, (state.whatif_of, state.whatif) = state.whatif_past
        state.whatif_now, state.whatif_past = state.whatif, tuple(past)


def _remember() -> None:
    state = st.session_state
    state.whatif_past = (*state.whatif_past, (state.whatif_of, state.whatif_now))[-PAST_MOST:]
