"""German and Korean words for times, put into the English ones that when.py reads. Pure; decides nothing.

Each table is a list of patterns and replacements, applied from top to bottom: longer wordings come first.
"""

import re
import unicodedata

Table = tuple[tuple[re.Pattern[str], str], ...]


def _table(*pairs: tuple[str, str]) -> Table:
    return tuple((re.compile(pattern), replacement) for pattern, replacement in pairs)


_SIGNS = _table(
    (r"[\u2010-\u2015\u2212]", "-"),
    (r"[\u3001\uff0c]", ","),
    (r"\bo'?clock\b", ""),
    (r"\ba\.m\.?", "am"),
    (r"\bp\.m\.?", "pm"),
)

_GERMAN = _table(
    (r"\b(?:täglich|taeglich|jeden tag)\b", "daily"),
    (r"\b(?:werktags|wochentags|an werktagen|jeden werktag)\b", "weekdays"),
    (r"\b(?:am wochenende|an wochenenden|jedes wochenende)\b", "weekends"),
    (r"\b(?:stündlich|stuendlich|jede stunde)\b", "every 1 hour"),
    (r"\bjede minute\b", "every 1 minute"),
    (r"\b(?:übermorgen|uebermorgen)\b", "day after tomorrow"),
    (r"\bheute\b", "today"),
    (r"\buhr (?:morgens|vormittags|früh)\b", "uhr am"),
    (r"\buhr (?:nachmittags|abends)\b", "uhr pm"),
    (r"(\d{1,2})[:.](\d{2}) uhr\b", r"\1:\2"),
    (r"(\d{1,2}) uhr (\d{2})\b", r"\1:\2"),
    (r"(\d{1,2}) ?uhr (am|pm)\b", r"\1\2"),
    (r"(\d{1,2}) ?uhr\b", r"\1:00"),
    (r"\b(?:um )?mitternacht\b", "midnight"),
    (r"\b(?:um )?mittags?\b", "noon"),
    (r"\bmorgen\b", "tomorrow"),
    (r"\b(?:am |jeden )?letzten(?: tag)? (?:des|jeden|jedes|im) monats?\b", "last day of month"),
    (r"\b(?:am |jeden )?ersten(?: tag)? (?:des|jeden|jedes|im) monats?\b", "1st of month"),
    (r"\b(?:am |jeden )?(\d{1,2})\. (?:des|jeden|jedes|im) monats?\b", r"\1th of month"),
    (r"\bmonatlich am (\d{1,2})\.", r"\1th of month"),
    (r"\balle\b", "every"),
    (r"\bjede[nrs]?\b", "every"),
    (r"\b(?:in )?einer halben stunde\b", "in 30 minutes"),
    (r"\bin eine[rmn]?\b", "in 1"),
    (r"\bzwischen\b", "between"),
    (r"\bvon (\S+) bis\b", r"between \1 and"),
    (r"\bbis\b", "to"),
    (r"\bund\b", "and"),
    (r"\bum\b", "at"),
    (r"\bam (?=[\dmdfs])", "on "),
    (r"\b(?:stunden?|std)\b", "hours"),
    (r"\bminuten?\b", "minutes"),
    (r"\btage?n?\b", "days"),
    (r"\bwochen?\b", "weeks"),
    (r"\b(?:mo|montag)\b", "monday"),
    (r"\b(?:di|dienstag)\b", "tuesday"),
    (r"\b(?:mi|mittwoch)\b", "wednesday"),
    (r"\b(?:do|donnerstag)\b", "thursday"),
    (r"\b(?:fr|freitag)\b", "friday"),
    (r"\b(?:sa|samstag|sonnabend)\b", "saturday"),
    (r"\b(?:so|sonntag)\b", "sunday"),
    (r"\bmontags\b", "mondays"),
    (r"\bdienstags\b", "tuesdays"),
    (r"\bmittwochs\b", "wednesdays"),
    (r"\bdonnerstags\b", "thursdays"),
    (r"\bfreitags\b", "fridays"),
    (r"\b(?:samstags|sonnabends)\b", "saturdays"),
    (r"\bsonntags\b", "sundays"),
)

