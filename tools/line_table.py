#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Counts the lines a user writes for SpMV and the lines of each schedule, and writes them into README.md.

    tools/line_table.py          print the table
    tools/line_table.py --write  put it between the markers in README.md
    tools/line_table.py --check  exit 1 if README.md holds another one

A line counts if something is left of it without its comment. The body is the loop nest of examples/04_spmv.cu."""

import pathlib
import re
import sys

root = pathlib.Path(__file__).resolve().parent.parent
begin, end = "<!-- lines: tools/line_table.py -->", "<!-- end of lines -->"


def code_lines(text):
    return sum(1 for line in text.splitlines() if re.sub(r"//.*", "", line).strip())


def spmv_body():
    text = (root / "examples/04_spmv.cu").read_text()
    start = text.index("for (auto row : rows.tiles(me))")
    return code_lines(text[start : text.index("\n  }\n", start)])


def table():
    rows = [("SpMV, one body for every schedule, format and executor (examples/04_spmv.cu)", spmv_body())]
    for path in sorted((root / "include/evenly/schedule").glob("*.hpp")):
        if "num_groups(" not in path.read_text():
            continue  # not a schedule
        rows.append((f"schedule {path.stem} (include/evenly/schedule/{path.name})", code_lines(path.read_text())))
    rows.append(("for comparison: CUB's merge-path SpMV, all of it, as the paper counts (503 of them the kernel)", 1100))
    lines = ["| what | lines |", "| --- | ---: |"] + [f"| {what} | {count:,} |" for what, count in rows]
    return "\n".join(lines)


def main():
    readme = root / "README.md"
    text = readme.read_text() if readme.exists() else ""
    wanted = f"{begin}\n{table()}\n{end}"
    if "--write" in sys.argv or "--check" in sys.argv:
        found = text[text.index(begin) : text.index(end) + len(end)]
        if "--check" in sys.argv:
            if found != wanted:
                sys.exit("README.md holds another table of lines: run tools/line_table.py --write")
            return
        readme.write_text(text.replace(found, wanted))
    else:
        print(table())


main()
