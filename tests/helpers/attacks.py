"""Test what a hostile visitor does to other visitors: `python -m tests.helpers.attacks MESSAGES SEED`.

A session without a browser sends messages that no page sends: widget values of wrong types, values of widgets that are
not drawn, events with any content, random and damaged links, compression bombs, other kinds of messages, and frames
that are not messages. A second visitor types at the same time. Exits with 1 if the server logs a traceback, if an
answer takes more than 2 s, or if more than 5 of 100 changes of the second visitor take more than half a second.
"""

from __future__ import annotations

import asyncio
import base64
import json
import os
import random
import re
import string
import sys
import tempfile
import time
import zlib
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import quote

from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from streamlit.proto.WidgetStates_pb2 import WidgetState
from websockets.exceptions import ConnectionClosed

from tests.benchmarks.bench_load import Texts, Visitor
from tests.helpers.app import ROOT, served
from tests.helpers.sessions import PATIENCE, session

SLOWEST, BESIDE = 2.0, 0.5  # limits in seconds: of any answer, and of 95 of 100 changes of the second visitor
STAY = 30  # the most messages in a session
PAUSE = 0.5  # mean seconds between two changes of the second visitor
TRACEBACK = "Traceback (most recent call last)"

#: Texts, and below numbers, that the attacker sends as values and inside JSON.
TEXTS = (
    *("", " ", "x", "1,0", "-1", "gtm", "<script>alert(1)</script>", "$\\frac{1}{0}$", "\0\x1b[31m\u202e"),
    *("👩‍👩‍👧" * 50, "0" * 5_000, " " * 40_000, "[" * 40_000, "a " * 3_000, "../../etc/passwd"),
)
NUMBERS = (0, 1, -1, 2, 3.5, 2**31, -(2**62), 10**400, 1e308, -0.0, 7, 12)
WHOLE = (0, 1, -1, 2**31, -(2**62), 2**62)
ALL_FIELDS = tuple(field.name for field in WidgetState.DESCRIPTOR.fields if field.name != "id")
#: The field of `WidgetState` for the value of a widget, by kind of widget.
FIELDS = {"button": "trigger_value", "checkbox": "bool_value", "number_input": "double_value"}
FIELDS |= {"button_group": "string_array_value", "multiselect": "string_array_value", "slider": "double_array_value"}
FIELDS |= dict.fromkeys(("plotly_chart", "selectbox", "text_area", "text_input"), "string_value")
FLOATS = (0.0, -1.0, 0.5, 1e308, float("inf"), float("nan"), -(2.0**62))


def event_names() -> list[str]:
    """Return the sorted names of browser events that our scripts and pages use, found in their source files."""
    found: set[str] = set()
    for file in (ROOT / "viz").rglob("*"):
        if file.suffix in {".js", ".py"}:
            text = file.read_text(encoding="utf-8")
            found |= set(re.findall(r'(?:name|what|kind) (?:==|in|!=) \(?"([a-z_]+)"', text))
            found |= set(re.findall(r'case "([a-z_]+)"', text))
            found |= set(re.findall(r'tell\(\s*"([a-z_]+)"', text))
    return sorted(found)


class SentMessage(NamedTuple):
    """A short description of a message that was sent, and the seconds until its answer."""

    what: str
    seconds: float


