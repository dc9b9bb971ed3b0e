"""The wheel among this test's runfiles, read."""

import base64
import csv
import email.parser
import email.policy
import functools
import hashlib
import os
import pathlib
import zipfile

from runfiles import Runfiles


@functools.cache
def path() -> pathlib.Path:
    """Where it is; the target's name says nothing about tags, so the only .whl in the folder is taken."""
    folder = Runfiles.Create().Rlocation(os.environ["TEST_WORKSPACE"] + "/python")
    (wheel,) = pathlib.Path(folder).glob("*.whl")
    return wheel


@functools.cache
def contents() -> dict[str, bytes]:
    """{name: content} of all entries."""
    with zipfile.ZipFile(path()) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def information(name: str) -> bytes:
    """A file of its .dist-info."""
    (content,) = (content for entry, content in contents().items() if entry.endswith(".dist-info/" + name))
    return content


def metadata() -> email.message.Message:
    """The core metadata, or WHEEL's fields."""
    return parse(information("METADATA"))


def parse(content: bytes) -> email.message.Message:
    """Fields as the packaging specifications write them."""
    return email.parser.BytesParser(policy=email.policy.compat32).parsebytes(content)


def record() -> dict[str, tuple[str, str]]:
    """{name: (hash, size)} of RECORD."""
    rows = list(csv.reader(information("RECORD").decode().splitlines()))
    assert len({row[0] for row in rows}) == len(rows)
    return {name: (digest, size) for name, digest, size in rows}


def record_digest(content: bytes) -> str:
    """The hash of some content as RECORD has it."""
    return "sha256=" + base64.urlsafe_b64encode(hashlib.sha256(content).digest()).decode().rstrip("=")
