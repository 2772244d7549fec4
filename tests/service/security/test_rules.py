"""Routes x scopes x origins: one table. A route without a line here or in the rules fails."""

import pytest
from starlette.routing import Mount, Route
from starlette.testclient import TestClient

from dragoman.service.app import create_app
from dragoman.service.catalog import Catalog
from dragoman.service.security.keys import KeyFile, KeyScope
from dragoman.service.security.rules import methods_of, rule_of
from small_index import small_index
from small_service import BASE

OPEN, READ, WRITE, ADMIN = None, KeyScope.READ, KeyScope.WRITE, KeyScope.ADMIN
# method, path with every parameter filled in, the least scope
TABLE = [
    ("GET", "/", OPEN),
    ("GET", "/assets/app.js", OPEN),
    ("GET", "/v1/health", OPEN),
    ("GET", "/v1/ready", OPEN),
    ("GET", "/v1/session", OPEN),
    ("POST", "/v1/session", OPEN),
    ("DELETE", "/v1/session", OPEN),
    ("GET", "/v1/openapi.json", READ),
    ("GET", "/v1/indexes", READ),
    ("GET", "/metrics", READ),
    *(
        (method, prefix + path, scope)
        for prefix in ("/v1/indexes/letters", "/v1")
        for method, path, scope in [
            ("GET", "/search", READ),
            ("POST", "/search:batch", READ),
            ("GET", "/explain", READ),
            ("GET", "/stats", READ),
            ("GET", "/documents", READ),
            ("GET", "/documents/a/b.txt", READ),
            ("GET", "/documents/a/b.txt:similar", READ),
            ("PUT", "/documents/a/b.txt", WRITE),
            ("DELETE", "/documents/a/b.txt", WRITE),
            ("POST", "/documents:batch", WRITE),
            ("POST", "/files", WRITE),
            ("GET", "/tasks", READ),
            ("GET", "/tasks/abc", READ),
            ("DELETE", "/tasks/abc", WRITE),
            ("POST", "/judgments", READ),
            ("GET", "/judgments", ADMIN),
        ]
    ),
]
ROWS = pytest.mark.parametrize(("method", "path", "scope"), TABLE)


@pytest.fixture(scope="module")
def service(tmp_path_factory):
    """A service of two indexes with a key of each scope, and keys for one index."""
    folder = tmp_path_factory.mktemp("keys")
    keys = KeyFile(folder / "state" / "keys.json")
    names = {scope: keys.add(scope, scope) for scope in KeyScope}
    names["letters"] = keys.add("letters", KeyScope.ADMIN, ["letters"])
    names["other"] = keys.add("other", KeyScope.ADMIN, ["other"])
    catalog = Catalog([small_index(folder / "letters")])
    app = create_app(catalog, folder=folder / "state")
    with TestClient(app, BASE, raise_server_exceptions=False) as client:
        client.headers["X-Dragoman"] = "1"
        yield client, names


def call(service, method, path, key="", **headers):
    client, names = service
    if key:
        headers["Authorization"] = f"Bearer {names[key]}"
    answer = client.request(method, path, headers=headers)
    content = answer.headers.get("content-type", "")
    is_problem = content == "application/problem+json"
    return answer.status_code, answer.json()["code"] if is_problem else ""


def routes(listed, prefix=""):
    """The methods and paths of an application, with its parameters as they are declared."""
    for route in listed:
        if isinstance(route, Mount):
            yield "GET", f"{prefix}{route.path}/{{file}}"
        elif isinstance(route, Route):
            for method in route.methods - {"HEAD"}:
                yield method, prefix + route.path
        elif hasattr(route, "original_router"):  # FastAPI's own, of an included router
            yield from routes(route.original_router.routes, prefix + route.include_context.prefix)
        else:
            raise AssertionError(f"a route of an unknown kind: {route}")


def filled(path):
    for name, value in {"name": "letters", "doc_id:path": "a", "task_id": "t", "file": "f"}.items():
        path = path.replace(f"{{{name}}}", value)
    assert "{" not in path, f"{path} has a parameter that this test does not know"
    return path


def test_every_route_of_the_application_has_a_rule_and_a_row(service):
    client, _ = service
    known = [(method, path) for method, path, _ in TABLE]
    declared = [*routes(client.app.routes)]
    assert len(declared) > 20
    for method, path in declared:
        example = filled(path)
        assert rule_of(method, example), f"{method} {path} has no rule in security/rules.py"
        rule, _ = rule_of(method, example)
        assert any(method == one and rule.path.fullmatch(other) for one, other in known), (
            f"{method} {path} has no row in the table"
        )


@ROWS
def test_without_a_key_only_open_routes_answer(service, method, path, scope):
    status, code = call(service, method, path)
    assert (code == "key_needed") == (scope is not OPEN)
    assert (status == 401) == (scope is not OPEN)


@ROWS
@pytest.mark.parametrize("key", KeyScope)
def test_a_key_opens_what_its_scope_includes(service, method, path, scope, key):
    status, code = call(service, method, path, key)
    if scope is OPEN or key.includes(scope):
        assert status not in (401, 403)
    else:
        assert (status, code) == (403, "scope_missing")


@ROWS
def test_a_key_for_another_index_opens_nothing_of_this_one(service, method, path, scope):
    status, code = call(service, method, path, "other")
    is_of_an_index = scope is not OPEN and path not in ("/v1/openapi.json", "/v1/indexes")
    assert ((status, code) == (403, "index_closed")) == is_of_an_index


@ROWS
def test_a_key_for_this_index_opens_all_of_it(service, method, path, scope):
    status, _ = call(service, method, path, "letters")
    assert (status == 403) == (path == "/metrics")


@ROWS
@pytest.mark.parametrize(
    "foreign", [{"Origin": "https://evil.example"}, {"Sec-Fetch-Site": "cross-site"}]
)
def test_no_key_helps_a_foreign_page(service, method, path, scope, foreign):
    is_page = path == "/" and "Origin" not in foreign
    status, code = call(service, method, path, "admin", **foreign)
    assert ((status, code) == (403, "foreign_origin")) != is_page


@ROWS
def test_no_key_helps_a_foreign_host(service, method, path, scope):
    assert call(service, method, path, "admin", Host="evil.example")[0] == 421


@pytest.mark.parametrize(
    "path", ["/v1", "/v1/", "/v2/search", "/docs", "/redoc", "/.env", "/v1/indexes/letters"]
)
def test_what_no_rule_knows_is_refused_whatever_the_key(service, path):
    assert call(service, "GET", path, "admin") == (404, "unknown_route")
    assert not methods_of(path)


def test_another_method_names_those_that_are_possible(service):
    client, names = service
    headers = {"Authorization": f"Bearer {names['admin']}"}
    answer = client.patch("/v1/documents/a", headers=headers)
    assert answer.status_code == 405
    assert answer.headers["Allow"] == "DELETE, GET, PUT"


def test_the_list_of_indexes_shows_those_that_a_key_opens(service):
    client, names = service
    for key, expected in (("read", ["letters"]), ("letters", ["letters"]), ("other", [])):
        headers = {"Authorization": f"Bearer {names[key]}"}
        assert [
            one["name"] for one in client.get("/v1/indexes", headers=headers).json()
        ] == expected
