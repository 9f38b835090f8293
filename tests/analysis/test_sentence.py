"""Test the sentence that says why output B scores differently from output A.

Its numbers equal the ledger's, the words that it quotes come from the texts, and it omits only small shares."""

import math
import re
from collections import Counter

import pytest

import metrics
from metrics.analysis import changes, shares
from metrics.analysis import sentence as sentence_of
from metrics.analysis.cause_wording import SentenceContext, group_parts
from metrics.analysis.deciding_references import tied_references
from metrics.analysis.difference import row_numbers, word_diff
from metrics.analysis.phrases import PhraseTexts
from metrics.analysis.sentence import QuotedWords, difference_sentence, group_by_cause, plain_text
from metrics.types import Edit, signed_text
from tests.helpers import shapley
from tests.helpers.cases import CASES, KEYS, NUMBERS, all_pairs, pairs, parse_number, real_pairs, score_both
from tests.helpers.corpora import SYSTEMS, load_token_lines
from tests.helpers.tables import every_row

NUMBER = re.compile(r"(?<![\w.])[+−]\d+\.\d+")


def make_sentence_parts(before, after, **given):
    return difference_sentence(metrics.METRICS[before.metric], before, after, **given)


def units_of_last_decimal(number):
    """Return a printed number as an integer that counts units of its last decimal: "0.12" gives 12."""
    return round(float(number.replace("−", "-")) * 10 ** len(number.partition(".")[2]))


def sia_penalty_cancels_length(before, after):
    """Return whether SIA's length penalty n/m cancels the division by the candidate's length n, in both results.

    It does while no candidate is longer than the mean length m of the references."""
    lengths = [len(result.segment.candidate) for result in (before, after)]
    if before.metric != "sia" or not before.settings.length_penalty:
        return False
    return max(lengths) <= before.stats["mean_reference_length"]


def check_sentence(before, after):
    """Return the sentence on two results; assert that its numbers and words agree with ledger, counts and texts."""
    metric, steps = metrics.METRICS[before.metric], metrics.ledger(before, after)
    parts = make_sentence_parts(before, after, steps=steps)
    told = "".join(part.text for part in parts if not part.is_words)
    assert plain_text(parts) == metrics.explain(before, after) and told.endswith(".") and ".." not in told
    change = after.score - before.score
    texts = PhraseTexts(before, after, None)
    named, rest, digits = sentence_of._largest_groups(metric, steps, before, after, texts, 3)
    numbers = NUMBER.findall(re.sub(r"\([^()]*→[^()]*\)", "", told))
    if abs(change) >= 1e-9:
        assert numbers[0] == signed_text(change, digits), "the difference first"
        if "All of" in told:
            assert len(numbers) == len(named) == 1 and not rest
            numbers = [*numbers, *numbers]
    elif numbers:
        numbers.insert(0, "+0." + "0" * digits)
    if numbers:
        total, *each = map(units_of_last_decimal, numbers)
        assert {len(number.partition(".")[2]) for number in numbers} == {digits}
        assert sum(each) == total, "the parts, as they are printed, are the whole, as it is printed"
        assert all(each) and each == [unit for _, unit in named] + [rest] * bool(rest)
    for group, unit in named:
        assert unit * group.share > 0 and abs(unit - group.share * 10**digits) < 1 + 1e-6, "no share is rounded far"
    found = [
        part for group in group_by_cause(steps) for part in sentence_of._split_by_round(group, before, after, texts)
    ]
    assert math.isclose(math.fsum(group.share for group in found), change, abs_tol=1e-12)
    kept = [group.share for group, _ in named]
    counted = [
        group
        for group in found
        if not (sia_penalty_cancels_length(before, after) and group.cause in ("length", "penalty"))
    ]
    left = sorted((abs(group.share) for group in counted), reverse=True)[len(kept) :]
    assert sum(left) <= sum(map(abs, kept)) + 1e-9, "it leaves little out"
    check_word_counts(metric, before, after, steps, parts)
    quotable = [
        " ".join(words) for words in (before.segment.candidate, after.segment.candidate, *before.segment.references)
    ]
    for part in parts:
        if part.is_words:
            assert all(any(piece in text for text in quotable) for piece in part.text.split(" … "))
    return plain_text(parts)


