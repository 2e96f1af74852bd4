"""The site, built from a small project."""

import re
import zipfile
from pathlib import Path

import pytest

from pipeline.errors import MakeError
from pipeline.spec import Job
from stages import site
from tests.conftest import ROOT

FILES = {
    "README.md": "# Home\n\n[a page](docs/a-page.md) and [how](CONTRIBUTING.md#how)\n",
    "CONTRIBUTING.md": "# Contributing\n\n## How\n",
    "requirements.lock": "",
    "docs/a-page.md": "# A page\n\n[home](../README.md), [first](adr/0001-x.md)\n\n| a |\n| - |\n",
    "docs/adr/README.md": "# Decisions\n",
    "docs/adr/0002-y.md": "# 2. Y\n",
    "docs/adr/0001-x.md": "# 1. X\n",
}


def project(folder: Path) -> Path:
    for name, text in FILES.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    for name in ("mkdocs.yml", "docs/site.css"):
        (folder / name).write_bytes((ROOT / name).read_bytes())
    return folder


def built(folder: Path) -> bytes:
    target = folder / "site.zip"
    site.write_archive(Job(site.archive().inputs, (target,), {}, folder / "log"))
    return target.read_bytes()


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(project(tmp_path))
    (tmp_path / "log").touch()
    return tmp_path


def test_every_page_is_an_input_and_in_the_navigation(folder: Path) -> None:
    del folder
    pages = [
        *("README.md", "docs/a-page.md", "CONTRIBUTING.md"),
        *("docs/adr/README.md", "docs/adr/0001-x.md", "docs/adr/0002-y.md"),
    ]
    assert site.archive().inputs == (
        "mkdocs.yml",
        "requirements.lock",
        "docs/site.css",
        *pages,
    )
    assert site.navigated(pages) == [
        {"Overview": "README.md"},
        {"A page": "docs/a-page.md"},
        {"Contributing": "CONTRIBUTING.md"},
        {"Decisions": pages[3:]},
    ]


def test_the_site_is_the_same_wherever_and_whenever_it_is_built(
    folder: Path, tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = built(folder)
    other = project(tmp_path_factory.mktemp("elsewhere"))
    (other / "log").touch()
    monkeypatch.chdir(other)
    assert built(other) == first
    with zipfile.ZipFile(other / "site.zip") as archive:
        names = archive.namelist()
        pages = {name: archive.read(name).decode() for name in names if name.endswith(".html")}
        assert archive.read("sitemap.xml.gz")[4:8] == bytes(4)  # when it was packed
    assert {"index.html", "docs/a-page.html", "docs/adr/index.html"} <= pages.keys()
    assert 'href="docs/a-page.html"' in pages["index.html"]
    assert 'href="../index.html"' in pages["docs/a-page.html"]
    assert "<table>" in pages["docs/a-page.html"]
    for name, page in pages.items():
        fetched = re.findall(r'<(?:script|link|img)[^>]*(?:src|href)="(https?:[^"]*)"', page)
        assert fetched == [], name


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        (
            "README.md",
            "[x](docs/absent.md)\n",
            "Doc file 'README.md' contains a link 'docs/absent.md', but the target",
        ),
        (
            "README.md",
            "[x](docs/a-page.md#absent)\n",
            "Doc file 'README.md' contains a link 'docs/a-page.md#absent', but the doc",
        ),
        (
            "docs/a-page.md",
            "# A\n<!-- listing: x -->\n<!-- /listing -->\n",
            "docs/a-page.md:2: listing 'x' is not filled in; run: doit listings",
        ),
        (
            "docs/a-page.md",
            "# A\n<!-- listing: x -->\n",
            "docs/a-page.md:2: listing 'x' has no end; add <!-- /listing -->",
        ),
    ],
)
def test_what_is_missing_is_fatal(folder: Path, name: str, text: str, message: str) -> None:
    (folder / name).write_text(text)
    with pytest.raises(MakeError) as caught:
        built(folder)
    assert str(caught.value).startswith(message)
    assert not (folder / "site.zip").exists()


def test_the_folder_is_what_the_archive_holds(folder: Path) -> None:
    (folder / site.FOLDER).mkdir(parents=True)
    (folder / site.FOLDER / "old.html").write_text("")
    (folder / "new").mkdir()
    (folder / "new/index.html").write_text("new")
    (folder / site.ARCHIVE).write_bytes(site.packed(folder / "new"))
    site.unpack()
    assert [path.name for path in (folder / site.FOLDER).iterdir()] == ["index.html"]


def test_all_pages_of_the_repository_are_there(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    assert {"README.md", "docs/automatic-differentiation.md", "docs/language.md"} <= {*site.pages()}
    site.require_listings(site.pages())
