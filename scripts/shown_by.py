#!/usr/bin/env python3
"""Lists the tests that show something: scripts/shown_by.py N-07 F-03 noDoublePay

Traits say what a test or suite shows (Tests/TestSupport/Shows.swift): guarantees, and rows of
tables whose first column is 'id'. The number of a flaw is in the names of its tests.
"""
import collections
import pathlib
import re
import sys

DECLARATION = re.compile(r"@(?:Test|Suite)\b((?:(?!@Test|@Suite).)*?)\b(?:func|struct)\s+(?:`([^`]+)`|(\w+))", re.DOTALL)
TRAIT = re.compile(r"\.(?:feature|threat|duty|guarantee)\(([^()]*)\)")
REASON = re.compile(r"not (?:ours|covered): \S")


def shown(root):
    """The tests by what they show, each with its file, line and name."""
    tests = collections.defaultdict(list)
    for file in sorted((root / "Tests").rglob("*.swift")):
        text = file.read_text()
        for match in DECLARATION.finditer(text):
            name, line = match[2] or match[3], text.count("\n", 0, match.start()) + 1
            for id in re.findall(r"[\w-]+", " ".join(TRAIT.findall(match[1]))) + re.findall(r"F-\d\d(?=[,:])", name):
                tests[id].append((file.relative_to(root).as_posix(), line, name))
    return tests


def lines(text):
    """The lines of a page, each with its id, if it is a row of a table or heads a guarantee."""
    in_table = False
    for line in text.splitlines():
        in_table = line.startswith("| id |") or in_table and line.startswith("|")
        heading = re.match(r"## \d+\. ([a-z]\w+)$", line)
        yield line, line.split("|")[1].strip() if in_table else heading and heading[1]


def faults(root, pages):
    """What is wrong with the ids of pages, which are texts by their paths, and of tests."""
    tests, ids, has_places = shown(root), set(), False
    for path, (line, id) in ((path, entry) for path, text in pages.items() for entry in lines(text)):
        if id == "id":
            has_places = line.endswith("| where |")
        elif id and not id.startswith("---"):
            if id in ids:
                yield f"{path}: {id} is there twice"
            elif id not in tests and not REASON.search(line):
                yield f"{path}: {id}: no test shows it"
            ids.add(id)
            for place in re.findall(r"`([^`]+)`", REASON.split(line.split("|")[-2])[0] if has_places else ""):
                if not (root / "Sources" / place).exists() and not (root / place).exists():
                    yield f"{path}: {id}: {place}: there is no such file"
    for id in sorted(tests.keys() - ids):
        yield f"{tests[id][0][0]}:{tests[id][0][1]}: no page has {id}"


def with_tests(text, tests):
    """A page with the names of its tests: in a column of tables, and below guarantees."""
    parts, names = [], []
    for line, id in lines(text):
        shown = [f"`{name}`" for _, _, name in tests.get(id, [])]
        if line.startswith("## "):
            parts += names
            names = ["Shown by:", "", *(f"- {name}" for name in shown), ""] if shown else []
        elif id:
            line += " shown by |" if id == "id" else "---|" if id.startswith("---") else f" {'<br>'.join(shown)} |"
        parts.append(line)
    return "\n".join(parts + names) + "\n"


if __name__ == "__main__":
    tests = shown(pathlib.Path(__file__).resolve().parent.parent)
    for id in sys.argv[1:]:
        print("\n".join(f"{file}:{line}: {name}" for file, line, name in tests[id]) or f"no test shows {id}")
