"""Token ids of texts -> inputs of an encoder, truncated to its length.

    query       [CLS] query [SEP]
    document    [CLS] document [SEP] relevant query [SEP] relevant query [SEP] ...   (equation 6)
    pair        [CLS] query [SEP] document [SEP]                                     (equation 1)

Too long inputs lose the end of the document. Relevant queries are never dropped: together they have
half of the tokens, more if the document leaves some, and the longest are truncated to one length.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from transformers import PreTrainedTokenizerBase

from dragoman.encoders.onnx_session import clean_text
from dragoman.types import Text

CHARACTERS_A_TOKEN = 24  # further characters are not tokenized

Tokens = Sequence[int]


@dataclass(frozen=True, slots=True)
class EncoderInput:
    """The tokens of one input; the first ``first`` of them are the first segment."""

    ids: Tokens
    first: int

    def __len__(self) -> int:
        return len(self.ids)


class InputBuilder:
    """Tokenizes texts and assembles the inputs of an encoder."""

    def __init__(self, tokenizer: PreTrainedTokenizerBase, longest: int) -> None:
        self.tokenizer, self.longest = tokenizer, longest
        begin, end = tokenizer.cls_token_id, tokenizer.sep_token_id
        self._begin: list[int] = [] if begin is None else [int(begin)]
        self._end = [int(end)]
        self.padding = int(tokenizer.pad_token_id)

    def tokens(self, texts: Sequence[Text]) -> list[Tokens]:
        """The tokens of each text, without special ones; none for a text without a letter."""
        bodies = [clean_text(text.body, CHARACTERS_A_TOKEN * self.longest) for text in texts]
        if not bodies:
            return []
        ids = self.tokenizer(bodies, add_special_tokens=False, verbose=False)["input_ids"]
        return [tokens[: self.longest] for tokens in ids]

    def query(self, tokens: Tokens) -> EncoderInput:
        """The input of a query."""
        room = self.longest - len(self._begin) - 1
        ids = [*self._begin, *tokens[:room], *self._end]
        return EncoderInput(ids, len(ids))

    def document(self, tokens: Tokens, relevant: Sequence[Tokens]) -> EncoderInput:
        """The input of a document with its relevant queries, each after a separator."""
        queries = [query for query in relevant if query]
        room = self.longest - len(self._begin) - 1 - len(queries)
        lengths = cut_evenly([len(query) for query in queries], max(room // 2, room - len(tokens)))
        ids = [*self._begin, *tokens[: room - sum(lengths)], *self._end]
        first = len(ids)
        for query, length in zip(queries, lengths, strict=True):
            ids += [*query[:length], *self._end]
        return EncoderInput(ids, first)

    def pair(
        self, query: Tokens, document: Tokens, relevant: Sequence[Tokens] = ()
    ) -> EncoderInput:
        """The input of a query together with a document, and with relevant queries after it.

        Relevant queries have a third of the tokens at most, more if the others leave some.
        """
        queries = [one for one in relevant if one]
        room = self.longest - len(self._begin) - 2 - len(queries)
        spare = room - len(query) - len(document)
        lengths = cut_evenly([len(one) for one in queries], max(room // 3, spare))
        room -= sum(lengths)
        length = min(len(query), max(room // 2, room - len(document)))
        ids = [*self._begin, *query[:length], *self._end]
        first = len(ids)
        ids += [*document[: room - length], *self._end]
        for one, most in zip(queries, lengths, strict=True):
            ids += [*one[:most], *self._end]
        return EncoderInput(ids, first)


def cut_evenly(lengths: Sequence[int], room: int) -> list[int]:
    """The lengths, the longest of them reduced to one length so that their sum fits ``room``.

    None becomes 0 if ``room`` is at least their number.
    """
    left, ascending = room, sorted(range(len(lengths)), key=lengths.__getitem__)
    truncated = list(lengths)
    for done, index in enumerate(ascending):
        share = left // (len(ascending) - done)
        truncated[index] = min(lengths[index], share)
        left -= truncated[index]
    return truncated