class Attacker:
    """A session of the app without a browser that sends messages that no page would send."""

    def __init__(self, socket: Any, rng: random.Random, links: Sequence[str]) -> None:
        self.socket, self.random, self.links = socket, rng, links
        self.names = event_names()
        self.widgets: dict[str, tuple[str, list[str]]] = {}  # (kind, options) by identifier, of all pages so far
        self.fragments: set[str] = set()
        self.pages: list[str] = []
        self.page = ""
        self.clock = 1.0

    async def open(self) -> None:
        """Open the app, half of the time by a random link, and send random data as a reloaded tab's stored data."""
        _, message = self._random_link_message() if self.random.random() < 0.5 else ("", BackMsg())
        message.rerun_script.SetInParent()
        await self._send_and_await(message)
        for identifier in [each for each in self.widgets if each.endswith(("-kept_beside", "-kept_texts"))]:
            answer = BackMsg()
            answer.rerun_script.CopyFrom(message.rerun_script)
            answer.rerun_script.page_script_hash = self.page
            state = answer.rerun_script.widget_states.widgets.add()
            if self.random.random() < 0.5:
                state.id = f"$$STREAMLIT_INTERNAL_KEY_{identifier}__events"
                state.json_trigger_value = json.dumps([{"event": "found", "value": {"document": None}}])
            else:
                self._set_random_event(identifier, state)
            await self._send_and_await(answer)

    async def attack(self) -> SentMessage:
        """Send one hostile message, and wait for its answer where it gets one."""
        chosen = self.random.random()
        if chosen < 0.6:
            what, message = self._random_widget_message()
        elif chosen < 0.85:
            what, message = self._random_link_message()
        elif chosen < 0.97:
            what, message = self._page_change_message()
        else:
            what, message = self._other_kind_of_message()
        start = time.perf_counter()
        await self._send_and_await(message, waits=chosen < 0.97)
        return SentMessage(what, time.perf_counter() - start)

    # ------------------------------------------------------------ messages

    def _random_widget_message(self) -> tuple[str, BackMsg]:
        """Return (description, message) of a message with random values for one to four widgets."""
        message, said = BackMsg(), []
        message.rerun_script.page_script_hash = self.page
        known = sorted(self.widgets)
        for identifier in self.random.choices(known, k=self.random.randint(1, 4)) if known else ():
            kind, choices = self.widgets[identifier]
            state = message.rerun_script.widget_states.widgets.add()
            state.id = identifier
            if kind == "bidi_component" and self.random.random() < 0.8:
                self._set_random_event(identifier, state)
            elif kind in FIELDS and self.random.random() < 0.5:
                self._set_random_value(state, FIELDS[kind], choices)
            else:
                self._set_random_value(state, self.random.choice(ALL_FIELDS), choices)
            said.append(f"{identifier[-40:]}={str(state)[-160:]!r}")
        if self.fragments and self.random.random() < 0.3:
            message.rerun_script.fragment_id = self.random.choice(sorted(self.fragments))
        message.rerun_script.SetInParent()
        return " ".join(said), message

    def _set_random_value(self, state: WidgetState, kind: str, choices: Sequence[str]) -> None:
        """Set a random value in the field `kind` of a widget's state; texts are often from the widget's `choices`."""
        texts = [*choices] if choices and self.random.random() < 0.7 else [*TEXTS, "the cat sat on the mat"]
        several = {"double_array_value": FLOATS, "int_array_value": WHOLE, "string_array_value": texts}
        if kind in {"trigger_value", "bool_value"}:
            setattr(state, kind, self.random.random() < 0.8)
        elif kind == "int_value":
            state.int_value = self.random.choice(WHOLE)
        elif kind == "double_value":
            state.double_value = self.random.choice(FLOATS)
        elif kind == "string_value":
            state.string_value = self.random.choice([*texts, json.dumps(self._random_json())])
        elif kind in several:
            getattr(state, kind).data.extend(self.random.choices(several[kind], k=self.random.randrange(4)))
        elif kind in {"json_value", "json_trigger_value"}:
            setattr(state, kind, self.random.choice([json.dumps(self._random_json()), self.random.choice(TEXTS)]))
        elif kind == "bytes_value":
            state.bytes_value = self.random.randbytes(20)
        elif kind == "file_uploader_state_value":
            file = state.file_uploader_state_value.uploaded_file_info.add()
            file.file_id, file.name, file.size = "none", self.random.choice(TEXTS), 2**63
        elif kind in {"string_trigger_value", "chat_input_value"}:
            getattr(state, kind).data = self.random.choice(TEXTS)
        else:
            state.arrow_value.SetInParent()

    def _set_random_event(self, identifier: str, state: WidgetState) -> None:
        """Put an event of the component `identifier` into `state`: a name that some component knows, with any value."""
        self.clock += 1
        told = [[self.clock, self.random.choice(self.names), self._random_json()]]
        if self.random.random() < 0.3:
            told[0].append(self._random_json())
        event = self.random.choice(("told", "told", "told", "pick", "open", "found", "beside", "has", "lost", "room"))
        value = told if event == "told" and self.random.random() < 0.9 else self._random_json()
        if event in {"found", "beside"} and self.random.random() < 0.8:
            document = json.dumps(
                {
                    "pages": [self._random_json(), json.dumps(self._random_json())],
                    "query": self._random_json(),
                    **self._random_json_object(),
                }
            )
            value = {"document": document} if event == "found" else document
        if event == "room" or self.random.random() < 0.2:
            state.id, state.json_value = identifier, json.dumps({event: value, "room": self._random_json()})
        else:
            state.id = f"$$STREAMLIT_INTERNAL_KEY_{identifier}__events"
            state.json_trigger_value = json.dumps([{"event": event, "value": value}])

    def _random_json(self, depth: int = 2) -> Any:
        """Return a random JSON value, nested at most `depth` levels deep."""
        chosen = self.random.random()
        if chosen < 0.35:
            return self.random.choice([*TEXTS, *self.names, "\ud800"])
        if chosen < 0.75 or not depth:
            return self.random.choice([*NUMBERS, None, True, False, float("nan"), float("inf"), *range(12)])
        if chosen < 0.88:
            return [self._random_json(depth - 1) for _ in range(self.random.randrange(4))]
        return self._random_json_object(depth - 1)

    def _random_json_object(self, depth: int = 1) -> dict[str, Any]:
        return {
            self.random.choice([*self.names, "x"]): self._random_json(depth) for _ in range(self.random.randrange(4))
        }

    def _random_link_message(self) -> tuple[str, BackMsg]:
        """Return (description, message) of a message with a random link.

        The link has random letters, is a damaged link to a page, or holds a compressed hostile chapter."""
        message, chosen = BackMsg(), self.random.random()
        if chosen < 0.2:
            query = "".join(self.random.choices(string.printable, k=self.random.randrange(200)))
        elif chosen < 0.35:
            query = f"page=learn&own={quote(compressed_chapter(self.random))}"
        else:
            letters = list(self.random.choice(self.links))
            for _ in range(self.random.randrange(6)):
                if letters:
                    letters[self.random.randrange(len(letters))] = self.random.choice(string.printable)
            query = "".join(letters)
        message.rerun_script.query_string = query
        message.rerun_script.page_script_hash = self.random.choice([self.page, *self.pages])
        return f"link {query[:300]!r}", message

    def _page_change_message(self) -> tuple[str, BackMsg]:
        message = BackMsg()
        message.rerun_script.page_script_hash = self.random.choice([*self.pages, self.page, "none"])
        return f"page {message.rerun_script.page_script_hash}", message

    def _other_kind_of_message(self) -> tuple[str, BackMsg]:
        message = BackMsg()
        kind = self.random.choice(
            ("clear_cache", "set_run_on_save", "stop_script", "load_git_info", "fragment", "files")
        )
        if kind == "fragment":  # Streamlit logs that the fragment is missing and does not answer
            message.rerun_script.fragment_id = "none"
        elif kind == "files":
            message.file_urls_request.request_id = "x"
            message.file_urls_request.file_names.extend(self.random.choices(TEXTS, k=3))
        else:
            setattr(message, kind, True)
        return kind, message

    # ------------------------------------------------------------ answers

    async def _send_and_await(self, message: BackMsg, waits: bool = True) -> None:
        """Send a message and read the answers until the run of the page finishes; with `waits` False only send it."""
        await self.socket.send(message.SerializeToString())
        while waits:
            received = ForwardMsg.FromString(await asyncio.wait_for(self.socket.recv(), PATIENCE))
            kind = received.WhichOneof("type")
            if kind == "navigation":
                self.pages = [page.page_script_hash for page in received.navigation.app_pages]
                self.page = received.navigation.page_script_hash
            elif kind == "new_session" and not received.metadata.run.fragment_ids:
                self.fragments.clear()
            elif kind == "delta":
                self._remember_widget(received)
            elif kind == "script_finished" and received.script_finished != ForwardMsg.FINISHED_EARLY_FOR_RERUN:
                return

    def _remember_widget(self, received: ForwardMsg) -> None:
        """Remember the widget and Streamlit's fragment that a received message draws, to attack them later."""
        if fragment := received.delta.fragment_id:
            self.fragments.add(fragment)
        if received.delta.WhichOneof("type") != "new_element":
            return
        element = received.delta.new_element
        kind = element.WhichOneof("type")
        drawn = getattr(element, kind) if kind else None
        identifier = getattr(drawn, "id", None)
        if isinstance(identifier, str) and identifier:
            choices = [str(choice) for choice in getattr(drawn, "options", ())]
            self.widgets[identifier] = str(kind), choices