def matched_positions(result):
    """Return the positions of the candidate's matched words.

    Where a metric counts n-grams, only the first layer counts, which has single words."""
    layers = result.layers[:1] if any(layer.pooled for layer in result.layers) else result.layers
    matching = [(mark, cell.i) for layer in layers for mark in layer.marks for cell in mark.cells()]
    return {i for mark, i in matching if not (isinstance(mark, Edit) and mark.op != "match")}


#: A clause on words, such as "three more matched words: “”, but one fewer: “”".
COUNTED_WORDS = re.compile(
    rf"({'|'.join(NUMBERS)}|\d+) (more|fewer) (matched|unmatched) words?"
    r"(?:: [^;.:]*?, but (\w+) (?:more|fewer)(?:, which counts? less)?(?=:))?"
)


def check_word_counts(metric, before, after, steps, parts):
    """Assert that the numbers of words in the sentence and in the ledger agree with the two results.

    More unmatched words must never improve the score."""
    matched = len(matched_positions(after)) - len(matched_positions(before))
    unmatched = len(after.segment.candidate) - len(before.segment.candidate) - matched
    for step in steps:
        if step.cause == "length" and step.unmatched:
            more = step.unmatched[1] - step.unmatched[0]
            assert step.unit == "letter" or more == unmatched
            if abs(step.share) > 1e-12:
                assert ((step.share > 0) == metric.higher_is_better) == (more < 0)
    told = "".join("“”" if part.is_words else part.text for part in parts)
    told = re.sub(r" \((?:“” )?for “”: .*?”\)", "", told)  # why different words match
    for more, way, noun, fewer in COUNTED_WORDS.findall(told):
        change = (parse_number(more) - parse_number(fewer or "no")) * (1 if way == "more" else -1)
        assert change == (unmatched if noun == "unmatched" else matched), plain_text(parts)
    for count in re.findall(r"(\w+) other matched words?: .*, instead of ", told):
        assert matched == 0 < parse_number(count), plain_text(parts)


@pytest.mark.slow
@pytest.mark.parametrize("key", KEYS)
def test_its_numbers_are_the_ledgers_and_it_leaves_little_out(key):
    told = Counter(check_sentence(*score_both(key, *pair)).split(" ")[0] for pair in all_pairs())
    assert told["Of"] + told["All"] > 10


@pytest.mark.slow
@every_row(("key", "given"), CASES)
def test_it_does_so_with_every_setting(key, given):
    for a, b, references in pairs(12, 5):
        check_sentence(*score_both(key, a, b, references, **given))


