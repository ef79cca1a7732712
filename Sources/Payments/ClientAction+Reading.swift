internal import Adapters
internal import EventLog
internal import Inspection
internal import SwedbankPay
internal import Workflow

extension Payment.ClientAction {
    /// Creates an action with all its values; `nil` when they may not be disclosed or do not exist.
    ///
    /// The view contains no address that is not the PSP's, or that would open an app other than the
    /// payment apps.
    init?(_ view: ActionView, of payment: Payment) {
        guard let kind = Kind(view) else { return nil }
        (id, self.kind, self.view, self.payment) = (view.id, kind, view, payment)
    }
}

extension Payment.ClientAction.Kind {
    fileprivate init?(_ view: ActionView) {
        let members = DisclosedMembers(view)
        guard let url = (try? members.text("url")) ?? (view.kind == "authorizeWallet" ? "" : nil)
        else { return nil }
        func text(_ name: String) -> String? { (try? members.text(name)) ?? nil }
        func form() -> Payment.BrowserForm? {
            guard let fields = try? members.fields("fields") else { return nil }
            return Payment.BrowserForm(
                url: url,
                method: text("method") ?? "POST",
                contentType: text("contentType") ?? TaskForm.standardType,
                fields: fields.map { ($0.name, $0.value) },
                timeout: members.number("timeout").map { .seconds($0) },
                notificationURL: text("notificationURL")
            )
        }
        func page() -> Payment.HostedPage {
            Payment.HostedPage(
                scriptURL: url,
                baseURL: text("baseURL"),
                completeURL: text("completeURL"),
                cancelURL: text("cancelURL"),
                paymentURL: text("paymentURL")
            )
        }
        switch view.kind {
        case "launchApp": self = .launchApp(Payment.AppLaunch(url: url))
        case "load3DSMethod":
            guard let form = form() else { return nil }
            self = .load3DSMethod(form)
        case "show3DS":
            guard let form = form() else { return nil }
            self = .show3DS(form)
        case "authorizeWallet":
            guard let wallet = text("wallet").flatMap({ Instrument(rawValue: $0) }),
                let request = members.json("request")
            else { return nil }
            self = .authorizeWallet(Payment.WalletRequest(wallet: wallet, request: request))
        case "showMenu": self = .showMenu(page())
        case "checkIn": self = .checkIn(page())
        default: preconditionFailure("the kind \(view.kind) of an action is unknown")
        }
    }
}

/// What the client of a payment has to do; each client action is delivered once.
struct ClientActions: AsyncSequence, Sendable {
    typealias Element = Payment.ClientAction
    typealias Failure = PaymentError

    let source: UpdateSource

    func makeAsyncIterator() -> Iterator {
        Iterator(payment: source.payment, updates: source.makeAsyncIterator())
    }

    struct Iterator: AsyncIteratorProtocol {
        let payment: Payment
        var updates: UpdateSource.Iterator
        private var delivered: Set<ActionID> = []
        private var waiting: [Payment.ClientAction] = []

        init(payment: Payment, updates: UpdateSource.Iterator) {
            (self.payment, self.updates) = (payment, updates)
        }

        mutating func next(
            isolation actor: isolated (any _Concurrency.Actor)?
        ) async throws(PaymentError) -> Payment.ClientAction? {
            while waiting.isEmpty {
                guard let update = try await updates.next(isolation: actor) else { return nil }
                let payment = payment
                waiting = try await payment.actions(
                    openIn: update.state,
                    leavingOut: delivered
                )
                delivered.formUnion(update.state.actions.filter(\.isOpen).map(\.id))
            }
            return waiting.removeFirst()
        }
    }
}
