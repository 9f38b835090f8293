"""The options of the command line for agreement, which is how well metrics agree with people's judgements."""

from __future__ import annotations

import argparse
from typing import Any, Literal, NamedTuple

#: How outputs are grouped for coefficients at segment level, and the forms of Kendall's tau, as in `corpus.agreement`.
GROUPS = ("none", "item", "sys")
TAUS = ("b", "10", "13")
#: The options that are only valid together with --agreement.
_HOW = ("human", "spans", "scale", "lower_is_better", "higher_is_better", "made_from")


class JudgementOptions(NamedTuple):
    """The options of one command-line call for comparing metrics with people's judgements.

    Attributes:
        files: the paths of the files of judgements, then of the files of spans that people marked as errors.
        scale: the name of the scale of judgement to use, such as "mqm"; None for the first one in the files.
        group: whether coefficients at segment level are computed over all outputs at once ("none"), within each segment
            ("item") or within each system ("sys").
        tau: the form of Kendall's tau at segment level: tau-b, or WMT's form of 2010 or 2013.
        higher_is_better: for each named scale or other program's score, its name and whether a higher value is better.
        reference_origins: pairs of a reference and the system from whose output that reference was made.
    """

    files: tuple[str, ...]
    scale: str | None = None
    group: Literal["none", "item", "sys"] = "none"
    tau: Literal["b", "10", "13"] = "b"
    higher_is_better: tuple[tuple[str, bool], ...] = ()
    reference_origins: tuple[tuple[str, str], ...] = ()


def add_agreement_options(parser: argparse.ArgumentParser) -> None:
    """Add the options for agreement with people, such as --human, to the argument parser `parser`."""
    group = parser.add_argument_group("agreement with people, of several systems")
    agreement = "how well each metric agrees with the judgements of --human: coefficients with 95 %% intervals"
    group.add_argument("--agreement", action="store_true", help=agreement)
    human = (
        "a table of judgements with columns such as line, system, rater and mqm, or a folder or file of scores as "
        "mt-metrics-eval has them; can be given again"
    )
    group.add_argument("--human", action="append", default=[], metavar="FILE", help=human)
    spans = "a table of the errors that people marked, with columns such as line, system, start and end"
    group.add_argument("--spans", action="append", default=[], metavar="FILE", help=spans)
    group.add_argument("--scale", metavar="NAME", help="the scale of the judgements (default: the first one)")
    over = "how coefficients of segments are grouped: all outputs at once (none), by segment (item) or by system (sys)"
    group.add_argument("--group", choices=GROUPS, default="none", metavar="NAME", help=over)
    tau = "Kendall's tau at segment level: b, or WMT's 10 or 13 (default b)"
    group.add_argument("--tau", choices=TAUS, default="b", metavar="NAME", help=tau)
    for way in ("lower", "higher"):
        says = (
            f"{way} is better for the scale, or the other program's scores, of this name (default: recognised); "
            "can be given again"
        )
        group.add_argument(f"--{way}-is-better", action="append", default=[], metavar="NAME", help=says)
    origin_help = "the reference was made from this system's output, which is left out; can be given again"
    group.add_argument(
        "--made-from",
        action="append",
        default=[],
        type=_parse_reference_origin,
        metavar="REFERENCE=SYSTEM",
        help=origin_help,
    )


def _parse_reference_origin(given: str) -> tuple[str, str]:
    """Return (reference, system) for an option value REFERENCE=SYSTEM; raise ArgumentTypeError for another form."""
    reference, _, system = (part.strip() for part in given.partition("="))
    if not reference or not system:
        raise argparse.ArgumentTypeError(f"a reference and its system are given as REFERENCE=SYSTEM, got {given!r}")
    return reference, system


def parse_judgement_options(parser: argparse.ArgumentParser, given: dict[str, Any]) -> JudgementOptions | None:
    """Return the options on people's judgements, or None if the call does not have --agreement.

    `given` maps each option name to its parsed value. A wrong combination of options ends the program with an error of
    the parser `parser`.
    """
    if not given["agreement"]:
        how = [name for name in _HOW if given[name]]
        how += [name for name, plain in (("group", "none"), ("tau", "b")) if given[name] != plain]
        if how:
            parser.error(f"--{how[0].replace('_', '-')} needs --agreement")
        return None
    if not given["human"]:
        parser.error("--agreement needs judgements, which --human FILE gives")
    if given["repair"]:
        parser.error("--agreement needs the outputs as they were judged; it cannot go with --repair")
    ways = tuple([(name, way == "higher") for way in ("lower", "higher") for name in given[f"{way}_is_better"]])
    return JudgementOptions(
        (*given["human"], *given["spans"]),
        given["scale"],
        given["group"],
        given["tau"],
        ways,
        tuple(given["made_from"]),
    )
