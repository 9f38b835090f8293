"""Liu and Gildea (2006): people's judgements of single outputs, and of systems, beside metrics and the parts of SIA."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

import numpy as np

from ....catalogue import METRICS
from ....text import TextSettings
from ....text.similarity import MissingCorpus, Similarity, StemSimilarity, in_language, train
from ...table import Array
from ...table import Table as Scores
from .experiment import (
    Chart,
    Curve,
    Experiment,
    Fact,
    Given,
    Needs,
    Outcome,
    Point,
    Printed,
    Progress,
    Row,
    Table,
    Tell,
    Value,
    need,
)
from .levels import (
    CHANCE,
    JUDGES,
    Side,
    apart,
    by_ratings,
    by_scores,
    chance,
    of_outputs,
    of_systems,
    plainly_apart,
    reach,
    two_judges,
)
from .scoring import Wanted, reader, reread, scored, settings_of, sign, statistics, stemmed, wanted

#: How often the outputs, or the segments, are drawn again.
RESAMPLES = 5000
#: BLEU's longest n-grams, and the decays of SIA that are tried, in tenths.
ORDERS, TENTHS = range(1, 7), range(1, 11)
#: The mean of both stands beside them, as in the paper.
_BOTH, _OVERALL = ("adequacy", "fluency"), "overall"

SIA = METRICS["sia"]
#: The statistics of SIA: what each round gains, and those that no round changes.
_GAIN, _LENGTHS = "gain_", ("candidate_length", "mean_reference_length")


# ---------------------------------------------------------------- what is needed


class Judgements(NamedTuple):
    """People's means by scale, systems × segments, higher being better; the first system, by which SIA's decay is
    chosen, and the others."""

    scales: Mapping[str, Array]
    first: int
    others: tuple[int, ...]

    def without_first(self, scale: str) -> Array:
        """The judgements of the other systems' outputs, NaN for those of the first."""
        others = self.scales[scale].copy()
        others[self.first] = np.nan
        return others


def judgements(data: Given) -> Judgements:
    assert data.judged is not None
    scales = {scale: data.judged.better(scale) for scale in data.scales}
    if all(name in scales for name in _BOTH) and _OVERALL not in scales:
        scales[_OVERALL] = (scales[_BOTH[0]] + scales[_BOTH[1]]) / 2
    judged = [s for s in range(len(data.systems)) if any(not np.isnan(each[s]).all() for each in scales.values())]
    return Judgements(scales, judged[0], tuple(judged[1:]))


_missing_texts = need(systems=4, segments=2, references=1, judged=True)


def _missing(data: Given) -> str:
    if missing := _missing_texts(data):
        return missing
    assert data.judged is not None
    each = [data.judged.means(scale) for scale in data.scales]
    number = sum(any(not np.isnan(means[s]).all() for means in each) for s in range(len(data.systems)))
    return "" if number > 3 else f"Outputs of at least 4 systems must be judged, here {number} are."


@dataclass(frozen=True, slots=True)
class Either:
    """Words that are similar by one of two similarities, which is asked first, or else by the other."""

    one: Similarity
    other: Similarity

    @property
    def signature(self) -> str:
        return f"{self.one.signature}+{self.other.signature}"

    def __call__(self, a: str, b: str) -> float:
        return self.one(a, b) or self.other(a, b)


def similarity(data: Given, tell: Tell) -> tuple[Similarity | None, str]:
    """That of the options, or one trained on the source and the references, and what it is, as a sentence."""
    if data.options.similarity is not None:
        return data.options.similarity, f"Similar words come from {data.options.similarity.signature}."
    if not any(line.strip() for line in data.source):
        return None, "There is no bitext and no source, so no similarity of words can be trained."
    of_source, of_reference = reader(TextSettings(tokenizer="chinese")), reader(lower(data.text))
    pairs = [
        (of_reference(line), of_source(source))
        for source, references in zip(data.source, data.references, strict=True)
        for line in references
    ]

    def told(done: int, total: int) -> None:
        tell(Progress(0.15 * done / total, "Trains the similarity of words on source and references"))

    trained = train(pairs, progress=told, name="source and references")
    said = f"Similar words come from IBM Model 1, trained on the {len(pairs)} pairs of source and reference themselves."
    return trained, said


