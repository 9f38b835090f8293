"""Tests of an algorithm's steps in files: they hold what the player shows, and the page plays without a server."""

from __future__ import annotations

import io
import json
import re
import shutil
import subprocess
import zipfile
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

import metrics
import viz
from metrics.teach.steps import number as printed
from tests.helpers.app import skip_missing
from tests.helpers.cases import TAUGHT
from tests.helpers.fragments import read_page
from tests.helpers.markup import check_self_contained
from tests.helpers.pages import AppPage
from tests.helpers.segments import HOSTILE
from tests.helpers.waiting import LIMIT
from tests.helpers.walks import POLICE, walk_of_texts
from viz.draw.pen import svg
from viz.draw.steps.step_formula import formula_at_steps
from viz.save import steps_beamer, steps_files, steps_page

HOSTILE_WORDS = " ".join(word for word in HOSTILE if word.isascii() and "\x00" not in word) + " שלום 昨日"


def test_the_list_has_every_step() -> None:
    for key in TAUGHT:
        walk = walk_of_texts(key, *POLICE)
        lines = steps_files.steps_text(walk).splitlines()
        assert lines[0] == f"{metrics.METRICS[key].name}, step by step"
        assert lines[1] == walk.signature() and lines[3] == "Candidate: police kill the gunman"
        told = [line for line in lines[lines.index("", 3) + 1 :] if not line.startswith("    ")]
        assert walk.ended and len(told) == len(walk.steps)
        found = [line for line in lines[lines.index("", 3) + 1 :] if line.startswith("    ")]
        assert found == [f"    {definition}" for news in steps_files.step_definitions(walk) for definition in news]
        score = printed(walk.steps[-1].score or 0)
        assert any(line.endswith(f" = {score}") for line in found), "the formula ends in the score"
        for number, (line, step) in enumerate(zip(told, walk.steps, strict=True), 1):
            assert line.startswith(f"{number}. {step.text}")
            assert ("(Decision: " in line) == (step.decision is not None)


def serialised_shapes(document: str) -> set[str]:
    """Return the shapes of a picture as serialised elements, without those of its legend."""
    root = ElementTree.fromstring(document)
    out = set()
    for group in root.iter("{http://www.w3.org/2000/svg}g"):
        if group.get("transform") is None:
            out |= {ElementTree.tostring(e, encoding="unicode").strip() for e in group if e.get("class", "") != ""}
    return {e for e in out if 'class="key"' not in e and "<ns0:g" not in e[:6]}


@pytest.mark.slow
def test_the_pictures_are_numbered_and_show_what_each_step_shows() -> None:
    for key in ("gtm", "wer", "ter", "rouge_w", "dcs"):
        walk = walk_of_texts(key, *POLICE)
        data = steps_files.pictures_zip(walk)
        assert data == steps_files.pictures_zip(walk), "the same steps, the same bytes"
        files = zipfile.ZipFile(io.BytesIO(data))
        *pictures, listed = files.namelist()
        assert pictures == [f"step_{number:03}.svg" for number in range(1, len(walk.steps) + 1)]
        assert listed == "steps.txt" and files.read(listed).decode() == steps_files.steps_text(walk)
        sizes, formulas = set(), formula_at_steps(walk.trace, walk.steps)
        for number, name in enumerate(pictures):
            document = files.read(name).decode()
            root = ElementTree.fromstring(document)
            sizes.add((root.get("width"), root.get("height")))
            texts = {e.text for e in root.iter("{http://www.w3.org/2000/svg}text")}
            assert {entry.text for entry in steps_files.legend(walk)} <= texts
            assert walk.trace.metric in (root.findtext("{http://www.w3.org/2000/svg}desc") or "")
            assert walk.title(number)[:190] in (root.findtext("{http://www.w3.org/2000/svg}title") or "")
            (formula,) = [g for g in root.iter("{http://www.w3.org/2000/svg}g") if g.get("class") == "formula"]
            assert [e.text for e in formula if e.text] == [p.text for p in formulas[number].pieces if p.text]
            assert formulas[number].width < float(root.get("width") or 0) - 8
            formula.clear()
            assert serialised_shapes(ElementTree.tostring(root, encoding="unicode")) == serialised_shapes(
                svg.svg_file(walk.picture(number))
            )
        assert len(sizes) == 1, "one after the other they stay in their place"


def test_what_is_left_out_is_said() -> None:
    walk = walk_of_texts("wer", *POLICE)
    files = zipfile.ZipFile(io.BytesIO(steps_files.pictures_zip(walk, 3)))
    assert len(files.namelist()) == 4
    assert files.read("steps.txt").decode().endswith("The first 3 steps are drawn; the algorithm takes more.\n")
    count = len(walk.steps)
    notes = [steps_files.remainder_note(walk, most, "drawn") for most in (count - 1, count, count + 1)]
    assert walk.ended and notes[0] and notes[1:] == ["", ""]


def test_the_page_loads_nothing_and_runs_its_own_script_alone() -> None:
    page = steps_page.page_html(walk_of_texts("rouge_l", HOSTILE_WORDS, HOSTILE_WORDS, "a b"))
    script, shown = check_self_contained(page), read_page(page).one("main")
    items = shown.one("details", "listed").all("li")
    assert any("= 1" in note.text for note in shown.one("details", "listed").all("span", "note"))
    assert len(items) == len(json.loads(re.findall(r"^stepsPage\((\{.*\})\);$", script, re.MULTILINE)[0])["steps"])