POLICE = "police killed the gunman"
SENTENCES = [  # metric, A, B, settings, the sentence
    (
        ("gtm", "the gunman kill police", "police killed the big gunman", {}),
        "Of +0.144, +0.114 comes from longer runs, mainly “police killed the”, but shorter ones elsewhere; +0.030 "
        "comes from one more matched word: “killed”.",
    ),
    (("rouge_l", POLICE, POLICE, {}), "A and B are the same, word for word."),
    (
        ("rouge_n", "police x", "police killed x y", {}),
        "Of +0.167, +0.288 comes from one more matched word: “killed”; −0.121 comes from a text two words longer, with "
        "one more unmatched word: “y”.",
    ),
    (("rouge_n", "police x x", "police", {}), "All of +0.114 comes from two fewer unmatched words: “x x”."),
    (
        ("wer", POLICE, "police kill the", {}),
        "All of +0.500, which is worse, comes from two edits more: “kill” and “gunman”.",
    ),
    (
        ("wer", "police kill the", POLICE, {}),
        "All of −0.500, which is better, comes from two edits fewer: “kill” and “gunman”.",
    ),
    (
        ("meteor", "killed the gunman police", POLICE, {"stages": ("exact",)}),
        "All of +0.062 comes from two fewer chunks: “killed the gunman” and “police”, but one more.",
    ),
    (
        ("ribes", "the gunman killed police", POLICE, {}),
        "All of +0.833 comes from five fewer discordant pairs, all with words of “killed police”.",
    ),
    (
        ("per", "police killed", "police killed the x y", {}),
        "Both score 0.500, because the changes cancel out: −0.250 comes from one more matched word: “the”; +0.250 "
        "comes from a text three words longer, with two more unmatched words: “x y”.",
    ),
    # a word that only moved is neither lost nor gained
    (
        ("per", "the x killed police", "police killed the gunman", {}),
        "All of −0.250, which is better, comes from one more matched word: “gunman”.",
    ),
    (
        ("rouge_n", "x killed police", "police killed x gunman", {}),
        "All of +0.179 comes from one more matched word: “gunman”.",
    ),
    # the length that new matches need is counted with the matches
    (
        ("meteor", "police x", "y police killed the gunman", {}),
        "All of +0.836 comes from three more matched words: “killed the gunman”.",
    ),
    (
        ("bleu", "police killed the", POLICE, {"max_order": 1}),
        "All of +0.283 comes from the brevity penalty (0.72 → 1.00, one word longer).",
    ),
    (
        ("bleu", "police killed", "police killed the x", {"max_order": 1}),
        "Of +0.382, +0.553 comes from the brevity penalty (0.37 → 1.00, two words longer); −0.256 comes from a text "
        "two words longer, with one more unmatched word: “x”; +0.085 comes from one more matched word: “the”.",
    ),
    (
        ("nist", "police killed", POLICE, {}),
        "All of +1.736 comes from the brevity penalty (0.13 → 1.00, two words longer).",
    ),
    # the counts equal the number of listed words
    (
        ("wer", "the police shot a gunman", "police killed him the gunman there", {}),
        "All of −0.250, which is better, comes from three edits gone (“the” and “shot a”) and two new (“him” and "
        "“there”).",
    ),
    # What is gained and what is lost are named apart, and no sum is given to a single word.
    (
        ("gtm", "police shot the man", "killed police by force the man", {}),
        "Of −0.007, −0.078 comes from a text two words longer, with two more unmatched words: “by force”, but one "
        "fewer: “shot”; +0.071 comes from one more matched word: “killed”.",
    ),
    (
        ("rouge_n", "police killed x", "the gunman killed", {}),
        "All of +0.286 comes from two more matched words: “the gunman”, but one fewer: “police”.",
    ),
    (
        ("rouge_s", "police kill the gunman", POLICE, {}),
        "All of +0.500 comes from three more matching pairs of words, all with “killed”.",
    ),
    (
        ("meteor", "killed the gunman police", "police killed gunman the", {}),
        "All of −0.148 comes from three more chunks: “police killed”, “gunman” and “the”, but two fewer.",
    ),
    (
        ("sia", "killed police the gunman", "police killed man the", {}),
        "Of −0.008, −0.125 comes from one fewer matched word: “gunman”; +0.062 comes from words that match in an "
        "earlier round: “police”; +0.055 comes from losing less to gaps, mainly before “killed”.",
    ),
    (
        ("nist", "police killed a man", "the police killed gunman", {}),
        "All of +1.000 comes from two more matched words: “the” and “gunman”.",
    ),
    (
        ("chrf", "police shot the gunman", "the police killed gunman", {}),
        "All of +0.201 comes from 24 more matching n-grams in all, mainly at “killed”.",
    ),
    # a shift is one edit, whatever the number of words that it moves
    (
        ("ter", POLICE, "the gunman x police killed", {}),
        "All of +0.500, which is worse, comes from two edits more: “x” and the shift of “the gunman”.",
    ),
    # For equal scores the sentence says what was exchanged.
    (
        ("gtm", "the gunman kill police", "police kill the gunman", {}),
        "Both score 0.559: the same words match, in another order.",
    ),
    (("rouge_n", "police x", "police y", {}), "Both score 0.333: “x” was replaced by “y”, and neither matches."),
    (
        ("rouge_n", "police killed", "the gunman", {}),
        "Both score 0.667: “the gunman” count as much as “police killed”.",
    ),
    (
        ("wer", "police kill the gunman", "police slew the gunman", {}),
        "Both score 0.250: 1 edit each; “kill” was replaced by “slew”, and neither matches.",
    ),
    (
        ("rouge_l", "police x y killed", "police killed", {"beta": 1e6}),
        "Both score 0.500: “x y” are gone and matched nothing.",
    ),
    (("rouge_l", "police", "police y", {"beta": 1e6}), "Both score 0.250: “y” is new and matches nothing."),
    (("rouge_n", "x", "y", {}), "Both score 0.000: no word matches in either."),
    (("rouge_n", "police x", "y the", {"order": 2}), "Both score 0.000: no 2-gram matches in either."),
    (("rouge_s", "police x", "killed y", {}), "Both score 0.000: no pair of words in order matches in either."),
    # A word of the reference can be edited, or not be aligned.
    (("wer", "gunman x y z", "x y z police", {}), "Both score 1.000: every word of both is edited."),
    (("ribes", "killed killed", "killed x killed", {}), "Both score 0.000: no word is aligned in either."),
    (
        ("bleu", "the gunman x", "police killed x", {}),
        "Both score 0.000: no 3-gram matches, which makes the score 0; the smoothing “exp” would count a little for "
        "it.",
    ),
]


