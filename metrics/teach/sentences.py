"""Short English sentences of exercises, from a few scenes, and what happens to them: words move, change, go and come.

All choices come from `Dice`, whose numbers are the same on every machine and in every version of Python.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from hashlib import sha256
from typing import Any, TypeVar

T = TypeVar("T")


class Dice:
    """A linear congruential generator, begun with the digest of a text (Knuth's multiplier, modulo 2 to the 64).

    >>> dice = Dice("gtm-2-48213")
    >>> [dice.below(6) for _ in range(5)]
    [4, 4, 4, 3, 1]
    """

    def __init__(self, seed: str) -> None:
        self.state = int.from_bytes(sha256(seed.encode("utf8")).digest()[:8], "big")

    def below(self, most: int) -> int:
        """A number from 0 to before `most`."""
        self.state = (6364136223846793005 * self.state + 1442695040888963407) % 2**64
        return (self.state >> 33) % most

    def one(self, of: Sequence[T]) -> T:
        return of[self.below(len(of))]


@dataclass(frozen=True, slots=True)
class Scene:
    """Words that make sense together. A verb is its past form and its participle."""

    subjects: tuple[str, ...]
    kinds: tuple[str, ...]  # of a subject
    verbs: tuple[tuple[str, str], ...]
    objects: tuple[str, ...]
    looks: tuple[str, ...]  # of an object
    places: tuple[str, ...]


def _scene(subjects: str, kinds: str, verbs: str, objects: str, looks: str, places: str) -> Scene:
    forms = [tuple(verb.split("/")) for verb in verbs.split()]
    pairs = tuple([(form[0], form[-1]) for form in forms])
    where = tuple([place.strip() for place in places.split(",")])
    return Scene(
        tuple(subjects.split()), tuple(kinds.split()), pairs, tuple(objects.split()), tuple(looks.split()), where
    )


#: No object and no look of one begins with a vowel, so that "a" stands before each.
SCENES = (
    _scene(
        "teacher student writer",
        "young old quiet",
        "read found kept",
        "letter book poem",
        "long short new",
        "in the library, at the school, on the train",
    ),
    _scene(
        "farmer girl boy",
        "tall kind young",
        "fed saw/seen followed",
        "horse dog goat",
        "brown small black",
        "near the river, behind the barn, in the field",
    ),
    _scene(
        "cook guest waiter",
        "busy friendly young",
        "brought tasted praised",
        "soup cake salad",
        "warm fresh good",
        "in the kitchen, at the table, in the hotel",
    ),
    _scene(
        "captain sailor pilot",
        "old calm tired",
        "saw/seen passed watched",
        "ship lighthouse boat",
        "white distant large",
        "near the coast, behind the island, in the harbour",
    ),
    _scene(
        "painter visitor guide",
        "old polite quiet",
        "admired described praised",
        "picture bridge tower",
        "famous small new",
        "in the city, near the square, by the river",
    ),
    _scene(
        "doctor nurse driver",
        "careful tired kind",
        "called met helped",
        "neighbour child tourist",
        "sick young lost",
        "at the station, in the village, on the road",
    ),
    _scene(
        "minister mayor reporter",
        "famous clever polite",
        "discussed explained praised",
        "plan report decision",
        "final new bold",
        "at the meeting, in the capital, after the debate",
    ),
    _scene(
        "engineer mechanic boy",
        "clever old patient",
        "repaired tested sold",
        "bicycle clock radio",
        "broken small red",
        "in the workshop, at the market, behind the house",
    ),
)
TIMES = ("yesterday", "today", "last week", "this morning", "on Monday")
ADVERBS = ("also", "once", "often", "finally")


@dataclass(frozen=True, slots=True)
class Sentence:
    """A sentence as its phrases: what "" leaves out. `first` is the phrase that stands in front."""

    scene: Scene
    subject: str
    kind: str
    verb: tuple[str, str]
    article: str
    object: str
    look: str
    place: str = ""
    time: str = ""
    adverb: str = ""
    first: str = ""
    passive: bool = False
    twice: str = ""  # a word that is said twice
    plural: bool = False

    def words(self) -> tuple[str, ...]:
        """The words in order.

        >>> plain = Sentence(SCENES[0], "teacher", "old", ("read", "read"), "a", "letter", "long", time="today")
        >>> " ".join(plain.words()), " ".join(replace(plain, first="time", passive=True).words())
        ('the old teacher read a long letter today', 'today a long letter was read by the old teacher')
        """
        thing = f"{self.object}s" if self.plural else self.object
        doer, done = f"the {self.kind} {self.subject}", f"{self.article} {self.look} {thing}"
        if self.passive:
            be = "were" if self.plural else "was"
            core = f"{done} {be} {self.adverb} {self.verb[1]} by {doer}"
        else:
            core = f"{doer} {self.adverb} {self.verb[0]} {done}"
        around = [self.place, self.time]
        front = ""
        if self.first == "time":
            front, around = self.time, [self.place]
        elif self.first == "place":
            front, around = self.place, [self.time]
        out = " ".join([front, core, *around]).split()
        if self.twice in out:
            out.insert(out.index(self.twice), self.twice)
        return tuple(out)


def sentence(dice: Dice, level: int) -> Sentence:
    """A plain sentence: at level 1 without a word that comes twice, else longer and with "the" throughout."""
    scene = dice.one(SCENES)
    said = Sentence(
        scene,
        dice.one(scene.subjects),
        dice.one(scene.kinds) if level > 1 or dice.below(2) else "",
        dice.one(scene.verbs),
        "a" if level == 1 else "the",
        dice.one(scene.objects),
        "",
        time=dice.one(TIMES),
    )
    if level > 1 or not said.kind:
        said = replace(said, look=_other(dice, scene.looks, said.kind))
    if level > 1:
        said = replace(said, place=dice.one(scene.places), time=said.time if dice.below(2) else "")
    return said


def _other(dice: Dice, of: Sequence[T], than: object) -> T:
    """One of several, but for a given one."""
    return dice.one([each for each in of if each != than])


def changed(dice: Dice, said: Sentence, stems: bool = False) -> Sentence:
    """The sentence with one change: a phrase moved, a word replaced, dropped, added or said twice.

    With `stems` the object may become a plural, which has the same stem.
    """
    scene, ways = said.scene, ["subject", "verb", "object", "adverb"]
    ways += ["kind", "no kind"] if said.kind else []
    ways += ["look", "no look"] if said.look else []
    ways += ["twice"] if said.look and said.article == "the" else []
    ways += ["time", "time first", "time first"] if said.time else []
    ways += ["place", "place first", "no place"] if said.place else []
    ways += ["passive"] if not said.passive else []
    ways += ["plural"] * 3 if stems and said.article == "the" else []
    way = dice.one(ways)
    if way == "subject":
        return replace(said, subject=_other(dice, scene.subjects, said.subject))
    if way == "verb":
        return replace(said, verb=_other(dice, scene.verbs, said.verb))
    if way == "object":
        return replace(said, object=_other(dice, scene.objects, said.object))
    if way == "kind":
        return replace(said, kind=_other(dice, [k for k in scene.kinds if k != said.look], said.kind))
    if way == "look":
        return replace(said, look=_other(dice, [k for k in scene.looks if k != said.kind], said.look))
    if way == "time":
        return replace(said, time=_other(dice, TIMES, said.time))
    if way == "place":
        return replace(said, place=_other(dice, scene.places, said.place))
    if way == "adverb":
        return replace(said, adverb=_other(dice, ADVERBS, said.adverb))
    simple: dict[str, dict[str, Any]] = {
        "no kind": {"kind": ""},
        "no look": {"look": ""},
        "no place": {"place": "", "first": "" if said.first == "place" else said.first},
        "twice": {"twice": said.look},
        "time first": {"first": "" if said.first == "time" else "time"},
        "place first": {"first": "" if said.first == "place" else "place"},
        "passive": {"passive": True},
        "plural": {"plural": not said.plural},
    }
    return replace(said, **simple[way])


def longer(dice: Dice, said: Sentence) -> Sentence:
    """The sentence with some of what it could say and does not yet."""
    scene = said.scene
    fills: dict[str, Sequence[str]] = {
        "kind": [kind for kind in scene.kinds if kind != said.look],
        "look": [look for look in scene.looks if look != said.kind],
        "place": scene.places,
        "time": TIMES,
        "adverb": ADVERBS,
    }
    for name, of in fills.items():
        if not getattr(said, name) and dice.below(4):
            more: dict[str, Any] = {name: dice.one(of)}
            said = replace(said, **more)
    return said


def shorter(dice: Dice, said: Sentence) -> Sentence:
    """The sentence without some of what it need not say."""
    for name in ("kind", "look", "place", "time", "adverb", "twice"):
        if dice.below(2):
            less: dict[str, Any] = {name: "", "first": "" if said.first == name else said.first}
            said = replace(said, **less)
    return said
