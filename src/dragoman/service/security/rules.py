"""Which scope each route needs: one table, read before a request's body.

A path without a line here is refused, so that a new route is closed until it has one.
"""

import re
from enum import StrEnum
from typing import NamedTuple

from dragoman.service.security.keys import KeyScope


class Reach(StrEnum):
    """What a key must open for a route."""

    NOTHING = "nothing"  # of any index
    INDEX = "index"  # the index that the path names
    ALL = "all"  # every index: figures of the whole process


class RouteRule(NamedTuple):
    """One line: methods, paths, and the scope that is needed; None: no key at all."""

    methods: frozenset[str]
    path: re.Pattern[str]
    scope: KeyScope | None
    reach: Reach = Reach.INDEX


def _rule(methods: str, path: str, scope: KeyScope | None, reach: Reach = Reach.INDEX) -> RouteRule:
    return RouteRule(frozenset(methods.split()), re.compile(path, re.DOTALL), scope, reach)


INDEX = r"/v1(?:/indexes/(?P<index>[^/]+))?"  # short forms name no index
RULES = (
    # the page and what says that the process lives: the page must load before a key is entered
    _rule("GET HEAD", r"/(?:assets/.+|favicon\.ico|favicon\.svg)?", None, Reach.NOTHING),
    _rule("GET", r"/v1/(?:health|ready)", None, Reach.NOTHING),
    _rule("GET POST DELETE", r"/v1/session", None, Reach.NOTHING),
    _rule("GET", r"/v1/(?:openapi\.json|indexes)", KeyScope.READ, Reach.NOTHING),
    _rule("GET", r"/metrics", KeyScope.READ, Reach.ALL),
    # reading an index
    _rule("GET", INDEX + r"/(?:search|explain|stats)", KeyScope.READ),
    _rule("POST", INDEX + r"/search:batch", KeyScope.READ),
    _rule("GET", INDEX + r"/documents(?:/.+)?", KeyScope.READ),
    # changing it
    _rule("PUT DELETE", INDEX + r"/documents/.+", KeyScope.WRITE),
    _rule("POST", INDEX + r"/documents:batch", KeyScope.WRITE),
    _rule("POST", INDEX + r"/files", KeyScope.WRITE),
    _rule("GET", INDEX + r"/tasks(?:/[^/]+)?", KeyScope.READ),
    _rule("DELETE", INDEX + r"/tasks/[^/]+", KeyScope.WRITE),
    # opinions of people who search: they may give them, those who run the service read them
    _rule("POST", INDEX + r"/judgments", KeyScope.READ),
    _rule("GET", INDEX + r"/judgments", KeyScope.ADMIN),
)


def rule_of(method: str, path: str) -> tuple[RouteRule, str] | None:
    """The rule of a request and the index that its path names; None where no route is known."""
    for rule in RULES:
        if method in rule.methods and (match := rule.path.fullmatch(path)):
            return rule, match.groupdict().get("index") or ""
    return None


def methods_of(path: str) -> frozenset[str]:
    """The methods that some rule allows for a path."""
    return frozenset[str]().union(*(rule.methods for rule in RULES if rule.path.fullmatch(path)))
