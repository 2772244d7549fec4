"""A click log with position bias, of users who know what they want."""

from dataclasses import replace

import numpy as np
import pytest

from dragoman.errors import ConfigError
from dragoman.experiments.semi_interactive.click_simulation import (
    ClickConfig,
    _clicks,
    examination_probabilities,
    simulate,
    type_queries,
)
from dragoman.experiments.semi_interactive.task import (
    RelevanceTaskConfig,
    TranslatedItem,
    read_task,
)
from dragoman.text.collection import Collection
from dragoman.text.collections.splits import Split
from dragoman.types import Document, Hit, Query, Ranking
from small_items import page, write_items


def item(name, related=()):
    document = Document(f"en:{name}", f"the {name}", language="en")
    return TranslatedItem(name, Split.TRAIN, {"en": document}, frozenset(related))


def test_ranks_are_looked_at_less_and_less():
    assert examination_probabilities(ClickConfig(depth=4)) == pytest.approx(
        [1, 1 / 2, 1 / 3, 1 / 4]
    )
    assert examination_probabilities(ClickConfig(depth=3, steepness=0.0)) == pytest.approx(
        [1, 1, 1]
    )


def test_rates_are_those_of_examination_times_relevance():
    config = ClickConfig(depth=3, sessions=400_000, noise=0.1, related=0.4, relevant=0.8)
    shown = Ranking("0", (Hit("en:other", 3.0), Hit("en:near", 2.0), Hit("en:wanted", 1.0)))
    target = item("wanted", related=["near"])
    found = list(_clicks([Query("0", "frage", "de")], [target], [shown], config))
    assert [click.doc_id for click in found] == ["en:other", "en:near", "en:wanted"]
    assert {(click.query, click.language) for click in found} == {("frage", "de")}
    assert len({click.impressions for click in found}) == 1
    rates = [click.clicks / click.impressions for click in found]
    assert rates == pytest.approx([0.1, 0.4 / 2, 0.8 / 3], abs=0.01)


def test_sessions_differ_and_have_the_configured_mean():
    config = ClickConfig(sessions=20.0)
    many = 4000
    shown = [Ranking(str(n), (Hit("en:a", 1.0),)) for n in range(many)]
    queries = [Query(str(n), f"q{n}", "de") for n in range(many)]
    impressions = [c.impressions for c in _clicks(queries, [item("a")] * many, shown, config)]
    assert np.mean(impressions) == pytest.approx(20, rel=0.1)
    assert min(impressions) == 1
    assert np.std(impressions) > 15


def test_users_type_words_of_the_page_but_never_the_title_alone():
    config = ClickConfig(queries=20, fewest_words=2, most_words=3)
    wanted = page("de", 3)
    found = type_queries(wanted, config)
    assert len(found) > 1
    allowed = set(f"{wanted.title} {wanted.text}".casefold().replace(".", "").split())
    assert all(set(text.split()) <= allowed for text in found)
    assert all(2 <= len(text.split()) <= 3 for text in found)
    assert wanted.title not in found
    assert type_queries(wanted, config) == found
    assert type_queries(Document("de:x", "", "Titel", "de"), config) == []


def test_the_log_finds_wanted_documents_and_remembers_what_users_wanted(tmp_path):
    config = RelevanceTaskConfig(negatives=2, candidates=4, hard_candidates=1)
    task = read_task(Collection.open(write_items(tmp_path / "items")), config)
    # words that are spelt alike are retrieved without a translation
    items = [
        replace(one, pages={**one.pages, "de": replace(one.document, language="de")})
        for one in task.items.values()
    ]
    settings = ClickConfig(queries=2, depth=5, noise=0.0)
    log = simulate(items, ["de"], settings)
    assert log == simulate(items, ["de"], settings)
    assert all(code == "de" for code, _ in log.wanted)
    right = sum(c.clicks for c in log.clicks
                if log.wanted[c.language, c.query] == c.doc_id.partition(":")[2])  # fmt: skip
    assert right > 0.5 * sum(click.clicks for click in log.clicks)
    assert all(0 <= click.clicks <= click.impressions for click in log.clicks)


def test_users_that_cannot_be_are_refused():
    with pytest.raises(ConfigError, match="must have words, got 3 to 2"):
        ClickConfig(fewest_words=3, most_words=2)
    with pytest.raises(ConfigError, match="sessions and depth must be 1 or more"):
        ClickConfig(sessions=0.5)
    with pytest.raises(ConfigError, match="likelier the more relevant"):
        ClickConfig(noise=0.9)
