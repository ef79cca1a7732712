import Foundation

// Writes a Swift file with the JSON documents of folders as literals, each on one line.
//
//   embed-text FOLDER... OUTPUT
//
// A folder `Schemas` becomes `EmbeddedSchemas.documents`, by the documents' paths in the folder
// without `.json` and `.schema.json`.

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

/// Returns an enumeration with the documents of a folder.
func embedded(_ folder: URL) throws -> String {
    var text = "enum Embedded\(folder.lastPathComponent) {\n"
    text += "    static let documents: [String: String] = [\n"
    for path in try FileManager.default.subpathsOfDirectory(atPath: folder.path).sorted()
    where path.hasSuffix(".json") && !path.hasSuffix(".openapi.json") {
        let ending = path.hasSuffix(".schema.json") ? ".schema.json" : ".json"
        let document = compact(try Data(contentsOf: folder.appendingPathComponent(path)))
        precondition(!document.contains("\"##"), "\(path) has the end of a literal")
        text += "        \"\(path.dropLast(ending.count))\": ##\"\(document)\"##,\n"
    }
    return text + "    ]\n}\n"
}

let paths = CommandLine.arguments.dropFirst().map { URL(fileURLWithPath: $0) }
let (text, output) = (try paths.dropLast().map(embedded).joined(), paths[paths.count - 1])
// Nothing is recompiled when nothing has changed.
if (try? String(contentsOf: output, encoding: .utf8)) != text {
    try Data(text.utf8).write(to: output)
}
