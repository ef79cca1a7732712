public import HTTPTypes

/// Callers that are known from the beginning, each by a token in `Authorization: Bearer …`: for sandboxes.
public struct FixedCallers: CallerAuthentication {
    private let callers: [String: String]

    /// Callers by their tokens; an empty token lets nobody in.
    public init(_ callers: [String: String]) {
        self.callers = callers.filter { !$0.key.isEmpty }
    }

    /// Compares the request's token with each.
    public func decide(on request: HTTPTypes.HTTPRequest) async throws -> CallerDecision {
        let scheme = "Bearer "
        guard let value = request.headerFields[.authorization], value.hasPrefix(scheme) else {
            return .refused
        }
        let given = String(value.dropFirst(scheme.count))
        let known = callers.first { RandomName.isSame($0.key, given) }
        return known.map { .caller(Caller(id: $0.value)) } ?? .refused
    }
}

/// Payers' references that belong to callers from the beginning: for sandboxes.
public struct FixedPayers: PayerOwnership {
    private let references: [String: Set<String>]

    /// References by the callers' ids.
    public init(_ references: [String: Set<String>]) { self.references = references }

    /// Looks it up.
    public func isOwn(payerReference: String, of caller: Caller) async throws -> Bool {
        references[caller.id]?.contains(payerReference) ?? false
    }
}

extension FixedCallers: CustomStringConvertible, CustomReflectable {
    /// How many; never their tokens.
    public var description: String { "\(callers.count) callers" }

    /// Nothing inside.
    public var customMirror: Mirror { Mirror(self, children: []) }
}
