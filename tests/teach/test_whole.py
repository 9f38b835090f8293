"""Questions on a whole segment: numbers, two candidates and why, a sentence of a wanted score."""

from __future__ import annotations

import random
from collections import Counter
from dataclasses import replace

import pytest
from cases import KEYS

import metrics
from metrics.teach import exercises, typed, whole
from metrics.types import Segment

SEEDS = (1, 2, 3)


def exercises_of(key):
    return [metrics.exercise(key, seed, level) for level in exercises.LEVELS for seed in SEEDS]


# ---------------------------------------------------------------- parts


@pytest.mark.parametrize("key", KEYS)
def test_parts_are_asked_and_judged(key):
    for e in exercises_of(key):
        result = metrics.METRICS[key].score(e.segment, e.settings)
        first, *parts, which = metrics.whole_questions(e)
        assert first == e.question and which.kind == "choice" and parts
        for question in parts:
            value = question.values[0].number
            values = (*result.parts.values(), result.stats.get("recall_match"))
            assert value in (*values, result.parts.get("substitutions", 0) + _id(result)), question
            assert metrics.judge_number(question, question.shows).how == "right", question.text
            assert metrics.judge(question, f"{value:.5f}").how == "right"
            assert metrics.judge(question, "rubbish").because.startswith("“rubbish” is no number")
            for slip in question.values[1:]:
                assert metrics.judge_number(question, f"{slip.number:.7f}").how == "no", (question.text, slip)


def _id(result):
    return result.parts.get("insertions", 0) + result.parts.get("deletions", 0)


#: What is asked of a part, for the number that it has against one reference, by the part that this decides.
OF_ONE = {"For P, ": "precision", "For R, ": "recall", "Against the reference that counts, ": "score"}


@pytest.mark.parametrize("key", KEYS)
def test_a_part_of_one_of_several_references_has_one_answer(key):
    """Every reference that could be the one that counts gives the number, and the answer names it."""
    metric = metrics.METRICS[key]
    for seed in range(1, 41):
        e = metrics.exercise(key, seed, 3)
        if len(e.segment.references) == 1:
            continue
        result = metric.score(e.segment, e.settings)
        alone = [metric.score(Segment(e.segment.candidate, (r,)), e.settings) for r in e.segment.references]
        for question in whole.part_questions(metric, result):
            begins = next((begins for begins in OF_ONE if question.text.startswith(begins)), None)
            says = question.values[0].verdict.because
            if begins is None:
                assert "longest common" not in question.text and "WLCS" not in question.text, e.code
                assert "score" not in result.decides and "against" not in says, (e.code, question.text)
                continue
            plain = question.text.removeprefix(begins).casefold()
            parts, asked = whole_parts(result), metric.plans().asked
            (name,) = [n for n, part in asked.items() if part.asks.casefold() == plain and n in parts]
            of = OF_ONE[begins]
            ranks = [other.score if of == "score" else other.parts[of] for other in alone]
            best = max(ranks) if metric.higher_is_better else min(ranks)
            counts = [k for k, rank in enumerate(ranks) if abs(rank - best) < 1e-9]
            if key == "ter":  # by the edits: its length is the mean of all
                counts = [k for k, other in enumerate(alone) if other.parts["edits"] == result.parts["edits"]]
            for k in counts:
                assert abs(whole_parts(alone[k])[name] - question.values[0].number) < 1e-9, (e.code, question.text)
            assert any(f"reference {k + 1} = " in says or f"CS{'₁₂'[k]} = " in says for k in counts), says


def whole_parts(result):
    if result.metric == "wer":
        return {"edits": result.parts["substitutions"] + _id(result)}
    return result.parts


def test_the_count_of_p_and_the_count_of_r_are_asked_apart():
    metric = metrics.METRICS["rouge_w"]
    e = metrics.exercise_of("rouge_w-3-6")
    found = {
        q.text: q.values[0].verdict.because for q in whole.part_questions(metric, metric.score(e.segment, e.settings))
    }
    assert found["For P, what is WLCS, the sum of the runs' weights?"] == "Right: WLCS₁ = 7.8986."  # 5^1.2 + 1
    assert found["For R, what is WLCS, the sum of the runs' weights?"] == "Right: WLCS₂ = 5.7372."  # 3^1.2 + 2
    assert found["What is R, the recall?"].startswith("Right: R = (WLCS₂/")


