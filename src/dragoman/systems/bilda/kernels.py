"""Compiled Gibbs sampling: one sweep over the words of an aligned corpus.

A sweep samples the topic of every word from p(k) = (n_dk + alpha) (n_wk + beta) / (n_k + V beta),
where counts exclude the word itself (Vulic et al. 2015, section 3.3). With
c_k = (n_dk + alpha) / (n_k + V beta) this is n_wk c_k + beta c_k. The first sum has one term for
each topic of the word, about a dozen of 300; the second is sampled from sums of c_k over blocks of
topics (the buckets of SparseLDA, Yao et al. 2009). Sampling is exact, in float64.

The topics of a word are *entries*, ``count << BITS | topic``, in descending order: likely topics
come first, and equal counts give equal entries whatever their history. A random number is a hash of
a key and the word's position. The state therefore consists of integers alone, and a training that
was interrupted continues bit for bit. Signatures are explicit and the machine code is cached.
Hand-written because no library samples the topics of aligned texts; on one language a sweep takes a
quarter of tomotopy's time (``benchmarks/README.md``).
"""

import numpy as np
from numba import njit

from dragoman.types import FloatArray, IntArray

BLOCK = 16  # topics whose coefficients have a sum of their own
BITS = 16  # of a topic in an entry
ONE_COUNT = 1 << BITS  # of an entry
TOPIC = ONE_COUNT - 1  # mask of the topic in an entry
UNASSIGNED = -1  # the topic of a word before the first sweep
TINY = 1e-250  # a product of probabilities above it can take one more factor


