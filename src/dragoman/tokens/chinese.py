"""Runs of Chinese -> dictionary words, by jieba (extra ``cjk``)."""

import jieba


class ChineseSegmenter:
    """Cuts by jieba's own dictionary and hidden Markov model."""

    name = f"jieba {jieba.__version__}"

    def __init__(self) -> None:
        # Not by jieba's initialize(): that trusts a marshalled cache in the temporary folder,
        # where anyone may put one, and writes to standard error.
        tokenizer = jieba.Tokenizer()
        tokenizer.FREQ, tokenizer.total = tokenizer.gen_pfdict(tokenizer.get_dict_file())
        tokenizer.initialized = True
        self._tokenizer = tokenizer

    def cut(self, run: str) -> list[str]:
        """The words of a run, which together spell it."""
        words: list[str] = self._tokenizer.lcut(run)
        return words
