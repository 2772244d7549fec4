"""``"nDCG@10 RR AQWV(beta=40)"`` -> measures, by the names of the registry.

A measure is written as in ir-measures: a name, parameters in parentheses, a cutoff after ``@``.
Blanks and commas separate measures. The parameters of a measure are those of its function's
signature, so the error about a wrong parameter lists the right ones.
"""

import ast
import inspect
import re
from collections.abc import Callable, Mapping
from typing import Any

from dragoman.errors import ConfigError, UnknownName
from dragoman.metrics.outcomes import RunMeasure
from dragoman.registry import MEASURES, load

TOKEN = re.compile(r"(?:[^\s,()]+|\([^()]*\))+|[()]")
FORM = re.compile(r"(?P<name>\w+)(?:\((?P<parameters>[^()]*)\))?(?:@(?P<cutoff>\d+))?")
ADVICE = "Write measures as in: nDCG@10 P(rel=2)@1 AQWV(beta=40)"


def parse_measures(text: str) -> list[RunMeasure]:
    """The measures that ``text`` names, each once, in its order."""
    tokens = dict.fromkeys(re.sub(r"\s+", "", token) for token in TOKEN.findall(text))
    if not tokens:
        raise ConfigError(f"No measure is named. {ADVICE}.")
    return [parse_measure(token) for token in tokens]


def parse_measure(token: str) -> RunMeasure:
    """The one measure that ``token`` names."""
    form = FORM.fullmatch(token)
    if form is None:
        raise ConfigError(f"Cannot read the measure {token!r}. {ADVICE}.")
    if form["name"] not in MEASURES:
        raise UnknownName(form["name"], MEASURES, "measure")
    build = load(MEASURES[form["name"]])
    cutoff = f"cutoff={form['cutoff']}" if form["cutoff"] else ""
    parameters = _parameters(token, ",".join(filter(None, [form["parameters"], cutoff])))
    _check(token, build, parameters)
    measure: RunMeasure = build(token, **parameters)
    return measure


def describe_measures() -> dict[str, str]:
    """Every measure with its parameters and its description: the table of the documentation."""
    builders = {name: load(address) for name, address in MEASURES.items()}
    return {
        _written(name, _accepted(build)): inspect.getdoc(build) or ""
        for name, build in builders.items()
    }


def _parameters(token: str, text: str) -> dict[str, Any]:
    """``rel=2,dcg='exp-log2'`` as values; nothing but literals is evaluated."""
    try:
        call = ast.parse(f"measure({text})", mode="eval").body
        if not isinstance(call, ast.Call) or call.args:
            raise ValueError("positional values")
        names = [keyword.arg for keyword in call.keywords]
        if None in names or len(set(names)) < len(names):
            raise ValueError("starred or repeated names")
        return {str(k.arg): ast.literal_eval(k.value) for k in call.keywords}
    except (SyntaxError, ValueError) as error:
        raise ConfigError(
            f"Cannot read the parameters of {token!r}; expected name=value pairs. {ADVICE}."
        ) from error


def _accepted(build: Callable[..., RunMeasure]) -> Mapping[str, inspect.Parameter]:
    """The parameters of a measure, after its name."""
    return dict(list(inspect.signature(build).parameters.items())[1:])


def _check(token: str, build: Callable[..., RunMeasure], given: Mapping[str, Any]) -> None:
    accepted = _accepted(build)
    name = token.partition("(")[0].partition("@")[0]
    for key, value in given.items():
        if key not in accepted:
            raise ConfigError(
                f"{token!r}: {name} takes no {key!r}. It is written {_written(name, accepted)}."
            )
        kind = accepted[key].annotation
        if not _fits(value, kind):
            wanted = getattr(kind, "__name__", str(kind))
            raise ConfigError(f"{token!r}: {key} must be {wanted}, got {value!r}.")
    for key, parameter in accepted.items():
        if parameter.default is parameter.empty and key not in given:
            raise ConfigError(
                f"{token!r} lacks its {key}. {name} is written {_written(name, accepted)}."
            )


def _fits(value: object, kind: object) -> bool:
    """Whether ``value`` is of the annotated type; an integer is accepted as a float."""
    if isinstance(value, bool):
        return kind is bool
    return isinstance(value, kind) or (  # type: ignore[arg-type]
        isinstance(value, int) and kind in (float, float | None)
    )


def _written(name: str, accepted: Mapping[str, inspect.Parameter]) -> str:
    """``P(rel=1)@k``: the form of a measure with its defaults."""
    inner = ",".join(
        f"{key}={_shown(parameter.default)}"
        for key, parameter in accepted.items()
        if key != "cutoff"
    )
    cutoff = accepted.get("cutoff")
    tail = "" if cutoff is None else ("@k" if cutoff.default is cutoff.empty else "[@k]")
    return f"{name}{f'({inner})' if inner else ''}{tail}"


def _shown(default: object) -> str:
    if isinstance(default, float):
        return f"{default:g}"
    return f"'{default}'" if isinstance(default, str) else str(default)