# ---------------------------------------------------------------- slides


@pytest.mark.slow
def test_the_slides_have_every_step_and_compile(tmp_path: Path) -> None:
    walk = walk_of_texts("ter", f"b a {HOSTILE_WORDS.split()[0]} שלום", f"a b {HOSTILE_WORDS.split()[1]} שלום 昨日")
    tex = steps_beamer.document(walk)
    count = len(walk.steps)
    assert walk.ended and 10 < count < 60
    assert all(tex.count(f"\\only<{number}>{{") >= 1 for number in range(1, count + 1))
    assert "<script>" not in tex
    if not shutil.which("lualatex"):
        skip_missing("lualatex")
    (tmp_path / "steps.tex").write_text(tex, encoding="utf-8")
    command = ["lualatex", "-interaction=nonstopmode", "-halt-on-error", "-no-shell-escape", "steps.tex"]
    run = subprocess.run(command, cwd=tmp_path, capture_output=True, timeout=2 * LIMIT)
    assert run.returncode == 0, run.stdout.decode("utf-8", "replace")[-2000:]
    log = (tmp_path / "steps.log").read_text("utf-8", "replace")
    assert f"({count} pages" in run.stdout.decode("utf-8", "replace").replace("\n", "")
    assert "Missing character" not in log


def test_slides_fill_the_formula_in_step_by_step() -> None:
    walk = walk_of_texts("rouge_n", "a b c", "a b d")
    tex = steps_beamer.document(walk)
    first, second = [line for line in tex.splitlines() if line.startswith(r"\formulaline{")]
    states = re.findall(r"\\only<([^>]*)>\{(\$.*?\$)\}(?=\\only|\}$)", second)
    assert states[0][1].startswith(r"$F$ $=\dfrac{(1+{1}^{2})\cdot P\cdot R}")
    at, last = states[-1]
    assert r"\cdot 0.667}{0.667+" in last and last.endswith("$=0.667$") and at == str(len(walk.steps))
    assert r"\quad $R$" in first
    for key in TAUGHT:
        walk = walk_of_texts(key, *POLICE)
        for line in steps_beamer.document(walk).splitlines():
            if line.startswith(r"\formulaline{"):
                told, count = re.findall(r"\\only<([^>]*)>", line), len(walk.steps)
                steps = sorted(n for spans in told for span in spans.split(",") for n in parse_step_range(span, count))
                assert steps == [*range(1, count + 1)], "one state of each line at each step"


def parse_step_range(span: str, last: int) -> range:
    start, _, end = span.partition("-")
    return range(int(start), (int(end) if end else last if "-" in span else int(start)) + 1)


def test_few_slides_of_a_long_algorithm() -> None:
    words = " ".join(f"w{n}" for n in range(16))
    walk = walk_of_texts("wer", words, words)
    tex = steps_beamer.document(walk)
    most = steps_beamer.count_overlays(walk)
    assert most == steps_beamer.OVERLAYS_MOST < len(walk.steps) or not walk.ended
    assert f"The first {most} steps are shown; the algorithm takes more." in tex
    assert f"\\only<{most}>{{" in tex and f"\\only<{most + 1}>{{" not in tex


# ---------------------------------------------------------------- on the page


def test_the_save_menu_of_the_steps_has_their_files(monkeypatch: pytest.MonkeyPatch) -> None:
    from viz.frame import menus

    made: list[tuple[str, Any]] = []
    own = menus.st.download_button
    monkeypatch.setattr(menus.st, "download_button", lambda *given, **more: made.append(given) or own(*given, **more))
    long = " ".join(["a b c d."] * 20)
    AppPage(candidate=long, references=long, metric="wer", view="steps").set_state(save=True)
    names = ["wer_steps.html", "wer_steps.zip", "wer_steps.tex", "wer_steps.txt"]
    assert [file for _, _, file, *_ in made] == names
    page, pictures, slides, listed = (make() for _, make, *_ in made)
    assert page.startswith(b"<!DOCTYPE html>") and slides.startswith(b"% Word error rate")
    assert zipfile.ZipFile(io.BytesIO(pictures)).testzip() is None
    assert b"Candidate: a b c d.\n" in listed, "of long texts the part that is stepped through"


def test_more_references_than_a_picture_holds_are_one_sentence() -> None:
    words = " ".join(f"w{n}" for n in range(120))
    page = AppPage(candidate=words, references="\n".join([words] * 16), view="steps").set_state(save=True)
    assert [warning.split(" would")[0] for warning in page.warnings] == ["The picture"]
    assert any("choose a part of the texts" in caption.value for caption in page.at.caption)


def test_a_notebooks_player_needs_no_streamlit_and_says_what_is_wrong() -> None:
    with pytest.raises(TypeError):
        viz.steps("gtm", "a b", [["a"]])  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="exponent"):
        viz.steps("gtm", ["a"], [["a"]], exponent=0.5)
    shown = viz.steps("wer", ["<b>"], [["</script>"]])._repr_html_()
    assert shown.count("<script") == 1 == shown.count("</script") and "url(" not in shown
