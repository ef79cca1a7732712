internal import Crypto
internal import FoundationEssentials

/// Escapes text from outside for its context in a document.
package enum Markup {
    /// Escapes text for an element's content or for an attribute's value between double quotes.
    ///
    /// Everything that could end the text or the value becomes a character reference. So do line
    /// breaks and tabs, which HTML parsers would otherwise change.
    package static func escaped(_ text: String) -> String {
        var result = ""
        result.reserveCapacity(text.utf8.count)
        for scalar in text.unicodeScalars {
            switch scalar {
            case "&": result += "&amp;"
            case "<": result += "&lt;"
            case ">": result += "&gt;"
            case "\"": result += "&quot;"
            case "'": result += "&#39;"
            case "`": result += "&#96;"
            case "\t", "\n", "\r": result += "&#\(scalar.value);"
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result
    }

    /// Escapes JSON text for a `<script type="application/json">` so that it cannot end the
    /// element.
    ///
    /// The replaced characters occur only within JSON strings, where the escape means the same.
    package static func escaped(json: String) -> String {
        var result = ""
        result.reserveCapacity(json.utf8.count)
        for scalar in json.unicodeScalars {
            switch scalar {
            case "<": result += "\\u003c"
            case ">": result += "\\u003e"
            case "&": result += "\\u0026"
            case "\u{2028}": result += "\\u2028"
            case "\u{2029}": result += "\\u2029"
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result
    }

    /// Whether a document can contain the text unchanged.
    ///
    /// NUL and most other control characters, and Unicode's noncharacters, cannot be written in
    /// HTML.
    package static func canCarry(_ text: String) -> Bool {
        text.unicodeScalars.allSatisfy { scalar in
            switch scalar.value {
            case 0x09, 0x0A, 0x0D: true
            case 0x00..<0x20, 0x7F..<0xA0, 0xFDD0...0xFDEF: false
            default: scalar.value & 0xFFFE != 0xFFFE
            }
        }
    }
}

extension Markup {
    /// The source expression with which a policy permits a script or a style with exactly this
    /// text.
    package static func policySource(allowing text: String) -> String {
        "'sha256-" + Data(SHA256.hash(data: Array(text.utf8))).base64EncodedString() + "'"
    }
}
