#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Plant plausible mistakes one at a time, and see that the tests notice each.

    tools/mutate.py                  all of tests/mutations.txt
    tools/mutate.py --rotate 10      ten of them, others with every commit
    tools/mutate.py --only WORDS     those whose name contains WORDS
    tools/mutate.py --check          only see that each old text is found once and that no name comes twice

All happens in a copy of the tree, build/mutate; the working tree is never touched. Only the tests that a mutation names
are built and run. A mutation is caught when a test fails, crashes or hangs, or when a static_assert refuses it; one that
does not compile for another reason is a mistake in the list. Exits 1 unless every mutation is caught.

tests/mutations.txt holds one block for each mutation, blocks apart by blank lines, # for comments:

    [merge_path: < for <= in the diagonal search]
    file: include/evenly/schedule/merge_path.hpp
    old: if (tile_end <= diagonal)
    new: if (tile_end < diagonal)
    test: schedule\\.every_schedule_test

`old` must stand exactly once in the file; more lines `old:` and `new:` make a text of several lines; without `new` the old
text is deleted. `test` is a regular expression on names of ctest that run on the host or on simt.
"""
import argparse
import datetime
import os
import pathlib
import re
import shutil
import subprocess
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
COPY = ROOT / "build" / "mutate"
BUILD = COPY / "build" / "release"  # as deep as the real one, so that ccache knows the objects
SLOWEST_TEST = 600  # seconds


class Mutation:
    def __init__(self, name):
        self.name = name
        self.fields = {"file": [], "old": [], "new": [], "test": []}

    def __getattr__(self, field):
        return "\n".join(self.fields[field])

    def apply(self, text):
        if text.count(self.old) != 1:
            raise SystemExit(f"mutate: {self.name}: its old text stands {text.count(self.old)} times in {self.file}, not once")
        return text.replace(self.old, self.new)


def read_mutations(path):
    found = []
    for number, line in enumerate(path.read_text().splitlines(), 1):
        if not line.strip() or line.startswith("#"):
            continue
        if line.startswith("[") and line.endswith("]"):
            found.append(Mutation(line[1:-1]))
            continue
        field, colon, value = line.partition(":")
        if not colon or not found or field not in found[-1].fields:
            raise SystemExit(f"{path}:{number}: expected [name], or file:, old:, new:, test: in a block")
        found[-1].fields[field].append(value.removeprefix(" "))
    names = [mutation.name for mutation in found]
    for mutation in found:
        if not (mutation.file and mutation.old and mutation.test) or names.count(mutation.name) > 1:
            raise SystemExit(f"{path}: [{mutation.name}] needs a name of its own, file, old and test")
        mutation.apply((ROOT / mutation.file).read_text())
    return found


def run(*command, **options):
    return subprocess.run(command, check=False, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, **options)


def must(*command):
    done = run(*command)
    if done.returncode != 0:
        raise SystemExit(f"{done.stdout}\nmutate: failed: {' '.join(command)}")
    return done.stdout


def copy_tree():
    """Bring build/mutate up to date with the tree, leaving files alone that did not change."""
    listed = must("git", "-C", str(ROOT), "ls-files", "--cached", "--others", "--exclude-standard").splitlines()
    wanted = {name for name in listed if (ROOT / name).is_file()}
    for name in wanted:
        source, target = ROOT / name, COPY / name
        if target.exists() and target.read_bytes() == source.read_bytes():
            continue
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(source, target)
        shutil.copymode(source, target)
    for old in [path for path in COPY.rglob("*") if path.is_file() and not path.is_relative_to(COPY / "build")]:
        if old.relative_to(COPY).as_posix() not in wanted:
            old.unlink()


def configure():
    arguments = ["-DEVENLY_CUDA=OFF", "-DEVENLY_BUILD_EXAMPLES=OFF", "-DEVENLY_BUILD_BENCHMARKS=OFF"]
    if shutil.which("ccache"):
        arguments.append("-DCMAKE_CXX_COMPILER_LAUNCHER=ccache")
    must("cmake", "-S", str(COPY), "-B", str(BUILD), "-G", "Ninja", "-DCMAKE_BUILD_TYPE=Release", *arguments)


def tests_named(pattern):
    listed = must("ctest", "--test-dir", str(BUILD), "-N", "--tests-regex", pattern)
    return re.findall(r"Test +#\d+: (\S+)", listed)


def build(names):
    targets = [name for name in names if not name.startswith(("headers.", "consumer.", "compile_fail."))]
    if not targets:
        return run("true")
    return run("cmake", "--build", str(BUILD), "--parallel", str(os.cpu_count()), "--target", *targets)


def test(names):
    pattern = "^(" + "|".join(re.escape(name) for name in names) + ")$"
    return run("ctest", "--test-dir", str(BUILD), "--tests-regex", pattern, "--timeout", str(SLOWEST_TEST),
               "--parallel", str(os.cpu_count()), "--stop-on-failure", "--output-on-failure")  # fmt: skip


def verdict(mutation):
    """Caught or not, and a word on how, for one mutation that is in place."""
    names = tests_named(mutation.test)
    built = build(names)
    if built.returncode != 0:
        # refused, or stopped on its way: an overflow, or a loop without end, in what the static_assert computes
        if re.search("static assertion failed|non-constant condition for static assertion", built.stdout):
            return True, "static_assert"
        return False, "DOES NOT COMPILE\n" + "\n".join(line for line in built.stdout.splitlines() if "error" in line)[:2000]
    tested = test(names)
    if tested.returncode == 0:
        return False, f"SURVIVED {mutation.test}"
    failed = re.findall(r"^\s*\d+ - (\S+) \(", tested.stdout, re.MULTILINE)
    return True, ", ".join(failed)


def choose(mutations, arguments):
    if arguments.only:
        return [mutation for mutation in mutations if arguments.only in mutation.name]
    if not arguments.rotate or arguments.rotate >= len(mutations):
        return mutations
    commits = run("git", "-C", str(ROOT), "rev-list", "--count", "HEAD")
    turn = int(commits.stdout) if commits.returncode == 0 else datetime.date.today().toordinal()
    first = turn * arguments.rotate
    return [mutations[(first + i) % len(mutations)] for i in range(arguments.rotate)]


def check_baseline(chosen):
    """Without a mutation every test that is asked must be green."""
    names = set()
    for mutation in chosen:
        matched = tests_named(mutation.test)
        if not matched:
            raise SystemExit(f"mutate: {mutation.name}: no test is called {mutation.test}")
        names.update(matched)
    for step in (build, test):
        done = step(sorted(names))
        if done.returncode != 0:
            raise SystemExit(f"{done.stdout[-6000:]}\nmutate: the tests are red without any mutation")


def try_one(mutation):
    path = COPY / mutation.file
    text = path.read_text()
    path.write_text(mutation.apply(text))
    try:
        return verdict(mutation)
    finally:
        path.write_text(text)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--rotate", type=int, metavar="N")
    parser.add_argument("--only", metavar="WORDS")
    parser.add_argument("--check", action="store_true")
    arguments = parser.parse_args()
    chosen = choose(read_mutations(ROOT / "tests" / "mutations.txt"), arguments)
    if arguments.check:
        print(f"{len(chosen)} mutations are in order")
        return 0
    if shutil.which("ccache"):
        os.environ.setdefault("CCACHE_BASEDIR", str(COPY))
    copy_tree()
    configure()
    check_baseline(chosen)
    survivors = []
    for number, mutation in enumerate(chosen, 1):
        start = time.monotonic()
        caught, how = try_one(mutation)
        print(f"[{number}/{len(chosen)}] {'caught' if caught else 'NOT CAUGHT'} {mutation.name} ({how}; {time.monotonic() - start:.0f} s)", flush=True)
        if not caught:
            survivors.append(mutation.name)
    print(f"{len(chosen) - len(survivors)} mutations caught, {len(survivors)} not" + "".join(f"\n  {name}" for name in survivors))
    return 1 if survivors else 0


if __name__ == "__main__":
    sys.exit(main())
