"""Register the pages of the app, in the order of the menu; each page is a folder here."""

from ..components import lighter_runs, widget_values
from ..state.links import pages
from . import agreement, compare, corpus, learn, sentence

widget_values.check_sent_values()
lighter_runs.patch_streamlit()
pages.set_pages(
    [
        sentence.PAGE,
        compare.PAGE,
        corpus.PAGE,
        agreement.PAGE,
        learn.PAGE,
    ]
)
