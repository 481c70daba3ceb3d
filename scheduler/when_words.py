"""German and Korean words for times, put into the English ones that when.py reads. Pure; decides nothing.

Each table is a list of patterns and replacements, applied from top to bottom: longer wordings come first.
"""

import re
import unicodedata

from scheduler.spoken_hours import SPOKEN

Table = tuple[tuple[re.Pattern[str], str], ...]


def _table(*pairs: tuple[str, str]) -> Table:
    return tuple((re.compile(pattern), replacement) for pattern, replacement in pairs)


_SIGNS = _table(
    (r"[\u2010-\u2015\u2212~\u301c]", "-"),
    (r"[\u3001\uff0c]", ","),
    (r"\bo'?clock\b", ""),
    (r"\ba\.m\.?", "am"),
    (r"\bp\.m\.?", "pm"),
)

_GERMAN = _table(
    (r"\b(?:sofort|jetzt)\b", "now"),
    (r"\bwöchentlich\b", "weekly"),
    (r"\bmonatlich$", "monthly"),
    (r"\b(?:jährlich|jedes jahr)\b", "yearly"),
    (r"\b(?:halbe|halben) stunde\b", "30 minuten"),
    (r"\b(?:anderthalb|eineinhalb) stunden\b", "90 minuten"),
    (r"\bjeden (?:zweiten|2\.) tag\b", "every 2 days"),
    (r"\bmorgen (?:früh|vormittags?)\b", "tomorrow morning"),
    (r"\bjeden morgen\b", "daily morning"),
    (r"\bjeden (?:abend|nachmittag)\b", "daily evening"),
    (r"\b(?:nächste|naechste)[nrs]? woche\b", "next week"),
    (r"\bdiese[nr]? woche\b", "this week"),
    (r"\b(?:nächste|naechste)[nrs]?\b", "next"),
    (r"\b(?:diese|kommende)[nrs]?\b", "this"),
    (r"\bjeden monat am (\d{1,2})\.", r"\1th of month"),
    (r"\b12(?::00)?(?: uhr)? mittags\b|\bmittags? (?:um )?12(?::00)?(?: uhr)?(?![\d:])", "noon"),
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
    (r"\b(?:vormittags?|früh)\b", "morning"),
    (r"\b(?:nachmittags?|abends?)\b", "evening"),
    (r"\bnachts?\b", "night"),
    (r"\b(?:am |jeden )?letzten(?: tag)? (?:des|jeden|jedes|im) monats?\b", "last day of month"),
    (r"\b(?:am |jeden )?ersten(?: tag)? (?:des|jeden|jedes|im) monats?\b", "1st of month"),
    (r"\b(?:am |jeden )?(\d{1,2})\. (?:des|jeden|jedes|im) monats?\b", r"\1th of month"),
    (r"\bmonatlich am (\d{1,2})\.", r"\1th of month"),
    (r"\balle\b", "every"),
    (r"\bjede[nrs]?\b", "every"),
    (r"\b(?:in )?einer 30 minuten\b", "in 30 minutes"),
    (r"\bin eine[rmn]?\b", "in 1"),
    (r"\bzwischen\b", "between"),
    (r"\bvon (\S+) bis\b", r"between \1 and"),
    (r"\bbis\b", "to"),
    (r"\bund\b", "and"),
    (r"\bum\b", "at"),
    (r"\bam (?=[\dmdfsnt])", "on "),
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

_KOREAN_HOURS = {"한": 1, "두": 2, "세": 3, "네": 4, "다섯": 5, "여섯": 6}
_MORNING, _EVENING = "(?:오전|아침|새벽)", "(?:오후|저녁|밤)"
_KOREAN = _table(
    *((rf"{word} ?시간", f"{count}시간") for word, count in _KOREAN_HOURS.items()),
    (r"(\d)시간 ?반", r"\1시간 30분"),
    (r"지금|당장", " now "),
    (r"이틀 ?마다", " every 2 days "),
    (r"매 ?(\d+) ?(시간|분)(?:마다)?", r"\1\2마다"),
    (r"낮 ?12시", " noon "),
    (r"밤 ?12시", " midnight "),
    (r"낮 ?(\d{1,2}시)", r"오후 \1"),
    (r"밤 ?([1-4]시)", r"오전 \1"),
    (r"(요일) ?부터 ?(.요일) ?까지", r"\1 to \2"),
    (r"(?<!\w)([월화수목금토일]) ?- ?([월화수목금토일])(?:요일)?(?= |$)", r"\1요일 to \2요일"),
    (r"(.요일)에(?= |$)", r"on \1"),
    (r"이번 ?주(?!말)", " this week "),
    (r"다음 ?주(?!말)", " next week "),
    (r"이번", " this "),
    (r"다음", " next "),
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
    (_MORNING, " morning "),
    (_EVENING, " evening "),
)

_UNIT = r"(?= (?:minutes?|mins?|hours?|days?|weeks?)\b)"
_NUMBERS = {
    "two|zwei": 2,
    "three|drei": 3,
    "four|vier": 4,
    "five|fünf": 5,
    "six|sechs": 6,
    "seven|sieben": 7,
    "eight|acht": 8,
    "nine|neun": 9,
    "ten|zehn": 10,
    "twelve|zwölf": 12,
    "fifteen|fünfzehn": 15,
    "twenty|zwanzig": 20,
    "thirty|dreissig": 30,
}
_QUANTITIES = _table(
    *((rf"\b(?:{words}){_UNIT}", str(number)) for words, number in _NUMBERS.items()),
    (r"\b(?:a )?half(?: an?)?[ -]hour\b", "30 minutes"),
    (r"\bevery (?:other|second) (hour|day|week)\b", r"every 2 \1s"),
)

_END = r"(?![\d:])(?! ?[ap]m)"
_HOUR = rf"((?:1[0-2]|0?[1-9])(?::\d\d)?){_END}"
_LATE, _SMALL = rf"((?:1[01]|0?[5-9])(?::\d\d)?){_END}", rf"((?:12|0?[1-4])(?::\d\d)?){_END}"
_PARTS_OF_DAY = _table(
    (r"\btonight\b", "today night"),
    (r"\bthis (?=morning|afternoon|evening)", "today "),
    (r"\b(?:every|each) (morning|afternoon|evening|night)\b", r"daily \1"),
    (rf"\b{_HOUR} in the morning\b", r"\1am"),
    (rf"\b{_HOUR} in the (?:afternoon|evening)\b", r"\1pm"),
    (rf"\b{_LATE} at night\b", r"\1pm"),
    (rf"\b{_SMALL} at night\b", r"\1am"),
    (rf"\bmorning,? (?:at )?{_HOUR}", r"\1am"),
    (rf"\b(?:afternoon|evening),? (?:at )?{_HOUR}", r"\1pm"),
    (rf"\bnight,? (?:at )?{_LATE}", r"\1pm"),
    (rf"\bnight,? (?:at )?{_SMALL}", r"\1am"),
    (r"\b(?:morning|afternoon|evening|night),? (?=(?:at )?(?:\d|noon|midnight))", ""),
)


def in_english(text: str) -> str:
    """The text folded (case, width, dashes, white space), its German and Korean words in English."""
    folded = unicodedata.normalize("NFKC", text).casefold()
    tables = [_SIGNS, SPOKEN, _GERMAN]
    if re.search(r"[가-힣]", folded):
        tables.append(_KOREAN)
    tables += [_QUANTITIES, _PARTS_OF_DAY]
    for table in tables:
        for pattern, replacement in table:
            folded = pattern.sub(replacement, " ".join(folded.split()))
    return re.sub(r" ,", ",", " ".join(folded.split())).strip(" ,")