def test_a_part_is_left_out_where_equally_good_references_differ():
    # Both references give WER 1/2, by one edit and by two.
    metric, segment = metrics.METRICS["wer"], Segment(tuple("ab"), (tuple("ax"), tuple("abcd")))
    assert not whole.part_questions(metric, metric.score(segment, metrics.settings("wer")))
    # Both give R = 1/2 in ROUGE-L, with an LCS of 1 word and of 2; P is better against the second.
    metric, segment = metrics.METRICS["rouge_l"], Segment(tuple("abz"), (tuple("ax"), tuple("abcd")))
    asked = [q.text for q in whole.part_questions(metric, metric.score(segment, metrics.settings("rouge_l")))]
    assert [text[:5] for text in asked] == ["What ", "What ", "For P"]


# ---------------------------------------------------------------- which of two, and why


def readings(result):
    """The facts that reasons are made of, each with its number in every fair reading, found anew and slowly."""
    candidate, references = result.segment
    in_any = [word for reference in references for word in reference]
    counts = []
    for words in (*references, in_any):
        counts += [len([w for w in candidate if w in words]), len([w for w in {*candidate} if w in words])]
    clipped = []
    for words in (*references, in_any):
        free = [*words]
        for word in candidate:
            if word in free:
                free.remove(word)
        clipped.append(len(words) - len(free))
    most = sum(min(candidate.count(w), max(r.count(w) for r in references)) for w in {*candidate})
    counts += [*clipped, max(clipped[:-1]), most, result.stats["matches"] if result.metric == "meteor" else 0]
    spans = [(i, end) for i in range(len(candidate)) for end in range(i + 1, len(candidate) + 1)]
    runs = []
    for r in references:
        same = [candidate[i:end] in [r[j : j + end - i] for j in range(len(r))] for i, end in spans]
        runs.append(max([end - i for (i, end), found in zip(spans, same, strict=True) if found], default=0))
    for words in (*references, in_any):
        runs.append(max([end - i for i, end in spans if all(w in words for w in candidate[i:end])], default=0))
    drawn = [m.length for layer in result.layers for m in layer.marks if type(m).__name__ == "Run"]
    return {
        "it has more words that are in a reference": counts,
        "its longest run of a reference's words is longer": [
            *runs,
            max(runs[: len(references)]),
            max(drawn, default=0),
        ],
        "it is longer, counted in words": [len(candidate)],
        "it is shorter, counted in words": [-len(candidate)],
    }


def mean_run(result):
    lengths = [m.length for layer in result.layers for m in layer.marks if hasattr(m, "length")]
    return sum(length**2 for length in lengths) / max(sum(lengths), 1)


def marks(result):
    return sum(len(layer.marks) for layer in result.layers)


#: What must be more where a right reason says that it is.
SAID = {
    "more of its matching words count": lambda result: len({cell.i for cell in result.cells()}),
    "more of its n-grams match": marks,
    "more of its pairs match": marks,
    "its matches stand in longer runs": mean_run,
    "it has fewer chunks": lambda result: -result.parts["chunks"],
    "it has fewer discordant pairs": lambda result: -result.stats["discordant"],
    "its length helps it most: it is longer": lambda result: len(result.segment.candidate),
    "its length helps it most: it is shorter": lambda result: -len(result.segment.candidate),
}


