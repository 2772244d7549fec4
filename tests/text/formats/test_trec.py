import ir_measures
import pytest
from hypothesis import given, settings

from dragoman.errors import ConfigError, InputError
from dragoman.text.files import Faults, OnError
from dragoman.text.formats import trec
from dragoman.text.judgments import collect_judgments
from dragoman.types import Hit, Ranking
from text_strategies import judgments, rankings


def write(tmp_path, text):
    path = tmp_path / "file.txt"
    path.write_text(text)
    return path


def read_qrels(path, faults=None, **options):
    faults = faults or Faults()
    return collect_judgments(trec.read_judgments(path, faults, **options), faults)


def test_hits_stand_by_falling_score_and_ties_by_id(tmp_path):
    path = write(
        tmp_path,
        "q1 Q0 b 1 1.5 tag\nq1 Q0 c 2 2.5 tag\nq1 Q0 a 3 1.5 tag\nq2\tQ0\tmy doc\t1\t-1e3\ttag\n",
    )
    assert list(trec.read_run(path, Faults())) == [
        Ranking("q1", (Hit("c", 2.5), Hit("a", 1.5), Hit("b", 1.5))),
        Ranking("q2", (Hit("my doc", -1000.0),)),
    ]


@settings(max_examples=40)
@given(written=rankings())
def test_runs_come_back_as_written(written, tmp_path_factory):
    path = tmp_path_factory.mktemp("trec") / "run.trec.gz"
    assert trec.write_run(path, written) == sum(len(ranking.hits) for ranking in written)
    assert list(trec.read_run(path, Faults())) == written


def test_lines_of_a_query_need_not_stand_together(tmp_path):
    rows = [f"q{n % 3} Q0 d{n} {n} {n / 7} tag\n" for n in range(30)]
    grouped = list(trec.read_run(write(tmp_path, "".join(sorted(rows))), Faults()))
    mixed = list(trec.read_run(write(tmp_path, "".join(rows)), Faults()))
    assert sorted(mixed, key=lambda ranking: ranking.query_id) == grouped


def test_ir_measures_reads_the_same_run(tmp_path):
    path = tmp_path / "run.trec"
    first, second = (Hit("d1", 0.1 + 0.2), Hit("d2", 1e-9)), (Hit("x", 3),)
    trec.write_run(path, [Ranking("q1", first), Ranking("q2", second)])
    assert [tuple(row) for row in ir_measures.read_trec_run(str(path))] == [
        ("q1", "d1", 0.1 + 0.2), ("q1", "d2", 1e-9), ("q2", "x", 3.0)
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("q1 d2 2 0.5 tag", "5 columns; expected 6: query Q0 document rank score tag"),
        ("q1 Q0 d2 2 high tag", "the score 'high'; expected a finite number"),
        ("q1 Q0 d2 2 nan tag", "the score 'nan'; expected a finite number"),
        ("q1 Q0 d2 2 inf tag", "the score 'inf'; expected a finite number"),
        ("q1 Q0 d1 2 0.5 tag", "document 'd1' a second time for query 'q1'"),
    ],
)
def test_a_bad_line_of_a_run_is_told_with_its_number(line, message, tmp_path):
    path = write(tmp_path, f"q1 Q0 d1 1 0.9 tag\n{line}\nq1 Q0 d3 3 0.1 tag\n")
    with pytest.raises(InputError, match=f"line 2: found {message}"):
        list(trec.read_run(path, Faults()))
    faults = Faults(OnError.SKIP)
    [ranking] = trec.read_run(path, faults)
    assert ([hit.doc_id for hit in ranking.hits], faults.skipped) == (["d1", "d3"], 1)


def test_a_tag_is_one_word(tmp_path):
    with pytest.raises(ConfigError, match="Found the tag 'my run'"):
        trec.write_run(tmp_path / "run", [], tag="my run")