def lower(text: TextSettings) -> TextSettings:
    """The paper's texts: in lower case, not stemmed."""
    return replace(text, lowercase=True, stemmer="none")


class Rounds(NamedTuple):
    """What the rounds of SIA found in all outputs, which no decay changes: the gains, systems × segments × rounds, and
    the other statistics, systems × segments each."""

    gains: Array
    lengths: Mapping[str, Array]

    def read(self, settings: Any) -> Scores:
        """The scores with a decay, of all rounds or of the first alone."""
        number = self.gains.shape[2] if settings.iterative else 1
        weights = np.array([settings.weight(n + 1) for n in range(number)])
        shape = self.gains.shape[:2]
        columns = {name: np.ascontiguousarray(each.ravel()) for name, each in self.lengths.items()}
        columns["weighted_gain"] = (self.gains[:, :, :number] @ weights).ravel()
        scores = np.asarray(SIA.from_stats(columns, settings).score).reshape(shape)
        return Scores(SIA, settings, (), np.empty((*shape, 0)), scores)


def rounds(data: Given, similar: Similarity | None, tell: Tell, part: tuple[float, float], what: str) -> Rounds:
    """The rounds of SIA in all outputs, a system after the other."""
    settings = settings_of("sia", similarity=similar)
    found = statistics(data, SIA, settings, lower(data.text), tell, part, f"Aligns words: {what}")
    most = max(len([name for name in each if name.startswith(_GAIN)]) for some in found for each in some)
    gains = [[[each.get(f"{_GAIN}{n + 1}", 0.0) for n in range(most)] for each in some] for some in found]
    lengths = {name: np.array([[each[name] for each in some] for some in found]) for name in _LENGTHS}
    return Rounds(np.array(gains).reshape(len(found), data.size, most), lengths)


def by_decay(found: Rounds, similar: Similarity | None) -> dict[float, Scores]:
    """SIA with each decay that is tried."""
    return {n / 10: found.read(settings_of("sia", decay=n / 10, similarity=similar)) for n in TENTHS}


def chosen(tried: Mapping[float, Scores], said: Judgements) -> float:
    """The decay with which SIA's scores of the first system's outputs, the paper's development set, go best with
    people's: overall, or by the mean r of all scales. The smallest of several; 0.5 where there is none to tell."""
    names = [_OVERALL] if _OVERALL in said.scales else [*said.scales]
    best, decay = -np.inf, 0.5
    for n, scores in tried.items():
        ours = {"": scores.scores[[said.first]]}
        found = [of_outputs(said.scales[name][said.first][None], ours, 0, 0)[""].value for name in names]
        each = [value for value in found if value is not None]
        if each and float(np.mean(each)) > best + 1e-12:
            best, decay = float(np.mean(each)), n
    return decay


# ---------------------------------------------------------------- tables of both levels


def outputs_table(key: str, title: str, data: Given, found: Mapping[str, Scores], people: Mapping[str, Array]) -> Table:
    """Pearson's r over outputs: metrics and other programs × scales; the judges, and chance, beside them."""
    resamples, seed = data.options.draws or RESAMPLES, data.options.seed
    metrics = {name: sign(scores.metric) * scores.scores for name, scores in found.items()}
    metrics |= data.external((*found, CHANCE, JUDGES))
    values: dict[str, list[Value | None]] = {name: [] for name in metrics}
    for scale, ratings in people.items():
        each = of_outputs(ratings, metrics, resamples, seed)
        for name in metrics:
            values[name].append(each[name])
        _, by_chance = chance(_any_scores(found), ratings, seed)
        values.setdefault(CHANCE, []).append(by_chance.pearson)
        pair = _two(data, scale, ratings)
        judges = of_outputs(pair[0], {JUDGES: pair[1]}, resamples, seed)[JUDGES] if pair else None
        values.setdefault(JUDGES, []).append(judges)
    return _table(key, title, data, found, people, values)


