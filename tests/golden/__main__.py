import sys

from tests.golden import kept, missing, releases, write

if len(sys.argv) != 2:
    sys.exit("python -m tests.golden RELEASE, for example 0.1")
if sys.argv[1] in releases() and not missing(kept(sys.argv[1])):
    sys.exit(f"release {sys.argv[1]} has every kind of fact: what it wrote is not written again")
for one in write(sys.argv[1]):
    sys.stdout.write(f"seed {one.seed}, {one.of}: {len(one.entries)} entries, head {one.head[:16]}\n")
