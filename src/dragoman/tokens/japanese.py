"""Japanese text -> words, by MeCab through fugashi (extra ``cjk``)."""

from importlib.metadata import version

import fugashi
import unidic_lite


class JapaneseSegmenter:
    """Segments by MeCab with the unidic-lite dictionary."""

    name = f"fugashi {version('fugashi')} unidic-lite {version('unidic-lite')}"

    def __init__(self) -> None:
        self._tagger = fugashi.GenericTagger(f'-d "{unidic_lite.DICDIR}" -r /dev/null -Owakati')

    def cut(self, run: str) -> list[str]:
        """The words of a run; joined, they are the run."""
        return [word.surface for word in self._tagger(run)]