def systems_table(key: str, title: str, data: Given, found: Mapping[str, Scores], people: Mapping[str, Array]) -> Table:
    """Pearson's r over systems: of people's means and metrics' and other programs' means, of BLEU its corpus score."""
    resamples, seed = data.options.draws or RESAMPLES, data.options.seed
    sides = {name: _of_system(scores) for name, scores in found.items()}
    sides |= {name: by_ratings(scores) for name, scores in data.external((*found, CHANCE, JUDGES)).items()}
    values: dict[str, list[Value | None]] = {name: [] for name in sides}
    for scale, ratings in people.items():
        systems = [s for s in range(len(data.systems)) if not np.isnan(ratings[s]).all()]
        each = of_systems(by_ratings(ratings), sides, systems, resamples, seed)
        for name in sides:
            values[name].append(each[name].pearson)
        by_chance, _ = chance(_any_scores(found), ratings, seed)
        values.setdefault(CHANCE, []).append(by_chance.pearson)
        judges: Value | None = None
        if pair := _two(data, scale, ratings):
            one, other = map(by_ratings, pair)
            judges = of_systems(one, {JUDGES: other}, systems, resamples, seed)[JUDGES].pearson
        values.setdefault(JUDGES, []).append(judges)
    return _table(key, title, data, found, people, values)


def _of_system(scores: Scores) -> Side:
    """BLEU's corpus score, and others' means, as the paper has them."""
    return by_scores([scores]) if scores.metric.length_penalty else by_ratings(sign(scores.metric) * scores.scores)


def _any_scores(found: Mapping[str, Scores]) -> Array:
    return next(iter(found.values())).scores


def _two(data: Given, scale: str, ratings: Array) -> tuple[Array, Array] | None:
    """Two judgements of each output that has two and stands in the table; of a mean of scales there are none."""
    assert data.judged is not None
    if scale not in data.judged.ratings or not (pair := two_judges(data.judged, scale, data.options.seed)):
        return None
    first, second = (np.where(np.isnan(ratings), np.nan, each) for each in pair)
    return first, second


def _table(
    key: str,
    title: str,
    data: Given,
    found: Mapping[str, Scores],
    people: Mapping[str, Array],
    values: Mapping[str, Sequence[Value | None]],
) -> Table:
    columns = tuple(people)
    ratings = people[columns[-1]]
    opens = {name: apart(scores, ratings) for name, scores in found.items()}
    others = data.external((*found, CHANCE, JUDGES))
    opens |= {name: plainly_apart(scores, ratings) for name, scores in others.items()}
    if pair := next(filter(None, [_two(data, scale, people[scale]) for scale in reversed(columns)]), None):
        opens[JUDGES] = plainly_apart(*pair)
    rows = [
        Row(name, tuple(each), opens.get(name, ()), name in (CHANCE, JUDGES))
        for name, each in values.items()
        if any(each)
    ]
    return Table(key, title, columns, tuple(rows))


# ---------------------------------------------------------------- Tables 1 to 6


