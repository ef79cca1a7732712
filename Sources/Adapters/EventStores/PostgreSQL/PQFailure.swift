internal import CPQ
internal import EventLog

/// A failure reported by the server or on the way to it.
package struct PQFailure: Error, Hashable, Sendable {
    /// The kind of failure, as far as it matters to a caller.
    enum Kind: Hashable, Sendable {
        /// There is no connection, and nothing was sent.
        case notConnected
        /// The connection was lost, or timed out: what was sent may have been done.
        case lost
        /// The server refused a statement: its whole transaction had no effect.
        case refused(state: String)
        /// The connection string cannot be parsed.
        case malformed
        /// The server exists, but the connection to it is not trusted.
        case untrusted
    }

    var kind: Kind
    /// The message of the server or libpq, without the connection string.
    var message: String

    init(_ kind: Kind, _ message: String) {
        self.kind = kind
        self.message = message.split(whereSeparator: \.isNewline)
            .map { $0.trimmingPrefix(while: \.isWhitespace) }
            .joined(separator: "; ")
    }

    /// Creates the failure of a failed statement.
    init(result: OpaquePointer) {
        // Fields of the protocol's error message: the SQLSTATE is 'C', the primary message is 'M'.
        let state = PQresultErrorField(result, Int32(UInt8(ascii: "C"))).map { String(cString: $0) }
        let words = PQresultErrorField(result, Int32(UInt8(ascii: "M"))).map { String(cString: $0) }
        self.init(.refused(state: state ?? ""), words ?? "the server gave no reason")
    }

    /// Creates the failure of a connection that could not be opened.
    ///
    /// - Parameters:
    ///   - words: libpq's message in verbose form, in which the server's SQLSTATE precedes its
    ///     message.
    ///   - needsPassword: Whether the server requested a password and there was none.
    init(connecting words: String, needsPassword: Bool) {
        let lines = words.split(whereSeparator: \.isNewline)
            .filter { !$0.hasPrefix("LOCATION:") }
            .map { $0.trimmingPrefix(while: \.isWhitespace) }
            .joined(separator: "; ")
        if let match = lines.firstMatch(of: #/:  ([0-9A-Z]{5}): /#) {
            self.init(
                .refused(state: String(match.1)),
                lines.rewriting("  \(match.1): ", as: " ")
            )
        } else if lines.utf8.contains("session is read-only".utf8)
            || lines.utf8.contains("server is in hot standby mode".utf8)
        {
            // libpq's message when the URL requires a server that accepts writes.
            self.init(.refused(state: "25006"), lines)
        } else if Self.isAboutTrust(lines) {
            self.init(.untrusted, lines)
        } else {
            self.init(needsPassword ? .refused(state: "28P01") : .notConnected, lines)
        }
    }

    /// Whether a message is one that libpq uses only for problems with encryption, a certificate or
    /// a name; it has no codes.
    ///
    /// - Note: Source: PostgreSQL 15, libpq: `fe-connect.c`, `fe-secure-openssl.c`,
    ///   `fe-secure-common.c`.
    private static func isAboutTrust(_ words: String) -> Bool {
        // A server that fails during the handshake is unreachable, not untrusted.
        words.utf8.contains("certificate".utf8) || words.utf8.contains("does not support SSL".utf8)
            || (words.utf8.contains("SSL error:".utf8) && !words.utf8.contains("eof".utf8))
    }

    /// The SQLSTATE of a refusal.
    var state: String? { if case .refused(let state) = kind { state } else { nil } }

    /// Whether the statement can be retried unchanged: a deadlock, a serialization failure.
    var isBadLuck: Bool { ["40001", "40P01"].contains(state) }

    /// Whether the server only allows reads: another one may be the primary now.
    var isOfStandby: Bool { state == "25006" }

    /// Whether the failure concerns one append only, so that the others of the transaction can
    /// proceed: a violated constraint, or a value that the server cannot store, such as a text with
    /// a zero byte.
    var concernsOneAppend: Bool {
        state.map { $0.hasPrefix("23") || $0.hasPrefix("22") || $0.hasPrefix("54") } ?? false
    }

    /// The failure as the port's error.
    ///
    /// - Note: Source: PostgreSQL 15, error codes (appendix A).
    var storeError: EventStoreError {
        if kind == .untrusted { return .untrusted(reason: message) }
        guard case .refused(let state) = kind else {
            return .unavailable(reason: message, code: nil)
        }
        switch state {
        case "3D000": return .noDatabase(reason: message)
        // PgBouncer's message for the same error.
        case "08P01" where message.utf8.contains("no such database".utf8):
            return .noDatabase(reason: message)
        case "25006": return .standby(reason: message)
        case "53100": return .full
        case "53300": return .crowded(reason: message)
        case "42501": return .missingRight(reason: message)
        case "55P03": return .busy
        case "57014": return .timedOut
        case "26000", "42P05":
            return .unavailable(
                reason: "prepared statements are not kept on the connection, as with a pooler in "
                    + "transaction mode; use session mode, or no pooler (\(message))",
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
