/// A deliberate fault in one order's session.
///
/// A fault waits for requests of one operation and then disturbs the selected ones. Requests are
/// counted from the time when the fault was installed.
public struct Fault: Sendable, Equatable {
    /// Which of the matching requests are disturbed.
    public enum Requests: Sendable, Equatable {
        /// All of them.
        case every
        /// Only this request, counted from 1.
        case nth(Int)
        /// This many requests from the beginning.
        case first(Int)

        func includes(_ number: Int) -> Bool {
            switch self {
            case .every: true
            case .nth(let wanted): number == wanted
            case .first(let count): number <= count
            }
        }
    }

    /// The kinds of faults.
    public enum Kind: Sendable, Equatable {
        /// The response has this HTTP status and a problem document, and `Retry-After` in seconds
        /// if given.
        case status(Int, problemType: String? = nil, retryAfterSeconds: Int? = nil)
        /// The response is delayed.
        case delay(Duration)
        /// The connection ends with a TCP reset, without a response.
        case reset
        /// There is no response; the connection stays open up to the sandbox's limit.
        case hang
        /// Status 200 without a body.
        case empty
        /// Status 204.
        case noContent
        /// Status 200 and text that is not JSON.
        case garbage
        /// Status 200 and a page of HTML.
        case html
        /// Status 200 and members with wrong JSON types.
        case wrongTypes
        /// The correct response, but with a number instead of each of these members, such as
        /// `paymentSession.urls`.
        case wrongMembers([String])
        /// The correct response, but about another order: these members are another order's.
        case foreign(Set<ForeignMember>)
        /// The correct response, and another party acts on the order: before it, so that the
        /// response shows it, or right after.
        case act(Act, isFirst: Bool)
        /// Status 200 and a JSON array instead of an object.
        case array
        /// Status 200 and a body of at least this many bytes, streamed.
        case huge(bytes: Int)
        /// The correct response with members that occur twice.
        case duplicateMembers
        /// The correct response with unknown members, including deeply nested ones.
        case unknownMembers
        /// The correct response with an additional, unknown operation that is marked `next`.
        case unknownNext
    }

    /// The `rel` of the operation to disturb, `session` for reading the session by its URL, or `*`.
    public var rel: String
    /// Which requests are disturbed.
    public var requests: Requests
    /// The kind of fault.
    public var kind: Kind
    /// Whether the operation takes effect before the fault.
    ///
    /// This applies to ``Kind/status(_:problemType:retryAfterSeconds:)``, ``Kind/delay(_:)``,
    /// ``Kind/reset`` and ``Kind/hang``; with the other kinds the operation always takes effect.
    public var takesEffect: Bool
    /// When the operation takes effect although its sender received an error, or no response; `nil`
    /// means never.
    ///
    /// This applies to ``Kind/status(_:problemType:retryAfterSeconds:)``, ``Kind/reset`` and
    /// ``Kind/hang``, and overrides ``takesEffect`` there.
    public var lateEffect: LateEffect?

    /// Creates a fault.
    public init(
        rel: String,
        requests: Requests = .nth(1),
        kind: Kind,
        takesEffect: Bool = false,
        lateEffect: LateEffect? = nil
    ) {
        self.rel = rel
        self.requests = requests
        self.kind = kind
        self.takesEffect = takesEffect
        self.lateEffect = lateEffect
    }

    /// Whether the operation takes effect although the response is disturbed.
    var isCarriedOut: Bool {
        switch kind {
        case .status, .delay, .reset, .hang: takesEffect && lateEffect == nil
        case .empty, .noContent, .garbage, .html, .wrongTypes, .wrongMembers, .foreign, .act,
            .array, .huge, .duplicateMembers, .unknownMembers, .unknownNext:
            true
        }
    }

    /// The name in the ledger.
    var label: String {
        let word =
            switch kind {
            case .status(let status, _, _): "status-\(status)"
            case .delay: "delay"
            case .reset: "reset"
            case .hang: "hang"
            case .empty: "empty"
            case .noContent: "no-content"
            case .garbage: "garbage"
            case .html: "html"
            case .wrongTypes, .wrongMembers: "wrong-types"
            case .foreign: "foreign"
            case .act(let act, _): "act-" + act.name
            case .array: "array"
            case .huge: "huge"
            case .duplicateMembers: "duplicate-members"
            case .unknownMembers: "unknown-members"
            case .unknownNext: "unknown-next"
            }
        return word + (isCarriedOut ? "-after-processing" : "-before-processing")
    }
}
