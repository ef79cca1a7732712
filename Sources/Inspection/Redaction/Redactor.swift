public import EventLog
internal import SwedbankPay

/// Makes the records of one session's log fit to be shown: empties their seals, and of records of the earlier form,
/// without a MAC, masks what looks secret in the text beside them.
///
/// Of a record with a MAC nothing but the seals is taken away, since what may be secret was sealed when it was written: its
/// hash and its MAC can still be checked, and it can be imported and replayed. Records of the earlier form are taken in
/// order, since the masks of one log tell its secrets apart; one without anything to mask keeps its bytes, and the others
/// name what was masked. The same log gives the same redacted log everywhere, and a redacted log gives itself.
public struct Redactor: Sendable {
    /// The numbers of the secrets that were met, by what they are.
    private var numbers: [Secret: Int] = [:]
    private var counts: [Mask.Kind: Int] = [:]

    /// How often a text is looked through; the second time hardly ever finds anything.
    static let maximumRounds = 8

    private struct Secret: Hashable {
        var kind: Mask.Kind
        var plaintext: String
    }

    /// A redactor before the first record of a session.
    public init() {}

    /// The record as it may be shown.
    ///
    /// - Throws: When the record does not read: then nobody knows what stands in it.
    public mutating func redact(
        _ record: StoredRecord
    ) throws(EventDecodingError) -> StoredRecord {
        var redacted = record
        redacted.seals = []
        // Since records have a MAC, what may be secret is sealed when it is recorded.
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

    /// A text with masks in place of its secrets; nothing when there are none.
    mutating func mask(_ text: String, style: Mask.Style) -> String? {
        var scalars = Array(text.unicodeScalars)
        guard scalars.count <= SecretFinder.maximumLength else {
            return mask(.text, of: text, style: style)
        }
        var isChanged = false
        // What a mask stands beside may look otherwise with it: until there is nothing more to find.
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
    /// How many secrets were met; never what they are.
    public var description: String { "a redactor that has met \(numbers.count) secrets" }

    /// Nothing inside: a mirror must not reach the plaintexts.
    public var customMirror: Mirror { Mirror(self, children: []) }
}
