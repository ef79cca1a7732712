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
        switch view.content {
        case .launchApp(let url):
            guard let url = url?.clear else { return nil }
            self = .launchApp(Payment.AppLaunch(url: url))
        case .load3DSMethod(let form, let timeout):
            guard var form = Payment.BrowserForm(form) else { return nil }
            form.timeout = timeout
            self = .load3DSMethod(form)
        case .show3DS(let form, let notificationURL):
            guard var form = Payment.BrowserForm(form) else { return nil }
            form.notificationURL = notificationURL?.clear
            self = .show3DS(form)
        case .authorizeWallet(let wallet):
            self = .authorizeWallet(
                Payment.WalletRequest(wallet: wallet.wallet, request: wallet.request)
            )
        case .showMenu(let menu):
            guard let script = menu.script?.clear else { return nil }
            self = .showMenu(
                Payment.HostedPage(
                    scriptURL: script,
                    baseURL: menu.baseURL?.clear,
                    completeURL: menu.completeURL?.clear,
                    cancelURL: menu.cancelURL?.clear,
                    paymentURL: menu.paymentURL?.clear
                )
            )
        case .checkIn(let script, let baseURL):
            guard let script = script?.clear else { return nil }
            self = .checkIn(Payment.HostedPage(scriptURL: script, baseURL: baseURL?.clear))
        }
    }
}

extension Payment.BrowserForm {
    /// Creates a form; `nil` when a value is masked or there is no URL.
    fileprivate init?(_ form: ActionView.Form) {
        guard let url = form.url?.clear else { return nil }
        let fields = form.fields.compactMap { field in field.value.clear.map { (field.name, $0) } }
        guard fields.count == form.fields.count else { return nil }
        self.init(
            url: url,
            method: form.method,
            contentType: form.contentType,
            fields: fields
        )
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
