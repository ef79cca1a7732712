/// Why there is no complete answer, and how far the request got.
///
/// Holds no address, header or body: it may be logged.
public struct TransportFailure: Error, Hashable, Sendable, CustomStringConvertible {
    /// How far a request got; this, not the kind, decides whether it may be repeated.
    public enum Reach: String, Hashable, Sendable {
        /// No byte of the request has left.
        case notSent
        /// The request may have arrived; whether it had an effect is unknown.
        case maybeSent
        /// A status came, but the rest of the answer cannot be used.
        case answered
    }

    /// What went wrong.
    @nonexhaustive
    public enum Kind: Hashable, Sendable {
        /// The name has no address.
        case unresolvedHost
        /// The host refuses the connection.
        case connectionRefused
        /// There is no way to the host.
        case unreachable
        /// The proxy refuses or is not there.
        case proxy
        /// There is no trusted connection.
        case tls(TLSReason)
        /// A deadline has passed.
        case timedOut
        /// The connection ended before the answer.
        case reset
        /// The connection ended within the answer.
        case truncated
        /// The answer is no HTTP.
        case malformedAnswer
        /// The body is longer than the request allows.
        case responseTooLarge
        /// The header fields are longer than the configuration allows.
        case headersTooLarge
        /// The peer sends without end, faster than it can be read.
        case endlessAnswer
        /// The task was cancelled.
        case canceled
        /// The address is not one that we call.
        case refusedURL(URLRefusal)
        /// The method, a header field or the body cannot be sent.
        case refusedRequest(String)
        /// Too many requests are waiting.
        case queueFull
        /// The transport has been shut down.
        case shutdown
        /// Anything else; see ``TransportFailure/curlCode``.
        case other
    }

    /// Why a connection is not trusted.
    @nonexhaustive
    public enum TLSReason: String, Hashable, Sendable {
        /// The two sides found no common ground, or the connection broke.
        case handshake
        /// Nobody whom we trust has signed the certificate.
        case untrusted
        /// The certificate is no longer, or not yet, valid.
        case expired
        /// The certificate is for another host.
        case wrongHost
        /// The key is none of the pinned ones.
        case pinMismatch
        /// The file with our own authorities cannot be read.
        case unreadableAuthorities
    }

    /// How far the request got.
    public let reach: Reach
    /// What went wrong.
    public let kind: Kind
    /// libcurl's code; 0 when libcurl was not asked or we stopped it.
    public let curlCode: Int32

    /// A failure with these members.
    public init(reach: Reach, kind: Kind, curlCode: Int32 = 0) {
        self.reach = reach
        self.kind = kind
        self.curlCode = curlCode
    }

    /// Whether the same request may succeed later; says nothing about whether repeating is safe.
    public var isTransient: Bool {
        switch kind {
        case .unresolvedHost, .connectionRefused, .unreachable, .proxy, .timedOut, .reset,
            .truncated, .queueFull, .other, .tls(.handshake):
            true
        case .canceled, .shutdown:
            // Given up by ourselves: what never left is done by whoever goes on.
            reach == .notSent
        case .tls, .malformedAnswer, .responseTooLarge, .headersTooLarge, .endlessAnswer,
            .refusedURL,
            .refusedRequest:
            false
        }
    }

    /// A short code for metrics and messages.
    public var code: String {
        switch kind {
        case .unresolvedHost: "http.unresolved"
        case .connectionRefused: "http.refused"
        case .unreachable: "http.unreachable"
        case .proxy: "http.proxy"
        case .tls: "http.tls"
        case .timedOut: "http.timeout"
        case .reset: "http.reset"
        case .truncated: "http.truncated"
        case .malformedAnswer: "http.malformed"
        case .responseTooLarge, .headersTooLarge, .endlessAnswer: "http.too-large"
        case .canceled: "http.canceled"
        case .refusedURL: "http.refused-url"
        case .refusedRequest: "http.refused-request"
        case .queueFull: "http.queue-full"
        case .shutdown: "http.shutdown"
        case .other: "http.failed"
        }
    }

    /// Code, reason and reach, without anything of the request.
    public var description: String {
        let reason =
            switch kind {
            case .tls(let reason): " (\(reason.rawValue))"
            case .refusedURL(let reason): " (\(reason.rawValue))"
            case .refusedRequest(let reason): " (\(reason))"
            default: ""
            }
        let lower = curlCode == 0 ? "" : ", curl \(curlCode)"
        return "\(code)\(reason), \(reach.rawValue)\(lower)"
    }
}

/// Why an address is not called.
@nonexhaustive
public enum URLRefusal: String, Error, Hashable, Sendable {
    /// It does not read as an absolute address.
    case malformed
    /// It is longer than ``RequestURL/maximumLength``.
    case tooLong
    /// It holds a control character, a space, a backslash or anything beyond ASCII.
    case forbiddenCharacter
    /// It holds a user name or a password.
    case credentials
    /// It holds a fragment.
    case fragment
    /// It is neither https nor permitted http.
    case scheme
    /// The host is none of the permitted ones.
    case host
    /// The host is permitted, with another port.
    case port
}
