#!/usr/bin/env python3
"""Prints the coverage of a folder's sources, and every uncovered region.

Usage: llvm-cov export -format=text … | scripts/uncovered.py FOLDER
"""
import json
import pathlib
import sys


def regions(segments):
    """The uncovered regions: where each begins and ends.

    A segment says what counts from its position on to the next one: line, column, count, whether it
    has a count, whether a region begins there, whether it is a gap between statements.
    """
    for here, after in zip(segments, segments[1:]):
        line, column, count, has_count, is_entry, is_gap = here
        if has_count and count == 0 and is_entry and not is_gap:
            yield (line, column), (after[0], after[1])


def share(part):
    return f"{part['covered']}/{part['count']} {part['percent']:6.2f} %"


def main():
    folder = pathlib.Path(sys.argv[1]).resolve()
    data = json.load(sys.stdin)["data"][0]
    files = [file for file in data["files"] if folder in pathlib.Path(file["filename"]).parents]
    if not files:
        sys.exit(f"error: no source below {sys.argv[1]} was measured")
    files.sort(key=lambda file: file["filename"])
    width = max(len(pathlib.Path(file["filename"]).name) for file in files)
    print(f"{'rules':<{width}} {'lines':>18} {'regions':>18}")
    totals = {kind: {"covered": 0, "count": 0} for kind in ("lines", "regions")}
    for file in files:
        summary = file["summary"]
        for kind, total in totals.items():
            total["covered"] += summary[kind]["covered"]
            total["count"] += summary[kind]["count"]
        name = pathlib.Path(file["filename"]).name
        print(f"{name:<{width}} {share(summary['lines']):>18} {share(summary['regions']):>18}")
    for total in totals.values():
        total["percent"] = 100 * total["covered"] / max(total["count"], 1)
    print(f"{'all':<{width}} {share(totals['lines']):>18} {share(totals['regions']):>18}")
    print("\nnot reached:")
    for file in files:
        path = pathlib.Path(file["filename"])
        text = path.read_text().splitlines()
        for (line, column), (last, _) in regions(file["segments"]):
            end = f"-{last}" if last != line else ""
            print(f"  {path.name}:{line}:{column}{end}: {text[line - 1].strip()}")


main()
