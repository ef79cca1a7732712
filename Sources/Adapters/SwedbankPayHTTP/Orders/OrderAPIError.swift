internal import EventLog
public import SwedbankPay
public import UVTransport

/// Why a request to a merchant backend or to the PSP's payment order API failed.
///
/// It holds no address, header or token, so it may be logged.
@nonexhaustive
public enum OrderAPIError: Error, Hashable, Sendable {
    /// A link leads to a host outside the allowed domains, or away from the PSP; no request was
    /// sent there.
    case foreignDomain(host: String)
    /// The root is not a permitted address: https, without user name, query and fragment.
    case malformedRoot
    /// A link is not a permitted address.
    case malformedLink(Rel)
    /// The named value cannot be sent.
    case malformedValue(String)
    /// The source of headers or access tokens failed; no request was sent.
    case accessUnavailable
    /// There is no complete response; the failure has how far the request got.
    case network(TransportFailure)
    /// The response reports a problem, or is not what was requested.
    case problem(APIProblem)
    /// The order does not offer the operation now.
    case missingOperation(Rel)
    /// The order was not created in instrument mode, so its instrument cannot be changed.
    case notInInstrumentMode

    /// A short code for metrics and messages.
    public var code: String {
        switch self {
        case .foreignDomain: "order.foreign-domain"
        case .malformedRoot, .malformedLink: "order.malformed-address"
        case .malformedValue: "order.malformed-value"
        case .accessUnavailable: OperationFailed.accessUnavailable
        case .network(let failure): failure.code
        case .problem(let problem):
            problem.details == nil ? "order.unexpected-content" : "order.problem"
        case .missingOperation: "order.missing-operation"
        case .notInInstrumentMode: "order.not-in-instrument-mode"
        }
    }

    /// Whether the same request may succeed later; this does not mean that repeating it is safe.
    public var isTransient: Bool {
        switch self {
        case .foreignDomain, .malformedRoot, .malformedLink, .malformedValue, .missingOperation,
            .notInInstrumentMode:
            false
        case .accessUnavailable: true
        case .network(let failure): failure.isTransient
        case .problem(let problem): problem.isTransient
        }
    }

    /// How far the request got, which decides whether it may be sent again or the order must be
    /// read first.
    public var reach: TransportFailure.Reach {
        switch self {
        case .network(let failure): failure.reach
        case .problem: .responded
        case .foreignDomain, .malformedRoot, .malformedLink, .malformedValue, .accessUnavailable,
            .missingOperation, .notInInstrumentMode:
            .notSent
        }
    }
}

extension OrderAPIError: CustomStringConvertible {
    /// A description and a hint, without any part of the request.
    public var description: String {
        switch self {
        case .foreignDomain(let host):
            "a link leads to \(Self.shown(host)), which is not among the allowed domains; add it to the allow-list if it is yours"
        case .malformedRoot:
            "the root is not an https URL without user name, query and fragment"
        case .malformedLink(let rel):
            "the link of '\(Self.shown(rel.rawValue))' is not an https URL"
        case .malformedValue(let name): "\(name) is not valid"
        case .accessUnavailable:
            "the headers or access token for the request could not be obtained; nothing was sent"
        case .network(let failure): failure.description
        case .problem(let problem): problem.description
        case .missingOperation(let rel):
            "the order does not offer '\(Self.shown(rel.rawValue))' now; read it again"
        case .notInInstrumentMode:
            "the order is not in instrument mode; create it with an instrument to change it later"
        }
    }

    /// A name from outside, or `?` when it is not a plain name.
    private static func shown(_ name: String) -> String {
        OutsideTextScreen.isName(name) ? name : "?"
    }
}
