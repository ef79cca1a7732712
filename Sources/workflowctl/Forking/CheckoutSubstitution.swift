internal import Adapters
internal import EventLog
internal import SwedbankPay

/// The sandbox's values that replace those of a checkout's gateway in a fork: addresses, the order,
/// the check-in.
///
/// All of them are sealed with the fork's keys. The order's other members are kept as the log has
/// them; only what names or opens the order is the sandbox's.
struct CheckoutSubstitution {
    /// The root of the backend, or the base URL of the sandbox's API.
    let root: Sealed
    /// The host of that URL.
    let host: String
    /// The request for the order that the sandbox was sent, or will be.
    let document: Sealed
    /// The merchant's reference of that order.
    let payeeReference: String?
    /// The endpoints of the sandbox's backend.
    var endpoints: BackendEndpoints?
    /// The sandbox's check-in.
    var checkIn: Sealed?
    /// The order at the sandbox.
    var order: OrderSnapshot?
    /// The original's pages of the order, and their replacements.
    private var pages: [Sealed: Sealed] = [:]
    /// The newest snapshot of the order with its replacements, and its digest.
    private var newest: (order: OrderSnapshot, digest: Digest256)?

    init(
        root: Sealed,
        host: String,
        document: Sealed,
        payeeReference: String?
    ) {
        (self.root, self.host) = (root, host)
        (self.document, self.payeeReference) = (document, payeeReference)
    }

    /// Returns the event with the sandbox's values; `nil` when it contains no value to replace.
    mutating func replace(in event: SessionEvent) -> SessionEvent? {
        switch event {
        case .checkout(.checkoutOpened(var opened)):
            opened.root = root
            opened.host = host
            opened.document = document
            opened.payeeReference = payeeReference
            opened.terms.urls = SandboxDocument.urls(like: opened.terms.urls)
            return .checkout(.checkoutOpened(opened))
        case .checkout(.endpointsDiscovered):
            return endpoints.map {
                .checkout(.endpointsDiscovered(EndpointsDiscovered(endpoints: $0)))
            }
        case .checkout(.checkInOffered):
            return checkIn.map { .checkout(.checkInOffered(CheckInOffered(script: $0))) }
        case .checkout(.checkInRequested(var requested)):
            guard let checkIn else { return nil }
            requested.script = checkIn
            return .checkout(.checkInRequested(requested))
        case .checkout(.orderFetched(let fetched)):
            return .checkout(.orderFetched(replace(in: fetched)))
        case .menuRequested(var requested):
            guard let page = pages[requested.script] else { return nil }
            requested.script = page
            return .menuRequested(requested)
        default: return nil
        }
    }

    /// Returns a snapshot that is unchanged in the fork if it was unchanged in the original.
    private mutating func replace(in fetched: OrderFetched) -> OrderFetched {
        var fetched = fetched
        guard let view = fetched.order.map({ replace(in: $0) }) ?? newest?.order else {
            return fetched
        }
        fetched.digest = SnapshotCodec.digest(of: view)
        fetched.order = fetched.digest == newest?.digest ? nil : view
        newest = (view, fetched.digest)
        return fetched
    }

    private mutating func replace(in view: OrderSnapshot) -> OrderSnapshot {
        var view = view
        view.id = view.id.flatMap { _ in order?.id }
        view.number = view.number.flatMap { _ in order?.number }
        view.urls = SandboxDocument.urls(like: view.urls)
        // Text of the PSP that may quote a secret; an order that was given up is not forked.
        if case .sealed = view.abortReason { view.abortReason = nil }
        for index in view.operations.indices {
            guard let original = view.operations[index].href else { continue }
            // An operation that the sandbox does not offer keeps its name, and cannot be called.
            let address = order?.operation([view.operations[index].rel])?.href
            view.operations[index].href = address
            if view.operations[index].rel.isPage { pages[original] = address }
        }
        return view
    }
}

extension Rel {
    /// Whether this is the operation for the script of the PSP's page.
    fileprivate var isPage: Bool { self == .viewCheckout || self == .viewPaymentOrder }
}
