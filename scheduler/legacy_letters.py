"""How much a decoded text looks like what people write in an old encoding. Pure; counts, never decodes.

The unit is a run: characters beyond ASCII that stand together. Korean and Japanese words are runs of the
common letters of their script; Western words are ASCII with one or two accented letters. A wrong reading
shows as rare signs, scripts that nobody mixes, or foreign letters inside an ASCII word.
"""

import re
from collections import Counter
from collections.abc import Iterable

_RUN = re.compile(r"[A-Za-z]?[^\x00-\x7f]+[A-Za-z]?")
_SIGNS = frozenset("“”‘’„‚–—…€£©®°§«»·•™´²³½¼±µºª\xa0×")  # noqa: RUF001
_ACCENTED = frozenset("ÀÁÂÃÄÅÆÇÈÉÊËÌÍÎÏÑÒÓÔÕÖØÙÚÛÜÝßàáâãäåæçèéêëìíîïñòóôõöøùúûüýÿŒœŠšŽžŸð")
_SHOUTED = re.compile(r"[a-zß-ÿ][À-Þ]|[À-Þ]{3}")
_EAST_SIGNS = frozenset(
    "、。「」『』・ー〜~…！？（）：；％＆＋－＝／【】〒※"  # noqa: RUF001
    "→←↑↓○●◎△▲▽▼□■☆★♪〈〉《》≪≫［］｛｝　々〇㈱№℡“”‘’·×÷°′″℃￥￦"  # noqa: RUF001
)


def plausibility(texts: Iterable[str], codec: str) -> float:
    """From 0 (nobody writes that) to 1: the mean over all characters beyond ASCII. 0 where there are none."""
    weigh = {"cp949": _korean, "cp932": _japanese, "cp1252": _western}[codec]
    good = total = 0.0
    for text in texts:
        if text.isascii():
            continue
        for run, times in Counter(_RUN.findall(text)).items():
            length = len(run.strip(_ASCII))
            good += times * weigh(run)
            total += times * length
    return good / total if total else 0.0


_ASCII = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"


def _korean(run: str) -> float:
    """The common 2,350 syllables of KS X 1001 count in full; the other 8,822, and hanja, hardly."""
    core = run.strip(_ASCII)
    inside_word = len(run) - len(core) == 2 and len(core) < 3
    good = 0.0
    for letter in core:
        if "가" <= letter <= "힣":
            good += 1.0 if _in_ks_x_1001(letter) else 0.1
        elif letter in _EAST_SIGNS or "ㄱ" <= letter <= "ㅣ":
            good += 0.7
        elif "一" <= letter <= "鿿":
            good += 0.2
    return good * (0.2 if inside_word else 1.0)


def _in_ks_x_1001(letter: str) -> bool:
    raw = letter.encode("cp949")
    return raw[0] >= 0xB0 and raw[1] >= 0xA1


def _japanese(run: str) -> float:
    """Kana and the kanji of JIS level 1 count in full, level 2 and half-width kana less."""
    core = run.strip(_ASCII)
    inside_word = len(run) - len(core) >= 1 and len(core) < 3
    good = 0.0
    for letter in core:
        if "぀" <= letter <= "ヿ":
            good += 1.0
        elif letter in _EAST_SIGNS:
            good += 0.8
        elif "一" <= letter <= "鿿":
            good += 0.95 if 0x88 <= letter.encode("cp932")[0] <= 0x97 else 0.3
        elif "\uff01" <= letter <= "\uff9f":
            good += 0.8 if letter <= "\uff5a" else 0.4
    return good * (0.2 if inside_word else 1.0)


def _western(run: str) -> float:
    """One or two accented letters or a sign at a time; capitals in the middle of a word do not occur."""
    core = run.strip(_ASCII)
    if _SHOUTED.search(run) and not run.isupper():
        return 0.0
    if len(core) <= 2 and all(letter in _ACCENTED for letter in core):
        return float(len(core))
    signs = sum(letter in _SIGNS for letter in core)
    if len(core) == 1 and signs:
        return 1.0
    if len(core) <= 3 and signs and all(letter in _SIGNS or letter in _ACCENTED for letter in core):
        return 0.6 * len(core)
    return 0.0