@pytest.mark.parametrize(("key", "a", "b", "given", "expected"), [(*case, says) for case, says in SENTENCES])
def test_sentences(key, a, b, given, expected):
    pair = score_both(key, a.split(), b.split(), [POLICE.split()], **given)
    assert metrics.explain(*pair) == expected == check_sentence(*pair)


def test_of_a_word_that_moved_and_came_once_more_one_is_named():
    a, b = "cat on cat on on mat sat".split(), "cat sat sat on mat cat on".split()
    pair = score_both("per", a, b, ["on mat sat big the".split(), "the the on sat big sat mat".split()])
    assert check_sentence(*pair) == "All of −0.143, which is better, comes from one more matched word: “sat”."


def test_the_words_shown_are_quoted():
    pair = score_both("rouge_l", ["police", "x"], ["police", "kill"], [["police", "kill", "men"]])
    shown = QuotedWords(["Police", "X"], ["Police", "Killed"], [["Police", "killed", "men"]])
    quoted = [part.text for part in make_sentence_parts(*pair, quoted_words=shown) if part.is_words]
    assert quoted == ["Killed"] and metrics.explain(*pair).endswith("one more matched word: “kill”.")


def test_what_cannot_be_printed_is_replaced():
    before, after = score_both("gtm", ["a"], ["a", "\x1b[2J\n", "b"], [["a", "\x1b[2J\n", "b"]])
    assert "“a �[2J� b”" in metrics.explain(before, after)


def test_all_of_a_difference_is_what_the_ledger_shows_for_it():
    reference = list("edefffbffeeecaeddbac")
    before, after = score_both("meteor", ["e", "a", *reference[2:]], reference, [reference])
    assert check_sentence(before, after) == (
        "Of +0.051, +0.050 comes from one more matched word: “d”; +0.001 comes from two fewer chunks: "
        "“e f f f … d b a c” and “e”, but one more."
    )


def test_a_missing_word_is_quoted_from_the_reference():
    pair = score_both("wer", ["a", "b"], ["a"], [["a", "b"]])
    shown = QuotedWords(["A", "B"], ["A"], [["A", "Bee"]])
    assert [part.text for part in make_sentence_parts(*pair, quoted_words=shown) if part.is_words] == ["Bee"]


def test_a_long_phrase_is_shortened():
    words = [f"w{n}" for n in range(12)]
    assert "“w0 w1 w2 w3 … w8 w9 w10 w11”" in metrics.explain(*score_both("gtm", [], words, [words]))


