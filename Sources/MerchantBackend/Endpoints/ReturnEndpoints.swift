internal import Adapters
public import HTTPTypes
public import Logging
internal import SwedbankPay

/// The addresses through which payers return into apps, and the file that lets apps open them.
///
/// It is the part of a ``PaymentBackend`` that has no callers, stores nothing and sends nothing to
/// the PSP: a server can offer it alone.
public struct ReturnEndpoints: Sendable {
    /// The apps, and the page with the button.
    public let pages: ReturnPages
    let place: PublicRoot
    let logger: Logger

    /// Creates the endpoints below an address.
    ///
    /// - Parameters:
    ///   - publicURL: The address of the root as payers see it; a missing trailing slash is added.
    ///   - pages: The apps, and the page with the button.
    ///   - allowsInsecureLoopback: Whether `http` to this machine is accepted, for sandboxes.
    ///   - logger: Logs why an address leads nowhere, without the address.
    /// - Throws: ``BackendConfigurationError``, which names the invalid member.
    public init(
        publicURL: String,
        pages: ReturnPages,
        allowsInsecureLoopback: Bool = false,
        logger: Logger = Logger(label: "payment-workflow.merchant-backend")
    ) throws(BackendConfigurationError) {
        let place = try PublicRoot(publicURL, allowsInsecureLoopback: allowsInsecureLoopback)
        try place.check(pages)
        self.init(at: place, pages, logger)
    }

    init(at place: PublicRoot, _ pages: ReturnPages, _ logger: Logger) {
        (self.place, self.pages, self.logger) = (place, pages, logger)
    }

    /// Responds to a request; `nil` when its address is none of these.
    public func respond(to head: HTTPRequest) -> BackendResponse? {
        let request = BackendRequest(head: head, body: [], source: nil)
        let route = Route(path: request.path, below: place.path, button: pages.trampolinePath)
        guard let route, let response = respond(request, at: route) else { return nil }
        guard head.method == route.method else { return .problem(.wrongMethod(route.method)) }
        return response
    }

    func respond(_ request: BackendRequest, at route: Route) -> BackendResponse? {
        switch route {
        case .androidReturn: androidReturn(request)
        case .iosReturn: iosReturn(request)
        case .trampoline: trampoline(request)
        case .association: association()
        case .root, .consumers, .orders, .charges, .instrument, .patch, .expand, .tokens,
            .paymentTokens, .paymentToken, .callback, .challenge:
            nil
        }
    }
}

/// The address of a root as clients see it, with a trailing slash.
struct PublicRoot: Sendable {
    let url: String
    /// The form that payment URLs are built from.
    let root: BackendRoot
    /// The path, with a slash at both ends.
    let path: String

    init(_ text: String, allowsInsecureLoopback: Bool) throws(BackendConfigurationError) {
        url = text.hasSuffix("/") ? text : text + "/"
        path = try WebAddress.path(
            of: url,
            member: "publicURL",
            allowsInsecureLoopback: allowsInsecureLoopback
        )
        do throws(ReturnURLError) {
            root = try BackendRoot(url, allowsInsecureLoopback: allowsInsecureLoopback)
        } catch {
            throw .malformed(member: "publicURL", reason: error.description)
        }
    }

    /// Refuses a page with the button on the host of the payment URLs.
    ///
    /// No system would treat its link as an app's. With `http` to this machine, for sandboxes, that
    /// is allowed.
    func check(_ pages: ReturnPages) throws(BackendConfigurationError) {
        let hosts = [url, pages.trampolineURL ?? ""].map { AddressParts($0)?.host }
        guard hosts[0] != hosts[1] || AddressParts(url)?.scheme == "http" else {
            throw .malformed(
                member: "trampolineURL",
                reason: "it must be on another host than publicURL"
            )
        }
    }
}
