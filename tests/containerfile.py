"""The image's recipe, as its tests read it."""

from __future__ import annotations

import re
import shlex
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[1]
RECIPE = ROOT / "Containerfile"


@dataclass(frozen=True)
class Step:
    stage: int
    verb: str
    words: str


def read_steps() -> list[Step]:
    """Every instruction, on one line, with the number of its stage; 0 is what comes before the first."""
    text = re.sub(r"^#.*\n", "", RECIPE.read_text(), flags=re.MULTILINE)
    steps: list[Step] = []
    for line in re.sub(r"\\\n\s*", " ", text).splitlines():
        verb, _, words = line.partition(" ")
        if verb:
            stage = steps[-1].stage if steps else 0
            steps.append(Step(stage + (verb == "FROM"), verb, words.strip()))
    return steps


STEPS = read_steps()
LAST = STEPS[-1].stage


def said(verb: str, stage: int = LAST) -> list[str]:
    return [step.words for step in STEPS if (step.verb, step.stage) == (verb, stage)]


def copied() -> list[str]:
    """From the source tree, in whichever stage."""
    steps = [shlex.split(step.words) for step in STEPS if step.verb == "COPY"]
    return [name for words in steps if not words[0].startswith("--from") for name in words[:-1]]
