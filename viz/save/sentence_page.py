"""Write what the Sentence page shows as one file: a web page that needs no server, or JSON. Both have the signature."""

from __future__ import annotations

import base64
import hashlib
import json
from collections.abc import Callable, Iterable
from html import escape
from pathlib import Path
from typing import Any

import metrics
from metrics.analysis.verdict import ResultVerdict
from metrics.text import Token
from metrics.types import Result

from ..draw.evidence import ledger
from ..draw.evidence.drawn_result import DrawnResult
from ..draw.evidence.figure import title_of
from ..draw.evidence.fragment import STYLE, fragment
from ..draw.pen import script_bundle
from ..draw.pen.text import safe
from ..draw.pen.theme import DARK, LIGHT, ground_css
from ..draw.texts import ProcessedTexts

#: The base name of files, and for each file its label, its suffix, and the function that makes its content. The
#: function may raise ValueError with a sentence for the user.
Files = tuple[str, list[tuple[str, str, Callable[[], str | bytes]]]]

# ---------------------------------------------------------------- a web page

PAGE = (
    f"""
:root {{ color-scheme: light dark; {ground_css(LIGHT)} }}
@media (prefers-color-scheme: dark) {{ :root {{ {ground_css(DARK)} }} }}
"""
    + """\
:root { --st-background-color: var(--paper); --st-secondary-background-color: var(--soft); } /* as in the app */
* { box-sizing: border-box; }
body { margin: 0; background: var(--paper); color: var(--ink);
  font: 16px/1.45 system-ui, "Segoe UI", "Helvetica Neue", Arial, sans-serif; }
main { max-width: 1460px; margin: 0 auto; padding: 24px 24px 40px; }
header { padding-bottom: 12px; margin-bottom: 14px; border-bottom: 1px solid rgba(128,128,128,.3); }
h1 { font-size: 24px; font-weight: 600; line-height: 1.2; margin: 0 0 2px; }
header p { margin: 0; max-width: 60em; opacity: .85; }
@container (min-width: 940px) { .bitext .inspector { top: 12px; max-height: calc(100vh - 24px); } }
@media (max-width: 640px) { main { padding: 16px; } }
"""
)
#: The style of cases and charts in reports.
CASES = """
.told { max-width: 62em; margin: 0 0 6px; overflow-wrap: anywhere; }
.charts { display: flex; flex-wrap: wrap; gap: 0 28px; } .charts .chart { flex: 0 1 430px; margin: 10px 0; }
.case { margin: 0 0 34px; padding-top: 12px; border-top: 1px solid var(--line, rgba(128,128,128,.3)); }
.case h3 { font-size: 17px; font-weight: 600; margin: 0 0 4px; overflow-wrap: anywhere; }
@media print { .case h3 { break-after: avoid; } }
"""
#: The script that makes every fragment of a page respond.
SCRIPT = script_bundle.bundle_modules(Path(__file__).with_suffix(".js"))


def page_html(drawn: DrawnResult) -> str:
    """Return the evidence of a result as one HTML document that loads nothing and highlights as the page does."""
    metric = metrics.METRICS[drawn.result.metric]
    return view_html(title_of(drawn), metric.name, metric.about.idea, fragment(drawn))


def view_html(title: str, name: str, idea: str, content: str) -> str:
    """Return an HTML document with `content`, which is HTML, below the name of a view and its idea in one sentence."""
    header = f"<header><h1>{escape(name)}</h1><p>{escape(idea)}</p></header>"
    return document(escape(title), PAGE + STYLE, [header, content], SCRIPT)


def origin_html(date: str, link: str, opens: str = "Open in Bitext Grid") -> str:
    """Return, as HTML, when a report was made and the link back to the page, with the words `opens`.

    `date` and `link` are "" if they are unknown."""
    back = f'<a href="{escape(link)}">{opens}</a>' if link else "Bitext Grid"
    return f'<p class="made">{" · ".join(filter(None, [escape(date), back]))}</p>'


def signatures_html(signatures: Iterable[str]) -> str:
    """Return, as HTML, the signatures by which every number of a report can be repeated."""
    lines = "".join([f'<p class="sig">{safe(each, 2_000)}</p>' for each in signatures])
    return f'<section class="bitext"><h2>Signatures</h2>\n{lines}</section>'


def document(title: str, style: str, main: Iterable[str], script: str = "") -> str:
    """Return an HTML document whose security policy allows it to load nothing, and to run nothing but `script`.

    `title` and the parts of `main`, the document's body, are HTML; `style` is CSS."""
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    runs = f"; script-src 'sha256-{digest}'" if script else ""
    return "\n".join(
        [
            '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">',
            '<meta http-equiv="Content-Security-Policy" '
            f"content=\"default-src 'none'; style-src 'unsafe-inline'; img-src data:{runs}\">",
            '<meta name="viewport" content="width=device-width, initial-scale=1">',
            f"<title>{title}</title>",
            f"<style>\n{style}</style>",
            "</head>\n<body>\n<main>",
            *main,
            "</main>",
            *([f"<script>{script}</script>"] if script else []),
            "</body>\n</html>\n",
        ]
    )


# ---------------------------------------------------------------- JSON


def result_json(texts: ProcessedTexts, result: Result, verdict: ResultVerdict | None = None) -> str:
    """Return the whole result as JSON in ASCII.

    It has the words as typed, their positions in the text, and how they were processed. The verdict, if given, comes
    first."""
    verdict_entry = {"verdict": verdict.to_dict()} if verdict else {}
    return json_text({**verdict_entry, **result_dict(texts, result)}) + "\n"


def result_dict(texts: ProcessedTexts, result: Result) -> dict[str, Any]:
    """Return the content of `result_json`, without a verdict, as a dict of JSON's types.

    Raises ValueError if there are more terms than a file holds."""
    ledger.check_term_count(result)
    body = result.to_dict()
    body["signature"] = result.signature(texts.settings.signature())
    text = {
        "settings": texts.settings.to_dict(),
        **({"source": texts.source} if texts.source else {}),
        **({"marked": [mark._asdict() for mark in texts.marked]} if texts.marked else {}),
        "candidate": _token_dicts(texts.candidate),
        "references": [_token_dicts(r) for r in texts.references],
    }
    first = {name: body.pop(name) for name in ("metric", "signature", "score", "parts", "settings")}
    return {**first, "text": text, **body}


def results_json(texts: ProcessedTexts, results: Iterable[Result]) -> str:
    """Return the results of several metrics on the same texts as a JSON object, by metric."""
    return json_text({result.metric: result_dict(texts, result) for result in results}) + "\n"


def _token_dicts(tokens: Iterable[Token]) -> list[dict[str, Any]]:
    """Return each token as a dict: as typed, as processed, and its position in the text."""
    return [{"raw": t.raw, "form": t.form, "start": t.start, "end": t.end} for t in tokens]


def json_text(value: Any, depth: int = 0) -> str:
    """Return `value` as indented JSON in ASCII; whatever fits on a line is on one line.

    `depth` is the number of spaces by which the value is indented already."""
    line = json.dumps(value)  # ASCII, so that unpaired surrogates are kept too
    if len(line) + depth <= 110 or not isinstance(value, dict | list):
        return line
    inner = "\n" + " " * (depth + 1)
    if isinstance(value, dict):
        parts = [f"{json.dumps(name)}: {json_text(part, depth + 1)}" for name, part in value.items()]
        return "{" + inner + ("," + inner).join(parts) + "\n" + " " * depth + "}"
    parts = [json_text(part, depth + 1) for part in value]
    return "[" + inner + ("," + inner).join(parts) + "\n" + " " * depth + "]"
