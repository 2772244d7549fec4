"""The web page: its built files, or a line that says that they are missing."""

from pathlib import Path

from fastapi import FastAPI
from starlette.responses import FileResponse, PlainTextResponse, Response
from starlette.staticfiles import StaticFiles

FOLDER = Path(__file__).parent / "page"
POLICY = {
    "Cache-Control": "no-cache",
}
HASHED = "public, max-age=31536000, immutable"


class HashedFiles(StaticFiles):
    """Files whose names hold a hash of their content, so that browsers may keep them."""

    def file_response(self, *args: object, **options: object) -> Response:
        """The file, cacheable for ever."""
        response = super().file_response(*args, **options)  # type: ignore[arg-type]
        response.headers["Cache-Control"] = HASHED
        return response


def add_page(app: FastAPI, folder: Path = FOLDER) -> None:
    """Serve the page at ``/``, and its scripts and styles below ``/assets``."""
    start = folder / "index.html"
    if (assets := folder / "assets").is_dir():
        app.mount("/assets", HashedFiles(directory=assets), "assets")

    async def page() -> Response:
        if not start.is_file():
            return PlainTextResponse("The page is not built here; the API is at /v1/.\n")
        return FileResponse(start, headers=POLICY)

    app.add_api_route("/", page, include_in_schema=False)
