/// The bounds within which an answer of the PSP is read; each has a default.
///
/// A whole answer that goes beyond a count or the depth is not read as a snapshot. A text that is too
/// long costs only the element that it stands in.
public struct AnswerLimits: Hashable, Sendable {
    /// How deep lists and objects may be nested.
    public var depth = 32
    /// How many methods a session may offer.
    public var methods = 100
    /// How many operations an answer may hold, those of methods counted.
    public var operations = 200
    /// How many tasks an operation may have.
    public var tasks = 100
    /// How many values an operation or a task may hand over.
    public var expectations = 100
    /// How many elements any other list may have: numbers, cards, brands, host addresses.
    public var elements = 100
    /// How many transactions or failed attempts of a payment order may be listed.
    public var transactions = 1000
    /// How many bytes a text may have.
    public var textBytes = 64 << 10
    /// How many bytes of an unusable body are kept, sealed.
    public var rawBytes = 16 << 10
    /// How many bytes of unknown members are kept, sealed.
    public var unknownBytes = 64 << 10
    /// The longest wait that an answer may ask for.
    public var retryAfter: Duration = .seconds(24 * 3600)

    /// The defaults, to be changed member by member.
    public init() {}
}

/// Why a body is no snapshot.
package enum SnapshotRefusal: Error, Hashable, Sendable {
    /// It is no JSON.
    case notJSON
    /// It is nested more deeply than ``AnswerLimits/depth``.
    case tooDeep
    /// It is JSON, but no object that holds a payment session.
    case noPaymentSession
    /// It holds more of something than a limit allows; the limit's name.
    case tooMany(String)

    /// Few enough for a log line or a metric label.
    package var code: String {
        switch self {
        case .notJSON: "answer.not-json"
        case .tooDeep: "answer.too-deep"
        case .noPaymentSession: "answer.no-payment-session"
        case .tooMany(let name): "answer.too-many-\(name)"
        }
    }
}
