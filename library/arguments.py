"""Words from a person -> typed arguments of one subroutine, and the check of typed ones. Pure; asks nobody.

How bare words find their parameter:

1. ``key=value``, ``--key value`` and ``—key value`` go to their parameter.
2. Bare words fill the required parameters that are left, in manifest order (then the optional ones, when the
   last required one is no string and no named word came before). The last of them, when it is a string, takes
   the rest of the line verbatim.
3. Lines after the first go, verbatim, to the last required string that is left (else the last optional one).
   Is that also the first one left, it takes the first line too. A later line that starts with ``key=`` still
   counts as words.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from types import MappingProxyType

from pydantic import JsonValue

from library.errors import BadArgument, nearest
from library.models import Param, Subroutine
from library.values import check, read_word
from library.words import UnclosedQuote, Word, quote, split

__all__ = ["bind", "parse_named", "parse_words", "quote"]


def parse_words(
    text: str, subroutine: Subroutine, given: Mapping[str, str] = MappingProxyType({})
) -> dict[str, JsonValue]:
    """What a person wrote after the subroutine's name, as typed arguments; defaults are left to ``bind``.

    ``given``: words that came another way, as a file sent along; no bare word goes to their parameters.

    Raises BadArgument with every problem at once, each with the parameter's own description.
    """
    text = text.strip()
    try:
        words = split(text, list(subroutine.params))
    except UnclosedQuote as error:
        raise BadArgument(str(error)) from error
    sorting = _Sorting(subroutine, text, dict(given))
    sorting.sort(words)
    return _typed(subroutine, sorting.found, sorting.problems)


def parse_named(words: Mapping[str, str], subroutine: Subroutine) -> dict[str, JsonValue]:
    """One word per parameter, as from a sheet's row or a shell, as typed arguments. Raises BadArgument."""
    problems = [_unknown(name, subroutine) for name in words if name not in subroutine.params]
    known = {name: word for name, word in words.items() if name in subroutine.params}
    return _typed(subroutine, known, problems)


def bind(subroutine: Subroutine, values: Mapping[str, JsonValue]) -> dict[str, JsonValue]:
    """A value for every parameter, in manifest order: the given, the default, or None. Raises BadArgument."""
    problems = [_unknown(name, subroutine) for name in values if name not in subroutine.params]
    bound: dict[str, JsonValue] = {}
    for name, param in subroutine.params.items():
        value = values.get(name)
        if value is None:
            bound[name] = param.default
            problems += _missing(name, param)
            continue
        try:
            bound[name] = check(param, value)
        except ValueError as error:
            problems.append(_does_not_fit(name, param, error))
    _raise(problems)
    return bound


