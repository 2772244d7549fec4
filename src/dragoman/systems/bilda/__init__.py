"""Bilingual topic models, trained on aligned documents (BiLDA)."""
