"""Validates documents against the JSON Schemas of a folder: python3 validate_documents.py SCHEMAS

Runs as long as its standard input is open, so that many checks share one start. Reads one check per
line, and answers each with one line, a JSON list of what is wrong, empty when nothing is:

  {"schema": NAME, "text": TEXT}   whether TEXT is a valid document, or has one on every line
  {"schemas": true}                whether the schemas themselves are valid

The first answer comes before any check: an empty list, once all schemas were read. Works with
Debian's jsonschema 4.10 as well as with later ones that resolve through the referencing library.
"""
import json
import pathlib
import sys

import jsonschema


class Validators:
    """The validators of a folder of schemas, each made when it is first needed."""

    def __init__(self, folder):
        self.folder = folder
        paths = [*folder.rglob("*.schema.json"), *folder.glob("events/*.v*.json")]
        self.schemas = [json.loads(path.read_text("utf-8")) for path in sorted(paths)]
        if not self.schemas:
            sys.exit(f"no schemas in {folder}")
        self.made = {}

    def named(self, name):
        """The validator for a schema."""
        if name not in self.made:
            path = self.folder / (name + ".schema.json")
            self.made[name] = self.make(json.loads(path.read_text("utf-8")))
        return self.made[name]

    def make(self, schema):
        """A validator that finds references among the schemas of the folder."""
        try:
            from referencing import Registry, Resource
        except ImportError:
            # The older resolver joins fragments only to kinds of addresses that it was told of.
            import urllib.parse

            if "urn" not in urllib.parse.uses_relative:
                urllib.parse.uses_relative.append("urn")
            resolver = jsonschema.RefResolver.from_schema(
                schema, store={s["$id"]: s for s in self.schemas})
            return jsonschema.Draft202012Validator(schema, resolver=resolver)
        registry = Registry().with_resources(
            [(s["$id"], Resource.from_contents(s)) for s in self.schemas])
        return jsonschema.Draft202012Validator(schema, registry=registry)

    def wrong(self, check):
        """What is wrong with a check's documents, or with the schemas."""
        if "schemas" in check:
            for schema in self.schemas:
                jsonschema.Draft202012Validator.check_schema(schema)
            return []
        text = check["text"]
        try:
            documents = [json.loads(text)]
        except json.JSONDecodeError:
            documents = [json.loads(line) for line in text.splitlines()]
        if not documents:
            return ["no document"]
        validator = self.named(check["schema"])
        return [
            f"{error.json_path} {error.message}"
            for document in documents
            for error in validator.iter_errors(document)
        ]


def main(arguments):
    validators = Validators(pathlib.Path(arguments[0]))
    print("[]", flush=True)
    for line in sys.stdin:
        try:
            answer = validators.wrong(json.loads(line))
        except Exception as error:
            # A check that cannot be made has failed; the next ones can still be made.
            answer = [f"{type(error).__name__} {error}"]
        print(json.dumps(answer), flush=True)


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    main(sys.argv[1:])
