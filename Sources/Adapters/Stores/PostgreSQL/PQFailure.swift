internal import CPQ
internal import Workflow

/// What the server, or the way to it, answered instead of doing the work.
package struct PQFailure: Error, Hashable, Sendable {
    /// What went wrong, as far as a caller has to know.
    enum Kind: Hashable, Sendable {
        /// There is no connection, and nothing was sent.
        case notConnected
        /// The connection was lost, or gave no answer in time: what was sent may have been done.
        case lost
        /// The server refused a statement: nothing of its transaction was done.
        case refused(state: String)
        /// The connection string can't be read.
        case malformed
    }

    var kind: Kind
    /// The server's or libpq's words, without the connection string.
    var message: String

    init(_ kind: Kind, _ message: String) {
        self.kind = kind
        self.message = message.split(whereSeparator: \.isNewline).joined(separator: "; ")
    }

    /// What a failed statement gave back.
    init(result: OpaquePointer) {
        // The members of the protocol's error message: S SQLSTATE is 'C', the primary words are 'M'.
        let state = PQresultErrorField(result, Int32(UInt8(ascii: "C"))).map { String(cString: $0) }
        let words = PQresultErrorField(result, Int32(UInt8(ascii: "M"))).map { String(cString: $0) }
        self.init(.refused(state: state ?? ""), words ?? "the server gave no reason")
    }

    /// SQLSTATE of a refusal.
    var state: String? { if case .refused(let state) = kind { state } else { nil } }

    /// Whether the statement had bad luck and may be sent again as it is: a deadlock, a serialization failure.
    var isBadLuck: Bool { ["40001", "40P01"].contains(state) }

    /// The failure in the words of the port.
    ///
    /// - Note: Source: PostgreSQL 15, error codes (appendix A).
    var storeError: EventStoreError {
        switch kind {
        case .malformed: return .unavailable(reason: message, code: nil)
        case .notConnected, .lost: return .unavailable(reason: message, code: nil)
        case .refused(let state):
            switch state {
            case "53100": return .full
            case "25006": return .readOnly
            case "55P03", "57014": return .busy
            case _ where state.hasPrefix("53"), _ where state.hasPrefix("57P"),
                _ where state.hasPrefix("08"), _ where state.hasPrefix("28"),
                "42501", "3D000", "40001", "40P01":
                return .unavailable(reason: message, code: nil)
            case "42P01", "42703": return .foreign(reason: message)
            case _ where state.hasPrefix("23"), _ where state.hasPrefix("XX"):
                return .corrupt(stream: nil, sequence: nil, reason: message)
            default: return .unavailable(reason: "\(message) (\(state))", code: nil)
            }
        }
    }
}
