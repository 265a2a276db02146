"""Starts a client in a network of its own, connects it to the API, and always ends it."""

from __future__ import annotations

import functools
import os
import shutil
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import IO

from .api import Api, ApiServer

LAUNCHER = [sys.executable, "-I", "-S", str(Path(__file__).with_name("launch.py"))]
CONNECT_SECONDS = 120.0
GRACE_SECONDS = 5.0


@functools.cache
def isolation() -> tuple[str, ...]:
    """Return the command prefix which cuts a process off the network, or () where none works."""
    unshare = shutil.which("unshare")
    for options in ((), ("--map-root-user",)) if unshare else ():
        prefix = (str(unshare), *options, "--net", "--")
        command = [*prefix, *LAUNCHER, "probe"]
        probe = subprocess.run(command, capture_output=True, timeout=CONNECT_SECONDS)
        if probe.returncode == 0:
            return prefix
    return ()


@dataclass(frozen=True)
class Launch:
    """What a client process is given besides its command; `stderr` is a file to write to."""

    api: Api
    cwd: Path
    env: Mapping[str, str]
    stderr: Path


@contextmanager
def running(
    command: Sequence[str], launch: Launch, stdin: int, stdout: int, stderr: int
) -> Iterator[subprocess.Popen[bytes]]:
    """Run a client against the API for the length of a `with` block; afterwards neither is left."""
    with (
        connected(command, launch.cwd, launch.env, stdin, stdout, stderr) as (process, listening),
        ApiServer(listening, launch.api),
    ):
        yield process


@contextmanager
def connected(
    command: Sequence[str], cwd: Path, env: Mapping[str, str], stdin: int, stdout: int, stderr: int
) -> Iterator[tuple[subprocess.Popen[bytes], socket.socket]]:
    """Run a client for the length of a `with` block, with the socket to serve its API on."""
    ours, theirs = socket.socketpair()
    with ours:
        with theirs:
            process = subprocess.Popen(
                [*isolation(), *LAUNCHER, str(theirs.fileno()), *command],
                cwd=cwd,
                env=dict(env),
                stdin=stdin,
                stdout=stdout,
                stderr=stderr,
                pass_fds=[theirs.fileno()],
                start_new_session=True,
            )
        try:
            yield process, received_socket(ours)
        finally:
            end(process)


def received_socket(channel: socket.socket) -> socket.socket:
    """Take over the listening socket which the launcher sends."""
    channel.settimeout(CONNECT_SECONDS)
    _, descriptors, _, _ = socket.recv_fds(channel, 16, 1)
    if not descriptors:
        raise RuntimeError("the client's launcher ended before it listened")
    return socket.socket(fileno=descriptors[0])


def end(process: subprocess.Popen[bytes]) -> None:
    """End a process and its group if it still runs, gently first; close its pipes."""
    for number in (signal.SIGTERM, signal.SIGKILL):
        if process.poll() is None:
            os.killpg(process.pid, number)
            try:
                process.wait(GRACE_SECONDS)
            except subprocess.TimeoutExpired:
                continue
    for pipe in (process.stdin, process.stdout, process.stderr):
        if pipe is not None and not pipe.closed:
            close(pipe)


def close(pipe: IO[bytes]) -> None:
    """Close a pipe whose reader may be gone."""
    with suppress(BrokenPipeError):
        pipe.close()
