"""Compiled loops of Gibbs sampling: one sweep over the words of an aligned corpus.

A sweep draws every word's topic from p(k) = (n_dk + alpha) (n_wk + beta) / (n_k + V beta), counts
without the word itself (Vulic et al. 2015, section 3.3). With c_k = (n_dk + alpha) / (n_k + V beta)
that is n_wk c_k + beta c_k. The first part has as many terms as the word has topics, a dozen where
there are 300; the second is drawn from sums of c_k over blocks of topics (the buckets of SparseLDA,
Yao et al. 2009). The draw is exact, in float64.

A word's topics are *entries*, ``tally << BITS | topic``, falling: the likely ones come first, and
equal counts have equal entries whatever their history. Random numbers are a hash of a key and the
word's place. So everything follows from whole numbers: a training that was stopped goes on bit for
bit. Signatures are explicit and the machine code is cached. Written here because no kept library
samples the topics of aligned texts.
"""

import numpy as np
from numba import njit

from dragoman.types import FloatArray, IntArray

BLOCK = 16  # topics whose coefficients are summed beforehand
BITS = 16  # of a topic in an entry
TALLY = 1 << BITS  # one occurrence in an entry
TOPIC = TALLY - 1
UNDRAWN = -1  # the topic of a word before the first sweep
TINY = 1e-250  # a product of probabilities above it survives one more factor


