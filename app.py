"""Start Bitext Grid, the app that shows why a metric gave a translation its score: `streamlit run app.py`.

The server imports this file once as a module, and runs it as a script for each run of a visitor's page."""

from pathlib import Path

import streamlit as st

HERE = Path(__file__).parent

if __name__ == "__main__":  # the script that runs for each visitor
    import viz.pages  # noqa: F401  registers the list of pages
    from viz.frame import head
    from viz.state.links import pages
    from viz.state.visit.run_queue import RUN_QUEUE

    with RUN_QUEUE.turn():
        st.logo(str(HERE / "viz" / "logo.svg"))
        listed = pages.all_pages()
        if "menu_pages" not in st.session_state:  # making them anew looks for their files in every run
            st.session_state.menu_pages = [
                st.Page(HERE / page.script, title=page.title, url_path=page.name, default=page is listed[0])
                for page in listed
            ]
        current_page = st.navigation(st.session_state.menu_pages, position="top")
        page = next(page for page in listed if page.title == current_page.title)
        st.set_page_config(page_title=head.browser_title(page), page_icon=str(HERE / "viz" / "logo.svg"), layout="wide")
        head.show(page)
        current_page.run()
else:  # the module that the server imports once, before it serves anybody
    from starlette.middleware import Middleware

    from viz.components import served
    from viz.components.messages import MessageFilter
    from viz.components.preload import PreloadMiddleware
    from viz.ready import server_lifespan

    app = st.App(
        __file__,
        lifespan=server_lifespan,
        routes=served.routes(),
        middleware=[Middleware(PreloadMiddleware), Middleware(MessageFilter)],
    )
