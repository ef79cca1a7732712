import Foundation
import Testing

/// Checks JSON against the project's schemas with a validator in another language.
enum SchemaCheck {
    /// The directory of the schemas.
    static let folder = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().appendingPathComponent("Schemas").resolvingSymlinksInPath()
        .path

    /// Works with jsonschema 4.10, as in Debian 12, and with newer versions.
    private static let script = """
        import json, pathlib, sys
        import jsonschema
        folder = pathlib.Path(sys.argv[1])
        schemas = [json.loads(p.read_text()) for p in sorted([*folder.rglob("*.schema.json"), *folder.glob("events/*.v*.json")])]
        if sys.argv[2] == "--schemas":
            for schema in schemas:
                jsonschema.Draft202012Validator.check_schema(schema)
            sys.exit(0)
        schema = json.loads((folder / (sys.argv[2] + ".schema.json")).read_text())
        try:
            from referencing import Registry, Resource
            registry = Registry().with_resources(
                [(s["$id"], Resource.from_contents(s)) for s in schemas])
            validator = jsonschema.Draft202012Validator(schema, registry=registry)
        except ImportError:
            # The older resolver joins fragments only to kinds of addresses that it was told of.
            import urllib.parse
            urllib.parse.uses_relative.append("urn")
            resolver = jsonschema.RefResolver.from_schema(
                schema, store={s["$id"]: s for s in schemas})
            validator = jsonschema.Draft202012Validator(schema, resolver=resolver)
        bad = 0
        text = sys.stdin.read()
        try:
            documents = [json.loads(text)]
        except json.JSONDecodeError:
            documents = [json.loads(line) for line in text.splitlines()]
        for document in documents:
            for error in validator.iter_errors(document):
                print(error.json_path, error.message)
                bad = 1
        sys.exit(bad)
        """

    /// Expects a text to be a valid document, or to have a valid one on every line.
    static func expect(
        _ text: String,
        fits schema: String,
        in world: World,
        sourceLocation: SourceLocation = #_sourceLocation
    ) async throws {
        let path = try world.write(script, to: "validate.py")
        let result = try await world.tool.shell(
            "python3 \(path) \(folder) \(schema)",
            input: text
        )
        #expect(
            result.status == 0,
            "\(result.output)\(result.diagnostics)",
            sourceLocation: sourceLocation
        )
        #expect(!text.isEmpty, sourceLocation: sourceLocation)
    }
}