@njit("uint64(uint64)", cache=True, nogil=True, inline="always")
def _splitmix64(number: np.uint64) -> np.uint64:
    """The finalizer of the splitmix64 generator, a hash of ``number``."""
    number = (number ^ (number >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    number = (number ^ (number >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return number ^ (number >> np.uint64(31))


@njit("float64(uint64, int64)", cache=True, nogil=True, inline="always")
def uniform(key: np.uint64, position: int) -> float:
    """The random number in [0, 1) for ``position`` under ``key``."""
    bits = _splitmix64(key + np.uint64(position) * np.uint64(0x9E3779B97F4A7C15))
    return float(bits >> np.uint64(11)) * (1.0 / 9007199254740992.0)


@njit("int64(int64[::1], int64, int64, int64)", cache=True, nogil=True, inline="always")
def _find_entry(entries: IntArray, begin: int, end: int, topic: int) -> int:
    """The position of the entry of ``topic``; ``end`` if the word does not have it."""
    position = begin
    while position < end and entries[position] & TOPIC != topic:
        position += 1
    return position


@njit("int64(int64[::1], int64, int64, int64)", cache=True, nogil=True, inline="always")
def _decrement(entries: IntArray, begin: int, end: int, topic: int) -> int:
    """Decrease the count of ``topic`` by one; the new end of the word's entries."""
    position = _find_entry(entries, begin, end, topic)
    entry = entries[position] - ONE_COUNT
    while position < end - 1 and entries[position + 1] > entry:
        entries[position] = entries[position + 1]
        position += 1
    entries[position] = entry
    return end - 1 if entry < ONE_COUNT else end


@njit("void(int64[::1], int64, int64, int64)", cache=True, nogil=True, inline="always")
def _move_up(entries: IntArray, begin: int, position: int, entry: int) -> None:
    """Write ``entry``, which has replaced a smaller one at ``position``, in its sorted position."""
    while position > begin and entries[position - 1] < entry:
        entries[position] = entries[position - 1]
        position -= 1
    entries[position] = entry


@njit("float64(int64[::1], int64, int64, float64[::1])", cache=True, nogil=True, inline="always")
def _entry_mass(entries: IntArray, begin: int, end: int, coefficients: FloatArray) -> float:
    """The sum of n_wk c_k."""
    mass = 0.0
    for position in range(begin, end):
        mass += (entries[position] >> BITS) * coefficients[entries[position] & TOPIC]
    return mass


@njit(
    "int64(int64[::1], int64, int64, float64[::1], float64)",
    cache=True,
    nogil=True,
    inline="always",
)
def _sample_entry(
    entries: IntArray, begin: int, end: int, coefficients: FloatArray, remaining: float
) -> int:
    """The position of the entry at which the cumulative sum of n_wk c_k exceeds ``remaining``."""
    position = begin
    entry = entries[position]
    remaining -= (entry >> BITS) * coefficients[entry & TOPIC]
    while remaining >= 0 and position < end - 1:
        position += 1
        entry = entries[position]
        remaining -= (entry >> BITS) * coefficients[entry & TOPIC]
    return position


@njit("int64(float64[::1], float64[::1], int64, float64)", cache=True, nogil=True, inline="always")
def _sample_topic(
    blocks: FloatArray, coefficients: FloatArray, topics: int, remaining: float
) -> int:
    """The topic at which the cumulative sum of c_k exceeds ``remaining``."""
    block = 0
    while block < len(blocks) - 1 and remaining >= blocks[block]:
        remaining -= blocks[block]
        block += 1
    topic = block * BLOCK
    last = min(topic + BLOCK, topics) - 1
    while topic < last and remaining >= coefficients[topic]:
        remaining -= coefficients[topic]
        topic += 1
    return topic


@njit(
    "float64(int64, float64, float64[::1], float64[::1])",
    cache=True,
    nogil=True,
    inline="always",
)
def _set_coefficient(
    topic: int, coefficient: float, coefficients: FloatArray, blocks: FloatArray
) -> float:
    """Set c_k; the change of the sum of all c_k."""
    change: float = coefficient - coefficients[topic]
    coefficients[topic] = coefficient
    blocks[topic // BLOCK] += change
    return change


@njit(
    "float64(float64[::1], float64[::1], float64, float64[::1], float64[::1])",
    cache=True,
    nogil=True,
)
def _set_coefficients(
    counts: FloatArray,
    rates: FloatArray,
    alpha: float,
    coefficients: FloatArray,
    blocks: FloatArray,
) -> float:
    """Compute all c_k of a document in one language and their sums by block; the total sum."""
    total = 0.0
    for block in range(len(blocks)):
        part = 0.0
        for topic in range(block * BLOCK, (block + 1) * BLOCK):
            coefficients[topic] = (counts[topic] + alpha) * rates[topic]
            part += coefficients[topic]
        blocks[block] = part
        total += part
    return total


@njit("int64(int32[::1], int64, int64, float64[::1])", cache=True, nogil=True)
def _count_topics(assignments: IntArray, first: int, last: int, counts: FloatArray) -> int:
    """Count the topics of a document's words into ``counts``; the number of words with a topic."""
    counts[:] = 0
    count = 0
    for position in range(first, last):
        if assignments[position] != UNASSIGNED:
            counts[assignments[position]] += 1
            count += 1
    return count


@njit(
    "float64(int32[::1], int64, int64, int32[::1], int64[::1], int64[::1], int64[::1], int64[::1],"
    " float64[::1], float64[::1], int64, float64[::1], float64[::1], float64, float64, float64,"
    " uint64)",
    cache=True,
    nogil=True,
)
def _sample_text(
    words: IntArray,
    first: int,
    last: int,
    assignments: IntArray,
    begins: IntArray,
    ends: IntArray,
    entries: IntArray,
    totals: IntArray,
    rates: FloatArray,
    counts: FloatArray,
    count: int,
    coefficients: FloatArray,
    blocks: FloatArray,
    alpha: float,
    beta: float,
    smoothing: float,
    key: np.uint64,
) -> float:
    """Sample the topics of a document's words in one language; their log likelihood."""
    topics = len(totals)
    length = count + topics * alpha
    likelihood, product = 0.0, 1.0
    total = _set_coefficients(counts, rates, alpha, coefficients, blocks)
    for position in range(first, last):
        word, topic = words[position], assignments[position]
        begin, end = begins[word], ends[word]
        if topic != UNASSIGNED:
            end = _decrement(entries, begin, end, topic)
            counts[topic] -= 1
            totals[topic] -= 1
            length -= 1
            rates[topic] = 1.0 / (totals[topic] + smoothing)
            coefficient = (counts[topic] + alpha) * rates[topic]
            total += _set_coefficient(topic, coefficient, coefficients, blocks)
        mass = _entry_mass(entries, begin, end, coefficients)
        probability = mass + beta * total
        remaining = uniform(key, position) * probability
        if remaining < mass:
            entry = _sample_entry(entries, begin, end, coefficients, remaining)
            topic = entries[entry] & TOPIC
        else:
            topic = _sample_topic(blocks, coefficients, topics, (remaining - mass) / beta)
            entry = _find_entry(entries, begin, end, topic)
        if entry == end:
            entries[end] = topic
            end += 1
        _move_up(entries, begin, entry, entries[entry] + ONE_COUNT)
        ends[word] = end
        product *= probability / length
        if product < TINY:
            likelihood += np.log(product)
            product = 1.0
        assignments[position] = topic
        counts[topic] += 1
        totals[topic] += 1
        length += 1
        rates[topic] = 1.0 / (totals[topic] + smoothing)
        coefficient = (counts[topic] + alpha) * rates[topic]
        total += _set_coefficient(topic, coefficient, coefficients, blocks)
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
    assignments: IntArray,
    begins: IntArray,
    ends: IntArray,
    entries: IntArray,
    totals: IntArray,
    vocabulary: IntArray,
    alpha: float,
    beta: float,
    key: np.uint64,
) -> float:
    """Sample the topic of every word once; the log likelihood of each word given all others.

    The ``words`` of document d in language l begin at ``starts[d * languages + l]``;
    ``assignments`` are their topics. ``entries[begins[w]:ends[w]]`` are the topics of word w,
    ``totals`` (languages, topics) the words of each topic, ``vocabulary`` the vocabulary sizes.
    """
    languages, topics = totals.shape
    blocks = np.zeros(-(-topics // BLOCK))
    coefficients = np.zeros(len(blocks) * BLOCK)
    counts = np.zeros(len(coefficients))
    rates = np.zeros((languages, len(coefficients)))  # 1 / (n_k + V beta); 0 beyond the last topic
    for language in range(languages):
        for topic in range(topics):
            rates[language, topic] = 1 / (totals[language, topic] + vocabulary[language] * beta)
    likelihood = 0.0
    for text in range(len(starts) - 1):
        language = text % languages
        document = text - language
        likelihood += _sample_text(
            words,
            starts[text],
            starts[text + 1],
            assignments,
            begins,
            ends,
            entries,
            totals[language],
            rates[language],
            counts,
            _count_topics(assignments, starts[document], starts[document + languages], counts),
            coefficients,
            blocks,
            alpha,
            beta,
            vocabulary[language] * beta,
            key,
        )
    return likelihood