async def send_frame(port: int, rng: random.Random) -> SentMessage:
    """Send one WebSocket frame that is not a message, and wait until the server closes the connection.

    The frame is bytes or text."""
    frame = rng.choice((b"no message", rng.randbytes(rng.randrange(100, 400)), "text", "\0" * 50_000))
    start = time.perf_counter()
    async with session(port) as socket:
        await socket.send(frame)
        with suppress(ConnectionClosed):
            while True:
                await asyncio.wait_for(socket.recv(), PATIENCE)
    return SentMessage(f"frame {frame[:60]!r}", time.perf_counter() - start)


def compressed_chapter(rng: random.Random) -> str:
    """Return a hostile chapter of the Learn page, compressed as in a link.

    Its text is blanks, brackets, random letters, or begins like a chapter."""
    text = rng.choice(
        (
            " " * rng.choice((39_000, 2_000_000)),
            "[" * 30_000,
            'key = "' + "\\" * 30_000,
            '"' * 30_000,
            "\n".join(["[[screen]]"] * 3_000),
            'title = "x"\n[[screen]]\nidea = ["{1e9999*1e9999}", "{9**9**9**9}"]\n',
            "".join(rng.choices(string.printable, k=3_000)),
        )
    )
    packed = zlib.compress(text.encode())
    if rng.random() < 0.2:
        packed = packed[: rng.randrange(len(packed))]
    return base64.urlsafe_b64encode(packed).decode()


