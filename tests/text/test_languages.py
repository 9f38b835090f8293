"""Test how the language of texts is recognised, and which stemmers and word similarities each language has."""

from __future__ import annotations

import threading
import time
from concurrent.futures import ThreadPoolExecutor

import pytest

from metrics.text import LANGUAGES, languages, stem
from metrics.text.languages import recognise_language
from metrics.text.similarity import UnavailableSimilarity, similarity_for
from metrics.types.once import once_per_process
from tests.helpers.app import run_python
from tests.helpers.waiting import LIMIT

#: Sentences as visitors type them, by language, short ones included.
SENTENCES = {
    "english": ["The minister said on Tuesday that the bridge would open next year.", "police killed the gunman"],
    "german": ["Der Minister sagte am Dienstag, dass die Brücke im nächsten Jahr eröffnet wird.", "Das ist ein Haus."],
    "french": ["Le ministre a dit mardi que le pont ouvrirait l'année prochaine.", "Où est la bibliothèque ?"],
    "spanish": ["El ministro dijo el martes que el puente se abriría el próximo año.", "¿Dónde está el baño?"],
    "italian": ["Il ministro ha detto martedì che il ponte aprirà il prossimo anno."],
    "portuguese": ["O ministro disse na terça-feira que a ponte será aberta no próximo ano."],
    "dutch": ["De minister zei dinsdag dat de brug volgend jaar open zou gaan."],
    "swedish": ["Ministern sade på tisdagen att bron öppnar nästa år."],
    "finnish": ["Ministeri sanoi tiistaina, että silta avataan ensi vuonna."],
    "hungarian": ["A miniszter kedden azt mondta, hogy a híd jövőre nyílik meg."],
    "romanian": ["Ministrul a spus marți că podul se va deschide anul viitor."],
    "polish": ["Minister powiedział we wtorek, że most zostanie otwarty w przyszłym roku."],
    "slovak": ["Minister v utorok povedal, že most bude otvorený budúci rok."],
    "turkish": ["Bakan salı günü köprünün gelecek yıl açılacağını söyledi."],
    "russian": ["Министр сказал во вторник, что мост откроется в следующем году.", "Где находится библиотека?"],
    "ukrainian": ["Міністр сказав у вівторок, що міст відкриється наступного року."],
    "arabic": ["قال الوزير يوم الثلاثاء إن الجسر سيفتتح العام المقبل.", "أين المكتبة؟"],
    "persian": ["وزیر روز سه‌شنبه گفت که این پل سال آینده افتتاح خواهد شد."],
    "chinese": ["部长周二表示，这座桥将于明年开通。", "图书馆在哪里？", "我喜欢 Python 和 JavaScript 编程"],
    "japanese": ["大臣は火曜日、橋が来年開通すると述べた。", "図書館はどこですか。", "iPhone 15 の発売"],
    "korean": ["장관은 화요일에 다리가 내년에 개통될 것이라고 말했다."],
    "greek": ["Ο υπουργός είπε την Τρίτη ότι η γέφυρα θα ανοίξει του χρόνου."],
    "hebrew": ["השר אמר ביום שלישי שהגשר ייפתח בשנה הבאה."],
    "hindi": ["मंत्री ने मंगलवार को कहा कि पुल अगले साल खुलेगा।"],
    "thai": ["รัฐมนตรีกล่าวเมื่อวันอังคารว่าสะพานจะเปิดในปีหน้า"],
}


@pytest.mark.parametrize(("language", "text"), [(name, text) for name, texts in SENTENCES.items() for text in texts])
def test_sentences_are_recognised(language: str, text: str):
    assert recognise_language([text]) == language
    assert recognise_language([text.lower(), "", "12, 34"]) == language


@pytest.mark.parametrize(
    "text",
    [
        *("", " \n", "1 2 3", "A B C D E F G", "e f a b c d y h", "x y z w v", "Barack Obama", "OK", "Kim Jong Un"),
        "東京大学",
    ],
)
def test_what_is_of_no_language_or_of_many_is_unknown(text: str):
    assert recognise_language([text]) == languages.UNKNOWN


@pytest.mark.parametrize(
    "text",
    ["\0", "\ud800", "🙂🙂", "<b>$x$</b>", "\u202eabc", "ＴＨＥ　ＣＡＴ", "é" * 9_999, "\u0301" * 9_999, "y " * 50_000],
)
def test_any_text_has_an_answer(text: str):
    assert recognise_language([text, text]) in {*languages.KNOWN, languages.UNKNOWN}


def test_all_of_a_long_text_counts_and_little_of_it_is_read():
    """Check that the language of a long text is recognised from a sample of lines of all of it.

    Its beginning may be a title in another language."""
    german = SENTENCES["german"][0]
    assert recognise_language(["The new bridge", *[german] * 1000]) == "german"
    assert recognise_language([german * 100_000]) == "german"


def test_the_same_texts_get_the_same_language():
    texts = [text for texts in SENTENCES.values() for text in texts]
    assert [recognise_language([text]) for text in texts] == [recognise_language([text]) for text in texts]


def test_a_script_of_one_language_needs_no_model():
    """Check that a writing system of only one language is recognised without the language model.

    The model takes a second and 80 MB to load."""
    code = (
        "import sys; from metrics.text.languages import recognise_language as said; "
        "print(said(['Πού είναι η βιβλιοθήκη;']), said(['図書館はどこですか。']), 'py3langid' in sys.modules)"
    )
    assert run_python(code).split() == ["greek", "japanese", "False"]


def test_names_are_those_of_the_stemmers():
    assert {*LANGUAGES} <= {*languages.KNOWN}
    assert languages.OTHER in languages.KNOWN and languages.UNKNOWN not in languages.KNOWN
    assert {code for codes in languages.SCRIPTS.values() for code in codes} == {*languages.NAMES}


@pytest.mark.parametrize("language", languages.KNOWN)
def test_every_language_has_its_stemmer_or_none(language: str):
    found = languages.stemmer(language)
    assert (found is not None) == (language in LANGUAGES)
    if found:
        assert found[1] == language and stem("x1", *found)


def test_an_unknown_language_is_treated_as_english():
    assert languages.language_for_stems("unknown") == "english" and languages.language_for_stems("german") == "german"


def test_similar_words_of_a_language():
    assert similarity_for("stem", "english").signature == "stem(porter,english,1)"
    assert similarity_for("stem", "russian").signature == "stem(snowball,russian,1)"
    for kind, language in (("stem", "japanese"), ("wordnet", "german")):
        found = similarity_for(kind, language)
        assert isinstance(found, UnavailableSimilarity) and (found("a", "a"), found("a", "b")) == (1, 0)
        assert found.signature == f"{kind}(left out)" and languages.language_title(language) in found.says


def test_what_many_threads_ask_for_is_made_once():
    asked, together = [], threading.Barrier(8)

    def make_model():
        asked.append(1)
        time.sleep(0.05)
        return "model"

    model = once_per_process(make_model)

    def ask_for_model(_):
        together.wait(LIMIT)
        return model()

    with ThreadPoolExecutor(8) as threads:
        assert [*threads.map(ask_for_model, range(8))] == ["model"] * 8
    assert len(asked) == 1
    model.cache_clear()
    assert (model(), len(asked)) == ("model", 2)


def test_what_fails_is_tried_again_by_the_next_who_asks():
    answers = iter([OSError("no disk"), "model"])

    @once_per_process
    def model():
        answer = next(answers)
        if isinstance(answer, OSError):
            raise answer
        return answer

    with pytest.raises(OSError, match="no disk"):
        model()
    assert model() == "model"
