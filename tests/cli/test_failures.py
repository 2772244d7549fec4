import json

from commands import run
from dragoman.text.formats.trec import write_judgments, write_run
from small_reports import JUDGMENTS, RIGHT, WRONG


def test_losses_are_listed(tmp_path):
    write_run(tmp_path / "right.trec", RIGHT)
    write_run(tmp_path / "wrong.trec", WRONG)
    write_judgments(tmp_path / "qrels.txt", JUDGMENTS)
    runs = tmp_path / "wrong.trec", tmp_path / "right.trec"
    command = ("failures", *runs, "--qrels", tmp_path / "qrels.txt", "-n", 2)
    printed = run(*command)
    assert "q00-good (grade 2): rank 3 and 1" in printed
    assert "2 queries, nDCG@10 of wrong and right" in printed
    first, second = json.loads(run(*command, "--json", "--measure", "RR"))
    assert (first["loss"]["query_id"], second["loss"]["query_id"]) == ("q00", "q01")
    assert first["difference"] == 0.5
