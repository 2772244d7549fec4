import mteb
import pytest

from dragoman.errors import UnknownName, UserError
from dragoman.integrations.mteb.task_names import open_task


def test_a_task_of_mteb_restricted_to_a_subset():
    task = open_task("NeuCLIR2022Retrieval", subsets=["fas"])
    assert isinstance(task, mteb.AbsTask)
    assert task.hf_subsets == ["fas"]


def test_a_misspelt_task_is_an_error_with_a_hint():
    with pytest.raises(UnknownName, match="Did you mean 'CIRALRetrieval'"):
        open_task("CIRALRetreival")


def test_a_subset_that_a_task_lacks_is_an_error():
    with pytest.raises(UnknownName, match="en-de"):
        open_task("CIRALRetrieval", subsets=["en-de"])


def test_a_task_of_another_kind_is_refused():
    with pytest.raises(UserError, match="of type STS"):
        open_task("STS22")


def test_options_that_a_task_does_not_have_are_refused(tmp_path):
    with pytest.raises(UserError, match="Found --data with NeuCLIR2022Retrieval"):
        open_task("NeuCLIR2022Retrieval", data=tmp_path)
    with pytest.raises(UserError, match="has no subsets"):
        open_task(str(tmp_path), subsets=["en-de"])
