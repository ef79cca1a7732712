internal import Crypto
internal import FoundationEssentials

/// Text from outside, made harmless for the place in a document where it stands.
package enum Markup {
    /// The text for an element's content or for an attribute's value between double quotes.
    ///
    /// Everything that could end the text or the value is a character reference. So are line breaks and tabs,
    /// which a reader of HTML would otherwise change.
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

    /// JSON text for a `<script type="application/json">`: nothing in it can end the element.
    ///
    /// The characters that are replaced only occur within JSON strings, where the escape means the same.
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

    /// Whether a document can carry the text unchanged.
    ///
    /// NUL and most other control characters, and what Unicode reserves, cannot be written in HTML.
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
    /// What stands in a policy to allow a script or a style by what it says, to the letter.
    package static func policySource(allowing text: String) -> String {
        "'sha256-" + Data(SHA256.hash(data: Array(text.utf8))).base64EncodedString() + "'"
    }
}