@njit("uint64(uint64)", cache=True, nogil=True, inline="always")
def _mixed(number: np.uint64) -> np.uint64:
    """A number in which every bit of ``number`` had a say: the last steps of splitmix64."""
    number = (number ^ (number >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    number = (number ^ (number >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return number ^ (number >> np.uint64(31))


@njit("float64(uint64, int64)", cache=True, nogil=True, inline="always")
def uniform(key: np.uint64, place: int) -> float:
    """The random number in [0, 1) that belongs to ``place`` under ``key``."""
    bits = _mixed(key + np.uint64(place) * np.uint64(0x9E3779B97F4A7C15))
    return float(bits >> np.uint64(11)) * (1.0 / 9007199254740992.0)


@njit("int64(int64[::1], int64, int64, int64)", cache=True, nogil=True, inline="always")
def _place_of(entries: IntArray, begin: int, end: int, topic: int) -> int:
    """Where the entry of ``topic`` stands; ``end`` if the word does not have it."""
    place = begin
    while place < end and entries[place] & TOPIC != topic:
        place += 1
    return place


@njit("int64(int64[::1], int64, int64, int64)", cache=True, nogil=True, inline="always")
def _taken(entries: IntArray, begin: int, end: int, topic: int) -> int:
    """Count ``topic`` once less; the answer is the new end of the word's entries."""
    place = _place_of(entries, begin, end, topic)
    entry = entries[place] - TALLY
    while place < end - 1 and entries[place + 1] > entry:
        entries[place] = entries[place + 1]
        place += 1
    entries[place] = entry
    return end - 1 if entry < TALLY else end


@njit("void(int64[::1], int64, int64, int64)", cache=True, nogil=True, inline="always")
def _given(entries: IntArray, begin: int, place: int, entry: int) -> None:
    """Put a grown ``entry``, which stood at ``place``, where it belongs now."""
    while place > begin and entries[place - 1] < entry:
        entries[place] = entries[place - 1]
        place -= 1
    entries[place] = entry


@njit("float64(int64[::1], int64, int64, float64[::1])", cache=True, nogil=True, inline="always")
def _mass(entries: IntArray, begin: int, end: int, coefficients: FloatArray) -> float:
    """The sum of n_wk c_k."""
    mass = 0.0
    for place in range(begin, end):
        mass += (entries[place] >> BITS) * coefficients[entries[place] & TOPIC]
    return mass


@njit(
    "int64(int64[::1], int64, int64, float64[::1], float64)",
    cache=True,
    nogil=True,
    inline="always",
)
def _drawn_entry(
    entries: IntArray, begin: int, end: int, coefficients: FloatArray, left: float
) -> int:
    """The place of the entry in whose part of the mass ``left`` falls."""
    place = begin
    entry = entries[place]
    left -= (entry >> BITS) * coefficients[entry & TOPIC]
    while left >= 0 and place < end - 1:
        place += 1
        entry = entries[place]
        left -= (entry >> BITS) * coefficients[entry & TOPIC]
    return place


@njit("int64(float64[::1], float64[::1], int64, float64)", cache=True, nogil=True, inline="always")
def _drawn_topic(blocks: FloatArray, coefficients: FloatArray, topics: int, left: float) -> int:
    """The topic in whose part of the sum of c_k ``left`` falls."""
    block = 0
    while block < len(blocks) - 1 and left >= blocks[block]:
        left -= blocks[block]
        block += 1
    topic = block * BLOCK
    last = min(topic + BLOCK, topics) - 1
    while topic < last and left >= coefficients[topic]:
        left -= coefficients[topic]
        topic += 1
    return topic


@njit(
    "float64(int64, float64, float64[::1], float64[::1])",
    cache=True,
    nogil=True,
    inline="always",
)
def _changed(topic: int, coefficient: float, coefficients: FloatArray, blocks: FloatArray) -> float:
    """Set c_k; the answer is by how much the sum of all c_k grew."""
    change: float = coefficient - coefficients[topic]
    coefficients[topic] = coefficient
    blocks[topic // BLOCK] += change
    return change


@njit(
    "float64(float64[::1], float64[::1], float64, float64[::1], float64[::1])",
    cache=True,
    nogil=True,
)
def _prepare(
    own: FloatArray,
    rates: FloatArray,
    alpha: float,
    coefficients: FloatArray,
    blocks: FloatArray,
) -> float:
    """All c_k of one document in one language, their sums by block, and the whole sum."""
    whole = 0.0
    for block in range(len(blocks)):
        part = 0.0
        for topic in range(block * BLOCK, (block + 1) * BLOCK):
            coefficients[topic] = (own[topic] + alpha) * rates[topic]
            part += coefficients[topic]
        blocks[block] = part
        whole += part
    return whole


@njit("int64(int32[::1], int64, int64, float64[::1])", cache=True, nogil=True)
def _counted(drawn: IntArray, first: int, last: int, own: FloatArray) -> int:
    """Count the topics of a document's words into ``own``; the answer is how many have one."""
    own[:] = 0
    count = 0
    for place in range(first, last):
        if drawn[place] != UNDRAWN:
            own[drawn[place]] += 1
            count += 1
    return count


@njit(
    "float64(int32[::1], int64, int64, int32[::1], int64[::1], int64[::1], int64[::1], int64[::1],"
    " float64[::1], float64[::1], int64, float64[::1], float64[::1], float64, float64, float64,"
    " uint64)",
    cache=True,
    nogil=True,
)
def _redrawn(
    words: IntArray,
    first: int,
    last: int,
    drawn: IntArray,
    begins: IntArray,
    ends: IntArray,
    entries: IntArray,
    totals: IntArray,
    rates: FloatArray,
    own: FloatArray,
    count: int,
    coefficients: FloatArray,
    blocks: FloatArray,
    alpha: float,
    beta: float,
    smoothing: float,
    key: np.uint64,
) -> float:
    """Draw anew the topics of one document's words in one language; their log likelihood."""
    topics = len(totals)
    length = count + topics * alpha
    likelihood, product = 0.0, 1.0
    whole = _prepare(own, rates, alpha, coefficients, blocks)
    for place in range(first, last):
        word, topic = words[place], drawn[place]
        begin, end = begins[word], ends[word]
        if topic != UNDRAWN:
            end = _taken(entries, begin, end, topic)
            own[topic] -= 1
            totals[topic] -= 1
            length -= 1
            rates[topic] = 1.0 / (totals[topic] + smoothing)
            changed = (own[topic] + alpha) * rates[topic]
            whole += _changed(topic, changed, coefficients, blocks)
        mass = _mass(entries, begin, end, coefficients)
        probability = mass + beta * whole
        left = uniform(key, place) * probability
        if left < mass:
            found = _drawn_entry(entries, begin, end, coefficients, left)
            topic = entries[found] & TOPIC
        else:
            topic = _drawn_topic(blocks, coefficients, topics, (left - mass) / beta)
            found = _place_of(entries, begin, end, topic)
        if found == end:
            entries[end] = topic
            end += 1
        _given(entries, begin, found, entries[found] + TALLY)
        ends[word] = end
        product *= probability / length
        if product < TINY:
            likelihood += np.log(product)
            product = 1.0
        drawn[place] = topic
        own[topic] += 1
        totals[topic] += 1
        length += 1
        rates[topic] = 1.0 / (totals[topic] + smoothing)
        changed = (own[topic] + alpha) * rates[topic]
        whole += _changed(topic, changed, coefficients, blocks)
    return float(likelihood + np.log(product))


@njit(
    "float64(int32[::1], int64[::1], int32[::1], int64[::1], int64[::1], int64[::1],"
    " int64[:, ::1], int64[::1], float64, float64, uint64)",
    cache=True,
    nogil=True,
)
def sweep(
    words: IntArray,
    starts: IntArray,
    drawn: IntArray,
    begins: IntArray,
    ends: IntArray,
    entries: IntArray,
    totals: IntArray,
    vocabulary: IntArray,
    alpha: float,
    beta: float,
    key: np.uint64,
) -> float:
    """Draw every word's topic anew; the answer is the log likelihood of each word given the others.

    ``words`` stand by document, then by language: those of document d in language l are from
    ``starts[d * languages + l]``. ``drawn`` are their topics; ``entries[begins[w]:ends[w]]`` the
    topics of word w; ``totals`` (languages, topics); ``vocabulary`` the words of each language.
    """
    languages, topics = totals.shape
    blocks = np.zeros(-(-topics // BLOCK))
    coefficients = np.zeros(len(blocks) * BLOCK)
    own = np.zeros(len(coefficients))
    rates = np.zeros((languages, len(coefficients)))  # 1 / (n_k + V beta); 0 beyond the last topic
    for language in range(languages):
        for topic in range(topics):
            rates[language, topic] = 1 / (totals[language, topic] + vocabulary[language] * beta)
    likelihood = 0.0
    for side in range(len(starts) - 1):
        language = side % languages
        document = side - language
        likelihood += _redrawn(
            words,
            starts[side],
            starts[side + 1],
            drawn,
            begins,
            ends,
            entries,
            totals[language],
            rates[language],
            own,
            _counted(drawn, starts[document], starts[document + languages], own),
            coefficients,
            blocks,
            alpha,
            beta,
            vocabulary[language] * beta,
            key,
        )
    return likelihood
