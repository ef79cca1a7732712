internal import EventLog

/// The limits for parsing a response of the PSP; each has a default.
///
/// A response that exceeds a count or the depth is not read as a snapshot at all. A text that is
/// too long costs only the element that contains it.
public struct ResponseLimits: Hashable, Sendable {
    /// The maximum nesting depth of lists and objects.
    public var depth = 32
    /// The maximum number of methods that a session offers.
    public var methods = 100
    /// The maximum number of operations in a response, including those of methods.
    public var operations = 200
    /// The maximum number of tasks of an operation.
    public var tasks = 100
    /// The maximum number of expected values of an operation or a task.
    public var expectations = 100
    /// The maximum number of elements of any other list: numbers, cards, brands, host addresses.
    public var elements = 100
    /// The maximum number of transactions or failed attempts of a payment order.
    public var transactions = 1000
    /// The maximum size of a text in bytes.
    public var textBytes = 64 << 10
    /// The number of bytes of an unusable body that are kept, sealed.
    public var rawBytes = 16 << 10
    /// The number of bytes of unknown members that are kept, sealed.
    public var unknownBytes = 64 << 10
    /// The longest delay that a response may request.
    public var retryAfter: Duration = .seconds(24 * 3600)

    /// Creates limits with the defaults; change single members as needed.
    public init() {}
}

/// Why a body is not a snapshot.
package enum SnapshotRefusal: Error, Hashable, Sendable {
    /// The body is not JSON.
    case notJSON
    /// The body is nested more deeply than ``ResponseLimits/depth``.
    case tooDeep
    /// The body is JSON, but not an object with a payment session.
    case noPaymentSession
    /// The body exceeds the limit of this name.
    case tooMany(String)
    /// An amount in it is not a whole number, or too large for an event.
    case number

    /// A short code, from a set small enough for metric labels.
    package var code: String {
        switch self {
        case .notJSON: "answer.not-json"
        case .tooDeep: "answer.too-deep"
        case .noPaymentSession: "answer.no-payment-session"
        case .tooMany(let name): "answer.too-many-\(name)"
        case .number: "answer.number"
        }
    }
}

extension ForeignJSON {
    /// Parses the body of a response; no text in it makes it unreadable.
    ///
    /// - Throws: ``SnapshotRefusal/tooDeep`` or ``SnapshotRefusal/notJSON``.
    init(response body: [UInt8], _ limits: ResponseLimits) throws(SnapshotRefusal) {
        do throws(EventDecodingError) {
            try self.init(parsing: body, maximumDepth: limits.depth, repairsText: true)
        } catch .limit {
            throw .tooDeep
        } catch {
            throw .notJSON
        }
    }
}
