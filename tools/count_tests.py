#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Print "N passed, N failed, N skipped" for one ctest run, counting the single cases of GoogleTest programs.

    tools/count_tests.py FOLDER     with ctest's ctest.xml, or a NAME.exit with the exit code of each program, and a
                                    NAME.json of each GoogleTest program

Exits 1 if a test failed or if none ran. A program that broke off before it wrote its JSON counts as one failure.
"""
import collections
import json
import pathlib
import sys
import xml.etree.ElementTree as xml


def ctest_result(case):
    skipped = case.find("skipped")
    if case.get("status") == "run":
        return "passed"
    if skipped is not None and "SKIP_" in skipped.get("message", ""):
        return "skipped"
    return "failed"  # also a program that is missing


def results_of(folder):
    """(name, result) of each program."""
    if (folder / "ctest.xml").exists():
        return [(case.get("name"), ctest_result(case)) for case in xml.parse(folder / "ctest.xml").iter("testcase")]
    codes = {path.stem: int(path.read_text()) for path in sorted(folder.glob("*.exit"))}
    return [(name, {0: "passed", 77: "skipped"}.get(code, "failed")) for name, code in codes.items()]


def gtest_results(path):
    counts = collections.Counter()
    for suite in json.loads(path.read_text())["testsuites"]:
        for case in suite["testsuite"]:
            if case.get("result") == "SKIPPED" or case["status"] != "RUN":
                counts["skipped"] += 1
            else:
                counts["failed" if "failures" in case else "passed"] += 1
    return counts


def count(folder):
    counts = collections.Counter()
    for name, result in results_of(folder):
        cases = folder / f"{name}.json"
        if not cases.exists():
            counts[result] += 1
            continue
        found = gtest_results(cases)
        if result == "failed" and found["failed"] == 0:  # a sanitizer's complaint at the end, say
            found["failed"] = 1
        counts += found
    return counts


def main():
    counts = count(pathlib.Path(sys.argv[1]))
    print(f"{counts['passed']} passed, {counts['failed']} failed, {counts['skipped']} skipped")
    return 1 if counts["failed"] or not counts.total() else 0


if __name__ == "__main__":
    sys.exit(main())
