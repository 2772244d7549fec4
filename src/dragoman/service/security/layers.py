"""The layers that every request passes before a route: who may call, from where, and with what."""

from fastapi import FastAPI

from dragoman.service.catalog import Catalog
from dragoman.service.security.authentication import Authentication
from dragoman.service.security.callers import Security
from dragoman.service.security.hosts import AllowedHosts
from dragoman.service.security.origins import Origins
from dragoman.service.security.response_headers import ResponseHeaders


def add_security(app: FastAPI, security: Security, catalog: Catalog) -> None:
    """Put the layers around an application; a request passes the last one first."""

    def only_name() -> str:
        return next(iter(catalog)) if len(catalog) == 1 else ""

    app.add_middleware(Authentication, security=security, default_index=only_name)
    app.add_middleware(Origins, security=security)
    app.add_middleware(AllowedHosts, names=security.allowed_hosts)
    app.add_middleware(ResponseHeaders)
