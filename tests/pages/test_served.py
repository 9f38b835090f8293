"""Scripts of components: what the server hands out, and that messages have no more than a line that asks for it."""

import re
from pathlib import Path
from types import SimpleNamespace

import pytest
from conftest import ROOT

from viz.components import served
from viz.draw.pen import scripts

NAME = re.compile(r'"scripts/(segments\.[0-9a-f]{20}\.js)"')


@pytest.fixture
def line(monkeypatch):
    """What Streamlit sends of the table's script."""
    sent = []
    monkeypatch.setattr(served, "_routed", True)
    monkeypatch.setattr(served.st.components.v2, "component", lambda name, js, isolate_styles: sent.append(js))
    served.component("bitext_tried", ROOT / "viz/components/segments.js")
    return sent[0]


def fetched(name):
    """What the server answers."""
    was = served._routed
    (route,) = served.routes()
    served._routed = was
    answer = route.endpoint(SimpleNamespace(path_params={"file": name}))
    with pytest.raises(StopIteration) as ended:  # it waits for nothing, and needs no loop
        answer.send(None)
    return ended.value.value


def test_a_script_is_fetched_by_a_name_of_its_own_text(line):
    (name,) = NAME.findall(line)
    got = fetched(name)
    assert got.body.decode() == scripts.put_together(ROOT / "viz/components/segments.js")
    assert got.headers["content-type"].startswith("text/javascript") and "immutable" in got.headers["cache-control"]
    for other in ("segments.js", "../app.py", "\0"):
        assert fetched(other).status_code == 404


def test_a_message_has_no_script(line):
    assert len(line) < 200
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
    assert sent == [scripts.put_together(ROOT / "viz/components/segments.js")]
