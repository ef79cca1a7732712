public import EventLog
internal import SwedbankPay

extension ActionView {
    /// A value of a member, as it is presented.
    enum Value {
        case text(String)
        case number(Int64)
        case bool(Bool)
        case fields([(name: String, value: ShownText)])
        case json(JSONValue)
        case null

        init(_ shown: ShownText?) { self = shown.map { .text($0.text) } ?? .null }
    }

    /// The members of the action's kind, in the order of presentation.
    var members: [(name: String, value: Value)] {
        switch content {
        case .launchApp(let url): [("url", Value(url))]
        case .load3DSMethod(let form, let timeout):
            Self.members(of: form) + [("timeout", .number(timeout.wholeMilliseconds / 1000))]
        case .show3DS(let form, let notificationURL):
            Self.members(of: form) + [("notificationURL", Value(notificationURL))]
        case .authorizeWallet(let wallet):
            [("wallet", .text(wallet.wallet.rawValue)), ("request", .json(wallet.request))]
                + (wallet.paymentRequest.map { [("paymentRequest", .json($0))] } ?? [])
        case .showMenu(let menu):
            [
                ("url", Value(menu.script)), ("mode", .text(menu.mode)),
                ("baseURL", Value(menu.baseURL)), ("completeURL", Value(menu.completeURL)),
                ("cancelURL", Value(menu.cancelURL)), ("paymentURL", Value(menu.paymentURL)),
            ] + (menu.checkout.map { Self.members(of: $0) } ?? [])
        case .checkIn(let script, let baseURL):
            [("url", Value(script)), ("baseURL", Value(baseURL))]
        }
    }

    private static func members(of form: Form) -> [(name: String, value: Value)] {
        [
            ("method", .text(form.method)), ("url", Value(form.url)),
            ("contentType", .text(form.contentType)), ("fields", .fields(form.fields)),
        ]
    }

    private static func members(of menu: CheckoutMenu) -> [(name: String, value: Value)] {
        let options = menu.options
        return [
            ("function", .text(menu.function)),
            ("termsOfServiceURL", Value(menu.termsOfServiceURL)),
            ("overridesTermsOfService", .bool(options.overridesTermsOfService)),
            ("redirects", .text(options.redirects.rawValue)),
            ("redirectHosts", .json(.array(options.redirectHosts.map { .string($0) }))),
            ("recordsNavigation", .bool(options.recordsNavigation)),
            ("recordsAddresses", .bool(options.recordsAddresses)),
        ]
    }

    /// The action as JSON: its identity, its kind, and the members of the kind.
    public var json: JSONValue {
        .object(
            [.init("id", .string(id.rawValue)), .init("kind", .string(kind.rawValue))]
                + members.map { .init($0.name, $0.value.json) }
        )
    }
}

extension ActionView.Value {
    fileprivate var json: JSONValue {
        switch self {
        case .text(let text): .string(text)
        case .number(let number): .integer(number)
        case .bool(let flag): .bool(flag)
        case .fields(let fields):
            .object(fields.map { .init($0.name, .string($0.value.text)) })
        case .json(let value): value
        case .null: .null
        }
    }
}
