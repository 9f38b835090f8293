"""The pages: a folder each, and a line here, in the order of the navigation."""

from ..components import widget_values
from ..state import pages
from . import agreement, compare, corpus, learn, sentence

widget_values.check_what_is_sent()
pages.set_pages(
    [
        sentence.PAGE,
        compare.PAGE,
        corpus.PAGE,
        agreement.PAGE,
        learn.PAGE,
    ]
)
