"""The pages: a folder each, and a line here, in the order of the navigation."""

from ..state import pages
from . import agreement, compare, corpus, learn, sentence

pages.put_up(
    [
        sentence.PAGE,
        compare.PAGE,
        corpus.PAGE,
        agreement.PAGE,
        learn.PAGE,
    ]
)
