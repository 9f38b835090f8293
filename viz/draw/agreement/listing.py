"""Draw the list of the papers' experiments; a click repeats an experiment."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

from metrics.corpus.agreement.experiments.experiment import Experiment

from ..pen.text import safe


def experiment_list(experiments: Sequence[Experiment], missing: Mapping[str, str], done_keys: Collection[str]) -> str:
    """Return the list of the experiments as HTML.

    `missing` maps the key of an experiment to a sentence on what the visitor's data lack for it; such an experiment
    shows what it needs in place of its button. `done_keys` are the keys of the experiments that have an outcome."""
    items = "".join([_experiment_item_html(each, missing.get(each.key, ""), done_keys) for each in experiments])
    return f'<ul class="experiments">{items}</ul>'


def _experiment_item_html(each: Experiment, missing: str, done_keys: Collection[str]) -> str:
    authors = safe(each.paper.partition(":")[0], 120)
    title, about = safe(each.title, 200), safe(each.about, 300)
    says = "Show what came of it" if each.key in done_keys else "Repeat it here"
    offer = f'<button type="button" data-tell="experiment:{each.key}" aria-label="{says}: {title}">{says}</button>'
    needs = f'<p class="needs">{safe(missing, 300)} {safe(each.needs.says, 300)}</p>'
    kind = ' class="closed"' if missing else ""
    return f"<li{kind}><h3>{title}</h3><p>{about}</p><small>{authors}</small>{needs if missing else offer}</li>"
