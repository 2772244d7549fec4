"""Options of the commands that build an index, its workers, and the function that builds one."""

from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from dragoman.cli.inputs import readable

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from dragoman.indexes.index import Index
    from dragoman.indexes.pipeline import EncodingWorkers
    from dragoman.protocols import Stage
    from dragoman.types import Document
    from dragoman.workers.ray_workers import RayWorkers

SystemName = Annotated[
    str,
    typer.Option(
        "--system",
        help="The system that ranks: hybrid, psq, dense ...",
        show_default="hybrid where the sentence encoder is installed, else psq",
    ),
]
CandidateLanguages = Annotated[
    str,
    typer.Option(
        "--languages", help="Detect only these languages, as in de,fr,it.", show_default=False
    ),
]
Lexicons = Annotated[
    list[Path] | None,
    typer.Option(
        "--lexicon",
        help="A translation table of your own, from `dragoman learn lexicon`; repeat it for more.",
        callback=readable,
    ),
]
Students = Annotated[
    list[Path] | None,
    typer.Option(
        "--student",
        help="A student encoder of your own, from `dragoman learn encoder`; repeat it for more.",
        callback=readable,
    ),
]


def workers_address(value: str) -> str:
    """A callback of options: the value, if it names workers."""
    from dragoman.workers.address import parse_workers

    if value:
        parse_workers(value)
    return value


WorkersPlace = Annotated[
    str,
    typer.Option(
        "--workers",
        metavar="WORKERS",
        help="Work in so many Ray workers on this machine, as in local:4, or on a Ray cluster, as"
        " in ray://10.0.0.1:6379; the results are the same (extra ray).",
        show_default=False,
        callback=workers_address,
    ),
]


@contextmanager
def open_workers(value: str) -> "Iterator[RayWorkers | None]":
    """The workers until the end of the block; None where a command works in its own process."""
    from dragoman import registry

    if not value:
        yield None
        return
    with registry.load("dragoman.workers.ray_workers:RayWorkers")(value) as workers:
        yield workers


def builder(
    system: str,
    lexicons: list[Path] | None,
    students: list[Path] | None,
    workers: "EncodingWorkers | None" = None,
    **settings: object,
) -> "partial[Index]":
    """A function that builds an index of documents in a folder, with a system and its settings.

    Settings that are empty or None are left out; paths become strings.
    """
    import dragoman
    from dragoman.indexes.build import build

    given = {"lexicons": lexicons, "students": students, **settings}
    return partial(
        build,
        system=system or dragoman.default_system(),
        version=dragoman.__version__,
        settings={name: _plain(value) for name, value in given.items() if value},
        workers=workers,
    )


class Target:
    """Where an index is written: a folder, or a cluster."""

    def __init__(self, folder: Path | None, store: str) -> None:
        from dragoman.cluster.address import is_cluster_address
        from dragoman.errors import UserError

        if (folder is None) == (not store):
            raise UserError("Expected -o FOLDER or --store ADDRESS, one of the two.")
        if store and not is_cluster_address(store):
            raise UserError(
                f"Found --store {store}; expected an index in a cluster, as in"
                " qdrant://127.0.0.1:6333/news."
            )
        self.store, self.folder = store, folder or Path()

    def __str__(self) -> str:
        return self.store or str(self.folder)

    def builder(self, *given: object, **settings: object) -> "Callable[..., Index]":
        """``builder`` for this place; a folder is named in the call."""
        make = builder(*given, **settings)  # type: ignore[arg-type]
        if not self.store:
            return make
        from dragoman import registry

        build = registry.load("dragoman.cluster.building:build_in_cluster")
        parse = registry.load("dragoman.cluster.address:parse_cluster_address")

        def build_there(documents: "Iterable[Document]", folder: Path, stage: "Stage") -> "Index":
            del folder
            index: Index = build(documents, parse(self.store), stage=stage, **make.keywords)
            return index

        return build_there

    def open(self, folder: Path) -> "Index | None":
        """The index that is there; None where there is none."""
        from dragoman.indexes.sync.synchronization import open_folder

        if not self.store:
            return open_folder(folder)
        from dragoman import registry

        opened: Index | None = registry.load("dragoman.cluster.index:open_if_there")(self.store)
        return opened


def refuse_other_build(
    target: Target,
    system: str,
    lexicons: list[Path] | None,
    students: list[Path] | None,
    **settings: object,
) -> None:
    """Refuse options that an existing index cannot follow: it has a system and tables."""
    from dragoman.errors import UserError

    index = target.open(target.folder)
    if index is None:
        return
    with index:
        built = index.manifest.system
    if system and system != built:
        raise UserError(
            f"{target} was built with --system {built}; found --system {system}."
            " Leave the option out, or build another index."
        )
    for name, value in {"lexicon": lexicons, "student": students, **settings}.items():
        if value:
            raise UserError(
                f"{target} has its tables, encoders and models inside; found"
                f" --{name.replace('_', '-')}, which is an option of a first build. Build another"
                " index to use others."
            )


def _plain(value: object) -> object:
    """``value`` as it is saved in a manifest."""
    if isinstance(value, list):
        return [str(path) for path in value]
    return str(value) if isinstance(value, Path) else value
