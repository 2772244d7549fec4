"""Documents, tasks, sessions and judgments as the API takes and answers them."""

from typing import Annotated, Any

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, FiniteFloat, StringConstraints

from dragoman.errors import UnknownLanguage
from dragoman.service.config import LONGEST_ID, QUERY_LENGTH
from dragoman.text.languages import canonical
from dragoman.types import Document

MOST_DOCUMENTS = 10_000  # in a batch of JSON; lines of JSON have no such limit
MOST_FIELDS = 100  # of metadata
LONGEST_TEXT = 10_000_000  # characters
LONGEST_TITLE = 2_000
LONGEST_FIELD = 100  # characters of a field's name
LONGEST_METADATA = 10_000  # characters of a value
MOST_VALUES = 100  # in a list
GREATEST = 2**63 - 1
EXAMPLE: dict[str, Any] = {
    "text": "Brot geht auf wegen der Hefe.",
    "title": "Brot",
    "metadata": {"year": 2010},
}


def _language(code: str) -> str:
    try:
        return canonical(code) if code else ""
    except UnknownLanguage as error:
        raise ValueError(str(error)) from error


def _identifier(text: str) -> str:
    if not text.isprintable():
        raise ValueError("expected an id without control characters")
    return text


Text = Annotated[str, StringConstraints(max_length=LONGEST_METADATA)]
Whole = Annotated[int, Field(ge=-GREATEST, le=GREATEST)]
MetadataValue = (
    bool | Whole | FiniteFloat | Text | Annotated[list[Text], Field(max_length=MOST_VALUES)]
)
FieldName = Annotated[
    str, StringConstraints(min_length=1, max_length=LONGEST_FIELD, pattern=r"^[^_\x00-\x1f]")
]
LanguageCode = Annotated[str, StringConstraints(max_length=35), AfterValidator(_language)]
DocumentId = Annotated[
    str, StringConstraints(min_length=1, max_length=LONGEST_ID), AfterValidator(_identifier)
]


class DocumentBody(BaseModel):
    """A document without its id, which the path has."""

    model_config = ConfigDict(
        extra="forbid", frozen=True, strict=True, json_schema_extra={"example": EXAMPLE}
    )

    text: str = Field(max_length=LONGEST_TEXT)
    title: str = Field("", max_length=LONGEST_TITLE)
    language: LanguageCode = Field("", description="A code as in `de`; detected where not given.")
    metadata: dict[FieldName, MetadataValue] = Field(default={}, max_length=MOST_FIELDS)

    def document(self, doc_id: str) -> Document:
        """The document with an id."""
        return Document(doc_id, self.text, self.title, self.language, dict(self.metadata))


class IdentifiedDocument(DocumentBody):
    """A document of a batch."""

    model_config = ConfigDict(json_schema_extra={"example": {"id": "bread-de", **EXAMPLE}})

    id: DocumentId


class DocumentBatch(BaseModel):
    """Documents that are added as one task."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    documents: list[IdentifiedDocument] = Field(min_length=1, max_length=MOST_DOCUMENTS)


class IdentifierHolder(BaseModel):
    """The id in a path, checked as one in a body is."""

    id: DocumentId


class Acknowledgement(BaseModel):
    """A document is in the index and on the disk."""

    id: str = Field(examples=["bread-de"])
    acknowledged: bool = True


class TaskFault(BaseModel):
    """A file that gave no document, and why."""

    file: str = Field(examples=["scans/photo.png"])
    reason: str = Field(examples=["passed over: image"])


class TaskAnswer(BaseModel):
    """A task: `done` of `total` files or documents are through, `added` are in the index."""

    id: str = Field(examples=["3f0c55d2ab9e14c07a6b21f8"])
    kind: str = Field(examples=["files"])
    state: str = Field(description="queued, running, done, failed or cancelled")
    done: int
    total: int
    added: int = Field(description="Documents that are in the index.")
    errors: list[TaskFault] = Field(description="At most 1,000, and 10 in a list of tasks.")
    reason: str = Field(description="Why the task waits or has failed; empty otherwise.")
    created: str
    finished: str | None


class AcceptedTask(BaseModel):
    """A task that will be done, also if the service is killed meanwhile."""

    task: TaskAnswer


class TaskList(BaseModel):
    """The last tasks of an index, the newest first."""

    tasks: list[TaskAnswer]
    next: str | None = Field(description="The cursor of older ones.")


class KeyBody(BaseModel):
    """A key that becomes a session."""

    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)

    key: str = Field(max_length=200, examples=["dgm_..."])


class SessionAnswer(BaseModel):
    """What the caller may do."""

    key_needed: bool
    scopes: list[str] = Field(examples=[["read", "write"]])
    name: str = Field(description="Of the key; empty without one.")
    indexes: list[str] = Field(description="That the key opens; none: all.")


class JudgmentBody(BaseModel):
    """How good a document is as an answer to a query; 0 is not relevant, null withdraws."""

    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)

    query: str = Field(min_length=1, max_length=QUERY_LENGTH)
    id: DocumentId
    grade: int | None = Field(ge=0, le=3)
    language: LanguageCode = ""
    system: str = Field("", max_length=100)


def json_body(*schemas: type[BaseModel], media: str = "application/json") -> dict[str, Any]:
    """The body of a route that reads it itself, for the OpenAPI document."""
    schema = schemas[0].model_json_schema(ref_template="#/components/schemas/{model}")
    schema.pop("$defs", None)
    return {"requestBody": {"required": True, "content": {media: {"schema": schema}}}}
