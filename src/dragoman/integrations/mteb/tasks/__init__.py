"""Retrieval tasks that MTEB lacks, by their names there."""

from collections.abc import Mapping
from typing import Any

from dragoman.integrations.mteb.tasks.afriqa import AfriQARetrieval
from dragoman.integrations.mteb.tasks.ciral import CIRALRetrieval
from dragoman.integrations.mteb.tasks.clirmatrix import CLIRMatrixMulti8Retrieval

TASKS: Mapping[str, Any] = {
    task.metadata.name: task
    for task in (AfriQARetrieval, CIRALRetrieval, CLIRMatrixMulti8Retrieval)
}
