internal import EventLog

/// The content of the PSP's menu.
public enum MenuMode: Hashable, Sendable {
    /// All methods of the order.
    case menu
    /// Only these methods.
    case restricted([PaymentMethodName])
    /// One method, without a menu.
    case instrument(PaymentMethodName)
}

/// The members of a choice of the PSP's page, or of a request for it, side by side: those that the
/// mode doesn't need are absent.
struct MenuMembers {
    var action: ActionID?
    var mode: MenuMode
    var script: Sealed?

    private enum Name: String, CaseIterable, NameForm { case menu, restricted, instrument }

    init(action: ActionID? = nil, mode: MenuMode, script: Sealed? = nil) {
        (self.action, self.mode, self.script) = (action, mode, script)
    }

    init(_ members: inout some FormPass, _ value: Self?) throws(EventDecodingError) {
        var (name, only, some): (Name?, PaymentMethodName?, [PaymentMethodName]?)
        switch value?.mode {
        case nil: break
        case .menu: name = .menu
        case .restricted(let methods): (name, some) = (.restricted, methods)
        case .instrument(let method): (name, only) = (.instrument, method)
        }
        action = try members.find("action", value?.action)
        let kind = try members.require("mode", name)
        let method = try members.find("paymentMethod", only)
        let methods = try members.find("paymentMethods", some)
        script = try members.find("script", value?.script)
        switch kind {
        case .menu: mode = .menu
        case .restricted:
            guard let methods else { throw .missing(member: "paymentMethods") }
            mode = .restricted(methods)
        case .instrument:
            guard let method else { throw .missing(member: "paymentMethod") }
            mode = .instrument(method)
        }
    }
}
