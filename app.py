"""Bitext Grid: why did a metric give this translation this score? `streamlit run app.py`."""

from pathlib import Path

import streamlit as st

HERE = Path(__file__).parent

if __name__ == "__main__":  # the script that runs for each visitor
    from viz.draw.evidence.fragment import STYLE
    from viz.draw.learn import lesson
    from viz.frame import guide

    st.logo(str(HERE / "viz" / "logo.svg"))
    PAGES = HERE / "viz" / "pages"
    shown = st.navigation(
        [
            st.Page(PAGES / "sentence" / "page.py", title="Sentence", url_path="sentence", default=True),
            st.Page(PAGES / "compare" / "page.py", title="Compare", url_path="compare"),
            st.Page(PAGES / "learn" / "page.py", title="Learn", url_path="learn"),
        ],
        position="top",
    )
    # Rules that only one page needs stand on no other: a browser matches all against what a click draws anew.
    own = {"Compare": "compare", "Learn": "learn"}.get(shown.title)
    sheets = [HERE / "viz" / "frame" / "style.css", *([PAGES / own / "page.css"] if own else [])]
    rules = "".join([sheet.read_text(encoding="utf-8") for sheet in sheets])
    st.html(f"<style>{STYLE}{lesson.STYLE if own == 'learn' else ''}{rules}</style>")
    name = f"{shown.title} · Bitext Grid"
    st.set_page_config(page_title=name, page_icon=str(HERE / "viz" / "logo.svg"), layout="wide")
    guide.menu(name)
    shown.run()
else:  # the module that the server imports once, before it serves anybody
    from viz.ready import ready

    app = st.App(__file__, lifespan=ready)
