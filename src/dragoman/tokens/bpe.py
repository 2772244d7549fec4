"""Texts of many languages -> a tokenizer of word pieces that they share.

Byte-pair encoding (Sennrich et al. 2016) within words, as BERT cuts them: letters are lowered,
accents and vowel signs stay, each punctuation mark is a word, and so is each Chinese character. A
piece that begins its word is marked, and not, as in BERT, one that does not: the library numbers
BERT's marked letters by chance, and the same texts would give other pieces. The tokenizer frames a
text, or two, as BERT does: ``[CLS] one [SEP] two [SEP]``.
"""

from collections.abc import Iterable

from tokenizers import (
    Tokenizer,
    decoders,
    models,
    normalizers,
    pre_tokenizers,
    processors,
    trainers,
)

from dragoman.errors import ConfigError

PADDING, UNKNOWN, BEGIN, END, MASK = "[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"
SPECIAL = (PADDING, UNKNOWN, BEGIN, END, MASK)  # their numbers are their places here
BEGINS = "▁"  # stands before a word
LETTERS = 3_000  # most different characters that have a piece of their own
SEEN = 2  # a pair of pieces that stands less often together is not joined


def train_bpe(texts: Iterable[str], size: int) -> Tokenizer:
    """The tokenizer with at most ``size`` pieces that writes ``texts`` shortest."""
    if size <= len(SPECIAL):
        raise ConfigError(f"a vocabulary needs more than {len(SPECIAL)} pieces, got {size}")
    tokenizer = Tokenizer(models.BPE(unk_token=UNKNOWN, fuse_unk=True))
    tokenizer.normalizer = normalizers.Sequence(
        [
            normalizers.NFKC(),
            normalizers.BertNormalizer(
                clean_text=True, handle_chinese_chars=True, strip_accents=False, lowercase=True
            ),
        ]
    )
    tokenizer.pre_tokenizer = pre_tokenizers.Sequence(
        [
            pre_tokenizers.BertPreTokenizer(),
            pre_tokenizers.Metaspace(replacement=BEGINS, prepend_scheme="always"),
        ]
    )
    tokenizer.decoder = decoders.Metaspace(replacement=BEGINS, prepend_scheme="always")
    trainer = trainers.BpeTrainer(
        vocab_size=size,
        min_frequency=SEEN,
        show_progress=False,
        special_tokens=list(SPECIAL),
        limit_alphabet=min(LETTERS, max(1, size // 4)),
    )
    tokenizer.train_from_iterator(texts, trainer)
    tokenizer.post_processor = processors.TemplateProcessing(
        single=f"{BEGIN} $A {END}",
        pair=f"{BEGIN} $A {END} $B:1 {END}:1",
        special_tokens=[(token, SPECIAL.index(token)) for token in (BEGIN, END)],
    )
    return tokenizer
