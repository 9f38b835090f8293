"""Examples to start from: the papers' worked examples with their numbers, and sentences of several languages."""

from __future__ import annotations

from typing import Any, NamedTuple


class Printed(NamedTuple):
    """A number that a paper prints: for which metric, settings (`how` says them in words) and part, where, and the
    erratum if it is wrong."""

    metric: str
    settings: dict[str, Any]
    part: str
    value: str
    where: str
    how: str = ""
    erratum: str = ""


class Example(NamedTuple):
    name: str
    candidate: str
    references: str
    metric: str = "gtm"
    settings: dict[str, Any] = {}
    text: dict[str, Any] = {}
    printed: tuple[Printed, ...] = ()


_CHOCOLATE = "life is just like a box of tasty chocolate"
_LIN = "Lin and Och (2004)"
_LIU = "Liu and Gildea (2006)"

EXAMPLES = (
    Example(
        "SIA, Figure 8 (two references)",
        "England with France discussed this crisis in London",
        "Britain and France consulted about this crisis in London with each other\n"
        "England and France discussed the crisis in London",
        "gtm",
    ),
    Example(
        "SIA, Figure 1: mt1",
        "life is like one nice chocolate in box",
        _CHOCOLATE,
        "sia",
        {"iterative": False, "length_penalty": False},
        printed=(
            Printed(
                "sia",
                {"iterative": False, "length_penalty": False},
                "score",
                "0.399",
                f"{_LIU}, equation (1)",
                "one round, no length penalty",
                "the terms that the equation prints sum to 0.378",
            ),
        ),
    ),
    Example(
        "SIA, Figure 1: mt2",
        "life is of one nice chocolate in box",
        _CHOCOLATE,
        "sia",
        {"iterative": False, "length_penalty": False},
        printed=(
            Printed(
                "sia",
                {"iterative": False, "length_penalty": False},
                "score",
                "0.357",
                f"{_LIU}, equation (2)",
                "one round, no length penalty",
            ),
        ),
    ),
    Example(
        "ROUGE, S2: police kill the gunman",
        "police kill the gunman",
        "police killed the gunman",
        "rouge_l",
        printed=(
            Printed("rouge_l", {}, "score", "0.75", f"{_LIN}, section 3.1"),
            Printed("rouge_s", {}, "score", "0.5", f"{_LIN}, section 4"),
        ),
    ),
    Example(
        "ROUGE, S3: the gunman kill police",
        "the gunman kill police",
        "police killed the gunman",
        "rouge_l",
        printed=(
            Printed("rouge_l", {}, "score", "0.5", f"{_LIN}, section 3.1"),
            Printed("rouge_s", {}, "score", "0.167", f"{_LIN}, section 4"),
        ),
    ),
    Example(
        "ROUGE, S4: the gunman police killed",
        "the gunman police killed",
        "police killed the gunman",
        "rouge_s",
        printed=(
            Printed("rouge_l", {}, "score", "0.5", f"{_LIN}, section 3.1"),
            Printed("rouge_s", {}, "score", "0.333", f"{_LIN}, section 4"),
        ),
    ),
    Example(
        "ROUGE-W, Y1: consecutive matches",
        "A B C D H I K",
        "A B C D E F G",
        "rouge_w",
        {"weight": 2.0},
        printed=(Printed("rouge_w", {"weight": 2.0}, "score", "0.571", f"{_LIN}, section 3.3", "f(k) = k²"),),
    ),
    Example(
        "ROUGE-W, Y2: scattered matches",
        "A H B K C I D",
        "A B C D E F G",
        "rouge_w",
        {"weight": 2.0},
        printed=(Printed("rouge_w", {"weight": 2.0}, "score", "0.286", f"{_LIN}, section 3.3", "f(k) = k²"),),
    ),
    Example(
        "ROUGE-W where the published recurrence is not the maximum",
        "a b",
        "a b b",
        "rouge_w",
        {"weight": 2.0},
        printed=(
            Printed(
                "rouge_w",
                {"weight": 2.0},
                "wlcs",
                "2",
                f"{_LIN}, section 3.3, run to the letter,",
                "f(k) = k²",
                "the recurrence always takes the diagonal on a match; the maximum of its objective is 4 "
                "(choose the variant “optimal”)",
            ),
        ),
    ),
    Example(
        "GTM, Figure 1: runs of 4, 2 and 1",
        "e f a b c d y h",
        "a b c d e f g h",
        "gtm",
        printed=(
            Printed(
                "gtm",
                {"exponent": 1.0},
                "match_size",
                "7",
                "Turian, Shen and Melamed (2003), section 2.1",
                "match size, e = 1",
            ),
            Printed(
                "gtm",
                {"exponent": 2.0},
                "match_size",
                "4.6",
                "Turian, Shen and Melamed (2003), section 2.2",
                "match size, e = 2",
            ),
        ),
    ),
    Example(
        "GTM, where greedy is not the largest",
        "C B B C C",
        "C C C B C",
        "gtm",
    ),
    Example(
        "dcs, Figure 1: ABCDE and EABFD",
        "E A B F D",
        "A B C D E",
        "dcs",
        printed=(
            Printed(
                "dcs",
                {},
                "score",
                "√(cs₁² + cs₂²)",
                "Ding, Utiyama and Sumita, section 3",
                "",
                "the introduction calls dcs a geometric mean; its formula is the root of the sum of squares",
            ),
        ),
    ),
    Example(
        "BLEU, clipped counts: the the the",
        "the the the the the the the",
        "the cat is on the mat\nthere is a cat on the mat",
        "bleu",
        {"max_order": 1},
        printed=(
            Printed(
                "bleu",
                {"max_order": 1},
                "precision_1",
                "2/7",
                "Papineni, Roukos, Ward and Zhu (2002), section 2.1",
                "precision of words",
            ),
        ),
    ),
    Example(
        "METEOR, two chunks",
        "the president spoke to the audience",
        "the president then spoke to the audience",
        "meteor",
        printed=(Printed("meteor", {}, "chunks", "2", "Banerjee and Lavie (2005), section 2.2", "chunks"),),
    ),
    Example(
        "RIBES, two halves that changed places",
        "he got soaked in the rain because he caught a cold",
        "he caught a cold because he got soaked in the rain",
        "ribes",
    ),
    Example(
        "TER, a phrase that moved",
        "this week the saudis denied information published in the new york times",
        "saudi arabia denied this week information published in the american new york times",
        "ter",
        printed=(
            Printed(
                "ter", {}, "edits", "4", "Snover, Dorr, Schwartz, Micciulla and Makhoul (2006), section 2", "edits"
            ),
            Printed("ter", {}, "score", "31 %", "the same"),
        ),
    ),
    Example(
        "English, news (two references)",
        "The city council decided on Tuesday to close the old bridge for repairs until the end of next spring .",
        "On Tuesday the city council decided to close the old bridge for repair until the end of spring .\n"
        "The town council has decided to shut the old bridge until late spring so that it can be repaired .",
        "gtm",
    ),
    Example(
        "German, word order",
        "Der Zug ist gestern wegen des starken Schnees mit zwei Stunden Verspätung in Wien angekommen .",
        "Wegen starken Schneefalls kam der Zug gestern mit zwei Stunden Verspätung in Wien an .\n"
        "Gestern ist der Zug wegen des starken Schneefalls zwei Stunden zu spät in Wien angekommen .",
        "sia",
    ),
    Example(
        "Japanese, by characters",
        "昨日、東京で新しい図書館が開かれました。",
        "昨日東京に新しい図書館が開館しました。",
        "dcs",
        text={"tokenizer": "character"},
    ),
    Example(
        "Hebrew, right to left",
        "הרכבת מתל אביב הגיעה אתמול לירושלים באיחור של שעה",
        "אתמול הגיעה הרכבת מתל אביב לירושלים באיחור של שעה אחת",
        "rouge_l",
    ),
    Example(
        "Arabic, right to left",
        "وصل القطار من القاهرة إلى الإسكندرية أمس متأخرا ساعة كاملة",
        "أمس وصل القطار القادم من القاهرة إلى الإسكندرية متأخرا ساعة",
        "gtm",
    ),
    Example(
        "English, 30 words and four references",
        "the committee said that the new rules for small farms , which were delayed twice last year , will now "
        "take effect in March and that farmers can apply for help",
        "the committee said the new rules for small farms , delayed twice last year , would take effect in March , and "
        "that farmers could now apply for help\n"
        "according to the committee , new rules for small farms that had been put off twice last year will come into "
        "force in March and farmers may ask for aid\n"
        "the new rules on small farms were delayed twice last year ; the committee said they will take effect in March "
        "and farmers can now apply for support\n"
        "farmers can apply for help now , said the committee , because the rules for small farms , which had twice "
        "been delayed , take effect this March",
        "gtm",
    ),
)
BY_NAME = {example.name: example for example in EXAMPLES}
