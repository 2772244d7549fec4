"""What has become of the files of some roots -> which are read, copied or moved."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from dragoman.indexes.sync.comparison import FileComparison, IndexedFile
from dragoman.indexes.sync.file_documents import file_id
from dragoman.indexes.sync.reading import Copy, Task
from dragoman.indexes.sync.report import FileStatus
from dragoman.text.readers.file_types import FileType
from dragoman.text.readers.scan import Root, ScannedFile


@dataclass(slots=True)
class RootState:
    """A root: its files now, those that the index has of it, and the difference."""

    root: Root
    files: list[ScannedFile]
    known: dict[str, IndexedFile] = field(default_factory=dict)
    changes: FileComparison = field(default_factory=FileComparison)


def tasks_of(states: Sequence[RootState]) -> tuple[list[Task], list[Copy]]:
    """The files to be read, and those with the content of one of them, which are not."""
    tasks: list[Task] = []
    copies: list[Copy] = []
    numbers: dict[tuple[str, FileType | None], int] = {}
    for state in states:
        for file, facts in state.changes.to_read:
            same = facts.digest, file.file_type
            if same in numbers:
                of = tasks[numbers[same]].file.doc_id
                copy = Task(state.root, file, facts, FileStatus.COPY, of)
                copies.append(Copy(numbers[same], copy))
                continue
            numbers[same] = len(tasks)
            origin = state.changes.origins.get(file.doc_id, "")
            if not origin or file.doc_id in state.known:
                tasks.append(Task(state.root, file, facts))
            elif origin in state.changes.deleted:
                tasks.append(Task(state.root, file, facts, FileStatus.MOVED))
            else:
                tasks.append(Task(state.root, file, facts, FileStatus.COPY, origin))
    return tasks, copies


def origins_of(states: Sequence[RootState]) -> Callable[[str], list[str]]:
    """The documents whose rows a document may reuse: those of its file before it was changed."""
    known = {name: file.doc_ids for state in states for name, file in state.known.items()}
    same = {new: old for state in states for new, old in state.changes.origins.items()}

    def origins(doc_id: str) -> list[str]:
        name = file_id(doc_id)
        return [*known.get(name, ()), *known.get(same.get(name, ""), ())]

    return origins
