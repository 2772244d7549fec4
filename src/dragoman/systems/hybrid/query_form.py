"""A query -> its form: a question, or keywords (titles, terms, sentences of a text).

A question asks for what its words describe, so that sentence vectors deserve a larger share of its
score; keywords occur in the documents that they ask for. A question ends with a question mark, or
has an interrogative: among its first words where languages put it there, anywhere in the others.
"""

from enum import StrEnum
from functools import lru_cache

from dragoman.tokens.analyzer import Analyzer, AnalyzerConfig
from dragoman.types import Text

MARKS = ("?", "？", "؟", "\u037e", "՞")
GREEK_MARK = ";"
FIRST = 2  # words that an interrogative is among, behind a preposition perhaps
CACHED = 1024

LEADING = {
    "bg": "кой коя кое кои какво как къде кога защо колко какъв каква чий",
    "cs": "kdo co kde kdy proč jak kolik který která které jaký jaká jaké čí kam",
    "de": "wer wen wem wessen was wo wann warum weshalb wie welche welcher welches welchen welchem"
    " wieviel wohin woher",
    "el": "ποιος ποια ποιο ποιοι ποιες τι πού πότε γιατί πώς πόσο πόσοι πόσες πόσα πόσους",
    "en": "who whom whose what when where why how which",
    "es": "quién quiénes qué dónde cuándo cómo cuál cuáles cuánto cuánta cuántos cuántas",
    "fi": "kuka ketkä kenen mikä mitkä mitä minkä missä mistä mihin milloin miksi miten kuinka"
    " kumpi montako paljonko",
    "fr": "qui quand où comment pourquoi combien quel quelle quels quelles lequel laquelle",
    "ha": "wane wace wanne wacce wanene menene mene ina yaushe yaya nawa me wa",
    "it": "chi quando dove come perché quale quali quanto quanta quanti quante cosa",
    "nl": "wie wat waar wanneer waarom hoe welk welke hoeveel wiens",
    "pl": "kto kogo komu co gdzie kiedy dlaczego jak ile który która które jaki jaka jakie czyj",
    "pt": "quem quando onde como qual quais quanto quanta quantos quantas",
    "ru": "кто кого кому кем что где когда почему зачем как сколько какой какая какое какие каков"
    " какова каково каковы чей чья чьё куда откуда",
    "so": "yaa maxaa xaggee goorma sidee immisa maxay waa",
    "tl": "sino ano saan kailan bakit paano ilan alin gaano",
    "uk": "хто кого кому що де коли чому як скільки який яка яке які чий куди звідки",
}
ANYWHERE = {
    "ar": "من ما ماذا متى أين كيف لماذا كم أي أية",
    "hi": "कौन क्या कब कहाँ कहां क्यों कैसे कितने कितना कितनी किसने किस किसे किसका किसकी कौनसा",
    "id": "siapa apa kapan dimana mana mengapa kenapa bagaimana berapa apakah",
    "ko": "누가 누구 무엇 무엇을 무엇이 언제 어디 어디서 어디에 왜 어떻게 어떤 몇 얼마나",
    "sw": "nani nini lini wapi kwanini vipi gani ngapi ipi yupi",
    "tr": "kim kimi kimin ne neden niçin niye nerede nereye nereden nasıl kaç hangi hangisi mi mı"
    " mu mü midir nedir kimdir kaçtır",
    "vi": "ai gì đâu nào sao mấy bao",
    "yo": "tani kini kí nígbà níbo báwo mélòó èwo ta ki melo",
}
UNSPACED = {  # parts of a text without blanks
    "ja": "誰 何 いつ どこ なぜ どう どの どれ いくつ いくら ですか",
    "th": "ใคร อะไร เมื่อไร เมื่อไหร่ เมื่อใด ที่ไหน ที่ใด ทำไม อย่างไร เท่าไร เท่าไหร่ เท่าใด กี่ ใด ไหน หรือไม่",
    "zh": "谁 誰 什么 什麼 何时 何時 哪 为什么 為什麼 如何 怎 多少 几 幾 吗 嗎 何",
}


class QueryForm(StrEnum):
    """What a query is, as far as its ranking depends on it."""

    QUESTION = "question"
    KEYWORDS = "keywords"


@lru_cache(CACHED)
def query_form(query: Text) -> QueryForm:
    """The form of a query; keywords where its language has no list and it has no question mark."""
    text = query.body.strip()
    marks = (*MARKS, GREEK_MARK) if query.language == "el" else MARKS
    if text.endswith(marks) or _has_interrogative(text, query.language):
        return QueryForm.QUESTION
    return QueryForm.KEYWORDS


def _has_interrogative(text: str, language: str) -> bool:
    if parts := UNSPACED.get(language, "").split():
        return any(part in text for part in parts)
    listed = LEADING.get(language) or ANYWHERE.get(language) or ""
    words = _words(text, language)
    if language in LEADING:
        words = words[:FIRST]
    return not {*words}.isdisjoint(_words(listed, language))


_ANALYZER = Analyzer(AnalyzerConfig(stop=False, stem=False, min_length=1))


def _words(text: str, language: str) -> list[str]:
    """The words of a text, folded."""
    return _ANALYZER(text, language)
