/// Something that goes wrong on purpose in one order's session.
///
/// A fault waits for calls of one operation and then disturbs the chosen ones. Calls are counted from
/// the moment when the fault was installed.
public struct Fault: Sendable, Equatable {
    /// Which of the matching calls are disturbed.
    public enum Calls: Sendable, Equatable {
        /// All of them.
        case every
        /// Only this one, counted from 1.
        case nth(Int)
        /// As many from the beginning.
        case first(Int)

        func includes(_ call: Int) -> Bool {
            switch self {
            case .every: true
            case .nth(let wanted): call == wanted
            case .first(let count): call <= count
            }
        }
    }

    /// What goes wrong.
    public enum Kind: Sendable, Equatable {
        /// The answer is this HTTP status with a problem document, and `Retry-After` in seconds when given.
        case status(Int, problemType: String? = nil, retryAfterSeconds: Int? = nil)
        /// The answer comes late.
        case delay(Duration)
        /// The connection dies by a TCP reset, without an answer.
        case reset
        /// No answer comes; the connection stays open up to the sandbox's limit.
        case hang
        /// Status 200 without a body.
        case empty
        /// Status 204.
        case noContent
        /// Status 200 and text that is not JSON.
        case garbage
        /// Status 200 and a page of HTML.
        case html
        /// Status 200 and members of the wrong JSON types.
        case wrongTypes
        /// The right answer, but with a number instead of each of these members, such as `paymentSession.urls`.
        case wrongMembers([String])
        /// The right answer, but telling of another order: these members are somebody else's.
        case foreign(Set<ForeignMember>)
        /// The right answer, and somebody else acts on the order: first, so that the answer shows it, or right after.
        case act(Act, isFirst: Bool)
        /// Status 200 and a JSON array instead of an object.
        case array
        /// Status 200 and a body of at least this many bytes, streamed.
        case huge(bytes: Int)
        /// The right answer with members that occur twice.
        case duplicateMembers
        /// The right answer with members nobody has heard of, deeply nested ones too.
        case unknownMembers
        /// The right answer plus an unknown operation that is marked `next`.
        case unknownNext
    }

    /// The `rel` of the operation to disturb, `session` for reading the session by its URL, or `*`.
    public var rel: String
    /// Which calls are disturbed.
    public var calls: Calls
    /// What goes wrong.
    public var kind: Kind
    /// Whether the operation is carried out before things go wrong.
    ///
    /// Counts for ``Kind/status(_:problemType:retryAfterSeconds:)``, ``Kind/delay(_:)``,
    /// ``Kind/reset`` and ``Kind/hang``; with the other kinds the operation is always carried out.
    public var takesEffect: Bool
    /// When the operation is carried out although its sender was told of a failure, or nothing; nil means never.
    ///
    /// Counts for ``Kind/status(_:problemType:retryAfterSeconds:)``, ``Kind/reset`` and ``Kind/hang``, where ``takesEffect``
    /// does not count then.
    public var lateEffect: LateEffect?

    /// Describes a fault.
    public init(
        rel: String,
        calls: Calls = .nth(1),
        kind: Kind,
        takesEffect: Bool = false,
        lateEffect: LateEffect? = nil
    ) {
        self.rel = rel
        self.calls = calls
        self.kind = kind
        self.takesEffect = takesEffect
        self.lateEffect = lateEffect
    }

    /// Whether the operation is carried out although the answer is disturbed.
    var isCarriedOut: Bool {
        switch kind {
        case .status, .delay, .reset, .hang: takesEffect && lateEffect == nil
        case .empty, .noContent, .garbage, .html, .wrongTypes, .wrongMembers, .foreign, .act,
            .array, .huge, .duplicateMembers, .unknownMembers, .unknownNext:
            true
        }
    }

    /// The word for the ledger.
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
