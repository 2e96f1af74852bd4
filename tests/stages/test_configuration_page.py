"""The page that documents pipeline.yaml names every key of it."""

import re
from dataclasses import fields
from pathlib import Path

from cost.limits import Limit
from cost.variants import NAMES
from stages.schema import Listings, Pipeline, Program

PAGE = (Path(__file__).parents[2] / "docs/configuration.md").read_text()


def test_every_key_is_documented() -> None:
    rows = set(re.findall(r"^\| `(\w+)` \|", PAGE, re.MULTILINE))
    assert rows == {field.name for schema in (Pipeline, Program) for field in fields(schema)}
    for schema in (Limit, Listings):
        for field in fields(schema):
            assert f"`{field.name}`" in PAGE or f"{field.name}: " in PAGE, field.name


def test_every_variant_is_documented() -> None:
    for variant in NAMES:
        assert f"`{variant}`" in PAGE
