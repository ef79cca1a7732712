internal import EventLog

/// A document that is a file of its own, with places that are filled in.
///
/// A place is a name between double braces. What is filled in is not searched for places, so no
/// value can bring one along.
package struct MarkupTemplate: Sendable {
    /// What is written in a place.
    package enum Value: Sendable {
        /// Text, which is escaped; characters that no document can contain become U+FFFD.
        case text(String)
        /// Markup, a script or a style, in which all text from outside is escaped.
        case markup(String)
    }

    private let parts: [Substring]

    /// Reads a template.
    package init(_ file: [UInt8]) {
        parts = String(decoding: file, as: UTF8.self)
            .pieces(between: "{{", omittingEmptySubsequences: false)
    }

    /// Returns the document with a value in each place.
    package func filled(_ values: [String: Value]) -> String {
        var document = parts.first.map(String.init) ?? ""
        for part in parts.dropFirst() {
            guard let end = part.unicodeScalars.firstRange(of: "}}".unicodeScalars),
                let value = values[String(part[..<end.lowerBound])]
            else { preconditionFailure("there is no value for the place {{\(part)") }
            switch value {
            case .text(let text): document += DocumentText.escaped(text)
            case .markup(let markup): document += markup
            }
            document += part[end.upperBound...]
        }
        return document
    }
}
