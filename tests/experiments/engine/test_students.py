import pytest

from dragoman.encoders.learning import fingerprint, hold_out
from dragoman.errors import InputError
from dragoman.experiments.engine.students import compare_student, students_markdown
from dragoman.text.formats.bitext import write_tsv
from dragoman.types import SentencePair
from toys import toy_encoder

ENGLISH = {f"word{n}": (n, n + 1, n + 3) for n in range(5)}
SWAHILI = {f"neno{n}": axes for n, axes in enumerate(ENGLISH.values())}
PAIRS = [(f"word{a} word{b}", f"neno{a} neno{b}") for a in range(5) for b in range(5)]


def student(unseen):
    toy = toy_encoder("sw", SWAHILI)
    toy.facts = {"unseen_sentences": [fingerprint(sentence) for sentence in unseen]}
    return toy


def test_a_student_finds_what_its_teacher_cannot_read(tmp_path):
    path = tmp_path / "en-sw.tsv.gz"
    write_tsv(path, [SentencePair(*pair) for pair in PAIRS])
    _, held = hold_out(PAIRS, 1000, 0)
    unseen = [source for source, _ in held]
    found = compare_student(student(unseen), toy_encoder("en", ENGLISH), path)
    assert (found.language, found.queries, found.documents) == ("sw", len(held), 25)
    assert found.alone == 0.0 or found.alone < found.with_student
    # "a b" and "b a" have one vector, and the tie goes by id
    assert found.with_student >= 0.6
    assert "| sw (1) | 25 |" in "\n".join(students_markdown([found]))


def test_other_pairs_than_its_own_are_refused(tmp_path):
    path = tmp_path / "en-sw.tsv.gz"
    write_tsv(path, [SentencePair(*pair) for pair in PAIRS])
    with pytest.raises(InputError, match="expected some of the 1 of student-sw"):
        compare_student(student(["another sentence"]), toy_encoder("en", ENGLISH), path)
