"""Tests of `python -m viz chapter`, with which a teacher checks the file of a chapter.

It reports what the Learn page would say of the file."""

import subprocess
import sys

import pytest

from tests.helpers.app import ROOT
from tests.helpers.waiting import LIMIT
from viz import __main__ as command
from viz.pages.learn import chapter_files, own_chapter_file

TINY = ROOT / "tests" / "data" / "chapters" / "tiny.toml"


@pytest.fixture
def run(capsys):
    def check_files(*files):
        status = command.main(["chapter", *map(str, files)])
        return status, capsys.readouterr().out.splitlines()

    return check_files


def test_a_sound_chapter(run):
    minutes = chapter_files.checked_file(TINY).chapter.minutes
    sound = f"tiny.toml: nothing is wrong with “Hits and GTM”, 5 screens in about {minutes} minutes."
    assert run(TINY) == (0, [sound])


def test_it_says_what_the_page_says(run, tmp_path):
    text = TINY.read_text(encoding="utf-8").replace("{main.matches}", "{main.hits}").replace("right = 0", "right = 9")
    text = text.replace('erratum = "It prints one decimal."', "").replace('"5.2"', '"5.4"')
    (tmp_path / "my.toml").write_text(text, encoding="utf-8")
    status, lines = run(tmp_path / "my.toml", TINY)
    assert status == 1 and len(lines) == 4 and "nothing is wrong" in lines[-1]
    assert lines[:3] == [says.replace("The file", "my.toml", 1) for says in own_chapter_file.messages(text)]


@pytest.mark.parametrize(
    ("data", "says"),
    [
        (None, "my.toml cannot be read; it must be a text file in UTF-8."),
        (b"\xff", "my.toml cannot be read in line 1; it must be a text file in UTF-8."),
        (b"#" * 50_000, "my.toml has more than the 40,000 bytes that fit; take something out."),
        (b"a = \x1b[31m", "my.toml is not valid TOML: "),
        ("title = 'עברית \u202e'".encode(), "my.toml: "),
    ],
)
def test_hostile_files_get_a_line(run, tmp_path, data, says):
    if data is not None:
        (tmp_path / "my.toml").write_bytes(data)
    status, lines = run(tmp_path / "my.toml")
    assert status == 1 and lines[0].startswith(says) and all(line.isprintable() for line in lines), lines


def test_a_folder_is_no_chapter(run, tmp_path):
    assert run(tmp_path)[0] == 1


@pytest.mark.parametrize("given", [[], ["chapter"], ["chapters", "x"]])
def test_a_wrong_call(given, capsys):
    with pytest.raises(SystemExit) as stop:
        command.main(given)
    assert stop.value.code == 2 and "usage: python -m viz" in capsys.readouterr().err


@pytest.mark.slow
def test_the_call_of_the_manual():
    manual = (ROOT / "viz/pages/learn/chapters/README.md").read_text(encoding="utf-8")
    assert "python -m viz chapter my_chapter.toml" in manual
    call = [sys.executable, "-m", "viz", "chapter", str(TINY)]
    done = subprocess.run(call, cwd=ROOT, capture_output=True, text=True, encoding="utf-8", timeout=LIMIT)
    assert (done.returncode, done.stderr) == (0, ""), done.stderr
    assert done.stdout.startswith("tiny.toml: nothing is wrong")