@pytest.mark.parametrize(
    "text",
    [
        "q1 0 d1 2\nq1 0 d2 0\nq2 0 d1 1\n",
        "q1\t0\td1\t2\nq1\t0\td2\t0\nq2\t0\td1\t1\n",
        "q1 Q0 d1 2\nq1 Q0 d2 0\nq2 Q0 d1 1\n",
        "q1 d1 0 2\nq1 d2 0 0\nq2 d1 0 1\n",
        "q1 d1 2\nq1 d2 0\nq2 d1 1\n",
        "q1  0   d1\t2\r\nq1  0   d2\t0\r\nq2 0 d1 1\r\n",
        "query-id\tcorpus-id\tscore\nq1\td1\t2\nq1\td2\t0\nq2\td1\t1\n",
        "docid qid rel\nd1 q1 2\nd2 q1 0\nd1 q2 1\n",
        "qid iter docno relevance\nq1 7 d1 2\nq1 8 d2 0\nq2 9 d1 1\n",
    ],
)
def test_every_order_of_columns_gives_the_same_judgments(text, tmp_path):
    expected = {"q1": {"d1": 2, "d2": 0}, "q2": {"d1": 1}}
    assert read_qrels(write(tmp_path, text)) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("1 0 7 1\n1 0 8 0\n2 0 9 1\n", {"1": {"7": 1, "8": 0}, "2": {"9": 1}}),
        ("1 7 0 1\n1 8 0 0\n2 9 0 1\n", {"1": {"7": 1, "8": 0}, "2": {"9": 1}}),
        ("19335 0 1017759 0\n", {"19335": {"1017759": 0}}),
        ("1 7 1\n", {"1": {"7": 1}}),
        ("1 0 -1\n", {"1": {"0": -1}}),
    ],
)
def test_numbers_as_ids_do_not_hide_the_order(text, expected, tmp_path):
    assert read_qrels(write(tmp_path, text)) == expected


@pytest.mark.parametrize("text", ["1 0 0 1\n", "1 0 0 1\n2 0 0 1\n", "q a b 1\nq b a 1\n"])
def test_an_order_that_cannot_be_told_is_refused_and_the_option_settles_it(text, tmp_path):
    path = write(tmp_path, text)
    with pytest.raises(InputError, match='Name the order with the option columns, as in columns="'):
        read_qrels(path)
    settled = read_qrels(path, columns="query,document,0,grade")
    assert settled["1" if text.startswith("1") else "q"]


def test_the_option_names_any_order(tmp_path):
    path = write(tmp_path, "2 d1 x q1\n")
    assert read_qrels(path, columns="grade, document, 0, query") == {"q1": {"d1": 2}}
    with pytest.raises(ConfigError, match="expected query, document and grade once each"):
        read_qrels(path, columns="query,document,score")


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("q1 0 d2 x", "the grade 'x'; expected a whole number"),
        ("q1 0 d2", "3 columns; expected 4: query,0,document,grade"),
        ("q1 0 d1 1", "a second judgment of query 'q1' and document 'd1'"),
    ],
)
def test_a_bad_line_of_qrels_is_told_with_its_number(line, message, tmp_path):
    path = write(tmp_path, f"q1 0 d1 1\n{line}\nq2 0 d1 1\nq2 0 d2 1\n")
    with pytest.raises(InputError, match=f"line 2: found {message}"):
        read_qrels(path)
    faults = Faults(OnError.SKIP)
    assert read_qrels(path, faults) == {"q1": {"d1": 1}, "q2": {"d1": 1, "d2": 1}}
    assert faults.skipped == 1


def test_a_file_of_other_columns_is_told_so(tmp_path):
    with pytest.raises(InputError, match="line 1: found 2 columns; expected 3 or 4"):
        read_qrels(write(tmp_path, "q1 d1\nq2 d2\n"))


@settings(max_examples=40)
@given(written=judgments())
def test_judgments_come_back_as_written(written, tmp_path_factory):
    path = tmp_path_factory.mktemp("trec") / "qrels.txt"
    trec.write_judgments(path, written)
    assert read_qrels(path, columns="query,0,document,grade") == written


def test_ir_measures_reads_the_same_judgments(tmp_path):
    path = tmp_path / "qrels.txt"
    trec.write_judgments(path, {"q2": {"d9": 0}, "q1": {"d1": 2, "d2": 1}})
    assert [tuple(row)[:3] for row in ir_measures.read_trec_qrels(str(path))] == [
        ("q1", "d1", 2), ("q1", "d2", 1), ("q2", "d9", 0)
    ]  # fmt: skip
