public import EventLog
internal import SwedbankPay

/// Redacts the records of one session's log: removes their seals and, in records of the earlier
/// form without a MAC, masks what looks secret in their text.
///
/// In records with a MAC, only the seals are removed, since secret values were sealed when they
/// were written: the hash and the MAC can still be verified, and the record can be imported and
/// replayed. Records of the earlier form must be redacted in order, since the masks of one log
/// number its secrets; a record with nothing to mask keeps its bytes, and the others list what was
/// masked. The result is deterministic, and redacting a redacted log changes nothing.
public struct Redactor: Sendable {
    /// The numbers of the secrets found so far, by kind and value.
    private var numbers: [Secret: Int] = [:]
    private var counts: [Mask.Kind: Int] = [:]

    /// The maximum number of searches of a text; the second one hardly ever finds anything.
    static let maximumRounds = 8

    private struct Secret: Hashable {
        var kind: Mask.Kind
        var plaintext: String
    }

    /// Creates a redactor before the first record of a session.
    public init() {}

    /// Redacts a record.
    ///
    /// - Throws: ``EventDecodingError`` when the record cannot be read: its content is then
    ///   unknown.
    public mutating func redact(
        _ record: StoredRecord
    ) throws(EventDecodingError) -> StoredRecord {
        var redacted = record
        redacted.seals = []
        // Since records have a MAC, secret values are sealed when they are recorded.
        guard record.mac == nil else { return redacted }
        var text = try RecordText(of: record, in: SessionEvent.self)
        var masked = Set(record.masked)
        var isChanged = false
        let members = text.members.sorted { CanonicalOrder.precedes($0.key, $1.key) }
        for (path, style) in members {
            if text.value.change(path, { mask($0, style: style) }) {
                masked.insert(path)
                isChanged = true
            }
        }
        guard isChanged else { return redacted }
        redacted.canonical = try text.value.canonical()
        redacted.masked = masked.sorted { CanonicalOrder.precedes($0, $1) }
        return redacted
    }

    /// A text with its secrets masked; `nil` when it has none.
    mutating func mask(_ text: String, style: Mask.Style) -> String? {
        var scalars = Array(text.unicodeScalars)
        guard scalars.count <= SecretFinder.maximumLength else {
            return mask(.text, of: text, style: style)
        }
        var isChanged = false
        // Text next to a mask may be parsed differently than before, so the search is repeated
        // until it finds no more.
        for _ in 0..<Self.maximumRounds {
            let finder = SecretFinder(scalars, sparing: OutsideText.harmlessAddresses)
            let findings = finder.findings(in: style)
            guard let first = findings.first else { break }
            if style == .word { return mask(first.kind, of: text, style: style) }
            scalars = masked(scalars, findings, style: style)
            isChanged = true
        }
        guard isChanged else { return nil }
        guard scalars.count <= SecretFinder.maximumLength else {
            return mask(.text, of: text, style: style)
        }
        return String(String.UnicodeScalarView(scalars))
    }

    private mutating func masked(
        _ scalars: [Unicode.Scalar],
        _ findings: [SecretFinder.Finding],
        style: Mask.Style
    ) -> [Unicode.Scalar] {
        var result: [Unicode.Scalar] = []
        var place = 0
        for finding in findings {
            result += scalars[place..<finding.range.lowerBound]
            let isInAddress = style == .address || finding.isInAddress
            let secret = SecretFinder.identity(of: scalars[finding.range], kind: finding.kind)
            let mask = mask(finding.kind, of: secret, style: isInAddress ? .address : .text)
            result += mask.unicodeScalars
            place = finding.range.upperBound
        }
        return result + scalars[place...]
    }

    private mutating func mask(
        _ kind: Mask.Kind,
        of plaintext: String,
        style: Mask.Style
    ) -> String {
        let secret = Secret(kind: kind, plaintext: plaintext)
        if let number = numbers[secret] { return Mask.text(kind, number: number, style: style) }
        let number = counts[kind, default: 0] + 1
        counts[kind] = number
        numbers[secret] = number
        return Mask.text(kind, number: number, style: style)
    }
}

extension Redactor: CustomStringConvertible, CustomReflectable {
    /// The number of secrets found, never their values.
    public var description: String { "a redactor that has met \(numbers.count) secrets" }

    /// An empty mirror: it must not expose the plaintexts.
    public var customMirror: Mirror { Mirror(self, children: []) }
}
