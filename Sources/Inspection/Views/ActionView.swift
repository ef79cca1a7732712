public import EventLog
public import SwedbankPay

/// A client action, with everything that the client needs to perform it.
///
/// Its values give access to the payment when they were disclosed for the client.
public struct ActionView: Sendable {
    /// The identity to use in the report.
    public var id: ActionID
    /// The kind of the action.
    public let kind: Kind
    /// What to do.
    public var content: Content

    /// What a client action consists of.
    public enum Content: Sendable {
        /// Open another app with a link; `nil` when the link would open another app than the
        /// instrument's.
        case launchApp(url: ShownText?)
        /// Post a form in a hidden frame.
        case load3DSMethod(Form, timeout: Duration)
        /// Post a form to the issuer's page, and show that; the issuer posts the result to the
        /// notification URL.
        case show3DS(Form, notificationURL: ShownText?)
        /// Present the payment sheet of a wallet.
        case authorizeWallet(Wallet)
        /// Show the PSP's payment page.
        case showMenu(Menu)
        /// Show the PSP's check-in: the URL of its script, and the URL that the page must have.
        case checkIn(script: ShownText?, baseURL: ShownText?)
    }

    /// The names of the kinds, as they are in JSON.
    public enum Kind: String, Hashable, Sendable, CaseIterable {
        /// A kind of action; see ``Content``.
        case launchApp, load3DSMethod, show3DS, authorizeWallet, showMenu, checkIn
    }

    /// A form that the client posts.
    ///
    /// - Note: Source: payment session API, form posts: the string expectations, in order.
    public struct Form: Sendable {
        /// Where it is posted to.
        public var url: ShownText?
        /// `POST` or `GET`.
        public var method: String
        /// The encoding of the fields.
        public var contentType: String
        /// The fields, in the order in which they are sent.
        public var fields: [(name: String, value: ShownText)]
    }

    /// A payment sheet of a wallet.
    public struct Wallet: Sendable {
        /// The wallet.
        public var wallet: Instrument
        /// Every expected value as provided by the PSP, by name.
        ///
        /// - Note: Source: payment session API, wallet tasks.
        public var request: JSONValue
        /// The wallet's own request, if it was added; null when the PSP's values do not suffice.
        public var paymentRequest: JSONValue?
    }

    /// The PSP's payment page, drawn by a script.
    public struct Menu: Sendable {
        /// The URL of the script; `nil` when it is none of the PSP's.
        public var script: ShownText?
        /// `menu`, or `instrument` for a page with one instrument.
        public var mode: String
        /// The URL that the page must have: the first of the order's host URLs.
        public var baseURL: ShownText?
        /// The URL to which the page navigates when the payer has finished.
        public var completeURL: ShownText?
        /// The URL to which the page navigates when the payer cancels.
        public var cancelURL: ShownText?
        /// The URL to which the payer returns from another app.
        public var paymentURL: ShownText?
        /// How a checkout shows its order; `nil` for a payment session.
        public var checkout: CheckoutMenu?
    }

    /// How the page of a checkout shows its order.
    ///
    /// - Note: Source: merchant backend API, hosted view scripts.
    public struct CheckoutMenu: Sendable {
        /// The script's function that shows the order.
        public var function: String
        /// The URL of the terms of service.
        public var termsOfServiceURL: ShownText?
        /// What the merchant decided about the page.
        public var options: CheckoutOptions
    }

    init(
        _ action: ClientAction,
        in state: SessionState,
        by decider: SessionDecider,
        disclosing disclosure: Disclosure
    ) {
        id = action.id
        kind = Kind(action.kind)
        let urls = state.handedURLs(disclosing: disclosure)
        let page = { Self.page($0, in: state, decider.addresses, disclosure) }
        switch action.kind {
        case .launchApp(let task, let callbackURL):
            content = .launchApp(
                url: Self.appLink(of: task, callbackURL, in: state, decider.addresses, disclosure)
            )
        case .load3DSMethod(let task):
            content = .load3DSMethod(
                Form(of: task, disclosure),
                timeout: decider.limits.threeDSMethod
            )
        case .show3DS(let task, let notificationURL):
            content = .show3DS(
                Form(of: task, disclosure),
                notificationURL: notificationURL.map(disclosure.shown)
            )
        case .authorizeWallet(let task, let method):
            content = .authorizeWallet(
                Wallet(
                    wallet: Instrument(offering: method),
                    request: Self.request(of: task, disclosure)
                )
            )
        case .showMenu(let script, let mode):
            content = .showMenu(
                Menu(
                    script: page(script),
                    mode: mode.name,
                    baseURL: disclosure.shown(urls.hosts.first),
                    completeURL: disclosure.shown(urls.complete),
                    cancelURL: disclosure.shown(urls.cancel),
                    paymentURL: disclosure.shown(urls.payment),
                    checkout: state.checkout.map { checkout in
                        let isEarlier = checkout.order?.page?.rel == .viewPaymentOrder
                        return CheckoutMenu(
                            function: isEarlier ? "paymentMenu" : "checkout",
                            termsOfServiceURL: disclosure.shown(urls.termsOfService),
                            options: checkout.opening.options
                        )
                    }
                )
            )
        case .checkIn(let script):
            content = .checkIn(
                script: page(script),
                baseURL: disclosure.shown(urls.hosts.first)
            )
        }
    }