def run(data: Given, tell: Tell) -> Outcome:
    """BLEU against ROUGE-W over all outputs; BLEU, ROUGE, METEOR and SIA over those of all systems but the first, and
    over these systems."""
    if missing := _missing(data):
        raise ValueError(missing)
    said, text = judgements(data), lower(data.text)
    similar, sentence = similarity(data, tell)
    asked = [
        wanted(f"BLEU-{ORDERS[-1]}", "bleu", text, None, max_order=ORDERS[-1], smoothing="add_k"),
        wanted("ROUGE-W", "rouge_w", text, None, multi_reference="best"),
        wanted("ROUGE-S*, stems", "rouge_s", stemmed(text), None, multi_reference="best"),
        wanted("ROUGE-W, stems", "rouge_w", stemmed(text), None, multi_reference="best"),
        Wanted("METEOR", "meteor", METRICS["meteor"].Settings().of_texts(data.text.language), text),
    ]
    found = scored(data, asked, tell, (0.15, 0.3))
    tried = by_decay(rounds(data, similar, tell, (0.3, 0.85), "SIA"), similar)
    scores, decay = found.scores, chosen(tried, said)
    longest = scores[f"BLEU-{ORDERS[-1]}"]
    bleu = {f"BLEU-{n}": reread(longest, replace(longest.settings, max_order=n)) for n in ORDERS}  # type: ignore[call-arg]
    tell(Progress(0.85, "Resamples the outputs"))
    first = outputs_table(
        "table-1",
        "Outputs of all systems: BLEU by its longest n-grams, and ROUGE-W",
        data,
        bleu | _some(scores, "ROUGE-W"),
        said.scales,
    )
    tell(Progress(0.9, "Resamples the outputs"))
    others = {scale: said.without_first(scale) for scale in said.scales}
    more = _some(scores, "ROUGE-S*, stems", "ROUGE-W, stems", "METEOR") | {"SIA": tried[decay]}
    second = outputs_table(
        "table-2", f"Outputs of all systems but {data.systems[said.first]}", data, _some(bleu, "BLEU-3") | more, others
    )
    tell(Progress(0.95, "Resamples the segments"))
    third = systems_table(
        "table-6",
        f"All {len(said.others) + 1} systems",
        data,
        _some(bleu, "BLEU-6") | more,
        said.scales,
    )
    notes = (*found.notes, sentence, _by_first(data, said, decay), *reach([first, second]))
    tell(Progress(1.0, "Done"))
    return Outcome((first, second, third), (), (), notes)


def _some(found: Mapping[str, Scores], *names: str) -> dict[str, Scores]:
    return {name: found[name] for name in names if name in found}


def _by_first(data: Given, said: Judgements, decay: float) -> str:
    name = data.systems[said.first]
    found = f"SIA's decay α = {decay} goes best with people's judgements of {name}"
    return f"{found}, whose outputs are left out where a title says so."


# ---------------------------------------------------------------- Tables 7 and 8


def run_components(data: Given, tell: Tell) -> Outcome:
    """SIA with some of its parts, and with other similarities, over outputs and over systems; and its decay."""
    if missing := _missing(data):
        raise ValueError(missing)
    said, text = judgements(data), lower(data.text)
    similar, sentence = similarity(data, tell)
    named, left = _similarities(data, similar)
    each = {}
    for n, (name, one) in enumerate(named.items()):
        at = [0.15 + 0.65 * more / len(named) for more in (n, n + 1)]
        each[name] = rounds(data, one, tell, (at[0], at[1]), name or "equal words")
    best = "PROB" if "PROB" in each else ""
    tried = by_decay(each[best], named[best])
    decay = chosen(tried, said)
    lcs = scored(data, [wanted("LCS without gaps", "rouge_l", text, None, multi_reference="best")], tell, (0.8, 0.85))
    found = dict(lcs.scores)
    for name, aligned in each.items():
        settings = settings_of("sia", decay=decay, similarity=named[name])
        known = f" {name}" if name else ""
        found["WLS PROB INCS" if name == "PROB" else f"WLS INCS{known}"] = aligned.read(settings)
        found[f"WLS{known}"] = aligned.read(replace(settings, iterative=False))
    others = {scale: said.without_first(scale) for scale in said.scales}
    names = [
        ("table-7", "the parts of SIA", ("LCS without gaps", "WLS", "WLS PROB", "WLS INCS", "WLS PROB INCS")),
        ("table-8", "similar words", ("WLS INCS", "WLS INCS STEM", "WLS INCS WN", "WLS INCS STEM WN")),
    ]
    tables: list[Table] = []
    left_out = data.systems[said.first]
    for n, (key, what, rows) in enumerate(names):
        tell(Progress(0.85 + 0.05 * n, f"Resamples the outputs: {what}"))
        some = _some(found, *rows)
        tables += [
            outputs_table(key, f"Outputs of all systems but {left_out}: {what}", data, some, others),
            systems_table(f"{key}-systems", f"Systems but {left_out}: {what}", data, some, others),
        ]
    tell(Progress(0.95, "Resamples the outputs: decay"))
    charts = _by_decay(data, tried, others, left_out)
    notes = (*lcs.notes, sentence, *left, _by_first(data, said, decay), *reach(tables))
    tell(Progress(1.0, "Done"))
    return Outcome(tuple(tables), charts, (), tuple(dict.fromkeys(notes)))


