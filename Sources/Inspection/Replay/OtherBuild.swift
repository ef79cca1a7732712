package import EventLog
internal import SwedbankPay
internal import Workflow

/// Another build's result for a log.
package struct OtherBuild: Sendable {
    /// A decision that differs from the log.
    struct Decision: Hashable, Sendable {
        var sequence: SequenceNumber
        /// The type of the decided event; `nil` for none.
        var type: String?
        /// The description of the event by the other build.
        var words: String?
        /// The code of its rejection.
        var rejection: String?
        /// The members with different values in an event of the same type.
        var changes: JSONValue?
    }

    /// The other build's version.
    let version: String
    /// Its first decision that differs from the log; `nil` when there is none.
    let decision: Decision?

    /// Reads the document of another build's `replay --check`; `nil` when it is not such a
    /// document.
    ///
    /// - Parameters:
    ///   - version: The other build's version.
    ///   - response: The document.
    package init?(version: String, saying response: JSONValue) {
        self.version = version
        switch response["agrees"] {
        case .bool(true)?: decision = nil
        case .bool(false)?:
            guard let divergence = response["divergence"],
                case .integer(let sequence)? = divergence["seq"]
            else { return nil }
            decision = Decision(
                sequence: SequenceNumber(rawValue: sequence),
                type: Self.string(divergence["decided"]?["type"]),
                words: Self.string(divergence["decided"]?["words"]),
                rejection: Self.string(divergence["rejection"]),
                changes: divergence["changes"]
            )
        default: return nil
        }
    }

    private static func string(_ value: JSONValue?) -> String? {
        guard case .string(let text)? = value else { return nil }
        return Screen.safe(Screen.cut(text, to: 500))
    }
}
