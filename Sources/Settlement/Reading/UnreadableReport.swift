/// Why a settlement file was refused: nothing of such a file is used.
package struct UnreadableReport: Error, Hashable, Sendable {
    /// The kind of defect.
    package enum Kind: String, CaseIterable, Sendable {
        /// It is none of the PSP's settlement files.
        case unknownFormat = "settlement.unknown-format"
        /// It is one, and a line or cell of it is not as the format says.
        case malformed = "settlement.malformed"
        /// It contains what no settlement file has and what can harm a reader: a document type, an
        /// entity, a formula, a macro, another encoding.
        case unsafe = "settlement.unsafe"
        /// It exceeds a limit.
        case tooLarge = "settlement.too-large"
    }

    /// The kind of defect, whose raw value is the error's code.
    package let kind: Kind
    /// A description without values of the file, which may be personal.
    package let message: String
    /// Where the defect is: `line 12`, `cell D14`; `nil` when it concerns the whole file.
    package let place: String?

    init(_ kind: Kind, _ message: String, at place: String? = nil) {
        (self.kind, self.message, self.place) = (kind, message, place)
    }

    /// The same defect with its place, unless it already has one.
    func at(_ place: String) -> UnreadableReport {
        UnreadableReport(kind, message, at: self.place ?? place)
    }

    /// The failure for something that exceeds a limit.
    static func limit(_ what: String, _ limit: Int, at place: String? = nil) -> UnreadableReport {
        UnreadableReport(.tooLarge, "\(what): the limit is \(limit)", at: place)
    }
}
