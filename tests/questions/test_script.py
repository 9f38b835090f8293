"""The script of pages judges every answer as the core does: by node where there is one; browser tests do so anyway."""

from __future__ import annotations

import json
import random
import shutil
import subprocess

import pytest
from asked import answers, cases
from cases import random_segment
from conftest import ROOT
from test_asked import RULES

import metrics
from metrics.questions.judge import to_dict

JUDGE = ROOT / "viz" / "draw" / "judge.js"
RUN = """
const data = JSON.parse(require("fs").readFileSync(0, "utf8"));
console.log(JSON.stringify(data.map(([question, answers]) => answers.map((answer) => judge(question, answer)))));
"""


@pytest.mark.skipif(not shutil.which("node"), reason="there is no node to run the script")
@pytest.mark.parametrize("key", RULES)
def test_random_answers_are_judged_alike(key):
    rng = random.Random(key)
    asked = []
    for turn in range(8):
        given = RULES[key][1][turn % len(RULES[key][1])]
        for case in cases(key, random_segment(rng, most=6, references=2), given, every=3):
            if case.question:
                tried = answers(case)
                asked.append((case.question, [case.question.shows, *rng.sample(tried, min(40, len(tried)))]))
    data = json.dumps([[to_dict(question), tried] for question, tried in asked])
    script = JUDGE.read_text(encoding="utf-8") + RUN
    run = subprocess.run(["node", "-e", script], input=data, capture_output=True, text=True, check=True)
    for (question, tried), found in zip(asked, json.loads(run.stdout), strict=True):
        for answer, verdict in zip(tried, found, strict=True):
            core = metrics.judge(question, answer)
            assert (verdict["how"], verdict["because"]) == (core.how, core.because), (question.text, answer)
