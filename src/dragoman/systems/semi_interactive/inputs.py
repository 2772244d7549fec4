"""Token numbers of texts -> what an encoder reads, cut to its length.

    query       [CLS] query [SEP]
    document    [CLS] document [SEP] relevant query [SEP] relevant query [SEP] ...   (equation 6)
    pair        [CLS] query [SEP] document [SEP]                                     (equation 1)

What is too long loses the end of the document. Relevant queries are never dropped: together they
have half of the places, more where the document leaves some, and those that are still too long are
cut to one length.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from transformers import PreTrainedTokenizerBase

from dragoman.encoders.onnx_session import clean_text
from dragoman.types import Text

CHARACTERS_A_TOKEN = 24  # what lies beyond so many for each token that is read is not looked at

Tokens = Sequence[int]


@dataclass(frozen=True, slots=True)
class EncoderInput:
    """The tokens of one encoding; the first ``first`` of them are of the first segment."""

    ids: Tokens
    first: int

    def __len__(self) -> int:
        return len(self.ids)


class InputBuilder:
    """Cuts texts into tokens and puts them together."""

    def __init__(self, tokenizer: PreTrainedTokenizerBase, longest: int) -> None:
        self.tokenizer, self.longest = tokenizer, longest
        begin, end = tokenizer.cls_token_id, tokenizer.sep_token_id
        self._begin: list[int] = [] if begin is None else [int(begin)]
        self._end = [int(end)]
        self.padding = int(tokenizer.pad_token_id)

    def tokens(self, texts: Sequence[Text]) -> list[Tokens]:
        """The tokens of each text, none of them special; none for a text without a letter."""
        bodies = [clean_text(text.body, CHARACTERS_A_TOKEN * self.longest) for text in texts]
        if not bodies:
            return []
        found = self.tokenizer(bodies, add_special_tokens=False, verbose=False)["input_ids"]
        return [tokens[: self.longest] for tokens in found]

    def query(self, tokens: Tokens) -> EncoderInput:
        """A query by itself."""
        room = self.longest - len(self._begin) - 1
        ids = [*self._begin, *tokens[:room], *self._end]
        return EncoderInput(ids, len(ids))

    def document(self, tokens: Tokens, relevant: Sequence[Tokens]) -> EncoderInput:
        """A document with its relevant queries, each behind a separator."""
        asked = [query for query in relevant if query]
        room = self.longest - len(self._begin) - 1 - len(asked)
        lengths = cut_evenly([len(query) for query in asked], max(room // 2, room - len(tokens)))
        ids = [*self._begin, *tokens[: room - sum(lengths)], *self._end]
        first = len(ids)
        for query, length in zip(asked, lengths, strict=True):
            ids += [*query[:length], *self._end]
        return EncoderInput(ids, first)

    def pair(self, query: Tokens, document: Tokens) -> EncoderInput:
        """A query and a document, to be read together."""
        room = self.longest - len(self._begin) - 2
        length = min(len(query), max(room // 2, room - len(document)))
        ids = [*self._begin, *query[:length], *self._end]
        first = len(ids)
        return EncoderInput([*ids, *document[: room - length], *self._end], first)


def cut_evenly(lengths: Sequence[int], room: int) -> list[int]:
    """The lengths, the longest of them shortened to one length so that their sum fits ``room``.

    As long as there is a place for each, none becomes 0.
    """
    left, waiting = room, sorted(range(len(lengths)), key=lengths.__getitem__)
    cut = list(lengths)
    for place, row in enumerate(waiting):
        share = left // (len(waiting) - place)
        cut[row] = min(lengths[row], share)
        left -= cut[row]
    return cut
