"""Makes the short English sentences of exercises from a few scenes, and varies them: words move, change, go and come.

All choices come from `Dice`, whose numbers are the same on every machine and in every version of Python."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from hashlib import sha256
from typing import Any, TypeVar

T = TypeVar("T")


class Dice:
    """A linear congruential generator of random numbers, seeded with the digest of a text.

    It uses Knuth's multiplier, modulo 2 to the 64.

    >>> dice = Dice("gtm-2-48213")
    >>> [dice.draw_below(6) for _ in range(5)]
    [4, 4, 4, 3, 1]
    """

    def __init__(self, seed: str) -> None:
        self.state = int.from_bytes(sha256(seed.encode("utf8")).digest()[:8], "big")

    def draw_below(self, most: int) -> int:
        """Return a number from 0 to `most` - 1."""
        self.state = (6364136223846793005 * self.state + 1442695040888963407) % 2**64
        return (self.state >> 33) % most

    def one(self, of: Sequence[T]) -> T:
        """Return a random item."""
        return of[self.draw_below(len(of))]


@dataclass(frozen=True, slots=True)
class Scene:
    """A set of words that make sense together; a verb is its past form and its participle."""

    subjects: tuple[str, ...]
    kinds: tuple[str, ...]  # adjectives of subjects
    verbs: tuple[tuple[str, str], ...]
    objects: tuple[str, ...]
    looks: tuple[str, ...]  # adjectives of objects
    places: tuple[str, ...]


def _scene(subjects: str, kinds: str, verbs: str, objects: str, looks: str, places: str) -> Scene:
    """Return a scene from strings of words; places are separated by commas."""
    forms = [tuple(verb.split("/")) for verb in verbs.split()]
    pairs = tuple([(form[0], form[-1]) for form in forms])
    where = tuple([place.strip() for place in places.split(",")])
    return Scene(
        tuple(subjects.split()), tuple(kinds.split()), pairs, tuple(objects.split()), tuple(looks.split()), where
    )


#: The scenes. No object and no look begins with a vowel, so that "a" is right before each.
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
class ExerciseSentence:
    """A sentence as its phrases, of which "" is left out.

    `first` names the phrase that comes first, "time" or "place"."""

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
    twice: str = ""  # a word that is doubled
    plural: bool = False

    def words(self) -> tuple[str, ...]:
        """Return the words of the sentence in order.

        >>> plain = ExerciseSentence(SCENES[0], "teacher", "old", ("read", "read"), "a", "letter", "long", time="today")
        >>> " ".join(plain.words()), " ".join(replace(plain, first="time", passive=True).words())
        ('the old teacher read a long letter today', 'today a long letter was read by the old teacher')
        """
        thing = f"{self.object}s" if self.plural else self.object
        doer, object_phrase = f"the {self.kind} {self.subject}", f"{self.article} {self.look} {thing}"
        if self.passive:
            be = "were" if self.plural else "was"
            core = f"{object_phrase} {be} {self.adverb} {self.verb[1]} by {doer}"
        else:
            core = f"{doer} {self.adverb} {self.verb[0]} {object_phrase}"
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


def sentence(dice: Dice, level: int) -> ExerciseSentence:
    """Return a drawn plain sentence.

    At level 1 no word occurs twice. At higher levels the sentence is longer and uses "the" throughout."""
    scene = dice.one(SCENES)
    plain_sentence = ExerciseSentence(
        scene,
        dice.one(scene.subjects),
        dice.one(scene.kinds) if level > 1 or dice.draw_below(2) else "",
        dice.one(scene.verbs),
        "a" if level == 1 else "the",
        dice.one(scene.objects),
        "",
        time=dice.one(TIMES),
    )
    if level > 1 or not plain_sentence.kind:
        plain_sentence = replace(plain_sentence, look=_draw_other(dice, scene.looks, plain_sentence.kind))
    if level > 1:
        plain_sentence = replace(
            plain_sentence, place=dice.one(scene.places), time=plain_sentence.time if dice.draw_below(2) else ""
        )
    return plain_sentence


def _draw_other(dice: Dice, of: Sequence[T], than: object) -> T:
    """Return one of the items, but not `than`."""
    return dice.one([each for each in of if each != than])


def change_sentence(dice: Dice, original: ExerciseSentence, stems: bool = False) -> ExerciseSentence:
    """Return the sentence with one random change: a phrase moved, or a word replaced, dropped, added or doubled.

    With `stems` the object may become a plural, which has the same stem."""
    scene, ways = original.scene, ["subject", "verb", "object", "adverb"]
    ways += ["kind", "no kind"] if original.kind else []
    ways += ["look", "no look"] if original.look else []
    ways += ["twice"] if original.look and original.article == "the" else []
    ways += ["time", "time first", "time first"] if original.time else []
    ways += ["place", "place first", "no place"] if original.place else []
    ways += ["passive"] if not original.passive else []
    ways += ["plural"] * 3 if stems and original.article == "the" else []
    way = dice.one(ways)
    if way == "subject":
        return replace(original, subject=_draw_other(dice, scene.subjects, original.subject))
    if way == "verb":
        return replace(original, verb=_draw_other(dice, scene.verbs, original.verb))
    if way == "object":
        return replace(original, object=_draw_other(dice, scene.objects, original.object))
    if way == "kind":
        return replace(original, kind=_draw_other(dice, [k for k in scene.kinds if k != original.look], original.kind))
    if way == "look":
        return replace(original, look=_draw_other(dice, [k for k in scene.looks if k != original.kind], original.look))
    if way == "time":
        return replace(original, time=_draw_other(dice, TIMES, original.time))
    if way == "place":
        return replace(original, place=_draw_other(dice, scene.places, original.place))
    if way == "adverb":
        return replace(original, adverb=_draw_other(dice, ADVERBS, original.adverb))
    simple: dict[str, dict[str, Any]] = {
        "no kind": {"kind": ""},
        "no look": {"look": ""},
        "no place": {"place": "", "first": "" if original.first == "place" else original.first},
        "twice": {"twice": original.look},
        "time first": {"first": "" if original.first == "time" else "time"},
        "place first": {"first": "" if original.first == "place" else "place"},
        "passive": {"passive": True},
        "plural": {"plural": not original.plural},
    }
    return replace(original, **simple[way])


def longer(dice: Dice, draft: ExerciseSentence) -> ExerciseSentence:
    """Return the sentence with some of its missing phrases filled in at random."""
    scene = draft.scene
    fills: dict[str, Sequence[str]] = {
        "kind": [kind for kind in scene.kinds if kind != draft.look],
        "look": [look for look in scene.looks if look != draft.kind],
        "place": scene.places,
        "time": TIMES,
        "adverb": ADVERBS,
    }
    for name, of in fills.items():
        if not getattr(draft, name) and dice.draw_below(4):
            more: dict[str, Any] = {name: dice.one(of)}
            draft = replace(draft, **more)
    return draft


def shorter(dice: Dice, draft: ExerciseSentence) -> ExerciseSentence:
    """Return the sentence without some of its optional phrases, dropped at random."""
    for name in ("kind", "look", "place", "time", "adverb", "twice"):
        if dice.draw_below(2):
            less: dict[str, Any] = {name: "", "first": "" if draft.first == name else draft.first}
            draft = replace(draft, **less)
    return draft
