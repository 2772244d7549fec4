"""Lists of several languages become one that no language floods."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dragoman.indexes.filters import Filter
from dragoman.indexes.search.scope import Scope
from dragoman.ranking.balance import BEST, Balance
from stored import of_rows, snapshot_of

scores_of_one = st.lists(st.floats(0.125, 100, width=32), max_size=20)


def ranked(lists, k=200, balance=Balance.CALIBRATED, *, others=0, zeros=True, languages=()):
    """The ids of documents with these scores by language, ``others`` more of each have none."""
    scores = {
        f"{code}{n:03}": score
        for code, mine in lists.items()
        for n, score in enumerate([*mine, *[0.0] * others])
    }
    batches = [
        [of_rows(name, [], name[:2]) for name in list(scores)[place::2]] for place in range(2)
    ]
    with snapshot_of(batches) as snapshot:
        ids = snapshot.doc_ids(np.arange(snapshot.size))
        by_number = np.array([scores[name] for name in ids], np.float32)

        def search(count, selection):
            return snapshot.top_k(by_number, count, selection)

        scope = Scope(Filter(tuple(languages)), balance)
        return scope.rank(snapshot, search, k, zeros=zeros)


def doc_ids(*arguments, **options):
    return [hit.doc_id for hit in ranked(*arguments, **options)]


def test_a_language_with_inflated_scores_does_not_flood_the_list():
    rng = np.random.default_rng(0)
    foreign, own = np.sort(rng.random(BEST))[::-1], 5 + np.sort(rng.random(BEST))[::-1]
    foreign[0] = 3.0  # the right document stands out among its own
    lists = {"en": own, "de": foreign}
    calibrated = doc_ids(lists, 10)
    assert calibrated[0] == "de000"
    assert {name[:2] for name in calibrated} == {"en", "de"}
    assert {name[:2] for name in doc_ids(lists, 10, Balance.OFF)} == {"en"}


def test_a_lone_weak_hit_is_no_star():
    strong = np.concatenate([[30.0], np.linspace(5, 1, BEST - 1)])
    assert doc_ids({"en": strong, "yo": [0.3]}, 1, others=500) == ["en000"]


@settings(max_examples=60, deadline=None)
@given(
    st.dictionaries(st.sampled_from(["de", "en", "fr"]), scores_of_one, min_size=1),
    st.sampled_from(Balance),
    st.booleans(),
)
def test_each_languages_order_and_every_hit_is_kept(lists, balance, zeros):
    mixed = ranked(lists, balance=balance, zeros=zeros)
    assert [hit.score for hit in mixed] == sorted((hit.score for hit in mixed), reverse=True)
    assert len({hit.doc_id for hit in mixed}) == len(mixed) == sum(map(len, lists.values()))
    for code, values in lists.items():
        raw = [values[int(hit.doc_id[2:])] for hit in mixed if hit.doc_id.startswith(code)]
        assert raw == sorted(raw, reverse=True) or np.ptp(values) < 1e-3
        assert len(raw) == len(values)


@pytest.mark.parametrize("balance", Balance)
def test_a_shorter_list_is_the_beginning_of_a_longer_one(balance):
    rng = np.random.default_rng(1)
    lists = {code: rng.random(70) + 0.1 for code in ("de", "en")}
    longer = doc_ids(lists, 30, balance)
    for k in (1, 7, 29):
        assert doc_ids(lists, k, balance) == longer[:k]


def test_languages_take_turns():
    lists = {"aa": [1, 0.5, 0.2], "bb": [3, 2], "cc": []}
    assert doc_ids(lists, balance=Balance.ROUND_ROBIN) == [
        *("bb000", "aa000", "bb001", "aa001", "aa002")
    ]
    assert doc_ids(lists, 3, Balance.ROUND_ROBIN) == ["bb000", "aa000", "bb001"]


@pytest.mark.parametrize("balance", Balance)
def test_equal_scores_of_one_language_stand_by_id(balance):
    lists = {"aa": [1.0] * 5}
    assert doc_ids(lists, 3, balance) == ["aa000", "aa001", "aa002"]


@pytest.mark.parametrize("balance", Balance)
def test_only_the_languages_of_the_filter_are_searched(balance):
    lists = {"aa": [1.0, 0.5], "bb": [3.0], "cc": [2.0]}
    assert {*doc_ids(lists, 9, balance, languages=["aa", "cc", "xx"])} == {
        *("aa000", "aa001", "cc000")
    }
    assert doc_ids(lists, 9, balance, languages=["bb"]) == ["bb000"]
    assert ranked(lists, 9, balance, languages=["xx", "yy"]) == ()


@pytest.mark.parametrize("balance", Balance)
def test_an_index_without_documents_has_no_hits(balance):
    assert ranked({}, 3, balance) == ()