def test_a_small_difference_has_the_decimals_that_it_needs():
    words = [f"w{n}" for n in range(2000)]
    told = check_sentence(*score_both("rouge_l", ["x", *words], words, [words]))
    assert told == "All of +0.0002 comes from one fewer unmatched word: “x”."


def test_results_that_cannot_be_compared():
    with pytest.raises(ValueError, match="one metric"):
        metrics.explain(metrics.score("gtm", ["a"], [["a"]]), metrics.score("wer", ["a"], [["a"]]))


# ---------------------------------------------------------------- the metric's own parts


@pytest.mark.slow
@pytest.mark.parametrize("key", ["bleu", "nist", "sia"])
def test_a_penalty_that_moves_the_score_most_is_said_first(key):
    """Check on real pairs that the sentence begins with the length penalty where the penalty changes the score most.

    The score is the product of the penalty and the rest, so the test compares the logarithms of the two."""
    penalty, found = metrics.METRICS[key].length_penalty or "length_penalty", 0
    for a, b, references in real_output_pairs():
        before, after = score_both(key, a, b, references)
        if min(before.score, after.score) <= 0:
            continue
        whole = math.log(after.score / before.score)
        length = math.log(after.parts[penalty] / before.parts[penalty])
        told = metrics.explain(before, after)
        if sia_penalty_cancels_length(before, after):
            assert not ("penalty (" in told and "unmatched" in told)
            if "penalty (" not in told:
                continue
        if abs(length) > 2 * abs(whole - length) and abs(after.score - before.score) > 0.01:
            found += 1
            assert re.search(
                r"(All of|Of) [+−][\d.]+(,| comes from)( [+−][\d.]+ comes from)? the (brevity|length) penalty \(", told
            ), told
        if whole - length < -0.02:
            assert "All of" not in told or "more match" not in told, "what fell is not praised"
    assert found > 3


def real_output_pairs():
    """Yield real pairs of outputs as (a, b, references), in both directions and with one or two references."""
    for a, b, *references in real_pairs():
        yield from ((a, b, references), (a, b, references[:1]), (b, a, references[1:]))


@pytest.mark.slow
@pytest.mark.parametrize("key", KEYS)
def test_more_words_never_give_and_fewer_never_cost(key):
    """Check that the ledger's length step never says that more words improve a score, or that fewer words worsen it.

    Matches that additional words make possible are counted as matches."""
    metric, told = metrics.METRICS[key], 0
    for a, b, references in (*all_pairs(), *pairs(31, 60), *real_output_pairs()):
        for step in metrics.ledger(*score_both(key, a, b, references)):
            if step.cause == "length" and abs(step.share) > 1e-12 and step.after != step.before:
                told += 1
                assert ((step.share > 0) == metric.higher_is_better) == (step.after < step.before), (a, b, references)
    assert told > 20 or key in ("wer", "ter")


@pytest.mark.slow
@pytest.mark.parametrize("key", [key for key in KEYS if metrics.METRICS[key].composition])
def test_a_score_is_made_of_its_values(key):
    """Check that a score is computed from its values, such as precision and penalty, and what each value contributes.

    The shares of the values in a difference are Shapley values. The shares of the steps sum to them, before a step's
    share is limited to what is possible for a score."""
    metric, exact = metrics.METRICS[key], 0
    for a, b, references in real_output_pairs():
        if a == b:
            continue
        before, after = score_both(key, a, b, references)
        made, ends = metric.composition, [metric.composition.values(r.stats, r.settings) for r in (before, after)]
        for values, result in zip(ends, (before, after), strict=True):
            assert math.isclose(made.score(values, before.settings), result.score, rel_tol=1e-12, abs_tol=1e-15)
        names = [*ends[0]]

        def score_of_mixed_values(moved, names=names, ends=ends, settings=before.settings):
            return made.score({name: ends[at in moved][name] for at, name in enumerate(names)}, settings)

        expected = dict(zip(names, shapley.shares(len(names), score_of_mixed_values), strict=True))
        rows = row_numbers(word_diff(before.segment.candidate, after.segment.candidate))
        game = shares.ShapleyGame(metric, before, after, changes.ledger_items(metric, before, after, rows))
        for name, found in zip(game.names, zip(*game.item_shares(), strict=True), strict=True):
            assert math.isclose(math.fsum(found), expected[name], abs_tol=1e-12)
        found = changes.score_part_shares(metric, before, after)
        assert math.isclose(math.fsum(value.share for value in found), after.score - before.score, abs_tol=1e-12)
        exact += all(math.isclose(value.share, expected[value.name], abs_tol=1e-12) for value in found)
        back = {value.name: -value.share for value in changes.score_part_shares(metric, after, before)}
        assert all(math.isclose(value.share, back[value.name], abs_tol=1e-12) for value in found)
    assert exact > 50, "hardly any is cut"


