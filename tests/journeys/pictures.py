"""Looks into a picture file with the browser's own decoder."""

import base64
from pathlib import Path

from tests.extension.harness import ExtensionBrowser

_LOOK = """async (data) => {
  const bytes = Uint8Array.from(atob(data), (one) => one.charCodeAt(0));
  const picture = await createImageBitmap(new Blob([bytes]));
  const { width, height } = picture;
  const canvas = new OffscreenCanvas(width, height).getContext("2d");
  canvas.drawImage(picture, 0, 0);
  return [width, height, [...canvas.getImageData(width / 2, height / 2, 1, 1).data.slice(0, 3)]];
}"""


async def colour_in_the_middle(
    browser: ExtensionBrowser, picture: str | bytes
) -> tuple[int, int, tuple[int, int, int]]:
    """Width and height in pixels, and red, green and blue of the pixel in the middle."""
    content = picture if isinstance(picture, bytes) else _content(picture)
    width, height, colour = await browser.page.evaluate(_LOOK, base64.b64encode(content).decode())
    return width, height, (colour[0], colour[1], colour[2])


def _content(path: str) -> bytes:
    return Path(path).read_bytes()
