"""Tests that a wrong argument gives one sentence that says what was expected and what was given."""

import re

import pytest

import metrics

EXERCISE = metrics.exercise("rouge_l", 7)
TASK = metrics.sentence_task(EXERCISE)
RESULT = metrics.score("gtm", ["a"], [["a"]])
PICTURE = next(q for _, q in metrics.ask("gtm", ["a", "b"], [["b", "a"]]) if q and not q.values)
CHOICE = metrics.which_question(EXERCISE)
NUMBER = EXERCISE.question

#: Values of every kind that somebody may pass by mistake.
ANYTHING = (None, "gtm", "", 3, 0.5, True, b"3/8", [], ["3/8"], (), {}, {"key": "gtm"}, object(), metrics, RESULT)
QUESTIONS, EXERCISES, TASKS = (PICTURE, CHOICE, NUMBER), (EXERCISE,), (TASK,)
OTHER = {
    "question": (*ANYTHING, *EXERCISES, *TASKS),
    "number": (*ANYTHING, *EXERCISES, *TASKS, PICTURE, CHOICE),
    "exercise": (*ANYTHING, *QUESTIONS, *TASKS),
    "task": (*ANYTHING, *QUESTIONS, *EXERCISES),
    "text": (*[a for a in ANYTHING if not isinstance(a, str)], *QUESTIONS, *EXERCISES, *TASKS),
    "keys": (None, "gtm", b"gtm", 3, 0.5, True, object(), RESULT, *QUESTIONS, *EXERCISES, *TASKS),
}
CALLS = {
    "judge": (metrics.judge, {"question": NUMBER, "text": "1"}),
    "judge_number": (metrics.judge_number, {"number": NUMBER, "text": "1"}),
    "judge_sentence": (metrics.judge_sentence, {"task": TASK, "text": "a"}),
    "which_question": (metrics.which_question, {"exercise": EXERCISE}),
    "whole_questions": (metrics.whole_questions, {"exercise": EXERCISE}),
    "sentence_task": (metrics.sentence_task, {"exercise": EXERCISE}),
    "sentence_tiles": (metrics.sentence_tiles, {"task": TASK}),
    "exercise_of": (metrics.exercise_of, {"text": EXERCISE.code}),
    "sheet": (metrics.sheet, {"keys": ["gtm"]}),
}
WRONG = [
    pytest.param(call, [*right], place, wrong, id=f"{name}-{place}-{n}")
    for name, (call, right) in CALLS.items()
    for place in right
    for n, wrong in enumerate(OTHER[place])
]


@pytest.mark.parametrize(("call", "right"), CALLS.values(), ids=[*CALLS])
def test_right_arguments_are_taken(call, right):
    assert call(*right.values())


@pytest.mark.parametrize(("call", "places", "place", "wrong"), WRONG)
def test_a_wrong_argument_is_a_type_error_in_one_sentence(call, places, place, wrong):
    right = next(right for made, right in CALLS.values() if made == call)
    with pytest.raises(TypeError) as error:
        call(*[wrong if name == place else right[name] for name in places])
    said = str(error.value)
    got = wrong.kind if place == "number" and wrong in QUESTIONS else type(wrong).__name__
    assert re.fullmatch(rf"[a-z][^.\n]* must [^.\n]+, got (one whose answer is of the kind )?'?{got}'?", said)


@pytest.mark.parametrize("wrong", [None, 3, "a b", b"a", [1], [None], RESULT, ["a", None]])
def test_ask_takes_what_score_takes(wrong):
    """Check that `ask`, `trace` and `score` reject a wrong argument with the same sentence, at the call itself."""
    for ask in (metrics.ask, metrics.trace, metrics.score):
        with pytest.raises(TypeError, match="candidate must "):
            ask("gtm", wrong, [["a"]])
        with pytest.raises(TypeError, match=r"reference.* must "):
            ask("gtm", ["a"], wrong)
