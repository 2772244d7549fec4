"""The files of deploy/: the unit is one that systemd takes, and what they run exists."""

import re
import shlex
import shutil
import subprocess
from pathlib import Path

import pytest
import typer

import dragoman.cli

DEPLOY = Path(__file__).parents[2] / "deploy"
UNIT, IMAGE = DEPLOY / "dragoman.service", DEPLOY / "Containerfile"


def options_of(command):
    group = typer.main.get_command(dragoman.cli.app)
    return {name for one in group.commands[command].params for name in one.opts}


@pytest.mark.skipif(not shutil.which("systemd-analyze"), reason="needs systemd-analyze")
def test_systemd_takes_the_unit(tmp_path):
    text = re.sub(r"^ExecStart=\S+", "ExecStart=/bin/true", UNIT.read_text(), flags=re.MULTILINE)
    unit = tmp_path / UNIT.name
    unit.write_text(text)
    done = subprocess.run(
        ["systemd-analyze", "verify", str(unit)], capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stderr) == (0, "")


def test_the_unit_leaves_what_compiled_kernels_and_readers_need():
    lines = UNIT.read_text().splitlines()
    assert not [one for one in lines if one.startswith("MemoryDenyWriteExecute")]
    assert not [one for one in lines if one.startswith("RestrictNamespaces")]
    assert "Environment=NUMBA_CACHE_DIR=/var/cache/dragoman/kernels" in lines


def test_the_commands_of_unit_and_image_exist():
    unit = re.search(r"^ExecStart=(.*)$", UNIT.read_text(), re.MULTILINE)[1]
    image = re.search(r"^CMD \[(.*)\]$", IMAGE.read_text(), re.MULTILINE)[1]
    for words in (shlex.split(unit), shlex.split(image.replace(",", " "))):
        assert Path(words[0]).name == "dragoman"
        assert {one for one in words if one.startswith("--")} <= options_of(words[1])


def test_what_the_image_copies_is_there():
    for line in re.findall(r"^COPY (?!--from)(.*) \S+$", IMAGE.read_text(), re.MULTILINE):
        for name in line.split():
            assert (DEPLOY.parent / name).exists(), name
