#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Time reading a ~100 MB Matrix Market file into CSR with evenly and with SciPy, side by side on one core.

Both read the same generated files from a warm page cache, in turns (A B A B), each in its own process pinned to one
core; the best and the median of the repeats are reported, MB = 1e6 bytes. evenly's time is to CSR; SciPy's mmread
stops at triplets, so mmread + tocsr is shown as well.

    tools/bench_reader.py [--rounds 5] [--core 0] [--megabytes 100] [--binary build/bench/reader_bench] [--compiler g++]
"""
import argparse
import os
import pathlib
import statistics
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent

SCIPY = """
import sys, time
import scipy.io
for _ in range(int(sys.argv[2])):
    start = time.perf_counter()
    coo = scipy.io.mmread(sys.argv[1])
    read = time.perf_counter()
    coo.tocsr()
    print(read - start, time.perf_counter() - start, coo.data.sum())
"""


def pinned(core: int, command: list[str]) -> list[list[float]]:
    out = subprocess.run(["taskset", "-c", str(core), *command], check=True, capture_output=True, text=True).stdout
    return [[float(x) for x in line.split()] for line in out.splitlines()]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rounds", type=int, default=5, help="turns of A B, two reads each")
    parser.add_argument("--core", type=int, default=0)
    parser.add_argument("--megabytes", type=float, default=100)
    parser.add_argument("--binary", help="a built bench/io/reader_bench; built here when absent")
    parser.add_argument("--compiler", default="g++")
    args = parser.parse_args()
    try:
        import scipy
    except ImportError:
        print("SciPy is missing: pip install scipy", file=sys.stderr)
        return 2

    with tempfile.TemporaryDirectory() as folder:
        binary = args.binary
        if not binary:
            binary = os.path.join(folder, "reader_bench")
            source = ROOT / "bench/io/reader_bench.cpp"
            flags = ["-std=c++20", "-O3", "-DNDEBUG", f"-I{ROOT / 'include'}", "-pthread"]
            subprocess.run([args.compiler, *flags, str(source), "-o", binary], check=True)

        print(f"SciPy {scipy.__version__}, one core, warm cache, {2 * args.rounds} reads each, best (median)")
        worst = float("inf")
        for kind, bytes_a_line in (("long", 34.5), ("short", 22.0)):
            path = os.path.join(folder, kind + ".mtx")
            entries = int(args.megabytes * 1e6 / bytes_a_line)
            subprocess.run([binary, "generate", path, kind, str(entries)], check=True)
            size = os.path.getsize(path) / 1e6
            with open(path, "rb") as file:  # warms the page cache
                while file.read(1 << 24):
                    pass
            ours, theirs = [], []
            for _ in range(args.rounds):
                ours += pinned(args.core, [binary, "read", path, "1", "2"])
                theirs += pinned(args.core, [sys.executable, "-c", SCIPY, path, "2"])
            if not all(abs(row[2] - ours[0][2]) < 1e-6 * entries for row in ours + theirs):
                print("the readers disagree on the sum of the values", file=sys.stderr)
                return 1
            print(f"{kind} values: {size:.0f} MB, {entries} entries")
            best = {}
            for label, rows, place in (("evenly to CSR", ours, 0), ("evenly to triplets", ours, 1),
                                       ("scipy mmread", theirs, 0), ("scipy mmread + tocsr", theirs, 1)):
                times = [row[place] for row in rows]
                best[label] = min(times), statistics.median(times)
                low, mid = best[label]
                print(f"  {label:22} {low:7.3f} s ({mid:.3f})   {size / low:7.1f} MB/s ({size / mid:.1f})")
            ratios = [best["scipy mmread"][i] / best["evenly to CSR"][i] for i in (0, 1)]
            worst = min(worst, *ratios)
            print(f"  evenly to CSR is {ratios[0]:.2f} times (median {ratios[1]:.2f}) as fast as scipy mmread")
    print(f"target: at least 2 times; least seen {worst:.2f}")
    return 0 if worst >= 2 else 1


if __name__ == "__main__":
    sys.exit(main())
