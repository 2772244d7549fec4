"""Requests -> those whose caller may make them, decided before a body is read."""

from starlette.types import ASGIApp, Receive, Send
from starlette.types import Scope as AsgiScope

from dragoman.service.problems import Problem, problem_response
from dragoman.service.request_ids import request_id
from dragoman.service.security.callers import Caller, DefaultIndex, Security
from dragoman.service.security.rules import Reach, RouteRule, methods_of, rule_of


class Authentication:
    """Lets a request through if a rule knows its route and its caller has the scope."""

    def __init__(self, app: ASGIApp, security: Security, default_index: DefaultIndex) -> None:
        self.app, self.security, self.default_index = app, security, default_index

    async def __call__(self, scope: AsgiScope, receive: Receive, send: Send) -> None:
        """Pass a request on, or answer with a problem."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        try:
            caller = self._admitted(scope)
        except Problem as problem:
            await problem_response(problem, request_id(scope))(scope, receive, send)
            return
        state = scope.setdefault("state", {})
        state["caller"] = caller
        if caller is not None and caller.name:
            state["client"] = f"key {caller.name}"  # whose rate is limited
        await self.app(scope, receive, send)

    def _admitted(self, scope: AsgiScope) -> Caller | None:
        """The caller, None where a route is open to all and no key was given."""
        rule, index = _rule_or_problem(scope["method"], scope["path"])
        try:
            caller = self.security.caller_of(scope)
        except Problem:
            if rule.scope is None:
                return None
            raise
        if rule.scope is not None:
            check(caller, rule, index or self.default_index())
        return caller


def _rule_or_problem(method: str, path: str) -> tuple[RouteRule, str]:
    if (known := rule_of(method, path)) is not None:
        return known
    if allowed := methods_of(path):
        listed = ", ".join(sorted(allowed))
        detail = f"{method} is not possible here; expected {listed}."
        raise Problem(405, "method_not_allowed", detail, {"Allow": listed})
    raise Problem(404, "unknown_route", "There is nothing at this path; see /v1/openapi.json.")


def check(caller: Caller | None, rule: RouteRule, index: str) -> None:
    """Raise a problem where a caller may not do what a rule is about."""
    assert rule.scope is not None
    if caller is None:
        raise Problem(
            401,
            "key_needed",
            "This service needs a key: send Authorization: Bearer KEY.",
            {"WWW-Authenticate": "Bearer"},
        )
    if not caller.scope.includes(rule.scope):
        detail = f"This key has the scope {caller.scope.value}; expected {rule.scope.value}."
        raise Problem(403, "scope_missing", detail)
    if rule.reach is Reach.ALL and caller.indexes:
        detail = "This key opens some indexes only; expected one that opens all."
        raise Problem(403, "index_closed", detail)
    if rule.reach is Reach.INDEX and not caller.opens(index):
        detail = f"This key does not open this index; it opens {', '.join(caller.indexes)}."
        raise Problem(403, "index_closed", detail)
