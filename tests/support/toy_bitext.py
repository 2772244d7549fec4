"""A toy language pair: topics of words, each word with its translation."""

import numpy as np

TOPICS = [
    ["water", "river", "rain", "sea"],
    ["fire", "smoke", "ash", "heat"],
    ["house", "door", "roof", "wall"],
    ["bread", "salt", "milk", "egg"],
]
SWAHILI = [
    ["maji", "mto", "mvua", "bahari"],
    ["moto", "moshi", "jivu", "joto"],
    ["nyumba", "mlango", "paa", "ukuta"],
    ["mkate", "chumvi", "maziwa", "yai"],
]
TRANSLATIONS = {
    word: translation
    for topic, others in zip(TOPICS, SWAHILI, strict=True)
    for word, translation in zip(topic, others, strict=True)
}


def sentences(count, seed=0):
    """Pairs of texts about one topic each; the other side is in another order."""
    rng = np.random.default_rng(seed)
    pairs = []
    for _ in range(count):
        topic = TOPICS[rng.integers(len(TOPICS))]
        words = [topic[i] for i in rng.integers(0, len(topic), size=rng.integers(2, 7))]
        turned = [TRANSLATIONS[word] for word in rng.permutation(words)]
        pairs.append((" ".join(words), " ".join(turned)))
    return pairs
