"""How long does a sample take in the three architectures, and what does ONNX in eight bits gain?

    python benchmarks/semi_interactive.py                      an untrained encoder, the sample
    python benchmarks/semi_interactive.py --encoder ENCODER --collection COLLECTION
    python benchmarks/semi_interactive.py --models MODELS --collection COLLECTION

Table 2 of Xu et al. 2021 gives the time of one sample: a query and a document. The document's
vector is there before the query is asked, except in an interactive model, which reads both. *1*
is such a sample, *100* a query and a hundred candidates; the three take turns, query by query, and
medians are shown. *search* is the search of an index of all documents.

MODELS holds trained models in folders named interactive, non-interactive and semi-interactive.
Without them models begin as the encoder: times do not depend on what was learnt, but the AUC does,
and is then not shown.
"""

import argparse
import shutil
import statistics
import tempfile
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np
import torch
from tokenizers import Tokenizer, models, normalizers, pre_tokenizers, trainers
from transformers import BertConfig, BertModel, PreTrainedTokenizerFast

from dragoman.experiments.index_cache import temporary_index
from dragoman.indexes.index import Index
from dragoman.indexes.search.scope import Scope
from dragoman.systems.semi_interactive.config import RelevanceArchitecture, SemiInteractiveConfig
from dragoman.systems.semi_interactive.examples import RelevanceExample
from dragoman.systems.semi_interactive.export import ExportReport, export_model
from dragoman.systems.semi_interactive.model import RelevanceModel, load_model
from dragoman.systems.semi_interactive.training import initial_model
from dragoman.text.collection import Collection
from dragoman.types import Document, Query

SAMPLE = Path(__file__).parent.parent / "sample"
SPECIAL = ("[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]")
INTERACTIVE, NON, SEMI = (str(one) for one in RelevanceArchitecture)


def untrained_encoder(folder: Path, texts: Sequence[str], size: int, layers: int) -> Path:
    """A BERT of that size, its tokenizer trained on the texts at hand."""
    cutter = Tokenizer(models.WordPiece(unk_token=SPECIAL[1]))
    cutter.normalizer, cutter.pre_tokenizer = (
        normalizers.BertNormalizer(),
        pre_tokenizers.BertPreTokenizer(),
    )
    trainer = trainers.WordPieceTrainer(vocab_size=8000, special_tokens=list(SPECIAL))
    cutter.train_from_iterator(texts, trainer)
    names = zip(("pad", "unk", "cls", "sep", "mask"), SPECIAL, strict=True)
    PreTrainedTokenizerFast(  # type: ignore[no-untyped-call]
        tokenizer_object=cutter,
        model_max_length=512,
        **{f"{name}_token": token for name, token in names},
    ).save_pretrained(folder)
    config = BertConfig(
        vocab_size=cutter.get_vocab_size(),
        hidden_size=size,
        num_hidden_layers=layers,
        num_attention_heads=size // 64,
        intermediate_size=4 * size,
    )
    torch.manual_seed(0)
    model = BertModel(config, add_pooling_layer=False)
    model.save_pretrained(folder)
    return folder


def written_models(
    options: argparse.Namespace, documents: Sequence[Document], place: Path
) -> dict[str, Path]:
    """The folders of the three models, trained ones or such as they begin."""
    if options.models is not None:
        for kind in RelevanceArchitecture:  # copied, because an export is written beside a model
            shutil.copytree(options.models / kind, place / kind)
        return {str(kind): place / kind for kind in RelevanceArchitecture}
    encoder = options.encoder or untrained_encoder(
        place / "encoder", [one.content.body for one in documents], options.size, options.layers
    )
    for kind in RelevanceArchitecture:
        config = SemiInteractiveConfig(
            architecture=kind, layers=options.layers, max_length=options.length
        )
        initial_model(encoder, config).save(place / kind)
    return {str(kind): place / kind for kind in RelevanceArchitecture}


def labelled(
    collection: Collection, queries: Sequence[Query], documents: Mapping[str, Document]
) -> list[RelevanceExample]:
    """Judged pairs of the queries, relevant or not."""
    judgments = collection.judgments()
    return [
        RelevanceExample(query, documents[doc_id], (), float(grade > 0))
        for query in queries
        for doc_id, grade in judgments.get(query.query_id, {}).items()
        if doc_id in documents
    ]


def seconds(run: Callable[[], object]) -> float:
    """How long one call takes."""
    started = time.perf_counter()
    run()
    return time.perf_counter() - started


def median_times(
    tasks: Mapping[str, Callable[[Query], object]], queries: Sequence[Query]
) -> dict[str, float]:
    """Milliseconds of each task for a query, the median; tasks take turns."""
    for task in tasks.values():
        task(queries[0])
    taken: dict[str, list[float]] = {name: [] for name in tasks}
    for query in queries:
        for name, task in tasks.items():
            taken[name].append(seconds(lambda task=task, query=query: task(query)))  # type: ignore[misc]
    return {name: 1000 * statistics.median(found) for name, found in taken.items()}


