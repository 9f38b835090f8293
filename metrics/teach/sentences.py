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
        """Return a random integer from 0 to `most` - 1."""
        self.state = (6364136223846793005 * self.state + 1442695040888963407) % 2**64
        return (self.state >> 33) % most

    def choose(self, of: Sequence[T]) -> T:
        """Return a random item of the sequence."""
        return of[self.draw_below(len(of))]


@dataclass(frozen=True, slots=True)
class Scene:
    """Words that make sense together in one sentence; a verb is its past form and its participle."""

    subjects: tuple[str, ...]
    kinds: tuple[str, ...]  # adjectives of subjects
    verbs: tuple[tuple[str, str], ...]
    objects: tuple[str, ...]
    looks: tuple[str, ...]  # adjectives of objects
    places: tuple[str, ...]


def _parse_scene(subjects: str, kinds: str, verbs: str, objects: str, looks: str, places: str) -> Scene:
    """Return a scene from strings of words that are separated by spaces.

    Places are separated by commas. A verb is its past form, and its participle after “/” if it differs."""
    forms = [tuple(verb.split("/")) for verb in verbs.split()]
    pairs = tuple([(form[0], form[-1]) for form in forms])
    where = tuple([place.strip() for place in places.split(",")])
    return Scene(
        tuple(subjects.split()), tuple(kinds.split()), pairs, tuple(objects.split()), tuple(looks.split()), where
    )


#: The scenes. No object and no look begins with a vowel, so that "a" is right before each.
SCENES = (
    _parse_scene(
        "teacher student writer",
        "young old quiet",
        "read found kept",
        "letter book poem",
        "long short new",
        "in the library, at the school, on the train",
    ),
    _parse_scene(
        "farmer girl boy",
        "tall kind young",
        "fed saw/seen followed",
        "horse dog goat",
        "brown small black",
        "near the river, behind the barn, in the field",
    ),
    _parse_scene(
        "cook guest waiter",
        "busy friendly young",
        "brought tasted praised",
        "soup cake salad",
        "warm fresh good",
        "in the kitchen, at the table, in the hotel",
    ),
    _parse_scene(
        "captain sailor pilot",
        "old calm tired",
        "saw/seen passed watched",
        "ship lighthouse boat",
        "white distant large",
        "near the coast, behind the island, in the harbour",
    ),
    _parse_scene(
        "painter visitor guide",
        "old polite quiet",
        "admired described praised",
        "picture bridge tower",
        "famous small new",
        "in the city, near the square, by the river",
    ),
    _parse_scene(
        "doctor nurse driver",
        "careful tired kind",
        "called met helped",
        "neighbour child tourist",
        "sick young lost",
        "at the station, in the village, on the road",
    ),
    _parse_scene(
        "minister mayor reporter",
        "famous clever polite",
        "discussed explained praised",
        "plan report decision",
        "final new bold",
        "at the meeting, in the capital, after the debate",
    ),
    _parse_scene(
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
    """A sentence as its phrases, which are left out where they are "".

    `first` names the phrase that is moved to the front, "time" or "place"; "" for neither."""

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


def draw_sentence(dice: Dice, level: int) -> ExerciseSentence:
    """Return a random sentence of a random scene, in the active voice.

    At level 1 no word occurs twice. At higher levels the sentence is longer and uses "the" throughout."""
    scene = dice.choose(SCENES)
    plain_sentence = ExerciseSentence(
        scene,
        dice.choose(scene.subjects),
        dice.choose(scene.kinds) if level > 1 or dice.draw_below(2) else "",
        dice.choose(scene.verbs),
        "a" if level == 1 else "the",
        dice.choose(scene.objects),
        "",
        time=dice.choose(TIMES),
    )
    if level > 1 or not plain_sentence.kind:
        plain_sentence = replace(plain_sentence, look=_draw_other(dice, scene.looks, plain_sentence.kind))
    if level > 1:
        plain_sentence = replace(
            plain_sentence, place=dice.choose(scene.places), time=plain_sentence.time if dice.draw_below(2) else ""
        )
    return plain_sentence


def _draw_other(dice: Dice, of: Sequence[T], than: object) -> T:
    """Return a random item of the sequence `of` that differs from `than`."""
    return dice.choose([each for each in of if each != than])


def change_sentence(dice: Dice, original: ExerciseSentence, stems: bool = False) -> ExerciseSentence:
    """Return the sentence with one random change: a phrase moved, or a word replaced, dropped, added or doubled.

    With `stems` the object may change between singular and plural, which have the same stem."""
    scene, ways = original.scene, ["subject", "verb", "object", "adverb"]
    ways += ["kind", "no kind"] if original.kind else []
    ways += ["look", "no look"] if original.look else []
    ways += ["twice"] if original.look and original.article == "the" else []
    ways += ["time", "time first", "time first"] if original.time else []
    ways += ["place", "place first", "no place"] if original.place else []
    ways += ["passive"] if not original.passive else []
    ways += ["plural"] * 3 if stems and original.article == "the" else []
    way = dice.choose(ways)
    others = {"subject": scene.subjects, "verb": scene.verbs, "object": scene.objects, **_fills(original)}
    if way in others:
        other: dict[str, Any] = {way: _draw_other(dice, others[way], getattr(original, way))}
        return replace(original, **other)
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


def _fills(original: ExerciseSentence) -> dict[str, Sequence[Any]]:
    """Return the words that each optional phrase of the sentence may have, by the name of the phrase."""
    scene = original.scene
    return {
        "kind": [kind for kind in scene.kinds if kind != original.look],
        "look": [look for look in scene.looks if look != original.kind],
        "place": scene.places,
        "time": TIMES,
        "adverb": ADVERBS,
    }


def lengthen_sentence(dice: Dice, draft: ExerciseSentence) -> ExerciseSentence:
    """Return the sentence with some of its missing phrases added at random."""
    for name, of in _fills(draft).items():
        if not getattr(draft, name) and dice.draw_below(4):
            more: dict[str, Any] = {name: dice.choose(of)}
            draft = replace(draft, **more)
    return draft


def shorten_sentence(dice: Dice, draft: ExerciseSentence) -> ExerciseSentence:
    """Return the sentence without some of its optional phrases, which are chosen at random."""
    for name in ("kind", "look", "place", "time", "adverb", "twice"):
        if dice.draw_below(2):
            less: dict[str, Any] = {name: "", "first": "" if draft.first == name else draft.first}
            draft = replace(draft, **less)
    return draft
