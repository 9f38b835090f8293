"""Check that drawn HTML holds only inert markup, whatever the words are, and that saved pages load nothing."""

from __future__ import annotations

import base64
import hashlib
import re

from tests.helpers.fragments import LEAST_SIZE, Element, read_page
from tests.helpers.segments import HOSTILE

SHAPE = {"class", "data-term", "data-cell", "data-says", "data-words"}


INK = {
    *("fill", "fill-opacity", "opacity", "class", "data-says", "font-size", "transform"),
    *("stroke", "stroke-width", "stroke-linecap", "stroke-linejoin", "stroke-opacity", "stroke-dasharray"),
}


PLACE = {f"data-{name}" for name in ("k", "i", "j", "rows", "columns", "x", "y", "size", "border")}


ALLOWED: dict[str, set[str]] = {  # tag → allowed attributes
    **{
        tag: set()
        for tag in ("u", "br", "code", "dd", "dl", "dt", "em", "h2", "i", "pre", "small", "sup", "tbody", "thead")
    },
    "b": {"class"},
    "bdi": {"dir"},
    "button": {"aria-label", "aria-pressed", "class", "data-open", "data-show", "title", "type"},
    "caption": {"class"},
    "details": {"class", "data-reference"},
    "div": {"aria-label", "class", "dir", "hidden", "role"}
    | {f"data-{name}" for name in ("at", "chosen", "count", "folded", "keys", "line", "metric", "reference", "size")},
    "li": {"class"},
    "ol": {"class"},
    "p": {"aria-live", "class"},
    "section": {"aria-label", "class"},
    "summary": {"class"},
    "span": {"class", "data-cell", "data-word", "title", "data-says", "data-tie"},
    "table": {"class", "role"},
    "td": {"class", "title"},
    "th": {"class", "colspan", "scope"},
    "title": set(),
    "tr": {"aria-selected", "class", "data-cells", "data-term", "data-words", "tabindex"},
    "wbr": set(),
    # SVG
    "circle": SHAPE | {"cx", "cy", "r"},
    "g": SHAPE | INK,
    "line": {"class", "x1", "x2", "y1", "y2"},
    "path": SHAPE | INK | PLACE | {"d"},
    "polygon": SHAPE | {"points"},
    "polyline": SHAPE | {"points"},
    "rect": {"class", "width", "height"},
    "svg": {"aria-label", "class", "height", "role", "style", "viewbox", "width", "x", "y"},
    "text": SHAPE | {"data-word", "direction", "font-size", "text-anchor", "transform", "x", "y"},
    # MathML
    **{tag: set() for tag in ("mfrac", "mi", "msqrt", "msub", "msup", "mtd", "mtr")},
    "math": {"displaystyle"},
    "mn": {"class"},
    "mo": {"class", "form", "lspace", "rspace", "stretchy"},
    "mrow": {"class", "data-known", "data-layer", "data-term"},
    "mtable": {"class"},
    "mtext": {"class"},
}


#: Words that contain markup, the ends of attributes and elements, or syntax of frameworks.
WORDS = (
    *HOSTILE,
    *("<img/src=x/onerror=alert(1)>", "\"onload=alert(1)'", "</bdi></span><script>", "--><!--", "<![CDATA[x]]>", "]]>"),
    *("</svg><style>*{display:none}", "javascript:alert(1)", "{{7*7}}", "${x}", "`id`", "&lt;b&gt;", "'><a/href=//x>"),
    "<math><mtext>",
)


def check_allowed(root: Element) -> None:
    for e in root:
        assert e.tag in ALLOWED, e.tag
        assert set(e.attributes) <= ALLOWED[e.tag], (e.tag, e.attributes)
        for name, value in e.attributes.items():
            if name not in ("title", "aria-label", "data-says"):  # these attributes hold words as text
                assert not set(value) & set("<>\"'`\\") and not INERT.search(value), (e.tag, name, value)


INERT = re.compile(r"url\(|javascript:|expression\(|@import|https?:", re.IGNORECASE)


#: The elements that a saved page may not have, because they load something or lead somewhere.
LOADING = {"link", "img", "iframe", "object", "embed", "form", "base", "image", "use", "a"}


def check_self_contained(html: str) -> str:
    """Check that a saved page loads nothing and runs one script alone, that of its policy; return the script."""
    html.encode("utf-8")  # raises for an unpaired surrogate
    page = read_page(html)
    script = page.one("script").text
    assert html.lower().count("<script") == 1
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    policy = page.one("meta", http_equiv="Content-Security-Policy").get("content")
    assert policy == f"default-src 'none'; style-src 'unsafe-inline'; img-src data:; script-src 'sha256-{digest}'"
    assert page.one("style") and "url(" not in html and "@import" not in html
    # The only address is the SVG namespace, which the script needs to create elements.
    assert re.findall(r"https?:[^\"']*", html) == ["http://www.w3.org/2000/svg"]
    for e in page:
        assert e.tag not in LOADING, e.tag
        assert not {name for name in e.attributes if name.startswith("on") or name in ("src", "href", "xlink:href")}
    for e in page.one("main"):
        assert re.fullmatch(LEAST_SIZE, e.get("style"))
    return script
