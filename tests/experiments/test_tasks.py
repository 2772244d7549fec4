import pytest

from dragoman.errors import InputError
from dragoman.experiments.tasks import opened
from dragoman.text.formats.plain import write_judgments


def test_a_folder_has_a_task_for_each_pair_with_its_test_questions(packages):
    collection = opened(packages)
    (task,) = collection.tasks
    assert (collection.name, task.asked, task.searched) == ("toy-packages", "en", "sw")
    assert [query.query_id for query in task.queries] == ["house", "water"]
    assert task.judgments["house"] == {"sw:house": 2, "sw:water": 0}
    assert len(collection.documents) == 32


def test_a_folder_in_which_nothing_is_relevant_is_refused(packages):
    write_judgments(packages / "qrels.tsv.gz", {"house": {"sw:house": 0}})
    with pytest.raises(InputError, match="no judged question"):
        opened(packages)
