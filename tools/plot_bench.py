#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Tables and pictures of what bench/spmv measured.

    tools/plot_bench.py bench/results/h200/spmv.json                           tables on stdout
    tools/plot_bench.py RESULTS --markdown docs/performance.md --plots docs    writes them between the file's markers,
                                                                               and two SVG pictures (needs matplotlib)

RESULTS are those of spmv_bench or of host_bench, which has markers and a table of its own and no pictures.

The best method of each side is chosen here, not by the benchmark: a result counts if it was right (ok) and has a time.
Speed-up is the rival's time over ours.
"""

import argparse
import collections
import json
import math
import pathlib
import statistics

MARKERS = {
    "gpu": ("<!-- spmv: tools/plot_bench.py -->", "<!-- end of spmv -->"),
    "cpu": ("<!-- cpu: tools/plot_bench.py -->", "<!-- end of cpu -->"),
}
OURS, THEIRS = "evenly/", "cusparse/"
DEFAULT = "evenly/merge_path/8"
SIZES, TYPES, CACHES = ("large", "medium", "tiny"), ("f32", "f64"), ("warm", "cold")


class Results:
    def __init__(self, path: pathlib.Path):
        data = json.loads(path.read_text())
        self.context = data["context"]
        self.all = data["benchmarks"]
        # of one matrix, type and cache: method -> benchmark
        self.cells = collections.defaultdict(dict)
        for row in self.all:
            self.cells[row["size"], row["class"], row["type"], row["cache"]][row["method"]] = row

    def best(self, key: tuple, prefix: str) -> dict | None:
        fit = [row for name, row in self.cells.get(key, {}).items() if name.startswith(prefix) and counts(row)]
        return min(fit, key=lambda row: row["time_us"], default=None)

    def speedup(self, key: tuple, ours: str = OURS, theirs: str = THEIRS) -> float | None:
        a, b = self.best(key, ours), self.best(key, theirs)
        return b["time_us"] / a["time_us"] if a and b else None

    def classes(self, size: str) -> list[str]:
        """In the order of the file."""
        return list(dict.fromkeys(key[1] for key in self.cells if key[0] == size))


def counts(row: dict) -> bool:
    return row["ok"] and not row.get("failed") and row["time_us"] > 0


def short(row: dict | None) -> str:
    return row["method"].split("/", 1)[1] if row else "-"


def number(x: float | None, digits: int = 2) -> str:
    return "-" if x is None else f"{x:.{digits}f}"


def micros(row: dict | None) -> str:
    if row is None:
        return "-"
    return f"{row['time_us']:.0f}" if row["time_us"] >= 100 else f"{row['time_us']:.1f}"


def million(nnz: int) -> str:
    return f"{nnz / 1e6:.1f} M" if nnz >= 1e5 else f"{nnz / 1e3:.1f} k"


def geometric_mean(values: list[float]) -> float | None:
    return math.exp(statistics.fmean(map(math.log, values))) if values else None


def table(head: list[str], rows: list[list[str]]) -> list[str]:
    line = "| " + " | ".join(head) + " |"
    return [line, "|" + "---|" * len(head), *("| " + " | ".join(row) + " |" for row in rows)]


def copy_share(results: Results, row: dict) -> str:
    return f"{100 * row['gbps'] / results.context['copy_gbps']:.0f}%"


def of_size(results: Results, size: str) -> list[str]:
    rows = []
    for name in results.classes(size):
        for kind in TYPES:
            warm, cold = (size, name, kind, "warm"), (size, name, kind, "cold")
            ours, theirs = results.best(warm, OURS), results.best(warm, THEIRS)
            if ours is None:
                continue
            rows.append(
                [name, million(ours["nnz"]), kind, micros(ours), short(ours), micros(theirs), short(theirs)]
                + [f"**{number(results.speedup(warm))}**", copy_share(results, ours)]
                + [number(results.speedup(cold)), number(results.speedup(warm, DEFAULT))]
            )
    if not rows:
        return []
    head = ["class", "nnz", "type", "evenly us", "schedule", "cuSPARSE us", "algorithm", "speed-up", "of copy"]
    return table(head + ["speed-up, cold", "merge_path/8, warm"], rows)


def summary(results: Results) -> list[str]:
    rows = []
    for size in SIZES:
        for kind in TYPES:
            for cache in CACHES:
                keys = [(size, name, kind, cache) for name in results.classes(size)]

                def mean(*of, keys=keys):
                    return geometric_mean([s for key in keys if (s := results.speedup(key, *of))])

                every = [s for key in keys if (s := results.speedup(key))]
                if not every:
                    continue
                row = [size, kind, cache, str(len(every)), f"**{number(mean())}**", number(mean(DEFAULT))]
                row += [number(mean(OURS, "cusparse/csr_alg1_preprocess"))]
                rows.append(row + [f"{sum(s >= 1 for s in every)}", f"{number(min(every))} .. {number(max(every))}"])
    head = ["size", "type", "cache", "classes", "best / best", "merge_path/8 / best", "best / ALG1 with preprocess"]
    return table(head + ["classes not slower", "range of best / best"], rows)


def plans(results: Results) -> list[str]:
    """What setting up costs, in runs of the method itself; medians over the classes of the large size, warm."""
    methods = list(dict.fromkeys(row["method"] for row in results.all))
    rows = []
    for method in methods:
        row = [method]
        for kind in TYPES:
            fit = [
                cell[method]
                for (size, _, of, cache), cell in results.cells.items()
                if (size, of, cache) == ("large", kind, "warm") and method in cell and counts(cell[method])
            ]
            cost = [one["plan_us"] for one in fit]
            runs = [one["plan_us"] / one["time_us"] for one in fit]
            row += [f"{statistics.median(cost):.0f}", number(statistics.median(runs), 1)] if fit else ["-", "-"]
        rows.append(row)
    return table(["method", "f32 us", "in runs", "f64 us", "in runs"], rows)


def remarks(results: Results) -> list[str]:
    wrong = [row for row in results.all if not row["ok"]]
    lines = [f"{len(results.all)} measurements of {len(results.cells) // len(CACHES)} matrices and types; "
             f"{len(wrong)} of them wrong."]
    lines += [f"- wrong: {row['method']} on {row['matrix']} ({row['type']}) {row.get('failed', '')}" for row in wrong]
    capped = collections.defaultdict(set)
    for row in results.all:
        if row.get("capped"):
            capped[row["size"] + " " + row["class"]].add(row["method"])
    if capped:
        lines.append("Run once and then left out of the rounds, because a run takes too long (capped):")
        lines += [f"- {of}: " + ", ".join(sorted(names)) for of, names in capped.items()]
    return lines


def markdown(results: Results) -> str:
    about = results.context
    lines = [
        f"{about['gpu']}, driver {about['driver']}, CUDA {about['cuda']}, cuSPARSE {about['cusparse']}, commit "
        f"`{about['commit'][:12]}`, `{about['command']}`. Copy: {about['copy_gbps']:.0f} GB/s. An empty kernel takes "
        f"{about['empty_kernel_warm_us']:.1f} us back to back and {about['empty_kernel_cold_us']:.1f} us alone.",
        "",
        "Geometric means of the speed-up over the classes:",
        "",
        *summary(results),
    ]
    titles = {"large": "Large", "medium": "Medium: the generators' defaults", "tiny": "Tiny"}
    for size in SIZES:
        rows = of_size(results, size)
        if rows:
            lines += ["", f"### {titles[size]}", "", *rows]
    lines += ["", "### What setting up costs", "", *plans(results), "", *remarks(results)]
    return "\n".join(lines)


def cpu_rows(results: Results, size: str, speedups: dict) -> list[list[str]]:
    rows = []
    for name in results.classes(size):
        for kind in TYPES:
            cell = (size, name, kind, "warm")
            ours = results.best(cell, "evenly/merge_path")
            if ours is None:
                continue
            row = [name, million(ours["nnz"]), kind, micros(ours)]
            for rival in ("eigen", "graphblas"):
                row.append(micros(results.best(cell, rival)))
            rivals = [s for rival in ("eigen", "graphblas") if (s := results.speedup(cell, "evenly/merge_path", rival))]
            speedups[size, kind].append(min(rivals))
            best = results.best(cell, OURS)
            rows.append([*row, f"**{number(min(rivals))}**", micros(best), short(best), f"{ours['gbps']:.1f}"])
    return rows


def cpu_markdown(results: Results) -> str:
    about, speedups = results.context, collections.defaultdict(list)
    head = ["class", "nnz", "type", "merge_path us", "Eigen us", "GraphBLAS us", "speed-up over the faster"]
    head += ["best of evenly us", "schedule", "merge_path GB/s"]
    tables = []
    for size, title in {"large": "Beyond the caches", "medium": "The generators' defaults"}.items():
        rows = cpu_rows(results, size, speedups)
        if rows:
            tables += ["", f"### {title}", "", *table(head, rows)]
    means = [[size, kind, str(len(of)), f"**{number(geometric_mean(of))}**", f"{sum(s >= 1 for s in of)}",
              f"{number(min(of))} .. {number(max(of))}"] for (size, kind), of in speedups.items()]
    return "\n".join([
        f"{about['cpu']}, {about['threads']} threads, g++ {about['compiler']}, Eigen {about['eigen']}, GraphBLAS "
        f"{about['graphblas']}, commit `{about['commit'][:12]}`, `{about['command']}`. A sum over 256 MB reads "
        f"{about['read_gbps']:.1f} GB/s.",
        "",
        *table(["size", "type", "classes", "merge_path / faster rival", "classes not slower", "range"], means),
        *tables,
    ])


def insert(path: pathlib.Path, text: str, markers: tuple[str, str]) -> None:
    begin, end = markers
    old = path.read_text()
    if begin not in old or end not in old:
        raise SystemExit(f"{path}: the lines {begin} and {end} are missing; add them where the tables should be")
    before, rest = old.split(begin, 1)
    path.write_text(before + begin + "\n" + text + "\n" + end + rest.split(end, 1)[1])


def plot(results: Results, folder: pathlib.Path) -> None:
    import matplotlib

    matplotlib.use("svg")
    matplotlib.rcParams["svg.hashsalt"] = "evenly"  # the same picture from the same numbers
    import matplotlib.pyplot as plt

    colours = {"f32": "#1f77b4", "f64": "#d95f02"}

    def finish(figure, name: str) -> None:
        figure.tight_layout()
        figure.savefig(folder / name, metadata={"Date": None, "Creator": None})
        plt.close(figure)

    def speedup_axis(axes) -> None:
        axes.axhline(1, color="black", linewidth=0.8)
        axes.set_yscale("log", base=2)
        axes.yaxis.set_major_formatter(matplotlib.ticker.FuncFormatter(lambda x, _: f"{x:g}"))
        axes.set_ylabel("speed-up over the best of cuSPARSE")
        axes.legend()

    names = results.classes("large") or results.classes("medium")
    size = "large" if results.classes("large") else "medium"
    figure, axes = plt.subplots(figsize=(9, 4))
    for i, kind in enumerate(TYPES):
        heights = [results.speedup((size, name, kind, "warm")) or math.nan for name in names]
        places = [place + 0.4 * (i - 0.5) for place in range(len(names))]
        axes.bar(places, [h - 1 for h in heights], 0.38, bottom=1, color=colours[kind], label=kind)
    speedup_axis(axes)
    axes.set_xticks(range(len(names)), names, rotation=45, ha="right")
    axes.set_title(f"SpMV, {size} matrices, warm, {results.context['gpu']}")
    finish(figure, "spmv_speedup_by_class.svg")

    figure, axes = plt.subplots(figsize=(9, 4))
    for kind in TYPES:
        for cache, marker in zip(CACHES, "o^", strict=True):
            points = [
                (results.best(key, OURS)["nnz"], s)
                for key in results.cells
                if key[2:] == (kind, cache) and (s := results.speedup(key))
            ]
            if points:
                full = {"color": colours[kind]} if cache == "warm" else {"facecolors": "none", "edgecolors": colours[kind]}
                axes.scatter(*zip(*points, strict=True), s=28, marker=marker, label=f"{kind} {cache}", **full)
    speedup_axis(axes)
    axes.set_xscale("log")
    axes.set_xlabel("nonzeros")
    axes.set_title(f"SpMV, all matrices, {results.context['gpu']}")
    finish(figure, "spmv_speedup_by_nnz.svg")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("results", type=pathlib.Path, help="what spmv_bench --out wrote")
    parser.add_argument("--markdown", type=pathlib.Path, help="file whose part between the markers is replaced")
    parser.add_argument("--plots", type=pathlib.Path, help="folder for the pictures")
    options = parser.parse_args()
    results = Results(options.results)
    kind = "cpu" if "cpu" in results.context else "gpu"
    text = cpu_markdown(results) if kind == "cpu" else markdown(results)
    print(text)
    if options.markdown:
        insert(options.markdown, text, MARKERS[kind])
    if options.plots and kind == "gpu":
        plot(results, options.plots)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