def links_to_pages() -> list[str]:
    """Return links to every page: in its initial state, with some texts, and with a chosen term."""
    from viz.state.links import link, pages

    if not pages.all_pages():
        import viz.pages  # noqa: F401  registers the pages
    made = []
    for page in pages.all_pages():
        for texts in ({}, {"references": "the cat sat on the mat\na cat was on the mat"}):
            made.append((link.link(page.record(**texts)) or "").removeprefix("?"))
            made.append(f"{made[-1]}&candidate=the%20cat%20on%20the%20mat&metric=bleu&view=steps&look.term=1")
    return made


class AttackReport(NamedTuple):
    """The outcome of an attack on the running app.

    Attributes:
        tracebacks: the tracebacks in the server's log.
        slowest: the five messages with the slowest answers.
        beside: the seconds that each change of the second visitor took, sorted."""

    tracebacks: list[str]
    slowest: list[SentMessage]
    beside: list[float]

    @property
    def p95(self) -> float:
        """Return the 95th percentile of the second visitor's seconds."""
        return self.beside[int(0.95 * len(self.beside))]


async def _attack_and_type(port: int, messages: int, seed: int) -> tuple[list[SentMessage], list[float]]:
    """Attack the app while a second visitor types; return the sent messages and the visitor's seconds per change.

    The seconds are sorted."""
    rng, links = random.Random(seed), links_to_pages()
    sent: list[SentMessage] = []
    visitor_seconds: list[float] = []
    ended = asyncio.Event()

    async def type_as_second_visitor() -> None:
        texts = Texts(seed)
        async with session(port) as socket:
            visitor = Visitor(socket)
            await visitor.open()
            await visitor.type(*texts.next_texts(30, 2))
            while not ended.is_set():
                visitor_seconds.append(await visitor.type(*texts.next_texts(30, 2)))
                await asyncio.sleep(texts.random.uniform(0, 2 * PAUSE))

    async def send_attacks() -> None:
        try:
            while len(sent) < messages:
                sent.append(await send_frame(port, rng))
                async with session(port) as socket:
                    attacker = Attacker(socket, rng, links)
                    await attacker.open()
                    for _ in range(min(STAY, messages - len(sent))):
                        sent.append(await attacker.attack())
        finally:
            ended.set()

    async with asyncio.TaskGroup() as group:
        group.create_task(type_as_second_visitor())
        group.create_task(send_attacks())
    return sent, sorted(visitor_seconds)


def attack_app(messages: int, seed: int, log: Path) -> AttackReport:
    """Start the app, send it `messages` hostile messages, and return the outcome; equal seeds send equal messages."""
    # The event loop needs a thread of its own: after a browser was driven, this thread already runs a loop.
    with log.open("wb") as file, served(log=file.fileno()) as app, ThreadPoolExecutor(1) as pool:
        sent, visitor_seconds = pool.submit(asyncio.run, _attack_and_type(app.port, messages, seed)).result()
    parts = log.read_text(encoding="utf-8", errors="replace").split(TRACEBACK)[1:]
    return AttackReport(parts, sorted(sent, key=lambda each: -each.seconds)[:5], visitor_seconds)


def main() -> int:
    messages, seed = (int(argument) for argument in (*sys.argv[1:], *("3000", "1")[len(sys.argv) - 1 :])[:2])
    with tempfile.TemporaryDirectory() as folder:
        found = attack_app(messages, seed, Path(folder) / "log")
    for traceback in found.tracebacks[:20]:
        print(f"{TRACEBACK}{traceback[:3_000]}\n{'-' * 40}")
    for each in found.slowest:
        print(f"{each.seconds:.2f} s: {each.what[:300]}")
    print(
        f"{messages} messages, {len(found.tracebacks)} tracebacks, slowest {found.slowest[0].seconds:.2f} s; "
        f"{len(found.beside)} changes beside, p95 {found.p95:.2f} s, slowest {found.beside[-1]:.2f} s"
    )
    return 1 if found.tracebacks or found.slowest[0].seconds > SLOWEST or found.p95 > BESIDE else 0


if __name__ == "__main__":
    os.environ.setdefault("PYTHONUNBUFFERED", "1")
    sys.exit(main())
