"""The command as tests run it: inside this process, or as a process of its own."""

from __future__ import annotations

import fcntl
import io
import os
import pty
import select
import struct
import subprocess
import sys
import termios
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

from ndcg.cli.main import main

DEADLINE = 60  # seconds that a process may take

# What could colour the output or add to it from outside.
_MOODS = ("NO_COLOR", "FORCE_COLOR", "TERM", "COLUMNS", "LINES", "PYTHONWARNINGS", "PYTHONUTF8")

QRELS = "q1 0 a 1\nq1 0 b 0\n"
RUN = "q1 Q0 a 1 2.0 t\nq1 Q0 b 2 1.0 t\n"


class Done(NamedTuple):
    """What a command left behind."""

    code: int
    out: str
    err: str


def ndcg(*arguments: str, stdin: bytes = b"") -> Done:
    """Run the command in this process, its streams replaced by buffers."""
    out, err = (io.TextIOWrapper(io.BytesIO(), encoding="utf-8") for _ in range(2))
    with _streams(io.TextIOWrapper(io.BytesIO(stdin), encoding="utf-8"), out, err):
        code = main(arguments)
    return Done(code, *(_text(stream) for stream in (out, err)))


def ndcg_process(
    *arguments: str, stdin: bytes = b"", environment: Mapping[str, str] | None = None
) -> Done:
    """Run the command as a user does: ``python -m ndcg`` in a process of its own."""
    done = subprocess.run(
        [sys.executable, "-m", "ndcg", *arguments],
        input=stdin,
        capture_output=True,
        env=plain_environment(environment),
        timeout=DEADLINE,
        check=False,
    )
    return Done(done.returncode, done.stdout.decode(), done.stderr.decode())


def python_process(code: str) -> str:
    """What a fresh interpreter prints that runs this code."""
    done = subprocess.run(
        [sys.executable, "-c", code],
        capture_output=True,
        env=plain_environment(),
        timeout=DEADLINE,
        check=False,
    )
    assert done.returncode == 0, done.stderr.decode()
    return done.stdout.decode()


def on_terminal(
    *arguments: str,
    columns: int,
    environment: Mapping[str, str],
    both: bool,
    cwd: Path | None = None,
) -> str:
    """What a Python process writes to a terminal of some width, to standard error too if `both`.

    Never by `pty.fork`: libraries that keep threads may hang in a process that forks.
    """
    screen, end = pty.openpty()
    fcntl.ioctl(end, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))
    process = subprocess.Popen(
        [sys.executable, *arguments],
        stdin=end if both else subprocess.DEVNULL,
        stdout=end,
        stderr=end if both else None,
        env=dict(environment),
        cwd=cwd,
    )
    os.close(end)
    shown = b""
    try:
        while select.select([screen], [], [], DEADLINE)[0] and (data := os.read(screen, 65536)):
            shown += data
    except OSError:  # the terminal is gone: the command has ended
        pass
    finally:
        os.close(screen)
        code = ended(process)
    assert code == 0, shown.decode()
    return shown.decode().replace("\r\n", "\n")


def ended(process: subprocess.Popen[bytes]) -> int:
    """The exit status; a process that does not end is killed, so that no test waits for ever."""
    try:
        return process.wait(timeout=DEADLINE)
    except subprocess.TimeoutExpired:
        process.kill()
        return process.wait()


def plain_environment(more: Mapping[str, str] | None = None) -> dict[str, str]:
    """The environment without what could colour or widen the output."""
    kept = {name: value for name, value in os.environ.items() if name not in _MOODS}
    return kept | dict(more or {})


def put(**files: str | bytes) -> None:
    """Write files into the current folder; ``run_gz`` is called ``run.gz``."""
    for name, content in files.items():
        data = content.encode() if isinstance(content, str) else content
        Path(name.replace("_", ".")).write_bytes(data)


@contextmanager
def _streams(*streams: io.TextIOWrapper) -> Iterator[None]:
    names = ("stdin", "stdout", "stderr")
    before = [getattr(sys, name) for name in names]
    for name, stream in zip(names, streams, strict=True):
        setattr(sys, name, stream)
    try:
        yield
    finally:
        for name, stream in zip(names, before, strict=True):
            setattr(sys, name, stream)


def _text(stream: io.TextIOWrapper) -> str:
    stream.flush()
    buffer = stream.buffer
    assert isinstance(buffer, io.BytesIO)
    return buffer.getvalue().decode()
