internal import EventLog
internal import Inspection

/// What the payer may be told, in their language: the messages of the rules and of the catalogue
/// are English, and each of their sentences has a line in `payer.sv.tsv`.
extension Words {
    private static let swedish = table(in: PackageResources.payer_sv_tsv)

    /// Returns a message for the payer, and the language that it is in: English where a sentence
    /// has no translation, as in a catalogue of the merchant's own.
    func payerMessage(_ english: String) -> (text: String, language: Language) {
        switch language {
        case .english: return (english, .english)
        case .swedish:
            let sentences = Self.sentences(in: english).map { Self.swedish[$0] }
            guard !sentences.isEmpty, sentences.allSatisfy({ $0 != nil }) else {
                return (english, .english)
            }
            return (sentences.compactMap(\.self).joined(separator: " "), .swedish)
        }
    }

    /// The sentences of a message.
    static func sentences(in message: String) -> [String] {
        message.pieces(between: ". ").map { $0.hasSuffix(".") ? String($0) : $0 + "." }
    }

    /// Lines of an English text, a tab and another one.
    private static func table(in file: [UInt8]) -> [String: String] {
        let lines = String(decoding: file, as: UTF8.self).split(whereSeparator: \.isNewline)
        let pairs = lines.compactMap { line -> (String, String)? in
            let parts = line.pieces(between: "\t")
            return parts.count == 2 ? (String(parts[0]), String(parts[1])) : nil
        }
        return Dictionary(pairs) { first, _ in first }
    }
}
