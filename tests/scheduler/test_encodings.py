"""Encodings are told apart over the whole file, and never guessed into mojibake."""

import tracemalloc
from pathlib import Path

import pytest

from scheduler.encodings import EncodingUnclear, detect

KOREAN = (
    "이름,내용\r\n김민수,안녕하세요 오늘도 좋은 하루 되세요\r\n박지영,서울특별시 강남구 테헤란로 152\r\n",
    "상품명,가격\n사과,1000원\n",
    "번호,메모\n1,배송 완료\n",
    "text\n신제품 출시! 지금 주문하세요 → 특가 20%\n",
)
JAPANESE = (
    "名前,住所\r\n山田太郎,東京都千代田区丸の内1-1\r\n鈴木花子,大阪市北区梅田\r\n",
    "本文\n新商品のお知らせです。ぜひご覧ください！\n",  # noqa: RUF001
    "性別\n男\n女\n",
    "氏名\nｶ)ﾔﾏﾀﾞﾀﾛｳ\n",
)
GERMAN = (
    "Name;Straße\r\nMüller;Königstraße 5\r\nJörg Weiß;Größenwahn\r\n",
    "ÜBERSCHRIFT\nGRÜSSE\n",
    "Preis\n5 €\n",
    "a\nMärz\n",
    "Text\nÄpfel und Öl\n",
    "naïve résumé, it’s “fine” – ok…\n",
)
ENGLISH = ("it’s\n", "“quoted” text — here\n")

LEGACY = [
    (text, codec)
    for texts, codec in ((KOREAN, "cp949"), (JAPANESE, "cp932"), (GERMAN, "cp1252"), (ENGLISH, "cp1252"))
    for text in texts
]


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "posts.csv"


@pytest.mark.parametrize("times", [1, 300])
@pytest.mark.parametrize(("text", "codec"), LEGACY)
def test_old_encodings_are_told_apart(path: Path, text: str, codec: str, times: int) -> None:
    path.write_bytes((text * times).encode(codec))
    assert detect(path) == codec


@pytest.mark.parametrize("codec", ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be"])
@pytest.mark.parametrize("text", [text for text, _ in LEGACY])
def test_unicode_encodings_are_known_with_and_without_a_mark(path: Path, text: str, codec: str) -> None:
    path.write_bytes(text.encode(codec))
    assert detect(path) == codec
    assert path.read_text(encoding=codec) == text.replace("\r\n", "\n")


@pytest.mark.parametrize(
    ("ending", "codec"),
    [
        ("ende,schön", "cp1252"),
        ("끝,안녕하세요", "cp949"),
        ("終わり,ありがとう", "cp932"),
        ("schön", "utf-8"),
        ("", "utf-8"),
    ],
)
def test_the_last_byte_of_a_big_file_counts(path: Path, ending: str, codec: str) -> None:
    path.write_bytes(b"id,text\n1,hello world\n" * 50_000 + ending.encode(codec))
    assert detect(path) == codec


@pytest.mark.parametrize("cut", range(65534, 65539))
def test_letters_across_the_edge_of_a_piece_are_whole(path: Path, cut: int) -> None:
    path.write_bytes(b"x" * cut + "안녕하세요 여러분".encode("cp949") * 20)
    assert detect(path) == "cp949"


@pytest.mark.parametrize(
    ("raw", "says"),
    [
        (b"text\n\xb0\xa1\xc4d\xe4\x93\xc3\xb6\n", "could be"),
        (b"name\n\xc4\xe3\n", "Korean: .* Western European: "),
        (b"\xef\xbb\xbftext\nsch\xf6n\n", "damaged"),
        (b"\xff\xfet\0e\0x", "damaged"),
        (b"text\n\0\0\0\0\0\0", "damaged"),
        (b"\x01\0\0\x01" * 20, "zero bytes"),
        (bytes(range(128, 256)) * 3, "could be"),
    ],
)
def test_what_cannot_be_told_is_an_error_and_not_mojibake(path: Path, raw: bytes, says: str) -> None:
    path.write_bytes(raw)
    with pytest.raises(EncodingUnclear, match=says):
        detect(path)


def test_the_error_shows_one_line_in_each_reading(path: Path) -> None:
    path.write_bytes(b"name\nplain\n\xb0\xa1\xc4d\xe4\x93\n")
    with pytest.raises(EncodingUnclear) as error:
        detect(path)
    assert 'Western European: "°¡Ädä“"' in str(error.value)
    assert "plain" not in str(error.value)


def test_an_empty_file_is_utf_8(path: Path) -> None:
    path.write_bytes(b"")
    assert detect(path) == "utf-8"


def test_a_file_of_ten_megabytes_is_judged_in_bounded_memory(path: Path) -> None:
    path.write_bytes(b"id,text\n1,hello world\n" * 450_000 + "끝,안녕하세요".encode("cp949"))
    tracemalloc.start()
    detect(path)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 2_000_000
