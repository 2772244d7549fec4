"""What a student adds to the encoder: held-out sentences search for their translations.

For every shipped student with sentence pairs in a ``bitext`` folder, the pairs held out of its
training are recognised by the fingerprints that it stores. Each held-out sentence is a query for
its translation among all English sentences of the pairs. The encoder alone is compared with the
encoder and the student; translation tables are left out, because they were learnt from these pairs.
"""

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from dragoman.encoders.family import EncoderFamily, shipped_students
from dragoman.encoders.learning import fingerprint
from dragoman.encoders.sentence_encoder import DEFAULT, SentenceEncoder, load_encoder
from dragoman.encoders.student import Student
from dragoman.errors import InputError
from dragoman.experiments.tasks import DEPTH, MEASURE
from dragoman.metrics.measurement import measure_run
from dragoman.metrics.parser import parse_measure
from dragoman.protocols import Advance, no_progress
from dragoman.ranking.topk import tie_order, top_k
from dragoman.text.files import Faults
from dragoman.text.source import read_bitext
from dragoman.types import FloatArray, Hit, Ranking, Text

STEPS = 3  # of one student: encoding, and two searches


@dataclass(frozen=True, slots=True)
class StudentRow:
    """nDCG@10 in one language by the encoder alone and with its student."""

    language: str
    queries: int
    documents: int
    alone: float
    with_student: float


def students_with_bitext(data: Path) -> list[tuple[Student, Path]]:
    """The shipped students whose sentence pairs are in ``data``, each with their file."""
    paths = {
        one.language: data / "bitext" / f"en-{one.language}.tsv.gz" for one in shipped_students()
    }
    return [(s, paths[s.language]) for s in shipped_students() if paths[s.language].is_file()]


def compare_students(
    chosen: Iterable[tuple[Student, Path]], advance: Advance = no_progress
) -> Iterator[StudentRow]:
    """Every student compared with its teacher alone."""
    teacher = load_encoder(DEFAULT)
    for student, path in chosen:
        yield compare_student(student, teacher, path, advance)


def compare_student(
    student: Student, teacher: SentenceEncoder, path: Path, advance: Advance = no_progress
) -> StudentRow:
    """The student compared with its teacher, on the pairs in ``path`` held out of its training."""
    pairs = list(dict.fromkeys((p.source, p.target) for p in read_bitext([path], Faults())))
    held = held_out(pairs, {*student.facts["unseen_sentences"]})
    if not held:
        raise InputError(
            path,
            None,
            found="no sentence that was held out",
            expected=f"some of the {len(student.facts['unseen_sentences']):,} of {student.name}",
            advice="Without them the student cannot be tested on unseen sentences.",
        )
    sentences = sorted({source for source, _ in pairs})
    documents = teacher.encode(sentences)
    advance()
    queries = [Text(target, student.language) for _, target in held]
    right = [source for source, _ in held]
    values = []
    for family in (EncoderFamily(teacher), EncoderFamily(teacher, [student])):
        values.append(_mean(family.encode(queries), documents, sentences, right))
        advance()
    return StudentRow(student.language, len(held), len(sentences), *values)


def held_out(pairs: Iterable[tuple[str, str]], unseen: Collection[str]) -> list[tuple[str, str]]:
    """The pairs whose source was held out of a student's training, each source once."""
    first: dict[str, str] = {}
    for source, target in pairs:
        if fingerprint(source) in unseen:
            first.setdefault(source, target)
    return sorted(first.items())


def _mean(
    queries: FloatArray, documents: FloatArray, names: Sequence[str], right: Sequence[str]
) -> float:
    order = tie_order(names)
    rankings = []
    for number, query in enumerate(queries):
        scores = documents @ query
        best = top_k(scores, DEPTH, order)
        hits = tuple(Hit(names[row], float(scores[row])) for row in best)
        rankings.append(Ranking(str(number), hits))
    judgments = {str(number): {name: 1} for number, name in enumerate(right)}
    measured = measure_run("student", rankings, judgments, [parse_measure(MEASURE)])
    return measured.overall.mean(MEASURE)


def students_markdown(rows: Sequence[StudentRow]) -> list[str]:
    """The table, after a sentence about queries and documents."""
    return [
        f"Languages that the encoder was not trained on: {MEASURE} of held-out sentences"
        " that search for their translation among all English sentences of the bitext, by vectors"
        " alone.",
        "",
        "| sentences | English sentences | the encoder alone | with the shipped student |",
        "|---|---:|---:|---:|",
        *(
            f"| {row.language} ({row.queries:,}) | {row.documents:,} |"
            f" {row.alone:.3f} | **{row.with_student:.3f}** |"
            for row in rows
        ),
    ]