def reading(model: RelevanceModel, documents: Sequence[Document]) -> Callable[[Query], object]:
    """What is done online for a query and its candidates."""
    if model.interactive:
        tokens = model.input_builder.tokens([one.content for one in documents])

        def read(query: Query) -> object:
            (asked,) = model.input_builder.tokens([query.content])
            return model.probabilities([model.input_builder.pair(asked, one) for one in tokens])

        return read
    vectors = model.encode_documents(documents, [()] * len(documents))
    return lambda query: vectors @ model.encode_queries([query])[0]


def main() -> None:
    """Print the tables."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--encoder", type=Path)
    parser.add_argument("--models", type=Path)
    parser.add_argument("--collection", type=Path, default=SAMPLE)
    parser.add_argument("--documents", type=int, default=1000)
    parser.add_argument("--queries", type=int, default=100)
    parser.add_argument("--candidates", type=int, default=100)
    parser.add_argument("--pairs", type=int, default=500, help="that an export is measured on")
    parser.add_argument("--size", type=int, default=256)
    parser.add_argument("--layers", type=int, default=6)
    parser.add_argument("--length", type=int, default=128)
    options = parser.parse_args()
    collection = Collection.open(options.collection)
    documents = list(islice(collection.documents(), options.documents))
    queries = list(islice(collection.queries(), options.queries))
    with tempfile.TemporaryDirectory(prefix="dragoman-") as place:
        folders = written_models(options, documents, Path(place))
        loaded = {name: load_model(folder) for name, folder in folders.items()}
        print(
            f"{torch.get_num_threads()} threads, {len(queries)} queries of"
            f" {mean_tokens(loaded[NON], [one.content for one in queries]):.0f} tokens,"
            f" {len(documents):,} documents of"
            f" {mean_tokens(loaded[NON], [one.content for one in documents]):.0f}\n"
        )
        print_architectures(loaded, folders, queries, documents, options.candidates)
        by_id = {one.doc_id: one for one in documents}
        examples = labelled(collection, queries, by_id)[: options.pairs]
        exported = [export_model(folders[name], examples) for name in (NON, SEMI, INTERACTIVE)]
        print_exports(exported, trained=options.models is not None)
        served = load_model(folders[INTERACTIVE], served=True)
        few = documents[: options.candidates]
        tasks = {"torch": reading(loaded[INTERACTIVE], few), "int8": reading(served, few)}
        both = median_times(tasks, queries[:20])
        print(
            f"\ninteractive, {len(few)} candidates: {both['torch']:.1f} ms by torch,"
            f" {both['int8']:.1f} by int8, {both['torch'] / both['int8']:.2f} times as fast"
        )


def mean_tokens(model: RelevanceModel, texts: Sequence[Any]) -> float:
    """How long texts are, as the model reads them."""
    return float(np.mean([len(one) for one in model.input_builder.tokens(texts)]))


def print_architectures(
    loaded: Mapping[str, RelevanceModel],
    folders: Mapping[str, Path],
    queries: Sequence[Query],
    documents: Sequence[Document],
    candidates: int,
) -> None:
    """Table 2's last column, for one candidate and for many, and for a search."""
    print(f"{'':10s} {'model':18s} {'ms':>10s} {'x non-interactive':>18s} {'interactive /':>14s}")
    for count, some in ((1, queries), (candidates, queries[:20])):
        tasks = {name: reading(model, documents[:count]) for name, model in loaded.items()}
        print_times(str(count), median_times(tasks, some))
    with ExitStack() as stack:
        indexes = {
            name: stack.enter_context(
                temporary_index(documents, name, {"model": str(folders[name])})
            )
            for name in (NON, SEMI)
        }
        tasks = {name: searching(index) for name, index in indexes.items()}
        print_times("search", median_times(tasks, queries))


def searching(index: Index) -> Callable[[Query], object]:
    """The search of the ten best documents."""
    return lambda query: index.rank(query, 10, Scope())


def print_times(title: str, times: Mapping[str, float]) -> None:
    """One line per model."""
    for name, taken in times.items():
        beside = f"{times[INTERACTIVE] / taken:14.1f}" if INTERACTIVE in times else ""
        print(f"{title:10s} {name:18s} {taken:10.3f} {taken / times[NON]:18.3f} {beside}")


def print_exports(reports: Sequence[ExportReport], *, trained: bool) -> None:
    """Time of one input and what the eight bits cost."""
    heads = ("torch ms", "int8 ms", "faster", "most off", "MB")
    print(f"\n{'one input':18s}", *(f"{head:>9s}" for head in heads))
    for name, one in zip((NON, SEMI, INTERACTIVE), reports, strict=True):
        times = one.milliseconds
        areas = f"  AUC {one.auc['torch']:.4f} -> {one.auc['int8']:.4f}" if trained else ""
        print(
            f"{name:18s} {times['torch']:9.3f} {times['int8']:9.3f} {one.speed_up:8.2f}x"
            f" {one.largest_difference:9.4f} {one.bytes / 1e6:9.1f}{areas}"
        )


if __name__ == "__main__":
    main()
