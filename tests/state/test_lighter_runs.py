"""Tests that the patches which make runs cheaper change neither the values of a session nor the order of messages."""

from __future__ import annotations

import threading

import pytest
import streamlit as st
from streamlit.runtime.app_session import AppSession
from streamlit.testing.v1 import AppTest

from viz.components import lighter_runs
from viz.components.lighter_runs import CallBatch, SessionValues


def test_calls_are_made_in_their_order_and_wake_the_loop_once():
    batch, made = CallBatch(), []
    assert [batch.add(lambda n=n: made.append(n)) for n in range(5)] == [True, False, False, False, False]
    batch.make_calls(pytest.fail)
    assert made == [0, 1, 2, 3, 4]
    batch.make_calls(pytest.fail)
    assert batch.add(lambda: made.append(5)) and made == [0, 1, 2, 3, 4]


def test_a_call_that_fails_keeps_none_from_being_made():
    batch, made, errors = CallBatch(), [], []
    for call in (lambda: made.append(1), lambda: 1 // 0, lambda: made.append(2)):
        batch.add(call)
    batch.make_calls(errors.append)
    assert made == [1, 2] and [type(error) for error in errors] == [ZeroDivisionError]


def test_no_call_of_many_threads_is_lost():
    batch, made, woken = CallBatch(), [], threading.Event()
    each, number = 8, 2000

    def add_calls(thread: int) -> None:
        for n in range(number):
            if batch.add(lambda n=n: made.append((thread, n))):
                woken.set()

    threads = [threading.Thread(target=add_calls, args=(thread,)) for thread in range(each)]
    for thread in threads:
        thread.start()
    while any(thread.is_alive() for thread in threads) or woken.is_set():
        if woken.is_set():
            woken.clear()
            batch.make_calls(pytest.fail)
    assert len(made) == each * number
    assert all([n for of, n in made if of == thread] == [*range(number)] for thread in range(each))


def _script() -> None:
    """Draw widgets with a value, without one and with None, and write what the session is said to hold."""
    import streamlit as st
    from streamlit.runtime.state.session_state_proxy import get_session_state

    from viz.components import lighter_runs

    lighter_runs.patch_streamlit()
    st.session_state.setdefault("none", None)
    st.session_state.setdefault("own", [1])
    st.text_area("typed", key="typed", value="a")
    st.text_area("cleared", key="none")
    st.text_area("without a key")
    st.selectbox("chosen", ["x", "y"], key="chosen")
    values, copy = get_session_state().filtered_state, st.session_state.to_dict()
    expected = get_session_state()._state.filtered_state  # as Streamlit itself finds them
    st.session_state["seen"] = (
        type(values).__name__,
        dict(values) == copy == expected and len(values) == len(copy) and {*values} == {*copy},
        all(values[key] == copy[key] and key in values for key in copy),
        [key in values for key in ("other", 1, "$$ID-x-typed")],
        sorted({"typed", "none", "own", "chosen"} - {*copy}),
        copy["none"],
    )


def test_a_session_holds_the_same_values_as_before():
    at = AppTest.from_function(_script).run()
    assert not at.exception
    assert at.session_state["seen"] == (SessionValues.__name__, True, True, [False, False, False], [], None)
    at.text_area[0].input("b").run()
    assert at.session_state["typed"] == "b" and at.session_state["seen"][1:3] == (True, True)


def test_the_patches_are_applied_once():
    lighter_runs.patch_streamlit()
    before = AppSession._call_soon_on_event_loop, type(st.session_state).to_dict
    lighter_runs.patch_streamlit()
    assert before == (AppSession._call_soon_on_event_loop, type(st.session_state).to_dict)
