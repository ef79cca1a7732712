import Foundation

// Writes a Swift file with the JSON documents of folders as literals, each on one line.
//
//   embed-text FOLDER|FILE... OUTPUT
//
// A folder `Schemas` becomes `EmbeddedSchemas.documents`, by the documents' paths in the folder
// without `.json` and `.schema.json`; a description `NAME.openapi.json` in it becomes
// `EmbeddedSchemas.NAME`. A file `errors.json` becomes `EmbeddedErrors.document`.

/// Removes the space between the tokens of a JSON document.
func compact(_ json: Data) -> String {
    var kept: [UInt8] = []
    var (isInString, isEscaped) = (false, false)
    for byte in json {
        guard isInString || !" \t\r\n".utf8.contains(byte) else { continue }
        kept.append(byte)
        if byte == UInt8(ascii: "\""), !isEscaped { isInString.toggle() }
        isEscaped = byte == UInt8(ascii: "\\") && !isEscaped
    }
    return String(decoding: kept, as: UTF8.self)
}

/// Puts the schemas to which a description of a service refers into it, and nothing else of their
/// files, so that who reads it needs no other file.
///
/// A schema `cli/list.schema.json` becomes the component `cli.list`, and a definition in it
/// `cli.list.NAME`.
struct Bundle {
    private let folder: URL
    /// The paths of schemas, by their identifiers.
    private var paths: [String: String] = [:]
    private var components: [String: Any] = [:]
    private static let ending = ".schema.json"

    init(of folder: URL) throws {
        self.folder = folder
        for path in try FileManager.default.subpathsOfDirectory(atPath: folder.path)
        where path.hasSuffix(Self.ending) {
            guard let id = try object(at: path)["$id"] as? String else { continue }
            paths[id] = path
        }
    }

    mutating func document(at path: String) throws -> Data {
        guard var whole = try converted(try object(at: path), in: nil) as? [String: Any],
            var parts = whole["components"] as? [String: Any],
            let own = parts["schemas"] as? [String: Any]
        else { throw CocoaError(.fileReadCorruptFile) }
        parts["schemas"] = own.merging(components) { own, _ in own }
        whole["components"] = parts
        return try JSONSerialization.data(
            withJSONObject: whole,
            options: [.sortedKeys, .withoutEscapingSlashes]
        )
    }

    private func object(at path: String) throws -> [String: Any] {
        let data = try Data(contentsOf: folder.appendingPathComponent(path))
        return try JSONSerialization.jsonObject(with: data) as? [String: Any] ?? [:]
    }

    /// The value with references to components instead of files.
    private mutating func converted(_ value: Any, in path: String?) throws -> Any {
        if let list = value as? [Any] { return try list.map { try converted($0, in: path) } }
        guard let members = value as? [String: Any] else { return value }
        var result: [String: Any] = [:]
        for (name, member) in members {
            guard name == "$ref", let reference = member as? String else {
                result[name] = try converted(member, in: path)
                continue
            }
            result[name] = try self.reference(reference, in: path)
        }
        return result
    }

    private mutating func reference(_ text: String, in path: String?) throws -> String {
        let parts = text.split(separator: "#", omittingEmptySubsequences: false).map(String.init)
        guard let file = parts[0].isEmpty ? path : paths[parts[0]] ?? parts[0] else { return text }
        let part = parts.count > 1 ? parts[1] : ""
        let name =
            String(file.dropLast(Self.ending.count)).replacing("/", with: ".")
            + part.replacing("/$defs/", with: ".")
        try add(file, part.replacing("/$defs/", with: ""), as: name)
        return "#/components/schemas/\(name)"
    }

    /// Makes a component of a schema, or of a definition in it.
    private mutating func add(_ path: String, _ definition: String, as name: String) throws {
        guard components[name] == nil else { return }
        // Known before its parts are converted, which may refer to it.
        components[name] = true
        var schema = try object(at: path)
        let definitions = schema.removeValue(forKey: "$defs") as? [String: Any] ?? [:]
        for member in ["$id", "$schema"] { schema[member] = nil }
        let used: Any? = definition.isEmpty ? schema : definitions[definition]
        guard let used else { throw CocoaError(.fileReadCorruptFile) }
        components[name] = try converted(used, in: path)
    }
}

/// Returns an enumeration with the documents of a folder.
func embedded(_ folder: URL) throws -> String {
    var text = "enum Embedded\(folder.lastPathComponent) {\n"
    text += "    static let documents: [String: String] = [\n"
    var descriptions = ""
    for path in try FileManager.default.subpathsOfDirectory(atPath: folder.path).sorted()
    where path.hasSuffix(".json") && path != "merchant-backend.openapi.json" {
        let ending = path.hasSuffix(".schema.json") ? ".schema.json" : ".json"
        let document = compact(try Data(contentsOf: folder.appendingPathComponent(path)))
        precondition(!document.contains("\"##"), "\(path) has the end of a literal")
        if path.hasSuffix(".openapi.json") {
            let name = path.dropLast(".openapi.json".count)
            var bundle = try Bundle(of: folder)
            let whole = compact(try bundle.document(at: path))
            descriptions += "    static let \(name) = ##\"\(whole)\"##\n"
        } else {
            text += "        \"\(path.dropLast(ending.count))\": ##\"\(document)\"##,\n"
        }
    }
    return text + "    ]\n\(descriptions)}\n"
}

/// Returns an enumeration with a document.
func embedded(file: URL) throws -> String {
    let document = compact(try Data(contentsOf: file))
    precondition(!document.contains("\"##"), "\(file.path) has the end of a literal")
    let name = file.deletingPathExtension().lastPathComponent.capitalized
    return "enum Embedded\(name) {\n    static let document = ##\"\(document)\"##\n}\n"
}

let paths = CommandLine.arguments.dropFirst().map { URL(fileURLWithPath: $0) }
let (text, output) = (
    try paths.dropLast().map { path in
        path.pathExtension == "json" ? try embedded(file: path) : try embedded(path)
    }.joined(), paths[paths.count - 1]
)
// Nothing is recompiled when nothing has changed.
if (try? String(contentsOf: output, encoding: .utf8)) != text {
    try Data(text.utf8).write(to: output)
}