def check_choice(metric, a, b, question):
    """One answer names the better candidate with what the ledger says; every other one is false."""
    better = "A" if (a.score > b.score) == metric.higher_is_better else "B"
    sides, facts = {"A": (a, b), "B": (b, a)}, {"A": readings(a), "B": readings(b)}
    assert len({*question.choices}) == len(question.choices) >= 3
    right = [n for n in range(len(question.choices)) if question.verdicts[f"{n}"].how == "right"]
    assert [f"{n}" for n in right] == [question.shows]
    assert metrics.judge(question, question.shows).how == "right"
    for number, choice in enumerate(question.choices):
        who, _, reason = choice.partition(": because ")
        own, other = facts[who].get(reason), facts["B" if who == "A" else "A"].get(reason)
        if number in right:
            assert who == better and own is None, choice
            if reason in SAID:
                more, less = map(SAID[reason], sides[who])
                assert more > less, choice
        else:
            assert own is not None, choice
            if who == better:  # false however it is read
                assert all(x <= y + 1e-9 for x, y in zip(own, other, strict=True)), choice


@pytest.mark.parametrize("key", KEYS)
def test_wrong_reasons_are_false_for_the_pair(key):
    metric, rng = metrics.METRICS[key], random.Random(key)
    pairs = []
    for e in exercises_of(key):
        pairs.append(
            [metric.score(e.segment._replace(candidate=c), e.settings) for c in (e.segment.candidate, e.other)]
        )
    for _ in range(12):
        words = [tuple(rng.choices("abcdef", k=rng.randint(1, 8))) for _ in range(4)]
        settings = metric.Settings(**metric.plans().levels[0][0].given)
        pairs.append([metric.score(Segment(c, tuple(words[2:])), settings) for c in words[:2]])
    asked = 0
    for a, b in pairs:
        question = whole.compare(metric, a, b)
        if question is None:
            continue
        asked += 1
        check_choice(metric, a, b, question)
        again = whole.compare(metric, b, a)
        assert again is not None
        check_choice(metric, b, a, again)
    assert asked >= 15


@pytest.mark.parametrize("key", KEYS)
def test_wrong_reasons_of_exercises_are_false_however_they_are_read(key):
    metric, refused = metrics.METRICS[key], Counter()
    for level in exercises.LEVELS:
        for seed in range(1, 61):
            e = metrics.exercise(key, seed, level)
            a, b = (metric.score(e.segment._replace(candidate=c), e.settings) for c in (e.segment.candidate, e.other))
            question = whole.compare(metric, a, b)
            check_choice(metric, a, b, question)
            better, facts = question.choices[int(question.shows)][0], [*readings(a)]
            refused.update([c[11:] for c in question.choices if c[0] == better and c[11:] in facts])
    assert all(refused[fact] >= 5 for fact in facts[:2]), refused  # where they are false


@pytest.mark.parametrize("code", ["gtm-3-86", "gtm-3-49", "rouge_l-2-38", "gtm-2-42", "sia-2-35"])
def test_a_reason_that_can_be_read_as_true_is_not_refused(code):
    question = metrics.which_question(metrics.exercise_of(code))
    better = question.choices[int(question.shows)][0]
    assert f"{better}: because it has more words that are in a reference" not in question.choices


def test_equal_scores_are_not_compared():
    metric = metrics.METRICS["per"]
    a, b = (metrics.score("per", words.split(), ["the cat sat".split()]) for words in ("the cat", "cat the"))
    assert whole.compare(metric, a, b) is None


# ---------------------------------------------------------------- a sentence


@pytest.mark.parametrize("key", KEYS)
def test_sentences_are_judged_by_the_core(key):
    rng = random.Random(key)
    for e in exercises_of(key):
        task = metrics.sentence_task(e)
        shown = metrics.judge_sentence(task, " ".join(task.shows))
        assert shown.how == "right"
        words = [word for reference in e.segment.references for word in reference]
        texts = [" ".join(e.segment.candidate), *[" ".join(r) for r in e.segment.references], "nothing like it"]
        texts += [" ".join(rng.choices(words, k=rng.randint(1, 10))) for _ in range(4)]
        for text in texts:
            score = metrics.METRICS[key].score(e.segment._replace(candidate=tuple(text.split())), e.settings).score
            verdict = metrics.judge_sentence(task, text)
            assert (verdict.how == "no") == (abs(score - task.wanted) >= 1e-9), (e.code, text)
            if verdict.how == "no":
                side = "too high" if score > task.wanted else "too low"
                assert side in verdict.because and verdict.because.endswith("."), verdict


