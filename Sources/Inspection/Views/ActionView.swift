public import EventLog
public import SwedbankPay

/// A client action, with everything that the client needs to perform it.
public struct ActionView: Sendable {
    /// The identity to use in the report.
    public var id: ActionID
    /// The name of the kind: `launchApp`, `load3DSMethod`, `show3DS`, `authorizeWallet`,
    /// `showMenu`, `checkIn`.
    public var kind: String
    /// The members of this kind, in the order of presentation.
    public var members: [(name: String, value: Value)]

    /// The value of a member.
    public enum Value: Sendable {
        /// A text.
        case text(String)
        /// A whole number.
        case number(Int64)
        /// A Boolean.
        case bool(Bool)
        /// A form's fields.
        case fields([(name: String, value: String)])
        /// A value as provided by the PSP.
        case json(JSONValue)
        /// No value.
        case null
    }

    init(
        _ action: ClientAction,
        in state: SessionState,
        by decider: SessionDecider,
        disclosing disclosure: Disclosure
    ) {
        id = action.id
        kind = action.kind.name
        let urls = state.handedURLs(disclosing: disclosure)
        let page = { Self.page($0, in: state, decider.addresses, disclosure) }
        switch action.kind {
        case .launchApp(let task, let callbackURL):
            members = [
                (
                    "url",
                    Self.appLink(of: task, callbackURL, in: state, decider.addresses, disclosure)
                )
            ]
        case .load3DSMethod(let task):
            members =
                Self.form(of: task, disclosure)
                + [("timeout", .number(decider.limits.threeDSMethod.wholeMilliseconds / 1000))]
        case .show3DS(let task, let notificationURL):
            members =
                Self.form(of: task, disclosure)
                + [
                    (
                        "notificationURL",
                        notificationURL.map { .text(disclosure.text($0)) } ?? .null
                    )
                ]
        case .authorizeWallet(let task, let method):
            members = [
                ("wallet", .text(Instrument(offering: method).rawValue)),
                ("request", .json(Self.request(of: task, disclosure))),
            ]
        case .showMenu(let script, let mode):
            members = [
                ("url", page(script)), ("mode", .text(mode.name)),
                ("baseURL", Self.address(urls.hosts.first, disclosure)),
                ("completeURL", Self.address(urls.complete, disclosure)),
                ("cancelURL", Self.address(urls.cancel, disclosure)),
                ("paymentURL", Self.address(urls.payment, disclosure)),
            ]
            if let checkout = state.checkout {
                members += Self.members(of: checkout, urls, disclosure)
            }
        case .checkIn(let script):
            members = [
                ("url", page(script)),
                ("baseURL", Self.address(urls.hosts.first, disclosure)),
            ]
        }
    }

    /// The PSP's function that shows the order, and how the page is shown.
    ///
    /// - Note: Source: merchant backend API, hosted view scripts.
    private static func members(
        of checkout: CheckoutState,
        _ urls: OrderURLs,
        _ disclosure: Disclosure
    ) -> [(name: String, value: Value)] {
        let options = checkout.opening.options
        let isEarlier = checkout.order?.page?.rel == .viewPaymentOrder
        return [
            ("function", .text(isEarlier ? "paymentMenu" : "checkout")),
            ("termsOfServiceURL", Self.address(urls.termsOfService, disclosure)),
            ("overridesTermsOfService", .bool(options.overridesTermsOfService)),
            ("redirects", .text(options.redirects.rawValue)),
            ("redirectHosts", .json(.array(options.redirectHosts.map { .string($0) }))),
            ("recordsNavigation", .bool(options.recordsNavigation)),
            ("recordsAddresses", .bool(options.recordsAddresses)),
        ]
    }

    private static func address(_ address: OutsideText?, _ disclosure: Disclosure) -> Value {
        disclosure.text(address).map { .text($0) } ?? .null
    }

    /// The address of a page or script of the PSP; null when it is not one, whatever the response
    /// called it.
    private static func page(
        _ address: Sealed,
        in state: SessionState,
        _ addresses: ClientAddresses,
        _ disclosure: Disclosure
    ) -> Value {
        if case .clear(let secrets) = disclosure, let text = secrets[address],
            !addresses.isPage(text, of: state.host)
        {
            return .null
        }
        return .text(disclosure.text(address))
    }

    /// The link that opens the app, with the payment URL added when the task has one and both are
    /// available in plaintext; without the plaintext, the sealed value's description.
    ///
    /// Null when the link opens another app than those of the instrument.
    private static func appLink(
        of task: IntegrationTask,
        _ callbackURL: OutsideText?,
        in state: SessionState,
        _ addresses: ClientAddresses,
        _ disclosure: Disclosure
    ) -> Value {
        guard let href = task.href else { return .null }
        guard case .clear(let secrets) = disclosure, let link = secrets[href] else {
            return .text(disclosure.text(href))
        }
        let choice = state.payment?.lastChoice
        guard addresses.opensApp(link, for: choice.map { Instrument(offering: $0.method) }) else {
            return .null
        }
        let callback = callbackURL.flatMap { secrets.clear($0) }
        return .text(callback.map { AppLink.adding(callbackURL: $0, to: link) } ?? link)
    }

    /// The form; source: payment session API, form posts: the string expectations, in order.
    private static func form(
        of task: IntegrationTask,
        _ disclosure: Disclosure
    ) -> [(name: String, value: Value)] {
        [
            ("method", .text(task.method ?? "POST")),
            ("url", task.href.map { .text(disclosure.text($0)) } ?? .null),
            ("contentType", .text(task.contentType ?? "application/x-www-form-urlencoded")),
            ("fields", .fields(fields(of: task, disclosure))),
        ]
    }

    /// The request; source: payment session API, wallet tasks: every expected value as provided by
    /// the PSP, by name.
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

    private static func fields(
        of task: IntegrationTask,
        _ disclosure: Disclosure
    ) -> [(name: String, value: String)] {
        task.expects.compactMap { expectation in
            switch expectation.value {
            case .sealed(let sealed): (expectation.name, disclosure.text(sealed))
            case .string(let text): (expectation.name, text)
            case .null: (expectation.name, "")
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

extension ClientAction.Kind {
    /// The kind's name for clients.
    var name: String {
        switch self {
        case .launchApp: "launchApp"
        case .load3DSMethod: "load3DSMethod"
        case .show3DS: "show3DS"
        case .authorizeWallet: "authorizeWallet"
        case .showMenu: "showMenu"
        case .checkIn: "checkIn"
        }
    }
}
