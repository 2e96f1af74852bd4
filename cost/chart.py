"""A bar chart of where the instructions go, as the text of an SVG file.

A panel for each program, a bar for each variant at each level, cut by operation. The colours are
those of Okabe and Ito, which stay apart for every kind of colour vision; each piece that is wide
enough also bears the name of its operation.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple
from xml.sax.saxutils import escape

from cost.breakdown import ORDER
from cost.measurement import LEVELS, find, ratio
from cost.variants import HAND

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from cost.measurement import Measurement

REST = "other"
COLOURS = ("#0072b2", "#e69f00", "#009e73", "#cc79a7", "#56b4e9", "#d55e00", "#f0e442")
REST_COLOUR = "#999999"
DARK = COLOURS[0]
"""The one colour on which text is white."""

WIDTH = 960
LEFT = 150
BAR_WIDTH = 560
BAR_HEIGHT = 24
STEP = 32
MARGIN = 20
TITLE = 34
CHARACTER = 6.8
"""The width of a character, about, in the smaller of the two sizes of text."""


class _Piece(NamedTuple):
    part: str
    instructions: int


def chart(measurements: Sequence[Measurement]) -> str:
    """Return the chart as SVG."""
    shown = _shown_parts(measurements)
    programs = list(dict.fromkeys(each.program for each in measurements))
    elements = [_text(MARGIN, 30, "Instructions executed, by operation", "title")]
    elements += _legend(shown, 52)
    top = 92
    for program in programs:
        panel = [each for each in measurements if each.program == program]
        elements += _panel(program, panel, shown, top)
        top += TITLE + len(panel) * STEP + len(LEVELS) * 8 + MARGIN
    return _document(top, elements)


def _shown_parts(measurements: Iterable[Measurement]) -> dict[str, str]:
    """Return the colour of each part that has its own: the largest shares of any bar."""
    largest = dict.fromkeys(ORDER, 0.0)
    for each in measurements:
        for part, cost in each.by_op.items():
            largest[part] = max(largest[part], cost / each.instructions)
    parts = sorted((part for part in ORDER if largest[part]), key=lambda part: -largest[part])
    colours = dict(zip(parts, COLOURS, strict=False))
    return colours | ({REST: REST_COLOUR} if len(parts) > len(colours) else {})


def _legend(shown: dict[str, str], top: float) -> list[str]:
    elements: list[str] = []
    left = float(MARGIN)
    for part, colour in shown.items():
        elements.append(_rectangle(left, top, 14, 14, colour))
        elements.append(_text(left + 20, top + 12, part, "label"))
        left += 20 + len(part) * CHARACTER + 24
    return elements


def _panel(
    program: str, panel: Sequence[Measurement], shown: dict[str, str], top: float
) -> list[str]:
    """Draw the bars of a program, all to one scale."""
    elements = [_text(MARGIN, top + 16, program, "panel")]
    scale = BAR_WIDTH / max(each.instructions for each in panel)
    place = top + TITLE
    for level in LEVELS:
        for each in panel:
            if each.level == level:
                of_hand = ratio(each, find(panel, program, HAND, level))
                said = f"{each.instructions:,} ({of_hand:.2f} of {HAND})"
                middle = place + BAR_HEIGHT / 2 + 4
                elements.append(_text(LEFT - 10, middle, f"{each.variant} -{level}", "row"))
                elements += _bar(each, shown, scale, place)
                end = LEFT + each.instructions * scale
                elements.append(_text(end + 8, middle, said, "label"))
                place += STEP
        place += 8
    return elements


def _bar(measurement: Measurement, shown: dict[str, str], scale: float, top: float) -> list[str]:
    elements: list[str] = []
    left = float(LEFT)
    for part, instructions in _pieces(measurement, shown):
        width, colour = instructions * scale, shown[part]
        share = f"{part}: {instructions:,} ({instructions / measurement.instructions:.1%})"
        elements.append(_rectangle(left, top, width, BAR_HEIGHT, colour, share))
        if width > len(part) * CHARACTER + 6:
            kind = "light" if colour == DARK else "dark"
            elements.append(_text(left + width / 2, top + BAR_HEIGHT / 2 + 4, part, kind))
        left += width
    return elements


def _pieces(measurement: Measurement, shown: dict[str, str]) -> list[_Piece]:
    """Cut a measurement into what has a colour, in the order of the legend, and the rest."""
    pieces = [_Piece(part, measurement.by_op.get(part, 0)) for part in shown if part != REST]
    rest = measurement.instructions - sum(piece.instructions for piece in pieces)
    return [piece for piece in [*pieces, _Piece(REST, rest)] if piece.instructions]


def _rectangle(  # noqa: PLR0913, PLR0917 - what SVG takes
    x: float, y: float, width: float, height: float, colour: str, title: str = ""
) -> str:
    inside = f"<title>{escape(title)}</title>" if title else ""
    return (
        f'<rect x="{x:.1f}" y="{y:.1f}" width="{width:.1f}" height="{height:.1f}" '
        f'fill="{colour}">{inside}</rect>'
    )


def _text(x: float, y: float, text: str, kind: str) -> str:
    return f'<text class="{kind}" x="{x:.1f}" y="{y:.1f}">{escape(text)}</text>'


def _document(height: float, elements: Iterable[str]) -> str:
    lines = "\n".join(elements)
    return f"""\
<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{height:.0f}" \
viewBox="0 0 {WIDTH} {height:.0f}" role="img" aria-label="Instructions executed, by operation">
<style>
text {{ font: 12px sans-serif; fill: #222222; }}
rect {{ stroke: #ffffff; stroke-width: 0.5; }}
.title {{ font-size: 18px; font-weight: bold; }}
.panel {{ font-size: 15px; font-weight: bold; }}
.row {{ text-anchor: end; }}
.light, .dark {{ text-anchor: middle; }}
.light {{ fill: #ffffff; }}
</style>
<rect width="{WIDTH}" height="{height:.0f}" fill="#ffffff"/>
{lines}
</svg>
"""