def _similarities(data: Given, similar: Similarity | None) -> tuple[dict[str, Similarity | None], list[str]]:
    """What words are similar by, by the names of the paper's columns, and what there is not, in sentences."""
    out: dict[str, Similarity | None] = {"": None}
    notes = []
    if similar is not None:
        out["PROB"] = similar
    language = data.text.language
    stems = in_language("stem", language)
    if isinstance(stems, StemSimilarity):
        out["STEM"] = stems
    try:
        synonyms = in_language("wordnet", language)
        if hasattr(synonyms, "says"):
            notes.append(synonyms.says)
        else:
            out["WN"] = synonyms
    except MissingCorpus as error:
        notes.append(f"{error}")
    if "STEM" in out and "WN" in out:
        out["STEM WN"] = Either(stems, out["WN"])  # type: ignore[arg-type]
    return out, notes


def _by_decay(
    data: Given, tried: Mapping[float, Scores], people: Mapping[str, Array], left_out: str
) -> tuple[Chart, ...]:
    """Pearson's r of SIA with each decay, over outputs and over systems; beside it chance, and one judge by another
    where there are several, which no decay changes."""
    charts = []
    for key, title, made in (
        ("decay", f"Outputs of all systems but {left_out}: SIA by its decay", outputs_table),
        ("decay-systems", f"Systems but {left_out}: SIA by its decay", systems_table),
    ):
        table = made(key, title, data, {f"{n}": scores for n, scores in tried.items()}, people)
        curves = []
        for scale in people:
            points = []
            for n in tried:
                row = next(row for row in table.rows if row.name == f"{n}")
                value = table.value(row.name, scale)
                if value and value.value is not None:
                    points.append(Point(n, value.value, value.low, value.high, row.opens))
            curves.append(Curve(scale, tuple(points)))
            for name in (CHANCE, JUDGES):
                if (level := table.value(name, scale)) and level.value is not None:
                    opens = next(row.opens for row in table.rows if row.name == name)
                    points = [Point(n, level.value, level.low, level.high, opens) for n in tried]
                    curves.append(Curve(f"{scale}, {name}", tuple(points), beside=True))
        charts.append(Chart(key, title, "decay α", "Pearson's r", tuple(curves)))
    return tuple(charts)


# ---------------------------------------------------------------- what the paper has


def _printed(key: str, title: str, source: str, rows: str, intervals: Mapping[str, str] = {}) -> Table:
    """A table from lines of a name and its fluency, adequacy and overall; intervals are low and high of each line."""
    out = []
    for line in rows.strip().splitlines():
        name, *numbers = line.rsplit(maxsplit=3)
        values = [Value(float(number)) for number in numbers]
        if name in intervals:
            ends = [float(number) for number in intervals[name].split()]
            values = [Value(v.value, *ends[2 * n : 2 * n + 2]) for n, v in enumerate(values)]  # type: ignore[arg-type]
        out.append(Row(name, tuple(values)))
    return Table(key, title, ("fluency", "adequacy", "overall"), tuple(out), source)


PRINTED = Printed(
    (
        _printed(
            "table-1",
            "6,433 outputs of 7 systems",
            "Table 1, section 4.1",
            """
BLEU-1   .147 .288 .243
BLEU-2   .162 .296 .256
BLEU-3   .166 .291 .255
BLEU-4   .168 .285 .251
BLEU-5   .165 .279 .247
BLEU-6   .164 .274 .244
ROUGE-W  .191 .268 .254
""",
        ),
        _printed(
            "table-2",
            "5,514 outputs of 6 systems",
            "Tables 2 to 5, section 4.2",
            """
BLEU-3           .167 .306 .265
ROUGE-S*, stems  .152 .304 .256
ROUGE-W, stems   .192 .287 .266
METEOR           .167 .332 .280
SIA              .202 .322 .292
""",
            {
                "BLEU-3": ".138 .192 .280 .330 .238 .290",
                "ROUGE-S*, stems": ".124 .177 .278 .329 .229 .281",
                "ROUGE-W, stems": ".164 .218 .259 .312 .238 .293",
                "METEOR": ".139 .191 .307 .355 .254 .304",
                "SIA": ".174 .227 .295 .346 .265 .316",
            },
        ),
        _printed(
            "table-6",
            "7 systems",
            "Table 6, section 4.2",
            """
BLEU-6           .514 .876 .794
ROUGE-S*, stems  .466 .900 .790
ROUGE-W, stems   .458 .906 .792
METEOR           .378 .875 .741
SIA              .532 .928 .835
""",
        ),
    ),
    (
        Fact("In sentences n-grams longer than two words bring little.", "Section 4.1"),
        Fact(
            "The intervals overlap: in sentences a metric hardly outperforms another by more than chance.",
            "Section 4.2",
        ),
    ),
)

