internal import CPQ
internal import EventLog
internal import SwedbankPay

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
        /// There is a server, and no trusted connection to it.
        case untrusted
    }

    var kind: Kind
    /// The server's or libpq's words, without the connection string.
    var message: String

    init(_ kind: Kind, _ message: String) {
        self.kind = kind
        self.message = message.split(whereSeparator: \.isNewline)
            .map { $0.trimmingPrefix(while: \.isWhitespace) }
            .joined(separator: "; ")
    }

    /// What a failed statement gave back.
    init(result: OpaquePointer) {
        // The members of the protocol's error message: S SQLSTATE is 'C', the primary words are 'M'.
        let state = PQresultErrorField(result, Int32(UInt8(ascii: "C"))).map { String(cString: $0) }
        let words = PQresultErrorField(result, Int32(UInt8(ascii: "M"))).map { String(cString: $0) }
        self.init(.refused(state: state ?? ""), words ?? "the server gave no reason")
    }

    /// What libpq says of a connection that could not be made.
    ///
    /// - Parameters:
    ///   - words: In the verbose form, in which the server's SQLSTATE stands before its words.
    ///   - needsPassword: Whether the server wanted a password and there was none.
    init(connecting words: String, needsPassword: Bool) {
        let lines = words.split(whereSeparator: \.isNewline)
            .filter { !$0.hasPrefix("LOCATION:") }
            .map { $0.trimmingPrefix(while: \.isWhitespace) }
            .joined(separator: "; ")
        if let match = lines.firstMatch(of: #/:  ([0-9A-Z]{5}): /#) {
            self.init(
                .refused(state: String(match.1)),
                lines.replacing("  \(match.1): ", with: " ")
            )
        } else if lines.contains("session is read-only")
            || lines.contains("server is in hot standby mode")
        {
            // What libpq says where the URL asks for a server that takes writes.
            self.init(.refused(state: "25006"), lines)
        } else if Self.isAboutTrust(lines) {
            self.init(.untrusted, lines)
        } else {
            self.init(needsPassword ? .refused(state: "28P01") : .notConnected, lines)
        }
    }

    /// What libpq says only where encryption, a certificate or a name is in the way; it gives no codes.
    ///
    /// - Note: Source: PostgreSQL 15, libpq: `fe-connect.c`, `fe-secure-openssl.c`, `fe-secure-common.c`.
    private static func isAboutTrust(_ words: String) -> Bool {
        // A server that dies during the handshake is gone, not untrusted.
        words.contains("certificate") || words.contains("does not support SSL")
            || (words.contains("SSL error:") && !words.contains("eof"))
    }

    /// SQLSTATE of a refusal.
    var state: String? { if case .refused(let state) = kind { state } else { nil } }

    /// Whether the statement had bad luck and may be sent again as it is: a deadlock, a serialization failure.
    var isBadLuck: Bool { ["40001", "40P01"].contains(state) }

    /// Whether the server can only be read: another one may be the one to write to now.
    var isOfStandby: Bool { state == "25006" }

    /// Whether the fault lies in one append, so that the others of the transaction can go on without it: a constraint
    /// that it breaks, or a value that the server can't hold, such as a text with a zero byte.
    var concernsOneAppend: Bool {
        state.map { $0.hasPrefix("23") || $0.hasPrefix("22") || $0.hasPrefix("54") } ?? false
    }

    /// The failure in the words of the port.
    ///
    /// - Note: Source: PostgreSQL 15, error codes (appendix A).
    var storeError: EventStoreError {
        if kind == .untrusted { return .untrusted(reason: message) }
        guard case .refused(let state) = kind else {
            return .unavailable(reason: message, code: nil)
        }
        switch state {
        case "3D000": return .noDatabase(reason: message)
        // PgBouncer's words for the same.
        case "08P01" where message.contains("no such database"):
            return .noDatabase(reason: message)
        case "25006": return .standby(reason: message)
        case "53100": return .full
        case "53300": return .crowded(reason: message)
        case "42501": return .missingRight(reason: message)
        case "55P03", "57014": return .busy
        case "26000", "42P05":
            return .unavailable(
                reason: "what is prepared on a connection is not kept on it, as by a pooler in "
                    + "transaction mode; use its session mode, or none (\(message))",
                code: nil
            )
        case "42P01", "42P07", "42703", "42883": return .foreign(reason: message)
        default: break
        }
        switch state.prefix(2) {
        case "28": return .denied(reason: message)
        case "22", "23", "XX": return .corrupt(stream: nil, sequence: nil, reason: message)
        case "54": return .limit(name: "recordBytes")
        default: return .unavailable(reason: message, code: nil)
        }
    }
}
