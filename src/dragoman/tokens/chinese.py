"""Chinese text -> words, by jieba (extra ``cjk``)."""

import jieba


class ChineseSegmenter:
    """Segments by jieba's dictionary and hidden Markov model."""

    name = f"jieba {jieba.__version__}"

    def __init__(self) -> None:
        # jieba's initialize() would load a marshalled cache from the temporary folder, where any
        # user can put one, and print to standard error.
        tokenizer = jieba.Tokenizer()
        tokenizer.FREQ, tokenizer.total = tokenizer.gen_pfdict(tokenizer.get_dict_file())
        tokenizer.initialized = True
        self._tokenizer = tokenizer

    def cut(self, run: str) -> list[str]:
        """The words of a run; joined, they are the run."""
        words: list[str] = self._tokenizer.lcut(run)
        return words