    /// The address of a page or script of the PSP; `nil` when it is not one, whatever the response
    /// called it.
    private static func page(
        _ address: Sealed,
        in state: SessionState,
        _ addresses: ClientAddresses,
        _ disclosure: Disclosure
    ) -> ShownText? {
        let shown = disclosure.shown(address)
        return shown.clear.map { addresses.isPage($0, of: state.host) } == false ? nil : shown
    }

    /// The link that opens the app, with the payment URL added when the task has one and both are
    /// available in plaintext; without the plaintext, the sealed value's description.
    ///
    /// `nil` when the link opens another app than those of the instrument.
    private static func appLink(
        of task: IntegrationTask,
        _ callbackURL: OutsideText?,
        in state: SessionState,
        _ addresses: ClientAddresses,
        _ disclosure: Disclosure
    ) -> ShownText? {
        guard let href = task.href else { return nil }
        guard case .clear(let secrets) = disclosure, let link = secrets[href] else {
            return disclosure.shown(href)
        }
        let choice = state.payment?.lastChoice
        guard addresses.opensApp(link, for: choice.map { Instrument(offering: $0.method) }) else {
            return nil
        }
        let callback = callbackURL.flatMap { secrets.clear($0) }
        return ShownText(
            text: callback.map { AppLink.adding(callbackURL: $0, to: link) } ?? link
        )
    }

    /// The values that a wallet's sheet needs.
    private static func request(
        of task: IntegrationTask,
        _ disclosure: Disclosure
    ) -> JSONValue {
        .object(
            task.expects.map { expectation in
                let value: JSONValue =
                    switch expectation.value {
                    case .sealed(let sealed): .string(disclosure.text(sealed))
                    case .string(let text): .string(text)
                    case .strings(let list): .array(list.map { .string($0) })
                    case .bool(let flag): .bool(flag)
                    case .integer(let number): .integer(number)
                    case .null: .null
                    case .unknown(_, let raw): .string(disclosure.text(raw))
                    }
                return .init(expectation.name, value)
            }
        )
    }
}

extension ActionView.Form {
    fileprivate init(of task: IntegrationTask, _ disclosure: Disclosure) {
        url = task.href.map(disclosure.shown)
        method = task.method ?? "POST"
        contentType = task.contentType ?? "application/x-www-form-urlencoded"
        fields = task.expects.compactMap { expectation in
            switch expectation.value {
            case .sealed(let sealed): (expectation.name, disclosure.shown(sealed))
            case .string(let text): (expectation.name, ShownText(text: text))
            case .null: (expectation.name, ShownText(text: ""))
            case .strings, .bool, .integer, .unknown: nil
            }
        }
    }
}

extension SessionState {
    /// The order's addresses, without those that no page may lead to.
    ///
    /// A sealed address that is not disclosed is left out.
    fileprivate func handedURLs(disclosing disclosure: Disclosure) -> OrderURLs {
        var urls = self.orderURLs
        let scheme = callbackScheme
        func isHanded(_ address: OutsideText, _ scheme: String?) -> Bool {
            let text: String? =
                if case .clear(let secrets) = disclosure { secrets.clear(address) } else {
                    address.inTheClear
                }
            return text.map { ClientAddresses.isEnd($0, callbackScheme: scheme) } ?? true
        }
        func checked(_ address: OutsideText?) -> OutsideText? {
            address.flatMap { isHanded($0, scheme) ? $0 : nil }
        }
        (urls.complete, urls.cancel) = (checked(urls.complete), checked(urls.cancel))
        (urls.payment, urls.termsOfService) = (checked(urls.payment), checked(urls.termsOfService))
        urls.hosts = urls.hosts.filter { isHanded($0, nil) }
        return urls
    }
}

extension MenuMode {
    /// The name shown to clients.
    var name: String {
        switch self {
        case .menu, .restricted: "menu"
        case .instrument: "instrument"
        }
    }
}

extension ActionView.Kind {
    init(_ kind: ClientAction.Kind) {
        self =
            switch kind {
            case .launchApp: .launchApp
            case .load3DSMethod: .load3DSMethod
            case .show3DS: .show3DS
            case .authorizeWallet: .authorizeWallet
            case .showMenu: .showMenu
            case .checkIn: .checkIn
            }
    }
}
