"""Validates exchanges against an OpenAPI 3.1 document: python3 validate_openapi.py DOCUMENT

Prints `ready`, then reads one exchange per line from standard input and prints one line for each:
`ok`, or what does not fit.

  {"method": M, "path": P, "status": N, "headers": {NAME: VALUE}, "body": TEXT,
   "request": TEXT, "requestType": TYPE}

`path` is below the root of the document's server. The request's body is validated if the response
says that it was valid. Works with Debian's jsonschema 4.10 as well as with later ones.
"""
import json
import pathlib
import re
import sys

from jsonschema import Draft202012Validator


class Misfit(Exception):
    """What does not fit."""


class Contract:
    """An OpenAPI document, as far as exchanges are checked against it."""

    def __init__(self, path):
        self.document = json.loads(pathlib.Path(path).read_text("utf-8"))
        self.base = "http://contract/document"
        # The project's schemas, to which a document refers by their paths beside it. All references
        # in them are made absolute, since not every validator reads relative ones in a URN.
        folder = pathlib.Path(path).parent
        found = {str(file.relative_to(folder)): json.loads(file.read_text("utf-8"))
                 for file in folder.rglob("*.schema.json")}
        self.places = {schema.pop("$id"): name for name, schema in found.items()}
        self.served = {self.place(name): self.absolute(schema, name) for name, schema in found.items()}
        for reference in self.references(self.document):
            self.resolve({"$ref": reference})
        for schema in self.schemas(self.document):
            Draft202012Validator.check_schema(schema)
        self.paths = []
        for template, item in self.document["paths"].items():
            pattern = "".join(
                "[^/]+" if part.startswith("{") else re.escape(part)
                for part in re.split(r"(\{[^}]+\})", template)
            )
            self.paths.append((re.compile(pattern + r"\Z"), template, item))

    def references(self, value):
        """Every `$ref` in the document."""
        if isinstance(value, dict):
            if isinstance(value.get("$ref"), str):
                yield value["$ref"]
            for member in value.values():
                yield from self.references(member)
        elif isinstance(value, list):
            for element in value:
                yield from self.references(element)

    def schemas(self, value):
        """Every schema in the document."""
        if isinstance(value, dict):
            if isinstance(value.get("schema"), dict):
                yield value["schema"]
            for name, member in value.items():
                if name == "schemas":
                    yield from member.values()
                yield from self.schemas(member)
        elif isinstance(value, list):
            for element in value:
                yield from self.schemas(element)

    def resolve(self, value):
        """What a reference within the document leads to; anything else as it is."""
        while isinstance(value, dict) and "$ref" in value:
            file = value["$ref"].split("#")[0]
            if file:
                if self.place(file) not in self.served:
                    raise Misfit(f"{value['$ref']} leads out of the document")
                return self.served[self.place(file)]
            place = self.document
            if not value["$ref"].startswith("#/"):
                raise Misfit(f"{value['$ref']} leads out of the document")
            for part in value["$ref"][2:].split("/"):
                place = place[part.replace("~1", "/").replace("~0", "~")]
            value = place
        return value

    def place(self, name):
        """The address of a file beside the document."""
        return f"http://contract/{name}"

    def absolute(self, value, file=None):
        """The schema with references that a validator finds from anywhere."""
        if isinstance(value, dict):
            return {
                name: self.reference(member, file) if name == "$ref" else self.absolute(member, file)
                for name, member in value.items()
            }
        return [self.absolute(element, file) for element in value] if isinstance(value, list) else value

    def reference(self, reference, file):
        """A reference in a file, or in the document, as an address."""
        name, mark, part = reference.partition("#")
        if name:
            place = self.place(self.places.get(name, name))
        else:
            place = self.place(file) if file else self.base
        return place + mark + part

    def check(self, schema, value, what):
        """Validates a value."""
        whole = dict(self.absolute(self.document), **{"$id": self.base})
        try:
            from referencing import Registry, Resource
            from referencing.jsonschema import DRAFT202012

            resource = Resource(contents=whole, specification=DRAFT202012)
            registry = Registry().with_resource(self.base, resource).with_resources(
                (uri, Resource(contents=served, specification=DRAFT202012))
                for uri, served in self.served.items())
            validator = Draft202012Validator(self.absolute(schema), registry=registry)
        except ImportError:
            from jsonschema import RefResolver

            validator = Draft202012Validator(
                self.absolute(schema), resolver=RefResolver(self.base, whole, store={self.base: whole, **self.served}))
        error = next(validator.iter_errors(value), None)
        if error is not None:
            place = "/".join(map(str, error.absolute_path))
            raise Misfit(f"{what} at '{place}': {error.message[:300]}")

    def exchange(self, exchange):
        """Checks one exchange."""
        path, method, status = exchange["path"], exchange["method"].lower(), str(exchange["status"])
        fitting = [item for pattern, _, item in self.paths if pattern.match(path)]
        item = next((item for item in fitting if method in item), None)
        if item is None:
            if status not in ("404", "405"):
                raise Misfit(f"{status} at an address that the document does not know")
            self.check({"$ref": "#/components/schemas/Problem"}, json.loads(exchange["body"]), "problem")
            return
        responses = item[method]["responses"]
        response = self.resolve(responses.get(status) or responses.get(status[0] + "XX")
                                or responses.get("default"))
        if response is None:
            raise Misfit(f"status {status} is not in the document")
        headers = {name.lower(): value for name, value in exchange["headers"].items()}
        for name, header in response.get("headers", {}).items():
            header = self.resolve(header)
            if name.lower() in headers:
                self.check(header["schema"], headers[name.lower()], f"header {name}")
            elif header.get("required"):
                raise Misfit(f"header {name} is missing")
        content = response.get("content", {})
        kind = headers.get("content-type", "").split(";")[0]
        if not content and exchange["body"]:
            raise Misfit("there is a body, where none belongs")
        if content:
            if kind not in content:
                raise Misfit(f"'{kind}' is not in the document for {status}")
            value = json.loads(exchange["body"]) if kind.endswith(("/json", "+json")) else exchange["body"]
            self.check(content[kind]["schema"], value, "body")
        asked = self.resolve(item[method].get("requestBody", {})).get("content", {})
        if status.startswith("2") and "application/json" in asked:
            self.check(asked["application/json"]["schema"], json.loads(exchange["request"] or "{}"), "request")


def main(arguments):
    contract = Contract(arguments[0])
    print("ready", flush=True)
    for line in sys.stdin:
        try:
            contract.exchange(json.loads(line))
            print("ok", flush=True)
        except Misfit as misfit:
            print(str(misfit).replace("\n", " "), flush=True)
        except (ValueError, KeyError) as error:
            print(f"unreadable: {type(error).__name__} {error}".replace("\n", " "), flush=True)


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    main(sys.argv[1:])
