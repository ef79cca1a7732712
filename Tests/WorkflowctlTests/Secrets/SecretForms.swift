import Foundation

/// The encodings in which a secret may occur.
enum SecretForms {
    /// Shorter secrets occur by chance, in particular in base64.
    static let shortest = 8

    /// Returns a secret in the clear and in every searched encoding; empty for one that is too
    /// short.
    static func all(of secret: String) -> Set<String> {
        guard secret.utf8.count >= shortest else { return [] }
        let bytes = Array(secret.utf8)
        let escaped = jsonEscaped(secret)
        return Set(
            [
                secret, hexadecimal(bytes), hexadecimal(bytes).uppercased(), escaped,
                jsonEscaped(escaped),
                escaped.replacing("/", with: "\\/"),
                escapedBeyondASCII(escaped, isUppercase: false),
                escapedBeyondASCII(escaped, isUppercase: true), markupEscaped(secret),
            ] + percentEncoded(bytes) + base64(bytes)
        ).subtracting([""])
    }

    private static func hexadecimal(_ bytes: [UInt8]) -> String {
        bytes.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
    }

    /// Returns the part that is certain in base64, at any offset within other bytes, in both
    /// alphabets.
    private static func base64(_ bytes: [UInt8]) -> [String] {
        (0..<3).flatMap { before -> [String] in
            let whole = Data([UInt8](repeating: 0, count: before) + bytes).base64EncodedString()
            // The first characters also depend on what precedes, and the last one on what follows.
            let characters = (before + bytes.count) * 8 / 6
            let text = String(whole.prefix(characters).dropFirst([0, 2, 3][before]))
            return [text, text.replacing("+", with: "-").replacing("/", with: "_")]
        }
    }

    /// Returns the text with everything but letters, digits and four marks encoded; the same with a
    /// plus for a space; and with everything encoded.
    private static func percentEncoded(_ bytes: [UInt8]) -> [String] {
        let all = bytes.map { "%" + hexadecimal([$0]) }
        let some = zip(bytes, all).map { byte, code in
            isUnreserved(byte) ? String(UnicodeScalar(byte)) : code
        }
        return [all, some, some.map { $0 == "%20" ? "+" : $0 }].flatMap { codes in
            [codes.joined(), codes.map { $0.hasPrefix("%") ? $0.uppercased() : $0 }.joined()]
        }
    }

    private static func isUnreserved(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
        default: "-._~".utf8.contains(byte)
        }
    }

    private static func jsonEscaped(_ text: String) -> String {
        text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"")
            .replacing("\n", with: "\\n").replacing("\t", with: "\\t")
    }

    private static func escapedBeyondASCII(_ text: String, isUppercase: Bool) -> String {
        text.utf16.map { unit in
            guard unit > 0x7E else { return String(UnicodeScalar(UInt8(unit))) }
            let digits = hexadecimal([UInt8(unit >> 8), UInt8(unit & 0xFF)])
            return "\\u" + (isUppercase ? digits.uppercased() : digits)
        }.joined()
    }

    private static func markupEscaped(_ text: String) -> String {
        text.replacing("&", with: "&amp;").replacing("\"", with: "&quot;")
            .replacing("<", with: "&lt;").replacing(">", with: "&gt;")
    }
}

/// Searches files for secrets.
struct SecretSearch {
    /// The texts to search for, and the secret that each encodes.
    private let secrets: [String: String]

    /// Creates a search for texts in all encodings.
    ///
    /// - Parameter secrets: The texts; of a text with several lines, each line is searched for.
    init(_ secrets: some Sequence<String>) {
        var forms: [String: String] = [:]
        for secret in secrets {
            for line in secret.split(whereSeparator: \.isNewline).map(String.init) {
                for form in SecretForms.all(of: line) { forms[form] = line }
            }
        }
        self.secrets = forms
    }

    /// The number of texts.
    var count: Int { secrets.count }

    /// An occurrence of a secret.
    struct Hit: CustomStringConvertible {
        var place: String
        var secret: String
        var form: String

        var description: String { "\(place): \(secret), as \(form)" }
    }

    /// Searches all files below a directory.
    ///
    /// - Parameter folder: The path; it must not contain the files of the search itself.
    /// - Returns: Every occurrence of a secret.
    /// - Throws: An error when the search cannot be performed.
    func hits(below folder: String) throws -> [Hit] {
        let patterns = NSTemporaryDirectory() + "patterns-\(UUID().uuidString)"
        try Data(secrets.keys.sorted().joined(separator: "\n").utf8)
            .write(to: URL(fileURLWithPath: patterns))
        defer { try? FileManager.default.removeItem(atPath: patterns) }
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/bin/grep")
        process.arguments = [
            "--recursive", "--text", "--only-matching", "--fixed-strings", "-f", patterns, folder,
        ]
        process.environment = ["LC_ALL": "C"]
        let output = Pipe()
        process.standardOutput = output
        process.standardError = FileHandle.nullDevice
        try process.run()
        let told = try output.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        guard process.terminationStatus < 2 else { throw CocoaError(.fileReadUnknown) }
        return told.split(separator: 0x0A).map { line in
            let text = String(decoding: line, as: UTF8.self)
            let place = text.prefix { $0 != ":" }
            let form = String(text.dropFirst(place.count + 1))
            return Hit(
                place: String(place.dropFirst(folder.count)),
                secret: secrets[form] ?? "?",
                form: form
            )
        }
    }
}