_MORNING, _EVENING = "(?:오전|아침|새벽)", "(?:오후|저녁|밤)"
_KOREAN = _table(
    (r"(\d{4})년 ?(\d{1,2})월 ?(\d{1,2})일", r" \1-\2-\3 "),
    (r"(\d)시 ?반", r"\1시 30분"),
    (_MORNING + r" ?(\d{1,2})시 ?(\d{1,2})분", r" \1:\2am "),
    (_EVENING + r" ?(\d{1,2})시 ?(\d{1,2})분", r" \1:\2pm "),
    (_MORNING + r" ?(\d{1,2})시(?!간)", r" \1am "),
    (_EVENING + r" ?(\d{1,2})시(?!간)", r" \1pm "),
    (_MORNING + r" ?(\d{1,2}:\d{2})", r" \1am "),
    (_EVENING + r" ?(\d{1,2}:\d{2})", r" \1pm "),
    (r"(\d{1,2})시 ?(\d{1,2})분", r" \1:\2 "),
    (r"(\d{1,2})시(?!간)", r" \1:00 "),
    (r"정오", " noon "),
    (r"자정", " midnight "),
    (r"(?:한 ?시간|1시간|매시간|매시)마다|매시간", " every 1 hour "),
    (r"(\d+) ?시간 ?(\d+) ?분 ?(?:후|뒤)에?", r" in \1 hours \2 minutes "),
    (r"한 ?시간 ?(?:후|뒤)에?", " in 1 hour "),
    (r"(\d+) ?시간 ?(?:후|뒤)에?", r" in \1 hours "),
    (r"(\d+) ?분 ?(?:후|뒤)에?", r" in \1 minutes "),
    (r"(\d+) ?일 ?(?:후|뒤)에?", r" in \1 days "),
    (r"(\d+) ?시간 ?마다", r" every \1 hours "),
    (r"(\d+) ?분 ?마다", r" every \1 minutes "),
    (r"(\d+) ?일 ?마다", r" every \1 days "),
    (r"매[월달] ?(?:말일|마지막 ?날)", " last day of month "),
    (r"매[월달] ?(\d{1,2})일(?:[,과와] ?|하고 )(\d{1,2})일", r" \1th and \2th of month "),
    (r"매[월달] ?(\d{1,2})일", r" \1th of month "),
    (r"(\d{1,2})월 ?(\d{1,2})일", r" \1월 \2일 "),
    (r"(?:매일|날마다)", " daily "),
    (r"(?:평일|주중)마다|평일|주중", " weekdays "),
    (r"주말마다|주말", " weekends "),
    (r"내일 ?모레|모레", " day after tomorrow "),
    (r"내일", " tomorrow "),
    (r"오늘", " today "),
    (r"월요일|(?<![\w])월(?=[ ,·/])", " monday "),
    (r"화요일|(?<![\w])화(?=[ ,·/])", " tuesday "),
    (r"수요일|(?<![\w])수(?=[ ,·/])", " wednesday "),
    (r"목요일|(?<![\w])목(?=[ ,·/])", " thursday "),
    (r"금요일|(?<![\w])금(?=[ ,·/])", " friday "),
    (r"토요일|(?<![\w])토(?=[ ,·/])", " saturday "),
    (r"일요일|(?<![\w])일(?=[ ,·/])", " sunday "),
    (r"매주", " every "),
    (r"day 마다", "days "),
    (r"(\S+) *부터 +(\S+) *까지", r" between \1 and \2 "),
    (r"(\S+) *에서 +(\S+) *사이에?", r" between \1 and \2 "),
    (r"[·/](?= )", ","),
    (r"(?<=day )(?:과|와|하고|그리고)(?= )", " and "),
    (r"(?<=[ \d])에(?= |$)", " "),
)


def in_english(text: str) -> str:
    """The text folded (case, width, dashes, white space), its German and Korean words in English."""
    folded = unicodedata.normalize("NFKC", text).casefold()
    tables = [_SIGNS, _GERMAN]
    if re.search(r"[가-힣]", folded):
        tables.append(_KOREAN)
    for table in tables:
        for pattern, replacement in table:
            folded = pattern.sub(replacement, " ".join(folded.split()))
    return re.sub(r" ,", ",", " ".join(folded.split())).strip(" ,")
