"""Puts the schemas that an OpenAPI document refers to into it: python3 bundle_openapi.py DOCUMENT

Prints the document that the service serves, as its build makes it (Plugins/embed-text), so that
tools which read one file only can check the document of the source tree.
"""
import json
import pathlib
import sys

ENDING = ".schema.json"


class Bundle:
    """A document and the schemas in its folder, which become components of it.

    A schema `cli/list.schema.json` becomes the component `cli.list`, and a definition in it
    `cli.list.NAME`.
    """

    def __init__(self, path):
        self.path = pathlib.Path(path)
        self.components = {}
        # The paths of schemas, by their identifiers.
        self.paths = {}
        for file in self.path.parent.rglob("*" + ENDING):
            schema = json.loads(file.read_text("utf-8"))
            if "$id" in schema:
                self.paths[schema["$id"]] = str(file.relative_to(self.path.parent))

    def document(self):
        """The whole document."""
        whole = self.converted(json.loads(self.path.read_text("utf-8")), None)
        whole["components"]["schemas"] = {**self.components, **whole["components"]["schemas"]}
        return whole

    def converted(self, value, file):
        """The value with references to components instead of files."""
        if isinstance(value, list):
            return [self.converted(element, file) for element in value]
        if not isinstance(value, dict):
            return value
        return {
            name: self.reference(member, file)
            if name == "$ref" and isinstance(member, str) else self.converted(member, file)
            for name, member in value.items()
        }

    def reference(self, reference, file):
        """A reference in a file as one to a component."""
        target, _, part = reference.partition("#")
        target = self.paths.get(target, target) if target else file
        if target is None:
            return reference
        name = target.removesuffix(ENDING).replace("/", ".") + part.replace("/$defs/", ".")
        self.add(target, part.removeprefix("/$defs/"), name)
        return f"#/components/schemas/{name}"

    def add(self, file, definition, name):
        """Makes a component of a schema, or of a definition in it."""
        if name in self.components:
            return
        # Known before its parts are converted, which may refer to it.
        self.components[name] = True
        schema = json.loads((self.path.parent / file).read_text("utf-8"))
        definitions = schema.pop("$defs", {})
        for member in ("$id", "$schema"):
            schema.pop(member, None)
        schema = definitions[definition] if definition else schema
        self.components[name] = self.converted(schema, file)


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    print(json.dumps(Bundle(sys.argv[1]).document(), indent=2, ensure_ascii=False))
