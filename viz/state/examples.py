"""Examples to start from: the papers' worked examples with their numbers, and sentences of several languages.

The pairs named "TED zh–en" and "TED sk–en" quote a few lines of real systems and their references, exactly:

- TED zh–en: talks translated by the systems of WMT 2021, from Google's WMT MQM human evaluation (Apache License 2.0).
- TED sk–en: TED talks with the outputs of two systems, from compare-mt, copyright 2019 Graham Neubig (BSD 3-Clause
  License; provided by the copyright holders and contributors "as is", without any warranty).

Their licences stand in tests/data/ted-zh-en/LICENSE and tests/data/ted-sk-en/LICENSE.
"""

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


class Pair(NamedTuple):
    """Outputs of two systems over the same references; `others` are pairs of name and text of more systems. `view` is
    the view of a comparison that shows it best, "" where any does."""

    name: str
    a: str
    b: str
    references: str
    metric: str = "gtm"
    names: tuple[str, str] = ("A", "B")
    others: tuple[tuple[str, str], ...] = ()
    text: dict[str, Any] = {}
    view: str = ""

    @property
    def systems(self) -> tuple[tuple[str, str], ...]:
        """All systems as pairs of name and text, A first and B second."""
        return ((self.names[0], self.a), (self.names[1], self.b), *self.others)


_CHOCOLATE = "life is just like a box of tasty chocolate"
_LIN = "Lin and Och (2004)"
_LIU = "Liu and Gildea (2006)"

EXAMPLES = (
    Example(
        "GTM, two references (Figure 8 of SIA’s paper)",
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

#: Examples of the Compare page.
PAIRS = (
    Pair(
        "Gunman: passive fixed",
        "the gunman was shot by police dead .",
        "the gunman was shot dead by the police .",
        "the gunman was shot to death by the police .\nthe gunman was killed by police .",
    ),
    Pair(
        "SIA, Figure 1: mt2 to mt1",
        "life is of one nice chocolate in box",
        "life is like one nice chocolate in box",
        _CHOCOLATE,
        "sia",
        names=("mt2", "mt1"),
    ),
    Pair(
        "ROUGE: S3 to S2",
        "the gunman kill police",
        "police kill the gunman",
        "police killed the gunman",
        "rouge_l",
        names=("S3", "S2"),
    ),
    Pair(
        "TED zh–en: the order turned round",
        "In the images sent back from the Hubble Telescope, we see these two galaxies.",
        "We see these two galaxies in images from the Hubble Space Telescope.",
        "In this Hubble image, we see two galaxies.\n"
        "In the image sent back by the Hubble telescope, we see these two galaxies.",
        "ribes",
        names=("MiSS", "SMU"),
        text={"tokenizer": "13a"},
    ),
    Pair(
        "TED zh–en: a phrase in another place",
        "But I'd like to play the sound of our predictions for you.",
        "But I'd like to play for you the sounds we predicted.",
        "But I'd like to play for you the sound that we predict.\nBut I'd like to play for you the sounds we predict.",
        "ter",
        names=("SMU", "Online-W"),
        text={"tokenizer": "13a"},
    ),
    Pair(
        "TED zh–en: better by some metrics, worse by others",
        "If you remove the red color, it looks like this.",
        "It looks like this if red is removed.",
        "This is what it looks like if you take out the red.\nThis is what it looks like with red light filtered out.",
        names=("MiSS", "SMU"),
        text={"tokenizer": "13a"},
    ),
    Pair(
        "TED zh–en: eight systems",
        "There may be a super black hole with huge mass in the center of each of them.",
        "Each of them may have a massive superblack hole at its center.",
        "And each one probably harbors a super-massive black hole at its core.\n"
        "Each of them may have a supermassive black hole at its center.",
        names=("MiSS", "Borderline"),
        others=(
            ("DIDI-NLP", "There may be a huge super black hole in their center."),
            ("Facebook-AI", "They may each have a massive supermassive black hole at their center."),
            ("IIE-MT", "There may be a super black hole with a huge mass in their centers."),
            ("NiuTrans", "They may each have a massive superblack hole at their center."),
            ("Online-W", "They may each have a massive super black hole at their center."),
            ("SMU", "There may be a massive superblack hole at their center."),
        ),
        text={"tokenizer": "13a"},
        view="all",
    ),
    Pair(
        "TED sk–en: the same words in another order",
        "That 's why is called the Internet .",
        "That 's why the Internet is called .",
        "That 's why we call it the Internet .",
        names=("System 1", "System 2"),
    ),
    Pair(
        "TED sk–en: a word dropped",
        "These are the guys who they wrote the first computer virus .",
        "These are the guys who wrote the first computer virus .",
        "These are the guys who wrote the first PC virus .",
        "bleu",
        names=("System 1", "System 2"),
    ),
    Pair(
        "TED sk–en: another word chosen",
        "What you 've done is real , true and amazing .",
        "What you 've done is real , true and wonderful .",
        "What you guys have done is real , true and amazing .",
        "bleu",
        names=("System 1", "System 2"),
    ),
    Pair(
        "TED sk–en: one phrase better, one worse",
        "( Laughter ) I mean , that 's life .",
        "( Laughter ) I want to say , this is life .",
        "( Laughter ) I mean , this is life .",
        names=("System 1", "System 2"),
    ),
)
PAIR_BY_NAME = {pair.name: pair for pair in PAIRS}
