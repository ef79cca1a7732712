"""Validates every line of log files against the JSON Schemas: python3 validate_log.py SCHEMAS FILE…

Works with Debian's jsonschema 4.10 as well as with later ones that resolve through the referencing
library. Exits 1 and names, for the lines that don't fit, the path in the line and the rule that it
breaks.
"""
import json
import pathlib
import sys

from jsonschema import Draft202012Validator

# How many lines that don't fit are named.
REPORTED = 1000


def validator(schemas):
    """The validator of a log line; references are looked up among the local files only."""
    paths = [*schemas.rglob("*.schema.json"), *schemas.glob("events/*.v*.json")]
    documents = [json.loads(path.read_text("utf-8")) for path in sorted(paths)]
    for document in documents:
        Draft202012Validator.check_schema(document)
    by_id = {document["$id"]: document for document in documents}
    line = by_id["urn:payment-workflow:schema:log-line"]
    try:
        from referencing import Registry, Resource
    except ImportError:
        from jsonschema import RefResolver

        def refuse(address):
            raise ValueError(f"not a local schema: {address}")

        handlers = {"https": refuse, "http": refuse, "urn": refuse}
        resolver = RefResolver(line["$id"], line, store=by_id, handlers=handlers)
        return Draft202012Validator(line, resolver=resolver)
    resources = [(identity, Resource.from_contents(d)) for identity, d in by_id.items()]
    return Draft202012Validator(line, registry=Registry().with_resources(resources))


def main(arguments):
    checker = validator(pathlib.Path(arguments[0]))
    lines, errors = 0, []
    for path in arguments[1:]:
        with open(path, encoding="utf-8", newline="\n") as log:
            for number, text in enumerate(log, 1):
                lines += 1
                error = next(checker.iter_errors(json.loads(text)), None)
                if error is not None:
                    place = "/".join(map(str, error.absolute_path))
                    errors.append(f"line {number}: {place}: breaks '{error.validator}'")
    if errors:
        sys.exit("\n".join(errors[:REPORTED]))
    print(f"{lines} lines fit the schemas")


if __name__ == "__main__":
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    main(sys.argv[1:])