# ---------------------------------------------------------------- references that decide


MONDAY = ["police killed the gunman on monday in the town".split(), "the gunman died".split()]
DECIDED = [
    (
        "wer",
        "A is scored against reference 1 (9 words), B against reference 2 (3 words): 2 edits each. All of +0.444, "
        "which is worse, comes from the shorter reference.",
    ),
    (
        "ter",
        "A is scored against reference 1 (9 words), B against reference 2 (3 words): 2 edits each. Both score 0.333.",
    ),
    (
        "meteor",
        "A is scored against reference 1 (9 words), B against reference 2 (3 words): 7 matched words, and 2. Of ",
    ),
    ("rouge_l", "A has its precision and recall against reference 1 (9 words), B against reference 2 (3 words). Of "),
]


@pytest.mark.parametrize(("key", "expected"), DECIDED)
def test_another_deciding_reference_is_said_first(key, expected):
    a, b = "police shot the gunman on monday in the city".split(), "the gunman was dead".split()
    told = check_sentence(*score_both(key, a, b, MONDAY))
    assert told.startswith(expected) and "another reference" not in told


def test_references_that_tie_are_said_to_tie():
    """Check that the sentence names the tie where reference 2 gives A the same score as the deciding reference."""
    references = [["a", "b", "x"], ["a", "b", "y"]]
    pair = score_both("wer", ["a", "b", "z"], ["a", "b", "y"], references)
    assert [tied_references(metrics.METRICS["wer"], result) for result in pair] == [(0, 1), (1,)]
    assert check_sentence(*pair).startswith(
        "A is scored against reference 1 (3 words, tied with 2), B against reference 2 (3 words): 1 edit, and 0. "
    )


def test_the_reference_of_a_penalty_is_said_where_the_penalty_changes():
    references = [list("abcdefgh"), list("abcd")]
    a, b = list("abcdefg"), list("abc")
    told = check_sentence(*score_both("bleu", a, b, references))
    assert told.startswith("A has its brevity penalty against reference 1 (8 words), B against reference 2 (4 words). ")
    assert not check_sentence(*score_both("bleu", list("abcdefgh"), list("abcdx"), references)).startswith("A has")


# ---------------------------------------------------------------- counts and rounds


@pytest.mark.slow
def test_counts_are_of_the_words_that_are_listed():
    """Check that a number in the sentence equals the number of words listed after it, and is not the net change.

    A shift of TER counts as one, whatever the number of words that it moves."""
    seen = 0
    for key in ("wer", "rouge_n", "gtm", "ter"):
        for a, b, references in real_output_pairs():
            pair = score_both(key, a, b, references)
            parts = make_sentence_parts(*pair)
            for at, part in enumerate(parts):
                new = re.search(r"(\w+) edits? (?:more|fewer): $", part.text)
                new = new or re.search(r"(\w+) (?:more|fewer)(?: (?:un)?matched words?)?: $", part.text)
                new = new or re.search(r"(\w+) (?:new|gone|new edits?|edits? gone) \($", part.text)
                if new and new[1] != "from" and not part.is_words:
                    seen += 1
                    count, end = 0, at + 1
                    while not re.match(r"(, but |; |\)|\.$)", parts[end].text) or parts[end].is_words:
                        text, is_shift = parts[end].text, parts[end - 1].text == "the shift of "
                        shortened = " … " in text and not is_shift
                        count += 100 * shortened + (1 if is_shift else len(text.split())) * parts[end].is_words
                        more = re.fullmatch(r"(?: and )?(\d+) more (?:words?|shifts?)", text)
                        count += int(more[1]) if more and not parts[end].is_words else 0
                        end += 1
                    assert count >= 100 or count == parse_number(new[1]), plain_text(parts)
    assert seen > 50


