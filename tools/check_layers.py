#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Check that each folder of include/evenly includes only the folders below it, and CUDA only where the name says so."""
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
HEADERS = ROOT / "include" / "evenly"

# folder: what its headers may include of evenly; "." are the headers of include/evenly itself
MAY_INCLUDE = {
    "core": {"core"},
    "schedule": {"core", "schedule"},
    "kernel": {"core", "schedule", "kernel"},
    "exec": {"core", "schedule", "kernel", "exec", "detail"},
    "detail": {"core", "exec", "detail"},
    "sparse": {"core", "sparse"},
    "generate": {"core", "schedule", "kernel", "exec", "sparse", "generate"},
    "algorithm": {"core", "schedule", "kernel", "exec", "sparse", "algorithm"},
    "io": {"core", "sparse", "io"},
    ".": {"core", "schedule", "kernel", "exec", "sparse", "generate", "algorithm", "io", "."},
}
# Headers that stand above their folder, and why.
EXCEPTIONS = {
    "sparse/validate.hpp": {"exec", "schedule"},  # a pass over the tile set of all checks, beside the format it judges
    "exec/any_executor.hpp": {"algorithm"},  # forwards every layer, spmv included
}
CUDA_HEADER = re.compile(r"cuda\w*\.h|cuda/.*|cub/.*|thrust/.*|cooperative_groups.*|cu\w+\.h|nv/.*|cccl/.*")
INCLUDE = re.compile(r'\s*#\s*include\s*([<"])([^>"]+)[>"]')


def is_cuda(file):
    return "cuda" in file.name or any(part.startswith("cuda") for part in file.relative_to(HEADERS).parts[:-1])


def fault_of(file, bracket, name):
    """What is wrong with one include, or None."""
    folder = file.relative_to(HEADERS).parts[0] if file.parent != HEADERS else "."
    if folder not in MAY_INCLUDE:
        return f"the folder {folder}/ has no layer: add it to tools/check_layers.py"
    if bracket == '"':
        return "public headers are included as <evenly/...>"
    if not name.startswith("evenly/"):
        if CUDA_HEADER.fullmatch(name) and not is_cuda(file):
            return "a CUDA header belongs into a file that has cuda in its name"
        return None
    parts = pathlib.PurePosixPath(name).parts
    target = parts[1] if len(parts) > 2 else "."
    if not (ROOT / "include" / name).exists():
        return "there is no such header"
    if target not in MAY_INCLUDE[folder] | EXCEPTIONS.get(file.relative_to(HEADERS).as_posix(), set()):
        return f"{folder}/ must not include {target}/"
    if "detail" in parts[2:-1] and target != folder:
        return f"{target}/detail/ belongs to {target}/ alone"
    if is_cuda(ROOT / "include" / name) and not is_cuda(file):
        return "only a file that has cuda in its name may include one"
    return None


def main():
    faults = 0
    for file in sorted(path for kind in ("*.hpp", "*.cuh", "*.inc") for path in HEADERS.rglob(kind)):
        for number, line in enumerate(file.read_text().splitlines(), 1):
            found = INCLUDE.match(line)
            fault = fault_of(file, *found.groups()) if found else None
            if fault:
                print(f"{file.relative_to(ROOT)}:{number}: {found[2]}: {fault}")
                faults += 1
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