PRINTED_COMPONENTS = Printed(
    (
        _printed(
            "table-7",
            "5,514 outputs of 6 systems",
            "Table 7, section 4.3",
            """
WLS            .189 .295 .270
WLS PROB       .202 .310 .285
WLS INCS       .188 .311 .278
WLS PROB INCS  .202 .322 .292
""",
        ),
        _printed(
            "table-8",
            "5,514 outputs of 6 systems",
            "Table 8, section 4.3",
            """
WLS INCS          .188 .311 .278
WLS INCS STEM     .188 .313 .280
WLS INCS WN       .187 .310 .277
WLS INCS STEM WN  .191 .317 .284
""",
        ),
    ),
    (
        Fact(
            "Rounds help with adequacy; similar words from a bitext help with both, and more than stems.", "Section 4.3"
        ),
    ),
)

_PAPER = (
    "Ding Liu and Daniel Gildea (2006): Stochastic Iterative Alignment for Machine Translation Evaluation. Proceedings "
    "of COLING/ACL, 539–546"
)
_NEEDS = Needs(
    "Four systems or more with a reference, judged by people; for similar words the source, or a bitext.",
    _missing,
)
_DIFFERS = (
    "The data: the paper's seven systems, of a Chinese task with four references, are not at hand.",
    "A judgement is the mean of all judges; the paper draws one of two by chance. Where adequacy and fluency are "
    "judged overall is their mean, as in the paper.",
    "Intervals over outputs come from resampled single outputs, as in the paper. The page's own table of metrics "
    "resamples segments with all their systems, since outputs of one segment depend on each other: its intervals may "
    "be wider.",
    "SIA's decay is chosen on the first system, as the paper does on E09, from 0.1 to 1.0 in tenths.",
    "The paper's similar words come from IBM Model 4 on 700,000 pairs of French and English sentences.",
)

EXPERIMENT = Experiment(
    key="liu_gildea",
    title="Single outputs and systems: n-grams, subsequences, METEOR and SIA",
    paper=_PAPER,
    about="Pearson's r with people over outputs, with 95 % intervals, and over systems (Tables 1 to 6).",
    needs=_NEEDS,
    printed=PRINTED,
    differs=(
        *_DIFFERS,
        "BLEU of an output adds one to matches and totals of n-grams longer than a word; the paper does not say what "
        "it does where nothing matches.",
        "Stems and synonyms of METEOR are those of this program; ROUGE takes the reference of the best F.",
    ),
    run=run,
    takes=("similarity",),
)

COMPONENTS = Experiment(
    key="sia_components",
    title="The parts of SIA: gaps, rounds, decay and similar words",
    paper=_PAPER,
    about="Pearson's r of SIA with and without its parts, over outputs and systems (Tables 7 and 8), and its decay.",
    needs=_NEEDS,
    printed=PRINTED_COMPONENTS,
    differs=(
        *_DIFFERS,
        "The length penalty stands in all rows; the paper does not say.",
        "Words of one stem, or of one synset, count as equal ones; the paper does not say what they count.",
        "The row LCS without gaps is ROUGE-L, which is not in the paper: what WLS adds to it is the weight of gaps.",
    ),
    run=run_components,
    takes=("similarity",),
)
