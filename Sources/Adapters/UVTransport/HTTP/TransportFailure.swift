/// Why there is no complete response, and how far the request got.
///
/// It holds no address, header or body, so it may be logged.
public struct TransportFailure: Error, Hashable, Sendable, CustomStringConvertible {
    /// How far a request got; this, not the kind, decides whether it may be repeated.
    public enum Reach: String, Hashable, Sendable {
        /// No byte of the request was sent.
        case notSent
        /// The request may have arrived; whether it had an effect is unknown.
        case maybeSent
        /// A status was received, but the rest of the response is unusable.
        case responded = "answered"
    }

    /// The kind of failure.
    @nonexhaustive
    public enum Kind: Hashable, Sendable {
        /// The name could not be resolved.
        case unresolvedHost
        /// The host refused the connection.
        case connectionRefused
        /// The host is unreachable.
        case unreachable
        /// The proxy refused or could not be reached.
        case proxy
        /// No trusted connection could be made.
        case tls(TLSReason)
        /// A deadline passed.
        case timedOut
        /// The connection ended before the response.
        case reset
        /// The connection ended within the response.
        case truncated
        /// The response is not valid HTTP.
        case malformedResponse
        /// The body is larger than the request allows.
        case responseTooLarge
        /// The header fields are larger than the configuration allows.
        case headersTooLarge
        /// The peer sends without end, faster than it can be read.
        case endlessResponse
        /// The task was canceled.
        case canceled
        /// The address is not permitted.
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
        /// The TLS handshake failed, or the connection broke during it.
        case handshake
        /// No trusted authority has signed the certificate.
        case untrusted
        /// The certificate is expired or not yet valid.
        case expired
        /// The certificate is for another host.
        case wrongHost
        /// The key is not among the pinned ones.
        case pinMismatch
        /// The configured authorities file cannot be read.
        case unreadableAuthorities

        /// The code, which the log of a session keeps: it says who has to act.
        var code: String {
            switch self {
            case .handshake: "http.tls"
            case .untrusted: "http.tls-untrusted"
            case .expired: "http.tls-expired"
            case .wrongHost: "http.tls-wrong-host"
            case .pinMismatch: "http.tls-pin"
            case .unreadableAuthorities: "http.tls-authorities"
            }
        }
    }

    /// How far the request got.
    public let reach: Reach
    /// The kind of failure.
    public let kind: Kind
    /// libcurl's code; 0 when libcurl was not involved or this side stopped the transfer.
    public let curlCode: Int32

    /// Creates a failure with these members.
    public init(reach: Reach, kind: Kind, curlCode: Int32 = 0) {
        self.reach = reach
        self.kind = kind
        self.curlCode = curlCode
    }

    /// Whether the same request may succeed later; this does not mean that repeating it is safe.
    public var isTransient: Bool {
        switch kind {
        case .unresolvedHost, .connectionRefused, .unreachable, .proxy, .timedOut, .reset,
            .truncated, .queueFull, .other, .tls(.handshake):
            true
        case .canceled, .shutdown:
            // Stopped on this side: a request that was never sent may be sent by another process.
            reach == .notSent
        case .tls, .malformedResponse, .responseTooLarge, .headersTooLarge, .endlessResponse,
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
        case .tls(let reason): reason.code
        case .timedOut: "http.timeout"
        case .reset: "http.reset"
        case .truncated: "http.truncated"
        case .malformedResponse: "http.malformed"
        case .responseTooLarge, .headersTooLarge, .endlessResponse: "http.too-large"
        case .canceled: "http.canceled"
        case .refusedURL: "http.refused-url"
        case .refusedRequest: "http.refused-request"
        case .queueFull: "http.queue-full"
        case .shutdown: "http.shutdown"
        case .other: "http.failed"
        }
    }

    /// The code, the reason and the reach, without any part of the request.
    public var description: String {
        let reason =
            switch kind {
            case .refusedURL(let reason): " (\(reason.rawValue))"
            case .refusedRequest(let reason): " (\(reason))"
            default: ""
            }
        let lower = curlCode == 0 ? "" : ", curl \(curlCode)"
        return "\(code)\(reason), \(reach.rawValue)\(lower)"
    }
}

/// Why an address is not contacted.
@nonexhaustive
public enum URLRefusal: String, Error, Hashable, Sendable {
    /// The address is not a valid absolute address.
    case malformed
    /// The address is longer than ``RequestURL/maximumLength``.
    case tooLong
    /// The address contains a control character, a space, a backslash or a non-ASCII character.
    case forbiddenCharacter
    /// The address contains a user name or a password.
    case credentials
    /// The address contains a fragment.
    case fragment
    /// The scheme is neither https nor permitted http.
    case scheme
    /// The host is not permitted.
    case host
    /// The host is permitted, but not on this port.
    case port
    /// The host has an address of this machine or of a private network, which is not permitted.
    case address
}
