"""Texts of many languages -> a shared subword tokenizer, by byte-pair encoding.

Sennrich et al. 2016, within BERT's words: text is lowercased, accents and vowel signs stay, each
punctuation mark and each Chinese character is a word. Tokens that begin a word are marked (``▁``),
not those that continue one, as in BERT: with BERT's marks, the library numbers single letters in
random order, and the same texts would give other tokens. A text, or two, is encoded as in BERT:
``[CLS] one [SEP] two [SEP]``.
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
SPECIAL = (PADDING, UNKNOWN, BEGIN, END, MASK)  # their token ids are their positions here
WORD_START = "▁"
ALPHABET_SIZE = 3_000  # most characters that have a token of their own
MIN_FREQUENCY = 2  # of a pair of tokens that is merged


def train_bpe(texts: Iterable[str], size: int) -> Tokenizer:
    """A tokenizer trained on ``texts``, with at most ``size`` tokens."""
    if size <= len(SPECIAL):
        raise ConfigError(f"a vocabulary needs more than {len(SPECIAL)} tokens, got {size}")
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
            pre_tokenizers.Metaspace(replacement=WORD_START, prepend_scheme="always"),
        ]
    )
    tokenizer.decoder = decoders.Metaspace(replacement=WORD_START, prepend_scheme="always")
    trainer = trainers.BpeTrainer(
        vocab_size=size,
        min_frequency=MIN_FREQUENCY,
        show_progress=False,
        special_tokens=list(SPECIAL),
        limit_alphabet=min(ALPHABET_SIZE, max(1, size // 4)),
    )
    tokenizer.train_from_iterator(texts, trainer)
    tokenizer.post_processor = processors.TemplateProcessing(
        single=f"{BEGIN} $A {END}",
        pair=f"{BEGIN} $A {END} $B:1 {END}:1",
        special_tokens=[(token, SPECIAL.index(token)) for token in (BEGIN, END)],
    )
    return tokenizer
