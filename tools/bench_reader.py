#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Time reading a ~100 MB Matrix Market file into CSR with evenly and with SciPy, side by side on one core.

Both read the same generated files from a warm page cache, in turns (A B A B), each in its own process pinned to one
core, with one thread. The best and the median of the repeats are reported, in wall time and in processor time (which
a busy machine disturbs less), MB = 1e6 bytes. evenly's time is to CSR, freeing it included; SciPy's mmread stops at
triplets, so mmread + tocsr is shown as well. In a file ordered by rows nothing is left to sort; one ordered by columns
(as matrix collections have them, here with the rows of each column at random) is the hard case.

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
    wall, cpu = time.perf_counter(), time.process_time()
    coo = scipy.io.mmread(sys.argv[1])
    read_wall, read_cpu = time.perf_counter() - wall, time.process_time() - cpu
    csr = coo.tocsr()
    print(read_wall, read_cpu, time.perf_counter() - wall, time.process_time() - cpu,
          coo.nnz + coo.data[0] + coo.data[-1])
    del coo, csr
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

        print(f"SciPy {scipy.__version__}, one core, warm cache, {2 * args.rounds} reads each, best (median); MB/s by best CPU time")
        worst = float("inf")
        cases = [(kind, order, bytes_a_line) for kind, bytes_a_line in (("long", 34.5), ("short", 22.0))
                 for order in ("rows", "columns")]
        for kind, order, bytes_a_line in cases:
            path = os.path.join(folder, "case.mtx")
            entries = int(args.megabytes * 1e6 / bytes_a_line)
            subprocess.run([binary, "generate", path, kind, order, str(entries)], check=True)
            size = os.path.getsize(path) / 1e6
            with open(path, "rb") as file:  # warms the page cache
                while file.read(1 << 24):
                    pass
            ours, theirs = [], []
            for _ in range(args.rounds):
                ours += pinned(args.core, [binary, "read", path, "1", "2"])
                theirs += pinned(args.core, [sys.executable, "-c", SCIPY, path, "2"])
            if max(row[4] for row in ours + theirs) - min(row[4] for row in ours + theirs) > 1e-6:
                print("the readers disagree on what they read", file=sys.stderr)
                return 1
            print(f"{kind} values, ordered by {order}: {size:.0f} MB, {entries} entries")
            times = {}
            for label, rows, place in (("evenly to CSR", ours, 0), ("evenly to triplets", ours, 2),
                                       ("scipy mmread", theirs, 0), ("scipy mmread + tocsr", theirs, 2)):
                wall = [row[place] for row in rows]
                cpu = [row[place + 1] for row in rows]
                times[label] = min(wall), min(cpu), statistics.median(cpu)
                print(f"  {label:22} wall {min(wall):6.3f} s ({statistics.median(wall):6.3f})"
                      f"   CPU {min(cpu):6.3f} s ({statistics.median(cpu):6.3f})   {size / min(cpu):6.1f} MB/s")
            for against in ("scipy mmread", "scipy mmread + tocsr"):
                ratios = [b / a for a, b in zip(times["evenly to CSR"], times[against], strict=True)]
                print(f"  evenly to CSR against {against}: {ratios[0]:.2f} times as fast by wall,"
                      f" {ratios[1]:.2f} by CPU (median {ratios[2]:.2f})")
                if against == "scipy mmread":
                    worst = min(worst, ratios[1])
    print(f"target: at least 2 times as fast as mmread; least seen {worst:.2f} by CPU time")
    return 0 if worst >= 2 else 1


if __name__ == "__main__":
    sys.exit(main())
