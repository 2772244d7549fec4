import numpy as np
import pytest

from dragoman.encoders.learning import StudentConfig, hold_out, learn_student, measure_accuracy
from dragoman.encoders.subwords import SubwordConfig
from dragoman.errors import ConfigError, InputError
from dragoman.types import DictionaryEntry, SentencePair

ENGLISH = ["water", "fire", "man", "house", "book", "letter", "road", "day"]
SWAHILI = ["maji", "moto", "mtu", "nyumba", "kitabu", "barua", "njia", "siku"]
SMALL = StudentConfig(vocabulary=SubwordConfig(rows=200, min_words=1), held_out=20)


@pytest.fixture
def teacher(toy):
    return toy("en", {word: axis for axis, word in enumerate(ENGLISH)})


@pytest.fixture
def bitext():
    rng = np.random.default_rng(4)
    rows = {tuple(rng.permutation(8)[: rng.integers(2, 5)]) for _ in range(400)}
    return [
        SentencePair(" ".join(ENGLISH[i] for i in row), " ".join(SWAHILI[i] for i in row))
        for row in sorted(rows)
    ]


def test_a_student_finds_sentences_that_it_never_saw(teacher, bitext):
    learnt = learn_student(bitext, [], "sw", teacher, SMALL)
    assert learnt.student.language == "sw"
    assert learnt.student.space == teacher.space
    # word order is nothing to either encoder, so some held-out sentences are the same to both
    scores = learnt.student.encode(SWAHILI) @ teacher.encode(ENGLISH).T
    assert scores.argmax(axis=1).tolist() == list(range(8))
    assert learnt.accuracy.among == min(20, len(bitext) // 20)
    assert learnt.student.facts["held_out"]["to_known"] == learnt.accuracy.to_known > 0.5


def test_a_dictionary_alone_teaches_its_words(teacher):
    entries = [
        DictionaryEntry(f"{one} {two}", f"{un} {deux}")
        for one, un in zip(ENGLISH, SWAHILI, strict=True)
        for two, deux in zip(ENGLISH, SWAHILI, strict=True)
    ] * 2
    with pytest.raises(InputError, match="64 pairs; expected at least 100"):
        learn_student([], entries, "sw", teacher, SMALL)
    more = [DictionaryEntry(f"{e.source} day", f"{e.target} siku") for e in entries]
    learnt = learn_student([], [*entries, *more], "sw", teacher, SMALL)
    assert (
        measure_accuracy(learnt.student, teacher, list(zip(ENGLISH, SWAHILI, strict=True))).to_known
        == 1
    )
    assert learnt.accuracy.among == 0


def test_the_same_pairs_give_the_same_student(teacher, bitext):
    one, two = (learn_student(bitext, [], "sw", teacher, SMALL) for _ in range(2))
    assert one.student.signature == two.student.signature


def test_a_small_student_keeps_rows_and_directions_that_tell_sentences_apart(teacher, bitext):
    small = StudentConfig(
        vocabulary=SubwordConfig(rows=16, min_words=1), candidates=200, columns=8, held_out=20
    )
    student = learn_student(bitext, [], "sw", teacher, small).student
    assert (len(student.vocabulary), student.table.dimension, student.dimension) == (16, 8, 8)
    scores = student.encode(SWAHILI) @ teacher.encode(ENGLISH).T
    assert scores.argmax(axis=1).tolist() == list(range(8))


def test_columns_must_fill_whole_bytes():
    with pytest.raises(ConfigError, match="multiple of 8, got 12"):
        StudentConfig(columns=12)


def test_stages_are_announced_and_told(teacher, bitext):
    told = {}

    def stage(label, steps):
        told[label] = [steps, 0]

        def advance(done=1):
            told[label][1] += done

        return advance

    learn_student(bitext, [], "sw", teacher, SMALL, stage)
    assert list(told) == ["reading with student-en", "teaching"]
    assert all(steps == done for steps, done in told.values())


def test_no_known_side_is_both_held_out_and_trained_on():
    pairs = [(f"s{i // 2}", f"t{i}") for i in range(200)]
    kept, held = hold_out(pairs, 8, seed=1)
    assert len(held) == 8
    assert {source for source, _ in held}.isdisjoint(source for source, _ in kept)
    assert len(kept) == 200 - 2 * 8


def test_accuracy_counts_both_directions(toy):
    known = toy("en", {"water": 0, "fire": 1, "man": 2})
    other = toy("sw", {"maji": 0, "moto": 0, "mtu": 2})
    found = measure_accuracy(other, known, [("water", "maji"), ("fire", "moto"), ("man", "mtu")])
    assert found.to_known == pytest.approx(2 / 3)  # moto finds water
    assert found.among == 3


def test_another_script_is_romanized_where_the_teacher_reads_it_better_so(teacher, bitext):
    assert not learn_student(bitext, [], "sw", teacher, SMALL).student.romanized
    # in Latin letters these are the teacher's own words
    greek = str.maketrans("abdefhiklmnorstuwy", "αβδεφηικλμνορστυωψ")
    spelt = [SentencePair(pair.source, pair.source.translate(greek)) for pair in bitext]
    assert learn_student(spelt, [], "el", teacher, SMALL).student.romanized
