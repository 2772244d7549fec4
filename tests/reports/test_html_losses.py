from dragoman.reports.html_losses import loss_blocks
from dragoman.reports.losses import ExplainedLoss, Loss, RankedDocument
from dragoman.types import Explanation, Link

LOSS = Loss("q1", 0.0, 1.0, (RankedDocument("doc-ar", 1, 9, 1),), "other", 0)


def blocks(*explanations):
    return "\n".join(loss_blocks([ExplainedLoss(LOSS, "mkate", explanations)], ("a", "b"), "RR"))


def test_the_explained_document_is_named_for_each_run():
    text = blocks(Explanation("doc-ar", 1.0, (Link("mkate", "خبز", 1.0, 0.8),)), None)
    assert "matches of doc-ar, a" in text
    assert "matches of doc-ar, b" in text
    assert "not in the index" in text


def test_words_of_any_direction_stand_apart():
    text = blocks(Explanation("doc-ar", 1.0, (Link("mkate", "خبز", 1.0, 0.8),)))
    assert "<bdi>mkate</bdi> = <bdi>خبز</bdi> 80%" in text


def test_what_links_are_made_of_is_told():
    links = (Link("mkate", "bread", 1.0, 1.0),)
    assert "by word vectors" in blocks(Explanation("doc-ar", 1.0, links, by_vectors=True))
    assert "by terms" in blocks(Explanation("doc-ar", 1.0, links))
    assert "no term matches" in blocks(Explanation("doc-ar", 0.0, ()))


def test_no_losses_have_no_heading():
    assert loss_blocks([], ("a", "b"), "RR") == []
