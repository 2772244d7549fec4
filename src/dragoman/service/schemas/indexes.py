"""Indexes as the API answers them."""

from pydantic import BaseModel, Field


class IndexAnswer(BaseModel):
    """An index of the service."""

    name: str = Field(examples=["demo-index"])
    documents: int = Field(examples=[214])
    languages: dict[str, int] = Field(examples=[{"de": 12, "en": 40}])
    system: str = Field(examples=["hybrid"])
    version: str = Field(examples=["0.2.0"])


class StatsAnswer(BaseModel):
    """What an index holds and how it was built."""

    name: str
    documents: int
    languages: dict[str, int]
    bytes: int = Field(description="The size of its folder.")
    segments: int
    system: str
    encoder: str | None = Field(examples=["use-multilingual-3"])
    tables: list[str] = Field(description="Languages with a translation table.")
    built: str = Field(examples=["2026-11-18 02:03 UTC, dragoman 0.2.0"])
    warnings: list[str]
    fields: list[str] = Field(description="Metadata fields that can be filtered.")
    rerankers: list[str] = Field(description="Systems that a search may name for re-ranking.")


class HealthAnswer(BaseModel):
    """The state of the process."""

    status: str = Field(examples=["ready"])
