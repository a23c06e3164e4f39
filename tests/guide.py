"""The guide for table controllers, and the programs that it shows."""

from __future__ import annotations

import re

from tests.containerfile import ROOT

GUIDE = (ROOT / "docs" / "table-controllers.md").read_text()
CONTROLLER, GATEWAY, BLACKJACK = re.findall(r"^```python\n(.*?)^```$", GUIDE, flags=re.DOTALL | re.MULTILINE)
