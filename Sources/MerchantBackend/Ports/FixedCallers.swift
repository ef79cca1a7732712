public import HTTPTypes

/// A fixed set of callers, each with a token in `Authorization: Bearer …`: for sandboxes.
public struct FixedCallers: CallerAuthentication {
    private let callers: [String: String]

    /// Creates callers keyed by their tokens; an empty token is ignored.
    public init(_ callers: [String: String]) {
        self.callers = callers.filter { !$0.key.isEmpty }
    }

    /// Compares the request's token with each known one.
    public func decide(on request: HTTPRequest) async throws -> CallerDecision {
        let scheme = "Bearer "
        guard let value = request.headerFields[.authorization], value.hasPrefix(scheme) else {
            return .refused
        }
        let given = String(value.dropFirst(scheme.count))
        let known = callers.first { RandomName.isSame($0.key, given) }
        return known.map { .caller(Caller(id: $0.value)) } ?? .refused
    }
}

/// A fixed set of payer references that belong to callers: for sandboxes.
public struct FixedPayers: PayerOwnership {
    private let references: [String: Set<String>]

    /// Creates references keyed by the callers' identifiers.
    public init(_ references: [String: Set<String>]) { self.references = references }

    /// Whether the reference is in the caller's set.
    public func isOwn(payerReference: String, of caller: Caller) async throws -> Bool {
        references[caller.id]?.contains(payerReference) ?? false
    }
}

extension FixedCallers: CustomStringConvertible, CustomReflectable {
    /// The number of callers; never their tokens.
    public var description: String { "\(callers.count) callers" }

    /// An empty mirror.
    public var customMirror: Mirror { Mirror(self, children: []) }
}
