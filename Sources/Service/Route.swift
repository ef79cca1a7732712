internal import Adapters
internal import EventLog
internal import HTTPTypes

/// An endpoint: its method and path, and who may call it.
///
/// The table is the only place that says which endpoints there are; the published description
/// (`Schemas/service.openapi.json`) is compared with it.
package enum Route: String, CaseIterable, Sendable {
    case openSession, listSessions, showSession, sessionEvents, sessionStream
    case story, timeline, diagram, reportPage, states, state, proof
    case attempt, menu, report, page, returned, retry, abort, refetch, close, addNote, resolve
    case openCheckout, chooseInstrument, handOver, handBack, callback, adoptOrder, transact
    case orderCallback
    case search, moneyAtRisk, statistics
    case listStoredTokens, deleteStoredToken
    case createPayerToken, requestWithKey, requestOfReference
    case events, eventStream
    case myself
    case health, readiness, metrics, description, errorPage

    /// The method and the path, in which `*` stands for one part.
    private var address: (method: HTTPRequest.Method, path: String) {
        switch self {
        case .openSession: (.post, "v1/sessions")
        case .listSessions: (.get, "v1/sessions")
        case .showSession: (.get, "v1/sessions/*")
        case .sessionEvents: (.get, "v1/sessions/*/events")
        case .sessionStream: (.get, "v1/sessions/*/stream")
        case .story: (.get, "v1/sessions/*/story")
        case .timeline: (.get, "v1/sessions/*/timeline")
        case .diagram: (.get, "v1/sessions/*/diagram.svg")
        case .reportPage: (.get, "v1/sessions/*/report.html")
        case .states: (.get, "v1/sessions/*/states")
        case .state: (.get, "v1/sessions/*/states/*")
        case .proof: (.get, "v1/sessions/*/proof")
        case .attempt: (.post, "v1/sessions/*/attempts")
        case .menu: (.post, "v1/sessions/*/menu")
        case .report: (.post, "v1/sessions/*/actions/*/report")
        case .page: (.get, "v1/sessions/*/actions/*/page")
        case .returned: (.post, "v1/sessions/*/return")
        case .retry: (.post, "v1/sessions/*/retry")
        case .abort: (.post, "v1/sessions/*/abort")
        case .refetch: (.post, "v1/sessions/*/refetch")
        case .close: (.post, "v1/sessions/*/close")
        case .addNote: (.post, "v1/sessions/*/notes")
        case .resolve: (.post, "v1/sessions/*/resolution")
        case .openCheckout: (.post, "v1/checkouts")
        case .chooseInstrument: (.post, "v1/sessions/*/instrument")
        case .handOver: (.post, "v1/sessions/*/hand-over")
        case .handBack: (.post, "v1/sessions/*/hand-back")
        case .callback: (.post, "v1/sessions/*/callbacks")
        case .orderCallback: (.post, "v1/callbacks/*")
        case .adoptOrder: (.post, "v1/sessions/*/order")
        case .transact: (.post, "v1/sessions/*/transactions")
        case .search: (.post, "v1/search")
        case .moneyAtRisk: (.get, "v1/money-at-risk")
        case .statistics: (.get, "v1/statistics")
        case .listStoredTokens: (.post, "v1/payment-tokens")
        case .deleteStoredToken: (.post, "v1/payment-tokens/deletion")
        case .createPayerToken: (.post, "v1/sessions/*/payer-tokens")
        case .requestWithKey: (.get, "v1/sessions/*/requests/*")
        case .requestOfReference: (.get, "v1/requests/*")
        case .events: (.get, "v1/events")
        case .eventStream: (.get, "v1/events/stream")
        case .myself: (.get, "v1/me")
        case .health: (.get, "healthz")
        case .readiness: (.get, "readyz")
        case .metrics: (.get, "metrics")
        case .description: (.get, "openapi.json")
        case .errorPage: (.get, "errors/*")
        }
    }

    /// The method of the endpoint; its path may have another one for each method.
    var method: HTTPRequest.Method { address.method }

    /// The path, with `*` for each part that names something.
    var path: String { address.path }

    /// The roles that may call it; `nil` when everybody may, without a token.
    var roles: Set<Role>? {
        switch self {
        case .health, .readiness, .description, .errorPage: nil
        case .metrics: [.viewer, .operator, .admin]
        case .openSession, .attempt, .menu, .report, .page, .returned, .createPayerToken,
            .requestWithKey, .requestOfReference, .openCheckout, .chooseInstrument, .handOver,
            .handBack, .callback, .orderCallback:
            [.driver]
        case .retry: [.driver, .support, .operator]
        case .abort, .refetch, .listStoredTokens, .deleteStoredToken: [.driver, .operator]
        case .close, .resolve, .adoptOrder, .transact: [.operator]
        case .proof: [.auditor]
        case .search, .moneyAtRisk: [.support, .operator, .auditor]
        case .statistics: [.viewer, .support, .operator, .auditor, .admin]
        case .addNote: [.support, .operator, .auditor]
        case .listSessions, .showSession, .sessionStream, .story, .timeline, .diagram, .reportPage,
            .states, .state:
            Role.readers
        case .sessionEvents: [.auditor, .viewer, .support, .operator, .driver]
        case .events, .eventStream: [.subscriber, .auditor, .viewer, .support, .operator]
        case .myself: Set(Role.allCases)
        }
    }

    /// Whether a caller's roles permit it.
    package func isOpen(to caller: Caller) -> Bool {
        roles.map { !$0.isDisjoint(with: caller.roles) } ?? true
    }

    /// Whether the path names a session.
    var namesSession: Bool { path.hasPrefix("v1/sessions/*") }

    /// Whether the payer of the session may call it, too.
    var isForPayer: Bool {
        switch self {
        case .showSession, .sessionStream, .attempt, .menu, .report, .page, .returned: true
        default: false
        }
    }

    /// Whether a listener offers it: that for payers and the PSP has only what they need.
    func isOffered(at listener: PaymentAPI.Listener) -> Bool {
        switch listener {
        case .everything: true
        case .payers: isForPayer || self == .orderCallback
        }
    }

    /// Finds the endpoint of a path, and the values of the parts that it names.
    ///
    /// - Throws: A problem when the path leads nowhere, as far as the listener offers it, or has
    ///   other methods.
    static func find(
        _ method: HTTPRequest.Method,
        _ path: String,
        at listener: PaymentAPI.Listener = .everything
    ) throws(ServiceProblem) -> (route: Route, parts: [String]) {
        guard let parts = parts(of: path) else { throw .noAddress }
        var others: [HTTPRequest.Method] = []
        for (route, template) in templates
        where template.count == parts.count && route.isOffered(at: listener) {
            guard zip(template, parts).allSatisfy({ $0.0 == "*" || $0.0 == $0.1 }) else { continue }
            if route.method == method {
                return (route, zip(template, parts).filter { $0.0 == "*" }.map(\.1))
            }
            others.append(route.method)
        }
        throw others.isEmpty ? .noAddress : .wrongMethod(others)
    }

    /// The parts of each endpoint's path.
    private static let templates = allCases.map { route in
        (route: route, parts: route.path.pieces(between: "/").map(String.init))
    }

    private static func parts(of path: String) -> [String]? {
        guard path.utf8.first == UInt8(ascii: "/") else { return nil }
        var parts: [String] = []
        for part in path.utf8.dropFirst().split(
            separator: UInt8(ascii: "/"),
            omittingEmptySubsequences: false
        ) {
            guard let text = PathPart.decoded(part) else { return nil }
            parts.append(text)
        }
        return parts
    }
}