@pytest.mark.slow
@pytest.mark.parametrize("key", KEYS)
def test_a_sentence_of_real_pairs_adds_up_and_counts_what_results_count(key):
    """Check the sentences on all lines of several real systems: their sums, their parts and their numbers of words."""
    told = Counter()
    columns = [*map(load_token_lines, SYSTEMS), *map(load_token_lines, ("reference.A", "reference.B"))]
    for number, (a, b, c, *references) in enumerate(zip(*columns, strict=True)):
        for ours, theirs in ((a, b), (b, c)):
            text = check_sentence(*score_both(key, ours, theirs, references[: 1 + number % 2]))
            told.update(["unmatched" in text, "cancel" in text])
            assert "By words" not in text and "the length" not in text.replace("the length penalty", "")
            assert "reference" in text or not re.search(r"\b(costs|gives)\b", re.sub("“.*?”", "", text))
    assert told[True] > 5 or key in ("wer", "ter")


def test_a_length_and_its_penalty_that_cancel_are_named_together():
    """Check that the sentence does not name SIA's length penalty alone while it cancels the division by the length.

    It does so for candidates that are not longer than the reference. What the two leave is said to be theirs."""
    reference = "one two three four five six".split()
    told = check_sentence(*score_both("sia", "one two x y".split(), "one two three".split(), [reference]))
    assert "unmatched" not in told and "one more matched word: “three”" in told and " is the rest" not in told
    assert told.endswith("comes from the shorter text and its length penalty, which nearly cancel each other.")
    told = check_sentence(*score_both("sia", "one two".split(), "one two x y z v w".split(), [reference]))
    assert "penalty (" in told and "five more unmatched words" in told


def test_matches_that_are_others_do_not_count_more():
    """Check the words of the sentence where some matched words are lost and others gained.

    It must not call the gained ones "words that count more"."""
    for a, b, *references in real_pairs():
        for key in KEYS:
            before, after = score_both(key, a, b, references)
            for group in group_by_cause(metrics.ledger(before, after)):
                new = group.pieces and not any(piece.kind == "changed" for piece in group.pieces)
                texts = PhraseTexts(before, after, None)
                context = SentenceContext(metrics.METRICS[key], before, after, texts, 3)
                text = plain_text([*group_parts(context, group)])
                assert not (new and re.search("(words|n-grams|pairs) that count (more|less)", text)), text


def test_a_word_in_another_round_is_not_another_matched_word():
    for a, b, expected in (
        ("abcdefgh", "efghabcd", "−0.134 comes from words that match in a later round: “a b c d”"),
        ("acegbd", "abcdeg", "+0.070 comes from words that match in an earlier round: “b” and “d”"),
    ):
        told = check_sentence(*score_both("sia", list(a), list(b), [list("abcdefgh")]))
        assert expected in told and "matched words" not in told


def test_letters_that_match_are_counted_as_letters():
    """Check that the sentence counts matching letters as letters, because a partly matching word is no matched word."""
    told = check_sentence(*score_both("chrf", ["abc"], ["xyzv"], [["abd"], ["xyzw", "k"]]))
    says = "A is scored against reference 1 (1 word), B against reference 2 (2 words): 2 matched letters, and 3."
    assert says in told
