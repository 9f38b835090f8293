"""Bitext Grid: why did a metric give this translation this score? `streamlit run app.py`."""

from pathlib import Path

import streamlit as st

HERE = Path(__file__).parent

if __name__ == "__main__":  # the script that runs for each visitor
    import viz.pages  # noqa: F401  hands the list of pages in
    from viz.frame import head
    from viz.state import pages
    from viz.state.run_queue import RUN_QUEUE

    with RUN_QUEUE.one():
        st.logo(str(HERE / "viz" / "logo.svg"))
        listed = pages.listed()
        current_page = st.navigation(
            [
                st.Page(HERE / page.script, title=page.title, url_path=page.name, default=page is listed[0])
                for page in listed
            ],
            position="top",
        )
        page = next(page for page in listed if page.title == current_page.title)
        st.set_page_config(page_title=head.title(page), page_icon=str(HERE / "viz" / "logo.svg"), layout="wide")
        head.show(page)
        current_page.run()
else:  # the module that the server imports once, before it serves anybody
    from starlette.middleware import Middleware

    from viz.components import served
    from viz.components.messages import OnlyMessages
    from viz.components.preload import PreloadMiddleware
    from viz.ready import ready

    app = st.App(
        __file__,
        lifespan=ready,
        routes=served.routes(),
        middleware=[Middleware(PreloadMiddleware), Middleware(OnlyMessages)],
    )