def test_a_sentence_of_the_same_score_is_also_right():
    task = whole.Task("per", (tuple("abc"),), metrics.settings("per"), 1 / 3, tuple("ab"), "")
    verdicts = [metrics.judge_sentence(task, text).how for text in ("a b", "b a", "a b x", "a", "a b c")]
    assert verdicts == ["right", "also", "also", "no", "no"]


def test_a_score_that_is_printed_rounded_is_met_by_its_equal_alone():
    task = whole.Task("per", (tuple("abc"),), metrics.settings("per"), 1 / 3, tuple("ab"), "")
    said = "Right: this scores exactly 0.3333 (rounded)."
    assert metrics.judge_sentence(task, "a b").because == said
    for near in (1e-5, 1e-4):  # the same when it is printed; another number
        assert metrics.judge_sentence(replace(task, wanted=1 / 3 + near), "a b").how == "no"


@pytest.mark.parametrize("text", ["", "  \n ", "a " * 31, "a" * 401])
def test_a_sentence_that_cannot_be_judged_is_refused(text):
    task = metrics.sentence_task(metrics.exercise("gtm", 1))
    with pytest.raises(ValueError, match=r"^[A-Z][^\n]{10,80}\.$"):
        metrics.judge_sentence(task, text)


# ---------------------------------------------------------------- numbers as they are typed

READ = {
    "0.375": (0.375, 0.001),
    "0,375": (0.375, 0.001),
    ".5": (0.5, 0.1),
    " 3 / 8 ": (0.375, 0),
    "37.5 %": (0.375, 0.001),
    "37,5%": (0.375, 0.001),
    "−0.25": (-0.25, 0.01),
    "3⁄8": (0.375, 0),
    "√16/8": (0.5, 0),
    "2√4·3": (12, 0),
    "√(1/4)": (0.5, 0),
    "sqrt(16)/8": (0.5, 0),
    "１.５": (1.5, 0.1),
    "7": (7, 1),
    "0": (0, 1),
    "1e5": (100_000, 100_000),
    "6.67e-4": (0.000667, 1e-6),
    "21/7": (3, 0),
}


@pytest.mark.parametrize("text", READ)
def test_numbers_are_read(text):
    value, unit = READ[text]
    found = typed.read(text)
    assert found.value == pytest.approx(value) and found.unit == pytest.approx(unit)


@pytest.mark.parametrize(
    "text",
    [
        *(
            "",
            " ",
            "two",
            "1e",
            "e5",
            "1e9999",
            "1e400",
            "0y10",
            "nan",
            "inf",
            "1/0",
            "0/0",
            "√",
            "√-1",
            "1//2",
            "/2",
            "2/",
            "1.2.3",
            "1,000.5",
        ),
        *(
            "%",
            "--1",
            "1%%",
            "0.5^",
            "(1",
            "1)",
            "()",
            "__import__('os')",
            "9" * 101,
            "√(1/0)",
            "1\x00",
            "½2",
            "1/2√3",
            "log(2)",
            "\ud800",
        ),
    ],
)
def test_rubbish_is_refused_in_one_sentence(text):
    with pytest.raises(ValueError, match=r"^[^\n]{10,160}\.$"):
        typed.read(text)


def test_what_fits_a_value():
    third = 2 / 3
    for text in ("2/3", "0.67", "0.66", "0,667", "0.666", "66.67 %", "66.7%", "4/6", "0.6667"):
        assert typed.fits(typed.read(text), third), text
    for text in ("0.7", "0.6", "0.65", "0.68", "0.665", "0.668", "1", "-0.67", "67", "0.66700", "2/4"):
        assert not typed.fits(typed.read(text), third), text
    assert typed.fits(typed.read("0.5"), 0.5) and not typed.fits(typed.read("0.5"), 0.5004)
    assert typed.too_coarse(typed.read("0.7"), third) and not typed.too_coarse(typed.read("0.71"), third)
