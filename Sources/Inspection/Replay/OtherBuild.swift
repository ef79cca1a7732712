package import EventLog
internal import SwedbankPay
internal import Workflow

/// What another build of the program says of a log.
package struct OtherBuild: Sendable {
    /// A decision that it takes otherwise than the log has it.
    struct Decision: Hashable, Sendable {
        var sequence: Int64
        /// The type of event that it wants; nothing when it wants none.
        var type: String?
        /// The same in words, as it says it.
        var words: String?
        /// The code of its refusal.
        var rejection: String?
        /// What it would write otherwise in an event of the same type.
        var changes: JSONValue?
    }

    /// How it calls itself.
    let version: String
    /// Where it first parts from the log; nothing when it takes all decisions alike.
    let decision: Decision?

    /// What a build says in the document of `replay --check`; nil when that is no answer.
    ///
    /// - Parameters:
    ///   - version: How it calls itself.
    ///   - answer: The document.
    package init?(version: String, saying answer: JSONValue) {
        self.version = version
        switch answer["agrees"] {
        case .bool(true)?: decision = nil
        case .bool(false)?:
            guard let divergence = answer["divergence"],
                case .integer(let sequence)? = divergence["seq"]
            else { return nil }
            decision = Decision(
                sequence: sequence,
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
