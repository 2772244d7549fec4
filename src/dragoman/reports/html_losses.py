"""Explained losses -> blocks of an HTML page; every name and text is escaped."""

from collections.abc import Sequence
from html import escape

from dragoman.reports.losses import SHOWN_DOCUMENTS, SHOWN_LINKS, ExplainedLoss, Loss
from dragoman.types import Explanation


def loss_blocks(losses: Sequence[ExplainedLoss], runs: tuple[str, str], measure: str) -> list[str]:
    """A heading and a block for each query; none without losses."""
    if not losses:
        return []
    worse, better = map(escape, runs)
    blocks = [f"<h2>where {worse} loses most to {better}, by {escape(measure)}</h2>"]
    for one in losses:
        blocks += [_heading(one, worse, better), _ranks(one.loss, worse, better)]
        if any(one.explanations):
            blocks.append(_explanations(one, worse, better))
    return blocks


def _heading(one: ExplainedLoss, worse: str, better: str) -> str:
    loss = one.loss
    return (
        f"<h3>{escape(loss.query_id)} <bdi>{escape(one.query)}</bdi></h3>"
        f"<p>{worse} {loss.first:.4f}, {better} {loss.second:.4f}."
        f" {worse} ranks first: {escape(loss.shown_top)}.</p>"
    )


def _ranks(loss: Loss, worse: str, better: str) -> str:
    lines = "".join(
        f"<tr><td>{escape(document.doc_id)}</td><td>{document.grade}</td>"
        f"<td>{document.first_rank or '-'}</td><td>{document.second_rank or '-'}</td></tr>"
        for document in loss.documents[:SHOWN_DOCUMENTS]
    )
    head = f"<th>relevant</th><th>grade</th><th>rank, {worse}</th><th>rank, {better}</th>"
    return f"<table><thead><tr>{head}</tr></thead>{lines}</table>"


def _explanations(one: ExplainedLoss, worse: str, better: str) -> str:
    """Matches side by side; words may be written from right to left."""
    doc_id = escape(one.loss.documents[0].doc_id)
    cells = "".join(f'<td class="text">{_matches(each)}</td>' for each in one.explanations)
    head = "".join(f'<th class="text">matches of {doc_id}, {run}</th>' for run in (worse, better))
    return f"<table><thead><tr>{head}</tr></thead><tr>{cells}</tr></table>"


def _matches(explanation: Explanation | None) -> str:
    if explanation is None:
        return "not in the index"
    if not explanation.links:
        return "no term matches"
    kind = "by word vectors" if explanation.by_vectors else "by terms"
    lines = [
        f"<bdi>{escape(link.query_word)}</bdi> = <bdi>{escape(link.document_word)}</bdi>"
        f" {link.share:.0%}"
        for link in explanation.links[:SHOWN_LINKS]
    ]
    return "<br>".join([f'<span class="note">{kind}</span>', *lines])
