"""What a chapter has beside its five screens: curves over its metrics' parameters, the hunt, the table of orders."""

from __future__ import annotations

from viz.state import parameters
from viz.views import curves, greedy, order

HUNT, ORDER = "gtm", "people"  # the keys of the chapters to which the hunt and the table belong


def titles(chapter: str) -> tuple[str, ...]:
    """What a chapter has, by the names of `draw`; empty where it has nothing."""
    out = ["Parameters"] if parameters.presets_of(chapter) else []
    return (
        *out,
        *(["Greedy against exact"] if chapter == HUNT else []),
        *(["Order matters"] if chapter == ORDER else []),
    )


def draw(chapter: str, title: str) -> None:
    """One of the `titles` of a chapter."""
    {"Parameters": lambda: curves.draw(chapter), "Greedy against exact": greedy.draw, "Order matters": order.draw}[
        title
    ]()
