#!/usr/bin/env python3
"""Writes the list of events into record.schema.json, and the schemas of this folder and the scenarios of the folder
Scenarios into the program, so that it has them wherever it is installed.

Run it after changing a schema or a scenario: Schemas/embed.py
"""
import json
import pathlib

here = pathlib.Path(__file__).resolve().parent
record = here / "record.schema.json"
events = []
for path in sorted(here.glob("events/*.v*.json")):
    name, version = path.name.removesuffix(".json").rsplit(".v", 1)
    is_this = {"properties": {"type": {"const": name}, "v": {"const": int(version)}}, "required": ["type", "v"]}
    data = {"properties": {"data": {"$ref": json.loads(path.read_text())["$id"]}}}
    events.append({"if": is_this, "then": data})
document = json.loads(record.read_text()) | {"allOf": events}
record.write_text(json.dumps(document, indent=2, ensure_ascii=False) + "\n")

target = here.parent / "Sources" / "workflowctl" / "Schemas" / "EmbeddedSchemas.swift"
lines = [
    "// swift-format-ignore-file",
    "// Written by Schemas/embed.py from the files in Schemas.",
    "",
    "/// The JSON Schemas, by their names without `.schema.json` or, of events with their version,",
    "/// `.json`.",
    "enum EmbeddedSchemas {",
    "    /// The documents, each on one line.",
    "    static let documents: [String: String] = [",
]
for path in sorted([*here.rglob("*.schema.json"), *here.glob("events/*.v*.json")]):
    name = path.relative_to(here).as_posix().removesuffix(".json").removesuffix(".schema")
    document = json.dumps(json.loads(path.read_text()), separators=(",", ":"), ensure_ascii=False)
    lines.append(f'        "{name}": ##"{document}"##,')
lines += ["    ]", "}", ""]
target.write_text("\n".join(lines))

target = here.parent / "Sources" / "workflowctl" / "Training" / "EmbeddedScenarios.swift"
lines = [
    "// swift-format-ignore-file",
    "// Written by Schemas/embed.py from the files in Scenarios.",
    "",
    "/// The scenarios with which a training store is created, by their names.",
    "enum EmbeddedScenarios {",
    "    /// The documents, each on one line.",
    "    static let documents: [String: String] = [",
]
for path in sorted((here.parent / "Scenarios").glob("*.json")):
    document = json.dumps(json.loads(path.read_text()), separators=(",", ":"), ensure_ascii=False)
    lines.append(f'        "{path.stem}": ##"{document}"##,')
lines += ["    ]", "}", ""]
target.write_text("\n".join(lines))
