"""Measure the contrast of texts and marks on a page, in the browser."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from tests.helpers.app import skip_missing
from tests.helpers.browsing import until

#: Streamlit's own elements, which this project cannot mend: the box for files, a presentation that has a name and takes
#: the focus; and the button in the header while the page runs.
FOREIGN = "[data-testid=stFileUploaderDropzone]", "[data-testid=stStatusWidget], [data-testid=stBaseButton-header]"

#: The script that returns [selector, contrast, text] for each element found. Backgrounds are computed once and cached.
CONTRAST = """selectors => {
    const parse = text => {
        const n = text.match(/[\\d.e-]+/g).map(Number), scale = text.startsWith('color(') ? 255 : 1;
        return [n[0] * scale, n[1] * scale, n[2] * scale, n[3] ?? 1];
    };
    const over = (top, below, a) => [0, 1, 2].map(c => top[c] * a + below[c] * (1 - a));
    const luminance = rgb => {
        const [r, g, b] = rgb.map(c => c / 255).map(c => c <= .03928 ? c / 12.92 : ((c + .055) / 1.055) ** 2.4);
        return .2126 * r + .7152 * g + .0722 * b;
    };
    const known = new Map([[null, {ground: [255, 255, 255], alpha: 1}]]);
    const below = e => {
        if (!known.has(e)) {
            const {ground, alpha} = below(e.parentElement), s = getComputedStyle(e), c = parse(s.backgroundColor);
            known.set(e, {ground: over(c, ground, c[3] * alpha), alpha: alpha * s.opacity});
        }
        return known.get(e);
    };
    const measured = e => {
        const s = getComputedStyle(e), svg = e instanceof SVGElement;
        const ground = below(svg ? e.parentElement : e).ground;
        const alpha = svg ? below(e.parentElement).alpha * s.opacity : below(e).alpha;
        const stroked = svg && (s.fill === 'none' || parse(s.fill)[3] * s.fillOpacity === 0);
        const colour = parse(stroked ? s.stroke : svg ? s.fill : s.color);
        const own = svg ? (stroked ? s.strokeOpacity : s.fillOpacity) : 1;
        const seen = over(colour, ground, colour[3] * own * alpha);
        const [a, b] = [luminance(seen), luminance(ground)].sort((x, y) => y - x);
        return [(a + .05) / (b + .05), e.textContent.slice(0, 30) || e.tagName];
    };
    const shown = e => e.textContent.trim() || e instanceof SVGElement;
    return selectors.flatMap(selector =>
        [...document.querySelectorAll(selector)].filter(shown).map(e => [selector, ...measured(e)]));
}"""


def assert_contrast(page: Any, least: float, *selectors: str) -> None:
    """Assert that each selector finds elements, all with at least the contrast `least` to their background."""
    found = page.evaluate(CONTRAST, selectors)
    assert {selector for selector, *_ in found} == set(selectors)
    assert not [each for each in found if each[1] < least]


def wait_for_colours(page: Any) -> None:
    """Wait until all transitions of colours on the page have ended."""
    page.evaluate("new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))")
    page.wait_for_function(
        "document.getAnimations().every(a => a.playState !== 'running' || a.effect.getTiming().iterations === Infinity)"
    )


def use_colour_scheme(page: Any, scheme: str) -> None:
    """Switch a page to the `scheme` "light" or "dark", and wait until its colours are drawn."""
    page.emulate_media(color_scheme=scheme)
    ground = "rgb(23, 22, 20)" if scheme == "dark" else "rgb(255, 255, 255)"
    until(lambda: page.locator(".stApp").evaluate("e => getComputedStyle(e).backgroundColor"), ground)
    wait_for_colours(page)


def axe_violations(page: Any, rules: Sequence[str] = ()) -> list[str]:
    """Return the violations that axe-core finds on a page: each as the name of its rule and the HTML of the element.

    `rules` are the names of the rules to check; an empty sequence checks all rules."""
    try:
        import axe_playwright_python
    except ImportError:
        skip_missing("axe-playwright-python")
    if not page.evaluate("'axe' in window"):
        page.evaluate(Path(axe_playwright_python.__file__).with_name("axe.min.js").read_text(encoding="utf-8"))
    options = {"resultTypes": ["violations"], **({"runOnly": [*rules]} if rules else {})}
    found = page.evaluate(
        "([exclude, options]) => axe.run({exclude}, options)", [[[each] for each in FOREIGN], options]
    )["violations"]
    return [f"{v['id']}: {node['html'][:200]}" for v in found for node in v["nodes"]]
