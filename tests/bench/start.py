"""How long a command takes before it does anything, and how long until a service is ready.

A start lasts from the making of the process to the first 200 of `/readyz`, on a SQLite book that is there
already: it is also the time after a crash. It is compared with its libraries: the modules of other projects
that the service has imported when it is ready, imported by a process that does nothing else. All take turns.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from statistics import median
from typing import NamedTuple

from tests.bench.timing import machine
from tests.service import JACKPOT, Service, full_floor

PAGE = Path(__file__).parents[2] / "docs" / "benchmarks-start.md"
TURNS = 7
LONGEST_START = 1.5
"""Times the import of its libraries: what we aim for."""
LONGEST_HELP = 0.4
START, LIBRARIES = "start of `jackpot serve`", "import of its libraries"
_TICKS = os.sysconf("SC_CLK_TCK")
_LIST_LIBRARIES = """
import sys
from api.cli import main
try:
    main()
finally:
    files = {name: str(getattr(module, "__file__", "")) for name, module in sys.modules.items()}
    print(*[name for name, file in files.items() if "site-packages" in file])
"""
_IMPORT = "import sys, importlib; [importlib.import_module(name) for name in sys.argv[1:]]"


class Taken(NamedTuple):
    seconds: float
    processor: float


def timed(*command: str | Path) -> Taken:
    before, begun = os.times(), time.perf_counter()
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    taken, after = time.perf_counter() - begun, os.times()
    used = after.children_user + after.children_system - before.children_user - before.children_system
    return Taken(taken, used)


def started(service: Service) -> Taken:
    begun = time.perf_counter()
    service.start()
    taken = time.perf_counter() - begun
    used = _processor_seconds(service.process.pid)
    service.stop()
    return Taken(taken, used)


def _processor_seconds(process: int) -> float:
    figures = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    return (int(figures[11]) + int(figures[12])) / _TICKS


def libraries(service: Service) -> list[str]:
    """What a service of this floor has imported that is not ours and not Python's."""
    environment = os.environ | {"JACKPOT_DATABASE_URL": service.url}
    where = ["--floor", str(service.floor_file), "--port", str(service.port)]
    process = subprocess.Popen(
        [sys.executable, "-c", _LIST_LIBRARIES, "serve", *where],
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    )
    while not service.ready():
        time.sleep(0.1)
    process.terminate()
    listed: str = process.communicate()[0]
    return listed.split()


def contestants(service: Service) -> Mapping[str, Callable[[], Taken]]:
    commands: dict[str, list[str | Path]] = {
        "`jackpot --version`": ["--version"],
        "`jackpot --help`": ["--help"],
        "`jackpot evaluate Ah Kh Qh Jh Th`": ["evaluate", "Ah", "Kh", "Qh", "Jh", "Th"],
        "`jackpot odds --runs 0`": ["odds", "--runs", "0", "--floor", service.floor_file],
        "`jackpot verify` of a new book": ["verify", "--database", service.url],
    }
    run = {name: partial(timed, JACKPOT, *words) for name, words in commands.items()}
    importing = partial(timed, sys.executable, "-c", _IMPORT, *libraries(service))
    return run | {START: partial(started, service), LIBRARIES: importing}


def measured() -> dict[str, Taken]:
    """Medians."""
    with tempfile.TemporaryDirectory(prefix="jackpot-start-") as folder:
        url = f"sqlite+aiosqlite:///{folder}/book.db"
        service = Service(url, full_floor("main"), Path(folder))
        try:
            started(service)
            competing = contestants(service)
            turns = [{name: work() for name, work in competing.items()} for _ in range(TURNS)]
        finally:
            service.close()
    return {
        name: Taken(
            median(turn[name].seconds for turn in turns), median(turn[name].processor for turn in turns)
        )
        for name in competing
    }


def page(found: dict[str, Taken]) -> str:
    rows = [f"| {name} | {taken.seconds:.2f} | {taken.processor:.2f} |" for name, taken in found.items()]
    times = found[START].processor / found[LIBRARIES].processor
    said = (
        f"Written by `make bench`. This machine: {machine()}. Medians of {TURNS} turns, in each of which"
        " everything is started once. A start of the service ends with the first 200 of `/readyz`, on a"
        " SQLite book that is there already. Its libraries are imported by a process that does nothing else."
        f" The load average was {os.getloadavg()[0]:.1f}: seconds are those of a quiet machine only if it is"
        " well below the number of cores; processor seconds suffer less."
    )
    aims = (
        f"A start takes {times:.2f} times the processor seconds of its libraries; we aim for at most"
        f" {LONGEST_START}. For `--help` and `--version` we aim for less than {LONGEST_HELP} s."
    )
    head = ["# Starts", "", said, "", "| | s | processor s |", "|---|---:|---:|"]
    return "\n".join([*head, *rows, "", aims, ""])


def main(tell: Callable[[str], object]) -> str:
    tell("starts ...")
    return page(measured())
