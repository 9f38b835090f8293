"""Tests of the scripts of components: the server delivers them, and messages to the browser only name them."""

import ast
import re
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest

from tests.helpers.app import ROOT
from tests.helpers.waiting import LIMIT
from viz.components import preload, served
from viz.draw.pen import script_bundle

NAME = re.compile(r'"scripts/(segments\.[0-9a-f]{20}\.js)"')


@pytest.fixture
def sent_script(monkeypatch):
    """Return what a component gives Streamlit as its script: a line that fetches the real script from our server."""
    sent = []
    monkeypatch.setattr(served, "_routed", True)
    monkeypatch.setattr(served.st.components.v2, "component", lambda name, js, isolate_styles: sent.append(js))
    served.component("bitext_tried", ROOT / "viz/components/segments.js")
    return sent[0]


def fetch_script(name):
    """Return the server's response to a request for a script."""
    was = served._routed
    (route,) = served.routes()
    served._routed = was
    answer = route.endpoint(SimpleNamespace(path_params={"file": name}))
    with pytest.raises(StopIteration) as ended:  # the endpoint never waits, so it needs no event loop
        answer.send(None)
    return ended.value.value


def test_a_script_is_fetched_by_a_name_of_its_own_text(sent_script):
    (name,) = NAME.findall(sent_script)
    got = fetch_script(name)
    assert got.body.decode() == script_bundle.bundle_modules(ROOT / "viz/components/segments.js")
    assert got.headers["content-type"].startswith("text/javascript") and "immutable" in got.headers["cache-control"]
    for other in ("segments.js", "../app.py", "\0"):
        assert fetch_script(other).status_code == 404


def test_a_message_has_no_script(sent_script):
    assert len(sent_script) < 200
    for module in Path(ROOT / "viz/components").glob("*.py"):
        assert module.name == "served.py" or "v2.component(" not in module.read_text() or module.name == "fragment.py"


def test_a_server_below_another_address_has_its_scripts_there(monkeypatch):
    monkeypatch.setattr(served, "_routed", False)
    monkeypatch.setattr(served.st, "get_option", lambda name: "/bitext/")
    assert [route.path for route in served.routes()] == ["/bitext/scripts/{file}"]


def test_a_server_without_our_routes_sends_the_script_itself(monkeypatch):
    sent = []
    monkeypatch.setattr(served.st.components.v2, "component", lambda name, js, isolate_styles: sent.append(js))
    monkeypatch.setattr(served, "_routed", False)
    served.component("bitext_tried", ROOT / "viz/components/segments.js")
    assert sent == [script_bundle.bundle_modules(ROOT / "viz/components/segments.js")]


def middleware_response(app, method="GET"):
    """Return status, headers and body of the response of `app`, after `PreloadMiddleware` has changed it."""
    sent = []

    async def send(message):
        sent.append(message)

    with pytest.raises(StopIteration):  # the middleware never waits, so it needs no event loop
        preload.PreloadMiddleware(app)({"type": "http", "method": method, "path": "/"}, None, send).send(None)
    return sent[0]["status"], dict(sent[0]["headers"]), b"".join(each["body"] for each in sent[1:])


def responding_app(kind, *parts, status=200):
    async def app(scope, receive, send):
        size = str(sum(map(len, parts))).encode()
        headers = [(b"content-type", kind), (b"content-length", size), (b"etag", b"x"), (b"x-other", b"y")]
        await send({"type": "http.response.start", "status": status, "headers": headers})
        for n, part in enumerate(parts, 1):
            await send({"type": "http.response.body", "body": part, "more_body": n < len(parts)})

    return app


def test_a_page_names_the_scripts_that_it_will_need(monkeypatch):
    monkeypatch.setattr(served, "_served", {"strip.0.js": "", "lesson.0.js": ""})
    page = b"<html><head><title>a</title></head><body></head></body></html>"
    status, headers, body = middleware_response(responding_app(b"text/html; charset=utf-8", page[:20], page[20:]))
    links = preload.preload_links().encode()
    assert (status, body) == (200, page.replace(b"</head>", links + b"</head>", 1))
    assert headers[b"content-length"] == str(len(body)).encode()
    assert headers[b"x-other"] == b"y" and b"etag" not in headers
    assert b'href="./scripts/strip.0.js"' in links and b"lesson" not in links
    assert links.count(b"static/js/Slider.") == 1  # the file exists, and Streamlit's own page does not name it
    assert {name.partition(".")[0] for name in preload.element_scripts()} > {*preload.KINDS}


@pytest.mark.parametrize("kind, status", [(b"text/javascript", 200), (b"text/html", 404), (b"text/html", 304)])
def test_what_is_no_page_passes_as_it_is(kind, status):
    body = b"<head></head>"
    got = middleware_response(responding_app(kind, body, status=status))
    assert got[0] == status and got[1][b"etag"] == b"x" and got[2] == body


def test_a_question_for_the_head_alone_passes_as_it_is():
    assert middleware_response(responding_app(b"text/html", b"<head></head>"), "HEAD")[2] == b"<head></head>"


@pytest.mark.slow
def test_the_first_visitor_waits_for_no_module():
    """Check that all that the first page and the first typed word need is loaded before anybody is served."""
    script = f"""
import sys
from streamlit.testing.v1 import AppTest
from viz.ready import prepare_server

prepare_server()
before = {{*sys.modules}}
at = AppTest.from_file({str(ROOT / "app.py")!r}, default_timeout={LIMIT}).run()
at.text_area[0].input("a b c")
at.text_area[1].input("a c b").run()
assert not at.exception
print(sorted({{*sys.modules}} - before))
"""
    done = subprocess.run([sys.executable, "-c", script], cwd=ROOT, capture_output=True, text=True, timeout=LIMIT)
    loaded = ast.literal_eval(done.stdout)
    # A server has looked for the components of other packages long before; a test of a script does that on its way.
    assert [name for name in loaded if not name.startswith(("packaging.", "streamlit.components.v2."))] == []
