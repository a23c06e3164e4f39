import sys

from tests.books import releases
from tests.books.writing import write

if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit("python -m tests.books RELEASE, for example 0.1")
    if sys.argv[1] in releases():
        sys.exit(f"release {sys.argv[1]} is out: what it wrote is not written again")
    for book in write(sys.argv[1]):
        sizes = ", ".join(f"{link} {sequence} entries" for link, (sequence, _) in book.heads().items())
        sys.stdout.write(f"{book}: {book.data.stat().st_size:,} bytes; {sizes}\n")
