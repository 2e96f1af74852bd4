"""The report: as JSON, as tables, and as a chart."""

from __future__ import annotations

import json
from itertools import pairwise
from xml.etree import ElementTree as ET

from cost.chart import COLOURS, chart
from cost.limits import Limit
from cost.measurement import LEVELS
from cost.report import breakdown_rows, cost_rows, json_text, measurements_of
from cost.toolchain import Toolchain
from cost.variants import NAMES
from tests.cost.measurements import measurements

TOOLCHAIN = Toolchain("cpu", "cc 1", "libc 2", "22", "valgrind-3", "static", "x=1")
SVG = "{http://www.w3.org/2000/svg}"


def test_the_json_has_what_it_is_documented_to_have() -> None:
    made = measurements("p", "q")
    report = json.loads(json_text(TOOLCHAIN, made))
    assert set(report) == {"toolchain", "programs"}
    assert report["toolchain"]["linking"] == "static"
    assert len(report["programs"]) == 2 * len(NAMES) * len(LEVELS)
    for row in report["programs"]:
        assert list(row) == [
            *("program", "variant", "level", "lets", "bytes", "instructions", "by_op")
        ]
        assert row["instructions"] == sum(row["by_op"].values())
        assert row["variant"] in NAMES
        assert row["level"] in LEVELS
    assert measurements_of(report["programs"]) == made


def test_a_row_has_the_ratios() -> None:
    rows = [[cell.strip() for cell in row] for row in cost_rows(measurements("p"))]
    by_name = {(row[0], row[1]): row[2:] for row in rows}
    assert by_name["plain", "-O0"] == ["5", "50", "1,250", "1.250", "2.500"]
    assert by_name["loss", "-O2"] == ["4", "40", "250", "0.500", "1.000"]
    assert [row[1] for row in rows] == [f"-{level}" for level in LEVELS for _ in NAMES]


def test_a_breakdown_is_ordered_and_adds_up() -> None:
    made = [each for each in measurements("p") if each.level == "O0"]
    rows = breakdown_rows(made)
    assert rows[0][0] == "matmul"
    assert rows[-1][0] == "all"
    for column, each in enumerate(made, start=1):
        shown = [int(row[column].split()[0].replace(",", "")) for row in rows if row[column]]
        assert sum(shown[:-1]) == shown[-1] == each.instructions


def test_a_limit_is_passed_by_more_than_it_and_not_by_as_much() -> None:
    made = measurements("p", "q")
    assert Limit("plain/hand", 1.25).excess("p", made) == ""
    line = "q: plain/hand in instructions at -O0 is 1.2500, more than 1.24"
    assert Limit("plain/hand", 1.24).excess("q", made) == line
    line = "p: plain/loss in bytes is 1.2500, more than 1.2"
    assert Limit("plain/loss", 1.2, of="bytes").excess("p", made) == line
    line = "p: plain/hand in instructions at -O2 is 1.2500, more than 0.5"
    assert Limit("plain/hand", 0.5, "O2").excess("p", made) == line


def test_the_chart_is_xml_with_every_label_and_number() -> None:
    made = measurements("first<program>", "second")
    root = ET.fromstring(chart(made))  # noqa: S314 - our own
    texts = [element.text or "" for element in root.iter(f"{SVG}text")]
    assert {"first<program>", "second", "matmul", "libm", "other"} <= set(texts)
    for each in made:
        assert texts.count(f"{each.variant} -{each.level}") == 2
        assert any(text.startswith(f"{each.instructions:,} (") for text in texts)


def test_nothing_in_the_chart_overlaps_or_leaves_it() -> None:
    root = ET.fromstring(chart(measurements("a_name_of_a_program", "q")))  # noqa: S314
    width, height = (float(root.attrib[name]) for name in ("width", "height"))
    pieces = [
        element for element in root.iter(f"{SVG}rect") if element.find(f"{SVG}title") is not None
    ]
    rows: dict[float, list[tuple[float, float]]] = {}
    for piece in pieces:
        x, y, wide = (float(piece.attrib[name]) for name in ("x", "y", "width"))
        rows.setdefault(y, []).append((x, x + wide))
    assert len(rows) == 2 * len(NAMES) * len(LEVELS)
    for row in rows.values():
        assert all(end <= start + 0.11 for (_, end), (start, _) in pairwise(row))
        assert row[-1][1] < width
    assert all(later - earlier >= 24 for earlier, later in pairwise(sorted(rows)))
    assert max(float(element.attrib["y"]) for element in root.iter(f"{SVG}text")) < height


def test_a_part_has_one_colour_and_a_colour_one_part() -> None:
    root = ET.fromstring(chart(measurements("p")))  # noqa: S314 - our own
    colours: dict[str, set[str]] = {}
    for element in root.iter(f"{SVG}rect"):
        title = element.findtext(f"{SVG}title")
        if title:
            colours.setdefault(element.attrib["fill"], set()).add(title.split(":")[0])
    assert len(colours) == len(COLOURS) + 1
    assert all(len(parts) == 1 for parts in colours.values())
