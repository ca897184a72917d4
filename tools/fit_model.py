#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Fits device_profile of include/evenly/schedule/automatic.hpp to measured times.

    features_bench > features.json                 # bench/spmv/features_bench.cpp: counts, no GPU needed
    tools/fit_model.py features.json bench/results/h200/spmv.json [--cache warm|cold]

Least squares on log(time), by pattern search over the logarithms of the constants. Times beyond 8 x the best,
measured or predicted, count as 8 x: how hopeless a schedule is decides nothing. Folds are whole matrix classes:
nothing of a class that is judged was fitted, neither size nor precision. Prints the constants as the C++ initialiser,
then how much longer the choice takes than the best candidate: fitted on all, and held out.
"""
import argparse
import json
import math
import sys

ITEMS = (8, 12, 16)
START = {
    "launch_us": 3, "staged_launch_us": 4, "cache_bytes": 30e6, "cache_bytes_per_us": 6e6, "memory_bytes_per_us": 4e6,
    "gathers_per_us": 140e3, "warp_us": 2e-4, "round_us": 1e-5, "stride_waste": 0.8, "latency_us": 0.03,
    "steps_per_us": 500e3, "slow_narrow[0]": 1.1, "slow_narrow[1]": 1.1, "slow_narrow[2]": 1.2, "slow_wide[0]": 1.1,
    "slow_wide[1]": 1.2, "slow_wide[2]": 1.3,
}


def value_bytes(f):
    return 4 if f["type"] == "f32" else 8


def soft_max(a, b, c):
    return (a**3 + b**3 + c**3) ** (1 / 3)


def predict(f, method, p):
    """Time in us; the same formulas as group_us and merge_us."""
    kind, size = method
    value = value_bytes(f)
    least = f["nnz"] * (value + 4) + (f["rows"] + 1) * 4 + (f["rows"] + f["cols"]) * value
    cached = min(least, p["cache_bytes"])
    memory = cached / p["cache_bytes_per_us"] + (least - cached) / p["memory_bytes_per_us"]
    gathers = f["nnz"] * f["wide_sectors"] / p["gathers_per_us"]
    if kind == "merge":
        slow = p[f"slow_{'wide' if value > 4 else 'narrow'}[{ITEMS.index(size)}]"]
        return p["staged_launch_us"] + slow * soft_max(memory, gathers, (f["rows"] + f["nnz"]) / p["steps_per_us"])
    rounds, warps = f["warp_rounds"][size.bit_length() - 1], f["rows"] * size / 32
    stride = f["nnz"] / max(1, f["rows"]) / size * value
    memory *= 1 + p["stride_waste"] * max(0.0, math.log2(max(stride, 1) / 64))
    issue = warps * p["warp_us"] + rounds * p["round_us"]
    return p["launch_us"] + soft_max(memory, gathers, issue) + f["longest"] / size * p["latency_us"]


def loss(cases, p):
    total = 0.0
    for f, times in cases:
        most = 8 * min(times.values())
        for method, us in times.items():
            total += math.log(min(predict(f, method, p), most) / min(us, most)) ** 2
    return total


def fit(cases):
    p, step, best = dict(START), 0.4, loss(cases, START)
    while step > 0.01:
        better = False
        for name in p:
            for factor in (math.exp(step), math.exp(-step)):
                if name.startswith("slow") and p[name] * factor < 1:
                    continue
                trial = {**p, name: p[name] * factor}
                if (now := loss(cases, trial)) < best - 1e-6:
                    p, best, better = trial, now, True
                    break
        if not better:
            step /= 2
    return p


def regret(f, times, p):
    told = {m: predict(f, m, p) for m in times}
    chosen = min(told, key=told.get)
    merge = min((m for m in told if m[0] == "merge"), key=told.get)
    if told[merge] <= 1.05 * told[chosen]:
        chosen = merge
    return times[chosen] / min(times.values()), chosen


def summary(name, losses):
    factors = [factor for factor, *_ in losses]
    mean = math.exp(sum(map(math.log, factors)) / len(factors))
    worst = max(losses)
    print(f"// {name}: geometric mean {mean:.3f}, worst {worst[0]:.2f} ({worst[2]} chose {worst[1][0]} {worst[1][1]})")


def method_of(text):
    parts = text.split("/")
    if parts[:2] == ["evenly", "thread_mapped"]:
        return ("group", 1)
    if parts[:2] == ["evenly", "group_mapped"] and len(parts) == 3:
        return ("group", int(parts[2]))
    if parts[:2] == ["evenly", "merge_path"] and len(parts) == 3 and int(parts[2]) in ITEMS:
        return ("merge", int(parts[2]))
    return None


def read_cases(features_file, times_file, cache):
    with open(features_file, encoding="utf-8") as file:
        features = {(f["matrix"], f["type"]): f for f in json.load(file)}
    with open(times_file, encoding="utf-8") as file:
        rows = json.load(file)["benchmarks"]
    times = {}
    for row in rows:
        method = method_of(row["method"])
        if method and row["cache"] == cache and row.get("ok"):
            times.setdefault((row["matrix"], row["type"]), {})[method] = row["time_us"]
    lost = [key for key in times if key not in features]
    if lost:
        print(f"fit_model: no features of {len(lost)} matrices, such as {lost[0]}", file=sys.stderr)
    return [(features[key], found) for key, found in times.items()
            if key in features and any(m[0] == "merge" for m in found)]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("features")
    parser.add_argument("times")
    parser.add_argument("--cache", default="warm", choices=("warm", "cold"))
    parser.add_argument("--folds", type=int, default=5)
    parser.add_argument("--verbose", action="store_true", help="each held-out choice")
    args = parser.parse_args()
    cases = read_cases(args.features, args.times, args.cache)
    if not cases:
        sys.exit("fit_model: no matrix has both features and times")
    p = fit(cases)
    for name in p:
        if "[" not in name:
            print(f"  double {name} = {p[name]:.3g};")
    for name in ("slow_narrow", "slow_wide"):
        print(f"  std::array<double, 3> {name}{{" + ", ".join(f"{p[f'{name}[{i}]']:.3g}" for i in range(3)) + "};")
    points = sum(len(times) for _, times in cases)
    error = math.sqrt(loss(cases, p) / points)
    print(f"// {len(cases)} matrices, {points} times, root mean square of log(time): {error:.3f}")

    def label(f):
        return f"{f['class']}/{f['size']}/{f['type']}"

    summary("fitted on all", [(*regret(f, times, p), label(f)) for f, times in cases])
    classes, held_out = sorted({f["class"] for f, _ in cases}), []
    for fold in range(args.folds):
        judged = set(classes[fold::args.folds])
        part = fit([case for case in cases if case[0]["class"] not in judged])
        held_out += [(*regret(f, t, part), label(f)) for f, t in cases if f["class"] in judged]
    summary(f"held out, {args.folds} folds of whole classes", held_out)
    merge = [(t[("merge", 8)] / min(t.values()), ("merge", 8), label(f)) for f, t in cases if ("merge", 8) in t]
    summary("always merge_path of 8", merge)
    if args.verbose:
        for factor, chosen, name in sorted(held_out, reverse=True):
            print(f"//   {factor:.2f}  {name}  {chosen[0]} {chosen[1]}")


if __name__ == "__main__":
    main()