@dataclass
class _Sorting:
    """Which piece of the text belongs to which parameter; nothing is typed yet."""

    subroutine: Subroutine
    text: str
    found: dict[str, str] = field(default_factory=dict)
    problems: list[str] = field(default_factory=list)
    named_first: bool = False
    """A named word came before the bare ones: they may be the rest of its value, so no optional gets them."""

    def sort(self, words: Sequence[Word]) -> None:
        cut = self._cut(words)
        head = [word for word in words if word.start < cut]
        for word in head:
            self._take_named(word)
        stretch, left_over = _first_stretch(head)
        self.named_first = bool(stretch) and stretch[0] is not head[0]
        rest = self.text[cut:].partition("\n")[2]
        if rest:
            stretch = self._take_rest(stretch, cut, rest)
        self._take_bare(stretch)
        if left_over:
            self.problems.append(self._left_over(self.text[left_over[0].start : left_over[-1].end]))

    def _cut(self, words: Sequence[Word]) -> int:
        """Where the last word ends before the lines that are taken verbatim."""
        for before, after in pairwise(words):
            if "\n" in self.text[before.end : after.start] and not (after.name and after.known):
                return before.end
        return len(self.text)

    def _take_named(self, word: Word) -> None:
        if word.name is None:
            return
        if not word.known:
            if nearest(word.name, list(self.subroutine.params)):
                hint = " If it is part of a text, put the text in quotes."
                self.problems.append(_unknown(word.name, self.subroutine) + hint)
            return
        if word.name in self.found:
            self.problems.append(f"{word.name} is given twice.")
        elif word.value is None and self.subroutine.params[word.name].type != "boolean":
            self.problems.append(f"{word.name} has no value after it.")
            self.found[word.name] = ""
        else:
            self.found[word.name] = "yes" if word.value is None else word.value

    def _take_rest(self, stretch: Sequence[Word], cut: int, rest: str) -> Sequence[Word]:
        """Gives the later lines to a string; returns the bare words that are still to be given."""
        left = self._left()
        strings = [name for name in left if self.subroutine.params[name].type == "string"]
        required = [name for name in strings if self.subroutine.params[name].required]
        if not strings:
            self.problems.append(self._left_over(rest))
            return stretch
        target = (required or strings)[-1]
        if stretch and target == next(iter(self._order()), None):
            self.found[target] = self.text[stretch[0].start : stretch[-1].end] + self.text[cut:]
            return []
        self.found[target] = rest
        return stretch

    def _take_bare(self, stretch: Sequence[Word]) -> None:
        order = self._order()
        for place, name in enumerate(order):
            if not stretch:
                return
            is_last_string = place == len(order) - 1 and self.subroutine.params[name].type == "string"
            taken, stretch = (stretch, []) if is_last_string else (stretch[:1], stretch[1:])
            self.found[name] = self._verbatim(taken)
            if taken[0].name and self.subroutine.params[name].type != "string":
                self.problems.append(_unknown(taken[0].name, self.subroutine))
                del self.found[name]
        if stretch:
            self.problems.append(self._left_over(self.text[stretch[0].start : stretch[-1].end]))

    def _verbatim(self, words: Sequence[Word]) -> str:
        only = words[0] if len(words) == 1 else None
        if only is not None and only.value is not None:
            return only.value
        return self.text[words[0].start : words[-1].end]

    def _left(self) -> list[str]:
        return [name for name in self.subroutine.params if name not in self.found]

    def _order(self) -> list[str]:
        """The parameters that bare words may fill, in turn."""
        params = self.subroutine.params
        required = [name for name in self._left() if params[name].required]
        optional = [name for name in self._left() if not params[name].required]
        if self.named_first or (required and params[required[-1]].type == "string"):
            return required
        return required + optional

    def _left_over(self, text: str) -> str:
        shown = text if len(text) <= 60 else f"{text[:57]}…"
        strings = [name for name in self.found if self.subroutine.params[name].type == "string"]
        if not self.subroutine.params:
            return f'{self.subroutine.name} takes no arguments; "{shown}" is left over.'
        hint = f" A text of several words needs quotes: {strings[-1]}={quote('…')}" if strings else ""
        return f'"{shown}" is left over.{hint}'


def _first_stretch(words: Sequence[Word]) -> tuple[Sequence[Word], Sequence[Word]]:
    """The first run of bare words, and those after the next named word."""
    bare = [word for word in words if word.name is None or not word.known]
    named = [word.start for word in words if word.name is not None and word.known]
    end = next((start for start in named if bare and start > bare[0].start), None)
    if end is None:
        return bare, []
    return [word for word in bare if word.start < end], [word for word in bare if word.start > end]


def _typed(subroutine: Subroutine, words: Mapping[str, str], problems: list[str]) -> dict[str, JsonValue]:
    values: dict[str, JsonValue] = {}
    for name, param in subroutine.params.items():
        if name not in words:
            problems += _missing(name, param)
            continue
        try:
            values[name] = read_word(param, words[name])
        except ValueError as error:
            problems.append(_does_not_fit(name, param, error))
    _raise(problems)
    return values


def _missing(name: str, param: Param) -> list[str]:
    if not param.required or param.default is not None:
        return []
    return [_described(f"{name} is missing", param)]


def _does_not_fit(name: str, param: Param, error: ValueError) -> str:
    reason = "does not fit (it is secret, so it is not repeated here)" if param.secret else str(error)
    return _described(f"{name} {reason}", param)


def _described(problem: str, param: Param) -> str:
    ended = problem if problem.endswith((".", "?")) else f"{problem}."
    return f"{ended} It is: {param.description}" if param.description else ended


def _unknown(name: str, subroutine: Subroutine) -> str:
    known = list(subroutine.params)
    near = nearest(name, known, most=1)
    if near:
        return f'There is no parameter "{name}". Did you mean "{near[0]}"?'
    return f'There is no parameter "{name}". {subroutine.name} takes: {", ".join(known) or "nothing"}.'


def _raise(problems: Sequence[str]) -> None:
    if problems:
        raise BadArgument("\n".join(problems), details={"problems": list(problems)})
